"""Data sets of the Hugging Face hub as suites: ``hf://datasets/OWNER/NAME[/CONFIG][?split=test&revision=…]``.

The files are downloaded into the hub's own cache, or taken from it (``HF_HOME``, ``HF_HUB_OFFLINE``). A configuration
is what the card of the data set says, else the folder or file of that name. The columns are those of a declaration
(``?format=my.toml``) or of a set that kontrast knows. The revision is part of the suite's name, and so of every
signature.

A suite is published as a folder that is ready to upload: card, data, licence, citation, datasheet.
"""

import fnmatch
import re
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io import files
from kontrast.record import Record
from kontrast.suites.formats import native
from kontrast.suites.formats.declared_rows import NamedRow, json_rows, kind_of, table_rows
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Variant

HUB = "hf://datasets/"
WHOLE = "kontrast.jsonl"
"""The whole suite, in a data set that `kontrast publish` made."""
_DATA = (".jsonl", ".json", ".csv", ".tsv", ".parquet", ".jsonl.gz", ".csv.gz", ".tsv.gz")
_NAMES = {"train": "train training", "validation": "dev valid validation val", "test": "test testing eval evaluation"}
_SPLITS = {name: split for split, names in _NAMES.items() for name in names.split()}


class HubFiles(NamedTuple):
    """The files of one configuration and split, and what to call them."""

    name: str
    revision: str
    config: str | None
    paths: list[Path]


def hub_files(address: str, split: str | None = None, revision: str | None = None) -> HubFiles:
    """Fetch a data set, or take it from the cache, and choose its files."""
    parts = address.removeprefix(HUB).strip("/").split("/")
    if len(parts) not in (2, 3) or not all(re.fullmatch(r"[\w.-]+", part) for part in parts):
        raise KontrastError(f"{address}: expected {HUB}OWNER/NAME or {HUB}OWNER/NAME/CONFIG")
    owner, name, *configs = parts
    folder = _fetched(address, f"{owner}/{name}", revision)
    config = configs[0] if configs else None
    if config is None and split in (None, "test") and (whole := folder / WHOLE).is_file():  # as publish writes it
        return HubFiles(f"{name}@{folder.name[:8]}", folder.name, None, [whole])
    splits = _declared_files(folder, address, config) or _found_files(folder, address, config)
    asked = _SPLITS.get(split, split) if split else None
    if asked is None and len(splits) == 1:
        asked = next(iter(splits))
    if asked not in splits:
        told = ", ".join(f"?split={each}" for each in splits)
        raise KontrastError(f"{address}: expected one of its splits: {told}")
    label = ".".join([name, *configs, *([asked] if len(splits) > 1 else [])])
    return HubFiles(f"{label}@{folder.name[:8]}", folder.name, config, splits[asked])


def _fetched(address: str, repo: str, revision: str | None) -> Path:
    try:
        import huggingface_hub
    except ImportError as error:
        raise MissingExtraError("hub", f"reading {address}") from error
    try:
        found = huggingface_hub.snapshot_download(repo, repo_type="dataset", revision=revision)
    except Exception as error:  # many kinds: no network, no such name, not allowed
        told = "is not in the cache, and the hub cannot be reached or has no such name or revision"
        cure = f"check them, or download it on a machine with a network: hf download {repo} --repo-type dataset"
        raise KontrastError(f"{address}: {told} ({type(error).__name__}); {cure}") from error
    return Path(found)


def _declared_files(folder: Path, address: str, config: str | None) -> dict[str, list[Path]]:
    """What the card says: ``configs`` with ``data_files``, by split."""
    card = folder / "README.md"
    head = re.match(r"---\n(.*?)\n---", files.read_text(card), re.DOTALL) if card.is_file() else None
    if head is None:
        return {}
    import yaml

    try:
        said: Any = yaml.safe_load(head[1])
    except yaml.YAMLError as error:
        raise InputError(card, f"its front matter is not valid YAML: {' '.join(str(error).split())[:120]}") from error
    known = {
        str(each.get("config_name", "default")): each.get("data_files") for each in (said or {}).get("configs") or ()
    }
    known = {name: patterns for name, patterns in known.items() if patterns}
    if not known:
        return {}
    if config is None and (len(known) == 1 or "default" in known):
        config = "default" if "default" in known else next(iter(known))
    if config not in known:
        some = ", ".join(sorted(known)[:8]) + (" …" if len(known) > 8 else "")
        raise KontrastError(
            f"{address}: expected one of its configurations, as in {address.rstrip('/')}/NAME: {some}"
        )
    patterns = known[config]
    if isinstance(patterns, str | dict):
        patterns = [patterns]
    splits: dict[str, list[Path]] = {}
    there = _all_files(folder)
    for each in patterns:
        split, paths = ("train", each) if isinstance(each, str) else (str(each["split"]), each["path"])
        for pattern in [paths] if isinstance(paths, str) else paths:
            matching = [p for p in there if fnmatch.fnmatch(p.relative_to(folder).as_posix(), str(pattern))]
            splits.setdefault(_SPLITS.get(split, split), []).extend(matching)
    if empty := [split for split, paths in splits.items() if not paths]:
        raise InputError(card, f"the files of the split {empty[0]} are missing")
    return splits


def _all_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.name.endswith(_DATA) and path.is_file())


def _found_files(folder: Path, address: str, config: str | None) -> dict[str, list[Path]]:
    """By their names, where the card says nothing."""
    there = _all_files(folder)
    if config is not None:
        there = [path for path in there if config in _words(path.relative_to(folder), whole=True)]
    if not there:
        raise KontrastError(
            f"{address}: found no JSON lines, CSV, TSV or Parquet file{f' of {config}' if config else ''}"
        )
    splits: dict[str, list[Path]] = {}
    for path in there:
        named = [_SPLITS[word] for word in _words(path.relative_to(folder)) if word in _SPLITS]
        splits.setdefault(named[-1] if named else "train", []).append(path)
    if (
        config is None
        and len({path.parent for path in there}) > 1
        and not any(p.parent.name == "data" for p in there)
    ):
        some = ", ".join(sorted({path.parent.name for path in there if path.parent != folder})[:8])
        raise KontrastError(f"{address}: it has several folders; name one, as in {address.rstrip('/')}/NAME: {some}")
    return splits


def _words(path: Path, whole: bool = False) -> list[str]:
    """The parts of a path, or their words."""
    parts = [part.partition(".")[0] for part in PurePosixPath(path.as_posix()).parts]
    return parts if whole else [word for part in parts for word in re.split(r"[-_.]", part)]


def rows_of(paths: list[Path]) -> Iterator[NamedRow]:
    """The rows of several files, Parquet or text, as one table."""
    for path in paths:
        if path.name.endswith(".parquet"):
            try:
                import pyarrow.parquet as parquet
            except ImportError as error:
                raise MissingExtraError("hub", f"reading {path.name}") from error
            for row in parquet.read_table(path).to_pylist():
                yield NamedRow(None, row)
        elif (kind := kind_of(Peek(path))) == "jsonl":
            yield from json_rows(path)
        else:
            yield from table_rows(path, kind, (), True, path.name)


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
