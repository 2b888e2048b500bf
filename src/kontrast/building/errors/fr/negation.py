"""Polarity: ne … pas is taken out, or put round a verb; impossible for possible, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.fr.small_words import replaced
from kontrast.building.errors.spec import Candidate, candidate, doubts, error
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord, words_of
from kontrast.language.words import declared, lists_of, word_set

_OTHERS = {*declared("fr")["clauses"]["negating"], "plus", "point"} - {"pas", "non"}
_STAYS = word_set("fr", "negation_stays")
_ARTICLES = word_set("fr", "negation_articles")
_SUBJECTS = word_set("fr", "negation_subjects")
_VERBS = word_set("fr", "negation_verbs")
_NOT_BEHIND = word_set("fr", "negation_not_behind")
_ADVERBS = word_set("fr", "negation_adverbs")
"""Behind these pas comes, or it turns round another part of the sentence."""


@error("negation")
def negation(sentence: Sentence) -> Iterator[Candidate]:
    """Ne … pas is deleted or inserted.

    ne and pas are deleted, and elision stays correct (je n'ai pas, j'ai). Negations before de or un are not deleted,
    because these words would change too. They are inserted around être, avoir, pouvoir and devoir after a subject
    pronoun or qui. Questions and sentences with jamais, rien, personne, plus … do not change. Candidates before an
    adverb that pas would follow (il est probablement là), and before an article that would become de, have a low
    confidence.

    - Je n'ai pas compris. → J'ai compris.
    - Il ne peut pas venir demain. → Il peut venir demain.
    """
    words = words_of(sentence)
    low = [word.low for word in words]
    if "?" in low:
        return
    for i, word in enumerate(words):
        if low[i] in ("ne", "n'"):
            yield from _without(sentence, words, i)
        elif low[i] in _VERBS and i and low[i - 1] in _SUBJECTS and not _OTHERS & set(low):
            behind = low[i + 1] if i + 1 < len(low) else ""
            if {"que", "qu'"} & set(low[i + 2 : i + 4]) or {"grand", "temps"} & set(low[i + 1 : i + 3]):
                continue  # il n'est pas probable que wants a subjunctive
            if behind.isalpha() and behind not in _SUBJECTS and low[i - 1] not in ("nous", "vous"):
                ne = "n'" if low[i][0] in "aeéêo" else "ne "
                edits = [(word.start, word.start, ne), (word.end, word.end, " pas")]
                if behind not in _NOT_BEHIND:
                    yield candidate(sentence, edits, features=doubts(other_order=_goes_otherwise(low, i)))


def _goes_otherwise(low: list[str], i: int) -> bool:
    """*Il est probablement là*, *ils ont créé des filtres*: pas stands behind the adverb, and des becomes de."""
    article = low[i].startswith(("a", "o", "p")) and low[i + 2 : i + 3] in (["des"], ["du"], ["un"], ["une"])
    behind = low[i + 2 : i + 5]
    if (
        low[i].startswith(("p", "d"))
        and behind
        and set(behind[: behind.index(",") if "," in behind else 3]) & _ARTICLES
    ):
        return True  # on ne doit pas trouver un
    if {"également", "aussi", "pas"} & set(low[i + 1 : i + 4]):
        return True  # pas mal
    return low[i + 1] in _ADVERBS or low[i + 1].endswith("ment") or article


def _without(sentence: Sentence, words: list[FrenchWord], i: int) -> Iterator[Candidate]:
    low = [word.low for word in words]
    pas = next((k for k in range(i + 2, min(i + 6, len(words))) if low[k] == "pas"), None)
    if pas is None or pas + 1 >= len(words) or low[pas + 1] in _STAYS or not low[pas + 1][0].isalpha():
        return
    if {"de", "d'"} & set(low[pas + 1 : pas + 4]):
        return  # pas … avoir de casier
    rest = set(low) - {"ne", "n'"} | ({"ne"} if sum(w in ("ne", "n'") for w in low) > 1 else set())
    if _OTHERS & rest or any(sentence.text[w.end : w.end + 1] == "-" for w in words[i:pas]):
        return
    before = words[i - 1] if i else None
    start = words[i].start
    edits = [(words[pas - 1].end, words[pas].end, "")]
    if before is not None and low[i] == "n'" and before.low in ("je", "ce"):
        edits.insert(0, (before.end - 1, words[i + 1].start, "'"))
    else:
        edits.insert(0, (start, words[i + 1].start, ""))
    if before is None:
        return
    yield candidate(sentence, edits)


_WITHOUT = {pair.partition(" ")[2]: pair.partition(" ")[0] for pair in lists_of("fr")["opposites"]}
_WITH = {positive: negative for negative, positive in _WITHOUT.items()}
_ENDINGS = ("", "s", "e", "es", "te", "tes", "le", "les", "ère", "ères", "aux", "lle", "lles")
_CHANGED = {"et": ("ète", "ètes"), "er": ("ère", "ères"), "al": ("aux",)}
_NOT_BEFORE = frozenset(lists_of("fr")["not_before_opposite"])
"""Words near which the opposite says the same, or is not said: *peu probable*, *dès que possible*."""
_NOMINAL = word_set("fr", "polarity_affix_nominal")
"""Right behind these it is a noun or a name."""


@error("negation")
def polarity_affix(sentence: Sentence) -> Iterator[Candidate]:
    """A negative prefix is removed from an adjective or added to it.

    The adjective is in a list (possible, légal, capable …), in any form. Elision stays correct. Adjectives do not
    change in questions, after a preposition or possessive, or near pas, peu, ou, plus, que (dès que possible) and
    other listed words. Impossible de … at the start of a sentence without il est has a low confidence and is never
    chosen.

    - Cette tâche est impossible. → Cette tâche est possible.
    - C'est une pratique légale. → C'est une pratique illégale.
    """
    words = words_of(sentence)
    low = ["", *(word.low for word in words), ""]
    for i, word in enumerate(words):
        near, before, behind = low[max(0, i - 3) : i + 1], low[i], low[i + 2]
        new = _other(word.low) if word.pos == "ADJ" and before not in _NOMINAL else None
        if new is None or _NOT_BEFORE & {*near, behind} or {"?", new} & set(low):
            continue
        edits = replaced(sentence.text, words, i, new)
        if edits is not None:
            opens = before in ("", ":", ",", "comme") and behind in ("de", "d'", "pour")
            said = doubts(opens_without_verb=opens)
            yield candidate(sentence, edits, features=said)


def _other(form: str) -> str | None:
    """
    >>> _other("impossibles"), _other("légale"), _other("grand")
    ('possibles', 'illégale', None)
    """
    for table in (_WITHOUT, _WITH):
        for word, other in table.items():
            changed = _CHANGED.get(word[-2:], ())
            if (form.startswith(word) and form[len(word) :] in _ENDINGS) or (
                form.startswith(word[:-2]) and form[len(word) - 2 :] in changed
            ):
                prefix = len(word) - len(other)
                return form[prefix:] if prefix > 0 else other[: len(other) - len(word)] + form
    return None
