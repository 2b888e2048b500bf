"""What an engine is: it takes groups, never pairs, and gives log-probabilities per token.

An engine is a file in `kontrast.scoring.engines` with a function ``load(name, options)`` that returns an object
with the members of `Engine`. It may share whatever it likes inside a group, and must return the same numbers as
scoring each pair on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from kontrast.errors import KontrastError
from kontrast.suites.model import Scores, Suite, TokenScores

__all__ = ["Engine", "EngineOptions", "Group", "SuiteEngine", "Supports", "Target"]


class Target(msgspec.Struct, frozen=True, gc=False):
    """One rendered target. ``prefix`` is forced before the text: read by the model, never summed."""

    text: str
    prefix: str = ""


class Group(msgspec.Struct, frozen=True, gc=False):
    """A rendered source and its distinct rendered targets.

    ``source`` is what a translation model reads: context and sentence joined by the context scheme. ``sentence``
    and ``context`` are the same apart, for engines that put them into a prompt of their own.
    """

    source: str
    targets: tuple[Target, ...]
    sentence: str = ""
    context: tuple[str, ...] = ()


class Supports(msgspec.Struct, frozen=True):
    """What an engine can do; what it cannot is refused before the run, in one sentence."""

    tokens: bool = True
    """Gives a log-probability per token. Otherwise one number per target, as its only token."""
    prefix: bool = True
    """Takes a forced prefix (target context)."""
    store: bool = True
    """Its answers are worth keeping in the store."""
    sharing: tuple[str, ...] = ()
    """What it computes once per group: "encoder", "prompt", "prefix"."""
    lower_is_better: bool = True
    """Direction of the score that is written: the negative sum of the log-probabilities. A metric says False."""


class EngineOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the user may ask of any engine; ``extra`` holds ``--option key=value`` for one engine alone."""

    source_language: str | None = None
    target_language: str | None = None
    device: str = "auto"
    dtype: str = "float32"
    batch_tokens: int = 1024
    threads: int | None = None
    template: str | None = None
    share: bool = True
    softmax_pad: bool | None = None
    extra: dict[str, str] = {}

    def only(self, engine: str, *allowed: str) -> None:
        """Refuse an ``--option`` that this engine does not know.

        >>> EngineOptions(extra={"chats": "yes"}).only("hf", "chat", "end")
        Traceback (most recent call last):
        kontrast.errors.KontrastError: --option chats: hf knows chat, end
        """
        for key in self.extra:
            if key not in allowed:
                raise KontrastError(f"--option {key}: {engine} knows {', '.join(allowed)}")


@runtime_checkable
class SuiteEngine(Protocol):
    """Scores a suite as a whole, not group by group: scores made elsewhere, metrics that need the reference."""

    name: str
    model: str

    def score_suite(self, suite: Suite) -> Scores:
        """One number per row, with the direction in which it is better."""
        ...


class Engine(Protocol):
    """Scores groups. ``fingerprint`` changes whenever the numbers may change: weights, dtype, prompt, languages."""

    name: str
    model: str
    fingerprint: str
    supports: Supports
    details: dict[str, str]
    """Goes into the signature, as short words: dtype, languages, prompt …; read after `prepare`."""

    def render(self, group: Group) -> str:
        """What the model reads before the target: the source as rendered, or the whole prompt."""
        ...

    def prepare(self, groups: Sequence[Group]) -> None:
        """Called once before `score` with the groups still to be scored: checks, canary, estimate of cost."""
        ...

    def score(self, groups: Sequence[Group]) -> Iterator[tuple[int, tuple[TokenScores, ...]]]:
        """Yield (index of the group, scores of its targets in order) as groups finish, in any order.

        The tokens are those of the target's text and the end token, without those of its prefix.
        """
        ...

    def close(self) -> None:
        """Give back what it holds (processes, connections)."""
        ...
