"""Does a system use the context? From score files, or from a model that is scored here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Unpack

from kontrast.analysis.context_gains import ContextGains, context_gains
from kontrast.analysis.context_records import ContextUse
from kontrast.analysis.options import ContextTest
from kontrast.defaults import ALPHA, LEVEL
from kontrast.errors import KontrastError
from kontrast.flows.inputs import ScoresLike, SuiteLike, SystemLike, as_scores, as_suite, as_systems
from kontrast.flows.scoring import score
from kontrast.io.json_input import write_json_lines
from kontrast.judging.systems import System, runs_of, system_name
from kontrast.options import SuiteFormat, keywords, option, part
from kontrast.scoring.engine import Engine
from kontrast.scoring.options import Scoring, asked
from kontrast.suites.model import Scores, Suite, Unit

_RANGE = re.compile(r"prev:(\d+)(?:\.\.(\d+))?")


class ContextOptions(ContextTest, Scoring, total=False):
    """All of `kontrast context`."""

    without: Annotated[ScoresLike | None, option("Scores without context.", metavar="FILE")]
    given: Annotated[ScoresLike | None, option("Scores of the same model with context.", "--with", metavar="FILE")]
    control: Annotated[
        ScoresLike | None,
        option("Scores with a wrong context; with --model: random, shuffled …", metavar="FILE|KIND"),
    ]
    model: Annotated[str | Engine | None, option("Compute the scores with this model.", metavar="ENGINE:NAME")]
    context: Annotated[
        str,
        option(
            "With --model: number of previous sentences; 0..N gives a curve.",
            default="prev:1",
            metavar="prev:N|prev:0..N",
        ),
    ]
    pointwise: Annotated[
        str | Path | None, option("Write the bits of every token (P-CXMI) as JSON lines.", metavar="FILE")
    ]
    format: SuiteFormat


@keywords(ContextOptions)
def context(suite: SuiteLike, **options: Unpack[ContextOptions]) -> ContextUse:
    """Whether a system uses the context of a suite, as `kontrast context` says.

    Either three score files of one model (``without``, ``given`` and, preferably, ``control``), or a ``model``, which
    is scored without context, with it and with a control (``control`` is then ``"random"``, ``"shuffled"`` or
    ``"other-document"``). ``context="prev:0..5"`` gives a curve over lengths. ``pointwise`` is a file for the bits of
    every token. Everything else is what `kontrast.score` takes.

    >>> import kontrast
    >>> from kontrast import Item, Scores, Suite, Variant
    >>> suite = Suite("s", tuple(Item(str(i), f"it {i}", (Variant("er"), Variant("sie"))) for i in range(9)))
    >>> same = Scores("m", (1.0, 2.0) * 9)
    >>> kontrast.context(suite, without=same, given=same, control=same, sentences=True).verdict
    'ignores it'
    """
    from kontrast.analysis.context_use import context_curve, context_use

    how = asked(ContextOptions, options, context)
    loaded, sentences = as_suite(suite, how["format"]), how["sentences"]
    without, given, control, pointwise = how["without"], how["given"], how["control"], how["pointwise"]
    model, told = how["model"], part(ContextTest, how)
    if model is None:
        if without is None or given is None:
            raise KontrastError("give --without FILE and --with FILE (and --control FILE), or --model ENGINE:NAME")
        files = [without, given, *([control] if control is not None else [])]
        read = [as_scores(loaded, each, tokens=not sentences) for each in files]
        called = [str(each.system if isinstance(each, Scores) else each) for each in (without, given, control or "")]
        wrong = read[2] if len(read) > 2 else None
        _write_pointwise(loaded, read[0], read[1], pointwise)
        return context_use(loaded, read[0], read[1], wrong, names=(called[0], called[1], called[2]), **told)
    if without is not None or given is not None:
        raise KontrastError("--model computes the scores; leave out --without and --with")
    lengths = _lengths(how["context"])

    def made(text: str, **more: object) -> Scores:
        return score(loaded, model, context=text, verbose=True, **{**part(Scoring, how), **more})  # type: ignore[arg-type]

    kind = _control(control, lengths[-1]) if control is not None else None
    longest = made(f"prev:{lengths[-1]}")  # first: it says whether the suite has so much context
    if longest.tokens is None and not sentences:
        raise KontrastError(
            f"{longest.system} gives no log-probabilities of tokens: use --sentences for whole sentences only"
        )
    windows = [*((length, made(f"prev:{length}")) for length in lengths[:-1] if length > 0), (lengths[-1], longest)]
    base = made("none", documents=None)
    wrong = made(f"prev:{lengths[-1]}", control=kind) if kind is not None else None
    _write_pointwise(loaded, base, longest, pointwise)
    use = context_use(loaded, base, longest, wrong, names=("without", "with", "control"), **told)
    return context_curve(use, loaded, base, windows) if len(windows) > 1 else use


def compare_context(
    suite: SuiteLike,
    first: SystemLike,
    second: SystemLike,
    *,
    unit: Unit | None = None,
    alpha: float = ALPHA,
    level: float = LEVEL,
    format: str | None = None,
) -> ContextGains:
    """Test which of two systems gains more from the context, as `kontrast context SUITE A=…,… B=…,…` says.

    Each system is ``"NAME=WITHOUT,WITH"`` or a name and two scores: without context, and with it.

    >>> import kontrast
    >>> from kontrast import Item, Scores, Suite, Variant
    >>> suite = Suite("s", tuple(Item(str(i), f"it {i}", (Variant("er"), Variant("sie"))) for i in range(40)))
    >>> wrong, right = Scores("m", (2.0, 1.0) * 40), Scores("m", (1.0, 2.0) * 40)
    >>> kontrast.compare_context(suite, ("a", [wrong, wrong]), ("b", [wrong, right])).significant
    True
    """
    loaded = as_suite(suite, format)
    pairs = [_pair(system) for system in as_systems(loaded, [first, second])]
    return context_gains(loaded, pairs[0], pairs[1], unit=unit, alpha=alpha, level=level)


def _pair(system: System) -> tuple[str, Scores, Scores]:
    """A system's scores without and with context; the signatures must not say the opposite."""
    runs = runs_of(system)
    name = system_name(system)
    if len(runs) != 2:
        raise KontrastError(f"{name}: expected two score files, NAME=WITHOUT,WITH; found {len(runs)}")
    contexts = [run.signature.context if run.signature else None for run in runs]
    if contexts[0] not in (None, "none") or contexts[1] == "none":
        raise KontrastError(
            f"{name}: expected scores without context first, then with it; found {contexts[0]}, then {contexts[1]}"
        )
    return name, runs[0], runs[1]


def _write_pointwise(suite: Suite, without: Scores, given: Scores, path: str | Path | None) -> None:
    """A line a row: item, variant, and the bits of each token with its kind; null where texts differ."""
    from kontrast.analysis.pointwise import pointwise

    if path is None:
        return
    if without.tokens is None or given.tokens is None:
        raise KontrastError(f"{path}: the scores have no tokens, so bits of tokens cannot be computed")
    rows, _ = pointwise(suite, without.tokens, given.tokens)
    told = zip(suite.rows(), rows, strict=True)
    write_json_lines(path, ({"item": r.item.id, "variant": r.variant_index, "pointwise": found} for r, found in told))


def _lengths(text: str) -> list[int]:
    found = _RANGE.fullmatch(text)
    if found is None:
        raise KontrastError(f"--context {text}: expected prev:N, or prev:0..N for a curve")
    first, last = int(found[1]), int(found[2] or found[1])
    if last < max(first, 1):
        raise KontrastError(f"--context {text}: expected one sentence of context or more")
    return list(range(first, last + 1)) if found[2] else [last]


def _control(control: ScoresLike, length: int) -> str:
    if control not in ("random", "shuffled", "other-document"):
        raise KontrastError(f"--control {control}: with --model expected random, shuffled or other-document")
    if control == "shuffled" and length < 2:
        raise KontrastError("--control shuffled: needs two sentences of context or more (--context prev:2)")
    return str(control)
