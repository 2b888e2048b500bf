"""Samples that lm-evaluation-harness logs (``--log_samples``), as scores of a suite.

``lm-eval:FILE`` names a file ``samples_TASK_DATE.jsonl``, or a folder with one. Each sample has the log-likelihoods
of a document's choices. Documents are the suite's items in order; the choices that were asked for are compared with
the variants, so that samples of another task are refused.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import read_json_lines
from kontrast.suites.model import Item, Scores, Signature, Suite

PREFIX = "lm-eval:"


class _Sample(msgspec.Struct):
    """What is needed of a line; ``resps`` has a list of answers per request, of (log-likelihood, is greedy)."""

    doc_id: int
    doc: dict[str, Any]
    arguments: Any
    resps: list[Any]
    filter: str = "none"


def read_samples(path: str | Path, suite: Suite) -> Scores:
    """The scores, higher is better."""
    file = files.only_file(Path(path), (".jsonl",), "samples_TASK_DATE.jsonl", "samples_")
    samples: dict[int, tuple[int, _Sample]] = {}
    others: set[str] = set()
    expected = "a sample of lm-evaluation-harness (--log_samples)"
    for number, sample in read_json_lines(file, _Sample, expected):
        if sample.filter != "none":
            others.add(sample.filter)
        elif sample.doc_id in samples:
            raise InputError(file, f"document {sample.doc_id} occurs twice", line=number)
        else:
            samples[sample.doc_id] = (number, sample)
    if not samples:
        told = f"all samples went through the filter {', '.join(sorted(others))}" if others else "it has no samples"
        raise InputError(file, f"{told}: expected unfiltered log-likelihoods (filter none)")
    if sorted(samples) != list(range(len(suite.items))):
        told = f"expected {len(suite.items):,} documents, the items of {suite.name}, found {len(samples):,}"
        told += f" (numbers {min(samples)} to {max(samples)})"
        raise InputError(file, f"{told}: run the whole task, without --limit")
    values: list[float] = []
    for place, item in enumerate(suite.items):
        number, sample = samples[place]
        values += _values(file, number, sample, item, suite)
    model = file.parent.name.replace("__", "/").strip("/") or file.stem
    signature = Signature(
        suite=suite.name,
        fingerprint=suite.fingerprint,
        engine="lm-eval",
        model=model,
        details={"task": _task(file), "prompts": _digest(sample for _, sample in samples.values())},
    )
    return Scores(model.rpartition("/")[2], tuple(values), lower_is_better=False, signature=signature)


def _task(file: Path) -> str:
    """
    >>> _task(Path("samples_blimp_adjunct_island_2026-01-02T03-04-05.123.jsonl"))
    'blimp_adjunct_island'
    """
    return file.name.removeprefix("samples_").partition(".")[0].rpartition("_")[0]


def _digest(samples: Iterable[_Sample]) -> str:
    """Of what was read before the choices: another prompt or other examples give other numbers."""
    texts = sorted((sample.doc_id, [prompt for prompt, _ in _asked(sample.arguments)]) for sample in samples)
    return hashlib.sha256(msgspec.json.encode(texts)).hexdigest()[:8]


def _values(path: Path, number: int, sample: _Sample, item: Item, suite: Suite) -> list[float]:
    made_of = sample.doc.get("fingerprint")
    if isinstance(made_of, str) and "suite" in sample.doc and made_of != suite.fingerprint:
        told = f"its task belongs to another version of {sample.doc['suite']}"
        raise InputError(path, f"{told}: write it again (kontrast convert {suite.name} DIR --to lm-eval) and run it")
    asked = [text for _, text in _asked(sample.arguments)]
    count = len(item.variants)
    if len(asked) != len(sample.resps) or len(asked) not in (count, 2 * count):  # twice: mutual information
        told = f"expected {count} choices, the number of variants of item {item.id}, found {len(asked)}"
        raise InputError(path, f"{told} with {len(sample.resps)} answers", line=number)
    for variant, text in zip(item.variants * (len(asked) // count), asked, strict=True):
        if text.strip() != variant.text.strip():
            told = f"it belongs to another task: expected the choice {variant.text[:60]!r} (item {item.id})"
            raise InputError(path, f"{told}, found {text.strip()[:60]!r}", line=number)
    return [_likelihood(path, number, answer) for answer in sample.resps[:count]]


def _asked(arguments: Any) -> list[tuple[str, str]]:
    """Prompt and text whose likelihood was asked for: pairs, or the form that the log has them in."""
    if isinstance(arguments, dict):
        rows: Sequence[Any] = [arguments[key] for key in sorted(arguments, key=lambda k: [len(k), k])]
        pairs = [[row.get("arg_0"), row.get("arg_1")] if isinstance(row, dict) else row for row in rows]
    else:
        pairs = list(arguments) if isinstance(arguments, list) else []
    return [(str(pair[0]), str(pair[1])) for pair in pairs if isinstance(pair, list) and len(pair) > 1]


def _likelihood(path: Path, number: int, answer: Any) -> float:
    while isinstance(answer, list) and answer and isinstance(answer[0], list):
        answer = answer[0]
    try:
        value = float(answer[0]) if isinstance(answer, list) and len(answer) == 2 else math.nan
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        told = f"expected a log-likelihood, found {str(answer)[:40]!r}"
        raise InputError(path, f"{told}; only multiple-choice tasks have scores", line=number)
    return value
