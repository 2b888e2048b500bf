"""Agreement of subject and verb: the finite verb gets the other number (*Die Börse stürzt* → *… stürzen*)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.de.disagreeing import disagrees
from kontrast.building.perturb.de.grammar import finite_code, finite_verbs, is_ambiguous_sie, other_form, subject_of
from kontrast.building.perturb.de.other_subjects import (
    has_rival,
    is_joined_bare,
    is_of_both_numbers,
    may_be_joined,
)
from kontrast.building.perturb.de.verb_uses import (
    LEFT,
    between_signs,
    continues_a_line,
    is_label,
    may_be_infinitive,
)
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings, readings

__all__ = ["COUNTED", "EITHER", "perturbation"]

_SWAP = {"s": "p", "p": "s"}
EITHER = re.compile(
    "(Reihe|Anzahl|[Uu]nzahl|Hälfte|Drittel|Viertel|Mehrheit|Teil|Großteil|Menge|Vielzahl|Gruppe|Paar|Dutzend|Handvoll|Fülle|"
    "Serie|Herde|Schar|Masse|Haufen|Kilo|Schwarm|Rudel|Bande)$"
)
_SEVERAL = re.compile(r"(utils|tools|libs|plugins|scripts|headers)$", re.IGNORECASE)
"""Ends of names that may be plurals."""
_LINKS = ("der", "von", "dieser", "aller", "seiner", "ihrer", "an")
COUNTED = frozenset(("Prozent", "%", "Million", "Milliarde"))
"""After these, before a genitive or von, the verb may follow the number of what is counted."""


def _disagreeing(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        own = subject_of(sentence, i)
        subject = own if own is not None else subject_of(sentence, i, shared=True)
        verb = sentence.tokens[i]
        code = finite_code(verb)
        if subject is None or code is None:
            continue
        noun = sentence.tokens[subject]
        if _subject_left_out(sentence, i, subject):
            continue
        unclear = own is None or _may_be_noun(sentence, i) or is_label(sentence, i)
        unclear = unclear or _is_another(sentence, i, subject, code) or _is_either(sentence, subject)
        unclear = unclear or _is_attribute(sentence, i) or _is_asked_infinitive(sentence, i)
        unclear = unclear or _names_a_state(sentence, i, subject) or _lacks_zu(sentence, i)
        unclear = unclear or continues_a_line(sentence, i, subject) or _may_be_asked_for(sentence, subject)
        unclear = unclear or _may_announce(sentence, i, subject, code) or _is_imperative(sentence, i, subject, code)
        unclear = unclear or _suits_another(sentence, i, subject, _SWAP[code[2]]) or disagrees(sentence, subject)
        if is_ambiguous_sie(sentence, subject) or _either(sentence, subject, code):
            continue
        for new in _other_numbers(verb.text, code):
            yield candidate(
                "subj_verb_agreement",
                sentence,
                [replaced_word(verb, new)],
                distance=abs(subject - i),
                words=(noun.text, verb.text),
                weak=unclear or not readings(new),
            )


def _suits_another(sentence: Sentence, verb: int, subject: int, number: str) -> bool:
    """Is the verb in the other number right with another subject, or with this one?"""
    if has_rival(sentence, verb, subject, number) or is_of_both_numbers(sentence, subject, number):
        return True
    if _is_relative_to_either(sentence, subject, number):
        return True
    return (may_be_joined if number == "p" else is_joined_bare)(sentence, verb, subject)


def _is_relative_to_either(sentence: Sentence, subject: int, number: str) -> bool:
    """*Die Länge in Pixeln, die benötigt werden*: of two nouns before it the relative may mean either."""
    tokens = sentence.tokens
    if tokens[subject].tag != "PRELS" or tokens[subject].text not in ("die", "welche") or subject < 2:
        return False
    nouns = [tokens[k] for k in between_signs(sentence, subject - 2) if tokens[k].pos == "NOUN"]
    wanted = "Plur" if number == "p" else "Sing"
    fitting = (t for t in nouns if wanted in t.morph.get("Number", wanted))
    return len(nouns) > 1 and any(number == "p" or "Fem" in t.morph.get("Gender", "Fem") for t in fitting)


def _is_imperative(sentence: Sentence, verb: int, subject: int, code: str) -> bool:
    """*Finde das Bild und wähle es aus*: not reported speech, where the subject stands before *er wähle*."""
    joined = verb > 0 and sentence.tokens[verb - 1].pos in ("CCONJ", "PUNCT")
    return code[0] == "k" and sentence.tokens[verb].pos == "VERB" and (verb < subject or joined)


def _names_a_state(sentence: Sentence, verb: int, subject: int) -> bool:
    """*Zeilen ignoriert: …*, *Zeilen einlesen: …*: a participle before a colon, or an infinitive with its object."""
    after = sentence.tokens[verb + 1].text if verb + 1 < len(sentence.tokens) else ""
    codes = {c for r in readings(sentence.tokens[verb].text.lower()) if r.pos == "V" for c in r.codes}
    return after == ":" and ("2" in codes or ("i" in codes and not subject))


def _is_asked_infinitive(sentence: Sentence, verb: int) -> bool:
    """*Können Sie mir sagen, Herr Doktor, …?*: the infinitive of a modal that opens the clause."""
    first = between_signs(sentence, verb)[0]
    modal = any(r.lemma in LEFT for r in readings(sentence.tokens[first].text.lower()) if r.pos == "V")
    return first < verb and modal and any("i" in r.codes for r in readings(sentence.tokens[verb].text.lower()))


def _lacks_zu(sentence: Sentence, verb: int) -> bool:
    """*um das Bild malen*: an infinitive."""
    words = {sentence.tokens[k].text.lower() for k in between_signs(sentence, verb) if k < verb}
    return bool(words & {"um", "ohne", "anstatt"}) and may_be_infinitive(sentence, verb)


def _subject_left_out(sentence: Sentence, verb: int, subject: int) -> bool:
    """*Habe die Küche dort gekauft.*: a statement that begins with its verb names no subject; its noun is another."""
    if not opens_sentence(sentence, verb) or sentence.tokens[subject].pos == "PRON" or "?" in sentence.text:
        return False
    return not any(verb < other for other in finite_verbs(sentence))


def _is_another(sentence: Sentence, verb: int, subject: int, code: str) -> bool:
    """*Hoffe, es wird*: (ich) hoffe; *gib eine ein, wähle eine aus*."""
    return code[1] == "1" and sentence.tokens[subject].text.lower() not in ("ich", "wir")


def _is_attribute(sentence: Sentence, verb: int) -> bool:
    """*eine gut dokumentierte API*: between an article and a noun."""
    tokens, first = sentence.tokens, verb
    while first and tokens[first - 1].pos in ("ADV", "ADJ"):
        first -= 1
    after = tokens[verb + 1].pos if verb + 1 < len(tokens) else ""
    article = first > 0 and tokens[first - 1].pos == "DET" and tokens[verb].text.endswith(("e", "en"))
    return article and after in ("NOUN", "PROPN", "X")


def _may_be_asked_for(sentence: Sentence, subject: int) -> bool:
    """*Welche Programme benutzen Perl?*: with the other number the subject is another."""
    near = sentence.tokens[max(0, subject - 2) : subject]
    return any(t.text.lower().startswith("welch") for t in near) and sentence.tokens[-1].text == "?"


def _is_either(sentence: Sentence, subject: int) -> bool:
    """*das Entfernen oder Verändern*, *entweder ein Bild*, *keine der Fragen*: both numbers are said."""
    if any(t.text.lower() == "keine" for t in sentence.tokens[max(subject - 2, 0) : subject + 1]):
        after = sentence.tokens[subject + 1].text if subject + 1 < len(sentence.tokens) else ""
        return "der" in (after, sentence.tokens[subject - 1].text) or after in ("dieser", "von", "davon")
    counted = (t.text for t in sentence.tokens[max(subject - 6, 0) : subject])
    if sentence.tokens[subject].tag == "PRELS" and any(EITHER.search(word) for word in counted):
        return True  # eine Reihe von Konten, die …
    if _SEVERAL.search(sentence.tokens[subject].text):
        return True
    near = sentence.tokens[max(subject - 3, 0) : subject] + sentence.tokens[subject + 1 : subject + 3]
    behind = [t.text for t in sentence.tokens[subject + 1 : subject + 4]]
    added = "(" in behind and behind[behind.index("(") + 1 :][:1] in (
        ["und"],
        ["sowie"],
    )  # der Benutzer (und das Wort)
    return sentence.tokens[subject].pos != "PRON" and (
        any(t.text in ("oder", "entweder", "/") for t in near) or added
    )


def _may_announce(sentence: Sentence, verb: int, subject: int, code: str) -> bool:
    """*Es sollte ein paar Bots treffen*: with *sollten* the plural noun is the subject, and es announces it."""
    tokens = sentence.tokens
    if tokens[subject].text.lower() not in ("es", "das") or code[2] != "s" or abs(subject - verb) != 1:
        return False
    start = max(subject, verb) + 1
    for k in between_signs(sentence, verb):
        if k < start or tokens[k].pos != "NOUN" or tokens[k].morph.get("Number") == "Sing":
            continue
        first = k
        while first > start and tokens[first - 1].pos in ("DET", "ADJ", "NUM"):
            first -= 1
        nominative = any(c[:2] == "np" for r in noun_readings(tokens[k].text) for c in r.codes)
        if tokens[first - 1].pos not in ("ADP", "NOUN", "PROPN") and nominative:
            return True
    return False


def _may_be_noun(sentence: Sentence, i: int) -> bool:
    """*Ende Mai*, *Hut ab*: a noun too, with a capital, and no pronoun behind it."""
    token = sentence.tokens[i]
    after = sentence.tokens[i + 1].pos if i + 1 < len(sentence.tokens) else ""
    return token.text[:1].isupper() and bool(noun_readings(token.text)) and after != "PRON"


def _other_numbers(verb: str, code: str) -> list[str]:
    """The form in the other number; for wir also the third person's, as in *wir hat*."""
    codes = [code[:2] + _SWAP[code[2]]] + ([code[0] + "3s"] if code[1:] == "1p" else [])
    found = (other_form(verb, code, new) for new in codes)
    return list(dict.fromkeys(form for form in found if form is not None and form != verb.lower()))


def _either(sentence: Sentence, subject: int, code: str) -> bool:
    """May the verb follow what is counted as well: *eine Reihe von Fragen*, *5 Prozent des Geldes*?"""
    noun = sentence.tokens[subject].text
    after = sentence.tokens[subject + 1 : subject + 5]
    linked = bool(after) and after[0].text in _LINKS
    counted = next((t for t in after[1:] if t.pos in ("NOUN", "PROPN")), None) if linked else None
    number = counted.morph.get("Number") if counted is not None else None
    if noun in COUNTED or (subject and sentence.tokens[subject - 1].text in COUNTED):
        return not (number == "Plur" and code[2] == "p")
    bare = next((t for t in after[:2] if t.pos in ("NOUN", "PROPN")), None)
    if EITHER.search(noun) and bare is not None and after[0].pos in ("NOUN", "ADJ") and not linked:
        return bare.morph.get("Number") != "Sing"  # ein Dutzend Eier
    return linked and EITHER.search(noun) is not None and number != "Sing"


perturbation = Perturbation(
    name="subj_verb_agreement",
    language="de",
    summary="the number of a finite verb is swapped",
    conditions=(
        "The verb is finite (full verb, auxiliary, modal; in any position; separable verbs included) and its clause "
        "has a subject. If it has it in common with the verb before (er kam und ging), the candidate is weak: one of "
        "all, never chosen.",
        "A statement that begins with its verb names no subject (Habe die Küche dort gekauft).",
        "Person, tense and mood stay; the number becomes the other one (wir haben: habe, and also hat).",
        "Not with the subject sie, where the result is another meaning, not a mistake (subj_adequacy), nor with "
        "subjects that allow both numbers (eine Reihe von Fragen; 5 Prozent des Geldes).",
        "Weak too: es or das with a plural noun behind the verb, then the subject (es sollten ein paar Bots); where "
        "another noun may be the subject (das Radar repräsentieren die Augen); a bare noun of both numbers "
        "(Flugschreiber kann); nouns that und joins without an article, or might join (Steuerung von Ton und Bild); "
        "imperatives that look like reported speech (wähle es aus).",
        "The distance is counted in words from subject to verb; the frequency is the smaller of the two words'.",
    ),
    examples=(
        Example("Die Börse stürzt ins Minus.", "Die Börse stürzen ins Minus."),
        Example("Er weiß, dass die Gäste ankommen.", "Er weiß, dass die Gäste ankommt."),
        Example("Geh nach Hause!", None),
    ),
    function=_disagreeing,
)
