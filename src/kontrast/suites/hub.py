"""Data sets of the Hugging Face hub as suites: ``hf://datasets/OWNER/NAME[/CONFIG][?split=test&revision=…]``.

The files are downloaded into the hub's own cache, or taken from it (``HF_HOME``, ``HF_HUB_OFFLINE``). A configuration
is what the card of the data set says, else the folder or file of that name. The columns are those of a declaration
(``?format=my.toml``) or of a set that kontrast knows. The revision is part of the suite's name, and so of every
signature.
"""

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io import files
from kontrast.suites.formats.declared_rows import NamedRow, json_rows, kind_of, table_rows
from kontrast.suites.formats.format import Peek

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
