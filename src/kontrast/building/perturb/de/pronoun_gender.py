"""The gender of a German third-person pronoun changed: er, sie, es in any case, possessives with them in a chain."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from kontrast.building.perturb.de.antecedent_doubts import (
    has_plural,
    is_asked,
    is_of_either,
    is_of_the_whole,
    is_said_already,
    may_be_name,
    may_be_unknown,
    means_another,
)
from kontrast.building.perturb.de.grammar import finite_verbs, subject_of
from kontrast.building.perturb.de.other_subjects import EITHER_CASE
from kontrast.building.perturb.de.pronoun_uses import Case, cases, is_certain, is_named, is_plural
from kontrast.building.perturb.nouns_before import fits_another, has_article, is_decided
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.german.es import bare_nouns
from kontrast.language.german.plain import (
    BEING,
    OPENERS,
    SUBJECTS,
    PlainWord,
    clause,
    finite_persons,
    lemmas,
    opens,
    persons,
    split,
)
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import CLOSED, DETERMINERS, PREPOSITION_CASES

__all__ = ["GENDERS", "Gender", "Mention", "changed", "mentions_in", "perturbation"]

Gender = Literal["m", "f", "n"]
GENDERS: tuple[Gender, ...] = ("m", "f", "n")

_FORMS: dict[Case, dict[Gender, str]] = {
    "nom": {"m": "er", "f": "sie", "n": "es"},
    "acc": {"m": "ihn", "f": "sie", "n": "es"},
    "dat": {"m": "ihm", "f": "ihr", "n": "ihm"},
}
_WRONG_CASE = {"er": "ihn", "ihn": "er"}
_DATIVE = frozenset(word for word, cases in PREPOSITION_CASES.items() if "d" in cases) - {"als", "wie"}
_MEANING = frozenset(("bedeuten", "heißen", "besagen"))
_OTHER_SUBJECTS = SUBJECTS | EITHER_CASE | {"der"}
_POSSESSIVE = re.compile(r"(sein|ihr)(e|en|em|er|es)?", re.IGNORECASE)


class Mention(msgspec.Struct, frozen=True):
    """A pronoun that may change: the genders it may have now, its case, and whether both are certain."""

    word: PlainWord
    clause: tuple[int, int]
    genders: tuple[Gender, ...]
    case: Case
    sure: bool = True


def mentions_in(words: Sequence[PlainWord], one: Collection[int] = ()) -> list[Mention]:
    """Every pronoun of a text that may change, once for each case it may have.

    ``one`` are places of *sie* that stands for one thing, as the source says.
    """
    return list(_mentions(words, one))


def _mentions(words: Sequence[PlainWord], one: Collection[int]) -> Iterator[Mention]:
    for i, word in enumerate(words):
        low = word.low
        if word.text[0].isupper() and not opens(words, i) and low.startswith(("sie", "ihr")):
            continue  # the polite address
        if low == "er" and _is_identified(words, i):
            continue
        if low == "er":
            yield Mention(word, clause(words, i), ("m",), "nom", not is_named(words, i))
        elif low == "ihn":
            yield Mention(word, clause(words, i), ("m",), "acc")
        elif low == "ihm":
            yield Mention(word, clause(words, i), ("m", "n"), "dat")
        elif low == "ihr" and _is_dative(words, i):
            yield Mention(word, clause(words, i), ("f",), "dat")
        elif low == "es" or (low == "sie" and (word.start in one or not is_plural(words, i))):
            gender: Gender = "f" if low == "sie" else "n"
            sure = is_certain(words, i)
            for case in cases(words, i):
                yield Mention(word, clause(words, i), (gender,), case, sure)
        elif (match := _POSSESSIVE.fullmatch(low)) and low not in ("seit", "sein") and _is_possessive(words, i):
            yield Mention(word, clause(words, i), ("f",) if match[1] == "ihr" else ("m", "n"), "poss")


def _is_identified(words: Sequence[PlainWord], i: int) -> bool:
    """*Er ist es*: who it is."""
    following = [w.low for w in words[i + 1 : i + 3]]
    return len(following) == 2 and following[0] in BEING and following[1] == "es"


def _is_possessive(words: Sequence[PlainWord], i: int) -> bool:
    """A possessive stands before a noun, with nothing but an adjective between them."""
    following = words[i + 1 : i + 4]
    return any(w.text[0].isupper() for w in following[:1]) or (
        len(following) > 1
        and following[0].low.isalpha()
        and following[0].low not in DETERMINERS  # die Kredite, die ihr die Bank gab
        and following[1].text[0].isupper()
    )


def _is_dative(words: Sequence[PlainWord], i: int) -> bool:
    if _is_possessive(words, i):
        return False
    before = words[i - 1].low if i else ""
    if "2p" in persons(before):
        return False  # habt ihr, kommt ihr
    if before in _DATIVE:
        return True
    if "2p" in finite_persons(words, i) and "3s" not in finite_persons(words, i):
        return False  # was immer ihr mögt
    if "2p" in finite_persons(words, i) and not _has_other_subject(words, i):
        return False  # das Haus, in dem ihr wohnt
    return before.isalpha() and before not in OPENERS


def _has_other_subject(words: Sequence[PlainWord], i: int) -> bool:
    """Is there a subject besides *ihr* in its clause: a pronoun, or a noun behind no preposition?"""
    start, end = clause(words, i)
    lows = {words[j].low for j in range(start, end + 1) if j != i}
    return bool(lows & _OTHER_SUBJECTS) or bool(bare_nouns(words, start, end, i)) or _is_noun(words, start)


def _is_noun(words: Sequence[PlainWord], i: int) -> bool:
    return words[i].text[0].isupper() and words[i].low not in CLOSED and not persons(words[i].low)


def changed(mention: Mention, gender: Gender) -> tuple[int, int, str] | None:
    """The edit that gives a mention the gender; None where its form stays."""
    word = mention.word
    if mention.case == "poss":
        match = _POSSESSIVE.fullmatch(word.low)
        assert match is not None
        new = ("ihr" if gender == "f" else "sein") + (match[2] or "")
    else:
        new = _FORMS[mention.case][gender]
    return None if new == word.low else (word.start, word.end, like(word.text, new))


def _regendered(sentence: Sentence) -> Iterator[Candidate]:
    words = split(sentence.text)
    mentions = mentions_in(words)
    for mention in mentions:
        if mention.case == "poss":
            continue
        for gender in GENDERS:
            if gender not in mention.genders and (edit := changed(mention, gender)):
                weak = not mention.sure or not _parsed_alike(sentence, mention)
                weak = weak or _fits_another(sentence, words, mention, gender)
                weak = weak or gender == "n" or not _is_decided(sentence, words, mention, gender)
                weak = weak or is_said_already(words, mention.word, edit[2])
                yield (good := candidate("pronoun_gender", sentence, [edit], weak=weak))
                # As published sets do it: er where ihn belongs, and no capital at the start.
                for form in {edit[2].lower(), _WRONG_CASE.get(edit[2].lower(), "")} - {edit[2], ""}:
                    yield candidate("pronoun_gender", sentence, [(*edit[:2], form)], repaired=good.text)
    yield from _chains(sentence, words, mentions)


def _parsed_alike(sentence: Sentence, mention: Mention) -> bool:
    """Does the annotation agree: a subject with a verb in the singular, or an object?

    *bevor sie geleitet werden*: geleitet may be a finite verb by its form, but the annotation knows better.
    """
    place = next((k for k, t in enumerate(sentence.tokens) if t.start == mention.word.start), None)
    if place is not None and mention.word.text[0].isupper() and not opens_sentence(sentence, place):
        return False  # laden Sie Ihn: with Sie it would be the polite address
    if place is None or not any(t.relation for t in sentence.tokens):
        return True
    verbs = [sentence.tokens[v] for v in finite_verbs(sentence) if subject_of(sentence, v) == place]
    if mention.case == "nom":
        told = bool(verbs) or mention.word.low == "er"  # wo Ihr Server sie benötigt
        return told and all(v.morph.get("Number") != "Plur" for v in verbs)
    return not verbs


def _is_decided(sentence: Sentence, words: Sequence[PlainWord], mention: Mention, gender: Gender) -> bool:
    """Does the sentence or its source tell the pronoun's gender?

    Not the noun in *Ein positiver Winkel bedeutet, dass er steigt*: what it means is said of something else.
    """
    for k in range(3, mention.clause[0] + 1):
        if words[k].low == "dass" and lemmas(words[k - 2].low) & _MEANING and words[k - 3].text[0].isupper():
            return False
    return is_decided(sentence, mention.word.start, mention.genders, _alike(mention, gender), "de")


def _alike(mention: Mention, gender: Gender) -> list[Gender]:
    """The genders that have the form: ihm is m and n."""
    forms = _FORMS.get(mention.case, {})
    return [other for other in GENDERS if other == gender or (forms and forms[other] == forms[gender])]


def _fits_another(sentence: Sentence, words: Sequence[PlainWord], mention: Mention, gender: Gender) -> bool:
    """*ein Verfahren, so dass er mit ihr*: would the foil stand for a noun of a clause before? ihm is m and n."""
    end = words[mention.clause[0]].start
    first, place = mention.clause[0], words.index(mention.word)
    if may_be_name(sentence, end) or means_another(sentence, words, first, mention.genders):
        return True
    if is_of_the_whole(words, first) or is_asked(words, first, place) or is_of_either(sentence.source, words, place):
        return True
    if gender == "f" and mention.case == "acc" and has_plural(sentence, end):
        return True  # sie may be they
    if any(fits_another(sentence, end, other, "de") for other in _alike(mention, gender)):
        return True
    return any(may_be_unknown(sentence, end, other) for other in _alike(mention, gender))


def _are_several(sentence: Sentence, mentions: Sequence[Mention], gender: Gender) -> bool:
    """*Wenn der Roboter zum Server kommt, kann er lesen, was er enthält*: each may mean another noun."""
    end = max(m.word.start for m in mentions)
    before = [t for t in sentence.tokens if t.end <= end]
    nouns = {t.text for i, t in enumerate(before) if t.pos == "NOUN" and has_article(before, i)}
    return sum(any(r.feature == gender for r in usual_readings(noun)) for noun in nouns) > 1


def _chains(sentence: Sentence, words: Sequence[PlainWord], mentions: Sequence[Mention]) -> Iterator[Candidate]:
    """All mentions of one gender together: with possessives, and pronouns alone."""
    for now in GENDERS:
        pronouns = [m for m in mentions if now in m.genders and m.case != "poss"]
        owners = [m for m in mentions if now in m.genders and m.case == "poss"]
        places = {m.clause for m in pronouns}
        for gender in GENDERS:
            if gender == now or not pronouns:
                continue
            for chosen in ([*pronouns, *owners], pronouns):
                readings: dict[int, list[tuple[int, int, str]]] = {}
                for mention in chosen:
                    if edit := changed(mention, gender):
                        readings.setdefault(mention.word.start, []).append(edit)
                if len(readings) < 2:
                    continue
                # Where the case is open the first reading is taken for all, then the last.
                for pick in (0, -1):
                    edits = [several[pick] for several in readings.values()]
                    sure = all(m.sure and (m.case != "poss" or m.clause in places) for m in chosen)
                    sure = sure and all(m.case == "poss" or _parsed_alike(sentence, m) for m in chosen)
                    first = min(chosen, key=lambda m: m.word.start)
                    weak = not sure or _fits_another(sentence, words, first, gender)
                    weak = weak or gender == "n" or not _is_decided(sentence, words, pronouns[0], gender)
                    weak = weak or (len(pronouns) > 1 and _are_several(sentence, pronouns, now))
                    good = candidate("pronoun_gender", sentence, edits, chain=True, weak=weak)
                    if _at_odds(chosen):
                        single = candidate("pronoun_gender", sentence, edits[:1])
                        yield candidate("pronoun_gender", sentence, edits, chain=True, repaired=single.text)
                        continue
                    yield good
                    lowered = [(start, end, new.lower()) for start, end, new in edits]
                    for plain in (lowered, [edits[0], *lowered[1:]]):
                        yield candidate("pronoun_gender", sentence, plain, chain=True, repaired=good.text)


def _at_odds(mentions: Sequence[Mention]) -> bool:
    """Two pronouns of one clause (er sieht ihn) do not mean the same: no chain but as published sets made them."""
    seen: dict[tuple[int, int], int] = {}
    pronouns = [m for m in mentions if m.case != "poss"]
    return any(seen.setdefault(m.clause, m.word.start) != m.word.start for m in pronouns)


perturbation = Perturbation(
    name="pronoun_gender",
    language="de",
    summary="the gender of a third-person pronoun is changed",
    conditions=(
        "er, sie, es; ihn, sie, es; ihm, ihr, ihm: each becomes the two others of its case, one mention at a time.",
        "Chains change all mentions of one gender together, with the possessives sein, ihr and without them.",
        "The polite Sie and the plural sie stay as they are.",
        "Where a clause does not tell the case of sie or es, both readings are given; these, and es that may stand "
        "for nothing or a sentence (es gibt, ich weiß es), are weak: not chosen.",
        "Weak too: a foil of the gender of a noun with an article in the clauses before, or behind a name, which it "
        "might stand for; er oder sie, or he or she in the source; "
        "a pronoun that rather means another thing than the noun before it (Du brauchst ein Messer, "
        "um es zu öffnen; den Ort, den er enthält; soweit ich es sehe); "
        "a pronoun that the annotation takes for a plural or for another case; es in place of another, which may "
        "stand for what was said before, or for a child or an animal; a capital within a sentence (laden Sie Ihn); "
        "two pronouns in a chain behind two nouns of their gender, each of which may mean another.",
        "Chosen only where the gender is told: by he or she in the source, or by a noun of a clause before, with no "
        "noun of the foil's gender before the pronoun.",
    ),
    examples=(
        Example("Sie schallt mir aus Höhen.", "Er schallt mir aus Höhen."),
        Example("Ich habe ihn gesehen.", "Ich habe es gesehen."),
        Example("Er hat seinen Schlüssel, aber er ist alt.", "Sie hat ihren Schlüssel, aber sie ist alt."),
        Example("Können Sie mir helfen?", None),
    ),
    function=_regendered,
)
