"""What an engine that also writes is, how it searches for a translation, and what it writes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import Engine, Group, Identity
from kontrast.scoring.fingerprint import combine


class Decoding(msgspec.Struct, frozen=True, kw_only=True):
    """Search options; what is None is the engine's choice, which the signature names.

    ``beams`` defaults to 4, and to 1 for models that are prompted. A ``temperature`` above 0 means sampling, from
    ``seed``. ``max_length`` counts the tokens of a translation.
    """

    beams: int | None = None
    max_length: int = 256
    length_penalty: float | None = None
    repetition_penalty: float | None = None
    temperature: float = 0.0
    top_p: float | None = None
    top_k: int | None = None
    seed: int = 1

    def check(self) -> None:
        """Refuse what contradicts itself.

        >>> Decoding(top_p=0.9).check()
        Traceback (most recent call last):
        kontrast.errors.KontrastError: --top-p and --top-k are for sampling: set --temperature above 0
        """
        if self.max_length < 1 or (self.beams is not None and self.beams < 1):
            raise KontrastError("--beams and --max-length: expected 1 or more")
        if not 0 <= self.temperature <= 100:
            raise KontrastError(f"--temperature {self.temperature:g}: expected a number from 0 (no sampling) to 100")
        if self.repetition_penalty is not None and not 0 < self.repetition_penalty < math.inf:
            raise KontrastError(f"--repetition-penalty {self.repetition_penalty:g}: expected a number above 0")
        if self.length_penalty is not None and not math.isfinite(self.length_penalty):
            raise KontrastError(f"--length-penalty {self.length_penalty:g}: expected a finite number")
        if not self.samples and (self.top_p is not None or self.top_k is not None):
            raise KontrastError("--top-p and --top-k are for sampling: set --temperature above 0")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise KontrastError(f"--top-p {self.top_p:g}: expected a number above 0 and at most 1")
        if self.samples and (self.beams or 1) > 1:
            raise KontrastError("--temperature: sampling uses one beam; leave out --beams")

    @property
    def samples(self) -> bool:
        return self.temperature > 0

    def width(self, usual: int) -> int:
        """How many beams: as asked, one for sampling, else what is usual for the model."""
        return 1 if self.samples else self.beams or usual

    def penalties(self) -> dict[str, float]:
        """Those that are given, as Transformers and CTranslate2 call them."""
        given = {"length_penalty": self.length_penalty, "repetition_penalty": self.repetition_penalty}
        return {name: value for name, value in given.items() if value is not None}

    def facts(self, usual: int) -> dict[str, str]:
        """For the signature.

        >>> Decoding().facts(4), Decoding(temperature=0.5, top_p=0.9).facts(4)
        ({'beams': '4', 'max': '256'}, {'temperature': '0.5', 'top_p': '0.9', 'seed': '1', 'max': '256'})
        """
        facts = {"beams": str(self.width(usual))} if not self.samples else {"temperature": f"{self.temperature:g}"}
        given = {"top_p": self.top_p, "top_k": self.top_k, "lp": self.length_penalty, "rp": self.repetition_penalty}
        facts |= {key: f"{value:g}" for key, value in given.items() if value is not None}
        return facts | ({"seed": str(self.seed)} if self.samples else {}) | {"max": str(self.max_length)}


def with_decoding(identity: Identity, decoding: Decoding, usual: int) -> Identity:
    """A model's identity as a translator: the search counts; a seed only where something is drawn."""
    said = combine("translate", identity.fingerprint, decoding.facts(usual))
    return Identity(said, identity.answers)


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


def translator_of(engine: Engine) -> Translator:
    """The engine where it writes, too."""
    if not isinstance(engine, Translator):
        raise KontrastError(f"--model {engine.name}: this engine scores and does not translate")
    return engine
