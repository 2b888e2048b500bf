"""Artefacts, items and short versions, from files or records.

Also whether a suite was in a model's training data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Unpack

import msgspec

from kontrast.analysis.artefacts import Artefacts
from kontrast.analysis.items import Items
from kontrast.analysis.memory import Memory, halves, reproduced
from kontrast.analysis.options import MemoryTest
from kontrast.analysis.shorten import Shortened
from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import ScoresLike, SuiteLike, SystemLike, as_single, as_suite
from kontrast.flows.scoring import score
from kontrast.judging.options import UnitOfDecision
from kontrast.judging.signatures import check_suite
from kontrast.judging.systems import read_system
from kontrast.options import Level, SuiteFormat, keywords, option, part
from kontrast.scoring.context import Context
from kontrast.scoring.engine import Engine
from kontrast.scoring.options import ScoringModel, Translate, asked
from kontrast.scoring.schemes import SCHEMES
from kontrast.suites.documents import ContextSpan
from kontrast.suites.formats import save
from kontrast.suites.model import Item, Scores, Suite


class ArtefactOptions(ScoringModel, total=False):
    """All of `kontrast artefacts`."""

    target_only: Annotated[
        ScoresLike | None, option("Scores of a model that does not see the source.", metavar="FILE")
    ]
    model: Annotated[
        str | Engine | None,
        option("Compute the --target-only scores with this model and an empty source.", metavar="ENGINE:NAME"),
    ]
    frequencies: Annotated[
        str | Path | None, option("Text for word frequencies. Default: the suite's other items.", metavar="TEXT")
    ]
    tagged: Annotated[
        str | Path | None,
        option(
            "Write the suite with the tag easy on foils that every baseline except length detects.", metavar="FILE"
        ),
    ]
    unit: UnitOfDecision
    level: Level
    format: SuiteFormat


@keywords(ArtefactOptions)
def artefacts(
    suite: SuiteLike, /, *scores: SystemLike | Sequence[SystemLike], **options: Unpack[ArtefactOptions]
) -> Artefacts:
    """Show how well the suite can be solved without the source, and the skill of systems beyond that, as `kontrast
    artefacts`.

    ``target_only`` are scores of a model that does not see the source (a language model); with ``model`` they are
    computed, with an empty source. ``frequencies`` is a text to count words in. ``tagged`` is a file for the suite
    with the tag ``easy`` on each foil.

    >>> import kontrast
    >>> {found.name for found in kontrast.artefacts("demo:fr").artefacts} >= {"shorter", "giveaway"}
    True
    """
    from kontrast.analysis import artefacts as room

    how = asked(ArtefactOptions, options, artefacts)
    target_only, model, frequencies = how["target_only"], how["model"], how["frequencies"]
    loaded = as_suite(suite, how["format"])
    systems = as_single(loaded, scores, tokens=True) if scores else []
    if target_only is not None and model is not None:
        raise KontrastError("--target-only FILE and --model both give these scores; use only one of them")
    only: Scores | None = None
    if target_only is not None:
        only = target_only if isinstance(target_only, Scores) else read_system(target_only, loaded)
        bare = _sourceless(loaded)
        made = only.signature.fingerprint if only.signature else None
        check_suite(bare if made == bare.fingerprint else loaded, only)
    elif model is not None:
        only = score(_sourceless(loaded), model, verbose=True, **part(ScoringModel, how))
    counts = None
    if frequencies is not None:
        from collections import Counter

        from kontrast.io import files
        from kontrast.io.words import words

        counts = Counter(w for line in files.open_lines(frequencies) for w in words(line, loaded.target_language))
    if how["tagged"] is not None:
        from kontrast.analysis.artefacts import with_easy_tags
        from kontrast.suites.formats import save

        save(with_easy_tags(loaded), how["tagged"])
    return room.artefacts(loaded, systems, target_only=only, frequencies=counts, unit=how["unit"], level=how["level"])


def _sourceless(suite: Suite) -> Suite:
    """The same variants with nothing to translate."""
    bare = {"source": "", "source_context": None, "target_context": None, "source_next": None, "target_next": None}
    return msgspec.structs.replace(
        suite,
        items=tuple(msgspec.structs.replace(item, **bare) for item in suite.items),
        name=f"{suite.name}-no-source",
        extra={**suite.extra, "sources_removed": True},
    )


def items(
    suite: SuiteLike,
    /,
    *scores: SystemLike | Sequence[SystemLike],
    suspects: str | Path | None = None,
    maximize: bool | None = None,
    format: str | None = None,
) -> Items:
    """Difficulty, discrimination, suspected wrong keys and redundancy, from four systems or more; `kontrast items`.

    ``suspects`` is a file for the items whose key may be wrong, for `kontrast review`.

    >>> import kontrast
    >>> suite = kontrast.load("demo:fr")
    >>> rows = [[float(i * k % 7) for i in range(suite.row_count)] for k in range(1, 6)]
    >>> systems = [kontrast.Scores(str(k), tuple(row)) for k, row in enumerate(rows)]
    >>> len(kontrast.items(suite, systems).items) == len(suite)
    True
    """
    from kontrast.analysis import items as room

    loaded = as_suite(suite, format)
    found = room.items(loaded, as_single(loaded, scores, maximize=maximize))
    if suspects is not None:
        _save_suspects(loaded, found, suspects)
    return found


def _save_suspects(suite: Suite, found: Items, out: str | Path) -> None:
    decided = (item for item in suite.items if len(item.variants) > 1)  # by place: an id may come twice
    chosen = tuple(
        msgspec.structs.replace(item, tags={**item.tags, "weak_minus_strong": round(each.turned, 3)})
        for item, each in zip(decided, found.items, strict=True)
        if each.suspect
    )
    if not chosen:
        raise KontrastError(f"{out}: no item of {suite.name} is suspected; nothing was written")
    save(msgspec.structs.replace(suite, items=chosen, name=f"{suite.name}-suspects"), out)


def shorten(
    suite: SuiteLike,
    /,
    *scores: SystemLike | Sequence[SystemLike],
    size: int,
    out: str | Path | None = None,
    maximize: bool | None = None,
    seed: int = SEED,
    format: str | None = None,
) -> Shortened:
    """Make a short version of a suite that keeps the order of systems, as `kontrast shorten`; written to ``out``.

    >>> import kontrast
    >>> suite = kontrast.load("demo:fr")
    >>> rows = [[float(i * k % 7) for i in range(suite.row_count)] for k in range(1, 6)]
    >>> systems = [kontrast.Scores(str(k), tuple(row)) for k, row in enumerate(rows)]
    >>> kontrast.shorten(suite, systems, size=40).kept
    40
    """
    from kontrast.analysis import shorten as room

    loaded = as_suite(suite, format)
    found = room.shorten(loaded, as_single(loaded, scores, maximize=maximize), size, seed=seed)
    if out is not None:
        save(found.suite, out)
    return found


class MemoryOptions(MemoryTest, ScoringModel, total=False):
    """All of `kontrast memory` but the model."""

    unseen: Annotated[
        SuiteLike | None, option("A suite that the model cannot have seen, for comparison.", metavar="SUITE")
    ]
    complete: Annotated[
        bool, option("Also let the model complete the second half of each translation.", default=False)
    ]
    twin_seed: Annotated[int, option("Seed of the names and numbers of twins.", default=SEED)]
    format: SuiteFormat


@keywords(MemoryOptions)
def memory(suite: SuiteLike, model: str | Engine, **options: Unpack[MemoryOptions]) -> Memory:
    """Test whether a model has seen a suite in training, as `kontrast memory`.

    Items are compared with copies that have other names and numbers (twins). ``natural``: lead of items, in bits,
    that does not count as memory. ``unseen`` is a suite that the model cannot have seen; ``complete`` also lets the
    model complete the second half of each target. All other options are those of `kontrast.score`.

    >>> import kontrast
    >>> from kontrast import Item, Variant
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> kontrast.memory(suite, "hf:Helsinki-NLP/opus-mt-en-de")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: tiny: no item has a name or number that is in its source and all variants
    """
    from kontrast.analysis import memory as room
    from kontrast.analysis.twins import twins

    how = asked(MemoryOptions, options, memory)
    loaded = as_suite(suite, how["format"])
    if not 0 < how["k"] <= 1:
        raise KontrastError(f"--k {how['k']:g}: expected a share of tokens between 0 and 1")
    found = twins(loaded, seed=how["twin_seed"])
    if not found:
        raise KontrastError(f"{loaded.name}: no item has a name or number that is in its source and all variants")

    def scored(items: Iterable[Item], name: str) -> Scores:
        """The correct variants alone; each stands twice, as scoring asks for, and is scored once."""
        bare = tuple(msgspec.structs.replace(item, variants=(item.best, item.best), correct=0) for item in items)
        derived = msgspec.structs.replace(loaded, items=bare, name=name)
        found = score(derived, model, verbose=True, **part(ScoringModel, how))
        tokens = found.tokens[::2] if found.tokens is not None else None
        return msgspec.structs.replace(found, values=found.values[::2], tokens=tokens)

    other = as_suite(how["unseen"]) if how["unseen"] is not None else None
    completions = _completions(loaded, found, model, how) if how["complete"] else None
    own = scored((loaded.items[i] for i in found), loaded.name)
    if own.tokens is None:
        raise KontrastError(f"{own.system} gives no log-probabilities of tokens: use an engine that does (hf, ct2 …)")
    twin_scores = scored(found.values(), f"{loaded.name}-twins")
    beside = None
    if other is not None:
        beside = scored(loaded.items, loaded.name), other, scored(other.items, other.name)
    judged = room.memory(
        loaded, found, own, twin_scores, other=beside, completions=completions, **part(MemoryTest, how)
    )
    if left := len(loaded.items) - len(found):
        note = f"{left:,} items have no name or number to change and are left out"
        judged = msgspec.structs.replace(judged, notes=(note, *judged.notes))
    return judged


def _completions(
    suite: Suite, twins: dict[int, Item], model: str | Engine, how: MemoryOptions
) -> dict[int, tuple[float, float]]:
    """The share of each second half that is written after the first: of items, and of their twins."""
    from kontrast.flows.translation import translate

    pairs = {i: (suite.items[i], twin) for i, twin in twins.items() if len(twin.best.text.split()) >= 4}
    begun = [_begun(item) for pair in pairs.values() for item in pair]
    derived = msgspec.structs.replace(suite, items=tuple(begun), name=f"{suite.name}-halves")
    forced = Context(span=ContextSpan(1), side="target", scheme=SCHEMES["space"], scheme_name="space")
    written = translate(derived, model, **part(Translate, {**how, "context": forced})).texts
    wanted = [halves(item.best.text)[1] for pair in pairs.values() for item in pair]
    shares = [reproduced(text, rest) for text, rest in zip(written, wanted, strict=True)]
    return {i: (shares[2 * n], shares[2 * n + 1]) for n, i in enumerate(pairs)}


def _begun(item: Item) -> Item:
    """The item with the first half of its translation as what comes before."""
    first = halves(item.best.text)[0]
    variants = tuple(msgspec.structs.replace(v, context=None) for v in item.variants)
    return msgspec.structs.replace(item, variants=variants, target_context=(first,), source_context=None)
