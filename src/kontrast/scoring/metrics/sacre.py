"""sacreBLEU's BLEU, chrF, chrF++ and TER at sentence level: its tokenisers, formulas and signature, its numbers to
the last digit.

The references' statistics are computed once for all variants of an item, variants are counted where they differ, and
large suites are dealt out to a process a core.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import Advance
from kontrast.scoring.metrics.edits import Edits
from kontrast.scoring.metrics.metric import Declaration, MetricOptions, Segment
from kontrast.scoring.metrics.overlap import count, matches
from kontrast.scoring.metrics.words import ByWord

__all__ = ["Sacre", "Work", "load", "score_work"]

ENOUGH = 4000
"""Fewer hypotheses are scored sooner than another process has started."""

Texts = tuple[tuple[str, ...], tuple[str, ...]]
"""A segment as these metrics see it: hypotheses and references."""

_OPTIONS: dict[str, dict[str, type]] = {
    "BLEU": {"tokenize": str, "lowercase": bool, "smooth_method": str, "smooth_value": float, "max_ngram_order": int},
    "chrF": {"char_order": int, "word_order": int, "beta": int, "lowercase": bool, "whitespace": bool},
    "TER": {"normalized": bool, "no_punct": bool, "asian_support": bool, "case_sensitive": bool},
}
_OPTIONS["chrF++"] = _OPTIONS["chrF"]


class Work(msgspec.Struct, frozen=True):
    """What a process is given: the metric by name, its arguments, and segments."""

    name: str
    arguments: dict[str, Any]
    segments: list[Texts]


class Sacre:
    """See `kontrast.scoring.metrics.metric.Metric`."""

    def __init__(self, name: str, arguments: dict[str, Any], processes: int | None) -> None:
        self.name, self.arguments = name, arguments
        self.processes = processes or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else "1")
        self.metric = _metric(name, arguments)
        self.declaration = Declaration(lower_is_better=name == "TER")
        self.details: dict[str, str] = {}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        self.details = self._signature({len(segment.references) for segment in segments})
        texts = [(_joined(segment.hypotheses), _joined(segment.references)) for segment in segments]
        total = sum(len(hypotheses) for hypotheses, _ in texts)
        if self.processes == 1 or total < ENOUGH:
            score = _scorer(self.name, self.metric)
            found = []
            for hypotheses, references in texts:
                found.append(score(hypotheses, references))
                advance(len(hypotheses))
            return found
        # Dealt out in turn, so that long documents do not all fall to one process.
        shares = [Work(self.name, self.arguments, texts[i :: self.processes]) for i in range(self.processes)]
        found = [()] * len(texts)
        with ThreadPoolExecutor(self.processes) as pool:
            for i, scores in enumerate(pool.map(_in_a_process, shares)):
                found[i :: self.processes] = scores
                advance(sum(map(len, scores)))
        return found

    def _signature(self, counts: set[int]) -> dict[str, str]:
        """sacreBLEU's own, part by part; its version goes under its name."""
        self.metric.num_refs = counts.pop() if len(counts) == 1 else -1
        parts = dict(part.split(":", 1) for part in str(self.metric.get_signature()).split("|"))
        return {("sacrebleu" if key == "version" else key): value for key, value in parts.items()}


def _joined(passages: Sequence[Any]) -> tuple[str, ...]:
    return tuple(passage.joined for passage in passages)


def load(name: str, model: str, options: MetricOptions) -> Sacre:
    """The metric of that name; options are those of sacreBLEU's classes."""
    if model:
        raise KontrastError(f"--metric {name}:{model}: {name} has no models; options are written {name}?key=value")
    kinds = _OPTIONS[name]
    arguments: dict[str, Any] = {}
    for key, text in options.only(name, *kinds).items():
        try:
            arguments[key] = msgspec.convert({"yes": "true", "no": "false"}.get(text, text), kinds[key], strict=False)
        except msgspec.ValidationError as error:
            raise KontrastError(f"--metric {name}: option {key}={text}: {error}") from error
    if name == "BLEU":
        arguments.setdefault("trg_lang", options.target_language or "")
    return Sacre(name, arguments, options.processes)


def _metric(name: str, arguments: dict[str, Any]) -> Any:
    from sacrebleu.metrics import BLEU, CHRF, TER

    kinds: dict[str, Callable[..., Any]] = {
        "BLEU": lambda **given: BLEU(effective_order=True, **given),
        "chrF": CHRF,
        "chrF++": lambda **given: CHRF(**{"word_order": 2, **given}),
        "TER": TER,
    }
    try:
        return kinds[name](**arguments)
    except (AssertionError, ValueError, KeyError, ImportError, RuntimeError, OSError) as error:
        raise KontrastError(f"--metric {name}: sacreBLEU says: {' '.join(str(error).split())}") from error


Score = Callable[[Sequence[str], Sequence[str]], tuple[float, ...]]


def _scorer(name: str, metric: Any) -> Score:
    return {"BLEU": _bleu, "TER": _ter}.get(name, _chrf)(metric)


def _bleu(metric: Any) -> Score:
    order = metric.max_ngram_order
    by_word = ByWord(lambda word: metric.tokenizer(word).split())

    def cut(text: str) -> tuple[str, ...]:
        # 13a looks at single characters and their neighbours, so words can be cut one by one; only a hyphen at a
        # line's end reaches further.
        if metric.tokenizer_signature == "13a" and "\n" not in text:
            return by_word(text.lower() if metric.lowercase else text)
        return tuple(metric._preprocess_segment(text).split())

    def score(hypotheses: Sequence[str], references: Sequence[str]) -> tuple[float, ...]:
        words = [cut(text) for text in references]
        merged = count(words[0], order)
        for other in words[1:]:
            for here, there in zip(merged, count(other, order), strict=True):
                here |= there
        texts = [cut(text) for text in hypotheses]
        scores = []
        for text, [correct] in zip(texts, matches(texts, [merged]), strict=True):
            nearest = min((abs(len(text) - len(each)), len(each)) for each in words)[1]
            result = metric.compute_bleu(
                correct,
                [max(0, len(text) - n) for n in range(order)],
                len(text),
                nearest,
                smooth_method=metric.smooth_method,
                smooth_value=metric.smooth_value,
                effective_order=True,
                max_ngram_order=order,
            )
            scores.append(float(result.score))
        return tuple(scores)

    return score


def _chrf(metric: Any) -> Score:
    by_word = ByWord(metric._remove_punctuation)
    kinds: list[tuple[int, Callable[[str], Any]]] = [
        (metric.char_order, (lambda text: text) if metric.whitespace else (lambda text: "".join(text.split())))
    ]
    if metric.word_order:
        kinds.append((metric.word_order, by_word))

    def score(hypotheses: Sequence[str], references: Sequence[str]) -> tuple[float, ...]:
        sources = [metric._preprocess_segment(text) for text in references]
        targets = [metric._preprocess_segment(text) for text in hypotheses]
        # [hypothesis][reference]: three numbers for each order, characters before words
        statistics: list[list[list[int]]] = [[[] for _ in sources] for _ in targets]
        for order, cut in kinds:
            theirs = [cut(text) for text in sources]
            ours = [cut(text) for text in targets]
            found = matches(ours, [count(each, order) for each in theirs])
            for rows, units, by_reference in zip(statistics, ours, found, strict=True):
                for row, other, by_order in zip(rows, theirs, by_reference, strict=True):
                    for n, match in enumerate(by_order):
                        there = max(0, len(other) - n)
                        row += (max(0, len(units) - n) if there else 0, there, match)
        return tuple(float(max(map(metric._compute_f_score, rows))) for rows in statistics)

    return score


def _ter(metric: Any) -> Score:
    cut = metric._preprocess_segment

    def score(hypotheses: Sequence[str], references: Sequence[str]) -> tuple[float, ...]:
        # sacreBLEU prepares references twice: once as it does hypotheses, once when it cuts them into words.
        words = [cut(cut(text)).split() for text in references]
        counters = [Edits(each) for each in words]
        length = sum(map(len, words)) / len(words)
        scores = []
        for text in hypotheses:
            own = cut(text).split()
            edits = min(counter(own) for counter in counters)
            scores.append(float(metric._compute_score_from_stats([edits, length]).score))
        return tuple(scores)

    return score


def score_work(work: Work) -> list[tuple[float, ...]]:
    """What a process does."""
    score = _scorer(work.name, _metric(work.name, work.arguments))
    return [score(hypotheses, references) for hypotheses, references in work.segments]


def _in_a_process(work: Work) -> list[tuple[float, ...]]:
    run = subprocess.run(
        [sys.executable, "-m", "kontrast.scoring.metrics.worker"],
        input=msgspec.msgpack.encode(work),
        stdout=subprocess.PIPE,
    )
    if run.returncode:
        raise KontrastError(f"{work.name}: a process of the {len(work.segments):,} segments' ended early")
    return msgspec.msgpack.decode(run.stdout, type=list[tuple[float, ...]])
