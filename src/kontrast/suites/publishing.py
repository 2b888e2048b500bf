"""A suite as a data set folder that is ready to upload: card, data, licence, citation, datasheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.record import Record
from kontrast.suites.formats import native
from kontrast.suites.hub import WHOLE
from kontrast.suites.model import Item, Suite

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LICENCES = {"cc0 1.0": "cc0-1.0", "cc0": "cc0-1.0", "cc-0": "cc0-1.0"}
_KNOWN = (
    "cc-by-4.0",
    "cc-by-sa-4.0",
    "cc-by-nc-4.0",
    "cc-by-nc-sa-4.0",
    "cc-by-sa-3.0",
    "cc0-1.0",
    "mit",
    "apache-2.0",
)


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
    document: str
    context: list[str]


def publish_suite(suite: Suite, folder: Path, licence: str | None, citation: str | None) -> Publication:
    """Write the folder, which must be new or empty."""
    licence, citation = licence or suite.licence, citation or suite.citation
    if not licence:
        raise KontrastError(f"{suite.name} says no licence, and a data set needs one: --licence 'CC BY 4.0'")
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
        raise KontrastError(f"{folder} is not empty: name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _row(item: Item) -> _Row:
    wrong = [variant.text for variant in item.foils]
    before = list(item.source_context or ())
    return _Row(item.id, item.source, item.best.text, wrong, item.phenomenon or "", item.document or "", before)


def _card(suite: Suite) -> str:
    """The card: its head is what the hub reads."""
    languages = [code for code in (suite.source_language, suite.target_language) if code]
    count = len(suite.items)
    size = next((name for top, name in _SIZES if count < top), "n>1M")
    head = ["---", f"pretty_name: {msgspec.json.encode(suite.name).decode()}", f"license: {_hub_licence(suite)}"]
    head += ["language:", *(f"- {code.split('-')[0]}" for code in dict.fromkeys(languages))] if languages else []
    head += ["task_categories:", "- translation" if suite.source_language else "- text-classification"]
    head += ["tags:", "- contrastive-evaluation", "- kontrast", "size_categories:", f"- {size}"]
    head += [
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: test",
        "    path: data/test.jsonl",
        "---",
    ]
    pair = " → ".join(languages) or "language not stated"
    body = [f"# {suite.name}", "", suite.description or "A suite for contrastive evaluation.", ""]
    body += [f"- languages: {pair}", f"- items: {count:,}, rows: {suite.row_count:,}", f"- licence: {suite.licence}"]
    body += [f"- fingerprint: `{suite.fingerprint}`", ""]
    body += ["| phenomenon | items |", "|---|---|", *_phenomena(suite), ""]
    body += [
        "An item has a source, the right translation and wrong ones. A system is right if it prefers the right one."
    ]
    body += ["", f"    kontrast score {WHOLE} --model hf:MODEL --out model.scores"]
    body += [f"    kontrast evaluate {WHOLE} model.scores", ""]
    body += [f"`{WHOLE}` is the whole suite with all its tags. See DATASHEET.md for how it was made."]
    if suite.citation:
        body += ["", "```bibtex", suite.citation.strip(), "```"]
    return "\n".join([*head, *body]) + "\n"


def _hub_licence(suite: Suite) -> str:
    plain = (suite.licence or "").strip().lower()
    name = _LICENCES.get(plain, plain.replace(" ", "-"))
    return name if name in _KNOWN else "other"


def _phenomena(suite: Suite) -> Iterator[str]:
    for name, count in Counter(item.phenomenon or "–" for item in suite.items).most_common():
        yield f"| {name.replace('|', '/')} | {count:,} |"


def _datasheet(suite: Suite) -> str:
    """What can be said from the data; what only its makers know is asked for."""
    context = sum(item.source_context is not None for item in suite.items)
    documents = len({item.document for item in suite.items if item.document})
    lengths = sorted(len(item.variants) for item in suite.items)
    facts = [
        f"Each of the {len(suite.items):,} instances is a source with {lengths[0]} to {lengths[-1]} variants."
        if lengths
        else "There are no instances.",
        f"{context:,} have the sentences before the source. They come from {documents or 'unknown'} documents.",
        f"Version: {suite.version or 'not stated'}. Fingerprint: {suite.fingerprint}.",
    ]
    asked = {
        "Motivation": "For what purpose was the set made, and by whom?",
        "Collection": "Where do the texts come from, and when were they written? Were people asked for consent?",
        "Making of the wrong variants": "By hand, by rule or by a model? Who checked them, and how many were wrong?",
        "Uses": "What must a result on this set not be used for?",
        "Maintenance": "Who corrects errors, and where are they reported?",
    }
    lines = [f"# Datasheet of {suite.name}", "", "## Composition", *facts]
    for title, question in asked.items():
        lines += ["", f"## {title}", f"*{question}* To be answered by the makers."]
    return "\n".join(lines) + "\n"
