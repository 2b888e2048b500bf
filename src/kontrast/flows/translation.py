"""Translate a suite, or a folder of plain documents, from files or records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import msgspec

from kontrast.defaults import SEED
from kontrast.errors import InputError, KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite, refuse_unknown
from kontrast.flows.scoring import Asked, asked_context, asked_options, open_store, signed_for, told_differing
from kontrast.flows.trial import part_of, times_longer
from kontrast.io import files
from kontrast.scoring.context import Context
from kontrast.scoring.decoding import Decoding
from kontrast.scoring.engine import Engine, EngineOptions
from kontrast.scoring.store import Store
from kontrast.scoring.translating.result import Translations, write_details, write_translations
from kontrast.scoring.translating.run import DocumentOf
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.scores import check_writable

__all__ = ["Searched", "decoding_of", "translate"]


class Searched(TypedDict, total=False):
    """How to search, under the names of `kontrast translate`'s options; see docs/translate.md."""

    beams: int | None
    max_length: int
    length_penalty: float | None
    repetition_penalty: float | None
    temperature: float
    top_p: float | None
    top_k: int | None


class _Asked(Asked, Searched, total=False):
    """Everything that can be asked of a translation."""


def translate(
    suite: SuiteLike | None,
    model: str | Engine,
    *,
    context: str | Context | None = None,
    own: bool = False,
    window: int | None = None,
    examples: str | Path | Sequence[tuple[str, str]] | None = None,
    shots: int | None = None,
    clean: bool | None = None,
    store: Store | str | Path | bool | None = None,
    system: str | None = None,
    format: str | None = None,
    verbose: bool = False,
    limit: int | None = None,
    out: str | Path | None = None,
    details: str | Path | None = None,
    on: str | None = None,
    workers: int | None = None,
    **asked: Unpack[_Asked],
) -> Translations:
    """One translation per item of a suite, as `kontrast translate` writes it; without a suite, of ``documents``.

    ``own`` translates documents from their beginning with the system's own translations as target context;
    ``window`` translates so many sentences at once and cuts the result apart. ``examples`` are shown to a prompted
    model first (a file, or pairs). ``limit`` translates so many items, as a first trial. ``out`` is a file for the
    lines, or a folder for the documents; ``details`` is a file for what the model said, an item a line.
    What has the name of an option of `kontrast score` means the same here.

    >>> import sys
    >>> import kontrast
    >>> upper = "import sys; [print(line.strip().upper()) for line in sys.stdin]"
    >>> made = kontrast.translate("demo:fr", f"command:{sys.executable} -c '{upper}'")
    >>> made.texts[0]
    'MY GRANDMOTHER BOUGHT A LAMP AT THE MARKET.'
    """
    from kontrast.scoring.translating import run as room

    refuse_unknown(asked, _Asked, translate)
    if out is not None and details is not None and Path(out).resolve() == Path(details).resolve():
        raise KontrastError("--out and --details name one file: choose another name for one of them")
    chosen = context if isinstance(context, Context) else _context(context or "none", own, asked)
    options = asked_options(asked)
    if examples is not None:
        options = msgspec.structs.replace(options, examples=read_examples(examples, shots))
    times, given, document_of = None, None, None
    if suite is None:
        if limit is not None:
            raise KontrastError("--limit goes with a SUITE, not with plain documents")
        loaded, document_of = _plain_documents(asked.get("documents"), options, chosen)
    else:
        whole = as_suite(suite, format)
        if out is not None:
            check_writable(out)
        given = loaded = part_of(whole, limit, asked.get("seed", SEED))
        times = times_longer(whole, loaded)
        if asked.get("documents"):
            loaded, document_of = _located(loaded, asked["documents"], options, chosen, own)
    opened = open_store(store)
    try:
        made = room.translate(
            loaded,
            model,
            options=options,
            context=chosen,
            decoding=decoding_of(asked),
            own=own,
            window=window,
            document_of=document_of,
            clean=clean,
            store=opened,
            system=system,
            verbose=verbose,
            times=times,
            on=on,
            workers=workers,
        )
    finally:
        if opened is not None and opened is not store:
            opened.close()
    if given is not None:
        made = msgspec.structs.replace(made, signature=signed_for(given, loaded, made.signature))
    if out is not None and suite is None:
        _write_documents(made, out, options.source_language, options.target_language)
    elif out is not None:
        write_translations(made, out)
    if details is not None:
        write_details(made, details)
    return made


def decoding_of(asked: _Asked) -> Decoding:
    """The search that the options ask for."""
    named = {name: asked[name] for name in Decoding.__struct_fields__ if asked.get(name) is not None}  # type: ignore[literal-required]
    return msgspec.convert(named, Decoding)


def _write_documents(made: Translations, folder: str | Path, source: str | None, target: str | None) -> None:
    """Each document's translation under its own name in ``folder``, the language at its end exchanged."""
    by_document: dict[str, list[str]] = {}
    for item, text in zip(made.items, made.texts, strict=True):
        by_document.setdefault(item.rpartition(":")[0], []).append(text)
    for name, lines in by_document.items():
        if source and target and name.endswith(f".{source}"):
            name = f"{name.removesuffix(f'.{source}')}.{target}"
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_lines(path, lines)


def _context(text: str, own: bool, asked: _Asked) -> Context:
    """Source context by default: the target's is there only where it is the system's own, or asked for."""
    side = asked.get("side") or ("both" if own else "source")
    known: Asked = {**asked}  # type: ignore[typeddict-unknown-key]
    known["side"] = None if text == "none" else side
    return asked_context(text, known)


def _located(
    suite: Suite, folder: str | Path | None, options: EngineOptions, context: Context, own: bool
) -> tuple[Suite, DocumentOf]:
    """The suite with as much context as is asked for, and where its items stand in their documents."""
    from kontrast.suites.documents import Documents
    from kontrast.suites.extraction import with_context
    from kontrast.suites.layouts import Request, first_segment

    assert folder is not None
    first = first_segment(suite, options.target_language)
    source = options.source_language or suite.source_language or "en"
    target = options.target_language or suite.target_language or ("de" if first else "fr")
    documents = Documents(folder, source, target)
    told_differing(suite, documents, first, target=context.side != "source" and not own)
    request = Request(suite.name, source, target, documents=documents, first_segment=first)

    def document_of(item: Item) -> tuple[list[str], int]:
        lines, _, place = request.located(item)
        return lines, place

    if context.span is not None:
        suite = with_context(suite, documents, context.span, first_segment=first)
    return suite, document_of


def _plain_documents(folder: str | Path | None, options: EngineOptions, context: Context) -> tuple[Suite, DocumentOf]:
    """A folder of plain text as a suite: an item per line, named DOCUMENT:LINE."""
    if not folder:
        raise KontrastError("give a SUITE, or --documents DIR with plain documents")
    root = Path(folder)
    if not root.is_dir():
        raise InputError(folder, "expected a folder of documents, one sentence a line")
    ending = f".{options.source_language}" if options.source_language else ".txt"
    paths = sorted(p for p in root.rglob("*") if p.is_file() and not any(part.startswith(".") for part in p.parts))
    chosen = [p for p in paths if p.name.endswith(ending)] or [p for p in paths if p.suffix == ".txt"]
    if not chosen:
        raise InputError(folder, f"expected documents named NAME{ending} or NAME.txt, found {len(paths)} other files")
    lines = {str(p.relative_to(root)): [line.strip() for line in files.read_lines(p)] for p in chosen}
    reach = None if context.span is None else context.span.previous
    items = []
    for name, texts in lines.items():
        for number, text in enumerate(texts):
            first = 0 if reach is None else max(0, number - reach)
            before = tuple(texts[first:number]) if context.span is not None else ()
            after = tuple(texts[number + 1 : number + 1 + context.span.next]) if context.span else ()
            known = {"source_context": before, "source_next": after or None, "document": name, "segment": number}
            items.append(Item(f"{name}:{number + 1}", text, (Variant(""),), **known))  # type: ignore[arg-type]
    if not items:
        raise InputError(folder, "the documents are empty")
    suite = Suite(root.resolve().name, tuple(items), options.source_language, options.target_language)
    return suite, lambda item: (lines[item.document or ""], item.segment or 0)


def read_examples(given: str | Path | Sequence[tuple[str, str]], shots: int | None) -> tuple[tuple[str, str], ...]:
    """Pairs of source and translation from a file: with a tab, or JSON lines with ``source`` and ``target``."""
    if not isinstance(given, str | Path):
        pairs = list(given)
    else:
        pairs = [_pair(given, n, line) for n, line in enumerate(files.read_lines(given), start=1) if line.strip()]
    if shots is not None and shots > len(pairs):
        raise KontrastError(f"--shots {shots}: --examples has only {len(pairs)}")
    if not pairs:
        raise KontrastError("--examples: expected at least one example, found none")
    return tuple(pairs if shots is None else pairs[:shots])


class _Example(msgspec.Struct):
    source: str
    target: str


def _pair(path: str | Path, number: int, line: str) -> tuple[str, str]:
    if line.startswith("{"):
        from kontrast.io.json_input import decode

        found = decode(msgspec.json.Decoder(_Example), line, path, number, "source and target")
        return found.source, found.target
    parts = line.split("\t")
    if len(parts) != 2 or not all(part.strip() for part in parts):
        raise InputError(path, f"expected SOURCE TAB TRANSLATION, found {len(parts)} columns", line=number)
    return parts[0].strip(), parts[1].strip()
