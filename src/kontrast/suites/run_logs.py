"""Logs of evaluation harnesses as scores of a suite, higher being better.

``lm-eval:FILE`` names samples that lm-evaluation-harness logs (``--log_samples``), ``samples_TASK_DATE.jsonl``, or a
folder with one. Each has the log-likelihoods of a document's choices. Documents are the suite's items in order.

``inspect:FILE`` names a log of Inspect (``.eval`` or ``.json``), or a folder with one: the answers of its multiple
choice are votes. A variant's score is the share of epochs whose answer names it; an answer without a letter counts
for all variants alike. Samples are the suite's items by id, or in order; their choices may be shuffled.

The choices are compared with the variants, so that a log of another task is refused.
"""

import hashlib
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import decode_whole, read_json_lines
from kontrast.io.unpacking import read_members
from kontrast.suites.model import Item, Scores, Signature, Suite

_EXPECTED = "a log of Inspect"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _scores(
    suite: Suite, engine: str, model: str, values: Iterable[float], details: dict[str, str], **more: Any
) -> Scores:
    signature = Signature(
        suite=suite.name, fingerprint=suite.fingerprint, engine=engine, model=model, details=details
    )
    return Scores(model.rpartition("/")[2], tuple(values), False, signature, **more)


def _digest(*asked: Any) -> str:
    """Of what was asked and how: another prompt or another temperature gives other numbers."""
    return hashlib.sha256(msgspec.json.encode(asked, order="sorted")).hexdigest()[:8]


class _Score(msgspec.Struct):
    answer: str | None = None


class _Sample(msgspec.Struct):
    """What is needed of a sample."""

    id: int | str
    epoch: int
    input: Any = None
    choices: list[str] | None = None
    target: Any = None
    scores: dict[str, _Score] | None = None
    error: Any = None


class _Dataset(msgspec.Struct):
    sample_ids: list[int | str] | None = None


class _Eval(msgspec.Struct):
    task: str
    model: str
    dataset: _Dataset


class _Log(msgspec.Struct):
    status: str
    eval: _Eval
    plan: Any = None
    samples: list[_Sample] | None = None


def read_log(path: str | Path, suite: Suite) -> Scores:
    """The scores that a log of Inspect has."""
    file = files.only_file(Path(path), (".eval", ".json"), "log of Inspect (.eval or .json)")
    log, samples = _read(file)
    if log.status != "success":
        raise InputError(file, f"the run ended with the status {log.status}: finish it (inspect eval-retry)")
    epochs: dict[str, list[_Sample]] = {}
    for sample in samples:
        epochs.setdefault(str(sample.id), []).append(sample)
    _check_epochs(file, epochs)
    values: list[float] = []
    unread: list[int] = []
    first = lost = asked = 0
    for item, ident in zip(suite.items, _ids(file, log, epochs, suite), strict=True):
        votes, missing = [0.0] * len(item.variants), 0
        for sample in epochs[ident]:
            order = _order(file, sample, item)
            named = _named(file, sample)
            asked, first = asked + 1, first + (named == 0)
            if named is None:
                missing += 1
            for place, variant in enumerate(order):
                votes[variant] += 1 / len(order) if named is None else float(place == named)
        values += [vote / len(epochs[ident]) for vote in votes]
        unread += [missing] * len(votes)
        lost += missing
    prompts = sorted((str(sample.id), str(sample.input)) for sample in samples if sample.epoch == 1)
    details = {"task": log.eval.task, "mode": "choose", "prompts": _digest(log.plan, prompts)}
    targets = {str(sample.target) for sample in samples}
    if len(targets) == 1 and len(suite.items) > 1:
        details["same_place"] = targets.pop()
    elif all(len(item.variants) == 2 for item in suite.items):
        details["first_named"] = f"{first}/{asked - lost}"
    if lost:
        details["unread"] = f"{lost}/{asked}"
    return _scores(suite, "inspect", log.eval.model, values, details, unread=tuple(unread) if lost else None)


def _read(file: Path) -> tuple[_Log, list[_Sample]]:
    if file.suffix != ".eval":
        log = decode_whole(files.read_bytes(file), _Log, file, _EXPECTED)
        return log, log.samples or []
    if not file.is_file():
        raise InputError(file, "no such file")
    parts = dict(read_members(file, lambda name: name == "header.json" or name.startswith("samples/")))
    if "header.json" not in parts:
        raise InputError(file, "the run did not end, so its log has no header: finish it (inspect eval-retry)")
    log = decode_whole(parts.pop("header.json"), _Log, file, _EXPECTED)
    return log, [decode_whole(data, _Sample, f"{file}/{name}", "a sample") for name, data in parts.items()]


def _check_epochs(file: Path, epochs: dict[str, list[_Sample]]) -> None:
    """Each sample once in each epoch, or some would have more votes than others."""
    whole = {sample.epoch for samples in epochs.values() for sample in samples}
    for ident, samples in epochs.items():
        if len(samples) != len(whole) or {sample.epoch for sample in samples} != whole:
            told = f"expected sample {ident} once per epoch, in all {len(whole)}, found {len(samples)}"
            raise InputError(file, f"{told}: run it again (inspect eval-retry)")


def _ids(file: Path, log: _Log, epochs: dict[str, list[_Sample]], suite: Suite) -> list[str]:
    """The sample of each item: by its id, or by its place in the data set."""
    own = [item.id for item in suite.items]
    if set(own) == set(epochs):
        return own
    ids = [str(each) for each in log.eval.dataset.sample_ids or epochs]
    if len(ids) != len(own) or set(ids) != set(epochs):
        told = f"expected {len(own):,} samples, the items of {suite.name}, found {len(epochs):,}"
        raise InputError(file, f"{told}; run the whole task, without --limit")
    return ids


def _order(file: Path, sample: _Sample, item: Item) -> list[int]:
    """Of each choice the variant that it is."""
    where = f"sample {sample.id}, epoch {sample.epoch}"
    if sample.error is not None:
        raise InputError(file, f"{where} ended with an error: run it again (inspect eval-retry)")
    texts = [variant.text.strip() for variant in item.variants]
    choices = [choice.strip() for choice in sample.choices or []]
    if not choices:
        raise InputError(file, f"{where} has no choices; only multiple-choice tasks have scores")
    if len(set(texts)) < len(texts):
        raise InputError(
            file, f"item {item.id} has two variants with the same text, so its choices cannot distinguish them"
        )
    if sorted(choices) != sorted(texts):
        told = (
            f"{where} belongs to another task: expected the choices of item {item.id}, {texts[0][:60]!r} and others"
        )
        raise InputError(file, f"{told}, found {choices[0][:60]!r}; give samples the ids of the items")
    order = [texts.index(choice) for choice in choices]
    if sample.target != _LETTERS[order.index(item.correct)]:
        raise InputError(file, f"{where}: its target is {sample.target}, which is not the right variant of {item.id}")
    return order


def _named(file: Path, sample: _Sample) -> int | None:
    """The choice that the answer names; None of an answer without a letter."""
    if not sample.scores:
        raise InputError(file, f"sample {sample.id} has no score: run the task with the scorer choice()")
    answer = next((score.answer for name, score in sample.scores.items() if name.endswith("choice")), None)
    if answer is None and "choice" not in sample.scores:
        raise InputError(file, f"sample {sample.id} was judged by {', '.join(sample.scores)}: expected choice()")
    answer = (answer or "").strip()
    if not answer:
        return None
    place = _LETTERS.find(answer)
    if len(answer) > 1 or not 0 <= place < len(sample.choices or []):
        raise InputError(file, f"sample {sample.id}: expected one letter as answer, found {answer[:40]!r}")
    return place


class _Logged(msgspec.Struct):
    """What is needed of a line; ``resps`` has a list of answers per request, of (log-likelihood, is greedy)."""

    doc_id: int
    doc: dict[str, Any]
    arguments: Any
    resps: list[Any]
    filter: str = "none"


def read_samples(path: str | Path, suite: Suite) -> Scores:
    """The scores that samples of lm-evaluation-harness have."""
    file = files.only_file(Path(path), (".jsonl",), "samples_TASK_DATE.jsonl", "samples_")
    samples: dict[int, tuple[int, _Logged]] = {}
    others: set[str] = set()
    expected = "a sample of lm-evaluation-harness (--log_samples)"
    for number, sample in read_json_lines(file, _Logged, expected):
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
    prompts = sorted((n, [prompt for prompt, _ in _asked(each.arguments)]) for n, (_, each) in samples.items())
    return _scores(suite, "lm-eval", model, values, {"task": _task(file), "prompts": _digest(*prompts)})


def _task(file: Path) -> str:
    """
    >>> _task(Path("samples_blimp_adjunct_island_2026-01-02T03-04-05.123.jsonl"))
    'blimp_adjunct_island'
    """
    return file.name.removeprefix("samples_").partition(".")[0].rpartition("_")[0]


def _values(path: Path, number: int, sample: _Logged, item: Item, suite: Suite) -> list[float]:
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
