"""Tokens of an answer against the prompt, in many scripts and in every way in which servers spell them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engines.openai.answers import from_echo
from kontrast.scoring.engines.openai.spelling import _byte_alphabet, same_text

TEXTS = {
    "English": "English: The old man said 50% of it.\nGerman: Der Alte sagte, 50 % davon.\n",
    "Russian": "English: She was tired.\nRussian: Она очень устала и хотела домой.\n",
    "Chinese": "Chinese: 这座桥是去年建成的,我们都很喜欢它。\nEnglish: The bridge was built last year.\n",
    "Thai": "English: A cat.\nThai: แมวตัวหนึ่งนอนอยู่บนเสื่อ\n",
    "Arabic": "English: A cat.\nArabic: كانت القطة متعبة جداً.\n",
    "Devanagari": "English: A cat.\nHindi: बिल्ली चटाई पर सो रही थी।\n",
    "decomposed": "English: A cat.\nFrench: Elle e\u0301tait fatigue\u0301e, a\u0300 peine.\n",
    "emoji": "English: Fine \U0001f642\u200d\U0001f44d.\nGerman: Gut \U0001f642\u200d\U0001f44d.\n",
    "blanks": "English:  two\u00a0blanks, \t one.\nGerman: zwei\u202fLeerzeichen \u2028 eins.\n",
}
LETTERS = {byte: letter for letter, byte in _byte_alphabet().items()}
STYLES: dict[str, Callable[[bytes], str]] = {
    "replaced": lambda piece: piece.decode("utf-8", "replace"),
    "dropped": lambda piece: piece.decode("utf-8", "ignore"),
    "byte letters": lambda piece: "".join(LETTERS[byte] for byte in piece),
    "escapes": lambda piece: _decoded(piece, lambda: "".join(f"<0x{byte:02X}>" for byte in piece)),
    "bytes": lambda piece: _decoded(piece, lambda: "bytes:" + "".join(f"\\x{byte:02x}" for byte in piece)),
    "no blanks": lambda piece: piece.decode("utf-8", "replace").strip(),
}


def _decoded(piece: bytes, otherwise: Callable[[], str]) -> str:
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return otherwise()


def cut(text: str, chance: random.Random) -> list[bytes]:
    """Tokens of whole letters, some of them falling into bytes, as tokenizers cut letters that they hardly know."""
    pieces: list[bytes] = []
    for letter in text:
        data = letter.encode()
        if len(data) > 1 and chance.random() < 0.4:
            at = chance.randrange(1, len(data))
            pieces += [data[:at], data[at:]] if chance.random() < 0.5 else [data[i : i + 1] for i in range(len(data))]
        elif pieces and chance.random() < 0.6 and pieces[-1][-1:].isascii() == data.isascii() and _whole(pieces[-1]):
            pieces[-1] += data
        else:
            pieces.append(data)
    return pieces


def _whole(piece: bytes) -> bool:
    return bool(_decoded(piece, lambda: ""))


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["schla", "ft"], "schla\u0308ft"),
        (["Elle e", "tait"], "Elle e\u0301tait"),
        (["बलल", "ी"], "बिल्ली"),
        (["แมวตวหน", "ง"], "แมวตัวหนึ่ง"),
        (["كان", "ت", " جدا"], "كانت جداً"),
        (["i", "stanbul"], "i\u0307stanbul"),
        (["gut", "."], "gut\u200d."),
        (["Gut ", "\u2764"], "Gut \u2764\ufe0f"),
        (["10", "\u00b2"], "102\u00b2"),
    ],
)
def test_a_mark_that_is_dropped_is_seen(tokens: list[str], text: str) -> None:
    assert not same_text(tokens, text)
    assert same_text([text[:2], text[2:]], text)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", TEXTS)
def test_the_whole_text_is_compared(name: str, style: str) -> None:
    text, spell = TEXTS[name], STYLES[style]
    for seed in range(60):
        chance = random.Random(seed)
        tokens = [spell(piece) for piece in cut(text, chance)]
        assert same_text(tokens, text), (tokens, text)
        words = text.split()
        begin = chance.randrange(2, len(words) - 2)
        shorter = " ".join([*words[:begin], *words[begin + chance.randrange(2, len(words) - begin) :]])
        less = (text[: -len(words[-1]) - 1], text[:9] + text[15:]) if style != "no blanks" else ()
        for wrong in (shorter, *less):
            missing = [spell(piece) for piece in cut(wrong, chance)]
            assert not same_text(missing, text), (missing, text)
            if style != "dropped":  # tokens without a letter may be special tokens
                assert not same_text(tokens, wrong), (tokens, wrong)


def answer(tokens: list[str]) -> dict[str, object]:
    logprobs = {"tokens": tokens, "token_logprobs": [None, *[-1.5 - n / 7 for n in range(len(tokens) - 1)]]}
    return {"logprobs": logprobs, "usage": {"completion_tokens": 0}}


def test_a_target_that_was_cut_is_refused() -> None:
    """Three of its letters are left; ASCII letters alone are all there."""
    prompt = TEXTS["Russian"]
    whole = list(prompt)
    assert from_echo(answer(whole), prompt, "u", False) is not None
    at = prompt.index("Она")
    with pytest.raises(KontrastError, match="not those of the prompt"):
        from_echo(answer([*whole[: at + 3], "\n"]), prompt, "u", False)


def test_a_source_without_its_middle_is_refused() -> None:
    prompt = TEXTS["Chinese"]
    with pytest.raises(KontrastError, match="not those of the prompt"):
        from_echo(answer(list(prompt.replace("去年建成的", ""))), prompt, "u", False)


def test_the_front_may_lack_one_token_and_no_more() -> None:
    """vLLM lists nothing for the first token; of a text without blanks it is no more than a few letters."""
    prompt = "这座桥是去年建成的,我们都很喜欢它。=The bridge."
    found = from_echo(answer(["", *prompt[2:]]), prompt, "u", False)
    assert found is not None and not found.begin
    with pytest.raises(KontrastError, match="not those of the prompt"):
        from_echo(answer(["", *prompt[12:]]), prompt, "u", False)
    begun = from_echo(answer(["", *prompt]), prompt, "u", False)
    assert begun is not None and begun.begin
