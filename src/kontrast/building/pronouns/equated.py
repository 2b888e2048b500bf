"""What else the antecedent of a German item is called, so that a foil may go with that: what it is, who made it."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.pronouns.scene import Scene
from kontrast.language.alignment import spans
from kontrast.language.german.es import bare_nouns
from kontrast.language.german.plain import BEING, PlainWord, clause, lemmas, split
from kontrast.language.lexicons.german import readings, usual_readings
from kontrast.language.resolvers.salience import is_person

__all__ = ["maker", "named_as", "what_it_is"]

_QUOTES = '„“”"»«‚‘'
_CALLED = frozenset("sein heißt heisst hieß nennt nannte genannt".split())

_NAMING = frozenset("klassifizieren bezeichnen einstufen gelten ansehen betrachten einordnen nennen".split())


def what_it_is(scene: Scene, gender: str) -> str:
    """*Die Leber ist eine Art Filter*, *eine Art Odor*: *er* and *sie* go with the one or the other."""
    choice = scene.choice
    text = scene.document.target[choice.line]
    words, target = split(text), spans(text)
    at = {w.start: k for k, w in enumerate(words)}
    i = at.get(target[choice.noun.index].start)
    if i is None:
        return ""
    if gender == "f" and i and words[i - 1].low in ("art", "sorte"):
        return words[i - 1].text
    start, end = clause(words, i)
    if noun := _apposed(scene, gender):
        return noun
    for rival in choice.rivals:
        taken_as = "phrase predicate" in rival.signs and rival.line == choice.line and gender in rival.genders
        between = target[choice.noun.index + 1 : rival.noun.index]
        joined = [w.text.lower() for w in target[max(0, rival.noun.index - 4) : rival.noun.index]]
        also = rival.line == choice.line and gender in rival.genders and joined[-1:] == ["und"] and "als" in joined
        if (taken_as or also) and between and all(w.text.isalpha() or w.text in _QUOTES for w in between):
            return rival.text  # die Bestellung wurde als Auftrag verbucht
    if not any(w.low in BEING | _CALLED for w in words[start : end + 1]):
        return ""
    said = set(bare_nouns(words, start, end, -1)) | {start, i}
    for rival in (*choice.rivals, *choice.unknown):
        known = not rival.genders or gender in rival.genders
        if rival.line == choice.line and known and at.get(target[rival.noun.index].start) in said - {i}:
            return rival.text
    return ""


def _apposed(scene: Scene, gender: str) -> str:
    """*Die Sonne, ein kolossaler Reaktor, …*: a noun of the foil's gender right behind it that says what it is."""
    choice = scene.choice
    target = [w.text for w in spans(scene.document.target[choice.line])]
    at = choice.noun.index
    if target[at + 1 : at + 3] not in ([",", "ein"], [",", "eine"]):
        return ""
    last = next((k for k in range(at + 2, len(target)) if target[k] == ","), len(target))
    inside = (r for r in (*choice.rivals, *choice.unknown) if r.line == choice.line and at < r.noun.index < last)
    noun = next(inside, None)
    if noun is None or last == len(target):
        return ""
    return noun.text if not noun.genders or gender in noun.genders else ""


def named_as(words: Sequence[PlainWord], i: int, gender: str) -> str:
    """*Sie wurde als Planet klassifiziert*: a noun of the foil's gender that says what it is."""
    start, end = clause(words, i)
    inside = words[start : end + 1]
    first = next((w for w in words[1:4] if w.text[0].isupper()), None)
    if words[0].low == "als" and start > 2 and first is not None:
        return first.text  # Als großer Kreuzer, der …, wird er
    if not any(lemmas(w.low) & _NAMING or w.low == "bekannt" for w in inside):
        return ""
    for k, word in enumerate(inside[:-1]):
        noun = next((w.text for w in inside[k + 1 : k + 4] if w.text[0].isupper()), "") if word.low == "als" else ""
        if noun and any(r.pos == "N" and r.feature == gender for r in usual_readings(noun)):
            return noun
    return ""


def maker(scene: Scene) -> str:
    """*die Musik von Mozart … ihn hören*, *die Version von NFS … es*: the name says the same as the noun."""
    choice = scene.choice
    target = spans(scene.document.target[choice.line])
    at = choice.noun.index
    after = [w.text for w in target[at + 1 : at + 4]]
    if len(after) > 1 and after[0] in ("von", "vom") and after[1][0].isupper() and not _is_noun(after[1]):
        return after[1]
    before = target[at - 1].text if at else ""
    owner = before.endswith(("s", "'", "’")) and before[:1].isupper() and at > 1 and not _is_noun(before)
    people = any(is_person(t) for t in scene.sentences[choice.line].tokens if before.startswith(t.text) and t.text)
    return before if owner and people else ""


def _is_noun(text: str) -> bool:
    return any(r.pos == "N" for r in readings(text))
