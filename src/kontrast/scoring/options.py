"""The options of scoring and translating, declared once for the commands and for Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from kontrast.defaults import SEED
from kontrast.options import (
    Device,
    Limit,
    On,
    SourceLanguage,
    SuiteFormat,
    TargetLanguage,
    Workers,
    filled,
    option,
    read_options,
)
from kontrast.scoring.context import Context, Control, Side
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.schemes import Scheme
from kontrast.scoring.store import Store
from kontrast.scoring.template import template_text
from kontrast.suites.model import Scores

F = TypeVar("F")


def _pairs(given: Mapping[str, str] | Sequence[str], name: str) -> dict[str, str]:
    return dict(given) if isinstance(given, Mapping) else read_options(given, name)


class AskingModel(TypedDict, total=False):
    """What is asked of the engine; an `EngineOptions` record may be given instead."""

    source_language: SourceLanguage
    target_language: TargetLanguage
    template: Annotated[
        str | None,
        option(
            "Prompt or source template; fields: {source}, {context} …",
            metavar="TEXT|@FILE",
            read=lambda text, _: template_text(text),
        ),
    ]
    examples: Annotated[
        str | Path | Sequence[tuple[str, str]] | None,
        option("Examples for the prompt: SOURCE TAB TRANSLATION, or JSON lines.", metavar="FILE"),
    ]
    shots: Annotated[int | None, option("Number of examples to use [all].", least=1)]
    device: Device
    dtype: Annotated[str, option("Data type of the weights: float32, bfloat16, int8 …", default="float32")]
    batch_tokens: Annotated[int, option("Tokens per batch.", default=1024, least=1)]
    threads: Annotated[int | None, option("CPU threads. Default: the library's own choice.", least=1)]
    share: Annotated[
        bool, option("Share computation between rows, or score pair by pair.", "--share/--no-sharing", default=True)
    ]
    softmax_pad: Annotated[
        bool | None,
        option(
            "Include padding in the softmax, or not, as in CTranslate2 [the model's own].",
            "--softmax-pad/--no-pad-in-softmax",
        ),
    ]
    extra: Annotated[
        Mapping[str, str],
        option(
            "An option of the engine (see docs/scoring.md).", "--option", default={}, metavar="KEY=VALUE", read=_pairs
        ),
    ]
    options: EngineOptions | None


class ReadingContext(TypedDict, total=False):
    """Which context is read, and how it is put before the sentence."""

    side: Annotated[Side | None, option("Side of the context [both].")]
    scheme: Annotated[
        str | Scheme | None,
        option("How context and sentence are joined: space, sep, break, eos … [the model's own, or space]"),
    ]
    config: Annotated[str | Path | None, option("kontrast.toml with [context.NAME] schemes.", metavar="FILE")]
    seed: Annotated[int, option("Seed of the wrong context.", default=SEED, least=0)]
    documents: Annotated[str | Path | None, option("Take the context from these documents.", metavar="DIR")]


class ScoringModel(AskingModel, total=False):
    """And where the model's scores are kept, or its answers asked for."""

    mode: Annotated[
        Literal["score", "choose", "judge"] | None,
        option("openai: ask questions instead of reading log-probabilities."),
    ]
    max_tokens: Annotated[
        int | None, option("choose, judge: maximum length of an answer, including reasoning.", least=1)
    ]
    samples: Annotated[int | None, option("choose, judge: number of times that each question is asked [1].", least=1)]
    store: Annotated[
        Store | str | Path | bool | None,
        option("The score cache [KONTRAST_STORE or the cache folder].", metavar="FILE"),
    ]


class Scoring(ScoringModel, ReadingContext, total=False):
    """What every function takes that scores with a model and context."""

    own_output: Annotated[
        str | Path | None,
        option(
            "Target context: the system's own output, one line per item, sentences separated by tabs.", metavar="FILE"
        ),
    ]
    score_context: Annotated[bool, option("Also sum the tokens of the target context.", default=False)]


class ScoringControl(Scoring, total=False):
    """And a wrong context instead of the right one."""

    control: Annotated[Control | None, option("Use a wrong context, for comparison.")]


class Running(TypedDict, total=False):
    """Which part of a suite is run, where, and under which name."""

    context: Annotated[
        str | Context | None,
        option(
            "Context: N sentences before or after, or as many before as fit N tokens.",
            default="none",
            metavar="none|prev:N|next:N|tokens:N",
        ),
    ]
    own: Annotated[
        bool,
        option("Target context: the model's own translations from the beginning of the document.", default=False),
    ]
    control: Annotated[Control | None, option("Use a wrong context, for comparison.")]
    system: Annotated[str | None, option("The system's name in tables.", "--name")]
    limit: Limit
    on: On
    workers: Workers
    format: SuiteFormat


class Score(Scoring, Running, total=False):
    """All of `kontrast score`."""

    until: Annotated[Literal["decided"] | None, option("Stop when the [gate] of --config is decided.")]
    against: Annotated[
        Scores | str | Path | None,
        option("With --until: stop when the system is better or worse than these scores.", metavar="SCORES"),
    ]
    tokenisations: Annotated[
        int | None, option("hf: report how many decisions change under N other tokenisations.", metavar="N", least=1)
    ]


class Search(TypedDict, total=False):
    """How a translation is searched for."""

    beams: Annotated[int | None, option("Beam size [4; 1 for prompted models].", least=1)]
    max_length: Annotated[int, option("Maximum number of tokens of a translation.", default=256, least=1)]
    length_penalty: Annotated[float | None, option("Higher favours longer output [the model's own].")]
    repetition_penalty: Annotated[float | None, option("Above 1 discourages repetition [the model's own].")]
    temperature: Annotated[float, option("Sample with this temperature; 0 does not sample.", default=0.0)]
    top_p: Annotated[float | None, option("Sample from the likeliest tokens that together have this probability.")]
    top_k: Annotated[int | None, option("Sample from the K likeliest tokens.", least=1)]


class Translate(AskingModel, ReadingContext, Running, Search, total=False):
    """All of `kontrast translate`."""

    window: Annotated[int | None, option("Translate N sentences at once and split the result.", metavar="N", least=2)]
    samples: Annotated[
        int, option("Draw N translations; write further ones to FILE.2, FILE.3 …", metavar="N", default=1, least=1)
    ]
    clean: Annotated[bool | None, option("Remove text around the translation [if prompted].", "--clean/--no-clean")]
    store: Annotated[
        Store | str | Path | bool | None,
        option("The cache of translations [KONTRAST_STORE or the cache folder].", metavar="FILE"),
    ]
    out: Annotated[
        str | Path | None, option("Translations, one line per item; FILE.json has the signature.", metavar="FILE")
    ]
    details: Annotated[
        str | Path | None,
        option("Also write JSON lines with the translation and the model's full answer.", metavar="FILE"),
    ]


def asked(family: type[F], given: Mapping[str, Any], function: Any) -> F:
    """`filled`, with the fields of ``options=EngineOptions(…)`` where they are not given one by one."""
    record = given.get("options") or EngineOptions()
    kept = {name: value for name in record.__struct_fields__ if (value := getattr(record, name)) != _USUAL[name]}
    extra = {**record.extra, **_pairs(given.get("extra") or {}, "--option")}
    return filled(family, {**kept, **given, "extra": extra, "options": None}, function)


_USUAL = {name: getattr(EngineOptions(), name) for name in EngineOptions.__struct_fields__}
