"""The files of a GenBench task: a configuration and a page with the eval card, for one split and target language."""

from __future__ import annotations

import json

from kontrast.splitting.splits import Split

__all__ = ["genbench_files"]


def genbench_files(result: Split, source: str, target: str, name: str) -> dict[str, str]:
    """Texts by path: ``config.jsonnet`` and ``doc.md`` in the subtask's folder (records are written beside them)."""
    subtask = f"comdiv{result.aim.compound:g}_{target}"
    return {
        f"{subtask}/config.jsonnet": _config(result, subtask, name),
        f"{subtask}/doc.md": _page(result, source, target),
    }


def _config(result: Split, subtask: str, name: str) -> str:
    files = {side: f"{side}.jsonl" for side in ("train", "test")}
    if len(result.dev):
        files["validation"] = "dev.jsonl"
    fields = {
        "name": f"{name} ({subtask})",
        "description": (
            "Sentence-level translation where the compounds of test (head lemma, relation, dependent lemma, by "
            f"default) diverge by {result.compound_divergence:.4f} from those of train, their atoms by "
            f"{result.atom_divergence:.4f}."
        ),
        "keywords": ["translation", "compositional generalisation", "DBCA"],
        "authors": ["made by kontrast split"],
        "task_type": "free_form",
        "data_source": {"type": "manual", **files},
        # word_order 2 is what makes chrF2++ of chrF2
        "evaluation_metrics": [{"hf_id": "chrf", "compute_extra_kwargs": {"word_order": 2}, "best_score": 100.0}],
        "has_validation_set": bool(len(result.dev)),
        "has_train_set": True,
        "preparation_strategies": {"finetuning": {"objective": "maximum_likelihood"}},
    }
    return json.dumps(fields, indent=4, ensure_ascii=False)  # JSON is valid Jsonnet


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
