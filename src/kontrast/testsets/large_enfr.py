"""The text files of the large EN-FR set, as its repository has them: ``OpenSubs.current.src`` and the rest.

They are rows, two an item, with 1 to 3 sentences of context; only the name says that they are English and French.
"""

from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.suites.formats import rows
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Suite
from kontrast.suites.testset import Columns, Request, declaration

PREFIX = "OpenSubs"


def _prefix(path: Path) -> Path | None:
    """The beginning of the files' names, given it, the folder or one of the two files of current sentences."""
    prefix = path / PREFIX if path.is_dir() else path.with_name(PREFIX)
    own = (PREFIX, *(f"{PREFIX}.current.{side}" for side in ("src", "trg")))
    there = (path.is_dir() or path.name in own) and prefix.with_name(f"{PREFIX}.current.src").is_file()
    return prefix if there else None


def detect(peek: Peek) -> bool:
    return _prefix(peek.path) is not None


def read(path: Path, **options: Any) -> Suite:
    suite = rows.read(_prefix(path) or path, **options)
    return msgspec.structs.replace(suite, source_language="en", target_language="fr")


def columns(suite: Suite, request: Request) -> Columns:
    """The layout of the large EN-FR set: ``NAME.{current,context}.{src,trg}``, reference and first contrastive.

    Documents come in sorted order, lines are stripped, and where fewer than n lines precede all n are blank.
    """
    current: tuple[list[str], list[str]] = ([], [])
    context: tuple[list[str], list[str]] = ([], [])
    for item in sorted(suite.items, key=lambda item: item.document or ""):
        source, target, place = request.located(item)
        if not item.foils:
            raise KontrastError(f"item {item.id} has no contrastive variant")
        for text in (target[place], item.foils[0].text):
            current[0].append(source[place].strip())
            current[1].append(text.strip())
            for side, lines in enumerate((source, target)):
                before = (
                    lines[place - request.context : place] if place >= request.context else [""] * request.context
                )
                context[side].extend(line.strip() for line in before)
    return {
        f"{request.name}.{kind}.{ending}": lines
        for kind, sides in (("context", context), ("current", current))
        for ending, lines in zip(("src", "trg"), sides, strict=True)
    }


_ROWS = declaration(Path(rows.__file__).with_suffix(".toml")).options or {}
OPTIONS = {name: text for name, text in _ROWS.items() if not name.endswith("_language")}


def mine(suite: Suite, target: str | None) -> bool:
    """By the language that was asked for or the endings of the documents' ids, nothing else."""
    return target == "fr" or any(item.document and item.document.endswith(".fr") for item in suite.items)
