"""A pronoun place with all that was found out about it: what doubts are told by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from kontrast.building.parallel import Document
from kontrast.building.perturb.de.pronoun_uses import cases
from kontrast.building.pronouns.clues import Clues, stays_subject
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.target import TargetSide
from kontrast.building.pronouns.weigh import Choice
from kontrast.language.alignment import Links, partners, spans
from kontrast.language.annotation import Sentence, Token
from kontrast.language.german.plain import split

__all__ = ["THIRD_PERSON", "Scene"]

THIRD_PERSON = frozenset("it he she they him her them one this that".split())


class Scene(msgspec.Struct, frozen=True):
    """A place with all that was found out about it; ``token`` is the source pronoun's."""

    document: Document
    place: PronounPlace
    sentences: Sequence[Sentence]
    token: int
    clues: Clues
    choice: Choice
    side: TargetSide
    links: Mapping[int, Links]

    @property
    def text(self) -> str:
        return self.document.target[self.place.line]

    @property
    def sentence(self) -> Sentence:
        return self.sentences[self.place.line]

    @property
    def cases(self) -> tuple[str, ...]:
        """Those that the German clause leaves open."""
        words = split(self.text)
        i = next(k for k, w in enumerate(words) if w.start == self.place.target.start)
        return {"er": ("nom",), "ihn": ("acc",)}.get(words[i].low) or cases(words, i)

    @property
    def is_object(self) -> bool:
        """By the German clause; where it does not tell, by the source."""
        told = self.cases
        return told[0] == "acc" if len(told) == 1 else not stays_subject(self.sentence, self.token)

    def linked(self, line: int, token: Token) -> set[int]:
        """The target words that a source token of a line is aligned to."""
        return partners(self.links[line], spans(self.document.source[line]), token.start, token.end)
