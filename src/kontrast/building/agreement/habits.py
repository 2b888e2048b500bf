"""What the trees show of a language that declares nothing of its agreement: its subjects, its order, its elisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kontrast.building.agreement.trees import Tree
from kontrast.language.annotation import Token

CLAUSES = frozenset("root ccomp advcl acl parataxis".split())
SUBJECTS = ("nsubj", "csubj", "expl")


class Habits(NamedTuple):
    """As a language's file declares them (CONTRIBUTING.md)."""

    pro_drop: bool
    unnamed_plural: bool
    free_order: bool
    elision: bool
    genitive_first: bool


UNNAMED = 0.08
"""Verbs without a subject of all finite ones from which on a pronoun may be left out. In PUD es, it, pt, pl, cs, fi
have 10 to 24%, ru 5%, sv, fr, de 1%."""
UNNAMED_PLURAL = 0.05
"""The same of third person plurals, where word order is free: *they built the house* may have the house first."""
INVERTED = 0.15
"""Subjects behind their verb of all from which on a noun before the verb need not be its subject."""
ELIDED = 0.01
"""Determiners with an apostrophe (*l'*) of all from which on their form depends on the next letter."""


def habits(trees: Sequence[Tree]) -> Habits:
    """Counted over all trees; what is not counted at all leaves out more."""
    count: Counter[str] = Counter()
    for tree in trees:
        for i, word in enumerate(tree.words):
            relation = word.relation.split(":")[0]
            if word.pos == "DET":
                count["det"] += 1
                count["elided"] += word.text[-1:] in ("'", "’")
            elif relation == "nsubj":
                count["nsubj"] += 1
                count["behind"] += i > word.head
            elif relation in CLAUSES and _is_statement(word):
                kinds = ("verb", "plural") if word.morph.get("Number") == "Plur" else ("verb",)
                for kind in kinds:
                    count[kind] += 1
                    count[f"unnamed {kind}"] += tree.child(i, *SUBJECTS) is None
    free = count["behind"] >= INVERTED * count["nsubj"]
    return Habits(
        pro_drop=count["unnamed verb"] >= UNNAMED * count["verb"],
        unnamed_plural=free and count["unnamed plural"] >= UNNAMED_PLURAL * count["plural"],
        free_order=free,
        elision=count["elided"] > ELIDED * count["det"],
        genitive_first=genitive_first(trees),
    )


def genitive_first(trees: Iterable[Tree]) -> bool:
    """Whether most nouns in the genitive stand before the noun they belong to."""
    first = [
        i < word.head
        for tree in trees
        for i, word in enumerate(tree.words)
        if word.morph.get("Case") == "Gen" and word.pos != "DET" and word.relation.partition(":")[0] == "nmod"
    ]
    return 2 * sum(first) > len(first)


def _is_statement(word: Token) -> bool:
    """A finite verb that is no imperative."""
    form = word.morph.get("VerbForm", "Fin" if "Person" in word.morph else "")
    return word.pos == "VERB" and form == "Fin" and word.morph.get("Mood") != "Imp"
