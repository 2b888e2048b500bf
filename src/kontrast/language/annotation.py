"""What an annotated sentence is, whoever annotated it. Back ends are in ``kontrast.language.annotators``."""

from collections.abc import Iterable, Iterator
from typing import Protocol

import msgspec


class Token(msgspec.Struct, frozen=True, gc=False):
    """One word. ``head`` is the index of its governor in the sentence, -1 for the root or where not known."""

    text: str
    start: int
    end: int
    lemma: str = ""
    pos: str = ""
    """Universal part of speech."""
    tag: str = ""
    """The language's own tag (STTS for German, Penn for English)."""
    morph: dict[str, str] = {}
    """Universal features, such as {"Case": "Nom", "Gender": "Fem", "Number": "Sing"}."""
    head: int = -1
    relation: str = ""
    entity: str = ""
    """The kind of name that the word belongs to (PERSON, ORG …), where the back end was told to look for names."""

    @property
    def is_finite(self) -> bool:
        """A finite verb by its tag or VerbForm; by its person or tense where a treebank has neither."""
        form = self.morph.get("VerbForm")
        told = form == "Fin" or (form is None and ("Person" in self.morph or "Tense" in self.morph))
        return self.tag.endswith("FIN") or (self.pos in ("VERB", "AUX") and told)


class Sentence(msgspec.Struct, frozen=True):
    """A text and its tokens; offsets are characters of the text."""

    text: str
    tokens: tuple[Token, ...]
    source: str = ""
    """The sentence that this one translates, where it is known."""
    nearby: tuple[tuple[str, str], ...] = ()
    """The pairs of source and translation in the lines around it, the nearest first, where they are known."""

    def children(self, index: int) -> list[int]:
        return [i for i, token in enumerate(self.tokens) if token.head == index]


class Annotator(Protocol):
    """Turns texts into annotated sentences, one each, in order; ``supplies`` names the layers it fills."""

    name: str
    language: str
    supplies: frozenset[str]
    """Some of: lemma, pos, tag, morph, parse."""

    def annotate(self, texts: Iterable[str]) -> Iterator[Sentence]: ...
