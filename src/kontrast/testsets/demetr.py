"""DEMETR (Karpinska et al. 2022, X-EN, metrics): a translation and the same with an error; a file or a folder.

``mt_sent`` is correct, ``pert_sent`` wrong, ``eng_sent`` the reference. Items whose ``pert_check`` is false (nothing
was changed) are kept with that tag: what judges metrics leaves them out and counts them.
"""

from collections.abc import Iterator
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import write_json
from kontrast.suites.formats.entry import read_entries
from kontrast.suites.formats.format import Lost, Peek
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Item, Suite, Variant


def detect(peek: Peek) -> bool:
    if peek.is_folder:
        first = next(iter(_files(peek.path)), None)
        return first is not None and detect(Peek(first))
    return peek.has_keys("src_sent", "mt_sent", "pert_sent")


def read(path: Path) -> Suite:
    paths = _files(path) if path.is_dir() else [path]
    if not paths:
        raise InputError(path, "expected JSON files of DEMETR in this folder, found none")
    items = tuple(item for each in paths for item in _items(each))
    return Suite(files.suite_name(path), items, None, "en", style="demetr")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.endswith((".json", ".json.gz")))


def _items(path: Path) -> Iterator[Item]:
    name = files.suite_name(path)
    for i, entry in read_entries(path, "src_sent, eng_sent, mt_sent and pert_sent"):
        phenomenon = entry.text("pert_name") if entry.holds_text("pert_name") else name
        segment = entry.whole("id") if entry.holds_whole("id") else None
        yield Item(
            f"{phenomenon}.{i if segment is None else segment}",
            entry.text("src_sent"),
            (Variant(entry.text("mt_sent")), Variant(entry.text("pert_sent"), error=phenomenon)),
            references=(Variant(entry.text("eng_sent")),),
            segment=segment,
            tags={"phenomenon": phenomenon, **entry.rest()},
        )


def write(suite: Suite, path: Path) -> list[Lost]:
    """One file with all items; their ``pert_name`` tells them apart."""
    if any(len(item.variants) != 2 or len(item.references) != 1 for item in suite.items):
        raise KontrastError("the demetr format stores only items of two variants and one reference")
    entries = []
    for i, item in enumerate(suite.items, start=1):
        own = {
            "id": i if item.segment is None else item.segment,
            "src_sent": item.source,
            "eng_sent": item.references[0].text,
            "mt_sent": item.best.text,
            "pert_sent": item.variants[1 - item.correct].text,
            "pert_name": item.phenomenon or "",
        }
        tags = {tag: value for tag, value in item.tags.items() if tag != "phenomenon"}
        entries.append({**own, **tags, **own})
    write_json(path, entries, indent=2)
    made = {"id"} if suite.style == "demetr" else set()
    return losses(suite, {"references", "tags", "segment", "error"} | made)
