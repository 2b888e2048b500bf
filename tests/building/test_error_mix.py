"""How many of each error a suite keeps."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast.analysis.artefacts import with_easy_tags
from kontrast.building.errors.mix import MOST, mixed, quotas
from kontrast.building.errors.registry import general_names, known_names, languages, names_of
from kontrast.errors import KontrastError
from kontrast.suites.error_shares import kind_of_error, real_shares
from kontrast.suites.model import Item, Suite, Variant


def test_every_error_has_a_share_and_none_is_above_the_limit() -> None:
    for language in languages():
        names = list(dict.fromkeys((*known_names(language), *general_names("lexicon", "dictionary"))))
        assert all(map(kind_of_error, names))
        assert sum(real_shares(names).values()) == pytest.approx(1)
        counts = {name: 10 + 37 * n for n, name in enumerate(names)}
        for mix in ("real", "even"):
            kept = quotas(counts, mix)
            assert all(1 <= kept[name] <= counts[name] for name in counts)
            assert max(kept.values()) <= max(MOST, 1 / len(names)) * sum(kept.values()) + 1


def test_a_mix_keeps_less_of_what_is_common(tmp_path: Path) -> None:
    source = [f"Mr Smith has {n} dogs and she does not laugh." for n in range(13, 60)]
    target = [f"Herr Smith hat {n} Hunde und sie lacht nicht." for n in range(13, 60)]
    (tmp_path / "t.en").write_text("\n".join([*source, "The old woman laughs."]) + "\n")
    (tmp_path / "t.de").write_text("\n".join([*target, "Die alte Frau lacht."]) + "\n")
    both = tmp_path / "t.en", tmp_path / "t.de", "en-de", "all"
    every = kontrast.write_errors(tmp_path / "all.jsonl", *both)
    even = kontrast.write_errors(tmp_path / "even.jsonl", *both, mix="even")
    assert every.errors.keys() == even.errors.keys() and max(even.errors.values()) < max(every.errors.values())
    suite = kontrast.load(tmp_path / "even.jsonl")
    assert suite.extra["mix"] == "even" and len(suite) == even.items
    assert kontrast.build_errors(*both, mix="even") == suite
    with pytest.raises(KontrastError, match="--mix"):
        kontrast.build_errors(*both, mix="none")


def test_default_is_real_where_no_errors_are_named_and_there_are_enough() -> None:
    counts = dict.fromkeys(names_of("de"), 300)
    kept = quotas(counts, "real")
    assert kept["subj_verb_agreement"] <= 0.06 * sum(kept.values())  # an easy one
    assert kept["verb_particle"] > kept["polarity_affix_del"] >= 10
    suites = {size: _suite(counts, size) for size in (1, 60)}
    assert mixed(suites[1], None, 1) is suites[1]
    thinned = mixed(suites[60], None, 1)
    foils = sum(len(item.variants) - 1 for item in thinned.items)
    assert thinned.extra["mix"] == "real" and foils < 60 * len(counts)
    assert mixed(suites[60], "all", 1) is suites[60]


def test_hardest_foils_are_kept_and_easy_ones_tagged() -> None:
    suite = _suite({"np_agreement": 1, "tense": 1}, 40)
    found = mixed(suite, "even", 1, hardest=True)
    assert [len(item.variants) for item in found.items][:3] == [3, 3, 3]
    margins: dict[str, list[float]] = {"np_agreement": [], "tense": []}
    uneven = msgspec.structs.replace(suite, items=(*suite.items, *_suite({"tense": 1}, 20, start=-50).items))
    for item in mixed(uneven, "even", 1, hardest=True).items:
        for foil in item.variants[1:]:
            margins[str(foil.error)].append(float(str(foil.tags["margin"])))
    assert len(margins["tense"]) == len(margins["np_agreement"]) and min(margins["tense"]) == -50
    tagged = with_easy_tags(suite)
    assert {type(foil.tags["easy"]) for item in tagged.items for foil in item.variants[1:]} == {bool}


def test_foils_that_a_model_finds_likeliest(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "t.en").write_text("The old woman laughs in the house.\nThe dog does not see the cat.\n")
    (tmp_path / "t.de").write_text("Die alte Frau lacht in dem Haus.\nDer Hund sieht die Katze nicht.\n")
    both = tmp_path / "t.en", tmp_path / "t.de", "en-de", "all"
    kontrast.write_errors(tmp_path / "hard.jsonl", *both, against="hf:kontrast-tiny")
    suite, every = kontrast.load(tmp_path / "hard.jsonl"), kontrast.build_errors(*both, every=True)
    chosen = [foil for item in suite for foil in item.variants[1:]]
    assert suite.extra["against"] == "hf:kontrast-tiny" and all(
        {"margin", "easy"} <= foil.tags.keys() for foil in chosen
    )
    assert {foil.text for foil in chosen} <= {foil.text for item in every for foil in item.variants[1:]}
    assert len({foil.error for foil in suite.items[0].variants[1:]}) == len(suite.items[0].variants) - 1


def _suite(counts: dict[str, int], size: int, start: int = 0) -> Suite:
    foils = tuple(Variant(f"{name} falsch", name, None, {"confidence": 0.9}) for name in counts)

    def item(n: int) -> Item:
        told = (msgspec.structs.replace(v, tags={**v.tags, "margin": float(start + n)}) for v in foils)
        return Item(str(n), f"source {start + n}", (Variant(f"richtig {start + n}"), *told))

    return Suite("s", tuple(map(item, range(size))), "en", "de", unit="pair")
