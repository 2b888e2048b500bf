"""Words of the source in a translation: a wrong sense by a dictionary, a word left untranslated or copied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice, takewhile

from kontrast.building.errors.general.other_word import in_place
from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate, candidate, doubts, error
from kontrast.building.errors.text import unaccented
from kontrast.language.annotation import Sentence, Token
from kontrast.language.bilingual_words import BilingualWords, lemmas
from kontrast.language.lexicon import Lexicon
from kontrast.language.words import lists_of

_SHORTEST = 3


def translated_words(
    sentence: Sentence, source: str, lexicon: Lexicon, translations: BilingualWords
) -> Iterator[tuple[int, str, str, str]]:
    """Words with what they translate: index, lemma, the source's word as it stands, its entry in the dictionary.

    Left out are names of the source, and words that stand there more or less often than what may translate them.
    """
    stands: dict[str, list[str]] = {}
    for word in _plain_words(sentence.source):
        for lemma in lemmas(word, source):
            stands.setdefault(lemma, []).append(word)
    found = []
    for i, token in enumerate(sentence.tokens):
        for lemma in _lemmas(token, lexicon) if len(token.text) >= _SHORTEST else ():
            meant = translations.means(lemma, stands)
            if meant is not None and len(set(stands[meant])) == 1 and token.text.lower() != meant:
                found.append((i, lemma, stands[meant][0], meant))
                break
    often = Counter(meant for _, _, _, meant in found)
    one_each = {meant for meant, count in often.items() if count == len(stands[meant])}
    yield from (each for each in found if each[3] in one_each)


def _lemmas(token: Token, lexicon: Lexicon) -> Iterator[str]:
    """The annotator's, and those of a noun that the lexicon has beside it (*Haufen*: Haufe, Haufen)."""
    yield token.lemma
    if token.pos == "NOUN":
        yield from sorted({a.lemma for a in lexicon.analyse(token.text) if a.pos == "NOUN"} - {token.lemma})


def _plain_words(source: str) -> Iterator[str]:
    """The words of a source but for names: those with a capital that open no sentence."""
    for found in re.finditer(r"\w+", source):
        opens = not re.search(r"\w", re.split(r"[.!?:“\"]", source[: found.start()])[-1])
        if found[0].islower() or opens:
            yield found[0]


_MOST = 3
"""Senses of one word that are made, the commonest."""


@error("sense", of="dictionary")
def sense(
    sentence: Sentence, language: str, source: str, lexicon: Lexicon, translations: BilingualWords
) -> Iterator[Candidate]:
    """A word is replaced by a translation of the same source word in another sense.

    The word is a noun, verb or adjective. The dictionary gives both translations for its source word. The two
    translations share no other source word, directly or through synonyms. Both are common words. The new word has the
    same form. A determiner and adjectives take its gender.
    """
    modal = lists_of(language).get("verbs_modal", ())
    for i, lemma, _, meant in translated_words(sentence, source, lexicon, translations):
        token = sentence.tokens[i]
        # *noch* and *bisher*, *dann* and *und*: too often both fit
        others = [] if token.pos == "ADV" else translations.senses(meant, lemma)
        fitting = (
            (other, edits)
            for other in others
            if other not in sentence.text and other not in modal
            if (edits := in_place(sentence, i, other, lexicon)) is not None
        )
        for other, edits in islice(fitting, _MOST):
            learnt = not translations.learnt.isdisjoint({(meant, lemma), (meant, other)})
            said = doubts(learnt_words=learnt)  # 33 of 46 read were right
            yield candidate(sentence, edits, words=(token.text,), features=said)


_CLASSES = ("NOUN", "VERB", "ADJ")


@error("untranslated", of="dictionary")
def untranslated(
    sentence: Sentence, language: str, source: str, lexicon: Lexicon, translations: BilingualWords
) -> Iterator[Candidate]:
    """A word is left in the language of the source.

    The word is a noun, verb or adjective and, according to the dictionary, translates one word of the source. Source
    words that also exist in the target language (Computer, Band) are left out.
    """
    for i, _, word, _ in translated_words(sentence, source, lexicon, translations):
        token = sentence.tokens[i]
        if token.pos not in _CLASSES or not token.text.isalpha() or len(word) <= _SHORTEST:
            continue
        known = bool(lexicon.analyse(word) or lexicon.analyse(word.capitalize()))
        new = word.capitalize() if i == 0 else word
        yield candidate(sentence, [(token.start, token.end, new)], features=doubts(known_word=known))


_SHORTEST_COPIED = 5
_ALIKE = 4  # first letters that the counterpart shares: expensive, *expansivo*


@error("addition", of="words", source=True)
def hallucinated_copy(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A word of the source is left untranslated in the sentence.

    A source word of five letters or more replaces the only word of the sentence that begins in the same way, if no
    other source word is more similar to that word. Source words that also occur in the target language, or differ
    only in accents and an s (vidéos, video), are left out. So are words after an apostrophe and parts of words.
    """
    own = language_of(language)
    is_word = own.is_word if own else None
    of_source = [word for word in sentence.source.split() if word.isalpha() and word.islower()]
    present = {t.text.lower() for t in sentence.tokens}
    places = [t for t in sentence.tokens if _fits(sentence, t)]
    for word in of_source:
        alike = [t for t in places if _alike(t.text, word) >= _ALIKE]
        if len(word) < _SHORTEST_COPIED or word in present or len(alike) != 1 or (is_word and is_word(word)):
            continue
        [token] = alike
        nearest = max(of_source, key=lambda other: _alike(other, token.text))
        if nearest != word or unaccented(token.text) in (word, word + "s", word + "d"):
            continue  # intended beside intellectual: intellectuel; vidéos, video: only its accents and s
        yield candidate(sentence, [(token.start, token.end, word)])


def _fits(sentence: Sentence, token: Token) -> bool:
    """A whole word in small letters; not *l'argent*, whose article would show it."""
    around = sentence.text[max(0, token.start - 1) : token.start], sentence.text[token.end : token.end + 1]
    plain = token.text.isalpha() and token.text.islower() and len(token.text) >= _SHORTEST_COPIED
    return plain and around[0] not in ("'", "’", "-") and around[1] != "-"


def _alike(one: str, other: str) -> int:
    """How many letters they begin with alike."""
    pairs = zip(unaccented(one.lower()), unaccented(other.lower()), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
