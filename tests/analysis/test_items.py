"""Artefacts that are planted are found; two-parameter data is recovered; short versions keep the order of systems."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kontrast
from kontrast import Item, KontrastError, Scores, Suite, Variant
from kontrast.analysis.artefacts import ARTEFACTS
from kontrast.analysis.items import fit_response
from kontrast.analysis.shorten import choose_items
from kontrast.judging.correlation.statistics import kendall
from kontrast.reporting.analysis import item_sections


def simulated(systems: int, items: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Credits by a two-parameter model: abilities, difficulties, slopes."""
    chance = np.random.default_rng(seed)
    ability, hard = chance.normal(size=systems), chance.normal(size=items)
    slope = np.exp(chance.normal(0, 0.4, items))
    p = 1 / (1 + np.exp(-slope * (ability[:, None] - hard)))
    return (chance.random((systems, items)) < p).astype(float), ability, hard, slope


def as_suite(credit: np.ndarray, phenomena: int = 3) -> tuple[Suite, list[Scores]]:
    pair = (Variant("er ist da"), Variant("sie ist da"))
    items = [Item(str(i), f"it {i}", pair, tags={"phenomenon": f"p{i % phenomena}"}) for i in range(credit.shape[1])]
    rows = [[v for right in row for v in (1.0, 2.0 if right else 0.5)] for row in credit]
    systems = [Scores(f"s{k}", tuple(row)) for k, row in enumerate(rows)]
    return Suite("simulated", tuple(items)), systems


def test_two_parameter_data_is_recovered() -> None:
    credit, ability, hard, slope = simulated(300, 200)
    found = fit_response(credit)
    assert np.corrcoef(found.ability, ability)[0, 1] > 0.97
    assert np.corrcoef(found.difficulty, hard)[0, 1] > 0.97
    assert np.corrcoef(found.slope, slope)[0, 1] > 0.85
    assert abs(float(np.mean(found.slope)) - float(slope.mean())) < 0.15


def test_a_tenth_of_contrapro_keeps_the_order() -> None:
    credit, *_ = simulated(20, 12_000)
    strata = [f"p{i % 12}" for i in range(12_000)]
    rest = np.arange(20) % 4 != 0
    chosen = choose_items(credit[rest], strata, 1200)
    assert len(set(chosen.tolist())) == 1200
    whole, short = credit.mean(axis=1), credit[:, chosen].mean(axis=1)
    assert (kendall(whole, short) or 0) >= 0.95
    assert np.abs(short - whole)[rest].max() < 0.005
    assert np.abs(short - whole)[~rest].max() < 0.04


def test_shorten_writes_a_suite_and_says_what_it_costs(tmp_path: Path) -> None:
    suite, systems = as_suite(simulated(8, 300)[0])
    found = kontrast.shorten(suite, systems, size=60, out=tmp_path / "short.jsonl")
    assert len(kontrast.load(tmp_path / "short.jsonl")) == 60
    assert found.phenomena == {f"p{k}": (100, 20) for k in range(3)}
    assert found.tau is not None and found.tau > 0.9 and 0 < found.expected_error < 0.1
    with pytest.raises(KontrastError, match="4 systems or more, found 3"):
        kontrast.shorten(suite, systems[:3], size=60)
    with pytest.raises(KontrastError, match="fewer items"):
        kontrast.shorten(suite, systems, size=300)


def test_a_short_version_may_have_fewer_items_than_phenomena() -> None:
    suite, systems = as_suite(simulated(8, 300)[0])
    found = kontrast.shorten(suite, systems, size=2)
    assert found.kept == 2 and "--size is less than the number of phenomena" in found.notes[0]


def test_systems_that_all_tie_have_no_order() -> None:
    suite, _ = as_suite(simulated(4, 60)[0])
    found = kontrast.shorten(suite, [Scores(str(k), (1.0,) * suite.row_count) for k in range(4)], size=10)
    assert found.tau is None and found.left_out_tau is None and found.expected_error == 0


def test_wrong_keys_are_suspected() -> None:
    credit, ability, *_ = simulated(12, 300)
    wrong = [5, 50, 150]
    credit[:, wrong] = (ability < np.median(ability)).astype(float)[:, None]
    suite, systems = as_suite(credit)
    found = kontrast.items(suite, systems)
    suspects = {item.item for item in found.items if item.suspect}
    assert {str(i) for i in wrong} <= suspects
    assert found.suspects <= 3 + 3 * max(1.0, found.suspects_by_chance)
    assert all(found.items[i].discrimination < 0 for i in wrong)
    assert found.suspects_p < 0.05 and next(iter(item_sections(found))).table is not None


def test_what_chance_gives_is_not_listed_as_wrong_keys() -> None:
    """Six systems that fail at random: suspects there are, as many as expected, and no table of them."""
    credit = (np.random.default_rng(4).random((6, 800)) < 0.7).astype(float)
    found = kontrast.items(*as_suite(credit))
    assert found.suspects > 10 and found.suspects_p > 0.05
    [section] = item_sections(found)
    assert section.table is None and "no sign of wrong keys" in " ".join(section.text)


def giving_away(count: int = 200) -> Suite:
    """Foils with an adjective that does not agree: the source is not needed."""
    items = []
    for i in range(count):
        right, wrong, form = (("Il", "Elle", "petit"), ("Elle", "Il", "petite"))[i % 2]
        variants = (Variant(f"{right} est {form} ."), Variant(f"{wrong} est {form} .", error="pronoun"))
        items.append(Item(str(i), f"It is small {i}.", variants, document=f"d{i // 4}"))
    return Suite("giveaway", tuple(items), "en", "fr")


def test_foils_that_give_themselves_away() -> None:
    suite = giving_away()
    found = {a.name: a for a in kontrast.artefacts(suite).artefacts}
    assert found["giveaway"].accuracy > 0.99 and found["majority form"].accuracy < 0.6
    findings = [f for check in ARTEFACTS for f in check.run(suite)]
    assert [(f.id, f.level) for f in findings] == [("artefact", "warning")]


def test_fair_foils_give_nothing_away() -> None:
    chance = np.random.default_rng(1)
    items = []
    for i in range(400):
        right, wrong = (("er", "es"), ("es", "er"))[int(chance.integers(2))]
        items.append(Item(str(i), f"it {i}", (Variant(f"Dann kam {right} ."), Variant(f"Dann kam {wrong} ."))))
    suite = Suite("fair", tuple(items), "en", "de")
    for artefact in kontrast.artefacts(suite).artefacts:
        assert artefact.interval.low <= 0.55, artefact
    assert not [f for check in ARTEFACTS for f in check.run(suite) if f.level == "warning"]


def test_skill_beyond_artefacts() -> None:
    """One system takes the shorter variant, the other knows: only the second has skill where that is wrong."""
    items = [
        Item(str(i), f"s{i}", (Variant("ein Wort" + " mehr" * (i % 2)), Variant("ein Wort" + " mehr" * (1 - i % 2))))
        for i in range(100)
    ]
    suite = Suite("lengths", tuple(items))
    lengths = Scores("short", tuple(float(len(row.variant.text)) for row in suite.rows()))
    oracle = Scores("oracle", tuple(float(row.variant_index) for row in suite.rows()))
    found = {(b.system, b.artefact): b for b in kontrast.artefacts(suite, lengths, oracle).beyond}
    assert found["short", "shorter"].accuracy == 0 and not found["short", "shorter"].skill
    assert found["oracle", "shorter"].accuracy == 1 and found["oracle", "shorter"].skill
    assert {s.label for s in kontrast.artefacts(suite, lengths).strata} == {"3 or more shorter", "3 or more longer"}


def test_a_model_without_the_source() -> None:
    pytest.importorskip("transformers")
    found = kontrast.artefacts("demo:fr", model="tiny", threads=1, store=True)
    assert 0.3 < {a.name: a.accuracy for a in found.artefacts}["target only"] < 1
