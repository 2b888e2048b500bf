"""Relative pronouns: one that does not agree with its noun (*der Mann, das lacht*)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import noun_readings

_OTHER = {
    ("m", "der"): "das", ("m", "den"): "das", ("m", "dem"): "denen", ("m", "dessen"): "deren",
    ("n", "das"): "die", ("n", "dem"): "der", ("n", "dessen"): "deren",
    ("f", "die"): "das", ("f", "der"): "dem", ("f", "deren"): "dessen",
    ("x", "die"): "das", ("x", "denen"): "dem", ("x", "deren"): "dessen",
}  # fmt: skip
"""For gender (x: plural) and pronoun one of the same case and another gender."""
_FITS = {"denen": "x", "das": "n", "dem": "mn", "dessen": "mn", "der": "f", "die": "fx", "deren": "fx"}
_WHERE = frozenset("which where wherein that in whom who into".split())
"""One of these is in an English source of a relative clause."""
_GENDERS = {"Masc": "m", "Fem": "f", "Neut": "n"}


def _disagreeing(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i in range(2, len(tokens) - 1):
        pronoun = tokens[i]
        if not _is_relative(pronoun):
            continue
        comma = i - 2 if tokens[i - 1].pos == "ADP" else i - 1
        noun = tokens[comma - 1] if comma >= 1 and tokens[comma].text == "," else None
        if noun is None or noun.pos != "NOUN":
            continue
        kind = _kind(noun)
        new = _OTHER.get((kind, pronoun.text)) if kind and _ends_in_verb(tokens, i) else None
        if tokens[i + 1].text == "zufolge":
            continue
        if new is None or any(_may_be(other, _FITS[new]) for other in tokens[:comma]):
            continue
        edits, weak = [replaced_word(pronoun, new)], _may_be_indem(sentence, i)
        weak = weak or ("x" in _FITS[new] and _is_joined(tokens, comma - 1))
        yield candidate("relative_pronoun", sentence, edits, distance=i - comma, words=(noun.text,), weak=weak)


def _may_be_indem(sentence: Sentence, i: int) -> bool:
    """*steigern Sie Ihr Ansehen, in dem Sie helfen*: indem, written apart; the subject is the same."""
    tokens = sentence.tokens
    if tokens[i].text != "dem" or tokens[i - 1].text != "in" or tokens[i + 1].tag not in ("PPER", "PIS"):
        return False
    same = any(t.text.lower() == tokens[i + 1].text.lower() for t in tokens[: i - 2])
    return same and not _WHERE & set(re.findall(r"\w+", sentence.source.lower()))


def _is_joined(tokens: Sequence[Token], noun: int) -> bool:
    """*der Name des Kanals oder Servers, von denen*: both may be meant."""
    while noun > 1 and tokens[noun - 1].pos in ("DET", "ADJ"):
        noun -= 1
    return noun > 0 and tokens[noun - 1].pos == "CCONJ"


def _is_relative(token: Token) -> bool:
    return token.tag in ("PRELS", "PRELAT") or (token.pos == "PRON" and token.morph.get("PronType") == "Rel")


def _ends_in_verb(tokens: Sequence[Token], i: int) -> bool:
    """Whether the clause has a finite verb, which an apposition has not, and not in second place."""
    for k in range(i + 1, len(tokens)):
        if tokens[k].pos == "PUNCT":
            return False
        if tokens[k].tag.endswith("FIN") or tokens[k].morph.get("VerbForm") == "Fin":
            # Training, das dauerte zwei Stunden: a main clause of its own
            return k > i + 1 or (k + 1 < len(tokens) and tokens[k + 1].pos == "PUNCT")
    return False


def _kind(noun: Token) -> str | None:
    """The noun's gender, or x for a plural, where annotation and lexicon agree on one."""
    number = noun.morph.get("Number")
    genders = {r.feature for r in noun_readings(noun.text)}
    if number == "Plur":
        return "x"
    gender = _GENDERS.get(noun.morph.get("Gender", ""))
    return gender if number == "Sing" and genders == {gender} else None


def _may_be(token: Token, kinds: str) -> bool:
    """Whether the new pronoun could belong to this word."""
    if token.pos == "PROPN":
        return bool(set(kinds) - {"x"})
    if token.pos == "PRON":
        return "n" in kinds and token.text.lower() in ("das", "es", "etwas", "nichts", "alles", "eines", "was")
    if token.pos != "NOUN" and not (token.pos == "ADJ" and token.text[:1].isupper()):
        return False
    readings = noun_readings(token.text)
    if not readings:
        return True
    number = token.morph.get("Number", "")
    plural = "x" in kinds and number != "Sing" and any(code[1] == "p" for r in readings for code in r.codes)
    return plural or (number != "Plur" and any(r.feature in kinds for r in readings))


perturbation = Perturbation(
    name="relative_pronoun",
    language="de",
    summary="a relative pronoun gets another gender or number than its noun's",
    conditions=(
        "A relative pronoun right behind a noun and a comma, or with a preposition between, where the noun's gender "
        "and number are known.",
        "The new pronoun has the same case; for a plural it is singular.",
        "Not where another noun or name before it could be meant: der Hund des Kindes, das.",
        "Weak, so never chosen: in dem, which may be indem, with the subject of the clause before it, "
        "unless an English source has which, where or in; a plural behind two joined nouns.",
        "The distance is counted in words from the comma to the pronoun; the frequency is the noun's.",
    ),
    examples=(
        Example("Der Mann, der dort steht, lacht.", "Der Mann, das dort steht, lacht."),
        Example("Er kennt die Frau, mit der sie spricht.", "Er kennt die Frau, mit dem sie spricht."),
        Example("Der Hund des Kindes, der dort steht, bellt.", None),
    ),
    function=_disagreeing,
)
