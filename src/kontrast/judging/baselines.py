"""What comes out without any skill: a constant scorer, the most frequent form, the shorter variant.

They stand beside every result, so that 53% on an unbalanced set is not mistaken for knowledge.
"""

from array import array

import msgspec
import numpy as np

from kontrast.judging.decisions import Decisions, Floats
from kontrast.judging.records import Baseline, TiePolicy
from kontrast.judging.verdicts import verdicts_of
from kontrast.suites.form_search import forms
from kontrast.suites.packed import fields_of, shape_of


def baselines(decisions: Decisions, ties: TiePolicy, majority: Floats) -> tuple[Baseline, ...]:
    """All baselines under one tie policy; ``majority`` is what `majority_credit` gave."""
    rows = decisions.suite.row_count
    constant = verdicts_of(decisions, np.zeros(rows), ties=ties).credit
    items = fields_of(decisions.suite.items, _Texts)
    lengths = np.fromiter((len(variant.text) for item in items for variant in item.variants), np.float64, rows)
    shorter = verdicts_of(decisions, -lengths, ties=ties).credit
    return (
        Baseline("chance", float(decisions.chance.mean()), "guessing among the variants"),
        Baseline("constant", float(constant.mean()), f"the same score for everything, ties: {ties}"),
        Baseline("majority", float(majority.mean()), "the form that is correct most often"),
        Baseline("shorter", float(shorter.mean()), "the variant with fewer characters"),
    )


def majority_credit(decisions: Decisions) -> Floats:
    """What always taking the most frequent correct form gets, per decision; equally frequent forms share.

    The form is the pronoun where the suite names it, else the words in which a variant differs from its rivals.
    A form that is correct only once counts as never: a word says nothing about itself.
    """
    suite = decisions.suite
    numbers: dict[str, int] = {}
    labels = array("q")
    for item in suite.items:
        labels.extend([numbers.setdefault(form, len(numbers)) for form in forms(item, suite.target_language)])
    form = np.array(labels, dtype=np.int64)
    sizes, correct = shape_of(suite.items)
    right = form[np.cumsum(sizes) - sizes + correct]
    frequent = np.bincount(right, minlength=len(numbers))[form].astype(np.float64)
    return verdicts_of(decisions, np.where(frequent > 1, frequent, 0.0)).credit


class _Text(msgspec.Struct, gc=False):
    text: str


class _Texts(msgspec.Struct, gc=False):
    variants: tuple[_Text, ...]
