"""How often differences are found: the minimum detectable difference, the gate, and what a suite must have.

Parts of `judging_statistics.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from judging_batch import Batch, batch, with_differences
from judging_settings import SIZES, UN, Row, gaps, mcnemar, rates, trained, within
from kontrast import Item, Scores, Suite, Variant
from kontrast.judging import paired
from kontrast.judging.contrast import MIN_CONTRIBUTING, contrast
from kontrast.judging.floats import Floats
from kontrast.judging.gate import FALSE_ALARMS, BaselineRule, GateConfig, gate, gate_power
from kontrast.judging.intervals import clustered_share, jackknife, wilson

NEEDED = ((6, 50), (10, 20), (10, 50), (20, 20), (50, 10), (50, 50), (200, 10), (500, 1), (2000, 1), (12_000, 1))


def power(sets: int, seed: int) -> Iterator[Row]:
    """How often the minimum detectable difference is found: it promises .80.

    A suite names a difference, another one of its kind has just that difference: does the test find it? The first
    has a difference too, about the one that is named, as a pilot study would.
    """
    generator = np.random.default_rng(4 + seed)
    settings = [(name, given, family) for name, given in SIZES.items() for family in (1, 14)]
    settings += [(f"{n} items", (1,) * n, family) for n in (300, 1000) for family in (1, 14)]
    for name, given, family in settings:
        sizes = np.array(given)
        differ, alike, alpha = 0.3, 0.1 if max(given) > 1 else 0.0, 0.05 / family
        for test in ("jackknife", "permutation", "mcnemar") if max(given) == 1 else ("jackknife",):
            step = 0.5 / len(given) if test != "jackknife" else 0.0
            usual = 0.0
            for _ in range(4):
                found = _named(batch(generator, 200, sizes, differ, alike, usual), alpha, step)
                usual = min(0.8 * differ, float(np.median(np.nan_to_num(found, nan=1.0))))
            what = f"{name}, Holm over {family}, difference {usual:.3f}"
            if usual >= 0.8 * differ:
                yield f"mdd, {test}", f"{what} or more: systems that differ on 30% cannot show it", math.nan, "n/a"
                continue
            named = _named(batch(generator, sets, sizes, differ, alike, usual), alpha, step)
            named = named[~np.isnan(named)]
            own = with_differences(generator, sizes, differ, alike, named)
            if test == "jackknife":
                rate = float((own.p() <= alpha).mean())
            elif test == "mcnemar":
                rate = float(np.mean([mcnemar(s, m) <= alpha for s, m in zip(own.sums, own.moved, strict=True)]))
            else:
                rate = float(np.mean([paired.permutation_test(s, 10_000, generator) <= alpha for s in own.sums]))
            yield f"mdd, {test}", what, rate, within(rate, 0.78, 0.82, len(named))


def _named(found: Batch, alpha: float, step: float) -> Floats:
    """The differences that suites name; nan where they name none."""
    return np.where(found.contributing >= MIN_CONTRIBUTING, found.detectable(alpha, step), np.nan)


def gates(sets: int, seed: int) -> Iterator[Row]:
    """A gate with a margin and one without: false alarms, losses found, and what the gate says of itself."""
    generator = np.random.default_rng(5 + seed)
    for name, given in (
        ("UN × 4, 212 documents", UN * 4),
        ("100 documents of 100", (100,) * 100),
        ("15 documents of 400", (400,) * 15),
        ("12,000 items", (1,) * 12_000),
        ("2,000 items", (1,) * 2_000),
    ):
        sizes, alike = np.array(given), 0.02 if max(given) > 1 else 0.0
        for margin in (0.02, 0.03, None):
            rule = BaselineRule("old", margin=margin)
            for loss in (0.0, margin or 0.02):
                out, undecided, said = 0, 0, []
                # In parts: 12,000 items by thousands of sets do not fit into memory.
                each = max(1, min(sets, 2_000_000 // len(sizes)))
                for _ in range(-(-sets // each)):
                    found = batch(generator, each, sizes, 0.08, alike, -loss)
                    worse = (found.p() <= 0.05) & (found.centre < 0)
                    kept_out = worse if margin is None else found.below(-margin)
                    out += int(kept_out.sum())
                    # Shown neither to be worse nor to be within the margin: fails on a suite that is large enough.
                    between = np.flatnonzero(kept_out & ~worse)
                    undecided += sum(gate_power(found.tool(i), rule, 0.0) > FALSE_ALARMS for i in between)
                    said += [gate_power(found.tool(i), rule, loss) for i in range(min(each, 500 - len(said)))]
                made = each * -(-sets // each)
                rate, failed, silent, told = (
                    out / made,
                    (out - undecided) / made,
                    undecided / made,
                    float(np.mean(said)),
                )
                what = f"{name}, margin {margin or '–'}: {f'{100 * loss:g} points worse' if loss else 'as good'}"
                mark = within(rate - told, -0.03, 0.03, made, of=rate)
                yield "gate does not pass", f"{what}; it says {told:.3f}", rate, mark
                if not loss:
                    more = f"; undecided {silent:.3f}" if silent else ""
                    yield "gate: false alarms", f"{what}{more}", failed, within(failed, 0.0, 0.05, made)


def retrained(sets: int, seed: int) -> Iterator[Row]:
    """`gate` itself, end to end: three seeds of a recipe are the baseline, a new seed of it is the candidate."""
    generator = np.random.default_rng(10 + seed)
    sets = max(200, sets // 16)
    variants = Variant("gut"), Variant("schlecht", error="e")
    for items, documents, between in ((600, 30, 0.0), (600, 30, 0.06), (600, 600, 0.06)):
        number = np.arange(items) % documents
        suite = Suite(
            "retrained", tuple(Item(str(i), f"s{i}", variants, document=f"d{number[i]}") for i in range(items))
        )
        for margin in (None, 0.1):
            rule = BaselineRule("old", margin=margin, by_phenomenon=False)
            failed, silent, said = 0, 0, []
            for _ in range(sets):
                old, new = trained(generator, number, (3, 1), between)
                runs = [_scores(f"old{k}", old[:, k]) for k in range(3)]
                found = gate(suite, _scores("new", new[:, 0]), GateConfig(baseline=rule), ("old", runs))
                undecided = found.checks[0].undecided
                failed, silent = failed + (not found.passed and not undecided), silent + undecided
                if found.power:
                    said.append(sum(map(float, re.findall(r"(\d+)%", found.power[0].partition(";")[2]))) / 100)
            rate, told, out = failed / sets, float(np.mean(said)), (failed + silent) / sets
            what = f"{items} items in {documents} clusters, seeds' effect {between}, margin {margin or '–'}"
            yield "a new seed fails", f"{what}; undecided {silent / sets:.3f}", rate, within(rate, 0.0, 0.05, sets)
            mark = within(out - told, -0.03, 0.03, sets, of=out)
            yield "a new seed does not pass", f"{what}; the gate says {told:.3f}", out, mark


def _scores(name: str, right: Floats) -> Scores:
    """Lower is better: a right decision is 1 against 2."""
    return Scores(name, tuple(np.column_stack([2.0 - right, 1.0 + right]).ravel().tolist()))


def needed(sets: int, seed: int) -> Iterator[Row]:
    """How far an interval reaches, and which difference is found: the table of docs/statistics.md."""
    generator = np.random.default_rng(6 + seed)
    for documents, each in NEEDED:
        sizes = np.full(documents, each)
        alike = 0.1 if each > 1 else 0.0
        half, found = [], []
        for _ in range(min(sets, 400)):
            sums = generator.binomial(sizes, rates(generator, 0.8, alike, documents)).astype(np.float64)
            own = clustered_share(jackknife(sums, sizes * 1.0)) if each > 1 else wilson(float(sums.sum()), documents)
            half.append((own.high - own.low) / 2)
            found.append(contrast(gaps(generator, sizes, 0.15, alike)).detectable() or 1.0)
        what = f"{documents} documents of {each}" if each > 1 else f"{documents} independent items"
        yield "80% ± points", what, 100 * float(np.median(half)), ""
        yield "difference found with 80% power, points", what, 100 * float(np.median(found)), ""
