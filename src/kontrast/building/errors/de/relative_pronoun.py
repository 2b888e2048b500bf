"""Relative pronouns: one that does not agree with its noun (*der Mann, das lacht*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import replaced_word
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
_GENDERS = {"Masc": "m", "Fem": "f", "Neut": "n"}


def _disagreeing(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i in range(2, len(tokens) - 1):
        pronoun = tokens[i]
        relative = pronoun.tag in ("PRELS", "PRELAT") or pronoun.morph.get("PronType") == "Rel"
        comma = i - 2 if tokens[i - 1].pos == "ADP" else i - 1
        if not relative or comma < 1 or tokens[comma].text != "," or tokens[comma - 1].pos != "NOUN":
            continue
        kind = _kind(tokens[comma - 1])
        new = _OTHER.get((kind, pronoun.text)) if kind and _ends_in_verb(tokens, i) else None
        if new is None or any(_may_be(other, _FITS[new]) for other in tokens[:comma]):
            continue
        said = flags(joined="x" in _FITS[new] and any(t.pos == "CCONJ" for t in tokens[max(0, comma - 4) : comma]))
        noun = tokens[comma - 1].text
        edits = [replaced_word(pronoun, new)]
        yield candidate("relative_pronoun", sentence, edits, distance=i - comma, words=(noun,), features=said)


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
    if noun.morph.get("Number") == "Plur":
        return "x"
    gender = _GENDERS.get(noun.morph.get("Gender", ""))
    same = {r.feature for r in noun_readings(noun.text)} == {gender}
    return gender if noun.morph.get("Number") == "Sing" and same else None


def _may_be(token: Token, kinds: str) -> bool:
    """Whether the new pronoun could belong to this word."""
    if token.pos == "PROPN":
        return bool(set(kinds) - {"x"})
    if token.pos == "PRON":
        return "n" in kinds and token.text.lower() in ("das", "es", "etwas", "nichts", "alles", "eines", "was")
    if token.pos != "NOUN" and not (token.pos == "ADJ" and token.text[:1].isupper()):
        return False
    readings = noun_readings(token.text)
    number = token.morph.get("Number", "")
    plural = "x" in kinds and number != "Sing" and any(code[1] == "p" for r in readings for code in r.codes)
    return not readings or plural or (number != "Plur" and any(r.feature in kinds for r in readings))


perturbation = Perturbation(
    name="relative_pronoun",
    language="de",
    summary="a relative pronoun gets another gender or number than its noun's",
    conditions=(
        "A relative pronoun right behind a noun and a comma, or with a preposition between, where the noun's gender "
        "and number are known.",
        "The new pronoun has the same case; for a plural it is singular.",
        "Not where another noun or name before it could be meant: der Hund des Kindes, das.",
        "The distance is counted in words from the comma to the pronoun; the frequency is the noun's.",
    ),
    examples=(
        Example("Der Mann, der dort steht, lacht.", "Der Mann, das dort steht, lacht."),
        Example("Er kennt die Frau, mit der sie spricht.", "Er kennt die Frau, mit dem sie spricht."),
        Example("Der Hund des Kindes, der dort steht, bellt.", None),
    ),
    function=_disagreeing,
)
