"""Which words must agree with a French pronoun, and their form for the other gender.

Rules read the words in order, with Lefff as the judge of forms; a parser of this size errs more often than they do.
"""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.french_words import ALL_CLITICS as CLITICS
from kontrast.language.french_words import AVOIR, COPULAS, ETRE, FILLERS, RENDERING, FrenchWord
from kontrast.language.lexicons.lefff import Gender, Number, agreeing, is_finite, is_form, lemmas
from kontrast.language.words import word_set

Change = tuple[int, str]
"""The index of a word and what it becomes."""

_BETWEEN = frozenset((*"aussi - même mêmes tous toutes . …".split(), ","))
_SUBJECTS = word_set("fr", "agreement_subjects")
_BEFORE_VERBS = word_set("fr", "agreement_before_verbs")
_AROUND_ADVERBS = word_set("fr", "agreement_around_adverbs")
_ARTICLES = word_set("fr", "agreement_articles")
_QUANTIFIERS = {("m", "p"): "tous", ("f", "p"): "toutes"}
_SELF = {("m", "s"): "lui", ("f", "s"): "elle", ("m", "p"): "eux", ("f", "p"): "elles"}


def with_subject(words: Sequence[FrenchWord], pronoun: int, gender: Gender, number: Number) -> list[Change]:
    """Changes behind a subject that takes ``gender`` from now on: predicates, participles with être, *tous* …"""
    at = verb_of(words, pronoun)
    if at is None:
        return []
    verb, start = at
    return _clause(words, verb, start, gender, number)


def verb_of(words: Sequence[FrenchWord], pronoun: int) -> tuple[int, int] | None:
    """The finite verb of a subject, and where the rest of its clause begins."""
    if pronoun >= 2 and words[pronoun - 1].low == "-" and words[pronoun].low in _SUBJECTS:
        verb = pronoun - 2
        if words[verb].low == "t" and verb >= 2:  # a-t-il
            verb -= 2
        return verb, pronoun + 1
    i = pronoun + 1
    while i < len(words) and (words[i].low in CLITICS or words[i].low in _BETWEEN):
        i += 1
    return (i, i + 1) if i < len(words) and words[i].low.isalpha() else None


def _clause(words: Sequence[FrenchWord], verb: int, start: int, gender: Gender, number: Number) -> list[Change]:
    low = words[verb].low
    if low in ETRE:
        return _predicate(words, start, gender, number)
    if low in AVOIR:
        i, quantified = _skip(words, start, gender, number)
        if i < len(words) and words[i].low == "été":
            return quantified + _predicate(words, i + 1, gender, number)
        if [w.low for w in words[i : i + 2]] == ["l'", "air"]:
            return quantified + _predicate(words, i + 2, gender, number)
        if i < len(words) and is_form(words[i].low, "m", "s", "k"):
            return quantified + _after_other_verb(words, i, i + 1, gender, number)
        return quantified
    return _after_other_verb(words, verb, start, gender, number)


def _after_other_verb(
    words: Sequence[FrenchWord], verb: int, start: int, gender: Gender, number: Number
) -> list[Change]:
    """Behind a modal (doivent être cuites), a copula (semble fatiguée), or any verb (vit seule, arrivent tous)."""
    if words[verb].low.startswith(COPULAS):
        return _predicate(words, start, gender, number)
    i, quantified = _skip(words, start, gender, number)
    for j in range(i, min(i + 5, len(words))):
        if words[j].low in ("été", "être", "devenir", "rester", "sembler", "paraître", "demeurer"):
            return quantified + _predicate(words, j + 1, gender, number)
        steps = words[j].low in CLITICS or words[j].low in ("de", "d'", "à") or is_filler(words[j])
        if not steps and not (words[j].low.endswith(("er", "ir", "re", "oir", "é", "és", "ée", "ées", "u", "û"))):
            break
    if i < len(words) and words[i].low in ("seul", "seule", "seuls", "seules"):
        return quantified + _predicate(words, start, gender, number)[len(quantified) :]
    return quantified


def _predicate(words: Sequence[FrenchWord], start: int, gender: Gender, number: Number) -> list[Change]:
    """Adjectives and participles from here on, joined by commas or conjunctions."""
    changes: list[Change] = []
    i = start + (start < len(words) and words[start].low == "ni")  # ni grande ni belle
    joined = True
    while i < len(words) and joined:
        i, quantified = _skip(words, i, gender, number)
        changes += quantified
        if i >= len(words):
            break
        new = _flipped(words[i], gender, number)
        if new is None:
            break
        low = words[i].low
        i += 1
        if new == low:  # the same for both genders: an adjective (faibles et affamées) or an adverb (juste belle)
            joined, i = (True, i) if i < len(words) and words[i].pos in ("ADJ", "VERB") else _coordinated(words, i)
            continue
        changes.append((i - 1, new))
        if low in ("devenu", "devenue", "devenus", "devenues", "resté", "restée", "restés", "restées", "né", "née"):
            continue
        joined, i = _coordinated(words, i)
    return changes


def _flipped(word: FrenchWord, gender: Gender, number: Number) -> str | None:
    if word.low in ("tu", "lui", "une", "un", "tous", "su", "pu") or not word.low.isalpha():
        return None
    return agreeing(word.low, gender, number, "ka" if word.pos in ("VERB", "AUX") else "ak")


def _skip(words: Sequence[FrenchWord], i: int, gender: Gender, number: Number) -> tuple[int, list[Change]]:
    """Past adverbs; floating *tous* and emphatic *eux-mêmes* on the way agree."""
    changes: list[Change] = []
    while i < len(words):
        low = words[i].low
        if low in ("tous", "toutes") and number == "p" and not _article(words, i + 1):
            if low != _QUANTIFIERS[gender, "p"]:
                changes.append((i, _QUANTIFIERS[gender, "p"]))
            i += 1
        elif low in ("lui", "elle", "eux", "elles") and [w.low for w in words[i + 1 : i + 3]] in (
            ["-", "même"],
            ["-", "mêmes"],
        ):
            changes.append((i, _SELF[gender, number]))
            i += 3
        elif is_filler(words[i]):
            i += 1
        else:
            break
    return i, changes


def is_filler(word: FrenchWord) -> bool:
    """An adverb, or what may stand around one: *est (partiellement) transparent*, *prêts et non traduits*."""
    adverb = word.pos == "ADV" and not lemmas(word.low, "ak")
    return adverb or word.low in FILLERS | _AROUND_ADVERBS


def _article(words: Sequence[FrenchWord], i: int) -> bool:
    return i < len(words) and words[i].low in _ARTICLES


def _coordinated(words: Sequence[FrenchWord], i: int) -> tuple[bool, int]:
    """Does another predicate follow: *et belle*, *, belle*, *mais pas belle*, *ni belle*?"""
    j = i
    while j < len(words) and words[j].low in (",", "et", "ou", "mais", "ni", "donc", "puis"):
        j += 1
    if j == i or j == len(words) or words[j].low in _BEFORE_VERBS:
        return False, i
    finite = is_finite(words[j].low) and not lemmas(words[i - 1].low, "k")
    return not finite, j


def with_object(
    words: Sequence[FrenchWord], clitic: int, gender: Gender | None, number: Number
) -> tuple[Gender | None, list[Change]]:
    """Changes behind an object clitic: the participle after avoir, an adjective of the object, floating *tous*.

    ``gender`` is the one the clitic takes from now on; None (*l'*, *les*) means: the opposite of what the agreeing
    words show, which is returned with the changes.
    """
    at = _verb_after_clitic(words, clitic)
    if at is None:
        return gender, []
    verb, start = at
    wanted: tuple[Gender, ...] = (gender,) if gender is not None else ("m", "f")
    for new_gender in wanted:
        changes = _object_changes(words, verb, start, new_gender, number)
        if changes or gender is not None:
            return new_gender, changes
    return None, []


def _object_changes(
    words: Sequence[FrenchWord], verb: int, start: int, gender: Gender, number: Number
) -> list[Change]:
    i, quantified = _skip(words, start, gender, number)
    if words[verb].low in AVOIR and i < len(words):
        new = agreeing(words[i].low, gender, number, "k")
        participle = [(i, new)] if new is not None else []
        return [*quantified, *participle, *_rendered(words, words[i].low, i + 1, gender, number)]
    return quantified + _rendered(words, words[verb].low, i, gender, number)


def _rendered(words: Sequence[FrenchWord], verb: str, start: int, gender: Gender, number: Number) -> list[Change]:
    """*je la trouve belle*, *les manger toutes seules*."""
    i, quantified = _skip(words, start, gender, number)
    if i >= len(words):
        return quantified
    alone = words[i].low in ("seul", "seule", "seuls", "seules")
    new = agreeing(words[i].low, gender, number, "a") if alone or verb.startswith(RENDERING) else None
    behind = words[i + 1] if i + 1 < len(words) else None
    if new is None or words[i].pos == "NOUN" or (behind is not None and behind.pos == "NOUN" and not alone):
        return quantified
    return [*quantified, (i, new)]


def _verb_after_clitic(words: Sequence[FrenchWord], clitic: int) -> tuple[int, int] | None:
    i = clitic + 1
    while i < len(words) and words[i].low in ("lui", "leur", "y", "en"):
        i += 1
    if i >= len(words) or not words[i].low.isalpha():
        return None
    start = i + 1
    if start + 1 < len(words) and words[start].low == "-":  # les avez-vous obtenues, l'a-t-il vue
        j = start + 1
        if words[j].low in _SUBJECTS:
            start = j + 1
    return i, start
