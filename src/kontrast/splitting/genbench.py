"""The files of a GenBench task: configurations, code and pages with the eval card, for one split and its targets."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from kontrast.splitting.splits import Split

__all__ = ["genbench_files", "subtask_name"]

CHRF_COMMIT = "4b119256e85de9130aa84d87247381c5acb29bc1"
"""The version of the hub's chrF that the Europarl task names."""


def subtask_name(result: Split, target: str) -> str:
    """The folder of a subtask, which has to be a name in Python.

    >>> import types
    >>> half = types.SimpleNamespace(aim=types.SimpleNamespace(compound=0.5))
    >>> subtask_name(half, "de")
    'comdiv0_5_de'
    """
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
        texts[f"{subtask}/task.py"] = _TASK.format(name=_class(task) + _class(subtask))
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


_TASK = '''from collections import OrderedDict

from genbench import Task


class {name}(Task):
    """Translation with a chosen compound divergence; scored with chrF2++ (word order 2) by sacreBLEU."""

    def evaluate_predictions(self, *, predictions=None, gold=None):
        from sacrebleu.metrics import CHRF

        metric = self.config.evaluation_metrics[0]
        order = int((metric.compute_extra_kwargs or {{}}).get("word_order", 0))
        outputs = [prediction["target"] for prediction in predictions]
        references = [record["target"] for record in gold]
        score = CHRF(word_order=order).corpus_score(outputs, [references]).score
        return OrderedDict(hf_chrf__score=score)
'''


def _page(result: Split, source: str, target: str) -> str:
    measured = result.measured
    return f"""# {source} to {target} with compound divergence {result.compound_divergence:.4f}

## Abstract
Train and test of one parallel corpus, divided so that test combines known parts in new ways: the distribution of
compounds diverges (target {result.aim.compound:g}), that of atoms is kept close (target {result.aim.atom:g}).

## Usage
Train a system on `train.jsonl`, translate `test.jsonl`, and divide its chrF2++ by that of a system trained and tested
on the split of compound divergence 0: `kontrast generalise`.

## Data
| | train | test |
|---|---|---|
| sentences | {measured.train_sentences} | {measured.test_sentences} |
| mean length | {measured.train_length:.1f} | {measured.test_length:.1f} |

Atom divergence {result.atom_divergence:.4f}, compound divergence {result.compound_divergence:.4f};
{measured.unseen_compounds:.1%} of test's compound types are not in train. Seed {result.seed}, effort {result.effort}.

## Limitations
{chr(10).join(f"- {note}" for note in result.notes) or "- None was noticed when the split was made."}

## GenBench eval card
| | |
|---|---|
| motivation | intrinsic, practical |
| generalisation type | compositional |
| shift type | covariate |
| shift source | partitioned natural data |
| shift locus | train–test (finetune train–test where a pretrained model is tuned) |
"""
