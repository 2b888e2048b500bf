"""The nouns before a pronoun that it may stand for, and their genders; German and French."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kontrast.language.annotation import Sentence, Token

__all__ = ["fits_another", "genders", "has_article"]

_LETTERS = {"Masc": "m", "Fem": "f", "Neut": "n"}


def genders(tokens: Iterable[Token], language: str, number: str | None) -> set[str]:
    """The genders of the nouns, in French of those in the number (Sing, Plur; None: any)."""
    nouns = [t for t in tokens if t.pos == "NOUN"]
    if language == "de":
        from kontrast.language.lexicons.german import usual_readings

        return {r.feature for t in nouns for r in usual_readings(t.text) if r.pos == "N"}
    alike = (t for t in nouns if number is None or t.morph.get("Number", number) == number)
    return {_LETTERS[t.morph["Gender"]] for t in alike if t.morph.get("Gender") in _LETTERS}


def has_article(tokens: Sequence[Token], i: int) -> bool:
    """*die Insel*, *ein kleines Dorf*: a noun with an article, not kein, so that a pronoun may take it up."""
    first = i
    while first and tokens[first - 1].pos in ("ADJ", "NUM"):
        first -= 1
    before = tokens[first - 1] if first else None
    return before is not None and before.pos in ("DET", "ADP", "PRON") and not before.text.lower().startswith("kein")


def fits_another(sentence: Sentence, end: int, gender: str, language: str, number: str | None = "Sing") -> bool:
    """Is there a noun of this gender and number before the character ``end``, where the pronoun's clause begins?

    A pronoun of that gender would stand for it: another meaning, which the text does not refute.
    """
    tokens = [t for t in sentence.tokens if t.end <= end]
    there = [t for i, t in enumerate(tokens) if t.pos == "NOUN" and (has_article(tokens, i) or not i)]
    alike = [t for t in there if number is None or t.morph.get("Number", number) == number]
    return gender in genders(alike, language, number)
