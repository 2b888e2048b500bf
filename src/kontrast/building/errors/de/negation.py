"""Polarity: *nicht* is taken out, *kein* becomes *ein* or goes, *ein* becomes *kein*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    LISTS,
    NEGATIVE,
    clause_around,
    companions,
    finite_verbs,
    sentence_around,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.building.errors.text import deletion, opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings

_NEAR = 4
"""Words between a negation and what it goes badly with."""


def polarity_particle_nicht_del(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text not in ("nicht", "Nicht", "NICHT"):
            continue
        first, last = companions(sentence, i)
        said = negation_features(sentence, i)
        alone = (*said, "companion_left") if (first, last) != (i, i) else said
        yield candidate("polarity_particle_nicht_del", sentence, deletion(sentence, i), features=alone)
        if (first, last) != (i, i):
            yield candidate("polarity_particle_nicht_del", sentence, deletion(sentence, first, last), features=said)


def negation_features(sentence: Sentence, i: int) -> tuple[str, ...]:
    """What may keep a sentence from turning round without its negation: questions, fragments, a second negation."""
    tokens, finite = sentence.tokens, set(finite_verbs(sentence))
    clause, whole = clause_around(sentence, i), sentence_around(sentence, i)
    words = [k for k in whole if tokens[k].pos not in ("PUNCT", "CCONJ", "INTJ") and tokens[k].text[0].isalnum()]
    behind = {tokens[k].text.lower() for k in whole if k > i}
    near = {tokens[k].text.lower() for k in clause if abs(k - i) <= _NEAR and k != i}
    after = tokens[i + 1].text.lower() if i + 1 < len(tokens) else ""
    opener = tokens[clause[0]].text.lower()
    return doubts(corrected="sondern" in behind) + flags(
        asks_yes_or_no=tokens[whole[-1]].text == "?" and bool(words) and words[0] in finite,
        no_finite_verb=not any(k in finite for k in clause),
        no_verb=not any(tokens[k].pos in ("VERB", "AUX") for k in clause),
        verb_before=any(k in finite for k in clause if k < i),
        second_negation=any(tokens[k].text.lower() in NEGATIVE for k in clause if k != i),
        or_not="oder" in {t.text.lower() for t in tokens[max(0, i - 2) : i]},
        ends_clause=i == clause[-1],
        opens_clause=i == clause[0],
        bound=after in LISTS["bound_to_nicht"],
        contrasted=i > 0 and tokens[i - 1].text.lower() in (",", "und", "aber", "jedoch", "oder", "–", "-"),
        resists=bool(near & LISTS["resists_negation"]),
        bound_opener=opener in LISTS["open_without_negation"] and opener not in ("was", "wer"),
        noch_before="noch" in near,
        fragment=len(words) <= 3 and not any(k in finite for k in whole),
    )


_KEIN = frozenset(("kein", "keine", "keinen", "keinem", "keiner", "keines"))
_MASS, _ONLY_NEGATED = frozenset(LISTS["mass"]), frozenset(LISTS["only_negated"])

Edit = tuple[int, int, str]


def polarity_particle_kein_del(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text.lower() not in _KEIN:
            continue
        edit = replaced_word(token, token.text[1:].lower())
        head = token.head if token.relation.startswith("det") and token.head > i else None
        said = (*negation_features(sentence, i), *_noun_features(sentence, i, head))
        better = _better(sentence, i, head, edit)
        left = ("something_left",) if better else ()
        yield candidate("polarity_particle_kein_del", sentence, [edit], features=(*said, *left))
        if better:
            yield candidate("polarity_particle_kein_del", sentence, better, features=(*said, "more_changed"))


def _noun_features(sentence: Sentence, i: int, head: int | None) -> tuple[str, ...]:
    if head is None:
        return ("no_noun",)
    noun = sentence.tokens[head]
    found = [r for r in noun_readings(noun.text) if not r.rare]
    codes = {code[:2] for r in found for code in r.codes}
    plural = noun.morph.get("Number") == "Plur"
    return flags(
        only_negated=noun.text in _ONLY_NEGATED,
        unknown_noun=not found,
        plural=plural,
        plural_too=not plural and bool(codes & {"np", "ap"}),
        mass=any(noun.text.endswith((mass, mass.lower())) for mass in _MASS if len(mass) > 3),
        state=noun.text.endswith(("heit", "keit", "ung")),
        part_of_compound=sentence.tokens[i + 1].text.endswith("-"),
    )


def _better(sentence: Sentence, i: int, head: int | None, edit: Edit) -> list[Edit] | None:
    """The edits where k- alone is not enough: no article before plurals and masses, no *noch*, *gar*, *mehr* left."""
    tokens = sentence.tokens
    first, _ = companions(sentence, i)
    more = _mehr_after(sentence, i if head is None else head)
    noun = tokens[head] if head is not None else None
    bare = noun is not None and (noun.morph.get("Number") == "Plur" or noun.text in _MASS)
    if first == i and more is None and not bare:
        return None
    edits = deletion(sentence, more) if more is not None else []
    if not bare or noun is None or head is None:
        return [*edits, edit, *([(tokens[first].start, tokens[i].start, "")] if first < i else [])]
    low = tokens[i].text.lower()
    for adjective in (t for t in tokens[i + 1 : head] if t.pos == "ADJ"):
        if adjective.text.endswith("en") and low == "keine":
            edits.append((adjective.end - 1, adjective.end, ""))  # keine guten Leute: gute Leute
        elif low in ("keinem", "keiner"):
            return None
    codes = {code for r in noun_readings(noun.text) for code in r.codes if code[:2] in ("np", "ap")}
    if low == "keine" and codes and all(code.endswith("2") for code in codes):
        edits.append((noun.end - 1, noun.end, ""))  # keine Handelnden: Handelnde
    return [*edits, *deletion(sentence, first, i)]


def _mehr_after(sentence: Sentence, head: int) -> int | None:
    """The *mehr* of *kein Geld mehr*, in the same clause."""
    tokens = sentence.tokens
    verbs, finite = 0, set(finite_verbs(sentence))
    for k in range(head + 1, min(head + 6, len(tokens))):
        verbs += k in finite
        if tokens[k].pos in ("PUNCT", "CCONJ", "SCONJ") or verbs > 1:
            return None
        if tokens[k].text == "mehr":
            return None if k + 1 < len(tokens) and tokens[k + 1].text == "als" else k
    return None


_EIN = frozenset(("ein", "eine", "einen", "einem", "einer", "eines"))
_ANAPHORS = {"Masc": ("er", "ihn", "ihm", "sein"), "Fem": ("sie", "ihr"), "Neut": ("es", "ihm", "sein")}


def polarity_particle_kein_ins(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if token.text.lower() not in _EIN or not token.relation.startswith("det") or token.head <= i:
            continue
        after = tokens[token.head + 1 : token.head + 3]
        said = flags(
            taken_up=_is_taken_up(sentence, i),
            taken_up_next=_is_taken_up(sentence, i, soon=True),
            joined=bool(after) and after[0].pos == "CCONJ",
            within_phrase=i > 0 and tokens[i - 1].pos in ("NOUN", "PROPN", "ADP"),
            adverbial=i > 0 and tokens[i - 1].pos == "ADP",
            genitive=token.text.lower() in ("eines", "einer")
            and i > 0
            and tokens[i - 1].pos in ("NOUN", "PROPN", "DET"),
            compared=i > 0 and tokens[i - 1].text.lower() in ("als", "wie"),
            numbered=any(
                t.text.lower() in ("andere", "anderer", "anderen", "anderes", "zwei") for t in tokens[i + 1 :]
            ),
            measure=tokens[token.head].text
            in ("Tages", "Mal", "Art", "Weile", "Blick", "Reihe", "Teil", "Großteil", "Paar", "Moment"),
        )
        said += negation_features(sentence, i)
        against = {"second_negation", "asks_yes_or_no", "no_finite_verb", "doubt.corrected", "fragment"}
        said += flags(clear=not (set(said) & {*against, "taken_up", "joined", "within_phrase", "adverbial"}))
        edits = [replaced_word(token, "k" + token.text.lower())]
        yield candidate("polarity_particle_kein_ins", sentence, edits, features=said)


def _is_taken_up(sentence: Sentence, i: int, *, soon: bool = False) -> bool:
    """*nimmt einen Brocken auf und legt ihn ab*: what is not there is not spoken of again; ``soon``: by a pronoun
    that opens the next clause or stands behind its verb."""
    tokens = sentence.tokens
    noun = tokens[tokens[i].head]
    forms = tuple(
        form for gender, forms in _ANAPHORS.items() if gender in noun.morph.get("Gender", "") for form in forms
    )
    for k in range(tokens[i].head + 1, len(tokens)):
        before = tokens[k - 2 : k]
        if soon and not (tokens[k].text.lower() in forms and any(t.pos in ("PUNCT", "CCONJ") for t in before)):
            continue
        small = tokens[k].text.islower() or opens_sentence(sentence, k)  # not the polite Ihr
        if small and forms and tokens[k].pos in ("PRON", "DET") and tokens[k].text.lower().startswith(forms):
            return True
        if tokens[k].text == noun.text:
            return True
    return False
