"""A language model's second opinion on antecedents: its probabilities, what becomes of them, and bad input."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")
pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
from tests.scoring.models import make

import kontrast
from kontrast.building.pronouns import build_pronouns
from kontrast.building.pronouns.candidates import NounCandidate
from kontrast.building.pronouns.opinion import Opinion, noun_phrase, opinion_of, with_opinion
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.target import Form, Noun
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.language import annotators
from kontrast.language.alignment import spans
from kontrast.language.annotation import Sentence
from kontrast.language.causal import CausalModel

CORPUS = Path(str(kontrast.bundled_corpus()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model that has learnt who is tired and what is soft."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place = make("llama", tmp_path_factory.mktemp("model"))
    model: Any = AutoModelForCausalLM.from_pretrained(place)
    tokenizer: Any = AutoTokenizer.from_pretrained(place)
    texts = ["The cat sat on the mat because the cat was tired.", "The cat sat on the mat because the mat was new."]
    rows = [tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids for text in texts]
    torch.manual_seed(1)
    learning = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(80):
        learning.zero_grad()
        model(rows[step % 2], labels=rows[step % 2]).loss.backward()
        learning.step()
    model.save_pretrained(place)
    return place


@pytest.mark.parametrize("prefix", ["", "The cat sat on"])
def test_probabilities_are_those_of_the_whole_text(folder: Path, prefix: str) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    ends = [(" the mat", " because it was tired."), (" the lamp", " because it was built last year."), (" me", "")]
    found = CausalModel(str(folder)).after(prefix, ends)
    model: Any = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)

    def pieces(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False).input_ids)

    for end, told in zip(ends, found, strict=True):
        before = pieces(prefix) or [tokenizer.bos_token_id]
        parts = [pieces(part) for part in end]
        row = before + parts[0] + parts[1]
        with torch.no_grad():
            logits = model(torch.tensor([row])).logits[0].log_softmax(-1)
        single = [float(logits[i - 1, row[i]]) for i in range(len(before), len(row))]
        assert told[0] == pytest.approx(sum(single[: len(parts[0])]), abs=1e-3)
        assert told[1] == pytest.approx(sum(single[len(parts[0]) :]), abs=1e-3)


def _candidate(sentence: Sentence, word: str, fit: str = "same") -> NounCandidate:
    index = next(i for i, t in enumerate(sentence.tokens) if t.text == word)
    return NounCandidate(0, Noun(word, word, frozenset("f"), index), index, fit, {"salience": 1.0})


def _place(sentence: Sentence) -> PronounPlace:
    words = spans(sentence.text)
    word = next(w for w in words if w.text == "it")
    return PronounPlace(0, word, Form(0, 1, "f"), 0)


@pytest.mark.parametrize(("rest", "meant"), [("was tired.", "cat"), ("was new.", "mat")])
def test_the_noun_that_the_rest_suits_gains(folder: Path, rest: str, meant: str) -> None:
    (sentence,) = annotators.get("en", entities=True).annotate([f"The cat sat on the mat because it {rest}"])
    found = [_candidate(sentence, "cat"), _candidate(sentence, "mat")]
    opinion = opinion_of(CausalModel(str(folder)), [sentence], _place(sentence), found)
    assert opinion is not None and list(opinion.rest) == ["the cat", "the mat"]
    made, _ = with_opinion(opinion, [sentence], found)
    best = max(made, key=lambda c: c.features["rest after it"])
    assert best.noun.text == meant
    assert best.features["rest after it"] - min(c.features["rest after it"] for c in made) > 0.5
    assert all(c.features["salience"] == 1.0 for c in made)


def test_a_noun_of_another_gender_speaks_for_none() -> None:
    (sentence,) = annotators.get("en", entities=True).annotate(["The cat sat on the mat because it was tired."])
    opinion = Opinion({"the cat": -2.0, "the mat": -9.0}, {"the cat": -1.0, "the mat": -3.0}, -8.0)
    cat, mat = _candidate(sentence, "cat", "other"), _candidate(sentence, "mat")
    _, against = with_opinion(opinion, [sentence], [cat, mat])
    assert against["none, rest after another"] == 2.5 and against["none, the model's answer is another"] == 1.0
    _, against = with_opinion(opinion, [sentence], [_candidate(sentence, "cat"), mat])
    assert "none, rest after another" not in against


def test_no_noun_with_a_source_is_not_asked(folder: Path) -> None:
    (sentence,) = annotators.get("en", entities=True).annotate(["The cat sat on the mat because it was tired."])
    alone = NounCandidate(0, Noun("Katze", "Katze", frozenset("f"), 1), None, "same", {})
    assert opinion_of(CausalModel(str(folder)), [sentence], _place(sentence), [alone]) is None
    assert with_opinion(None, [sentence], [alone]) == ([alone], {"none, not asked": 1.0})


@pytest.mark.parametrize(
    ("text", "word", "phrase"),
    [
        ("We need to shut down that power core.", "core", "the power core"),
        ("If Barrick Gold wanted a debate, it spoke.", "Gold", "Barrick Gold"),
        ("She praised the Bundestag.", "Bundestag", "the Bundestag"),
    ],
)
def test_phrase_of_a_noun(text: str, word: str, phrase: str) -> None:
    (sentence,) = annotators.get("en", entities=True).annotate([text])
    assert noun_phrase(sentence, next(i for i, t in enumerate(sentence.tokens) if t.text == word)) == phrase


def test_a_suite_with_a_second_opinion(folder: Path, tmp_path: Path) -> None:
    plain, asked = tmp_path / "plain.jsonl", tmp_path / "asked.jsonl"
    build_pronouns("en-de", CORPUS, plain, format="native", min_confidence=0)
    build_pronouns("en-de", CORPUS, asked, format="native", min_confidence=0, second_opinion=f"hf:{folder}")
    without, beside = kontrast.load(plain).items, kontrast.load(asked).items
    assert {item.id for item in without} == {item.id for item in beside}
    (told,) = {item.tags["second_opinion"] for item in beside}
    assert re.fullmatch(rf"{re.escape(folder.name)}@[0-9a-f]{{8}}", str(told))
    assert not any("second_opinion" in item.tags for item in without)
    sure = [{item.id: item.tags["confidence"] for item in items} for items in (without, beside)]
    assert sure[0] != sure[1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--pair", "en-de", "--second-opinion", "SmolLM2"], "expected hf:MODEL"),
        (["--pair", "en-de", "--second-opinion", "hf:"], "expected hf:MODEL"),
        (["--pair", "en-fr", "--second-opinion", "hf:model"], "no weights with a second opinion for en-fr"),
        (["--pair", "en-de", "--resolver", "given", "--second-opinion", "hf:model"], "--resolver salience"),
        (["--pair", "en-de", "--second-opinion", "hf:./none.gguf"], "cannot load the language model"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "suite.json"
    call = ["build", "pronouns", "--documents", str(CORPUS), "--out", str(out), "--jobs", "1", *options]
    with pytest.raises((SystemExit, KontrastError)) as stopped:
        main(call)
    assert said in capsys.readouterr().err + str(stopped.value)
    assert not out.exists()
