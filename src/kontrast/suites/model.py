"""The nouns: suite, item, variant, scores, verdict — immutable typed records, nothing else.

A *row* is one variant of one item, in suite order; scores are one number per row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, overload

import msgspec

from kontrast import __version__
from kontrast.record import Record, flat

Tags = dict[str, Any]
"""Annotation by name. Values are JSON values; a tag that is present and null stays so."""

Unit = Literal["item", "pair"]
"""What one decision is: the whole item, or each (correct, wrong) pair on its own as in LingEval97."""


class Variant(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One target text.

    ``error`` names the error it contains (None: none), ``context`` is its own previous target sentences, oldest
    first, where a suite varies them (None: the item's).
    """

    text: str
    error: str | None = None
    context: tuple[str, ...] | None = None
    tags: Tags = {}

    @property
    def whole(self) -> str:
        """The text behind its own context, which is where some suites put the difference."""
        return " ".join((*(self.context or ()), self.text))


class Item(Record, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One decision: a source, its context, its variants, one of them correct.

    Contexts are sentences in document order (oldest first); None means *not known here*, an empty tuple means
    *there is none*. ``document`` and ``segment`` are kept as the suite's own format gives them.
    ``references`` are further human translations, for metrics.
    """

    id: str
    source: str
    variants: tuple[Variant, ...]
    correct: int = 0
    source_context: tuple[str, ...] | None = None
    target_context: tuple[str, ...] | None = None
    source_next: tuple[str, ...] | None = None
    target_next: tuple[str, ...] | None = None
    references: tuple[Variant, ...] = ()
    document: str | None = None
    segment: int | None = None
    tags: Tags = {}

    @property
    def best(self) -> Variant:
        """The correct variant."""
        return self.variants[self.correct]

    @property
    def foils(self) -> tuple[Variant, ...]:
        """The wrong variants."""
        return self.variants[: self.correct] + self.variants[self.correct + 1 :]

    @property
    def phenomenon(self) -> str | None:
        """The tag of that name, else the error of the first wrong variant."""
        return _phenomenon(self)

    def tags_of(self, variant: Variant | None = None) -> Tags:
        """All tags of the item as a decision, or of the pair (correct, ``variant``).

        The item as a whole has the tags of its wrong variants too, where all of them have the same value.

        >>> foil = Variant("Der Frau", error="np_agreement", tags={"distance": 1})
        >>> item = Item("1", "The woman", (Variant("Die Frau"), foil), tags={"origin": "a.1"})
        >>> item.tags_of(foil)
        {'origin': 'a.1', 'distance': 1, 'phenomenon': 'np_agreement'}
        """
        return tags_of(self, variant)


class _TaggedVariant(Protocol):
    @property
    def error(self) -> str | None: ...
    @property
    def tags(self) -> Tags: ...


class _TaggedItem(Protocol):
    @property
    def variants(self) -> Sequence[_TaggedVariant]: ...
    @property
    def correct(self) -> int: ...
    @property
    def document(self) -> str | None: ...
    @property
    def tags(self) -> Tags: ...


def tags_of(item: _TaggedItem, variant: _TaggedVariant | None = None) -> Tags:
    """`Item.tags_of` of whatever has these fields of an item."""
    tags = {**_shared_tags(item), **item.tags} if variant is None else {**item.tags, **variant.tags}
    phenomenon = (variant.error if variant is not None else None) or _phenomenon(item)
    if phenomenon is not None:
        tags["phenomenon"] = phenomenon
    if item.document is not None:
        tags["document"] = item.document
    return tags


def _phenomenon(item: _TaggedItem) -> str | None:
    tagged = item.tags.get("phenomenon")
    if tagged is not None:
        return str(tagged)
    wrong = 0 if item.correct else 1
    return item.variants[wrong].error if wrong < len(item.variants) else None


def _shared_tags(item: _TaggedItem) -> Tags:
    first, *others = [v.tags for i, v in enumerate(item.variants) if i != item.correct] or [{}]
    if not first:
        return {}
    return {tag: value for tag, value in first.items() if all(value == each.get(tag) for each in others)}


class Row(msgspec.Struct, frozen=True, gc=False):
    """What gets one score: an item's variant, with their places in the suite."""

    item: Item
    variant: Variant
    item_index: int
    variant_index: int

    @property
    def target_context(self) -> tuple[str, ...] | None:
        """The variant's own context, else the item's."""
        return self.variant.context if self.variant.context is not None else self.item.target_context


class Suite(Record, frozen=True, omit_defaults=True):
    """A test set: metadata and an ordered list of items.

    ``style`` names the original set whose layout and evaluation it uses ("lingeval97", "contrapro" …).
    ``segment_base`` is the number of a document's first line in ``Item.segment`` (None: as in the set's own tool).

    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund", error="np"))),))
    >>> suite.row_count, suite.fingerprint[:8]
    (2, '23304728')
    >>> len(suite), [item.id for item in suite], suite[:1]
    (1, ['1'], Suite('tiny', 1 items))
    """

    name: str
    items: Sequence[Item]
    """A tuple, or what `kontrast.suites.packed` makes of many."""
    source_language: str | None = None
    target_language: str | None = None
    unit: Unit = "item"
    style: str | None = None
    version: str | None = None
    licence: str | None = None
    citation: str | None = None
    description: str | None = None
    segment_base: int | None = None
    extra: Tags = {}

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Suite: ...
    def __getitem__(self, index: int | slice) -> Item | Suite:
        """One item, or a suite of some of them."""
        if isinstance(index, slice):
            return msgspec.structs.replace(self, items=self.items[index])
        return self.items[index]

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        languages = "-".join(code for code in (self.source_language, self.target_language) if code)
        return f"Suite({self.name!r}, {languages + ', ' if languages else ''}{len(self.items)} items)"

    def to_dict(self) -> dict[str, Any]:
        return Record.to_dict(msgspec.structs.replace(self, items=tuple(self.items)))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"item": row.item.id, "variant": row.variant_index, "correct": row.variant_index == row.item.correct}
            | {"source": row.item.source, "target": row.variant.text, "error": row.variant.error}
            | row.item.tags_of(row.variant)
            for row in self.rows()
        ]

    @property
    def row_count(self) -> int:
        packed: int | None = getattr(self.items, "row_count", None)
        return sum(len(item.variants) for item in self.items) if packed is None else packed

    def rows(self) -> Iterator[Row]:
        """Every row in the order that score files follow."""
        for i, item in enumerate(self.items):
            for j, variant in enumerate(item.variants):
                yield Row(item, variant, i, j)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the items in a canonical form: the same content gives the same value everywhere."""
        import hashlib

        packed: str | None = getattr(self.items, "fingerprint", None)
        if packed is not None:
            return packed
        digest = hashlib.sha256()
        encoder = msgspec.json.Encoder(order="deterministic")
        for item in self.items:
            digest.update(encoder.encode(item))
            digest.update(b"\n")
        return digest.hexdigest()


class Signature(msgspec.Struct, frozen=True, omit_defaults=True):
    """Describes how scores were made; two numbers are compared only if their signatures allow it.

    >>> print(Signature(suite="demo", fingerprint="53b2e8b5aa", engine="hf", model="tiny", context="prev:1"))
    suite:demo|hash:53b2e8b5|engine:hf|model:tiny|context:prev:1|norm:sum|kontrast:0.2.0
    """

    suite: str | None = None
    fingerprint: str | None = None
    engine: str | None = None
    model: str | None = None
    context: str = "none"
    normalise: str = "sum"
    details: dict[str, str] = {}
    version: str = __version__

    def __str__(self) -> str:
        parts = {
            "suite": self.suite,
            "hash": self.fingerprint[:8] if self.fingerprint else None,
            "engine": self.engine,
            "model": self.model,
            "context": self.context,
            "norm": self.normalise,
            **self.details,
            "kontrast": self.version,
        }
        return "|".join(f"{key}:{value}" for key, value in parts.items() if value is not None)


class TokenScores(msgspec.Struct, frozen=True, gc=False):
    """The tokens of one row's target with their log-probabilities (natural, higher is likelier)."""

    tokens: tuple[str, ...]
    logprobs: tuple[float, ...]


class Scores(Record, frozen=True):
    """One number per row of a suite. ``system`` is a name to print.

    ``unread``, if scores are votes: the number of unread answers for each row. ``stopped``, if scoring stopped early:
    only the scored rows of the suite have a value.
    """

    system: str
    values: tuple[float, ...]
    lower_is_better: bool = True
    signature: Signature | None = None
    tokens: tuple[TokenScores, ...] | None = None
    unread: tuple[int, ...] | None = None
    stopped: Stopped | None = None

    def __repr__(self) -> str:
        better = "lower" if self.lower_is_better else "higher"
        return f"Scores({self.system!r}, {len(self.values)} rows, {better} is better)"

    def _rows(self) -> list[dict[str, Any]]:
        return [{"row": i, "score": value} for i, value in enumerate(self.values)]


class Verdict(Record, frozen=True, gc=False):
    """The outcome of one decision.

    ``margin`` is the score of the correct variant minus that of its best rival (negative: it loses), in the direction
    "larger is better"; ``credit`` is its weight in the accuracy: 1, 0, or a share for a tie.
    """

    item_index: int
    variant_index: int | None
    outcome: Literal["right", "wrong", "tie"]
    margin: float
    credit: float


Outcome = Literal["passed", "failed", "better", "worse", "not decided"]


class StoppedRule(msgspec.Struct, frozen=True):
    """One rule: what was decided and after how many clusters (None: not on the way).

    ``low`` and ``high`` are the ends of an interval that holds at any stop; ``threshold`` is the rule's.
    """

    on: str
    rule: str
    outcome: Outcome
    threshold: float
    low: float
    high: float
    after: int | None = None


class Stopped(Record, frozen=True):
    """The decision, how much of the suite it took, and its level.

    ``clusters`` of ``all_clusters`` were scored (``cluster`` says what they are), with ``rows`` of ``all_rows``.
    Half of ``alpha`` is for the test on the way; the other half is for the test on the whole suite, where the first
    decides nothing (``whole_message`` is what that one says).
    """

    outcome: Outcome
    rows: int
    all_rows: int
    cluster: str
    clusters: int
    all_clusters: int
    alpha: float
    seed: int
    rules: tuple[StoppedRule, ...] = ()
    whole_message: str = ""
    notes: tuple[str, ...] = ()

    @property
    def partial(self) -> bool:
        return self.rows < self.all_rows

    def __str__(self) -> str:
        """
        >>> print(Stopped("failed", 1200, 36031, "document", 400, 12000, 0.05, 1))
        failed after 400 of 12,000 documents (1,200 of 36,031 rows, 3%)
        """
        told = f"{self.outcome} after {self.clusters:,} of {self.all_clusters:,} {self.cluster}s"
        return f"{told} ({self.rows:,} of {self.all_rows:,} rows, {100 * self.rows / self.all_rows:.0f}%)"

    def _rows(self) -> list[dict[str, Any]]:
        return [flat(rule) for rule in self.rules]
