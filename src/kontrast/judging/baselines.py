"""What comes out without any skill: a constant scorer, the most frequent form, the shorter variant.

They stand beside every result, so that 53% on an unbalanced set is not mistaken for knowledge.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from kontrast.judging.decisions import Decisions, Floats
from kontrast.judging.records import Baseline, TiePolicy
from kontrast.judging.verdicts import verdicts_of
from kontrast.suites.model import Item

__all__ = ["baselines", "forms", "majority_credit"]


def baselines(decisions: Decisions, ties: TiePolicy, majority: Floats) -> tuple[Baseline, ...]:
    """All baselines under one tie policy; ``majority`` is what `majority_credit` gave."""
    rows = decisions.suite.row_count
    constant = verdicts_of(decisions, np.zeros(rows), ties=ties).credit
    lengths = np.array([len(row.variant.text) for row in decisions.suite.rows()], dtype=np.float64)
    shorter = verdicts_of(decisions, -lengths, ties=ties).credit
    return (
        Baseline("chance", float(decisions.chance.mean()), "guessing among the variants"),
        Baseline("constant", float(constant.mean()), f"the same score for everything, ties: {ties}"),
        Baseline("majority", float(majority.mean()), "the form that is correct most often in the other items"),
        Baseline("shorter", float(shorter.mean()), "the variant with fewer characters"),
    )


def majority_credit(decisions: Decisions) -> Floats:
    """What always taking the most frequent correct form gets, per decision; equally frequent forms share.

    The form is the pronoun where the suite names it, else the words in which a variant differs from its rivals.
    An item's own answer is left out of the count: a word that occurs once says nothing about itself.
    """
    suite = decisions.suite
    labels = [forms(item) for item in suite.items]
    frequent = Counter(found[item.correct] for item, found in zip(suite.items, labels, strict=True))
    values = np.empty(suite.row_count)
    row = 0
    for item, found in zip(suite.items, labels, strict=True):
        for j, label in enumerate(found):
            values[row] = frequent[label] - (j == item.correct)
            row += 1
    return verdicts_of(decisions, values).credit


def forms(item: Item) -> list[str]:
    """What tells each variant from the others, in lower case: ``er``, ``sie``, ``es``.

    >>> from kontrast import Item, Variant
    >>> forms(Item("1", "it is", (Variant("Er ist da ."), Variant("Sie ist da ."), Variant("Es ist da ."))))
    ['er', 'sie', 'es']
    """
    named = [
        item.tags.get("ref_pronoun") if j == item.correct else variant.tags.get("replacement")
        for j, variant in enumerate(item.variants)
    ]
    if all(isinstance(name, str) for name in named):
        return [str(name).lower() for name in named]
    texts = [_with_context(item, j).lower().split() for j in range(len(item.variants))]
    before, after = shared_ends(texts)
    return [" ".join(words[before : len(words) - after]) for words in texts]


def _with_context(item: Item, index: int) -> str:
    """The variant's text; with its own previous sentences where those are what differs."""
    variant = item.variants[index]
    return " ".join((*(variant.context or ()), variant.text))


def shared_ends(sequences: list[list[str]] | list[tuple[str, ...]]) -> tuple[int, int]:
    """How many words all sequences share at the beginning, and then at the end.

    >>> shared_ends([["das", "ist", "gut", "."], ["das", "war", "gut", "."]])
    (1, 2)
    """
    shortest = min(map(len, sequences))
    first = sequences[0]
    before = 0
    while before < shortest and all(words[before] == first[before] for words in sequences):
        before += 1
    after = 0
    while after < shortest - before and all(words[-1 - after] == first[-1 - after] for words in sequences):
        after += 1
    return before, after
