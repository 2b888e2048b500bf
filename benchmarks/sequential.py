"""`kontrast score --until decided`: does it keep its level, and how much does it leave unscored? By simulation.

Decisions of a document depend on each other (correlation .1): a document draws its own shares of decisions that both
systems, one of them or neither has right. The test is the one that the command runs, on document sums.

    python benchmarks/sequential.py [--runs 10000] [--large 2000] [--power 500] [--whole 200] [--seed 0]

`--runs` are those without a difference, `--large` the same on suites as large as ContraPro (12,000 items), `--power`
those with a difference, `--whole` those that go through `kontrast.score` itself, with a scorer of known accuracy.
ContraPro has documents of 1.45 items on average: among 2,600 of its items, 255 pairs share a document, so that
Σn²/Σn is 1.9 in the whole set.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter

import numpy as np

from kontrast import Item, Scores, Suite, Variant
from kontrast.flows.until import UntilDecided
from kontrast.judging.contrast import contrast, gaps_of
from kontrast.judging.gate import BaselineRule, GateConfig
from kontrast.judging.sequential import ON_THE_WAY, log_evidence

ALPHA, ALIKE, DIFFER, RIGHT = 0.05, 0.1, 0.15, 0.8
BAR = math.log(2 / (ALPHA * ON_THE_WAY))

SMALL = {"22 documents": (22, 11), "60 documents": (60, 20), "200 documents": (200, 10)}
LARGE = {"12,000 items, documents as ContraPro": 1.45, "12,000 items, documents of 20": 20.0}


def sizes(name: str, generator: np.random.Generator) -> np.ndarray:
    """How many decisions each document has."""
    if name in LARGE:
        return _up_to(12_000, generator.geometric(1 / LARGE[name], 12_000))
    count, mean = SMALL[name]
    return generator.geometric(1 / mean, count)


def _up_to(total: int, drawn: np.ndarray) -> np.ndarray:
    kept = drawn[: int(np.searchsorted(np.cumsum(drawn), total)) + 1].copy()
    kept[-1] -= kept.sum() - total
    return kept


def systems(size: np.ndarray, loss: float, generator: np.random.Generator) -> np.ndarray:
    """Of each document how many decisions both have right, only the old system, only the new one, neither."""
    old, new = (DIFFER + loss) / 2, (DIFFER - loss) / 2
    shares = np.array([RIGHT - old, old, new, 1 - RIGHT - new])
    drawn = generator.standard_gamma(shares * (1 / ALIKE - 1), (len(size), 4))
    return generator.multinomial(size, drawn / drawn.sum(axis=1, keepdims=True))


def decided(size: np.ndarray, cells: np.ndarray, threshold: float) -> tuple[str, float]:
    """Which side of the threshold the difference is shown to be on, and on which share of the decisions."""
    old_right = cells[:, 0] + cells[:, 1]
    sums = cells[:, 2] - cells[:, 1] - threshold * size
    above = log_evidence(sums, old_right + threshold * size)
    below = log_evidence(-sums, size - old_right - threshold * size)
    first = [int(np.argmax(found >= BAR)) if found.max() >= BAR else len(size) for found in (above, below)]
    if min(first) == len(size):
        return "", 1.0
    return ("above" if first[0] < first[1] else "below"), float(size[: min(first) + 1].sum() / size.sum())


def whole(size: np.ndarray, cells: np.ndarray, threshold: float) -> str:
    """The ordinary test on the whole suite, at what is left of alpha."""
    a = np.concatenate([np.repeat([1.0, 1.0, 0.0, 0.0], own) for own in cells])
    b = np.concatenate([np.repeat([1.0, 0.0, 1.0, 0.0], own) for own in cells])
    found = contrast(gaps_of(a, b, np.repeat(np.arange(len(size)), size))).interval(1 - ALPHA * (1 - ON_THE_WAY))
    return "above" if found.low > threshold else "below" if found.high < threshold else ""


def row(name: str, loss: float, threshold: float, runs: int, generator: np.random.Generator) -> None:
    outcomes: Counter[str] = Counter()
    shares = []
    for _ in range(runs):
        size = sizes(name, generator)
        cells = systems(size, loss, generator)
        side, share = decided(size, cells, threshold)
        way = "on the way" if side else "whole"
        side = side or whole(size, cells, threshold)
        outcomes[f"{side or 'not decided'}{f' {way}' if side else ''}"] += 1
        shares.append(share)
    said = ", ".join(f"{key} {count / runs:.4f}" for key, count in sorted(outcomes.items()))
    print(
        f"{name}, loss {100 * loss:g}, against {100 * threshold:+g}: {said}; rows scored: median "
        f"{np.median(shares):.3f}, mean {np.mean(shares):.3f} ({runs:,} runs)",
        flush=True,
    )


def at_the_bar(name: str, right: float, alike: float, runs: int, generator: np.random.Generator) -> None:
    """A gate on the accuracy, and a system exactly at it: documents are nearly all right or all wrong (skewed)."""
    wrong = Counter[str]()
    for _ in range(runs):
        size = sizes(name, generator)
        lean = generator.beta(right * (1 / alike - 1), (1 - right) * (1 / alike - 1), len(size))
        sums = generator.binomial(size, lean) - right * size
        wrong["above"] += bool(log_evidence(sums, right * size).max() >= BAR)
        wrong["below"] += bool(log_evidence(-sums, (1 - right) * size).max() >= BAR)
    said = ", ".join(f"{side} {count / runs:.4f}" for side, count in sorted(wrong.items()))
    print(
        f"{name}, accuracy {right:g} at its bar, correlation {alike:g}: on the way {said} ({runs:,} runs)", flush=True
    )


def end_to_end(runs: int, generator: np.random.Generator) -> None:
    """The class that the command uses, with a gate: what it says of a system exactly at the margin, and below it."""
    pair = Variant("right"), Variant("wrong")
    for loss in (0.02, 0.10):
        outcomes: Counter[str] = Counter()
        wrong_words = 0
        for number in range(runs):
            size = sizes("60 documents", generator)
            cells = systems(size, loss, generator)
            old = np.concatenate([np.repeat([1.0, 1.0, 0.0, 0.0], own) for own in cells])
            new = np.concatenate([np.repeat([1.0, 0.0, 1.0, 0.0], own) for own in cells])
            documents = np.repeat(np.arange(len(size)), size).tolist()
            items = tuple(Item(str(i), str(i), pair, document=str(d)) for i, d in enumerate(documents))
            suite = Suite("simulated", items)
            before = Scores("old", tuple(np.column_stack([1 - old, np.full(len(old), 0.5)]).ravel().tolist()))
            values = np.column_stack([new - 1, np.full(len(new), -0.5)]).ravel()
            until = UntilDecided(
                suite, GateConfig(baseline=BaselineRule("old.scores", margin=0.02)), before, seed=number
            )
            seen: dict[int, float] = {}
            for step, rows in enumerate(until.steps):
                seen |= {r: float(values[r]) for r in rows}
                if until.decided(step, seen):
                    break
            found = until.stopped(Scores("new", tuple(-seen[r] for r in sorted(seen))))
            outcomes[found.outcome] += 1
            reached = any(rule.outcome != "not decided" for rule in found.rules) or not found.partial
            wrong_words += found.outcome != "not decided" and not reached
        said = ", ".join(f"{key} {count / runs:.3f}" for key, count in sorted(outcomes.items()))
        print(
            f"end to end, 60 documents, margin 2, loss {100 * loss:g}: {said}; a word without a decision: "
            f"{wrong_words} ({runs:,} runs)",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=2000)
    parser.add_argument("--power", type=int, default=500)
    parser.add_argument("--whole", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    generator = np.random.default_rng(args.seed)
    print("false positives: no difference (any word is wrong), and a loss at the margin (above is wrong)")
    for name in (*SMALL, *LARGE):
        runs = args.runs if name in SMALL else args.large
        row(name, 0.0, 0.0, runs, generator)
        row(name, 0.02, -0.02, runs, generator)
    for name in ("200 documents", *LARGE):
        for right, alike in ((0.8, 0.1), (0.8, 0.5), (0.95, 0.5)):
            at_the_bar(name, right, alike, args.large, generator)
    print("how much is scored")
    for name in LARGE:
        for loss, threshold in ((0.05, 0.0), (0.05, -0.02), (0.02, 0.0), (0.0, -0.02)):
            row(name, loss, threshold, args.power, generator)
    end_to_end(args.whole, generator)


if __name__ == "__main__":
    main()
