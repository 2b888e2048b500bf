"""A name that the source spells alike gets two letters in the wrong order, in any language (``build errors``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate, Maker, candidate, doubts
from kontrast.building.errors.text import letters_swapped, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.english_words import is_ordinary
from kontrast.language.words import declared

_SHORTEST = 5


def transliteration(language: str) -> Maker:
    titles = {title for row in declared(language).get("names", {}).get("titles", ()) for title in row}

    own = language_of(language)
    common_words = own.is_word if own else None

    def misspelt(sentence: Sentence) -> Iterator[Candidate]:
        of_source = re.findall(r"(?<![.!?:] )(?<!^)\b[^\W\d_]+", sentence.source)
        for i, token in enumerate(sentence.tokens):
            name = token.text
            if len(name) < _SHORTEST or not name.isalpha() or name != name.capitalize() or name not in of_source:
                continue
            if (
                name.lower() in titles
                or opens_sentence(sentence, i)
                or len(re.findall(rf"\b{name}", sentence.text)) > 1
            ):
                continue
            if common_words is not None and common_words(name.lower()):
                continue  # Section, Options: a word of both languages
            common = is_ordinary(name) and not _is_beside_name(sentence, i)
            for new in letters_swapped(name):
                yield candidate(
                    "transliteration",
                    sentence,
                    [(token.start, token.end, new)],
                    words=(name,),
                    unseen=(name,),
                    features=doubts(common=common),
                )

    return misspelt


def _is_beside_name(sentence: Sentence, i: int) -> bool:
    """*Gordon Cooper*: is a word beside it a name, that is no ordinary word with a capital?"""
    tokens = sentence.tokens
    near = [tokens[k] for k in (i - 1, i + 1) if 0 <= k < len(tokens)]
    words = [t.text for t in near if t.text == t.text.capitalize() and t.text.isalpha() and t.pos in ("PROPN", "")]
    return any(len(word) > 1 and not is_ordinary(word) for word in words)
