"""Run by a Python that has lm-evaluation-harness: the tasks of a folder with a model, or with a constant scorer.

lm_eval_run.py TASKS OUT MODEL TASK…     MODEL is a folder, or ``constant``.
"""

import json
import sys

import lm_eval
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager


class Constant(LM):
    """Gives every text the same number."""

    def loglikelihood(self, requests, **_):
        return [(-1.0, False) for _ in requests]

    def loglikelihood_rolling(self, requests, **_):
        raise NotImplementedError

    def generate_until(self, requests, **_):
        raise NotImplementedError


folder, out, model, *tasks = sys.argv[1:]
own = {"model": Constant()} if model == "constant" else {"model": "hf"}
if model != "constant":
    own |= {"model_args": f"pretrained={model},dtype=float32", "device": "cpu", "batch_size": 8}
found = lm_eval.simple_evaluate(
    tasks=tasks, task_manager=TaskManager(include_path=folder), log_samples=True, bootstrap_iters=0, **own
)
tracker = EvaluationTracker(output_path=out)
tracker.general_config_tracker.model_name_sanitized = model.rpartition("/")[2]
samples = found.pop("samples")
tracker.save_results_aggregated(results=found, samples=samples)
for task in tasks:
    tracker.save_results_samples(task_name=task, samples=samples[task])
print(json.dumps({task: found["results"][task]["acc,none"] for task in tasks}))
