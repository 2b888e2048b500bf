"""Translate a suite, or a folder of plain documents, from files or records."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite, part_of, times_longer
from kontrast.flows.scoring import asked_context, asked_options, opened_store, signed_for
from kontrast.io import files
from kontrast.options import keywords
from kontrast.scoring.context import Context
from kontrast.scoring.engine import Engine, EngineOptions
from kontrast.scoring.options import Translate, asked
from kontrast.scoring.translating.result import Translations, write_details, write_translations
from kontrast.scoring.translating.run import DocumentOf
from kontrast.suites.documents import Documents
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.scores import check_writable
from kontrast.suites.testset import Request, first_segment


@keywords(Translate)
def translate(
    suite: SuiteLike | None, model: str | Engine, *, verbose: bool = False, **options: Unpack[Translate]
) -> Translations:
    """Translate each item of a suite, as `kontrast translate` does; without a suite translate ``documents``.

    ``own`` translates documents from their beginning with the system's own translations as target context;
    ``window`` translates this number of sentences at once and splits the result. ``examples`` come first in the
    prompt (a file, or pairs). ``limit`` translates this number of items, for a first trial. ``out`` is a file for the
    lines, or a folder for the documents; ``details`` is a file for the model's full answers, one item per line.
    ``samples``
    is the number of samples, each with its own seed (``more`` has all except the first).
    Options with the same name as in `kontrast score` have the same meaning.

    >>> import sys
    >>> import kontrast
    >>> upper = "import sys; [print(line.strip().upper()) for line in sys.stdin]"
    >>> made = kontrast.translate("demo:fr", f"command:{sys.executable} -c '{upper}'")
    >>> made.texts[0]
    'MY GRANDMOTHER BOUGHT A LAMP AT THE MARKET.'
    """
    from kontrast.scoring.translating import run as room

    how = asked(Translate, options, translate)
    out, details, documents = how["out"], how["details"], how["documents"]
    if out is not None and details is not None and Path(out).resolve() == Path(details).resolve():
        raise KontrastError("--out and --details are the same file; choose another name for one of them")
    if not isinstance(how["context"], Context):
        # The target's context is there only where it is the system's own, or asked for.
        side = how["side"] or ("both" if how["own"] else "source")
        how["side"] = None if how["context"] == "none" else side
    context, engine_options = asked_context(how), asked_options(how)
    times, given, document_of = None, None, None
    if how["samples"] > 1 and (suite is None or not how["temperature"] or out == "-"):
        raise KontrastError("--samples needs a SUITE, --temperature above 0 and --out FILE")
    if suite is None:
        if how["limit"] is not None:
            raise KontrastError("--limit needs a SUITE, not plain documents")
        loaded, document_of = _plain_documents(documents, engine_options, context)
    else:
        whole = as_suite(suite, how["format"])
        if out is not None:
            check_writable(out)
        given = loaded = part_of(whole, how["limit"], how["seed"])
        times = times_longer(whole, loaded)
        if documents:
            loaded, document_of = _located(loaded, documents, engine_options, context, how["own"])
    with opened_store(how["store"]) as store:
        drawn = [
            room.translate(
                loaded,
                model,
                {**how, "seed": how["seed"] + number},
                options=engine_options,
                context=context,
                document_of=document_of,
                store=store,
                times=times,
                verbose=verbose,
            )
            for number in range(how["samples"])
        ]
    if given is not None:
        drawn = [msgspec.structs.replace(each, signature=signed_for(given, loaded, each.signature)) for each in drawn]
    made = msgspec.structs.replace(drawn[0], more=tuple(drawn[1:]))
    if out is not None and suite is None:
        _write_documents(made, out, engine_options.source_language, engine_options.target_language)
    elif out is not None:
        write_translations(made, out)
    if details is not None:
        write_details(made, details)
    return made


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


def _located(
    suite: Suite, folder: str | Path, options: EngineOptions, context: Context, own: bool
) -> tuple[Suite, DocumentOf]:
    """The suite with as much context as is asked for, and where its items stand in their documents."""
    from kontrast.suites.extraction import told_differing, with_context

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
        raise InputError(folder, "expected a folder of documents, one sentence per line")
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
