"""kontrast split."""

from __future__ import annotations

import sys
from typing import Any

import click

from kontrast.cli.declared_options import declared_options
from kontrast.cli.output import echo
from kontrast.splitting.options import ExportOptions, SplitOptions

EPILOG = """\b
Examples:
  kontrast split ewt.counts --atom 0 --compound 1 --test-share .1:.2 --discard .25 --seed 1 --out split
  kontrast split ewt.counts --compound 0,.25,.5,.75,1 --out splits         # a folder each
  kontrast split ewt.counts --seed 1,2,3 --out splits                      # and their spread
  kontrast split ewt.counts --together documents --length-ratio .9:1.1 --dev 500 --out split
  kontrast split news.counts --against web.counts --test-size 2000 --out split   # train is the other corpus
  kontrast split ewt.counts --export en=corpus.en --export de=corpus.de --out split
"""


@click.command(epilog=EPILOG)
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--out", metavar="DIR", required=True, help="Folder to write train.ids, test.ids, split.json to.")
@declared_options(SplitOptions, ExportOptions)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(folder: str, out: str, as_json: bool, **options: Any) -> None:
    """Split a counted corpus into train and test sets with chosen divergences.

    DIR is a folder written by `kontrast count`. Sentences without a compound take no part, the share of test is one
    of compounds, and test sentences are about as long as train's, unless you say otherwise. A target that cannot
    be reached is reported with the best found and the reason.
    """
    from kontrast.flows.splitting import split
    from kontrast.reporting.terminal import print_json

    with _watch() as watch:
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
    from kontrast.reporting.terminal import print_table

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
    print_table(head, lines, caption="each split beside a random one of the same sentences and sizes")
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


class _watch:  # noqa: N801
    """A bar with the current divergences on a terminal; nothing in a pipe."""

    def __init__(self) -> None:
        self.bar, self.tasks = None, {}

    bar: Any
    tasks: dict[float, Any]

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
