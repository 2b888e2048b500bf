"""Was a suite in a model's training data?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Unpack

import msgspec

from kontrast.analysis.memory import Memory
from kontrast.analysis.options import MemoryTest
from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite
from kontrast.flows.scoring import score
from kontrast.options import keywords, option, part
from kontrast.scoring.context import Context
from kontrast.scoring.engine import Engine
from kontrast.scoring.options import ScoringModel, Translate, asked
from kontrast.scoring.schemes import SCHEMES
from kontrast.shared_options import SuiteFormat
from kontrast.suites.context import ContextSpan
from kontrast.suites.model import Item, Scores, Suite


class MemoryOptions(MemoryTest, ScoringModel, total=False):
    """All of `kontrast memory` but the model."""

    unseen: Annotated[
        SuiteLike | None, option("A suite that the model cannot have seen, to compare with.", metavar="SUITE")
    ]
    complete: Annotated[bool, option("Also let the model write the second half of each translation.", default=False)]
    twin_seed: Annotated[int, option("Seed of the names and numbers of twins.", default=SEED)]
    format: SuiteFormat


@keywords(MemoryOptions)
def memory(suite: SuiteLike, model: str | Engine, **options: Unpack[MemoryOptions]) -> Memory:
    """Signs that a model has seen a suite in training, as `kontrast memory`.

    Items are compared with their twins, in which names and numbers are changed. ``natural``: bits that an item may be
    ahead without having been seen. ``unseen`` is a suite that the model cannot have seen; ``complete`` also lets the
    model write the second half of each target after the first. Everything else is what `kontrast.score` takes.

    >>> import kontrast
    >>> from kontrast import Item, Variant
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> kontrast.memory(suite, "hf:Helsinki-NLP/opus-mt-en-de")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: tiny: no item has a name or number that stands in its source and all variants
    """
    from kontrast.analysis import memory as room
    from kontrast.analysis.twins import twins

    how = asked(MemoryOptions, options, memory)
    loaded = as_suite(suite, how["format"])
    if not 0 < how["k"] <= 1:
        raise KontrastError(f"--k {how['k']:g}: expected a share of tokens between 0 and 1")
    found = twins(loaded, seed=how["twin_seed"])
    if not found:
        raise KontrastError(f"{loaded.name}: no item has a name or number that stands in its source and all variants")

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
        note = f"{left:,} items have no name or number to change and are not in the comparison"
        judged = msgspec.structs.replace(judged, notes=(note, *judged.notes))
    return judged


def _completions(
    suite: Suite, twins: dict[int, Item], model: str | Engine, how: MemoryOptions
) -> dict[int, tuple[float, float]]:
    """The share of each second half that is written after the first: of items, and of their twins."""
    from kontrast.analysis.memory import halves, reproduced
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
    from kontrast.analysis.memory import halves

    first = halves(item.best.text)[0]
    variants = tuple(msgspec.structs.replace(v, context=None) for v in item.variants)
    return msgspec.structs.replace(item, variants=variants, target_context=(first,), source_context=None)
