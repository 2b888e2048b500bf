"""Tasks in the shape of GenBench: the published Europarl splits, or a folder of one's own exports."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import open_lines, read_lines
from kontrast.io.json_input import FAILURES
from kontrast.splitting.chernoff import divergence
from kontrast.splitting.quality import statistics

__all__ = ["PreparationStrategy", "Subtask", "Task", "TaskScore", "load_task"]

HUB = "Anssi/europarl_dbca_splits"
LANGUAGES = ("de", "fr", "el", "fi")
Record = dict[str, str]


class PreparationStrategy(enum.Enum):
    """How data is to be used; only one way makes sense for these tasks."""

    FINETUNING = "finetuning"


class TaskScore(dict[str, float]):
    """Scores by name, which also divides as a number: the chrF2++, as the generalisation score has it.

    ``hf_chrf__score`` is what the published configuration computes: plain chrF2, without words.

    >>> score = TaskScore(hf_chrf__score=60.0, chrf2pp=50.0)
    >>> score / TaskScore(hf_chrf__score=66.0, chrf2pp=100.0)
    0.5
    """

    def __float__(self) -> float:
        return self["chrf2pp"]

    def __truediv__(self, other: Any) -> float:
        return float(self) / float(other)

    def __rtruediv__(self, other: Any) -> float:
        return float(other) / float(self)

    def __getattr__(self, name: str) -> float:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Subtask(msgspec.Struct, frozen=True):
    """One split and target language, such as ``comdiv1_de``."""

    name: str
    folder: Path | None = None

    def get_prepared_datasets(
        self, preparation_strategy: Any = PreparationStrategy.FINETUNING
    ) -> dict[str, list[Record]]:
        """Records with ``input`` and ``target`` of train and test, from a local copy or the hub."""
        if self.folder is None:
            return _from_hub(self.name)
        return {side: _records(self.folder, side) for side in ("train", "test")}

    def evaluate_predictions(self, predictions: Iterable[Any], gold: Iterable[Any]) -> TaskScore:
        """chrF of predictions, which are texts or records with ``target``."""
        texts, references = _texts(predictions, "predictions"), _texts(gold, "gold")
        return TaskScore(
            hf_chrf__score=statistics("chrF2", texts, references).total(),
            chrf2pp=statistics("chrF2++", texts, references).total(),
            bleu=statistics("BLEU", texts, references).total(),
        )

    def divergence(self, train_counts: Any, test_counts: Any, alpha: float) -> float:
        """The divergence of two count vectors: `kontrast.splitting.divergence`."""
        return divergence(train_counts, test_counts, alpha)


class Task:
    """A task with its subtasks as attributes."""

    def __init__(self, name: str, subtasks: Mapping[str, Subtask]) -> None:
        self.name, self.subtasks = name, dict(subtasks)

    def __getattr__(self, name: str) -> Subtask:
        if name.startswith("_") or name not in self.__dict__.get("subtasks", {}):
            known = ", ".join(self.__dict__.get("subtasks", {}))
            raise AttributeError(f"there is no subtask {name!r}; there are {known}")
        return self.subtasks[name]


def load_task(name: str | Path, path: str | Path | None = None) -> Task:
    """The published task ``europarl_dbca_splits``, or a folder whose subfolders are subtasks.

    ``path`` is a local copy of the hub's files: a folder for each configuration (``comdiv1.0_en_de`` or
    ``comdiv1_de``) with train and test as .jsonl, .tsv, .parquet, or as line-aligned ``train.en``, ``train.de``.

    >>> task = load_task("europarl_dbca_splits")
    >>> task.comdiv1_de.divergence([[2, 0, 6]], [[0, 5, 5]], 0.1)
    0.4793101280037947
    """
    if str(name) == "europarl_dbca_splits":
        folder = None if path is None else Path(path)
        if folder is not None and not folder.is_dir():
            raise InputError(folder, "expected a folder with a local copy of the task's data")
        found = {}
        for level in ("0", "1"):
            for language in LANGUAGES:
                subtask = f"comdiv{level}_{language}"
                place = None if folder is None else _local(folder, level, language)
                found[subtask] = Subtask(subtask, place)
        return Task(str(name), found)
    folder = Path(path) if path is not None else Path(name)
    if not folder.is_dir():
        raise KontrastError(f"{name!r} is neither europarl_dbca_splits nor a folder of splits")
    places = {p.name: p for p in sorted(folder.glob("**/comdiv*")) if p.is_dir()}
    if not places:
        raise InputError(folder, "has no subfolder comdiv…; write one with `kontrast split --format genbench`")
    return Task(folder.name, {key: Subtask(key, place) for key, place in places.items()})


def _local(folder: Path, level: str, language: str) -> Path:
    for name in (f"comdiv{level}.0_en_{language}", f"comdiv{level}_{language}"):
        if (folder / name).is_dir():
            return folder / name
    return folder / f"comdiv{level}.0_en_{language}"


def _from_hub(subtask: str) -> dict[str, list[Record]]:
    level, _, language = subtask.removeprefix("comdiv").partition("_")
    config = f"comdiv{level}.0_en_{language}"
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise KontrastError(
            f"the hub's data set {HUB} ({config}) needs `pip install datasets`, or a copy: load_task(name, path)"
        ) from error
    data = load_dataset(HUB, config)
    return {side: [{"input": r["input"], "target": r["target"]} for r in data[side]] for side in ("train", "test")}


def _records(folder: Path, side: str) -> list[Record]:
    for path in sorted(folder.glob(f"{side}*")) if folder.is_dir() else []:
        name = path.name.removesuffix(".gz").removesuffix(".zst")
        if name.endswith((".jsonl", ".json")):
            return [_record(path, number, line) for number, line in enumerate(open_lines(path), start=1)]
        if name.endswith(".tsv"):
            rows = [line.split("\t") for line in read_lines(path)]
            rows = rows[1:] if rows and rows[0][:2] == ["input", "target"] else rows
            return [{"input": row[0], "target": row[1]} for row in rows]
        if name.endswith(".parquet"):
            from pyarrow.parquet import read_table

            table = read_table(path, columns=["input", "target"])
            return [{"input": r["input"], "target": r["target"]} for r in table.to_pylist()]
    texts = sorted(folder.glob(f"{side}.??")) if folder.is_dir() else []
    language = folder.name.rpartition("_")[2]
    if len(texts) == 2:
        target = next((p for p in texts if p.suffix == f".{language}"), texts[-1])
        source = next(p for p in texts if p != target)
        return [{"input": a, "target": b} for a, b in zip(read_lines(source), read_lines(target), strict=True)]
    raise InputError(folder, f"expected {side}.jsonl, .tsv, .parquet or two line-aligned {side} files")


def _record(path: Path, number: int, line: str) -> Record:
    try:
        row = msgspec.json.decode(line, type=dict[str, Any])
        return {"input": str(row["input"]), "target": str(row["target"])}
    except (*FAILURES, KeyError) as error:
        raise InputError(path, "expected an object with input and target", line=number) from error


def _texts(given: Iterable[Any], what: str) -> list[str]:
    texts = []
    for entry in given:
        text = entry.get("target") if isinstance(entry, Mapping) else entry
        if not isinstance(text, str):
            raise KontrastError(f'{what} must be texts or records with "target", found {entry!r}')
        texts.append(text)
    return texts
