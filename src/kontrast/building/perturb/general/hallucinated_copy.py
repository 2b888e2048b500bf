"""A word of the source left untranslated in any language; only where the source is known (``build errors``)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Perturbation, candidate
from kontrast.io.words import words
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import attested
from kontrast.language.lexicons.lefff import lemmas_of

_SHORTEST = 5
_ALIKE = 4  # first letters that the counterpart shares: expensive, *expansivo*


def _start(word: str) -> str:
    return _bare(word)[:_ALIKE]


def _bare(word: str) -> str:
    """Without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _is_known(word: str, language: str) -> bool:
    """*modern*, *normal*: a word of the language too, which would only look uninflected."""
    if language == "de":
        return attested(word) or attested(word.capitalize())
    return language == "fr" and bool(lemmas_of(word))


def perturbation(language: str) -> Perturbation:
    def copied(sentence: Sentence) -> Iterator[Candidate]:
        of_source = [word for word in sentence.source.split() if word.isalpha() and word.islower()]
        present = set(words(sentence.text))
        places = [
            t
            for t in sentence.tokens
            if t.text.isalpha() and t.text.islower() and len(t.text) >= _SHORTEST
            if sentence.text[t.start - 1 : t.start] not in ("'", "’")  # l'argent: the article would show it
        ]
        for i, word in enumerate(of_source):
            if len(word) < _SHORTEST or word in present or not places or _is_known(word, language):
                continue
            share = (i + 0.5) / len(of_source)
            alike = [t for t in places if _start(t.text) == _start(word)]
            token = min(alike or places, key=lambda t: abs(t.start / len(sentence.text) - share))
            weak = len(alike) != 1 or _bare(token.text) == _bare(word) or token.text + "d" == word  # syslog, syslogd
            yield candidate("hallucinated_copy", sentence, [(token.start, token.end, word)], weak=weak)

    return Perturbation(
        name="hallucinated_copy",
        language=language,
        summary="a word of the source stands untranslated in the sentence",
        conditions=(
            "Only with the source beside it (kontrast build errors).",
            "A word of five letters or more that the sentence does not have takes the place of the one that begins "
            "alike; in German and French none that is a word of theirs too. Where none does, or several, it takes "
            "the place of one as far along and is weak: that word may translate another. Weak too: "
            "only an accent is another (détail, detail). No word behind an "
            "apostrophe.",
        ),
        examples=(),
        function=copied,
    )
