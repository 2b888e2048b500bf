"""A suite's text and context as plain files, in our own layout of rows or in an original's."""

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.io.names import file_name, language_code
from kontrast.options import keywords, option, read_list, records
from kontrast.record import Record
from kontrast.suites import formats
from kontrast.suites.demo import locate
from kontrast.suites.documents import ContextSpan, Documents, parse_span
from kontrast.suites.formats.row_files import row_columns, stale_rows
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.testset import (
    Columns,
    Request,
    TextLayout,
    first_segment,
    layout_columns,
    layout_names,
    layout_of,
    testset,
)


class Extraction(Record, frozen=True):
    """The files written; ``differing`` counts items whose source is not the line of the document.

    ``differing_targets`` counts those whose correct variant is not the line of the target's document.
    """

    files: list[str]
    items: int
    rows: int
    differing: int = 0
    differing_targets: int = 0


class ExtractOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which context is written with the rows, and in which layout."""

    documents: Annotated[Any, option("Folder of documents from `kontrast documents`.", metavar="DIR")] = None
    context: Annotated[
        Any,
        option(
            "none, N previous sentences, next:N, or tokens:N, as many previous sentences as fit N words. May be "
            "repeated. Default: 1 with --documents, otherwise the suite's own context.",
            metavar="none|N|next:N|tokens:N",
            read=lambda given, _: tuple(map(str, read_list(given))),
        ),
    ] = ()
    style: Annotated[
        str | None,
        option("Layout of an original tool. Default: the rows format.", choices=("original", *layout_names())),
    ] = None
    source: Annotated[str | None, option("Source language (default: the suite's).", metavar="LANG")] = None
    target: Annotated[
        str | None,
        option("Target language (default: the suite's). With fr, segments are counted from 0.", metavar="LANG"),
    ] = None
    context_json: Annotated[bool, option("ContraPro: context as JSON.")] = False
    spm: Annotated[Any, option("CTXPro: SentencePiece model for counting tokens:N.", metavar="FILE")] = None
    contrastives: Annotated[
        bool, option("ContraPro: write all rows, or only references.", "--contrastives/--no-contrastives")
    ] = True


@keywords(ExtractOptions)
def extract(suite: Suite | str | Path, out: str | Path, *, format: str | None = None, **given: Any) -> Extraction:
    """Write a suite's rows and their context into the folder ``out``, as `kontrast extract` does.

    ``style`` is ``original`` for the layout of the suite's own tool, or one of `layout_names`; without it, the rows
    format. ``context`` is as for `parse_span`: previous sentences, ``next:N``, ``tokens:N``. Context comes from
    ``documents`` where given, else from the suite. ``spm`` is a SentencePiece model: CTXPro's layout counts its
    pieces for ``tokens:N``, and words without it.

    >>> import tempfile
    >>> done = extract("demo:de", tempfile.mkdtemp(), context=1)
    >>> [Path(file).name for file in done.files if file.endswith("src")]
    ['demo-de.src', 'demo-de.context.src']
    """
    [asked] = records(given, extract, ExtractOptions)
    style, target, wanted = asked.style, asked.target, asked.context
    name = (
        file_name(suite.name) if isinstance(suite, Suite) else files.suite_name(locate(str(suite).partition("?")[0]))
    )
    suite = suite if isinstance(suite, Suite) else formats.load(suite, format)
    layout = layout_of(suite, target) if style == "original" else style
    if layout is not None and layout not in layout_names():
        raise KontrastError(f"there is no layout {style!r}; choose from original, {', '.join(layout_names())}")
    first = first_segment(suite, target, layout)
    french = any(item.document and item.document.endswith(".fr") for item in suite.items)
    guessed = "fr" if french else "de"  # of a pronoun set that does not say it, as its documents' ids end
    languages = asked.source or suite.source_language or "en", target or suite.target_language or guessed
    languages = language_code(languages[0]), language_code(languages[1])
    tool = testset(layout).own_layout() if layout is not None else None
    own = tool[1] if tool is not None else TextLayout()
    folder = Documents(asked.documents, *languages, cut=own.cut) if asked.documents is not None else None
    differing = differing_lines(suite, folder, first) if folder else (0, 0)
    if layout is None:
        if asked.context_json or not asked.contrastives:
            raise KontrastError("--context-json and --no-contrastives need ContraPro's layout (--style contrapro)")
        if asked.spm is not None:
            raise KontrastError("--spm needs CTXPro's layout (--style ctxpro --context tokens:N)")
        around = suite
        if folder is not None or wanted:
            span = parse_span(wanted) if wanted else ContextSpan(previous=1)
            around = with_context(suite, folder, span, first_segment=first)
        columns: Columns = {**row_columns(around, name)}
    else:
        span = parse_span(wanted) if wanted else ContextSpan(previous=own.context)
        if span.next or (span.tokens is not None and "tokens" not in own.options):
            raise KontrastError(f"original layouts need a number of previous sentences, not {' '.join(wanted)}")
        if asked.spm is not None and span.tokens is None:
            raise KontrastError("in CTXPro's layout, --spm requires --context tokens:N")
        previous = own.context if span.previous is None else span.previous
        pieces = None if asked.spm is None else str(asked.spm)
        shown = asked.context_json, asked.contrastives
        request = Request(name, *languages, previous, folder, *shown, first, span.tokens, pieces)
        columns = layout_columns(layout, suite, request)
    stale = stale_rows(Path(out) / name) if layout is None else ()
    files.write_columns({Path(out) / file: lines for file, lines in columns.items()}, stale)
    written = [str(Path(out) / file) for file in columns]
    rows = suite.row_count if asked.contrastives else len(suite.items)
    return Extraction(written, len(suite.items), rows, *differing)


def with_context(suite: Suite, documents: Documents | None, span: ContextSpan, *, first_segment: int = 1) -> Suite:
    """The suite with that much context in its items, from the documents or from what the items hold."""
    if (
        documents is None
        and span != ContextSpan()
        and not any(i.source_context or i.source_next for i in suite.items)
    ):
        raise KontrastError(f"{suite.name} has no context: give the folder of its documents with --documents")
    if documents is None and span.next and not any(item.source_next for item in suite.items):
        raise KontrastError(f"{suite.name} has no next sentences: give the folder of its documents with --documents")
    request = Request(suite.name, "", "", documents=documents, first_segment=first_segment)
    items = (_cut(item, span) if documents is None else _filled(item, span, request) for item in suite.items)
    return msgspec.structs.replace(suite, items=tuple(items))


def _filled(item: Item, span: ContextSpan, request: Request) -> Item:
    source, target, place = request.located(item)
    start = place - span.before(source[:place], target[:place])
    after = slice(place + 1, place + 1 + span.next)
    return msgspec.structs.replace(
        item,
        source_context=tuple(source[start:place]),
        target_context=tuple(target[start:place]),
        source_next=tuple(source[after]) if span.next else None,
        target_next=tuple(target[after]) if span.next else None,
    )


def _cut(item: Item, span: ContextSpan) -> Item:
    sides = [side for side in (item.source_context, item.target_context, *(v.context for v in item.variants)) if side]
    count = span.before(*sides)

    def last(context: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return context[len(context) - min(count, len(context)) :] if context is not None else None

    def cut(variant: Variant) -> Variant:
        return msgspec.structs.replace(variant, context=last(variant.context))

    return msgspec.structs.replace(
        item,
        source_context=last(item.source_context),
        target_context=last(item.target_context),
        source_next=item.source_next[: span.next] if item.source_next and span.next else None,
        target_next=item.target_next[: span.next] if item.target_next and span.next else None,
        variants=tuple(map(cut, item.variants)),
    )


FEW = 0.05
"""The share of items whose source may differ from the line of their document."""


def with_documents(
    suite: Suite,
    folder: str | Path,
    span: ContextSpan,
    source: str | None = None,
    target: str | None = None,
    *,
    check: bool = True,
) -> Suite:
    """The suite with its context from a folder of documents; ``check`` also looks at the target's lines."""
    first = first_segment(suite, target)
    pair = source or suite.source_language or "en", target or suite.target_language or ("de" if first else "fr")
    documents = Documents(folder, *pair)
    told_differing(suite, documents, first, target=check)
    return with_context(suite, documents, span, first_segment=first)


def told_differing(suite: Suite, documents: Documents, first: int, *, target: bool = False) -> None:
    """Warn where sources, and with ``target`` correct variants, are not the line of their document.

    Their context is then another sentence's, or has the sentence itself.
    """
    sources, targets = differing_lines(suite, documents, first)
    for count, what, side in ((sources, "sources", ""), (targets if target else 0, "correct variants", "target ")):
        if count:
            told = f"{count} of {len(suite.items)} {what} differ from the line of {'the' if side else 'their'} {side}"
            told += f"document: check that the {side}documents belong to the suite"
            print(f"kontrast: warning: {told}", file=sys.stderr)


def differing_lines(suite: Suite, documents: Documents, first: int) -> tuple[int, int]:
    """How many sources are not the line that their document has at their segment, counted from ``first``; and of the
    others, how many correct variants are not the line of the target's document.

    Where more than a few sources differ and another first number gives the right lines, that is an error which names
    it. Where the two sides have shifted against each other, the correct variant may stand in its own context.
    """
    bases = (first, 1 - first) if first in (0, 1) else (first,)
    right, targets = dict.fromkeys(bases, 0), 0
    for item in sorted(suite.items, key=lambda item: item.document or ""):  # each document is read once
        if item.document is None or item.segment is None:
            raise KontrastError(f"item {item.id} does not name its document and segment")
        lines, others = documents.pair(item.document)
        for base in bases:
            place = item.segment - base
            if 0 <= place < len(lines) and lines[place].split() == item.source.split():
                right[base] += 1
                targets += base == first and others[place].split() != item.best.text.split()
    wrong = len(suite.items) - right[first]
    likely = max(bases, key=right.__getitem__)
    if wrong > FEW * len(suite.items) and right[likely] > right[first]:
        raise KontrastError(
            f"{suite.name}: with segments counted from {first}, {wrong} of {len(suite.items)} sources "
            f"are not the line of their document; counted from {likely}, {len(suite.items) - right[likely]} are not: "
            f"use {suite.name}?segment_base={likely}"
        )
    return wrong, targets
