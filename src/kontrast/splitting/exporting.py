"""A split of a parallel corpus as files to train with: aligned lines, a data set folder, a GenBench task."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import read_lines, writing
from kontrast.io.json_input import write_json
from kontrast.io.names import file_name
from kontrast.splitting.conllu import conllu_texts
from kontrast.splitting.genbench import genbench_files, subtask_name
from kontrast.splitting.splits import Split
from kontrast.splitting.tokens import Array

__all__ = ["FORMATS", "export_split", "parse_corpora", "read_corpus"]

FORMATS = ("lines", "hf", "genbench", "chat")


def parse_corpora(given: Iterable[str]) -> dict[str, Path]:
    """Languages and files from LANG=FILE.

    >>> {lang: path.name for lang, path in parse_corpora(["en=a.en", "de=a.de"]).items()}
    {'en': 'a.en', 'de': 'a.de'}
    """
    corpora = {}
    for entry in given:
        language, _, path = entry.partition("=")
        if not language or not path:
            raise KontrastError(f"expected LANG=FILE, such as en=corpus.en, found {entry!r}")
        corpora[file_name(language)] = Path(path)
    return corpora


def read_corpus(path: str | Path) -> list[str]:
    """Sentences of a corpus: lines of text, or the texts of CoNLL-U."""
    name = Path(path).name
    return conllu_texts(path) if ".conllu" in name else read_lines(path)


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
    total = sum(
        map(len, (result.train, result.test, result.dev, result.discarded, result.featureless, result.filtered))
    )
    texts = {language: read_corpus(path) for language, path in corpora.items()}
    for language, lines in texts.items():
        if len(lines) != total:
            raise InputError(corpora[language], f"has {len(lines)} sentences, but the split is of {total}")
    sides = {side: ids for side, ids in _sides(result).items() if len(ids)}
    written: list[Path] = []
    if "lines" in formats:
        for language, lines in texts.items():
            for side, ids in sides.items():
                written.append(_write_lines(folder / f"{side}.{language}", [lines[i] for i in ids]))
    source, *targets = texts
    if set(formats) - {"lines"} and not targets:
        raise KontrastError("a data set needs a source and a target: give two corpora or more")
    if "hf" in formats:
        written += _write_hf(folder / "hf", texts, source, targets, sides, result)
    if "genbench" in formats:
        place = folder / "genbench"
        for file, text in genbench_files(result, source, targets, name or folder.name, place, url).items():
            written.append(_write_lines(place / file, text.splitlines()))
        for target in targets:
            for side, ids in sides.items():
                path = place / subtask_name(result, target) / f"{side}.jsonl"
                written.append(_write_pairs(path, texts[source], texts[target], ids))
    if "chat" in formats:
        for target in targets:
            for side, ids in sides.items():
                path = folder / "chat" / f"{source}-{target}.{side}.jsonl"
                written.append(_write_chat(path, texts, (source, target), ids))
    hashes = {str(path.relative_to(folder)): _sha256(path) for path in written}
    for side in sides:
        ids_file = folder / f"{side}.ids"
        if ids_file.exists():
            hashes[ids_file.name] = _sha256(ids_file)
    write_json(folder / "manifest.json", _manifest(result, corpora, hashes))
    return hashes


def _sides(result: Split) -> dict[str, Array]:
    return {"train": result.train, "dev": result.dev, "test": result.test}


def _write_lines(path: Path, lines: Sequence[str]) -> Path:
    with writing(path) as out:
        out.writelines(line.replace("\n", " ") + "\n" for line in lines)
    return path


def _write_pairs(path: Path, source: Sequence[str], target: Sequence[str], ids: Array) -> Path:
    with writing(path) as out:
        for i in ids.tolist():
            out.write(msgspec.json.encode({"input": source[i], "target": target[i]}).decode() + "\n")
    return path


def _write_chat(path: Path, texts: Mapping[str, Sequence[str]], pair: tuple[str, str], ids: Array) -> Path:
    """Messages as chat models are tuned with: the request with the source, and the answer."""
    source, target = pair
    request = f"Translate this from {_language(source)} to {_language(target)}:"
    with writing(path) as out:
        for i in ids.tolist():
            messages = [
                {"role": "user", "content": f"{request}\n{texts[source][i]}"},
                {"role": "assistant", "content": texts[target][i]},
            ]
            out.write(msgspec.json.encode({"messages": messages}).decode() + "\n")
    return path


_NAMES = {
    "cs": "Czech", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fi": "Finnish", "fr": "French",
    "it": "Italian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese", "ja": "Japanese",
}  # fmt: skip


def _language(code: str) -> str:
    return _NAMES.get(code, code)


def _write_hf(
    folder: Path,
    texts: Mapping[str, Sequence[str]],
    source: str,
    targets: Sequence[str],
    sides: Mapping[str, Array],
    result: Split,
) -> list[Path]:
    written, configurations = [], []
    for target in targets:
        config = f"{source}_{target}"
        configurations.append(f"- config_name: {config}\n  data_files:")
        for side, ids in sides.items():
            written.append(_write_pairs(folder / config / f"{side}.jsonl", texts[source], texts[target], ids))
            split_name = "validation" if side == "dev" else side
            configurations.append(f"  - split: {split_name}\n    path: {config}/{side}.jsonl")
    card = f"""---
task_categories:
- translation
language:
{chr(10).join(f"- {language}" for language in texts)}
configs:
{chr(10).join(configurations)}
---
Train and test with a compound divergence of {result.compound_divergence:.4f} and an atom divergence of
{result.atom_divergence:.4f}, made by `kontrast split` (seed {result.seed}). Columns: `input` ({source}), `target`.
"""
    written.append(_write_lines(folder / "README.md", card.splitlines()))
    return written


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
