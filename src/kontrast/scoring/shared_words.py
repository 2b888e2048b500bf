"""`kontrast lint --tokenizer`: items whose variants share words that a tokenizer cuts differently in each of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from kontrast.errors import KontrastError, foreign_errors
from kontrast.extras import transformers
from kontrast.scoring.engines.hf import TINY
from kontrast.suites.lint import Finding, LintCheck, found
from kontrast.suites.model import Suite

Cut = list[tuple[str, tuple[str, ...]]]
"""The words and signs of a text, each with the tokens that have a part of it."""


def shared_words_check(model: str) -> LintCheck:
    """The check with the tokenizer of ``tiny`` or ``hf:FOLDER``; its weights are not loaded."""
    kind, _, name = ("hf:" + str(TINY) if model == "tiny" else model).partition(":")
    if kind != "hf" or not name:
        raise KontrastError(f"--tokenizer {model}: expected tiny or hf:FOLDER")
    with foreign_errors(f"--tokenizer {model}: it cannot be loaded"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, trust_remote_code=False)

    def run(suite: Suite) -> Iterator[Finding]:
        sensitive, unread, examples = [], [], dict[str, None]()
        for i, item in enumerate(suite.items):
            right = cut_words(tokenizer, item.best.text, suite.target_language)
            for foil in item.foils:
                wrong = cut_words(tokenizer, foil.text, suite.target_language)
                if right is None or wrong is None:
                    unread.append(i)
                elif pair := cut_differently(right, wrong):
                    sensitive.append(i)
                    examples[" and ".join("|".join(tokens) for tokens in pair)] = None
        message = (
            f"in {{n}} {model} splits words that the variants share into different tokens "
            f"({', '.join([*examples][:3])})"
        )
        yield from found("tokenisation-sensitive", "note", suite, sensitive, message)
        message = f"in {{n}} it is not known which tokens of {model} belong to which word"
        yield from found("tokenisation-unread", "note", suite, unread, message)

    summary = "words that the variants share have different tokens (with --tokenizer)"
    return LintCheck("tokenisation-sensitive", "note", summary, run)


def cut_differently(right: Cut, wrong: Cut) -> tuple[Sequence[str], Sequence[str]] | None:
    """The two cuts of the first shared word that has two.

    >>> cut_differently([("qu'", ("qu", "'")), ("il", ("il",))], [("qu'", ("qu'e",)), ("elle", ("qu'e", "lle"))])
    (('qu', "'"), ("qu'e",))
    """
    matcher = SequenceMatcher(None, [word for word, _ in right], [word for word, _ in wrong], autojunk=False)
    for a, b, size in matcher.get_matching_blocks():
        for (_, one), (_, other) in zip(right[a : a + size], wrong[b : b + size], strict=True):
            if one != other:
                return one, other
    return None


def cut_words(tokenizer: Any, text: str, language: str | None = None) -> Cut | None:
    """The words and signs of a text with their tokens, or None where a token cannot be found in the text."""
    from kontrast.io.words import spans

    text = unicodedata.normalize("NFKC", text)  # as SentencePiece reads it
    places = _places(tokenizer, text)
    if places is None:
        return None
    return [
        (
            text[word.start : word.end],
            tuple(name for name, start, end in places if start < word.end and end > word.start),
        )
        for word in spans(text, language, signs=True)
    ]


def _places(tokenizer: Any, text: str) -> list[tuple[str, int, int]] | None:
    """Each token with the place of its text."""
    if tokenizer.is_fast:
        made = tokenizer(text_target=text, add_special_tokens=False, return_offsets_mapping=True)
        names = tokenizer.convert_ids_to_tokens(made["input_ids"])
        return [(name, *place) for name, place in zip(names, made["offset_mapping"], strict=True)]
    found, at = [], 0
    tokenizer._switch_to_target_mode()
    for name in tokenizer.tokenize(text):
        own = name.strip("\u2581")
        start = text.find(own, at)
        if start < 0 or text[at:start].strip():
            return None
        at = start + len(own)
        found.append((name, start, at))
    return found if not text[at:].strip() else None
