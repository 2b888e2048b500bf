"""Foils and uses of pronouns, case by case: ``pronoun_cases.tsv``.

A row names a pronoun in brackets. *foil*: the text or a part of it that the foil of that gender has (where the source
pronoun is a subject, or not), with other words that may mean the same (``*``: every word), and its problem (``-``:
none). *use*: what German *es* stands for. A share of all rows is asked for, not each.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest

pytest.importorskip("spacy")

from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.foils import PROBLEMS, contrastives
from kontrast.language.alignment import spans
from kontrast.language.german.plain import split, use_of_es

ROLES = {"unknown": None, "subject": True, "object": False}
SHARE = {"en-de": 0.8}
"""Of the rows; elsewhere .95."""
Case = dict[str, str]


def cases() -> list[Case]:
    with Path(__file__).with_name("pronoun_cases.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_met(case: Case) -> bool:
    start, end = case["text"].index("["), case["text"].index("]") - 1
    text = case["text"].replace("[", "").replace("]", "")
    if case["kind"] == "use":
        words = split(text)
        place = next(i for i, w in enumerate(words) if w.start == start)
        is_object = {"yes": False, "no": True}.get(case["subject"])
        return use_of_es(words, place, is_object=is_object) == case["expected"]
    if case["together"] == "*":
        others = {w.start: None for w in spans(text)}
    else:
        named = dict(word.split("=") for word in case["together"].split())
        others = {w.start: ROLES[named[w.text]] for w in spans(text) if w.text in named and w.start != start}
    made = contrastives(load_recipe(case["pair"]), text, start, end, case["subject"] == "yes", others)
    foil = next((c for c in made if c.gender == case["gender"]), None)
    if foil is None or case["expected"] not in foil.text:
        return False
    return not case["problem"] or foil.problem == case["problem"].strip("-")


@pytest.mark.parametrize("pair", sorted({case["pair"] for case in cases()}))
def test_cases(pair: str) -> None:
    found: dict[bool, list[str]] = defaultdict(list)
    for case in cases():
        if case["pair"] == pair:
            found[is_met(case)].append(case["text"])
    assert len(found[True]) >= SHARE.get(pair, 0.95) * sum(map(len, found.values())), found[False]


def test_problems_have_names() -> None:
    assert {case["problem"] for case in cases()} - {"", "-"} <= set(PROBLEMS)
