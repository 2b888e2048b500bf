"""Negative prefixes of adjectives: impossible for possible, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.fr.elision import replaced
from kontrast.building.errors.spec import Candidate, candidate, doubts
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import words_of
from kontrast.language.words import lists_of, word_set

_WITHOUT = {pair.partition(" ")[2]: pair.partition(" ")[0] for pair in lists_of("fr")["opposites"]}
_WITH = {positive: negative for negative, positive in _WITHOUT.items()}
_ENDINGS = ("", "s", "e", "es", "te", "tes", "le", "les", "ère", "ères", "aux", "lle", "lles")
_CHANGED = {"et": ("ète", "ètes"), "er": ("ère", "ères"), "al": ("aux",)}
_NOT_BEFORE = frozenset(lists_of("fr")["not_before_opposite"])
"""Words near which the opposite says the same, or is not said: *peu probable*, *dès que possible*."""
_NOMINAL = word_set("fr", "polarity_affix_nominal")
"""Right behind these it is a noun or a name."""
_ARTICLES = word_set("fr", "polarity_affix_articles")
_BOUND = frozenset(("pour", "sous", "comme"))


def polarity_affix(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    low = ["", *(word.low for word in words), ""]
    for i, word in enumerate(words):
        near, before, behind = low[max(0, i - 3) : i + 1], low[i], low[i + 2]
        new = _other(word.low) if word.pos == "ADJ" and before not in _NOMINAL else None
        if new is None or _NOT_BEFORE & {*near, behind} or {"?", new} & set(low):
            continue
        if behind == "-" or (i and sentence.text[word.start].isupper()):
            continue  # half a word, a name
        if word.low.startswith("complète") and (behind in _ARTICLES or before == "qui"):
            continue  # a verb
        if word.low.startswith("connu") and behind in _BOUND:
            continue
        edits = replaced(sentence.text, words, i, new)
        if edits is not None:
            said = doubts(
                opens_without_verb=before in ("", ":", ",", "comme") and behind in ("de", "d'", "pour"),
                term=word.low.startswith("possible") and i > 0 and words[i - 1].pos in ("NOUN", "PROPN", "ADJ"),
            )
            yield candidate("polarity_affix", sentence, edits, features=said)


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
