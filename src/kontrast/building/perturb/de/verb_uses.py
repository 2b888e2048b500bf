"""Verb forms that are not what they seem: an infinitive, a participle or an imperative tagged as a finite verb."""

from __future__ import annotations

from collections.abc import Iterable

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.negation import part_around
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import readings

__all__ = [
    "GOVERNING",
    "LEFT",
    "between_signs",
    "continues_a_line",
    "has_second_verb",
    "is_label",
    "is_request",
    "may_be_infinitive",
    "may_be_participle",
    "verb_lemmas",
]

LEFT = frozenset(("werden", "sollen", "wollen", "mögen", "dürfen", "können", "müssen"))
GOVERNING = LEFT | {"lassen", "helfen", "lernen", "bleiben", "sehen", "hören", "gehen"}
_OF_INFINITIVES = frozenset("um ohne anstatt statt → > ▸ ▶".split())
_PASSIVE = frozenset(("wird", "werden", "wurde", "wurden"))
_LEADING = frozenset("bitte so darum also dann deshalb".split())
"""What may stand before a request."""
_ADDRESSED = frozenset(("euch", "dich", "dir"))


def between_signs(sentence: Sentence, i: int) -> range:
    """The tokens around this one up to the next sign."""
    tokens = sentence.tokens
    first, last = i, i
    while first > 0 and tokens[first - 1].pos != "PUNCT":
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].pos != "PUNCT":
        last += 1
    return range(first, last + 1)


def verb_lemmas(tokens: Iterable[Token]) -> set[str]:
    """The verbs of a clause: those in it and, with a particle that stands apart, feststellen of *stellt … fest*.

    Participles too (*ist eingeschränkt*), but not those before a noun (*in bestimmten Kreisen*).
    """
    there = list(tokens)
    lows = (t.text.lower() for t in there if t.pos in ("VERB", "AUX") or t.tag == "ADJD")
    found = {r.lemma for low in lows for r in readings(low) if r.pos == "V"}
    return found | {t.text.lower() + lemma for t in there if t.tag == "PTKVZ" for lemma in found}


def may_be_infinitive(sentence: Sentence, i: int) -> bool:
    """A form that is an infinitive too: after *zu*, beside a modal or another verb (*Knopf Mehr anzeigen*)."""
    tokens = sentence.tokens
    low = tokens[i].text.lower()
    if not any("i" in r.codes for r in readings(low) if r.pos == "V"):
        return False
    if (i and tokens[i - 1].text == "zu") or (i + 1 < len(tokens) and tokens[i + 1].text in ')"“«»…'):
        return True
    others = [k for k in between_signs(sentence, i) if k != i]
    opening = {tokens[k].text.lower() for k in others if k < i} | {t.text for t in tokens[max(0, i - 5) : i]}
    if opening & _OF_INFINITIVES:
        return True  # um das Bild malen (zu lost); Ansicht → Prüfpunkte anzeigen
    if is_label(sentence, i) or any(tokens[k].text.lower() in ("lass", "laß", "lasst", "laßt") for k in others):
        return True
    if any(r.lemma in GOVERNING for k in others for r in readings(tokens[k].text.lower()) if r.pos == "V"):
        return True
    if _lists_infinitives(sentence, i):
        return True
    return has_second_verb(sentence, i)


def _lists_infinitives(sentence: Sentence, i: int) -> bool:
    """*damit Sie Daten eingeben, bearbeiten oder löschen können*: infinitives up to a modal."""
    others = 0
    for token in sentence.tokens[i + 1 : i + 8]:
        found = [r for r in readings(token.text.lower()) if r.pos == "V"]
        if any(r.lemma in LEFT for r in found):
            return others > 0
        if token.text in (",", "und", "oder", "bzw"):
            continue
        if not any("i" in r.codes for r in found):
            return False
        others += 1
    return False


def is_label(sentence: Sentence, i: int) -> bool:
    """*Alle Einstellungen zurücksetzen.*, *„Prioritäten verwalten“*: an infinitive at the end with nothing before it
    that puts the verb last; as a finite verb it would stand apart from its particle."""
    tokens = sentence.tokens
    found = [r for r in readings(tokens[i].text.lower()) if r.pos == "V" and "i" in r.codes]
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if found and after is not None and after.text == "und" and i + 2 < len(tokens):
        attached = all(r.feature for r in found) and not _opened(sentence, i)
        return attached or is_label(sentence, i + 2)  # Eigenschaften anzeigen und drucken
    if not found or (after is not None and after.pos != "PUNCT"):
        return False
    if after is not None and after.text in ')"“«»':
        return True
    # A title has no full stop, and no question has its verb last: Steuertabellen aktualisieren?
    untold = after is None or after.text == "?" or any(r.feature for r in found)
    return untold and not _opened(sentence, i)


def continues_a_line(sentence: Sentence, i: int, subject: int) -> bool:
    """*wirklich die Gabe besitzt.*: a verb behind an adverb and a noun, at the end of a line that begins with a small
    letter, and nothing there that puts it last; the line goes on from another, which may have the subject."""
    tokens = sentence.tokens
    last = i + 1 == len(tokens) or tokens[i + 1].pos == "PUNCT"
    chunk = between_signs(sentence, i)
    small = chunk[0] == 0 and tokens[0].text[:1].islower()
    more = any(tokens[k].pos == "ADV" for k in chunk if k < i)  # a main clause has one thing before its verb
    return small and more and last and tokens[subject].pos != "PRON" and not _opened(sentence, i)


def _opened(sentence: Sentence, i: int) -> bool:
    """Is there something between the signs around the verb that puts it last?"""
    openers = ("KOUS", "KOUI", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT")
    return any(sentence.tokens[k].tag in openers for k in between_signs(sentence, i))


def may_be_participle(sentence: Sentence, i: int) -> bool:
    """A form that is a participle too, right before a verb or noun, or with another finite verb in its clause:
    *weit entfernt liegt*, *wiederholt ausgelöst wird*, *umgeben von Feinden*."""
    tokens = sentence.tokens
    if not any("2" in r.codes for r in readings(tokens[i].text.lower()) if r.pos == "V"):
        return False
    if i == 1 and tokens[0].pos == "NOUN" and any(r.pos == "N" for r in readings(tokens[0].text)):
        return True  # Modell erstellt 2010 in Linz
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if after is not None and (after.pos in ("NOUN", "VERB", "AUX") or after.tag in ("VVPP", "APPR", "APPRART")):
        return True
    chunk = between_signs(sentence, i)
    if chunk[-1] == i and any(tokens[k].text.lower() in _PASSIVE for k in chunk[:-1]):
        return True  # werden als Töchter der Sonne und des Mondes betrachtet
    if after is not None and after.pos in ("PUNCT", "CCONJ") and _goes_on(sentence, chunk[0]):
        return True  # das Papier wird gelesen, das Profil erstellt
    return has_second_verb(sentence, i)


def _goes_on(sentence: Sentence, first: int) -> bool:
    """Is the clause before this one a passive, behind a comma?"""
    if first < 2 or sentence.tokens[first - 1].text != ",":
        return False
    before = [sentence.tokens[k] for k in between_signs(sentence, first - 2)]
    return before[-1].tag == "VVPP" and any(t.text.lower() in _PASSIVE for t in before)


def has_second_verb(sentence: Sentence, i: int) -> bool:
    """Another finite verb in the clause, not joined to this one: *Sein Leib ist weiß*."""
    clause = between_signs(sentence, i)
    return any(k in clause and k != i and not _joined(sentence, i, k) for k in finite_verbs(sentence))


def _joined(sentence: Sentence, one: int, other: int) -> bool:
    between = sentence.tokens[min(one, other) : max(one, other)]
    return any(t.pos in ("CCONJ", "SCONJ") for t in between)


def is_request(sentence: Sentence, i: int) -> bool:
    """*Erhebt euch!*, *und passen Sie … an*, *Schnappt sie euch!*: a verb that opens its clause as an imperative."""
    tokens = sentence.tokens
    before = tokens[i - 1] if i else None
    told = before is not None and before.text.lower() in _LEADING and _is_yours(sentence, i)
    if told:
        return True  # darum bestellt euer Feld
    if before is not None and before.pos not in ("PUNCT", "CCONJ", "INTJ") and before.text.lower() not in _LEADING:
        return False
    after = [t.text for t in tokens[i + 1 : i + 3]]
    end = tokens[part_around(sentence, i)[-1]].text
    if _is_second_plural(sentence):
        return True  # Versorgt sie davon und sprecht zu ihnen
    if after[:1] == ["Sie"]:
        return end != "?" and tokens[i].tag != "VMFIN"
    if any(word.lower() in _ADDRESSED for word in after):
        return not any(word in ("ihr", "Ihr", "du") for word in after)
    return end == "!" and (before is None or before.pos != "CCONJ") and after[:1] != ["ihr"] and _opens(sentence, i)


def _is_yours(sentence: Sentence, i: int) -> bool:
    """*setzt eure List ein*: a form of the second person plural too, beside *euer*, and no *ihr*."""
    own = [sentence.tokens[k].text.lower() for k in between_signs(sentence, i)]
    second = any("p2p" in r.codes for r in readings(sentence.tokens[i].text.lower()) if r.pos == "V")
    return second and "ihr" not in own and any(low.startswith(("euer", "eure", "euch")) for low in own)


def _is_second_plural(sentence: Sentence) -> bool:
    """Is a verb of the second person plural there, which no other person has, and no *ihr*?"""
    if any(t.text.lower() == "ihr" for t in sentence.tokens):
        return False
    verbs = (t.text.lower() for t in sentence.tokens if t.pos in ("VERB", "AUX"))
    codes = ({c for r in readings(low) if r.pos == "V" for c in r.codes} for low in verbs)
    return any("p2p" in own and not own & {"p3s", "2"} for own in codes)


def _opens(sentence: Sentence, i: int) -> bool:
    return i == part_around(sentence, i)[0] or sentence.tokens[i - 1].text in ("-", "–", "!", ",")
