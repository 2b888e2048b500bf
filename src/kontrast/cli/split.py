"""kontrast split."""

from __future__ import annotations

import sys
from typing import Any

import click

from kontrast.cli.output import echo
from kontrast.defaults import SEED

__all__ = ["command"]

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
@click.option("--atom", default=0.0, show_default=True, help="Atom divergence to reach.")
@click.option("--compound", default="1", show_default=True, help="Compound divergence to reach; several with commas.")
@click.option("--test-share", metavar="A:B", default=".1:.2", show_default=False,
              help="test/(train+test); .1:.2 if not given.")  # fmt: skip
@click.option("--share-of", type=click.Choice(["compounds", "sentences", "tokens"]), default="compounds",
              show_default=True, help="What the test share is a share of.")  # fmt: skip
@click.option("--test-size", type=int, help="Sentences in test, instead of a share.")
@click.option("--discard", default=0.25, show_default=True, help="Most of the corpus that may be left out.")
@click.option("--length-ratio", metavar="A:B", default="auto", show_default=False,
              help="Mean length of test over train's: .8:1.25 if not given; open for any.")  # fmt: skip
@click.option("--featureless", type=click.Choice(["nowhere", "train", "anywhere"]), default="nowhere",
              show_default=True, help="Where sentences without a compound go.")  # fmt: skip
@click.option("--together", default="", help="documents or duplicates stay on one side.")
@click.option("--fixed-train", metavar="FILE", help="Sentence numbers that must be in train.")
@click.option("--no-unseen-atoms", is_flag=True, help="Every atom of test occurs in train.")
@click.option("--against", metavar="DIR", help="Counts of another corpus that is train; test is chosen from DIR.")
@click.option("--atom-weight", type=float,
              help="What a miss of the atom divergence counts: 1, and 2.25 beyond a random split's.")  # fmt: skip
@click.option(
    "--compound-weight", default=1.0, show_default=True, help="What a miss of the compound divergence counts."
)
@click.option("--atom-cap", type=float, help="Atom divergence need only stay below this.")
@click.option("--atom-alpha", default=0.5, show_default=True, help="How much of the weight is on train, for atoms.")
@click.option("--compound-alpha", default=0.1, show_default=True, help="The same for compounds.")
@click.option("--dev", default=0.0, help="Sentences (or share) of train to set aside as dev.")
@click.option(
    "--seed", default=str(SEED), show_default=True, help="Several with commas: a split each, and their spread."
)
@click.option("--effort", default="default", show_default=True, help="fast, default or thorough.")
@click.option("--seconds", type=float, help="Stop looking after this time.")
@click.option("--resume", metavar="DIR", help="Go on from an earlier split's folder.")
@click.option("--export", multiple=True, metavar="LANG=FILE", help="Write this corpus' train, dev and test too.")
@click.option("--format", "formats", default="lines", show_default=True,
              help="Format of exports: lines, hf, genbench, chat; several with commas.")  # fmt: skip
@click.option("--name", default="", help="Name of the exported task; the folder's name if not given.")
@click.option(
    "--url", default="", help="Where the exported genbench folder will be published; else file: is written."
)
@click.option("--report", "report_file", metavar="FILE", help="Also write an HTML report.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(folder: str, out: str, compound: str, report_file: str | None, as_json: bool, **options: Any) -> None:
    """Split a counted corpus into train and test with the divergences asked for.

    DIR is a folder written by `kontrast count`. Sentences without a compound take no part, the share of test is one
    of compounds, and test sentences are about as long as train's, unless you say otherwise. A target that cannot
    be reached is reported with the best found and the reason.
    """
    from kontrast.flows.splitting import split
    from kontrast.reporting.terminal import print_json

    with _watch() as watch:
        results = split(folder, out, compound=compound, report=report_file, watch=watch, **options)
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
