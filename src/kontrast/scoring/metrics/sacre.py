"""sacreBLEU's BLEU, chrF, chrF++ and TER at sentence level: its tokenisers, formulas and signature, its numbers to
the last digit.

The references' statistics are computed once for an item's variants, n-grams of many segments are counted at once,
and large suites are dealt out to a process a core.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import Advance
from kontrast.scoring.metrics.edits import Edits
from kontrast.scoring.metrics.metric import Declaration, MetricOptions, Segment
from kontrast.scoring.metrics.overlap import ByWord, characters, overlaps, words

ENOUGH = {"BLEU": 20_000, "chrF": 20_000, "chrF++": 15_000, "TER": 2000}
"""Fewer hypotheses are scored sooner than another process has started."""

MANY = 20_000
"""Segments whose n-grams are counted at a time: all together take much memory."""

Texts = tuple[tuple[str, ...], tuple[str, ...]]
"""A segment as these metrics see it: hypotheses and references."""

_OPTIONS: dict[str, dict[str, type]] = {
    "BLEU": {"tokenize": str, "lowercase": bool, "smooth_method": str, "smooth_value": float, "max_ngram_order": int},
    "chrF": {"char_order": int, "word_order": int, "beta": int, "lowercase": bool, "whitespace": bool},
    "TER": {"normalized": bool, "no_punct": bool, "asian_support": bool, "case_sensitive": bool},
}
_OPTIONS["chrF++"] = _OPTIONS["chrF"]


class SegmentWork(msgspec.Struct, frozen=True):
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
        texts: list[Texts] = [
            (tuple(each.joined for each in segment.hypotheses), tuple(each.joined for each in segment.references))
            for segment in segments
        ]
        total = sum(len(hypotheses) for hypotheses, _ in texts)
        if self.processes == 1 or total < ENOUGH[self.name]:
            found = _scorer(self.name, self.metric)(texts)
            advance(total)
            return found
        # Dealt out in turn, so that long documents do not all fall to one process.
        shares = [SegmentWork(self.name, self.arguments, texts[i :: self.processes]) for i in range(self.processes)]
        found = [()] * len(texts)
        with ThreadPoolExecutor(self.processes) as pool:
            for i, scores in enumerate(pool.map(_in_a_process, shares)):
                found[i :: self.processes] = scores
                advance(sum(map(len, scores)))
        return found

    def _signature(self, counts: set[int]) -> dict[str, str]:
        """sacreBLEU's own, part by part, and what it leaves out; its version goes under its name.

        TER's ``norm`` is whether texts are normalised, and our own ``norm`` how scores are: it has its option's name.
        """
        self.metric.num_refs = counts.pop() if len(counts) == 1 else -1
        parts = dict(part.split(":", 1) for part in str(self.metric.get_signature()).split("|"))
        unsaid = {key: str(self.arguments[key]) for key in ("beta", "max_ngram_order") if key in self.arguments}
        other = {"version": "sacrebleu", "norm": "normalized"}
        return {other.get(key, key): value for key, value in parts.items()} | unsaid


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


Score = Callable[[Sequence[Texts]], list[tuple[float, ...]]]


def _scorer(name: str, metric: Any) -> Score:
    return {"BLEU": _bleu, "TER": _ter}.get(name, _chrf)(metric)


def _bleu(metric: Any) -> Score:
    cut = metric._preprocess_segment

    def one(hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[float]:
        known = metric._extract_reference_info([cut(text) for text in references])
        for text in hypotheses:
            statistics = metric._compute_segment_statistics(cut(text), known)
            yield float(metric._compute_score_from_stats(statistics).score)

    return lambda segments: [tuple(one(*segment)) for segment in segments]


def _chrf(metric: Any) -> Score:
    by_word = ByWord(metric._remove_punctuation)
    orders = (metric.char_order, metric.word_order)

    def one(found: Sequence[Sequence[int]], ours: Sequence[int], theirs: Sequence[int]) -> float:
        """The F-score from matches and lengths, of characters and of words."""
        statistics: list[int] = []
        for matches, own, other in zip(found, ours, theirs, strict=True):
            for n, match in enumerate(matches):
                there = max(0, other - n)
                statistics += (max(0, own - n) if there else 0, there, match)
        return float(metric._compute_f_score(statistics))

    def score(segments: Sequence[Texts]) -> list[tuple[float, ...]]:
        scores: list[tuple[float, ...]] = [()] * len(segments)
        shapes: dict[tuple[int, int], list[int]] = {}  # segments with as many references and as many hypotheses
        for i, (ours, theirs) in enumerate(segments):
            shapes.setdefault((len(theirs), len(ours)), []).append(i)
        alike = (
            (shape, places[k : k + MANY]) for shape, places in shapes.items() for k in range(0, len(places), MANY)
        )
        for (references, hypotheses), places in alike:
            texts = [metric._preprocess_segment(text) for i in places for text in (*segments[i][1], *segments[i][0])]
            letters = texts if metric.whitespace else ["".join(text.split()) for text in texts]
            kinds = [characters(letters)] + ([words([by_word(text) for text in texts])] if orders[1] else [])
            counted = [
                overlaps(*kind, references, hypotheses, order) for kind, order in zip(kinds, orders, strict=False)
            ]
            for i, several in zip(places, zip(*counted, strict=True), strict=True):
                scores[i] = tuple(
                    max(
                        one([k[0][h][r] for k in several], [k[1][h] for k in several], [k[2][r] for k in several])
                        for r in range(references)
                    )
                    for h in range(hypotheses)
                )
        return scores

    return score


def _ter(metric: Any) -> Score:
    cut = metric._preprocess_segment

    def one(hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[float]:
        # sacreBLEU prepares references twice: once as it does hypotheses, once when it cuts them into words.
        texts = [cut(cut(text)).split() for text in references]
        counters = [Edits(each) for each in texts]
        length = sum(map(len, texts)) / len(texts)
        for text in hypotheses:
            own = cut(text).split()
            edits = min(counter(own) for counter in counters)
            yield float(metric._compute_score_from_stats([edits, length]).score)

    return lambda segments: [tuple(one(*segment)) for segment in segments]


def _in_a_process(work: SegmentWork) -> list[tuple[float, ...]]:
    """A plain program and not a fork: it does not matter what the calling program has loaded."""
    run = subprocess.run(
        [sys.executable, "-m", __name__],
        input=msgspec.msgpack.encode(work),
        stdout=subprocess.PIPE,
    )
    if run.returncode:
        raise KontrastError(
            f"{work.name}: a process that scored {len(work.segments):,} segments ended early; try --jobs 1"
        )
    return msgspec.msgpack.decode(run.stdout, type=list[tuple[float, ...]])


if __name__ == "__main__":
    given = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=SegmentWork)
    made = _scorer(given.name, _metric(given.name, given.arguments))(given.segments)
    sys.stdout.buffer.write(msgspec.msgpack.encode(made))
