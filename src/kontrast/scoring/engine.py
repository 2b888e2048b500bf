"""What an engine is: it takes groups, never pairs, and gives log-probabilities per token.

An engine is a file in `kontrast.scoring.engines` with a function ``load(name, options)`` that returns an object
with the members of `Engine`. It may share whatever it likes inside a group, and must return the same numbers as
scoring each pair on its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from kontrast.errors import KontrastError
from kontrast.suites.model import Scores, Suite, TokenScores

Side = Literal["source", "target"]


class Target(msgspec.Struct, frozen=True, gc=False):
    """One rendered target. ``prefix`` is forced before the text: read by the model, never summed."""

    text: str
    prefix: str = ""


Scored = tuple[int, tuple[TokenScores, ...]]
"""The index of a group, and the scores of its targets in order."""


class Group(msgspec.Struct, frozen=True, gc=False):
    """A rendered source and its distinct rendered targets.

    ``source`` is what a translation model reads: context and sentence joined by the context scheme. ``sentence``
    and ``context`` are the same apart, for engines that put them into a prompt of their own; ``history`` has earlier
    sentences with the system's own translations, for engines that take them as turns of a conversation.
    """

    source: str
    targets: tuple[Target, ...]
    sentence: str = ""
    context: tuple[str, ...] = ()
    history: tuple[tuple[str, str], ...] = ()


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
    prompted: bool = False
    """Reads an instruction, so that it may say more than a translation."""
    rivals: bool = False
    """A score depends on the item's other variants: items with the same source are not joined."""
    lower_is_better: bool = True
    """Direction of the score that is written: the negative sum of the log-probabilities. A metric says False."""


class EngineOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options for all engines; ``extra`` holds ``--option key=value`` for one engine."""

    source_language: str | None = None
    target_language: str | None = None
    device: str = "auto"
    dtype: str = "float32"
    batch_tokens: int = 1024
    threads: int | None = None
    template: str | None = None
    share: bool = True
    softmax_pad: bool | None = None
    examples: tuple[tuple[str, str], ...] = ()
    """Sources with their translations, shown to a prompted model first."""
    extra: dict[str, str] = {}

    def without_examples(self, engine: str) -> None:
        """Refuse examples, and options of a prompt, where the engine has no prompt to put them into."""
        if self.examples:
            raise KontrastError(f"--examples: {engine} reads only the source; examples are for prompted models")
        if given := [key for key in ("chat", "system", "end") if key in self.extra]:
            raise KontrastError(f"--option {given[0]}: {engine} has no prompt; this is for prompted models")

    def only(self, engine: str, *allowed: str) -> None:
        """Refuse an ``--option`` that this engine does not know.

        >>> EngineOptions(extra={"chats": "yes"}).only("hf", "chat", "end")
        Traceback (most recent call last):
        kontrast.errors.KontrastError: --option chats: hf has no such option; it has chat, end
        """
        for key in self.extra:
            if key not in allowed:
                raise KontrastError(f"--option {key}: {engine} has no such option; it has {', '.join(allowed)}")

    def flag(self, key: str) -> bool:
        """An ``--option`` that is yes or no (the default).

        >>> EngineOptions(extra={"chat": "maybe"}).flag("chat")
        Traceback (most recent call last):
        kontrast.errors.KontrastError: --option chat=maybe: expected yes or no
        """
        said = self.extra.get(key, "no")
        if said not in ("yes", "true", "1", "no", "false", "0"):
            raise KontrastError(f"--option {key}={said}: expected yes or no")
        return said in ("yes", "true", "1")


@runtime_checkable
class SuiteEngine(Protocol):
    """Scores a suite as a whole, not group by group: scores made elsewhere, metrics that need the reference."""

    name: str
    model: str

    def score_suite(self, suite: Suite) -> Scores:
        """One number per row, with the direction in which it is better."""
        ...


class Identity(msgspec.Struct, frozen=True):
    """What tells a model apart from any other that would give other numbers.

    ``fingerprint`` is a digest of all that is known: weights, settings, tokenizer, prompt, languages, versions.
    ``answers`` are a server's numbers for fixed questions, where its weights cannot be seen: the store takes two
    models of one fingerprint as the same only while their answers are.
    """

    fingerprint: str
    answers: tuple[float, ...] = ()


class Engine(Protocol):
    """Scores groups. One run calls `identify`, then `prepare` and `score` where anything is left to be scored."""

    name: str
    model: str
    supports: Supports
    details: dict[str, str]
    """Goes into the signature, as short words: dtype, languages, prompt …; read after the run."""

    def identify(self) -> Identity:
        """What tells this model apart; called once, before the store is asked. May hash weights or ask a server."""
        ...

    def render(self, group: Group) -> str:
        """What the model reads before the target: the source as rendered, or the whole prompt."""
        ...

    def cut(self, text: str, side: Side = "source") -> list[str] | None:
        """A text as the model's tokens; None where the engine cannot say."""
        return None

    def prepare(self, groups: Sequence[Group]) -> None:
        """Called once before `score` with the same groups: checks, estimate of cost."""
        return

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        """Yield groups as they finish, in any order.

        Groups in ``done`` are scored already. They may be left out, but must not change how the others are cut into
        batches: a run that goes on gives the bytes that it would have given in one go.
        The tokens are those of the target's text and the end token, without those of its prefix.
        """
        ...

    def close(self) -> None:
        """Give back what it holds (processes, connections)."""
        return


_TABLES = ("embed_positions", "position_embeddings")
"""What an encoder-decoder network calls its tables of positions."""


class LengthLimits(msgspec.Struct, frozen=True):
    """How many tokens a model takes on each side, special tokens among them; None: any number."""

    source: int | None = None
    target: int | None = None


def refuse_longer(groups: Sequence[Group], lengths: Sequence[int], limit: int | None, what: str = "sources") -> None:
    """Refuse groups that are longer than the limit; ``lengths`` are their tokens, the longest for several targets.

    >>> refuse_longer([Group("A dog.", ()), Group("It ran.", ())], [4, 7], 5)
    Traceback (most recent call last):
    kontrast.errors.KontrastError: 1 of 2 sources are longer than the model's 5 tokens: use less context, \
or leave out the items; the longest has 7 tokens ('It ran.' …)
    """
    over = [i for i, length in enumerate(lengths) if limit is not None and length > limit]
    if over:
        longest = max(over, key=lambda i: lengths[i])
        raise KontrastError(
            f"{len(over)} of {len(lengths)} {what} are longer than the model's {limit} tokens: use less context, or "
            f"leave out the items; the longest has {lengths[longest]} tokens ({groups[longest].source[:60]!r} …)"
        )


def network_limits(network: Any) -> LengthLimits:
    """The rows of each side's table, less those that no token uses; None where positions are computed or relative."""
    if not hasattr(network, "get_encoder"):  # weights without a network around them
        limit = int(network.config.max_position_embeddings)
        return LengthLimits(limit, limit)
    return LengthLimits(*(_places(side) for side in (network.get_encoder(), network.get_decoder())))


def _places(side: Any) -> int | None:
    for name, table in side.named_modules():
        if name.rpartition(".")[2] in _TABLES and hasattr(table, "num_embeddings"):
            unused = getattr(table, "offset", 0) + (0 if table.padding_idx is None else table.padding_idx + 1)
            return int(table.num_embeddings) - unused - hasattr(side, "ngram")  # ProphetNet looks one place ahead
    return None
