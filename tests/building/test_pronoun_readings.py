"""German pronoun items that readers refused or missed, by class: forms, claims, what is left out, what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.corpus import Document, parallel_documents
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.foils import target_side
from kontrast.building.pronouns.item import surest
from kontrast.building.pronouns.pipeline import Tools, find_in_documents
from kontrast.language.aligners.fast_align import train
from kontrast.language.alignment import spans
from kontrast.suites.model import Item, Variant

DOG = [
    ("This dog barks at the fence.", "Dieser Hund bellt am Zaun."),
    ("I tried to ignore it, talk softly.", "Ich habe versucht, ihn zu ignorieren, ruhig mit ihm zu reden."),
]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    folder = tmp_path_factory.mktemp("alignment") / "en-de"
    corpus = parallel_documents(Path(str(kontrast.bundled_corpus())), "en", "de")
    pairs = [pair for d in corpus for pair in zip(d.source, d.target, strict=True)]
    train([*pairs, *DOG * 5], folder)
    return Tools(load_recipe("en-de"), alignment=str(folder))


def last_items(tools: Tools, pairs: list[tuple[str, str]]) -> list[Item]:
    source, target = zip(*pairs, strict=True)
    (found,) = find_in_documents([Document("d", source, target)], tools)
    return [item for item in found.items if item.source == source[-1]]


def test_one_it_may_be_two_pronouns(tools: Tools) -> None:
    (item,) = last_items(tools, DOG)
    assert item.tags["ref_pronoun"] == "ihn"
    made = {v.tags["replacement"]: v.text for v in item.variants[1:]}
    assert made["sie"] == "Ich habe versucht, sie zu ignorieren, ruhig mit ihr zu reden."


def test_an_adjective_tells_the_gender() -> None:
    side = target_side(load_recipe("en-de"))
    one, two = "Mein privater Blog.", "Ein privates Blog."
    genders = [side.noun(text, spans(text), 2, "s") for text in (one, two)]
    assert [set(noun.genders) for noun in genders if noun] == [{"m"}, {"n"}]


def test_a_second_foil_is_never_es() -> None:
    tags = {"confidence": 0.95}
    foils = [
        Variant("Er kam.", error="x", tags={"confidence": 0.95, "replacement_gender": "Masc"}),
        Variant("Es kam.", error="x", tags={"confidence": 0.93, "replacement_gender": "Neut"}),
    ]
    item = Item(id="1", source="It came.", variants=(Variant("Sie kam."), *foils), tags=tags)
    kept = surest(item, 0.6)
    assert kept is not None and [v.text for v in kept.variants] == ["Sie kam.", "Er kam."]


def test_of_two_foils_equally_sure_one_is_kept() -> None:
    foils = [
        Variant("Es kam.", error="x", tags={"confidence": 0.9, "replacement_gender": "Neut"}),
        Variant("Er kam.", error="x", tags={"confidence": 0.9, "replacement_gender": "Masc"}),
    ]
    item = Item(id="1", source="It came.", variants=(Variant("Sie kam."), *foils), tags={"confidence": 0.9})
    kept = surest(item, 0.6)
    assert kept is not None and [v.text for v in kept.variants] == ["Sie kam.", "Er kam."]
