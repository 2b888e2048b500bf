"""Polarity: *nicht* is taken out, *kein* becomes *ein* or goes, *ein* becomes *kein*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    LISTS,
    NEGATIVE,
    clause_around,
    companions,
    finite_verbs,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.building.errors.text import deletion, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings
from kontrast.language.words import word_set

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
    """What may keep a sentence from turning round without its negation: a correction, a second negation, an idiom."""
    tokens, finite = sentence.tokens, set(finite_verbs(sentence))
    clause = clause_around(sentence, i)
    near = {tokens[k].text.lower() for k in clause if abs(k - i) <= _NEAR and k != i}
    after = tokens[i + 1].text.lower() if i + 1 < len(tokens) else ""
    opener = tokens[clause[0]].text.lower()
    return doubts(corrected=any(t.text == "sondern" for t in tokens[i:])) + flags(
        verb_before=any(k in finite for k in clause if k < i),
        second_negation=any(tokens[k].text.lower() in NEGATIVE for k in clause if k != i),
        or_not="oder" in {t.text.lower() for t in tokens[max(0, i - 2) : i]},
        ends_clause=i == clause[-1],
        opens_clause=i == clause[0],
        bound=after in LISTS["bound_to_nicht"],
        contrasted=i > 0 and tokens[i - 1].text.lower() in (",", "und", "aber", "jedoch", "oder", "–", "-"),
        resists=bool(near & LISTS["resists_negation"]),
        bound_opener=opener in LISTS["open_without_negation"] and opener not in ("was", "wer"),
    )


_KEIN = word_set("de", "negation_kein")

Edit = tuple[int, int, str]


def polarity_particle_kein_del(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text.lower() not in _KEIN:
            continue
        edit = replaced_word(token, token.text[1:].lower())
        head = token.head if token.relation.startswith("det") and token.head > i else None
        said = (*negation_features(sentence, i), *_noun_features(sentence.tokens[head].text if head else ""))
        better = _better(sentence, i, head, edit)
        left = ("something_left",) if better else ()
        yield candidate("polarity_particle_kein_del", sentence, [edit], features=(*said, *left))
        if better:
            yield candidate("polarity_particle_kein_del", sentence, better, features=(*said, "more_changed"))


def _noun_features(noun: str) -> tuple[str, ...]:
    return flags(
        mass=any(noun.endswith((mass, mass.lower())) for mass in LISTS["mass"] if len(mass) > 3),
        state=noun.endswith(("heit", "keit", "ung")),
    )


def _better(sentence: Sentence, i: int, head: int | None, edit: Edit) -> list[Edit] | None:
    """The edits where k- alone is not enough: no article before plurals and masses, no *noch*, *gar*, *mehr* left."""
    tokens = sentence.tokens
    first, _ = companions(sentence, i)
    more = _mehr_after(sentence, i if head is None else head)
    noun = tokens[head] if head is not None else None
    bare = noun is not None and (noun.morph.get("Number") == "Plur" or noun.text in LISTS["mass"])
    bare = bare and (tokens[i].text.lower() != "keiner" or tokens[i - 1].pos == "ADP")  # nobody, before a noun
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


_EIN = word_set("de", "negation_ein")


def polarity_particle_kein_ins(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if token.text.lower() not in _EIN or not token.relation.startswith("det") or token.head <= i:
            continue
        before = tokens[i - 1].pos if i else ""
        said = flags(
            adverbial=before == "ADP",
            genitive=token.text.lower() in ("eines", "einer") and before in ("NOUN", "PROPN", "DET"),
        )
        edits = [replaced_word(token, "k" + token.text.lower())]
        features = (*said, *negation_features(sentence, i))
        yield candidate("polarity_particle_kein_ins", sentence, edits, features=features)
