"""Formality: the polite *Sie* becomes *du* with its verbs and pronouns, or the reverse; all of them or none."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    IMPERATIVES,
    LISTS,
    changed_verb,
    clause_around,
    finite_code,
    finite_verbs,
    imperative,
    is_polite_request,
    subject_of,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import Edit, all_or_none, like, opens_sentence
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import readings, verb_forms

_ENDINGS = ("", "e", "en", "em", "er", "es")
_FAMILIAR = {"ihnen": "dir", **{"ihr" + e: "dein" + e for e in _ENDINGS}}
_POLITE = {"dir": "Ihnen", "dich": "Sie", **{"dein" + e: "Ihr" + e for e in _ENDINGS}}


@error("formality")
def formality(sentence: Sentence) -> Iterator[Candidate]:
    """The polite address becomes the familiar one, or the reverse.

    Sie inside a sentence is the subject of a verb and becomes du. Its verbs become second person singular, and all
    forms of Sie and Ihr change. du becomes Sie in the same way. Reflexive pronouns become dich, or dir if there is an
    object (dir das Kennwort merken). In the other direction they become sich. The sentence does not change if Sie is
    an object, a verb is not in the lexicon, or the text has both forms of address. Requests change too (Kommen Sie
    bitte, Komm bitte), except those with du. Sie at the start of a sentence does not change, because it may mean she,
    they or you. If the sentence has neither Sie nor sich, Ihnen and Ihr inside it change alone: Das zeige ich dir.
    `build errors` requires that two of the 30 surrounding lines have the same address and none has the other, or that
    the source shows it (sir, honey).

    - Wissen Sie, was Ihnen fehlt? → Weißt du, was dir fehlt?
    - Heute kommst du mit deinem Hund. → Heute kommen Sie mit Ihrem Hund.
    - Er weiß, dass Sie sich das Wort merken. → Er weiß, dass du dir das Wort merkst.
    """
    lows = {token.text.lower() for token in sentence.tokens}
    said = doubts(several=bool(lows & LISTS["several"])) + flags(
        small_sie=any(t.text in ("sie", *_FAMILIAR) for t in sentence.tokens)
    )
    for edits in (_to_familiar(sentence), _to_polite(sentence)):
        if edits:
            yield candidate(sentence, edits, chain=len(edits) > 2, features=said)


def _to_familiar(sentence: Sentence) -> list[Edit]:
    tokens = sentence.tokens
    verbs: dict[int, int] = {}
    for i in finite_verbs(sentence):
        subject = subject_of(sentence, i, shared=True)
        if subject is not None and tokens[subject].text == "Sie":
            if opens_sentence(sentence, subject):
                return []  # she, they or you
            verbs[i] = subject
    requests = {i: subject for i, subject in verbs.items() if is_polite_request(sentence, i, subject)}
    if any(_may_be_statement(sentence, i) for i in requests):
        return []
    edits = [
        _imperative(tokens[i]) if i in requests else changed_verb(tokens[i], lambda code: code[0] + "2s")
        for i in verbs
    ]
    if _hides_a_verb(sentence, verbs) or (not edits and not _is_only_object(sentence)):
        return []
    for i, token in enumerate(tokens):
        low = token.text.lower()
        if token.text == "Sie":  # an object, or a subject whose verb was not found: all or nothing
            edit = (tokens[i - 1].end, token.end, "") if i in requests.values() else (token.start, token.end, "du")
            edits.append(edit if i in verbs.values() else None)
        elif low == "sich":
            edits.append(_own_reflexive(sentence, i, verbs))
        elif token.text[:1] == "I" and low in _FAMILIAR:
            new = _FAMILIAR[low]
            edits.append((token.start, token.end, like("I", new) if opens_sentence(sentence, i) else new))
    return all_or_none(edits)


def _is_only_object(sentence: Sentence) -> bool:
    """*Das zeige ich Ihnen*: is nobody addressed but in words that no verb agrees with?"""
    tokens = sentence.tokens
    forms = [i for i, t in enumerate(tokens) if t.text[:1] == "I" and t.text.lower() in _FAMILIAR]
    if any(opens_sentence(sentence, i) for i in forms):
        return False  # hers, theirs or yours
    return all(t.text not in ("Sie", "sich") for t in tokens)


def _may_be_statement(sentence: Sentence, verb: int) -> bool:
    """*Wenn Sie klicken, sehen Sie …*: behind a subordinate clause a request and a statement look alike."""
    tokens = sentence.tokens
    return verb > 0 and tokens[verb - 1].text == "," and any(t.tag in ("KOUS", "KOUI") for t in tokens[:verb])


def _to_polite(sentence: Sentence) -> list[Edit]:
    tokens = sentence.tokens
    verbs = [i for i in finite_verbs(sentence) if (finite_code(tokens[i]) or "")[1:] == "2s"]
    subjects = {subject_of(sentence, i, shared=True) for i in verbs}
    named = {i for i, token in enumerate(tokens) if token.text.lower() == "du"}
    if not named or subjects - {None} != named or any(_is_request(sentence, i) for i in range(len(tokens))):
        return []
    edits = [changed_verb(tokens[i], lambda code: code[0] + "3p") for i in verbs]
    for i, token in enumerate(tokens):
        low = token.text.lower()
        own = named & set(clause_around(sentence, i)) or _is_infinitive(sentence, i)
        if i in named:
            edits.append((token.start, token.end, "Sie"))
        elif low in ("dich", "dir"):
            edits.append((token.start, token.end, "sich" if own else _POLITE[low]))
        elif token.text == "Sie" and not opens_sentence(sentence, i):
            return []  # the text has the other address already
        elif low.startswith("dein"):
            edits.append((token.start, token.end, _POLITE[low]) if low in _POLITE else None)
    return all_or_none(edits)


def _is_infinitive(sentence: Sentence, i: int) -> bool:
    """*Versuchst du, dich zu erinnern?*: a clause without a verb of its own has the subject of the one above it."""
    clause = [sentence.tokens[k] for k in clause_around(sentence, i)]
    return any(t.tag in ("PTKZU", "VVIZU") for t in clause) and not any(t.tag.endswith("FIN") for t in clause)


def _imperative(token: Token) -> Edit | None:
    """*Kommen Sie* → *Komm*."""
    found = next((r for r in readings(token.text.lower()) if r.pos == "V" and "i" in r.codes), None)
    form = imperative(found.lemma) if found is not None else None
    # Überprüfen Sie: a particle that stands with its verb here is none.
    return (token.start, token.end, like(token.text, found.feature + form)) if found and form else None


def _own_reflexive(sentence: Sentence, place: int, verbs: dict[int, int]) -> Edit | None:
    """*sich* of a converted verb: dir with sein (sich sicher sein) and some verbs, else dich."""
    tokens, clause = sentence.tokens, clause_around(sentence, place)
    if not set(clause) & {*verbs, *verbs.values()}:
        return None
    lemmas = {r.lemma for k in clause for r in readings(tokens[k].text.lower()) if r.pos == "V"}
    lemmas |= {tokens[k].text + lemma for k in clause if tokens[k].tag == "PTKVZ" for lemma in lemmas}
    dative = lemmas & (LISTS["reflexive_dative"] | {"sein"})
    return tokens[place].start, tokens[place].end, "dir" if dative else "dich"


def _hides_a_verb(sentence: Sentence, verbs: dict[int, int]) -> bool:
    """Is a verb beside Sie not among those found?"""
    tokens = sentence.tokens
    beside = {k for subject in verbs.values() for k in (subject - 1, subject + 1)} - set(verbs)
    near = [tokens[k] for k in beside if 0 <= k < len(tokens)]
    return any(t.pos in ("VERB", "AUX") and t.tag != "VVPP" for t in near)


def _is_request(sentence: Sentence, i: int) -> bool:
    """*Gib mir …*, *Hör mal, …*: *sei*, or a verb's bare stem where a clause begins."""
    token = sentence.tokens[i]
    if token.text == "sei":
        return True
    if i and sentence.tokens[i - 1].pos not in ("PUNCT", "CCONJ"):
        return False
    after = sentence.tokens[i + 1].text.lower() if i + 1 < len(sentence.tokens) else ""
    low = token.text.lower()
    if after in ("ich", "er", "sie", "es", "man", "du") or token.pos in ("PRON", "SCONJ", "CCONJ", "NOUN", "ADV"):
        return False
    stems = {low + "en", low + "n", low.removesuffix("e") + "en", low.removesuffix("e") + "n"}
    return low in IMPERATIVES or any(verb_forms(stem) for stem in stems)
