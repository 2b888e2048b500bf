"""A split and its files: sentence numbers, ``split.json``, and the corpora to train with in several formats."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import read_lines, writing
from kontrast.io.json_input import FAILURES, write_json
from kontrast.io.names import file_name
from kontrast.io.numbers import whole_number
from kontrast.record import short_facts
from kontrast.splitting.corpus_reader import corpus_texts
from kontrast.splitting.genbench import genbench_files, subtask_name, template
from kontrast.splitting.measured_divergence import Divergence
from kontrast.splitting.search import Step
from kontrast.splitting.search_problem import Aim, Windows
from kontrast.splitting.token_table import Array

FORMATS = ("lines", "hf", "genbench", "chat")
MOST_SENTENCES = 1 << 28
_SIDES = ("train", "test", "dev", "discarded", "featureless", "filtered")
_FILES = {"train": True, "test": True, "dev": False, "featureless": False, "filtered": False}
"""Sides that have a file, and whether it is written when the side is empty."""


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """Sentence numbers of each side, the targets, and the results.

    ``featureless`` are sentences without a compound, ``filtered`` those left out before counting: they take no part.
    Shares are test/(train + dev + test).
    """

    train: Array
    test: Array
    dev: Array
    discarded: Array
    featureless: Array
    filtered: Array
    atom_divergence: float
    compound_divergence: float
    test_share_compounds: float
    test_share_sentences: float
    test_share_tokens: float
    length_ratio: float
    aim: Aim
    windows: Windows
    measured: Divergence
    seed: int
    effort: str
    seconds: float
    cpu_seconds: float
    reached: bool
    notes: tuple[str, ...]
    trajectory: tuple[Step, ...]
    together: str = ""
    against: str = ""

    @property
    def sentences(self) -> int:
        """Sentences of the corpus, wherever they went."""
        return sum(len(getattr(self, side)) for side in _SIDES)

    @property
    def test_share(self) -> float:
        """The share of test in what its window measures."""
        return {
            "compounds": self.test_share_compounds,
            "sentences": self.test_share_sentences,
            "tokens": self.test_share_tokens,
        }[self.windows.measure]

    def __str__(self) -> str:
        return f"Split: {short_facts({**{side: len(getattr(self, side)) for side in _SIDES}, **self.to_dict()}, 10)}"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """The split as `kontrast split --json` prints it: without its lists of sentences and the search's steps."""
        summary = {name: value for name, value in summary_of(self).items() if name != "trajectory"}
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(summary))
        return plain


def save_split(result: Split, folder: str | Path, *, counts: str = "") -> None:
    """Write ``train.ids``, ``test.ids`` (``dev.ids``, ``featureless.ids``, ``filtered.ids``) and ``split.json``."""
    from kontrast import __version__

    folder = Path(folder)
    for side, always in _FILES.items():
        ids: Array = getattr(result, side)
        if not len(ids) and not always:
            (folder / f"{side}.ids").unlink(missing_ok=True)
            continue
        with writing(folder / f"{side}.ids") as out:
            out.write("".join(f"{i}\n" for i in ids.tolist()))
    write_json(folder / "split.json", {**summary_of(result), "counts": counts, "kontrast": __version__})


def summary_of(result: Split) -> dict[str, Any]:
    """A split without its lists of sentences, for JSON."""
    fields = {name: getattr(result, name) for name in result.__struct_fields__ if name not in _SIDES}
    sizes = {side: len(getattr(result, side)) for side in _SIDES}
    total = result.sentences
    return {
        "atom_divergence": result.atom_divergence,
        "compound_divergence": result.compound_divergence,
        "sentences": total,
        **sizes,
        "test_share": result.test_share,
        "discard_share": sizes["discarded"] / max(1, total - sizes["featureless"] - sizes["filtered"]),
        **fields,
    }


def load_split(folder: str | Path) -> Split:
    """Read back what `save_split` wrote."""
    folder = Path(folder)
    try:
        raw = msgspec.json.decode((folder / "split.json").read_bytes(), type=dict[str, Any])
        sentences = int(raw["sentences"])
        if not 0 <= sentences <= MOST_SENTENCES:
            raise ValueError
        kept = [field for field in msgspec.structs.fields(Split) if field.name not in _SIDES]
        fields = {field.name: msgspec.convert(raw[field.name], field.type) for field in kept}
    except (OSError, KeyError, TypeError, ValueError, OverflowError, *FAILURES) as error:
        raise InputError(folder, "expected a folder written by this version's `kontrast split`") from error
    sides: dict[str, Any] = {side: np.zeros(0, np.int64) for side in _FILES}
    for side, always in _FILES.items():
        if always or (folder / f"{side}.ids").exists():
            sides[side] = read_ids(folder / f"{side}.ids", sentences)
    discarded = np.setdiff1d(np.arange(sentences), np.concatenate(list(sides.values())))
    return Split(**sides, discarded=discarded, **fields)


def ids_of(given: Sequence[int] | str | Path, sentences: int) -> Array:
    """Sentence numbers, or those of a file, checked."""
    if isinstance(given, str | Path):
        return read_ids(given, sentences)
    ids = np.asarray(given, dtype=np.int64)
    if ids.size and not 0 <= ids.min() <= ids.max() < sentences:
        raise KontrastError(f"sentence numbers are from 0 to {sentences - 1}, not {ids.min()} to {ids.max()}")
    if len(np.unique(ids)) < ids.size:
        raise KontrastError("a sentence number is given twice")
    return ids


def read_ids(path: str | Path, sentences: int) -> Array:
    """Sentence numbers counted from 0, one per line."""
    ids: list[int] = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        value = whole_number(line.strip())
        if value is None:
            raise InputError(path, f"expected a sentence number, found {line[:40]!r}", line=number)
        if value >= sentences:
            raise InputError(path, f"sentence {value} is not among the {sentences} (counted from 0)", line=number)
        ids.append(value)
    if len(set(ids)) < len(ids):
        raise InputError(path, "a sentence number is given twice")
    return np.array(ids, np.int64)


def parse_corpora(given: Iterable[str]) -> dict[str, Path]:
    """Languages and files from LANG=FILE."""
    corpora = {}
    for entry in given:
        language, _, path = entry.partition("=")
        if not language or not path:
            raise KontrastError(f"expected LANG=FILE, such as en=corpus.en, found {entry!r}")
        if language in corpora:
            raise KontrastError(f"--export: {language} is given twice; give each language once")
        corpora[file_name(language)] = Path(path)
    return corpora


def export_split(
    result: Split,
    corpora: Mapping[str, str | Path],
    folder: str | Path,
    *,
    formats: Sequence[str] = ("lines",),
    name: str = "",
    url: str = "",
) -> dict[str, str]:
    """Write the corpora's train, dev and test, and ``manifest.json`` with hashes; gives the hash of each file.

    The first language is the source; each other one is a target. ``lines`` writes train.en, train.de and so on;
    ``hf`` a folder that the hub's `datasets` reads; ``genbench`` a task folder with its code and card, whose data are
    at ``url`` once you have put them there; ``chat`` messages to fine-tune a language model with.
    """
    folder = Path(folder)
    for kind in formats:
        if kind not in FORMATS:
            raise KontrastError(f"{kind!r} is not a format of exports; expected one of {', '.join(FORMATS)}")
    texts = {language: corpus_texts(path) for language, path in corpora.items()}
    for language, text in texts.items():
        if len(text) != result.sentences:
            raise InputError(corpora[language], f"has {len(text)} sentences, but the split has {result.sentences}")
    if set(formats) - {"lines"} and len(texts) < 2:
        raise KontrastError("a data set needs a source and a target: give at least two corpora")
    sides = {side: ids.tolist() for side in ("train", "dev", "test") if len(ids := getattr(result, side))}
    hashes = {}
    for file, lines in _exported(result, texts, sides, formats, name or folder.name, folder, url):
        with writing(folder / file) as out:
            out.writelines(line.replace("\n", " ") + "\n" for line in lines)
        hashes[file] = ""
    hashes |= {f"{side}.ids": "" for side in sides if (folder / f"{side}.ids").exists()}
    hashes = {file: _sha256(folder / file) for file in hashes}
    write_json(folder / "manifest.json", _manifest(result, corpora, hashes))
    return hashes


def _exported(
    result: Split, texts: Mapping[str, Sequence[str]], sides: Mapping[str, Sequence[int]], formats: Sequence[str],
    name: str, folder: Path, url: str,
) -> Iterator[tuple[str, Iterable[str]]]:  # fmt: skip
    """The files of an export, each with its lines."""
    source, *targets = texts

    def records(
        file: Callable[[str, str], str], record: Callable[[str, str, str, str], Any] = _pair
    ) -> Iterator[tuple[str, Iterable[str]]]:
        for target, (side, ids) in product(targets, sides.items()):
            pairs = ((texts[source][i], texts[target][i]) for i in ids)
            yield (
                file(target, side),
                (msgspec.json.encode(record(source, target, *pair)).decode() for pair in pairs),
            )

    if "lines" in formats:
        for (language, lines), (side, ids) in product(texts.items(), sides.items()):
            yield f"{side}.{language}", [lines[i] for i in ids]
    if "hf" in formats:
        yield from records(lambda target, side: f"hf/{source}_{target}/{side}.jsonl")
        yield "hf/README.md", _hub_card(result, source, targets, list(sides)).splitlines()
    if "genbench" in formats:
        for file, text in genbench_files(result, source, targets, name, folder / "genbench", url).items():
            yield f"genbench/{file}", text.splitlines()
        yield from records(lambda target, side: f"genbench/{subtask_name(result, target)}/{side}.jsonl")
    if "chat" in formats:
        yield from records(lambda target, side: f"chat/{source}-{target}.{side}.jsonl", _chat)


def _pair(source: str, target: str, text: str, translation: str) -> Any:
    return {"input": text, "target": translation}


def _chat(source: str, target: str, text: str, translation: str) -> Any:
    """Messages as chat models are tuned with: the request with the source, and the answer."""
    request = f"Translate this from {_NAMES.get(source, source)} to {_NAMES.get(target, target)}:\n{text}"
    return {"messages": [{"role": "user", "content": request}, {"role": "assistant", "content": translation}]}


_NAMES = {
    "cs": "Czech", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fi": "Finnish", "fr": "French",
    "it": "Italian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese", "ja": "Japanese",
}  # fmt: skip


def _hub_card(result: Split, source: str, targets: Sequence[str], sides: Sequence[str]) -> str:
    configurations = []
    for target in targets:
        config = f"{source}_{target}"
        configurations.append(f"- config_name: {config}\n  data_files:")
        for side in sides:
            split_name = "validation" if side == "dev" else side
            configurations.append(f"  - split: {split_name}\n    path: {config}/{side}.jsonl")
    languages = "\n".join(f"- {language}" for language in (source, *targets))
    told = {"languages": languages, "configurations": "\n".join(configurations), "source": source, "result": result}
    return template("hub_card.md").format(**told)


def _manifest(result: Split, corpora: Mapping[str, str | Path], hashes: Mapping[str, str]) -> dict[str, object]:
    import sys
    from importlib.metadata import version

    from kontrast import __version__

    return {
        "kontrast": __version__,
        "python": sys.version.split()[0],
        "numpy": version("numpy"),
        "numba": version("numba"),
        "seed": result.seed,
        "effort": result.effort,
        "aim": result.aim,
        "windows": result.windows,
        "atom_divergence": result.atom_divergence,
        "compound_divergence": result.compound_divergence,
        "corpora": {
            language: {"file": Path(path).name, "sha256": _sha256(Path(path))} for language, path in corpora.items()
        },
        "files": hashes,
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
