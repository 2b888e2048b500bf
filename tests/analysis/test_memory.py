"""Twins, Min-K%, and a model that learnt half of a suite by heart: that half is flagged, the other is not."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import pytest

import kontrast
from kontrast import Item, KontrastError, Suite, Variant
from kontrast.analysis.memory import area, memory
from kontrast.analysis.twins import twins
from kontrast.language.words import ordered
from kontrast.reporting.analysis import memory_sections
from kontrast.suites.model import Scores, TokenScores

from .learning import learnt

NAMES = ("Anna", "Maria", "Julia", "Laura", "Clara", "Sara", "Martha", "Petra", "Hanna", "Nina", "Eva", "Paula")
THINGS = (("apples", "Äpfel"), ("books", "Bücher"), ("lamps", "Lampen"), ("letters", "Briefe"), ("cups", "Tassen"))
DOINGS = (("bought", "gekauft"), ("found", "gefunden"), ("sold", "verkauft"), ("forgot", "vergessen"))


def named(count: int, seed: int = 1) -> Suite:
    """Items with a name and a number each."""
    chance = random.Random(seed)
    every = list(itertools.product(NAMES, THINGS, DOINGS))
    items = []
    for i, (name, (thing, ding), (did, getan)) in enumerate(chance.sample(every, count)):
        number = chance.randrange(12, 99)
        right = f"{name} hat gestern {number} {ding} {getan}."
        wrong = f"{name} haben gestern {number} {ding} {getan}."
        source = f"{name} {did} {number} {thing} yesterday."
        items.append(Item(str(i), source, (Variant(right), Variant(wrong, error="subj_verb_agreement"))))
    return Suite("named", tuple(items), "en", "de")


def test_twins_change_names_and_numbers_everywhere() -> None:
    suite = named(40)
    found = twins(suite)
    assert len(found) == 40
    for i, twin in found.items():
        item = suite.items[i]
        texts = [(one.source, *(v.text for v in one.variants)) for one in (item, twin)]
        for before, after in zip(*texts, strict=True):
            changed = [(a, b) for a, b in zip(before.split(), after.split(), strict=True) if a != b]
            assert len(changed) == 2
        assert twin.source.split()[0] == twin.best.text.split()[0]
    assert not twins(Suite("none", (Item("1", "It rains.", (Variant("Es regnet."), Variant("Er regnet."))),)))


def one(source: str, *variants: str, pair: tuple[str, str] = ("en", "de")) -> Item:
    """The twin of a single item."""
    texts = variants or (source, f"{source} x")
    return twins(Suite("s", (Item("1", source, tuple(map(Variant, texts))),), *pair)).get(0) or Item("", "", ())


def test_words_change_with_their_translations() -> None:
    twin = one(
        "On Monday in March two men came.", "Am Montag im März kamen zwei Männer.", "Am Montag im März kam zwei."
    )
    kinds: tuple[Literal["numbers", "months", "days"], ...] = ("numbers", "months", "days")
    for kind in kinds:
        ours = [n for n, word in enumerate(ordered("en", kind)) if word in twin.source]
        theirs = [n for n, word in enumerate(ordered("de", kind)) if word in twin.best.text]
        assert ours == theirs != []
    assert not {"Monday", "March", "two"} & set(twin.source.split())
    # A translation that the row does not have: nothing may change on one side alone.
    assert one("Two came.", "Beide kamen.", "Beide kam.").id == ""


def test_names_joined_by_and_change_places() -> None:
    twin = one("I saw Heike and Jörg.", "Ich sah Heike und Jörg.", "Ich sahen Heike und Jörg.")
    assert twin.source == "I saw Jörg and Heike." and twin.best.text == "Ich sah Jörg und Heike."


def test_numbers_stay_plausible() -> None:
    for number, least, most, step in (
        ("1987", 1900, 1999, 1),
        ("400", 100, 900, 100),
        ("14", 10, 31, 1),
        ("7", 2, 12, 1),
    ):
        made = int(
            "".join(filter(str.isdigit, one(f"It cost {number}.", f"Es kostet {number}.", f"Er {number}.").source))
        )
        assert least <= made <= most and made % step == 0 and made != int(number)
    assert one("It cost 1.", "Es kostet 1.", "Er kostet 1.").id == ""


def test_an_inflected_name_is_left_alone() -> None:
    """Only one of Peter and Peters would change."""
    assert one("Peter saw him.", "Peter sah ihn in Peters Haus.", "Peter sah es in Peters Haus.").id == ""


def test_elision_is_kept() -> None:
    for seed in range(20):
        item = Item("1", "It is Ana's.", (Variant("Il est d'Ana."), Variant("Elle est d'Ana.")))
        made = twins(Suite("s", (item,), "en", "fr"), seed=seed)
        assert all(twin.source[6] in "AEIOUYH" for twin in made.values())


def test_a_model_that_likes_all_alike_shows_nothing() -> None:
    suite = named(60)
    found = twins(suite)
    chance = np.random.default_rng(1)

    def scores(items: int, shift: float) -> Scores:
        rows = tuple(
            TokenScores(("a",) * 10, tuple((-chance.exponential(1.0, 10) * shift).tolist())) for _ in range(items)
        )
        return Scores("m", tuple(-sum(r.logprobs) for r in rows), tokens=rows)

    assert memory(suite, found, scores(60, 1.0), scores(60, 1.0)).verdict == "no sign of memory"
    seen = memory(suite, found, scores(60, 0.3), scores(60, 1.0))
    [section] = memory_sections(seen)
    assert section.table is not None
    assert "95% intervals: jackknife over decisions, taken as independent (t)" in section.table.caption
    assert seen.verdict == "remembers it" and seen.p is not None and seen.p < 0.001
    assert len(seen.ahead) == 60 and seen.ahead[0][1] >= seen.ahead[-1][1]
    # The same difference is no sign where so much is natural.
    assert memory(suite, found, scores(60, 0.3), scores(60, 1.0), natural=9.0).verdict == "no sign of memory"
    with pytest.raises(KontrastError, match="no log-probabilities"):
        memory(suite, found, msgspec.structs.replace(scores(60, 1.0), tokens=None), scores(60, 1.0))


def halved() -> tuple[Suite, Suite]:
    """Free translations: what they say beyond the source can only be known by heart."""
    chance = random.Random(2)
    colours, things = ("grüne", "alte", "rote", "kleine", "neue"), [thing for _, thing in THINGS]
    items = []
    for i, (name, number) in enumerate(chance.sample(list(itertools.product(NAMES, range(12, 99))), 80)):
        right = f"{name} hat {number} {chance.choice(colours)} {chance.choice(things)} und {chance.choice(things)}."
        wrong = right.replace(" hat ", " haben ")
        items.append(Item(str(i), f"{name} has {number} of them.", (Variant(right), Variant(wrong, error="x"))))
    parts = (items[:40], items[40:])
    seen, unseen = (Suite(n, tuple(some), "en", "de") for some, n in zip(parts, "ab", strict=True))
    return seen, unseen


@pytest.mark.slow
def test_the_half_that_was_learnt_is_flagged(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    seen, unseen = halved()
    model = learnt(tmp_path / "learnt", [("de", item.source, item.best.text) for item in seen], 60)
    flagged = kontrast.memory(seen, model, unseen=unseen, complete=True, threads=1)
    other = kontrast.memory(unseen, model, threads=1)
    assert flagged.verdict == "remembers it", flagged
    assert other.verdict == "no sign of memory", other
    assert flagged.least is not None and flagged.least.value > 0.2
    assert flagged.against is not None and flagged.against.auc > 0.8
    assert flagged.completed is not None and flagged.completed_twins is not None
    assert flagged.completed > flagged.completed_twins
    before = kontrast.memory(seen, "tiny", threads=1)
    assert before.verdict == "no sign of memory"
    print(flagged.to_dict(), other.to_dict(), before.to_dict())


def test_area_under_the_curve() -> None:
    assert area(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == 0.5
