"""What several German errors need to know of a clause: its words, finite verbs, their subjects and other forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from kontrast.building.errors.text import Edit, opens_sentence, replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import readings, verb_forms
from kontrast.language.words import lists_of

_TENSES = {("Ind", "Pres"): "p", ("Ind", "Past"): "t", ("Sub", "Pres"): "k", ("Sub", "Past"): "c"}
_SUBJECTS = ("nsubj", "nsubj:pass")
LISTS = {name: frozenset(words) for name, words in lists_of("de").items()}
"""The word lists of ``data/words/de.toml``."""
IMPERATIVES = LISTS["imperatives"]
"""Forms of the second person singular that are no verb's stem."""
NEGATIVE = LISTS["negative"]
_ZU_INFINITIVE = re.compile(f"(?:{'|'.join(LISTS['zu_particles'])})zu\\w{{2,}}e?n")
"""*herauszubekommen*: never finite."""


def clause_around(sentence: Sentence, i: int) -> range:
    """The tokens around this one up to the next sign."""
    first = last = i
    while first > 0 and sentence.tokens[first - 1].pos != "PUNCT":
        first -= 1
    while last + 1 < len(sentence.tokens) and sentence.tokens[last + 1].pos != "PUNCT":
        last += 1
    return range(first, last + 1)


def companions(sentence: Sentence, index: int) -> tuple[int, int]:
    """The first and last of the words that make one negation with this: *gar nicht*, *noch kein*, *nicht mehr*."""
    words = [t.text.lower() for t in sentence.tokens]
    first = last = index
    while first > 0 and (
        words[first - 1] in LISTS["before_negation"] or (words[first - 1] == "immer" and words[first] == "noch")
    ):
        first -= 1
    while (
        last + 1 < len(words) and words[last + 1] in LISTS["after_negation"] and words[last + 2 : last + 3] != ["als"]
    ):
        last += 1
    return first, last


def finite_verbs(sentence: Sentence) -> Iterator[int]:
    """Indices of finite verbs that are no imperatives."""
    for i, token in enumerate(sentence.tokens):
        if token.is_finite and token.morph.get("Mood") != "Imp" and not _ZU_INFINITIVE.fullmatch(token.text):
            yield i


def subject_of(sentence: Sentence, verb: int, *, shared: bool = False) -> int | None:
    """The index of the clause's subject: a dependent of the verb, or of what an auxiliary or copula belongs to.

    With ``shared`` also the subject that a conjoined verb has in common with the one before (*er kam und ging*).
    """
    token = sentence.tokens[verb]
    centres = [verb, token.head] if token.relation.startswith(("aux", "cop")) and token.head >= 0 else [verb]
    for _ in range(4):
        for i, other in enumerate(sentence.tokens):
            if other.head in centres and other.relation in _SUBJECTS:
                return i
        last = sentence.tokens[centres[-1]]
        if not shared or last.relation != "conj" or last.head < 0:
            return None
        centres = [last.head]
    return None


def is_ambiguous_sie(sentence: Sentence, index: int) -> bool:
    """Is this *sie*, or *Sie* where its capital may be due to the sentence start?"""
    text = sentence.tokens[index].text
    return text == "sie" or (text == "Sie" and opens_sentence(sentence, index))


def is_polite_request(sentence: Sentence, verb: int, subject: int) -> bool:
    """*Beachten Sie …*: a verb right before Sie with nothing of its clause before it, and no question."""
    if sentence.tokens[subject].text != "Sie" or subject != verb + 1 or sentence.tokens[verb].tag == "VMFIN":
        return False
    before = sentence.tokens[verb - 1] if verb else None
    if before is not None and before.text.lower() == "bitte":
        return True
    if "?" in sentence.text[sentence.tokens[subject].end :] or _is_condition(sentence, verb):
        return False
    return before is None or before.pos in ("PUNCT", "CCONJ")


def _is_condition(sentence: Sentence, verb: int) -> bool:
    """*Haben Sie Zeit, kommen Sie*: is the word behind the next comma a finite verb too?"""
    comma = next((k for k, t in enumerate(sentence.tokens) if k > verb and t.pos == "PUNCT"), -2)
    return sentence.tokens[comma].text == "," and comma + 1 in finite_verbs(sentence)


def finite_code(token: Token) -> str | None:
    """Tense, person and number as the lexicon writes them: p3s."""
    morph = token.morph
    tense = _TENSES.get((morph.get("Mood", "Ind"), morph.get("Tense", "Pres")))
    number = {"Sing": "s", "Plur": "p"}.get(morph.get("Number", ""))
    person = morph.get("Person", "3")
    return f"{tense}{person}{number}" if tense and number and person in "123" else None


def changed_verb(token: Token, change: Callable[[str], str]) -> Edit | None:
    """The edit that gives a finite verb what its code becomes; None where that is not known, or looks alike."""
    code = finite_code(token)
    new = other_form(token.text, code, change(code)) if code is not None else None
    return replaced_word(token, new) if new is not None and new != token.text.lower() else None


def other_form(word: str, code: str, new: str) -> str | None:
    """The form of the same verb with another code, a joined particle kept; None where the verb is unknown.

    >>> other_form("ankommt", "p3s", "p3p"), other_form("ist", "p3s", "t3s")
    ('ankommen', 'war')
    """
    low = word.lower()
    verbs = [r for r in readings(low) if r.pos == "V"]
    # Treebanks do not always tell subjunctive and indicative apart: fall back on any tense with the person.
    # dachte is of denken, not of dachen: of two verbs the irregular one is the commoner.
    exact = sorted((r for r in verbs if code in r.codes), key=lambda r: (r.lemma != low, _is_regular(r.lemma)))
    for reading in exact or [r for r in verbs if any(c[1:] == code[1:] for c in r.codes if len(c) == 3)]:
        if code not in reading.codes:
            own = min(
                (c for c in reading.codes if len(c) == 3 and c[1:] == code[1:]), key=lambda c: "ptkc".index(c[0])
            )
            new = own[0] + new[1:] if new[0] == code[0] else new
        form = verb_forms(reading.lemma).get(new)
        if form and "ß" in reading.lemma and new[0] in "pk":
            form = form.replace("ss", "ß")
        if form:
            return reading.feature + form
    return None


def _is_regular(lemma: str) -> bool:
    forms = verb_forms(lemma)
    base = lemma[len(forms.get("particle", "")) :]
    stem = base.removesuffix("n").removesuffix("e")
    return (forms.get("t3s") or f"{stem}te").replace("ß", "ss") in (f"{stem}te".replace("ß", "ss"), f"{stem}ete")


def imperative(verb: str) -> str | None:
    """The singular imperative of a verb, without its particle.

    >>> imperative("kommen"), imperative("warten"), imperative("geben"), imperative("fahren"), imperative("lesen")
    ('komm', 'warte', 'gib', 'fahr', 'lies')
    >>> imperative("verteidigen"), imperative("überfallen")
    ('verteidige', 'fall')
    """
    irregular = {"sein": "sei", "haben": "hab", "werden": "werde", "wissen": "wisse", "tun": "tu"}
    if verb in irregular:
        return irregular[verb]
    second = verb_forms(verb).get("p2s")
    stem = verb.removeprefix(verb_forms(verb).get("particle", "")).removesuffix("n").removesuffix("e")
    if not second or not second.endswith("t"):
        return None
    if second == f"{stem}est":
        return second[:-2]
    changed = second[:-1] if stem[-1] in "sßzx" else second[:-2]
    if any(a in changed and a not in stem for a in "äö"):
        return stem  # du fährst: fahr
    return changed + "e" if verb.endswith(("eln", "ern", "igen")) and changed == stem else changed
