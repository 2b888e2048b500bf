"""Small suites and simulated systems for the tests of judging."""

from __future__ import annotations

import numpy as np

from kontrast import Item, Scores, Suite, Variant


def suite_of(sizes: list[int], correct: list[int] | None = None, **fields: object) -> Suite:
    """A suite whose items have these numbers of variants."""
    items = []
    for i, size in enumerate(sizes):
        right = correct[i] if correct else 0
        variants = tuple(Variant(f"w{j} x", error=None if j == right else f"e{i % 3}") for j in range(size))
        tags = {"distance": i % 5, "frequency": 3**i if i < 12 else 0, "kind": "AB"[i % 2]}
        items.append(Item(str(i), f"s{i}", variants, right, tags=tags))
    return Suite("made", tuple(items), **fields)  # type: ignore[arg-type]


def pairs_in_documents(documents: int, each: int) -> Suite:
    """Pairs, ``each`` of them in a document."""
    variants = Variant("gut"), Variant("schlecht", error="e")
    items = (Item(f"{d}.{i}", "good", variants, document=f"d{d}") for d in range(documents) for i in range(each))
    return Suite("documents", tuple(items))


def scores_from(right: np.ndarray, system: str = "made") -> Scores:
    """Scores for a suite of pairs under which exactly these decisions are right."""
    values = np.column_stack([np.where(right, 0.0, 1.0), np.where(right, 1.0, 0.0)]).ravel()
    return Scores(system, tuple(values.tolist()))
