"""What English pronouns mean, by the encoder and the network over it: plain cases, windows, bad input."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.scoring.models import make

from kontrast.errors import KontrastError
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.encoder import WholeNumbers, encoder_place
from kontrast.language.pointing import Pointed, Pointer, load_pointer, window

PLACE = encoder_place()
needs_encoder = pytest.mark.skipif(PLACE is None, reason="the encoder is not here: python tools/encoder.py")


def parsed(*lines: str) -> list[Sentence]:
    return list(annotators.get("en", entities=True).annotate(lines))


def pointed(*lines: str, occurrence: int = 0) -> tuple[dict[str, float], Pointed]:
    assert PLACE is not None
    sentences = parsed(*lines)
    at = [i for i, token in enumerate(sentences[-1].tokens) if token.text.lower() in ("it", "they", "them")]
    found = load_pointer(PLACE).point(sentences, len(lines) - 1, at[occurrence])
    assert found is not None
    words: dict[str, float] = {}
    for (line, token), share in found.nouns.items():
        word = sentences[line].tokens[token].text
        words[word] = words.get(word, 0.0) + share
    return words, found


@needs_encoder
@pytest.mark.parametrize(
    ("lines", "noun"),
    [
        (("I bought a car yesterday.", "The dealer said it was fast."), "car"),
        (("The soup is on the table.", "She tasted it with a spoon."), "soup"),
        (("I fed the dogs this morning.", "They were hungry."), "dogs"),
        (("The government said that it would raise taxes.",), "government"),
        (("Where is the key?", "I put it in the drawer.", "Then it must still be there."), "key"),
    ],
)
def test_a_noun_is_pointed_at(lines: tuple[str, ...], noun: str) -> None:
    words, _ = pointed(*lines)
    assert max(words, key=lambda word: words[word]) == noun
    assert words[noun] > 0.7


@needs_encoder
@pytest.mark.parametrize(
    "line",
    [
        "It is raining in the mountains.",
        "It takes an hour to reach the station.",
        "It is clear that the plan failed.",
    ],
)
def test_nothing_is_meant(line: str) -> None:
    words, found = pointed(line)
    assert found.nothing > 0.7 and sum(words.values()) < 0.2


@needs_encoder
def test_an_event_is_meant() -> None:
    words, found = pointed("The company fired three hundred people.", "It was a shock for everyone.")
    assert found.event + found.nothing > 0.7 and words["company"] < 0.1


@needs_encoder
def test_shares_add_up_and_do_not_change() -> None:
    lines = "The file is too large for the disk.", "Delete it."
    _, found = pointed(*lines)
    assert sum(found.nouns.values()) + found.nothing + found.event + found.elsewhere == pytest.approx(1)
    assert found == pointed(*lines)[1]


@needs_encoder
def test_sentences_that_are_too_long_are_not_read() -> None:
    assert PLACE is not None
    sentences = parsed("The " + "very " * 500 + "old house has a roof, and it leaks.")
    at = next(i for i, token in enumerate(sentences[0].tokens) if token.text == "it")
    assert load_pointer(PLACE).point(sentences, 0, at) is None


def test_whole_numbers_are_multiplied_alike_with_and_without_their_instructions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    torch.manual_seed(1)
    states, exact = torch.randn(40, 3072), torch.nn.Linear(3072, 64)
    made = []
    for quick in (bool, lambda: True):  # without a quick instruction first
        monkeypatch.setattr(torch.cpu, "_is_vnni_supported", quick, raising=False)
        layer = WholeNumbers(torch, copy.deepcopy(exact))
        with torch.inference_mode():
            made.append(layer(states))
            alone = layer(states[30:])
        assert torch.equal(alone, made[-1][30:])
    assert torch.equal(*made)
    assert (made[0] - exact(states)).norm() < 0.02 * exact(states).norm()


def test_another_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="is not the encoder"):
        Pointer(str(make("marian", tmp_path)))
    with pytest.raises(KontrastError, match="cannot load the encoder"):
        Pointer(str(tmp_path / "nothing"))


@needs_encoder
def test_a_damaged_encoder_is_refused(tmp_path: Path) -> None:
    assert PLACE is not None
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        shutil.copy(Path(PLACE, name), tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0{}")
    with pytest.raises(KontrastError, match="cannot load the encoder"):
        Pointer(str(tmp_path))


def test_the_window_has_five_sentences_of_not_too_many_words() -> None:
    assert window(["One two."] * 10, 9) == 4
    assert window(["word " * 100, "word " * 100, "It is."], 2) == 1
    assert window(["It is."], 0) == 0
