"""A second opinion on antecedents: what becomes of it in the ranker, in items, and bad input."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.pronouns import build_pronouns, load_recipe, pipeline, scene
from kontrast.building.pronouns.antecedents import shares, with_opinion
from kontrast.building.pronouns.candidates import NounCandidate
from kontrast.building.pronouns.foils import Noun
from kontrast.building.pronouns.pipeline import Tools, composed_documents, find_in_documents
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.language import annotators
from kontrast.language.aligners.fast_align import train
from kontrast.language.annotation import Sentence
from kontrast.language.encoder import ENCODER, encoder_place
from kontrast.language.pointing import Pointed, load_pointer
from kontrast.suites.formats import load

CORPUS = Path(str(kontrast.bundled_corpus()))
needs_encoder = pytest.mark.skipif(encoder_place() is None, reason="the encoder is not here: python tools/encoder.py")


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return list(annotators.get("en").annotate(["The cat saw a mat.", "The cat slept because it was tired."]))


def candidate(line: int, source: int | None, text: str, fit: str = "same") -> NounCandidate:
    return NounCandidate(line, Noun(text, 0, text, frozenset("f")), source, fit, {})


def test_mentions_of_one_word_count_together(sentences: list[Sentence]) -> None:
    found = Pointed({(0, 1): 0.3, (0, 4): 0.1, (1, 1): 0.4}, 0.1, 0.05, 0.05)
    assert shares(found, sentences) == {"cat": pytest.approx(0.7), "mat": 0.1}


def test_what_is_pointed_at_becomes_features(sentences: list[Sentence]) -> None:
    found = Pointed({(0, 1): 0.1, (0, 4): 0.1, (1, 1): 0.4}, 0.2, 0.05, 0.15)
    nouns = [candidate(0, 1, "Katze", "same"), candidate(0, 4, "Matte", "other"), candidate(1, None, "Uhr")]
    (cat, mat, clock), none = with_opinion(found, sentences, nouns)
    assert cat.features["pointed_at"] > mat.features["pointed_at"]
    assert clock.features == {"not_pointed_at": 1.0}
    assert none["none_another_is_pointed_at"] == mat.features["pointed_at"]
    assert none["none_nothing_is_pointed_at"] > none["none_an_event_is_pointed_at"]


def test_a_noun_that_translates_nothing_gives_way_to_one_that_is_surely_meant(sentences: list[Sentence]) -> None:
    """*the Union Chain Bridge … It was the first*: *Brücke*, not the nearer *Welt* that no link explains."""
    found = Pointed({(0, 1): 0.5, (1, 1): 0.4}, 0.05, 0.05, 0.0)
    nouns = [candidate(0, 1, "Katze"), candidate(1, None, "Uhr"), candidate(1, None, "Tisch", "other")]
    made, _ = with_opinion(found, sentences, nouns)
    assert [c.noun.text for c in made] == ["Katze", "Tisch"]


def test_without_an_answer_nothing_is_claimed(sentences: list[Sentence]) -> None:
    nouns = [candidate(0, 1, "Katze")]
    assert with_opinion(None, sentences, nouns) == (nouns, {"none_not_asked": 1.0})


def small(folder: Path) -> Path:
    place = folder / "documents"
    place.mkdir()
    for path in sorted(CORPUS.rglob("*.en"))[:6]:
        for language in ("en", "de"):
            text = path.with_suffix(f".{language}").read_text("utf-8")
            (place / path.name).with_suffix(f".{language}").write_text(text, "utf-8")
    return place


@needs_encoder
def test_items_say_who_was_asked(tmp_path: Path) -> None:
    place = small(tmp_path)
    made = {}
    for opinion in ("auto", "none"):
        build_pronouns(
            "en-de", place, tmp_path / f"{opinion}.jsonl", format="native", second_opinion=opinion, min_confidence=0
        )
        made[opinion] = load(tmp_path / f"{opinion}.jsonl").items
    assert all(re.fullmatch(rf"{ENCODER}@[0-9a-f]{{8}}", str(item.tags["second_opinion"])) for item in made["auto"])
    assert all(re.fullmatch(r"[0-9a-f]{8}", str(item.tags["judge"])) for item in made["auto"])
    assert all(not {"second_opinion", "judge"} & set(item.tags) for item in made["none"])
    sure = [{item.id: item.tags["confidence"] for item in items} for items in made.values()]
    assert sure[0].keys() & sure[1].keys() and sure[0] != sure[1]


def test_an_opinion_that_cannot_be_weighed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = small(tmp_path)
    with pytest.raises(KontrastError, match="needs --resolver salience"):
        build_pronouns("en-de", place, tmp_path / "a.json", resolver="given", second_opinion=ENCODER)
    call = ["build", "pronouns", "--pair", "en-de", "--documents", str(place), "--out", str(tmp_path / "a.json")]
    with pytest.raises(SystemExit) as left:
        main([*call, "--second-opinion", str(tmp_path / "nothing"), "--jobs", "1"])
    assert left.value.code == 2
    assert "cannot load the encoder" in capsys.readouterr().err


def test_without_the_encoder_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontrast.building.pronouns.build.encoder_place", lambda: None)
    build_pronouns("en-de", small(tmp_path), tmp_path / "a.json", min_confidence=0)
    assert (
        f"without a second opinion fewer antecedents are right: {ENCODER} is not installed" in capsys.readouterr().err
    )


@needs_encoder
def test_asking_less_and_in_batches_changes_no_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All documents at once, or each pronoun alone and whether or not it can give an item."""
    folder = Path(str(kontrast.bundled_corpus()))
    documents = list(composed_documents(folder, "en", "de"))[:8]
    train([pair for d in documents for pair in zip(d.source, d.target, strict=True)], tmp_path / "alignment")
    tools = Tools(load_recipe("en-de"), alignment=str(tmp_path / "alignment"), encoder=encoder_place())
    short = [made.items for made in find_in_documents(documents, tools)]
    pointer = load_pointer(str(encoder_place()))
    asked: list[int] = []

    def one_by_one(questions: list[tuple[list[Sentence], int, int]]) -> list[Pointed | None]:
        asked.append(len(questions))
        return [alone([question])[0] for question in questions]

    alone = pointer.point_all
    monkeypatch.setattr(pointer, "point_all", one_by_one)
    monkeypatch.setattr(scene, "_is_hopeless", lambda *_: False)
    monkeypatch.setattr(pipeline, "may_fit", lambda *_: True)
    long = [made.items for document in documents for made in find_in_documents([document], tools)]
    assert sum(map(len, short)) > 5 and sum(asked) > sum(map(len, short))
    assert short == long


@needs_encoder
def test_a_run_goes_on_with_the_same_encoder_elsewhere_and_with_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, place, out = Path(str(encoder_place())), small(tmp_path), tmp_path / "a.jsonl"

    def linked(name: str) -> Path:
        (tmp_path / name).mkdir()
        for path in own.iterdir():
            (tmp_path / name / path.name).symlink_to(path)
        return tmp_path / name

    def run(encoder: Path) -> None:
        build_pronouns("en-de", place, out, format="native", second_opinion=str(encoder), min_confidence=0)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    first, second = linked("first"), linked("second")
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr("kontrast.building.pronouns.build.save", stopped)
        run(first)
    config = first / "config.json"
    text = config.read_text("utf-8")
    config.unlink()
    config.write_text(text.replace('"MPNetForMaskedLM"', '"MPNetModel"') + "\n", "utf-8")
    with pytest.raises(KontrastError, match="with other models"):
        run(first)
    run(second)
    assert load(out).items
