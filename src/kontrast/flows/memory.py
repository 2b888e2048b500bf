"""Was a suite in a model's training data?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Unpack

import msgspec

from kontrast.analysis.memory import Memory
from kontrast.defaults import ALPHA, LEVEL, NATURAL, SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite, refuse_unknown
from kontrast.flows.scoring import Scoring, score
from kontrast.scoring.context import Context
from kontrast.scoring.engine import Engine
from kontrast.scoring.schemes import SCHEMES
from kontrast.scoring.store import Store
from kontrast.suites.context import ContextSpan
from kontrast.suites.model import Item, Scores, Suite

__all__ = ["memory"]


def memory(
    suite: SuiteLike,
    model: str | Engine,
    *,
    unseen: SuiteLike | None = None,
    complete: bool = False,
    k: float = 0.2,
    natural: float = NATURAL,
    alpha: float = ALPHA,
    level: float = LEVEL,
    twin_seed: int = SEED,
    store: Store | str | Path | bool | None = None,
    format: str | None = None,
    **asked: Unpack[Scoring],
) -> Memory:
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

    refuse_unknown(asked, Scoring, memory)
    loaded = as_suite(suite, format)
    if not 0 < k <= 1:
        raise KontrastError(f"--k {k:g}: expected a share of tokens between 0 and 1")
    found = twins(loaded, seed=twin_seed)
    if not found:
        raise KontrastError(f"{loaded.name}: no item has a name or number that stands in its source and all variants")

    def scored(items: Iterable[Item], name: str) -> Scores:
        """The correct variants alone; each stands twice, as scoring asks for, and is scored once."""
        bare = tuple(msgspec.structs.replace(item, variants=(item.best, item.best), correct=0) for item in items)
        derived = msgspec.structs.replace(loaded, items=bare, name=name)
        found = score(derived, model, store=store, verbose=True, **asked)
        tokens = found.tokens[::2] if found.tokens is not None else None
        return msgspec.structs.replace(found, values=found.values[::2], tokens=tokens)

    other = as_suite(unseen) if unseen is not None else None
    completions = _completions(loaded, found, model, store, asked) if complete else None
    own = scored((loaded.items[i] for i in found), loaded.name)
    if own.tokens is None:
        raise KontrastError(f"{own.system} gives no log-probabilities of tokens: use an engine that does (hf, ct2 …)")
    twin_scores = scored(found.values(), f"{loaded.name}-twins")
    beside = None
    if other is not None:
        beside = scored(loaded.items, loaded.name), other, scored(other.items, other.name)
    left = len(loaded.items) - len(found)
    notes = [f"{left:,} items have no name or number to change and are not in the comparison"] if left else []
    return room.memory(
        loaded,
        found,
        own,
        twin_scores,
        other=beside,
        completions=completions,
        k=k,
        natural=natural,
        alpha=alpha,
        level=level,
        notes=notes,
    )


def _completions(
    suite: Suite, twins: dict[int, Item], model: str | Engine, store: Store | str | Path | bool | None, asked: Scoring
) -> dict[int, tuple[float, float]]:
    """The share of each second half that is written after the first: of items, and of their twins."""
    from kontrast.analysis.memory import halves, reproduced
    from kontrast.flows.translation import translate

    pairs = {i: (suite.items[i], twin) for i, twin in twins.items() if len(twin.best.text.split()) >= 4}
    begun = [_begun(item) for pair in pairs.values() for item in pair]
    derived = msgspec.structs.replace(suite, items=tuple(begun), name=f"{suite.name}-halves")
    forced = Context(span=ContextSpan(1), side="target", scheme=SCHEMES["space"], scheme_name="space")
    written = translate(derived, model, context=forced, store=store, **asked).texts
    wanted = [halves(item.best.text)[1] for pair in pairs.values() for item in pair]
    shares = [reproduced(text, rest) for text, rest in zip(written, wanted, strict=True)]
    return {i: (shares[2 * n], shares[2 * n + 1]) for n, i in enumerate(pairs)}


def _begun(item: Item) -> Item:
    """The item with the first half of its translation as what comes before."""
    from kontrast.analysis.memory import halves

    first = halves(item.best.text)[0]
    variants = tuple(msgspec.structs.replace(v, context=None) for v in item.variants)
    return msgspec.structs.replace(item, variants=variants, target_context=(first,), source_context=None)
