"""What an engine that also writes is, and what it writes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from kontrast.scoring.decoding import Decoding
from kontrast.scoring.engine import Group, Identity


class Translation(msgspec.Struct, frozen=True, gc=False):
    """What a model wrote for one source: its text as it came, and whether the length limit cut it off.

    ``pieces`` are the tokens that it wrote, where the engine knows them.
    """

    text: str
    cut: bool = False
    pieces: tuple[str, ...] = ()


Written = tuple[int, Translation]
"""The index of a group, and its translation."""


@runtime_checkable
class Translator(Protocol):
    """An engine that also writes. A group to translate has one target without text; its prefix is forced."""

    def identify_translator(self, decoding: Decoding) -> Identity:
        """What tells this model with this search apart; called once, before the store is asked."""
        ...

    def render(self, group: Group) -> str: ...

    def question(self, group: Group) -> str:
        """What the model reads before it writes, prefix aside: the key of its answer in the store."""
        return self.render(group)

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        """Yield groups as they finish; ``done`` as for `Engine.score`."""
        ...
