"""GenBench: tasks written for a split and its targets, and tasks read: the published Europarl splits or one's own."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import open_lines, read_lines
from kontrast.io.json_input import decode
from kontrast.io.tables import TableRow, read_tab_lines
from kontrast.splitting.generalisation import statistics
from kontrast.splitting.measured_divergence import divergence

if TYPE_CHECKING:
    from kontrast.splitting.split_files import Split

HUB = "Anssi/europarl_dbca_splits"
LANGUAGES = ("de", "fr", "el", "fi")
Record = dict[str, str]
_OBJECT = msgspec.json.Decoder(dict[str, Any])
CHRF_COMMIT = "4b119256e85de9130aa84d87247381c5acb29bc1"
"""The version of the hub's chrF that the Europarl task names."""


class PreparationStrategy(enum.Enum):
    """How data is to be used; only one way makes sense for these tasks."""

    FINETUNING = "finetuning"


class TaskScore(dict[str, float]):
    """Scores by name, which also divides as a number: the chrF2++, as the generalisation score has it.

    ``hf_chrf__score`` is what the published configuration computes: plain chrF2, without words.
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

    @staticmethod
    def divergence(train_counts: Any, test_counts: Any, alpha: float) -> float:
        """The divergence of two count vectors: `kontrast.splitting.divergence`."""
        return divergence(train_counts, test_counts, alpha)


def __getattr__(name: str) -> Any:
    """The published classes by their names: ``EuroparlDbcaSplitsComdiv0De`` and the rest."""
    found = re.fullmatch(r"EuroparlDbcaSplitsComdiv([01])([A-Z][a-z])", name)
    if found is None or found[2].lower() not in LANGUAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    subtask = f"comdiv{found[1]}_{found[2].lower()}"
    return msgspec.defstruct(name, [("name", str, subtask)], bases=(Subtask,), frozen=True, module=__name__)


class Task:
    """A task with its subtasks as attributes."""

    def __init__(self, name: str, subtasks: Mapping[str, Subtask]) -> None:
        self.name, self.subtasks = name, dict(subtasks)

    def __getattr__(self, name: str) -> Subtask:
        if name.startswith("_") or name not in self.__dict__.get("subtasks", {}):
            known = ", ".join(self.__dict__.get("subtasks", {}))
            raise AttributeError(f"there is no subtask {name!r}; choose from {known}")
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
            return [_pair(path, row) for row in read_tab_lines(path) if row.cells != ["input", "target"]]
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


def _pair(path: Path, row: TableRow) -> Record:
    if len(row.cells) != 2:
        told = f"expected input and target with a tab between, found {len(row.cells)} columns"
        raise InputError(path, told, line=row.line)
    return {"input": row.cells[0], "target": row.cells[1]}


def _record(path: Path, number: int, line: str) -> Record:
    row = decode(_OBJECT, line, path, number, "an object with input and target")
    if not {"input", "target"} <= row.keys():
        raise InputError(path, "expected an object with input and target", line=number)
    return {"input": str(row["input"]), "target": str(row["target"])}


def _texts(given: Iterable[Any], what: str) -> list[str]:
    texts = []
    for entry in given:
        text = entry.get("target") if isinstance(entry, Mapping) else entry
        if not isinstance(text, str):
            raise KontrastError(f'{what} must be texts or records with "target", found {entry!r}')
        texts.append(text)
    return texts


def template(name: str) -> str:
    """A text of ``data/splits``, to be filled in."""
    return (Path(__file__).resolve().parents[1] / "data" / "splits" / name).read_text("utf-8")


def subtask_name(result: Split, target: str) -> str:
    """The folder of a subtask, which has to be a name in Python."""
    return f"comdiv{result.aim.compound:g}_{target}".replace(".", "_").replace("-", "_")


def genbench_files(
    result: Split, source: str, targets: Sequence[str], name: str, folder: Path, url: str = ""
) -> dict[str, str]:
    """Texts by path within the task's folder; the records are written beside them.

    Data are named by ``url`` (where you will publish the folder), else as ``file:`` in this ``folder``.
    """
    task = re.sub(r"\W+", "_", name).strip("_").lower() or "task"
    base = url.rstrip("/") or folder.resolve().as_uri()
    subtasks = {subtask_name(result, target): target for target in targets}
    texts = {
        "__init__.py": f"from genbench import TaskDict\n\n\nclass {_class(task)}(TaskDict):\n    pass\n",
        "config.jsonnet": _json({**_about(result, name), "subtasks_order": list(subtasks)}),
        "doc.md": _page(result, source, ", ".join(targets)),
    }
    for subtask, target in subtasks.items():
        texts[f"{subtask}/__init__.py"] = ""
        texts[f"{subtask}/config.jsonnet"] = _config(result, subtask, name, f"{base}/{subtask}")
        texts[f"{subtask}/task.py"] = template("genbench_task.txt").format(name=_class(task) + _class(subtask))
        texts[f"{subtask}/doc.md"] = _page(result, source, target)
    return texts


def _class(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _json(fields: dict[str, object]) -> str:
    return json.dumps(fields, indent=4, ensure_ascii=False) + "\n"  # JSON is valid Jsonnet


def _about(result: Split, name: str) -> dict[str, object]:
    return {
        "name": name,
        "description": (
            "Sentence-level translation where the compounds of test (head lemma, relation, dependent lemma, by "
            f"default) diverge by {result.compound_divergence:.4f} from those of train, their atoms by "
            f"{result.atom_divergence:.4f}."
        ),
        "keywords": ["translation", "compositional generalisation", "DBCA"],
        "authors": ["made by kontrast split"],
    }


def _config(result: Split, subtask: str, name: str, base: str) -> str:
    files = {side: f"{base}/{side}.jsonl" for side in ("train", "test")}
    if len(result.dev):
        files["validation"] = f"{base}/dev.jsonl"
    # extra arguments are texts there; task.py makes a number of it
    metric = {"hf_id": "chrf", "git_commit_sha": CHRF_COMMIT, "best_score": 100.0,
              "compute_extra_kwargs": {"word_order": "2"}}  # fmt: skip
    return _json({
        **_about(result, f"{name} ({subtask})"),
        "task_type": "free_form",
        "data_source": {"type": "manual", **files},
        "evaluation_metrics": [metric],
        "has_validation_set": bool(len(result.dev)),
        "has_train_set": True,
        "preparation_strategies": {"finetuning": {"objective": "maximum_likelihood"}},
    })  # fmt: skip


def _page(result: Split, source: str, target: str) -> str:
    limitations = "\n".join(f"- {note}" for note in result.notes) or "- No problem was found when the split was made."
    card = template("genbench_card.md")
    return card.format(result=result, measured=result.measured, source=source, target=target, limitations=limitations)
