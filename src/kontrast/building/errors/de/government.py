"""Words that govern others: a case behind a preposition, *als* and *wie*."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from kontrast.building.errors.de.grammar import LISTS, clause_around
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import adjective_lemma, noun_readings
from kontrast.language.lexicons.german_words import DETERMINERS, EIN_STEMS, PREPOSITION_CASES

_CASES = {word: PREPOSITION_CASES[word] for word in "mit nach bei seit von zu aus für durch gegen ohne um".split()}
_STEMS = (*(stem for stem in EIN_STEMS if stem != "euer"), "dies", "jed")
_OTHER = {"d": "a", "a": "d"}


@error("grammar")
def preposition_case(sentence: Sentence) -> Iterator[Candidate]:
    """The determiner after a preposition gets a case that the preposition does not allow.

    The preposition governs one case (mit, nach, bei, seit, von, zu, aus; für, durch, gegen, ohne, um). A determiner
    directly follows it. Dative becomes accusative or the reverse. Only adjectives may be between the determiner and
    its noun, and they have the same ending in both cases (dem alten, den alten Mann). Phrases that can be read as a
    correct plural are left out: mit den Balken.

    - Er spricht mit dem Mann. → Er spricht mit den Mann.
    - Das ist für meine Frau. → Das ist für meiner Frau.
    - Sie stützt das Dach mit dem Balken. → (nothing)
    """
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
            yield candidate(sentence, [replaced_word(det, new)], distance=place - i - 1, words=(noun,))


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
    found = [form for form in _forms_of_same(det) if wanted in DETERMINERS[form]]
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


_COMPARATIVES, _EQUAL, _TAKING = LISTS["comparatives"], LISTS["as_much"], LISTS["taking_for"]
_REACH = 5


@error("grammar")
def comparison(sentence: Sentence) -> Iterator[Candidate]:
    """Wie replaces als after a comparative, als replaces wie after so.

    als directly after a comparative (größer, mehr, anders) becomes wie. wie after so, ebenso or genauso and an
    adjective or adverb becomes als.

    - Er ist größer als sein Bruder. → Er ist größer wie sein Bruder.
    - Sie ist so groß wie ihr Bruder. → Sie ist so groß als ihr Bruder.
    """
    tokens = sentence.tokens
    for i in range(1, len(tokens) - 1):
        before = _phrase(tokens, i)
        equal = any(t.text.lower() in _EQUAL for t in before)
        if tokens[i + 1].text == "möglich":
            continue  # so gut als möglich is right too
        if tokens[i].text == "als" and before and _is_comparative(before[-1]):
            clause = [tokens[k] for k in clause_around(sentence, i)]
            if any(t.lemma in _TAKING for t in clause) and [t.text for t in clause].count("als") == 1:
                continue  # die später als typisch angesehen wurden
            other = "wie"
        elif tokens[i].text == "wie" and equal and len(before) > 1:
            if before[-1].text.lower() in _EQUAL:
                continue
            other = "als"
        else:
            continue
        yield candidate(sentence, [replaced_word(tokens[i], other)], distance=1)


def _phrase(tokens: Sequence[Token], i: int) -> list[Token]:
    """The words before, back to a sign or verb."""
    found: list[Token] = []
    for token in reversed(tokens[max(0, i - _REACH) : i]):
        if token.pos in ("PUNCT", "VERB", "AUX", "CCONJ", "SCONJ", "ADP"):
            break
        found.insert(0, token)
    return found


def _is_comparative(token: Token) -> bool:
    low = token.text
    if low in _COMPARATIVES or token.morph.get("Degree") == "Cmp":
        return True
    if token.pos not in ("ADJ", "ADV") or not low.endswith("er") or not low[:1].islower():
        return False
    lemma = adjective_lemma(low + "e")
    return lemma is not None and lemma != low
