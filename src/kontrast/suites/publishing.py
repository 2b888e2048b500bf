"""A suite as a data set folder that is ready to upload: card, data, licence, citation, datasheet."""

from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import msgspec

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.record import Record
from kontrast.suites.formats import native
from kontrast.suites.hub import WHOLE
from kontrast.suites.model import Item, Suite, Variant

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LICENCES = "cc-by-4.0 cc-by-sa-4.0 cc-by-nc-4.0 cc-by-nc-sa-4.0 cc-by-sa-3.0 cc0-1.0 mit apache-2.0".split()


class Publication(Record, frozen=True):
    """What `publish` wrote."""

    suite: str
    folder: str
    items: int
    files: tuple[str, ...]


class _Row(msgspec.Struct):
    """A row of the data as others read it; what else an item holds is in the whole suite beside it."""

    id: str
    source: str
    right: str
    wrong: list[str]
    phenomenon: str
    errors: list[str]
    """The error of each wrong text, in their order."""
    document: str
    context: list[str]


def publish_suite(suite: Suite, folder: Path, licence: str | None, citation: str | None) -> Publication:
    """Write the folder, which must be new or empty."""
    licence, citation = licence or suite.licence, citation or suite.citation
    if not licence:
        raise KontrastError(f"{suite.name} has no licence, and a data set needs one: --licence 'CC BY 4.0'")
    new_folder(folder)
    whole = msgspec.structs.replace(suite, licence=licence, citation=citation)
    (folder / "data").mkdir()
    native.write(whole, folder / WHOLE)
    with files.writing(folder / "data/test.jsonl") as out:
        out.writelines(msgspec.json.encode(_row(item)).decode() + "\n" for item in suite.items)
    texts = {
        "README.md": _card(whole),
        "DATASHEET.md": _datasheet(whole),
        "LICENSE": f"{suite.name}: {licence}\n",
        **({"CITATION.bib": citation.strip() + "\n"} if citation else {}),
    }
    for name, text in texts.items():
        with files.writing(folder / name) as out:
            out.write(text)
    made = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return Publication(suite.name, str(folder), len(suite.items), tuple(made))


def new_folder(folder: Path) -> Path:
    """Make the folder; one that has something in it is refused."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise KontrastError(f"{folder} is not empty; choose a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _row(item: Item) -> _Row:
    wrong, errors = [foil.text for foil in item.foils], [_error(item, foil) for foil in item.foils]
    before, about = list(item.source_context or ()), item.document or ""
    phenomenon = errors[0] if len(set(errors)) == 1 else str(item.tags.get("phenomenon", ""))
    return _Row(item.id, item.source, item.best.text, wrong, phenomenon, errors, about, before)


def _error(item: Item, foil: Variant) -> str:
    return str(item.tags_of(foil).get("phenomenon", ""))


def _filled(name: str, /, **values: object) -> str:
    """A text of ``data/published``."""
    return resources.files("kontrast").joinpath("data", "published", name).read_text("utf-8").format(**values)


def _card(suite: Suite) -> str:
    """The card: its head is what the hub reads."""
    languages = [code for code in (suite.source_language, suite.target_language) if code]
    count = len(suite.items)
    listed = "".join(f"- {code.split('-')[0]}\n" for code in dict.fromkeys(languages))
    plain = (suite.licence or "").strip().lower().replace(" ", "-")
    name = "cc0-1.0" if plain in ("cc0", "cc-0") else plain
    return _filled(
        "README.md",
        suite=suite,
        name=msgspec.json.encode(suite.name).decode(),
        licence=name if name in _LICENCES else "other",
        languages=f"language:\n{listed}" if listed else "",
        task="translation" if suite.source_language else "text-classification",
        size=next((name for top, name in _SIZES if count < top), "n>1M"),
        description=suite.description or "A suite for contrastive evaluation.",
        pair=" → ".join(languages) or "language not stated",
        items=count,
        phenomena="".join(_phenomena(suite)),
        counted=f"{suite.unit}s",
        whole=WHOLE,
        citation=f"\n```bibtex\n{suite.citation.strip()}\n```\n" if suite.citation else "",
    )


def _phenomena(suite: Suite) -> Iterator[str]:
    """How many decisions each has: pairs, where each wrong text is one."""
    if suite.unit == "pair":
        found = Counter(_error(item, foil) for item in suite.items for foil in item.foils)
    else:
        found = Counter(item.phenomenon or "" for item in suite.items)
    for name, count in found.most_common():
        name = name or "–"
        yield f"| {name.replace('|', '/')} | {count:,} |\n"


def _datasheet(suite: Suite) -> str:
    """What can be said from the data; what only its makers know is asked for."""
    lengths = sorted(len(item.variants) for item in suite.items)
    several = f"{lengths[0]} to {lengths[-1]} variants" if lengths else ""
    whole = f"Each of the {len(suite.items):,} instances is a source with {several}."
    return _filled(
        "DATASHEET.md",
        suite=suite,
        instances=whole if lengths else "There are no instances.",
        context=sum(item.source_context is not None for item in suite.items),
        documents=len({item.document for item in suite.items if item.document}) or "unknown",
        version=suite.version or "not stated",
    )
