"""What German *es* stands for, by the words around it: a thing, perhaps a sentence, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from kontrast.language.coreference import Use
from kontrast.language.german.es_phrases import GOVERNED, IDIOM, IMPERSONAL, THERE
from kontrast.language.german.plain import (
    BEING,
    SUBJECTS,
    PlainWord,
    clause,
    is_adjective,
    is_participle,
    is_subject_word,
    lemmas,
    persons,
    polite,
)
from kontrast.language.lexicons.german_words import (
    CLOSED,
    DETERMINERS,
    JOINING,
    MODALS,
    PREPOSITION_CASES,
    SUBORDINATORS,
    word_lists,
)

__all__ = ["bare_nouns", "is_empty", "use_of_es"]

_LISTS = {name: frozenset(words) for name, words in word_lists("de.es.txt").items()}
_DATIVES = frozenset("mir dir ihm ihr uns euch ihnen".split())
_GIVING = frozenset("gibt gab gebe gäbe gegeben geben".split())
_BECOMING = frozenset("wird wurde würde werde werden".split())
_PASSIVE = _BECOMING | frozenset(
    "kann können könnte muss muß müssen musste mußte soll sollen sollte darf dürfen".split()
)
_NOMINATIVE = frozenset("der die das ein eine kein keine dieser diese dieses jede jedes nur".split())
_COPULAS = BEING | _BECOMING | {"sein", "schien", "scheint", "werde", "worden"}
_OWNED = frozenset("meine meiner deine deiner unsere unserer eure".split())
_AMOUNTS = frozenset("weniger mehr viel wenig".split())
_SO_MUCH = frozenset(("so", "derart", "dermaßen", "solch"))
"""*so groß, dass …*: the clause says how much, not what."""
_FINITE_LAST = frozenset(
    "würde wird kann könnte will wollte soll sollte muss musste müsse darf durfte möchte".split()
)
_CORRELATES = ("dass", "daß", "ob", "wenn", "wie", "warum", "was", "wo", "wann", "wer", "als")


def use_of_es(words: Sequence[PlainWord], i: int, *, is_object: bool | None = None) -> Use:
    """What the *es* at this place stands for; ``is_object`` where the case is known.

    >>> from kontrast.language.german.plain import split
    >>> use_of_es(split("Es gibt Brot."), 0).kind, use_of_es(split("Es wurde 1905 gebaut."), 0).kind
    ('empty', 'thing')
    """
    if is_empty(words, i):
        return Use("empty", "es without a meaning")
    start, end = clause(words, i)
    others = [w.low for j, w in enumerate(words[start : end + 1], start) if j != i]
    verbs = frozenset().union(*(lemmas(low) for low in others)) if others else frozenset()
    if not verbs:
        return Use("open", "no verb beside es")
    if end == i + 1 and words[end].low in BEING and [w.low for w in words[end + 1 : end + 2]] in (["…"], ["."]):
        return Use("predicate", "es with a predicate noun")  # es ist … ein Geheimnis
    pointed = words[0].low in ("das", "dies") and len(words) > 1 and words[1].low in BEING
    if pointed and words[start].low in ("dass", "daß") and i == start + 1:
        return Use("sentence", "es may be a sentence")  # das ist so alt, dass es neu ist
    if _is_announced(words, i, end):
        return Use("empty", "es announces a clause")
    if not is_object and (found := _as_subject(words, start, end, i, verbs)):
        return found
    if is_object is not False:
        if verbs <= MODALS - {"wollen", "mögen"}:
            return Use("sentence", "es may be a sentence")  # man muss es aber nicht
        if verbs & _LISTS["sentence_object"]:
            return Use("sentence", "es may be a sentence")
        if verbs & _LISTS["open_object"]:
            return Use("open", "es may be a sentence")
    return Use("thing")


def _as_subject(words: Sequence[PlainWord], start: int, end: int, i: int, verbs: frozenset[str]) -> Use | None:
    others = {words[j].low for j in range(start, end + 1) if j != i}
    subject = any(is_subject_word(words, j) for j in range(start, end + 1) if j != i)
    if subject or any(polite(words, j) and words[j].low == "sie" for j in range(start, end + 1)):
        return None
    if verbs & _LISTS["impersonal"]:
        return Use("empty", "impersonal verb")
    having = words[end].low == "haben" and not is_participle(words[end - 1].low)  # es wird keine Wirkung haben
    full = verbs - {"sein", "werden", "bleiben", "scheinen", "haben", "können", "müssen", "sollen", "wollen", "mögen"}
    participle = any(_is_verbal(words, j) for j in range(start, end + 1) if j != i)
    if others & _COPULAS and not (participle or having) and not (full & _full_verbs(words, start, end, i)):
        return _predicated(words, start, end, i)
    if verbs & _LISTS["open_subject"]:
        return Use("open", "es may be a sentence")
    return None


def _is_verbal(words: Sequence[PlainWord], j: int) -> bool:
    """A participle that is the verb's; not *verdammt* in *ein verdammt langweiliges Bild*."""
    low = words[j].low
    return is_participle(low) and low not in _COPULAS and low != "gewesen" and not _is_within_phrase(words, j)


def _is_within_phrase(words: Sequence[PlainWord], j: int) -> bool:
    """Between an article and an adjective with an ending."""
    after = words[j + 1].low if j + 1 < len(words) else ""
    attribute = after.endswith(("e", "er", "es", "en", "em")) and is_adjective(after)
    return j > 0 and attribute and words[j - 1].low in DETERMINERS


def _full_verbs(words: Sequence[PlainWord], start: int, end: int, i: int) -> frozenset[str]:
    """Verbs in small letters that are no adjective or adverb as well."""
    found = [
        w.low
        for j, w in enumerate(words[start : end + 1], start)
        if j != i and w.text[0].islower() and not _is_within_phrase(words, j)
    ]
    return frozenset().union(*(lemmas(low) for low in found if not is_adjective(low) and low not in CLOSED))


def _predicated(words: Sequence[PlainWord], start: int, end: int, i: int) -> Use:
    """*es ist …*: a noun, a word of weather or time, another adjective, or a place."""
    others = [w for j, w in enumerate(words[start : end + 1], start) if j != i]
    if {w.low for w in others} & _LISTS["weather"]:
        return Use("empty", "weather or time")
    if bare_nouns(words, start, end, i) or (others and others[-1].low in _OWNED) or _is_something(others):
        return Use("predicate", "es with a predicate noun")  # es ist meine …
    if {w.low for w in others} & _LISTS["situation"] or _is_amount(others):
        return Use("sentence", "es may be a sentence")
    if any(is_adjective(w.low) and w.low not in CLOSED and w.text[0].islower() for w in others):
        becoming = not any(w.low in BEING for w in others)  # es wird schwieriger
        return Use("sentence" if becoming else "open", "es may be a sentence")
    if any(w.low in PREPOSITION_CASES and w.low not in ("als", "wie") for w in others):
        return Use("thing")
    return Use("open", "es may be a sentence")


def _is_something(others: Sequence[PlainWord]) -> bool:
    """*es ist etwas Böses*, *es war nichts*; not *es ist etwas größer*."""
    at = next((k for k, w in enumerate(others) if w.low in ("etwas", "nichts", "alles")), None)
    return at is not None and (at + 1 == len(others) or others[-1].low.endswith("es"))


def _is_amount(others: Sequence[PlainWord]) -> bool:
    """*es wird weniger sein als …*, *es war zu viel*; but not *viel größer*, *nicht mehr da*."""
    lows = ["", *(w.low for w in others), ""]
    return any(
        lows[j] in _AMOUNTS
        and lows[j - 1] not in ("nicht", "nie", "kaum")
        and (not lows[j + 1] or bool(lemmas(lows[j + 1]) & {"sein", "werden"}))
        for j in range(1, len(lows) - 1)
    )


def bare_nouns(words: Sequence[PlainWord], start: int, end: int, i: int) -> list[int]:
    """Nouns of the clause behind no preposition, but for the one that begins it before its verb.

    >>> from kontrast.language.german.plain import split
    >>> bare_nouns(split("Es war in der Stadt ein großer Fehler"), 0, 7, 0)
    [7]
    """
    found = []
    governed = False
    for j in range(start, end + 1):
        word = words[j]
        if j == i or not word.low[0].isalpha():
            continue
        tags = CLOSED.get(word.low, frozenset())
        if tags & {"APPR", "APPRART"} and word.low not in ("als", "wie"):
            governed = True
        elif word.text[0].isupper() and j > start and not polite(words, j):
            if not governed:
                found.append(j)
            governed = False
        elif not (word.low in DETERMINERS or is_adjective(word.low) or tags & {"CARD", "PIAT", "ADV"}):
            governed = False
    return found


def _is_announced(words: Sequence[PlainWord], i: int, end: int) -> bool:
    """A clause with *dass*, *ob*, *zu …* later in the sentence: *es ist schön, dass …*, *macht es leichter, … zu*."""
    if end + 2 >= len(words) or words[end + 1].low != ",":
        return False
    start, _ = clause(words, i)
    inside = {words[j].low for j in range(start, end + 1)}
    after = words[end + 2].low
    if after in ("dass", "daß", "ob"):
        return not inside & _SO_MUCH and not _speaks(words, i)
    if after in ("wann", "warum", "wer", "wen", "wem"):
        return True  # man überlässt es dem Leser, wann er aufhört
    judged = bool(inside & (_COPULAS | {"macht", "machte", "mache", "findet", "finde", "fand", "hält", "halten"}))
    compared = after == "als" and words[end].low not in _COPULAS  # es war schöner, als ich dachte
    return judged and after in _CORRELATES and not compared


def _speaks(words: Sequence[PlainWord], i: int) -> bool:
    """*Es fügte hinzu, dass …*, of a ministry; but not *es wird gesagt*, *es zeigt sich*, *er sagte es*."""
    start, end = clause(words, i)
    others = {words[j].low for j in range(start, end + 1) if j != i}
    if others & (_COPULAS | SUBJECTS | {"sich"}) or bare_nouns(words, start, end, i):
        return False
    return any(lemmas(low) & _LISTS["speaking"] and "3s" in persons(low) for low in others)


def is_empty(words: Sequence[PlainWord], i: int) -> bool:
    """Does *es* stand for nothing: es gibt, es geht um, es ist wichtig, dass …; es kamen viele?"""
    start, end = clause(words, i)
    inside = [w.low for w in words[start : end + 1]]
    others = set(inside[: i - start]) | set(inside[i - start + 1 :])
    if IDIOM.search(" ".join(inside)):
        return True
    subject = any(polite(words, j) or is_subject_word(words, j) for j in range(start, end + 1) if j != i)
    if _is_placeholder(words, start, end, i):
        return True
    if not subject and _has_impersonal_verb(words, i, end, " ".join(inside), others):
        return True
    if [w.low for w in words[i + 1 : i + 3]] == ["sei", "denn"]:
        return True
    if _is_either(words, i, start):
        return True
    end = _behind_brackets(words, end)
    following = [w.low for w in words[end + 1 : end + 3]]
    if len(following) < 2 or following[0] != ",":
        return False
    if words[end].low == "es" and words[end - 1].low in BEING and _has_infinitive(words, end):
        return True  # ihre Natur ist es, ohne Grund zu kämpfen
    if others & BEING and following[1] in ("der", "die", "das", "was", "wo"):
        return True  # es war Flint, der …
    return not _speaks(words, i) and _is_followed_by_clause(words, end, following[1], others)


def _is_placeholder(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*oder es wird einfach die Anzeige entfernt*: a passive has one subject, and that is the noun."""
    first = start + (words[start].low in JOINING)
    if end + 2 < len(words) and words[end + 1].low in ("und", "oder"):
        _, end = clause(words, end + 2)  # die Sprache oder das Land
    last = end - (words[end].low == "werden")
    begun = " ".join(w.low for w in words[i : end + 1])
    if i == first and words[i + 1 : i + 2] and words[i + 1].low in _BECOMING and GOVERNED.search(begun):
        return True  # es wurde vor dem Verzehr gewarnt
    passive = i == first and last > i + 2 and is_participle(words[last].low) and words[i + 1].low in _PASSIVE
    if not passive or (words[i + 1].low not in _BECOMING and last == end):
        return False
    nouns = bare_nouns(words, i + 2, end, i)
    if not nouns:
        return False
    at = nouns[0] - 1 - is_adjective(words[nouns[0] - 1].low)  # not Dostalowa in von der Malerin Dostalowa
    return at > i + 1 and words[at].low in _NOMINATIVE and words[at - 1].low not in PREPOSITION_CASES


def _is_either(words: Sequence[PlainWord], i: int, start: int) -> bool:
    """*(sei es über GSM oder Internet)*: one or the other."""
    return i == start + 1 and words[start].low == "sei" and start > 0 and words[start - 1].low in ("(", ",", "–", "-")


def _behind_brackets(words: Sequence[PlainWord], end: int) -> int:
    """Where a clause ends with the brackets that follow it: *Es ist möglich (wenn auch nicht üblich), … zu*."""
    if end + 1 < len(words) and words[end + 1].low == "(":
        closing = next((k for k in range(end + 2, len(words)) if words[k].low == ")"), None)
        return closing if closing is not None else end
    return end


def _has_infinitive(words: Sequence[PlainWord], end: int) -> bool:
    """An infinitive with *zu* in the clause behind these words."""
    dated = (w for before, w in pairwise(words[end + 1 :]) if w.low != "." or not before.low.isdigit())  # am 11. Mai
    follows = " ".join(w.low for w in takewhile(lambda w: w.low not in ",.;:!?", dated))
    return re.search(r"\bzu \w+n\b|\b\w{2,}zu\w{2,}en\b", follows) is not None


def _has_impersonal_verb(words: Sequence[PlainWord], i: int, end: int, text: str, others: set[str]) -> bool:
    if others & _GIVING and not others & _DATIVES:
        return True
    if IMPERSONAL.search(text) or THERE.search(text):
        return True
    # es kamen viele, waren es; but die Kunden kaufen es
    places = [j for j in (i - 1, i + 1) if 0 <= j <= end and (j > i or words[j].low in BEING)]
    beside = [persons(words[j].low) for j in places]
    return (
        "sie" not in others and any("3p" in p and "3s" not in p for p in beside) and not _has_other_number(words, i)
    )


def _has_other_number(words: Sequence[PlainWord], i: int) -> bool:
    """*die Einlagen, die es halten würde*, *die Kunden, die es kaufen*: no subject of the plural verb behind it."""
    if i > 1 and words[i - 2].low == "," and words[i - 1].low in ("die", "welche"):
        return True
    _, end = clause(words, i)
    return end > i + 1 and words[i + 1].low not in BEING and words[end].low in _FINITE_LAST


def _is_followed_by_clause(words: Sequence[PlainWord], end: int, after: str, others: set[str]) -> bool:
    """A clause with *dass* or an infinitive says what *es* announces."""
    if after in ("dass", "daß"):
        return not others & _SO_MUCH
    infinitive = _has_infinitive(words, end)
    judged = is_adjective(words[end].low) and bool(others & BEING or others & {"wird", "wurde", "würde"})
    own = after in SUBORDINATORS - {"ob"}  # es bewegt sich, weshalb … zuzuziehen
    if judged and ((infinitive and not own) or after == "ob"):
        return True
    return infinitive and not own and after not in ("um", "ohne", "anstatt", "statt") and after not in SUBJECTS
