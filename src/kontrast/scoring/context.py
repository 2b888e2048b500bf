"""Which context each row is scored with: how much, on which side, the right one or a control."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.json_input import read_json
from kontrast.scoring.engines.hf import TINY
from kontrast.scoring.schemes import SCHEMES, Scheme
from kontrast.suites.documents import ContextSpan, parse_span
from kontrast.suites.model import Item, Row, Suite
from kontrast.suites.subset import item_lines

Side = Literal["source", "target", "both"]
Control = Literal["random", "shuffled", "other-document"]
Sentences = tuple[str, ...]


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """The context settings of the user. ``outputs`` is a file with the system's own previous output, a line per item.

    ``own`` means that the system's previous translations come from a rollout; ``made`` has them, an entry per item.

    Without a scheme, the scheme from the model's training is used if its folder names one, otherwise a blank.
    """

    span: ContextSpan | None = None
    side: Side = "both"
    scheme: Scheme = SCHEMES["space"]
    scheme_name: str = ""
    control: Control | None = None
    seed: int = 1
    outputs: str | None = None
    own: bool = False
    made: tuple[Sentences, ...] | None = None
    rollout: str = ""
    scored: bool = False

    @property
    def open_scheme(self) -> bool:
        """Whether nobody said how context is joined."""
        return not self.scheme_name and self.scheme == SCHEMES["space"]

    @property
    def wanted(self) -> int | None:
        """How many sentences an item should get; None where a budget of words decides."""
        if self.span is None or self.span.previous is None or self.span.tokens is not None:
            return None
        return self.span.previous + self.span.next

    def __str__(self) -> str:
        """For the signature.

        >>> str(parse_context("prev:2", side="source", control="random"))
        'prev:2,source,space,random-1'
        """
        if self.span is None:
            return "none"
        span = self.span
        parts = [f"prev:{span.previous}"] if span.previous else []
        parts += ["all"] if span.previous is None and span.tokens is None else []
        parts += [f"next:{span.next}"] if span.next else []
        parts += [f"tokens:{span.tokens}"] if span.tokens is not None else []
        parts += [self.side, self.scheme_name or ("space" if self.open_scheme else "own")]
        parts += [f"{self.control}-{self.seed}"] if self.control else []
        parts += ["own-output"] if self.outputs else []
        parts += [f"own-{self.rollout}" if self.rollout else "own"] if self.own else []
        parts += ["scored"] if self.scored else []
        return ",".join(parts)


def parse_context(text: str = "none", *, side: Side | None = None, **options: object) -> Context:
    """Read ``none``, ``prev:N``, ``next:N`` or ``tokens:N``.

    >>> parse_context("none").span is None, parse_context("next:1").side
    (True, 'source')
    """
    span = None if text == "none" else parse_span([text])
    if span is not None and span == ContextSpan():
        span = None
    if span is not None and span.next and side in ("target", "both"):
        raise KontrastError("--context next:N: the next target sentence cannot be forced; use --side source")
    chosen = side or ("source" if span is not None and span.next else "both")
    return msgspec.convert({"span": span, "side": chosen, **options}, Context)


class Contexts:
    """Gives every row of a suite its context."""

    def __init__(self, suite: Suite, context: Context) -> None:
        self.suite, self.context = suite, context
        self.span = context.span or ContextSpan()
        self.outputs: Sequence[Sentences] | None = context.made
        if context.outputs:
            self.outputs = [tuple(line.split("\t")) if line else () for line in item_lines(context.outputs, suite)]
        self.donors: list[tuple[Sentences, Sentences]] | None = None
        self.used: dict[int, int] = {}
        if context.span is not None:
            self._check()
            if context.control is not None:
                self.donors = self._draw()

    def of(self, row: Row) -> tuple[Sentences, Sentences, Sentences]:
        """(source sentences before, source sentences after, target sentences before)."""
        if self.context.span is None:
            return (), (), ()
        before, after, target = self._of(row)
        amount = max(len(before), len(target)) + len(after)
        self.used[row.item_index] = max(amount, self.used.get(row.item_index, 0))
        return before, after, target

    def amounts(self) -> dict[int, int]:
        """How many items have how many sentences, most sentences first; refuses where none has what is asked."""
        found = dict(sorted(Counter(self.used.values()).items(), reverse=True))
        wanted = self.context.wanted
        if found and wanted is not None and max(found) < wanted:
            most = max(found)
            asked = str(self.context).partition(",")[0]
            hint = f"use --context prev:{most}, or " if most and not self.span.next else ""
            raise KontrastError(
                f"--context {asked}: no item of {self.suite.name} has {wanted} sentences of context (the most is "
                f"{most}): {hint}give --documents DIR"
            )
        return found

    def _of(self, row: Row) -> tuple[Sentences, Sentences, Sentences]:
        own_target = self.outputs[row.item_index] if self.outputs is not None else row.target_context
        if self.donors is not None:
            source, target = self.donors[row.item_index]
            after: Sentences = ()
        else:
            source, target = self._cut(row.item.source_context or (), own_target or ())
            after = (row.item.source_next or ())[: self.span.next]
        side = self.context.side
        return (
            source if side != "target" else (),
            after if side != "target" else (),
            target if side != "source" else (),
        )

    def _cut(self, source: Sequence[str], target: Sequence[str]) -> tuple[Sentences, Sentences]:
        """The nearest sentences that fit. Sides of different length keep their own number."""
        sides = {"source": [source], "target": [target], "both": [source, target]}[self.context.side]
        known = [side for side in sides if side]
        count = self.span.before(*known) if known else 0
        return tuple(source[len(source) - count :] if count else ()), tuple(
            target[max(0, len(target) - count) :] if count else ()
        )

    def _check(self) -> None:
        side, has = self.context.side, sides_of(self.suite)
        if self.outputs is not None:
            has.add("target")
        missing = [name for name in ("source", "target") if side in (name, "both") and name not in has]
        if missing and self.suite.items:
            raise KontrastError(
                f"{self.suite.name} has no {' and '.join(missing)} context: give --documents DIR"
                + (", or --side source" if missing == ["target"] and "source" in has else "")
            )

    def _draw(self) -> list[tuple[Sentences, Sentences]]:
        """The control's context for each item, from the seed alone."""
        items, control = self.suite.items, self.context.control
        chance = random.Random(self.context.seed)
        own = [self._cut(item.source_context or (), _target_context(item)) for item in items]
        if control == "shuffled":
            if max((len(part) for pair in own for part in pair), default=0) < 2:
                raise KontrastError(
                    "--control shuffled: no item has two sentences of context to shuffle; try --context prev:2"
                )
            return [_shuffled(pair, chance) for pair in own]
        if control == "random":
            pool = [(s, t) for item in items for s, t in _aligned(item.source_context or (), _target_context(item))]
            drawn = [[chance.choice(pool) for _ in range(max(map(len, pair)))] for pair in own]
            return [
                (tuple(s for s, _ in picks)[: len(pair[0])], tuple(t for _, t in picks)[: len(pair[1])])
                for picks, pair in zip(drawn, own, strict=True)
            ]
        if len({item.document for item in items}) < 2:
            raise KontrastError("--control other-document: the suite's items do not name two documents")
        return [own[self._elsewhere(i, own, chance)] if any(own[i]) else own[i] for i in range(len(items))]

    def _elsewhere(self, index: int, own: list[tuple[Sentences, Sentences]], chance: random.Random) -> int:
        items = self.suite.items
        for _ in range(1000):
            other = chance.randrange(len(items))
            if items[other].document != items[index].document and any(own[other]):
                return other
        raise KontrastError("--control other-document: no item of another document has context")


def sides_of(suite: Suite) -> set[str]:
    """The sides on which some item of the suite has context."""
    has = {"source"} if any(item.source_context or item.source_next for item in suite.items) else set()
    return has | ({"target"} if any(_target_context(item) for item in suite.items) else set())


def _target_context(item: Item) -> Sentences:
    return (item.best.context if item.best.context is not None else item.target_context) or ()


def _aligned(source: Sentences, target: Sentences) -> list[tuple[str, str]]:
    size = max(len(source), len(target))
    return [*zip([""] * (size - len(source)) + list(source), [""] * (size - len(target)) + list(target), strict=True)]


def _shuffled(pair: tuple[Sentences, Sentences], chance: random.Random) -> tuple[Sentences, Sentences]:
    """Both sides in the same new order; two or more sentences never keep their order."""
    pairs = _aligned(*pair)
    order = list(range(len(pairs)))
    while len(pairs) > 1 and order == sorted(order):
        chance.shuffle(order)
    source, target = (tuple(pairs[i][side] for i in order) for side in (0, 1))
    return tuple(s for s in source if s), tuple(t for t in target if t)


class _Kontrast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scheme: str | Scheme | None = None


class _Config(msgspec.Struct, frozen=True):
    kontrast: _Kontrast = _Kontrast()


def with_trained_scheme(context: Context, model: str | None) -> Context:
    """The context joined as the model of ``ENGINE:NAME`` was trained, unless the user named a scheme.

    The model's ``config.json`` says it: ``"kontrast": {"scheme": "sep"}``.

    >>> from kontrast.suites.documents import ContextSpan
    >>> str(with_trained_scheme(Context(span=ContextSpan(previous=1)), "tiny"))
    'prev:1,both,sep'
    """
    path = _config(model) if model is not None and context.open_scheme else None
    if path is None or not path.is_file():
        return context
    said = read_json(path, _Config, expected='JSON with "kontrast": {"scheme": …}').kontrast.scheme
    if isinstance(said, str) and said not in SCHEMES:
        raise InputError(path, f'"scheme": "{said}": expected one of {", ".join(SCHEMES)}, or a table')
    if said is None:
        return context
    name, scheme = (said, SCHEMES[said]) if isinstance(said, str) else ("trained", said)
    return msgspec.structs.replace(context, scheme=scheme, scheme_name=name)


def _config(model: str) -> Path | None:
    engine, _, name = ("hf:kontrast-tiny" if model == "tiny" else model).partition(":")
    if engine == "hf" and name == TINY.name:
        return TINY / "config.json"
    if engine not in ("hf", "ct2", "marian"):
        return None
    return (Path(name).parent if engine == "marian" else Path(name)) / "config.json"
