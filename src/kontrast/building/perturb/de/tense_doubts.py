"""Is the other tense surely wrong? Without a time or a verb beside it, messages and reports are told in either."""

from __future__ import annotations

import re

from kontrast.building.perturb.de.grammar import RELATIVES, finite_verbs, subject_of
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.de.verb_uses import between_signs, is_request
from kontrast.building.perturb.text import opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.lexicons.german_words import CLOSED

__all__ = ["is_in_label", "may_be_past", "may_be_present"]

_OPENERS = ("KOUS", "KOUI", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT")
_WITH_PRESENT = frozenset("damit während indem sobald solange sodass bis".split())
"""Clauses with these have the tense of the one beside them."""
_ASKING = frozenset(
    "wie wo was wer wann warum wieso weshalb woher wohin womit wodurch welche welcher welches".split()
)
_THINKING = frozenset("glauben denken meinen finden hoffen wissen vermuten scheinen".split())
_REASONS = frozenset(("weil", "da", "bevor", "ehe"))
_APART = frozenset((":", ";", "(", ")", "„", "“", "»", "«", '"'))
"""Signs behind which another tense may follow: *Der Himmel war eine Mischung: Die Göttin ist …*."""
_TODAY = frozenset("heute jetzt heutzutage".split())
_HISTORY = re.compile(
    r"\b(?:1\d|20)\d\d\b|Jahr(?:hundert|tausend)|\b[vn]\. ?(?:Chr|u)\b|(?i:antik|mittelalter|babylon|assyr|sumer|"
    r"ägypt|römi|griech|byzant|keltisch|germanisch|ptolem|mytholog|mythos|sagen?haft|epos\b|epen\b|götti?n|gott\b|"
    r"götter|allah|prophet|histori|geschicht|dynasti|kaiser|könig|pharao|held(?:en)?\b|überliefer|traditionell|"
    r"altertum|steinzeit|bronzezeit|sternbild)"
)
"""Words of texts that tell of old times, in either tense."""
_NOW = frozenset(
    "derzeit momentan gegenwärtig zurzeit künftig zukünftig morgen jederzeit standardmäßig normalerweise "
    "üblicherweise heutzutage".split()
)
_JUST = frozenset("gerade eben soeben bereits schon zuletzt kürzlich vorhin inzwischen mittlerweile".split())
_ONCE = frozenset("gestern vorgestern damals einst neulich kürzlich vorhin ehemals seinerzeit".split())
_AGO = re.compile(
    r"\bvor (?:\w+ ){1,3}(?:Sekunden|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?)\b"
    r"|\bvor (?:\w+ ){1,3}Jahr(?:en|zehnten|hunderten)?\b"
    r"|\b[Ll]etzte[ns]? (?:Nacht|Woche|Monat|Jahr|Sommer|Winter|Mal)\b"
)
_FINDINGS = frozenset(
    "entsprechen übereinstimmen stimmen scheinen deuten hindeuten hinweisen weisen ergeben melden berichten fehlen "
    "existieren vorliegen passen fehlschlagen scheitern erhalten empfangen bekommen finden zurückgeben erkennen "
    "feststellen bestätigen heißen bedeuten".split()
)
"""What a check or a report says: of what was found both tenses are used."""
_DESCRIBED = re.compile(
    r"(?i:paket|option|knopf|feld|befehl|dialog|modul|programm|bibliothek|funktion|menü|einstellung|werkzeug|"
    r"erweiterung|skript|kapitel|abschnitt|handbuch|spiel|anwendung|fenster|leiste|liste|klasse|methode|sammlung|"
    r"schaltfläche|seite|parameter|variable|version|thema|stil|format)$"
)
_OPENING_JOKES = frozenset("kommen gehen treffen sitzen stehen fragen fahren laufen rennen fliegen liegen".split())
_DEICTIC = frozenset("dieser diese dieses".split())


def may_be_past(sentence: Sentence, i: int, subject: int) -> bool:
    """Would a past do as well for this present?

    Not beside another verb in the present, nor with a time, in a definition (*ist ein*), or in what is said of a
    thing that is described (*Dieses Paket enthält*, *Bietet eine*).
    """
    tokens = sentence.tokens
    lows = {t.text.lower() for t in tokens}
    found = {r.lemma for r in readings(tokens[i].text.lower()) if r.pos == "V"}
    if lows & _JUST or "?" in lows or found & (_FINDINGS | SAYING) or _has_past(sentence, i):
        return True
    if i == 0 and found & _OPENING_JOKES:
        return True  # Kommt ein Mann zum Arzt
    if tokens[subject].text.lower() in ("ich", "wir") or _finds_fault(sentence, i, found):
        return True
    if _is_condition(sentence, i, subject):
        return True
    clause = {tokens[k].text.lower() for k in between_signs(sentence, i)}
    opener = _opener(sentence, i)
    if opener is not None:
        return opener not in _WITH_PRESENT or not _others(sentence, i, "Pres")
    if (lows - clause) & _TODAY:
        return True
    old = _HISTORY.search(sentence.text) is not None
    if any(_holds(sentence, i, k, old) for k in _others(sentence, i, "Pres")):
        return False
    return old or not (clause & _NOW or _defines(sentence, i, subject, found) or _describes(sentence, i, subject))


def _is_condition(sentence: Sentence, i: int, subject: int) -> bool:
    """*Tritt ein Fehler auf, wird …*: of what came before, a past is said too."""
    first = between_signs(sentence, i)
    return (
        i == first[0] and subject > i and first[-1] + 2 < len(sentence.tokens) and _follows(sentence, first[-1] + 2)
    )


def _follows(sentence: Sentence, k: int) -> bool:
    """Does a clause go on with its verb at this place, or behind *so* or *dann*?"""
    then = k + 1 if sentence.tokens[k].text.lower() in ("so", "dann") else k
    return then in set(finite_verbs(sentence))


def _holds(sentence: Sentence, i: int, other: int, old: bool) -> bool:
    """Does this present ask for one beside it? A second verb of the subject does; where old times are told, another
    clause does not."""
    word = sentence.tokens[other].text.lower()
    if _apart(sentence, i, other) or word in ("wird", "werden") or is_request(sentence, other):
        return False
    opener = _opener(sentence, other)
    if opener is None:
        if any(r.lemma in SAYING | _THINKING for r in readings(sentence.tokens[other].text.lower())):
            return False  # Ich glaube, das war sie
        return not old or subject_of(sentence, other) is None or subject_of(sentence, i) is None
    return not old and opener in _WITH_PRESENT | _REASONS


def _apart(sentence: Sentence, one: int, other: int) -> bool:
    return any(t.text in _APART for t in sentence.tokens[min(one, other) + 1 : max(one, other)])


def may_be_present(sentence: Sentence, i: int) -> bool:
    """Would a present do as well for this past? Not with *gestern*, *damals*, *als*, nor beside another main clause
    in the past; with a year alone a present tells history."""
    tokens = sentence.tokens
    if _opener(sentence, i) is not None:
        return True
    clause = between_signs(sentence, i)
    inside = sentence.text[tokens[clause[0]].start : tokens[clause[-1]].end]
    if {tokens[k].text.lower() for k in clause} & _ONCE or _AGO.search(inside):
        return False
    if any(r.lemma == "sein" for r in readings(tokens[i].text.lower()) if r.pos == "V"):
        return True  # Er war Geograph, und sie kannte ihn: he may be one still
    others = _others(sentence, i, "Past")
    return not any(_opener(sentence, k) in (None, "als", "nachdem") and not _apart(sentence, i, k) for k in others)


def is_in_label(sentence: Sentence, i: int) -> bool:
    """*oder Mehrere Kopien brennen*: an infinitive behind a capital that no sentence has there."""
    if not any("i" in r.codes for r in readings(sentence.tokens[i].text.lower()) if r.pos == "V"):
        return False
    for k in between_signs(sentence, i):
        text = sentence.tokens[k].text
        low = text.lower()
        if k >= i or not text[:1].isupper() or opens_sentence(sentence, k) or low.startswith(("sie", "ih")):
            continue
        if low in CLOSED or (adjective_lemma(low) and k + 1 < i):
            return True
    return False


def _opener(sentence: Sentence, i: int) -> str | None:
    """The word that puts the verb of this clause last, if any; an empty one where a sign hides it."""
    tokens = sentence.tokens
    clause = between_signs(sentence, i)
    words = (tokens[k] for k in reversed(clause) if k < i)
    found = next((t.text.lower() for t in words if t.tag in _OPENERS or t.morph.get("PronType") == "Rel"), None)
    first = tokens[clause[0]].text
    if found is not None or i != clause[-1] or i == clause[0]:
        return found
    if first in RELATIVES or first in _ASKING:
        return first
    cut = clause[0] > 0 and tokens[clause[0] - 1].text not in ",.:;!?…"
    return "" if cut or tokens[i - 1].tag in ("VVPP", "VVINF", "VVIZU") else None


def _others(sentence: Sentence, i: int, tense: str) -> list[int]:
    """Other finite verbs of this tense, but for those of a perfect."""
    tokens = sentence.tokens
    return [
        k
        for k in finite_verbs(sentence)
        if k != i
        and tokens[k].morph.get("Tense") == tense
        and not _is_perfect(sentence, k)
        and any(r.pos == "V" for r in readings(tokens[k].text.lower()))
    ]


def _is_perfect(sentence: Sentence, k: int) -> bool:
    auxiliary = any(r.lemma in ("haben", "sein") for r in readings(sentence.tokens[k].text.lower()) if r.pos == "V")
    if not auxiliary:
        return False
    last = next(
        (n for n in range(k, len(sentence.tokens)) if sentence.tokens[n].text in ",.;:"), len(sentence.tokens)
    )
    near = {*between_signs(sentence, k), *range(k, last)}
    return any(sentence.tokens[n].tag in ("VVPP", "VAPP", "VMPP") for n in near)


def _has_past(sentence: Sentence, i: int) -> bool:
    """Is another verb past or perfect?"""
    finite = [k for k in finite_verbs(sentence) if k != i]
    return any(sentence.tokens[k].morph.get("Tense") == "Past" or _is_perfect(sentence, k) for k in finite)


def _finds_fault(sentence: Sentence, i: int, found: set[str]) -> bool:
    """*enthält kein Audio*, *ist ungültig*, *ist leer*: what a check found."""
    near = [sentence.tokens[k] for k in between_signs(sentence, i)]
    lows = [t.text.lower() for t in near]
    if "nicht" in lows or any(low.startswith("kein") for low in lows):
        return True
    if "sein" not in found:
        return False
    faults = ("leer", "voll", "falsch", "defekt", "beschädigt", "fehlerhaft", "zu")
    return any(low in faults or (low.startswith("un") and t.pos == "ADJ") for t, low in zip(near, lows, strict=True))


def _defines(sentence: Sentence, i: int, subject: int, found: set[str]) -> bool:
    """*SyncTeX ist eine Möglichkeit*, *Das Modul ist eine Sammlung*; but *Die Quelle war eine Überlieferung*."""
    tokens = sentence.tokens
    after = tokens[i + 1].text if i + 1 < len(tokens) else ""
    if "sein" not in found or after not in ("ein", "eine") or subject >= i or tokens[subject].pos == "PRON":
        return False
    known = any(t.text.lower() in _DEICTIC | RELATIVES for t in tokens[max(subject - 2, 0) : subject])
    return not known or _DESCRIBED.search(tokens[subject].text) is not None


def _describes(sentence: Sentence, i: int, subject: int) -> bool:
    """*Dieses Paket enthält …*, *Bietet eine …*, but not *Erlaubt Dateien*: *Erlaubte Dateien* are a phrase."""
    tokens = sentence.tokens
    if i == 0:
        return i + 1 < len(tokens) and tokens[i + 1].pos in ("DET", "ADP", "PRON")
    before = [t.text.lower() for t in tokens[max(0, subject - 2) : subject]]
    return subject < i and bool(_DEICTIC & set(before)) and _DESCRIBED.search(tokens[subject].text) is not None
