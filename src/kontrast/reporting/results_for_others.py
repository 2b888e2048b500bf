"""Results in the forms that others read: Every Eval Ever, the Hugging Face hub's model cards and benchmarks.

A number keeps what it needs to be understood: its interval, what guessing gets, how ties count, the notes, and the
signature. All accuracies are shares between 0 and 1.
"""

import hashlib
import os
import re
import time
import uuid
from pathlib import Path
from typing import Any, Literal

import msgspec

from kontrast import __version__
from kontrast.errors import KontrastError
from kontrast.io.names import plain_name
from kontrast.judging.records import Evaluation, Interval, TagGroup
from kontrast.suites.hub import HUB
from kontrast.suites.model import Suite

EVERY_EVAL_EVER = "0.3.0"
"""The version of its schema (package every-eval-ever) that the files follow."""

Relationship = Literal["first_party", "third_party", "collaborative", "other"]
_HERE = ("hf", "ct2", "marian")
"""Engines that run the model on the user's own machine."""
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufffe\uffff]")
"""Characters that JSON allows as they are and YAML does not, or takes for line ends."""
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def result_files(
    found: Evaluation, suite: Suite, origin: str, *, evaluator: str | None, relationship: Relationship
) -> dict[str, str]:
    """The files of one system: path in the folder, and text. ``origin`` is where the suite came from."""
    model = _model(found)
    record = _every_eval_ever(found, suite, origin, model, evaluator or "not stated", relationship)
    name = _uuid(record)
    now = str(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()))
    record |= {"evaluation_id": f"{found.suite}/{model}/{now}", "retrieved_timestamp": now}
    text = msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"
    texts = {f"data/{plain_name(found.suite)}/{model}/{name}.json": text}
    texts[f"hub/{model}/model-index.yaml"] = _yaml({"model-index": [_model_index(found, suite, origin, model)]})
    if origin.startswith(HUB):
        texts[f"hub/{model}/.eval_results/{plain_name(found.suite)}.yaml"] = _yaml([_hub_entry(found, suite, origin)])
    return texts


def _model(found: Evaluation) -> str:
    """OWNER/NAME: as the user calls the system, or as its signature has it."""
    said = _signature(found).get("model", "")
    for name in (found.system, said):
        if _HUB_NAME.fullmatch(name) and not Path(name).exists():
            return name
    raise KontrastError(
        f"{found.system}: published results need the name of the model: give the file as OWNER/NAME=FILE"
    )


def _signature(found: Evaluation) -> dict[str, str]:
    return dict(part.partition(":")[::2] for part in (found.signature or "").split("|") if ":" in part)


def _every_eval_ever(
    found: Evaluation, suite: Suite, origin: str, model: str, evaluator: str, relationship: Relationship
) -> dict[str, Any]:
    made = _signature(found)
    owner, _, name = model.partition("/")
    engine = {"inference_engine": {"name": made["engine"]}} if "engine" in made else {}
    where = "self_deployed" if made.get("engine") in _HERE else "unknown"
    data = _data(found, suite, origin)
    return {
        "schema_version": EVERY_EVAL_EVER,
        "source_metadata": {
            "source_name": "kontrast",
            "source_type": "evaluation_run",
            "source_organization_name": evaluator,
            "evaluator_relationship": relationship,
        },
        "eval_library": {"name": "kontrast", "version": __version__},
        "model_info": {
            "name": name,
            "id": model,
            "developer": owner,
            **engine,
            "additional_details": {"deployment_type": where, "model_availability": "unknown"},
        },
        "evaluation_results": [_result(label, each, found, data) for label, each in _parts(found)],
    }


def _parts(found: Evaluation) -> list[tuple[str, Evaluation | TagGroup]]:
    """The total and every group, with what to call them."""
    groups = [(f"{found.suite}/{by.by}={group.label}", group) for by in found.by for group in by.groups]
    return [(found.suite, found), *groups]


def _data(found: Evaluation, suite: Suite, origin: str) -> dict[str, Any]:
    pair = "-".join(code for code in (suite.source_language, suite.target_language) if code)
    more = {"fingerprint": found.fingerprint, "languages": pair, "licence": suite.licence}
    kind: dict[str, Any] = {"source_type": "other"}
    if origin.startswith(HUB):
        kind = {"source_type": "hf_dataset", "hf_repo": _hub_parts(origin)[0], "samples_number": len(suite)}
    elif origin.startswith("https://"):
        kind = {"source_type": "url", "url": [origin]}
    return {"dataset_name": found.suite, **kind, "additional_details": {k: v for k, v in more.items() if v}}


def _result(label: str, each: Evaluation | TagGroup, found: Evaluation, data: dict[str, Any]) -> dict[str, Any]:
    details = {"chance": f"{each.chance:.4f}", "right": each.right, "wrong": each.wrong, "ties": each.ties}
    if each is found:
        details |= {f"baseline {base.name}": f"{base.accuracy:.4f}" for base in found.baselines}
        details |= {"verdict": found.verdict, "notes": " ".join(found.notes), "signature": found.signature or ""}
    return {
        "evaluation_name": label,
        "source_data": data,
        "metric_config": {
            "evaluation_description": f"Share of {found.unit}s in which the right variant has the best score",
            "metric_id": "accuracy",
            "metric_name": "Accuracy",
            "metric_kind": "accuracy",
            "metric_unit": "proportion",
            "metric_parameters": {"ties": found.tie_policy, "epsilon": found.epsilon, "unit": found.unit},
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": {
            "score": each.accuracy,
            "details": {key: str(value) for key, value in details.items() if value != ""},
            "uncertainty": {"confidence_interval": _interval(each.interval), "num_samples": each.items},
        },
    }


def _interval(interval: Interval) -> dict[str, Any]:
    method = interval.method + (f", within these {interval.within} only" if interval.within else "")
    return {
        "lower": interval.low,
        "upper": interval.high,
        "confidence_level": interval.level,
        "method": method,
    }


def _uuid(record: dict[str, Any]) -> str:
    """Of the content, so that a result that is written again has the same name."""
    digest = hashlib.sha256(msgspec.json.encode(record, order="sorted")).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def _model_index(found: Evaluation, suite: Suite, origin: str, model: str) -> dict[str, Any]:
    """As the metadata of a model card has it."""
    pair = [code for code in (suite.source_language, suite.target_language) if code]
    dataset: dict[str, Any] = {"name": found.suite, "type": plain_name(found.suite)}
    if origin.startswith(HUB):
        repo, config = _hub_parts(origin)
        dataset |= {"type": repo, "config": config, "revision": suite.version}
    metrics = [
        {
            "type": "accuracy",
            "value": each.accuracy,
            "name": f"accuracy on {label}",
            "args": {
                "low": each.interval.low,
                "high": each.interval.high,
                "items": each.items,
                "chance": each.chance,
            },
        }
        for label, each in _parts(found)
    ]
    task = {"type": "translation", "name": f"Contrastive evaluation {'-'.join(pair)}".strip()}
    dataset = {key: value for key, value in dataset.items() if value}
    dataset["args"] = {"fingerprint": found.fingerprint, "signature": found.signature}
    return {"name": model.rpartition("/")[2], "results": [{"task": task, "dataset": dataset, "metrics": metrics}]}


def _hub_entry(found: Evaluation, suite: Suite, origin: str) -> dict[str, Any]:
    """As a file in ``.eval_results`` of a model on the hub has it."""
    repo, config = _hub_parts(origin)
    dataset = {"id": repo, "task_id": config or "default", **({"revision": suite.version} if suite.version else {})}
    return {"dataset": dataset, "value": found.accuracy, "notes": f"accuracy between 0 and 1; {found.signature}"}


def _hub_parts(origin: str) -> tuple[str, str]:
    """The repository and the configuration."""
    owner, name, *config = origin.removeprefix(HUB).partition("?")[0].strip("/").split("/")
    return f"{owner}/{name}", config[0] if config else ""


def _yaml(value: Any, indent: str = "") -> str:
    """Plain YAML: every scalar is JSON, which YAML reads."""
    if isinstance(value, dict):
        return "".join(f"{indent}{key}:{_nested(each, indent)}" for key, each in value.items())
    return "".join(f"{indent}- {_yaml(each, indent + '  ').lstrip()}" for each in value)


def _nested(value: Any, indent: str) -> str:
    if isinstance(value, dict | list):
        return "\n" + _yaml(value, indent + "  ")
    text = msgspec.json.encode(value).decode()
    return " " + _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
