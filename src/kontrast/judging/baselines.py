"""What comes out without any skill: a constant scorer, the most frequent form, the shorter variant.

They stand beside every result, so that 53% on an unbalanced set is not mistaken for knowledge.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from kontrast.judging.decisions import Decisions, Floats
from kontrast.judging.records import Baseline, TiePolicy
from kontrast.judging.verdicts import verdicts_of
from kontrast.suites.forms import forms


def baselines(decisions: Decisions, ties: TiePolicy, majority: Floats) -> tuple[Baseline, ...]:
    """All baselines under one tie policy; ``majority`` is what `majority_credit` gave."""
    rows = decisions.suite.row_count
    constant = verdicts_of(decisions, np.zeros(rows), ties=ties).credit
    lengths = np.array([len(row.variant.text) for row in decisions.suite.rows()], dtype=np.float64)
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
    labels = [forms(item, suite.target_language) for item in suite.items]
    frequent = Counter(found[item.correct] for item, found in zip(suite.items, labels, strict=True))
    values = [frequent[label] if frequent[label] > 1 else 0 for found in labels for label in found]
    return verdicts_of(decisions, np.array(values, dtype=np.float64)).credit
