"""Logs of Inspect (``.eval`` or ``.json``) as scores of a suite: the answers of its multiple choice are votes.

``inspect:FILE`` names a log, or a folder with one. A variant's score is the share of epochs whose answer names it; an
answer without a letter counts for all variants alike. Samples are the suite's items by id, or in order; their choices
may be shuffled, and are compared with the variants, so that a log of another task is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import decode_whole
from kontrast.io.unpacking import read_members
from kontrast.suites.model import Item, Scores, Signature, Suite

PREFIX = "inspect:"
_EXPECTED = "a log of Inspect"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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
    """The scores, higher is better."""
    file = files.only_file(Path(path), (".eval", ".json"), "log of Inspect (.eval or .json)")
    log, samples = _read(file)
    if log.status != "success":
        raise InputError(file, f"the run ended with the status {log.status}: finish it (inspect eval-retry)")
    epochs: dict[str, list[_Sample]] = {}
    for sample in samples:
        epochs.setdefault(str(sample.id), []).append(sample)
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
    details = {"task": log.eval.task, "mode": "choose", "prompts": _digest(log, samples)}
    targets = {str(sample.target) for sample in samples}
    if len(targets) == 1 and len(suite.items) > 1:
        details["same_place"] = targets.pop()
    elif all(len(item.variants) == 2 for item in suite.items):
        details["first_named"] = f"{first}/{asked - lost}"
    if lost:
        details["unread"] = f"{lost}/{asked}"
    model = log.eval.model
    signature = Signature(
        suite=suite.name, fingerprint=suite.fingerprint, engine="inspect", model=model, details=details
    )
    name = model.rpartition("/")[2]
    return Scores(name, tuple(values), False, signature, unread=tuple(unread) if lost else None)


def _digest(log: _Log, samples: list[_Sample]) -> str:
    """Of what was asked and how: another prompt or another temperature gives other numbers."""
    asked = sorted((str(sample.id), str(sample.input)) for sample in samples if sample.epoch == 1)
    return hashlib.sha256(msgspec.json.encode([log.plan, asked], order="sorted")).hexdigest()[:8]


def _read(file: Path) -> tuple[_Log, list[_Sample]]:
    if file.suffix != ".eval":
        log = decode_whole(files.read_bytes(file), _Log, file, _EXPECTED)
        return log, log.samples or []
    parts = dict(_members(file))
    if "header.json" not in parts:
        raise InputError(file, "the run did not end, so its log has no header: finish it (inspect eval-retry)")
    log = decode_whole(parts.pop("header.json"), _Log, file, _EXPECTED)
    return log, [decode_whole(data, _Sample, f"{file}/{name}", "a sample") for name, data in parts.items()]


def _members(file: Path) -> Iterator[tuple[str, bytes]]:
    if not file.is_file():
        raise InputError(file, "no such file")
    return read_members(file, lambda name: name == "header.json" or name.startswith("samples/"))


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
