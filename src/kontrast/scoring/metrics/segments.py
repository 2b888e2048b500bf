"""From a suite to segments: which texts a metric reads for each row, with the context it was asked to have."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.context import Context, Contexts
from kontrast.scoring.metrics.metric import Declaration, Passage, Segment
from kontrast.scoring.schemes import Scheme
from kontrast.suites.model import Item, Row, Suite, Variant
from kontrast.suites.packed import as_held
from kontrast.suites.subset import item_lines


class Segments(msgspec.Struct, frozen=True):
    """The segments, and for each row of the suite its segment and its hypothesis in that."""

    segments: list[Segment]
    segment_of: array[int]
    hypothesis_of: array[int]


def with_references(suite: Suite, paths: Sequence[str | Path]) -> Suite:
    """The suite with references from files, a line per item each, in place of its own."""
    if not paths:
        return suite
    columns = [item_lines(path, suite) for path in paths]
    made = (
        msgspec.structs.replace(item, references=tuple(Variant(text) for text in texts))
        for item, *texts in zip(suite.items, *columns, strict=True)
    )
    return msgspec.structs.replace(suite, items=as_held(made, suite.items))


def make_segments(
    suite: Suite,
    name: str,
    reads: Declaration,
    context: Context | None = None,
    *,
    reference_context: bool = False,
    whole: bool = False,
) -> Segments:
    """Render every row; items with the same source and references are one segment, unless a score depends on rivals.

    With ``reference_context`` translations are read after the first reference's previous sentences; with ``whole``
    context and sentence are one text, and the metric does not know which is which.

    >>> from kontrast.suites.model import Item
    >>> item = Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund")), references=(Variant("ein Hund"),))
    >>> made = make_segments(Suite("s", (item, item)), "chrF", Declaration())
    >>> len(made.segments), made.segment_of.tolist(), made.hypothesis_of.tolist()
    (1, [0, 0, 0, 0], [0, 1, 0, 1])
    """
    if reference_context and reads.reference == "unused":
        raise KontrastError(f"{name} reads no reference, so translations cannot have the reference's context")
    number = _references(suite, name, reads)
    context = _context(context or Context(), suite, name, reads)
    targets = Contexts(suite, context)
    views = [_view(suite, k) for k in range(number if context.span is not None else 0)]
    for view in views:
        if not any(item.target_context for item in view.items):
            raise KontrastError(
                f"--context: {name} needs the references' previous sentences, and {suite.name} has none"
            )
    others = [(Contexts(view, context), view) for view in views]
    keys: dict[tuple[Passage, tuple[Passage, ...], int], int] = {}
    found: list[dict[Passage, int]] = []
    segment_of, hypothesis_of = array("q"), array("q")
    references: tuple[Passage, ...] = ()

    def passage(before: tuple[str, ...], text: str) -> Passage:
        head, text, tail = context.scheme.render(before, text) if text or before else ("", "", "")
        return Passage(head + text + tail) if whole else Passage(text + tail, head)

    for row in suite.rows():
        before, _, target_before = targets.of(row)
        if row.variant_index == 0:
            texts = [reference.text for reference in row.item.references[:number]]
            of_others = (contexts.of(_row(view, row))[2] for contexts, view in others)
            befores: Iterable[tuple[str, ...]] = of_others if others else repeat(())
            references = tuple(passage(before, text) for text, before in zip(texts, befores, strict=False))
        source = passage(before, row.item.source if reads.source != "unused" else "")
        segment = keys.setdefault((source, references, row.item_index if reads.rivals else 0), len(keys))
        if segment == len(found):
            found.append({})
        if reference_context and others:
            target_before = others[0][0].of(_row(others[0][1], row))[2]
        hypothesis = passage(target_before, row.variant.text)
        segment_of.append(segment)
        hypothesis_of.append(found[segment].setdefault(hypothesis, len(found[segment])))
    if max(targets.used.values(), default=0) > 1:  # a lone one may be several, joined by its maker
        targets.amounts()
    segments = []
    for place, (source, references, _) in enumerate(keys):
        segments.append(Segment(source, references, tuple(found[place])))
        found[place] = {}  # of a large suite they take as much memory as the segments
    return Segments(segments, segment_of, hypothesis_of)


def _context(context: Context, suite: Suite, name: str, reads: Declaration) -> Context:
    """The context as the metric reads it. What it lacks is said here in the words of metrics, before it is cut."""
    if context.span is None:
        return context
    if context.span.next:
        raise KontrastError("--context: metrics use previous sentences, not following ones")
    has = any(item.target_context or any(variant.context for variant in item.variants) for item in suite.items)
    with_source = reads.source != "unused"
    if not has or (with_source and not any(item.source_context for item in suite.items)):
        what = "source and translation" if with_source else "translation"
        raise KontrastError(f"--context: {name} needs the previous sentences of {what}, and {suite.name} has none")
    scheme = context.scheme if context.scheme_name == "own" else Scheme(reads.separator)
    return msgspec.structs.replace(context, scheme=scheme, side="both" if with_source else "target")


def _references(suite: Suite, name: str, reads: Declaration) -> int:
    """How many references there are at most; none where the metric does not read them."""
    if reads.reference == "unused":
        return 0
    number = max((len(item.references) for item in suite.items), default=0)
    if reads.reference == "needed":
        for item in suite.items:
            if not item.references:
                raise KontrastError(
                    f"{name} needs a reference, but item {item.id} of {suite.name} has none: "
                    "give --references FILE (one line per item), or use a metric without references"
                )
    if reads.references is not None and number > reads.references:
        raise KontrastError(
            f"{name} takes {reads.references} reference, but items of {suite.name} have up to {number}"
        )
    return number


def _view(suite: Suite, k: int) -> Suite:
    """The suite as if its k-th references were its variants, so that their context is found in the same way."""

    def seen(item: Item) -> Item:
        reference = item.references[k] if k < len(item.references) else Variant("")
        own = (Variant(reference.text),)
        return msgspec.structs.replace(item, variants=own, correct=0, target_context=reference.context)

    return msgspec.structs.replace(suite, items=as_held(map(seen, suite.items), suite.items))


def _row(view: Suite, row: Row) -> Row:
    item = view.items[row.item_index]
    return Row(item, item.variants[0], row.item_index, 0)
