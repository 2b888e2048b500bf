"""One source a line, one line an item: what to translate elsewhere, for `kontrast check` to read back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kontrast.flows.inputs import SuiteLike, as_suite
from kontrast.io import files
from kontrast.io.names import file_name, language_code
from kontrast.scoring.schemes import SCHEMES, Scheme, load_scheme
from kontrast.suites.context import ContextSpan, parse_span
from kontrast.suites.documents import Documents
from kontrast.suites.extraction import Extraction, check_segments, with_context
from kontrast.suites.layouts import first_segment


def extract_sources(
    suite: SuiteLike,
    out: str | Path,
    *,
    format: str | None = None,
    documents: str | Path | None = None,
    context: str | int | Sequence[str] = (),
    scheme: str | Scheme | None = None,
    config: str | Path | None = None,
    source: str | None = None,
    target: str | None = None,
) -> Extraction:
    """Write ``NAME.items.src`` into the folder ``out``: the source of each item, in suite order.

    Without ``context`` it is the sentence alone, else context and sentence joined as ``scheme`` says (default: a
    blank), as `kontrast score` renders them.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> [file] = extract_sources("demo:fr", folder, context="prev:1", scheme="sep").files
    >>> Path(file).name, Path(file).read_text().count(" <SEP> ")
    ('demo-fr.items.src', 162)
    """
    loaded = as_suite(suite, format)
    wanted = (str(context),) if isinstance(context, str | int) else tuple(context)
    differing = 0
    if wanted or documents is not None:
        span = parse_span(wanted) if wanted else ContextSpan(previous=1)
        first = first_segment(loaded, target, None)
        folder = None
        if documents is not None:
            languages = source or loaded.source_language or "en", target or loaded.target_language or "de"
            folder = Documents(documents, language_code(languages[0]), language_code(languages[1]))
            differing = check_segments(loaded, folder, first)
        loaded = with_context(loaded, folder, span, first_segment=first)
    joined = load_scheme(scheme, config) if isinstance(scheme, str) else scheme or SCHEMES["space"]
    around = bool(wanted) or documents is not None
    lines = [
        "".join(joined.render(item.source_context or (), item.source, item.source_next or ()))
        if around
        else item.source
        for item in loaded.items
    ]
    path = Path(out) / f"{file_name(loaded.name)}.items.src"
    files.write_columns({path: lines})
    return Extraction([str(path)], len(lines), len(lines), differing)
