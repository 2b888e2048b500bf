"""Case government: a determiner behind a preposition stands in a case that it does not govern (*mit den Mann*)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import noun_readings
from kontrast.language.lexicons.german_words import DEFINITE, DETERMINERS, EIN_STEMS, PREPOSITION_CASES

_CASES = {word: PREPOSITION_CASES[word] for word in "mit nach bei seit von zu aus für durch gegen ohne um".split()}
_STEMS = (*(stem for stem in EIN_STEMS if stem != "euer"), "dies", "jed")
_OTHER = {"d": "a", "a": "d"}


def _governed(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i in range(len(tokens) - 2):
        case = _CASES.get(tokens[i].text.lower())
        if case is None or tokens[i].pos != "ADP" or tokens[i + 1].pos != "DET":
            continue
        if tokens[i].text.lower() in ("um", "ohne") and _has_zu(tokens[i:]):
            continue  # um den Dialog zu öffnen
        det = tokens[i + 1]
        place = det.head if det.relation.startswith("det") else -1
        if not i + 1 < place <= i + 4 or tokens[place].pos != "NOUN":
            continue
        adjectives = tokens[i + 2 : place]
        if any(t.pos != "ADJ" for t in adjectives):
            continue
        new = _in_case(det.text.lower(), tokens[place].text, case, bool(adjectives))
        if new is not None:
            noun = tokens[place].text
            yield candidate(
                "preposition_case",
                sentence,
                [replaced_word(det, new)],
                distance=place - i - 1,
                words=(noun,),
                features=flags(relative_too=i > 0 and tokens[i - 1].text == "," and det.text in DEFINITE),
            )


def _has_zu(tokens: Sequence[Token]) -> bool:
    """Is there an infinitive with zu before the next sign?"""
    clause = itertools.takewhile(lambda t: t.pos != "PUNCT", tokens)
    return any(t.tag in ("PTKZU", "VVIZU") or t.text == "zu" for t in clause)


def _in_case(det: str, noun: str, case: str, adjectives: bool) -> str | None:
    """The determiner in the other case, if with it the noun can stand in no case that the preposition governs."""
    own = {
        (gender, cell[1])
        for gender, cell in DETERMINERS.get(det, ())
        if cell[0] == case
        for r in noun_readings(noun)
        if cell in r.codes and gender in ("x", r.feature)
    }
    genders = {r.feature for r in noun_readings(noun)}
    if len(own) != 1 or len(genders) != 1:
        return None
    gender, number = next(iter(own))
    if adjectives and (gender, number) != ("m", "s"):
        return None  # beside den and dem an adjective ends alike, beside others not
    wanted = (gender, _OTHER[case] + number)
    found = [form for form in _forms_of_same(det) if wanted in DETERMINERS[form] and form != det]
    if len(found) != 1 or _fits(found[0], noun, case):
        return None
    return found[0]


def _forms_of_same(det: str) -> list[str]:
    """The forms of the same determiner."""
    if det in ("der", "die", "das", "den", "dem", "des"):
        return ["der", "die", "das", "den", "dem"]
    stem = next((stem for stem in _STEMS if det.startswith(stem)), None)
    forms = (f"{stem}{ending}" for ending in ("", "e", "er", "en", "em", "es")) if stem else ()
    return [form for form in forms if form in DETERMINERS]


def _fits(det: str, noun: str, case: str) -> bool:
    cells = DETERMINERS[det]
    return any(
        code[0] == case and ((r.feature, code[:2]) in cells or ("x", code[:2]) in cells)
        for r in noun_readings(noun)
        for code in r.codes
    )


perturbation = Perturbation(
    name="preposition_case",
    language="de",
    summary="the determiner behind a preposition of one case stands in another",
    conditions=(
        "A preposition that governs one case (mit, nach, bei, seit, von, zu, aus; für, durch, gegen, ohne, um), a "
        "determiner right behind it, and its noun; dative becomes accusative and the reverse.",
        "Only adjectives stand between, and only where they end alike in both cases (dem alten, den alten Mann).",
        "Not where the phrase can be read as right, by a plural: mit den Balken.",
        "The distance is counted in words from the preposition to its noun; the frequency is the noun's.",
    ),
    examples=(
        Example("Er spricht mit dem Mann.", "Er spricht mit den Mann."),
        Example("Das ist für meine Frau.", "Das ist für meiner Frau."),
        Example("Sie stützt das Dach mit dem Balken.", None),
        Example("Er ging, ohne den Mann zu sehen.", None),
    ),
    function=_governed,
)
