"""Plain words of any language, without tags or trees: enough for errors that go by a language's declared words."""

import re
from collections.abc import Iterable, Iterator

from kontrast.language.annotation import Sentence, Token

_WORD = re.compile(r"\w+['’]|\w+(?:-\w+)*|[^\w\s]")


class PlainWords:
    """See `kontrast.language.annotation.Annotator`."""

    name = "words"
    supplies: frozenset[str] = frozenset()

    def __init__(self, language: str) -> None:
        self.language = language

    def annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        for text in texts:
            yield Sentence(text, tuple(Token(m[0], m.start(), m.end()) for m in _WORD.finditer(text)))
