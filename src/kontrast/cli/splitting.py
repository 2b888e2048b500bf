"""Commands of DBCA: count, split, divergence, generalise."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.output import echo
from kontrast.options import Cluster
from kontrast.reporting.terminal import print_json, print_table
from kontrast.splitting.options import CountOptions, ExportOptions, Filters, SentenceFilter, SplitOptions

if TYPE_CHECKING:
    from kontrast.splitting.compound_errors import CompoundErrors
    from kontrast.splitting.generalisation import Generalisation


@click.command()
@click.argument("corpus", type=click.Path())
@command_options(
    "count",
    declared_options(CountOptions),
    declared_options(Filters, defaults=False),
    declared_options(SentenceFilter, Cluster),
)
def count_command(corpus: str, out: str, as_json: bool, **options: Any) -> None:
    from kontrast.splitting.count_corpus import count

    counts = count(corpus, out, **options)
    if mismatch := counts.about.get("mismatch"):
        echo(
            f"kontrast: {mismatch.lines} lines have different numbers of lemmas, heads and labels (line "
            f"{mismatch.first_line} is the first); they are cut to the shortest, so {mismatch.heads} heads "
            "are outside their sentence",
            err=True,
        )
    summary = {"out": out, **counts.to_dict()}
    if as_json:
        print_json(summary)
    else:
        print_table(list(summary), [list(summary.values())])


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path())
@command_options("split", declared_options(SplitOptions, ExportOptions))
def split_command(folder: str, out: str, as_json: bool, **options: Any) -> None:
    from kontrast.flows.splitting import split

    with _Watch() as watch:
        results = split(folder, out, watch=watch, **options)
    for result in results:
        which = f"target {result.aim.compound:g}, seed {result.seed}: " if len(results) > 1 else ""
        for note in result.notes:
            echo(f"kontrast: {which}{note}", err=True)
    if as_json:
        summaries = [result.to_dict() for result in results]
        print_json(summaries[0] if len(summaries) == 1 else {"splits": summaries})
        return
    _print(results, out)


def _print(results: list[Any], out: str) -> None:
    columns = ("target", "seed", "compound", "atom", "train", "test", "dev", "discarded", "featureless", "CPU s")
    rows = [
        (f"{r.aim.compound:g}", r.seed, r.compound_divergence, r.atom_divergence, len(r.train), len(r.test),
         len(r.dev), len(r.discarded), len(r.featureless), r.cpu_seconds)
        for r in results
    ]  # fmt: skip
    print_table(columns, rows, caption=f"written to {out}")
    lines = []
    for r in results:
        share = f"{r.test_share_compounds:.1%} / {r.test_share_sentences:.1%} / {r.test_share_tokens:.1%}"
        measured = r.measured
        pairs = [(r.aim.compound, r.seed, "split", measured.compound_divergence, measured.atom_divergence, share,
                  measured.difference)]  # fmt: skip
        if measured.random_difference is not None:
            pairs.append(("", "", "random", measured.random_compound_divergence, measured.random_atom_divergence, "",
                          measured.random_difference))  # fmt: skip
        for target, seed, name, compound, atom, shares, d in pairs:
            beside = [""] * 4 if d is None else [d.length_ratio, d.length_distance, f"{d.duplicates:.1%}",
                                                 d.document_divergence]  # fmt: skip
            lines.append((f"{target:g}" if shares else "", seed, name, compound, atom, shares, *beside))
    head = ("target", "seed", "", "compound", "atom", "test share: compounds / sentences / tokens", "length ratio",
            "length distance", "duplicates", "documents")  # fmt: skip
    print_table(head, lines, caption="each split is compared with a random one of the same sentences and sizes")
    targets = list(dict.fromkeys(r.aim.compound for r in results))
    if len(results) > len(targets):
        spread = []
        for target in targets:
            same = [r for r in results if r.aim.compound == target]
            for name in ("compound_divergence", "atom_divergence", "test_share_compounds", "length_ratio"):
                values = [getattr(r, name) for r in same]
                spread.append(
                    (f"{target:g}", name.replace("_", " "), min(values), sum(values) / len(values), max(values))
                )
        print_table(("target", "", "lowest", "mean", "highest"), spread, caption=f"spread over {len(same)} seeds")


class _Watch:
    """A bar with the current divergences on a terminal; nothing in a pipe."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.tasks: dict[float, Any] = {}

    def __enter__(self) -> Any:
        if not sys.stderr.isatty():
            return None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self.bar.start()
        return self

    def __call__(self, target: float, sweep: int, sweeps: int, atom: float, compound: float) -> None:
        text = f"target {target:g}: atom {atom:.4f}, compound {compound:.4f}"
        if target not in self.tasks:
            self.tasks[target] = self.bar.add_task(text, total=sweeps)
        self.bar.update(self.tasks[target], completed=min(sweep, sweeps), total=sweeps, description=text)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path())
@command_options("divergence")
def divergence_command(folder: str, as_json: bool, **options: Any) -> None:
    from kontrast.flows.splitting import divergence
    from kontrast.splitting.measured_divergence import warnings_of

    result = divergence(folder, **options)
    if as_json:
        print_json(result)
        return
    chance = (result.random_atom_divergence, result.random_compound_divergence)
    floors = (result.atom_floor, result.compound_floor)
    rows = [
        ("atoms", result.atom_divergence, chance[0], floors[0], result.unseen_atoms),
        ("compounds", result.compound_divergence, chance[1], floors[1], result.unseen_compounds),
    ]
    caption = (
        f"train {result.train_sentences} sentences of {result.train_length:.1f} tokens, "
        f"test {result.test_sentences} of {result.test_length:.1f}"
    )
    print_table(("", "divergence", "random split", "floor", "unseen in test"), rows, caption=caption)
    if (found_here := result.difference) is not None and (random := result.random_difference) is not None:
        names = ("length_ratio", "length_distance", "duplicates", "train_featureless", "test_featureless",
                 "document_divergence")  # fmt: skip
        beside = [(name.replace("_", " "), getattr(found_here, name), getattr(random, name)) for name in names]
        print_table(("how test differs from train", "", "random split"), beside)
        for warning in warnings_of(found_here, random):
            echo(f"kontrast: {warning}", err=True)
    for name, found in (("atoms", result.atom_contributions), ("compounds", result.compound_contributions)):
        if found:
            lines = [(c.feature.replace("\t", " "), c.contribution, c.train, c.test) for c in found]
            print_table((f"most divergent {name}", "adds", "train", "test"), lines)


WORST = 10
"""Compounds of a test set that are shown, those with most errors first."""


@click.command()
@command_options("generalise")
def generalise_command(runs: tuple[tuple[float, str, str], ...], as_json: bool, **given: Any) -> None:
    from kontrast.flows.splitting import generalise
    from kontrast.splitting.compound_errors import CompoundErrors

    result: Generalisation | CompoundErrors = generalise(runs, **given)
    if as_json:
        print_json(result)
    elif isinstance(result, CompoundErrors):
        _print_compounds(result, given["seed"])
    else:
        _print_scores(result, given["seed"])


def _print_scores(result: Generalisation, seed: int) -> None:
    first = result.metrics[0].metric
    drawn = f"{result.resamples:,} resamples, seed {seed}"
    echo(f"{100 * result.level:g}% intervals: bootstrap over sentences and runs, {drawn}")
    for metric in result.metrics:
        rows = [
            (f"{p.divergence:g}", p.score, f"[{p.low:.2f}, {p.high:.2f}]", p.runs, p.sentences) for p in metric.levels
        ]
        caption = (
            f"ratio {_ratio(metric.ratio, metric.ratio_low, metric.ratio_high)}, "
            f"slope {metric.slope:.2f} [{metric.slope_low:.2f}, {metric.slope_high:.2f}]; {metric.signature}"
        )
        print_table(("divergence", metric.metric, "interval", "runs", "sentences"), rows)
        echo(f"{caption}\n")
    if result.by_length:
        parts = [
            (f"{p.shortest}-{p.longest}" if p.longest else f"{p.shortest} or more", ", ".join(map(str, p.sentences)),
             p.result.score, f"[{p.result.low:.3f}, {p.result.high:.3f}]")
            for p in result.by_length
        ]  # fmt: skip
        print_table(("words", "sentences", f"ratio of {first}", "interval"), parts)
    echo(f"generalisation score ({first}): {_ratio(result.score, result.low, result.high)}")


def _print_compounds(result: CompoundErrors, seed: int) -> None:
    from kontrast.splitting.compound_errors import RESAMPLES

    given = not any(system.seen.compounds for system in result.systems)  # of a test set, all are new
    over = "compounds" if given else "sentences"
    echo(f"{100 * result.level:g}% intervals: bootstrap over {over}, {RESAMPLES:,} resamples, seed {seed}")
    for system in result.systems:
        rates = [rate for rate in system.rates if rate.by != "compound"]
        worst = sorted((rate for rate in system.rates if rate.by == "compound"), key=lambda rate: -rate.error_rate)
        rows = [
            (rate.by or "all", rate.group if rate.by else "", "seen" if rate.seen else "unseen", rate.compounds,
             rate.right, rate.error_rate, "" if rate.by == "compound" else f"[{rate.low:.3f}, {rate.high:.3f}]")
            for rate in (*(() if given else (system.seen,)), system.unseen, *rates, *worst[:WORST])
        ]  # fmt: skip
        print_table(("by", "", "compounds", "decided", "right", "error rate", "interval"), rows, title=system.name)
        if len(worst) > WORST:
            echo(f"{len(worst) - WORST} more compounds: --json has all")
        interval = f"[{system.difference_low:+.3f}, {system.difference_high:+.3f}]"
        between = "" if given else f"unseen minus seen: {system.difference:+.3f} {interval}; "
        types = "compounds with an error in any sentence" if given else "unseen types with an error anywhere"
        echo(f"{between}{types}: {system.unseen_types_error_rate:.3f}\n")
    for pair in result.comparisons:
        echo(f"unseen compounds, {pair.first} minus {pair.second}: {pair.difference:+.3f} "
                   f"[{pair.low:+.3f}, {pair.high:+.3f}], p = {pair.p:.4f}")  # fmt: skip
    left = "" if given else f"; {result.undecided} not decided, because a word is not aligned"
    echo(f"{result.compounds} compounds of {result.sentences} test sentences decided{left}")


def _ratio(ratio: float, low: float, high: float) -> str:
    if math.isnan(ratio):
        return "not defined (a score is negative, or 0 at the lowest divergence)"
    return f"{ratio:.3f} " + ("[not defined]" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]")
