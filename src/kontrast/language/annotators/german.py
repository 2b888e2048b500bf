"""The German default back end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kontrast.language.annotation import Sentence, Token
from kontrast.language.tokenise import german_spans

__all__ = ["German"]


class German:
    """German annotation that works from this package alone."""

    name = "rules"
    language = "de"
    supplies = frozenset({"lemma", "pos", "tag", "morph"})

    def annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        for text in texts:
            yield Sentence(text, tuple(Token(text[a:b], a, b) for a, b in german_spans(text)))
