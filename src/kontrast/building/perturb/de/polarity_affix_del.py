"""Polarity: the prefix *un-* is taken off (*unabhängig* → *abhängig*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.affixes import asks_whether, is_opposite, is_predicate, is_unclear
from kontrast.building.perturb.de.disagreeing import disagrees
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import adjective_lemma, comparative_lemma, readings

_SCALES = ("Grad", "Maß", "Ausmaß", "Stufe", "Frage", "Level", "Bereich", "Begriff")
"""Nouns behind which both ends of a scale are said."""
_COUNTED = ("unfähig", "unmöglich", "unannehm", "unregelmäßig", "unsicher", "unklar", "unstimmig")
_DONE = frozenset("tun tut tat taten getan zufügen zugefügt geschehen geschieht".split())


def _affirmed(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if is_opposite(token.text):
            new = like(token.text, token.text[2:])
            yield candidate(
                "polarity_affix_del",
                sentence,
                [(token.start, token.end, new)],
                words=(token.text,),
                # angenehm oder unangenehm: the opposite is there already
                weak=is_unclear(token.text) or any(t.text == new for t in sentence.tokens) or _is_bound(sentence, i),
            )


def _is_bound(sentence: Sentence, i: int) -> bool:
    """*unnötig Zeit verlieren*, *Unrecht tun*: without un- these are not said."""
    low = sentence.tokens[i].text.lower()
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    if low == "unnötig":
        return after is not None and after.pos in ("NOUN", "ADJ", "ADV", "VERB", "DET", "PART", "ADP")
    if low == "unnatürlich" and after is not None and after.pos in ("ADJ", "ADV", "VERB"):
        return True  # natürlich: of course
    before = sentence.tokens[i - 1].text.lower() if i else ""
    if before == "wie" or asks_whether(sentence, i):
        return True  # wie unscharf das Bild wird: the same question
    if disagrees(sentence, i):
        return True  # die unwichtige Tage
    if low.endswith(("keiten", "heiten")) and not low.startswith(_COUNTED):
        return True  # die Gerechtigkeiten: hardly said
    if i > 1 and sentence.tokens[i - 2].text.startswith(_SCALES) and sentence.tokens[i - 1].pos == "DET":
        return True  # Grade der Unabhängigkeit: of dependence as well
    if sentence.tokens[i].text[0].isupper() and _is_adjective(low) and not opens_sentence(sentence, i):
        return True  # part of a name, or persons: Eric der Unfertige, die Untoten
    if _is_label(sentence, i):
        return True
    if after is not None and after.text == "als" and comparative_lemma(low):
        return True  # undeutlicher als nötig
    if (low == "ungern" and before == "nur") or sentence.tokens[i].text == "Unrecht":
        return True
    if low == "unabhängig" and after is not None and after.text in ("für", "voneinander"):
        return True  # each on its own
    if before == "noch" or (low in ("unmöglich", "unabhängig") and not _is_told(sentence, i)):
        return True  # noch unbekannt; das können wir unmöglich ändern
    if low == "ungewöhnlich" and after is not None and after.pos in ("ADJ", "ADV"):
        return True  # it says how much
    participle = any(r.pos == "V" and "2" in r.codes for r in readings(low[2:]))
    if participle and _stays(sentence, i):
        return True
    if participle and sentence.tokens[i].tag == "ADJD" and not is_predicate(sentence, i):
        return True  # beobachtet ihn unbemerkt
    if low == "unheil":
        return True  # Heil anrichten
    return low == "unrecht" and any(t.text.lower() in _DONE for t in sentence.tokens)


def _is_adjective(low: str) -> bool:
    forms = low, low[2:]
    adjectives = any(r.pos == "A" for form in forms for r in readings(form))
    return adjectives or any(adjective_lemma(form) is not None for form in forms)


def _is_label(sentence: Sentence, i: int) -> bool:
    """*(Unscharf maskieren)*, *„Unsichtbar“*: a capital behind a bracket, a quote or a colon names a thing."""
    before = sentence.text[: sentence.tokens[i].start].rstrip()
    return sentence.tokens[i].text[0].isupper() and before.endswith(tuple("([„“\"»«›‹‚'→>/"))


def _is_told(sentence: Sentence, i: int) -> bool:
    """Is the word a predicate, or does *von* or a clause with zu or dass follow?"""
    behind = [t.text.lower() for t in sentence.tokens[i + 1 : i + 4]]
    said = {"sein", "werden", "bleiben", "machen", "halten", "erklären", "ist", "war"}
    near = (t.text.lower() for t in sentence.tokens[max(i - 8, 0) : i + 5])
    verbs = {r.lemma for low in near for r in readings(low) if r.pos == "V"}
    return behind[:1] in (["von"], ["vom"], ["davon"], [","]) or (bool(verbs & said) and not _modifies(sentence, i))


def _modifies(sentence: Sentence, i: int) -> bool:
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    return after is not None and (after.tag in ("ADJA", "VVINF") or after.pos == "NOUN")


def _stays(sentence: Sentence, i: int) -> bool:
    """*unentdeckt bleiben*."""
    near = sentence.tokens[max(i - 6, 0) : i + 4]
    return any(r.lemma == "bleiben" for t in near for r in readings(t.text.lower()) if r.pos == "V")


perturbation = Perturbation(
    name="polarity_affix_del",
    language="de",
    summary="the negating prefix un- is deleted",
    conditions=(
        "An adjective, participle, adverb or noun with un- whose rest is a word of its own; the capital is kept.",
        "Not where un- makes no opposite: Unfall, Unkosten, Unwetter, Unmenge …",
        "Weak, so never chosen: participles as adverbs (unbemerkt gehen), Unrecht tun; unbedingt, "
        "unmittelbar, Unsinn and others whose base means something else; plurals of states (Ungerechtigkeiten), "
        "and what has degrees (Grade der Unabhängigkeit); nouns made of adjectives (die Untoten), labels; behind ob "
        "and wie, where the question stays the same.",
        "The frequency is that of the word with un-.",
    ),
    examples=(
        Example("Der Ausgang ist unsicher.", "Der Ausgang ist sicher."),
        Example("Es herrscht Unklarheit darüber.", "Es herrscht Klarheit darüber."),
        Example("Das Unternehmen hatte einen Unfall.", None),
    ),
    function=_affirmed,
)
