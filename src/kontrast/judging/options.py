"""The options of what judges scores and translations, declared once for the commands and for Python."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypedDict

from kontrast.defaults import RESAMPLES, SEED
from kontrast.judging.passages import Alignment
from kontrast.judging.records import RunsAre, Test, TiePolicy
from kontrast.options import Alpha, By, Level, Limit, Maximize, Seed, Suites, option, read_list, read_names
from kontrast.suites.model import Scores, Unit

Normalise = Annotated[
    str | Sequence[str],
    option(
        "Normalise by sum, token, byte or span (needs the tokens file of the scores).",
        default=(),
        metavar="A,B",
        read=read_names,
    ),
]
UnitOfDecision = Annotated[Unit | None, option("Unit of a decision: item or pair. Default: the suite's own.")]
WrittenItems = Annotated[
    str | Path | None,
    option("Write a JSON line per decision: each system's verdict, margin and scores.", metavar="FILE"),
]


class Weighing(TypedDict, total=False):
    """What makes a decision right, wrong or tied."""

    ties: Annotated[
        TiePolicy,
        option("Credit for a k-way tie: 1/k, 0, 1, or 1 if the right variant is the first.", default="report"),
    ]
    epsilon: Annotated[
        float,
        option(
            "Scores within X of each other count as a tie. Do not choose X on the set that you report.",
            default=0.0,
            metavar="X",
        ),
    ]
    unit: UnitOfDecision


class Judging(Weighing, total=False):
    """What every function that judges scores takes."""

    by: By
    level: Level
    allow: Annotated[
        Collection[str],
        option(
            "Accept scores whose signatures differ in this part.",
            default=(),
            read=read_list,
            choices=("suite", "normalise", "direction"),
        ),
    ]


class JudgingRuns(Judging, total=False):
    """And what a system of several files is."""

    runs: Annotated[
        RunsAre,
        option(
            "The files of NAME=FILE,FILE,… are random seeds, fixed runs, or checkpoints of one training.",
            default="seeds",
        ),
    ]


class Resampling(Judging, total=False):
    """And of those that compare systems, whose permutation test resamples."""

    resamples: Annotated[int, option("Number of resamples, for tests that resample.", default=RESAMPLES, least=100)]
    seed: Seed


class ResamplingRuns(JudgingRuns, Resampling, total=False):
    """Of the comparison itself."""

    test: Annotated[
        Test, option("The test for the corrected p-value and the star; all three are computed.", default="jackknife")
    ]
    alpha: Alpha
    baseline: Annotated[
        str | None,
        option("Compare the others only with this system: its name, or a unique part of it.", metavar="NAME"),
    ]


class ScoresRead(Suites, total=False):
    """How files are read."""

    maximize: Maximize


class Evaluating(JudgingRuns, ScoresRead, total=False):
    """All of `kontrast evaluate`."""

    weights: Annotated[
        Literal["real"] | None,
        option("Also weight phenomena by how often people mark their errors in system outputs."),
    ]
    normalise: Normalise
    items: WrittenItems


class Comparing(ResamplingRuns, ScoresRead, total=False):
    """All of `kontrast compare`."""

    own: Annotated[
        str | Path | None,
        option(
            "A suite built on the system's own translations (build errors --on), to compare with human text.",
            metavar="SUITE",
        ),
    ]
    own_scores: Annotated[str | Path | None, option("The system's scores on --own.", metavar="FILE")]
    normalise: Normalise
    items: WrittenItems


class Checking(ScoresRead, total=False):
    """All of `kontrast check`."""

    style: Annotated[
        Literal["original"] | None, option("original: the check of the set's own authors (CTXPro, MT-GenEval, DFKI).")
    ]
    complete: Annotated[bool, option("With --style original of CTXPro: also by rule.", default=False)]
    pretty: Annotated[bool, option("Like --complete, with blank lines.", default=False)]
    align: Annotated[Alignment, option("How to find the item's sentence in a translated passage.", default="auto")]
    separator: Annotated[str | None, option("Separator between the sentences of a passage.", metavar="TEXT")]
    context: Annotated[
        int | None, option("Number of sentences before the item in a passage. Default: all.", metavar="N", least=0)
    ]
    by_distance: Annotated[
        bool,
        option("If words do not decide, choose the variant with the smaller edit distance.", default=False),
    ]
    by: By
    items: Annotated[
        str | Path | None,
        option(
            "Write each verdict with the forms found, for compare, gate and report. "
            "A folder if there are several systems.",
            "--out",
            metavar="FILE",
        ),
    ]
    scores: Annotated[
        Scores | str | Path | None, option("Scores of the same system, to compare both verdicts.", metavar="FILE")
    ]
    samples: Annotated[
        bool, option("The files are samples of one system: test how well --scores predict them.", default=False)
    ]
    level: Level
    allow: Annotated[
        Collection[str],
        option("Accept scores or translations of another suite.", default=(), read=read_list, choices=("suite",)),
    ]
    limit: Limit
    seed: Annotated[int, option("Seed of --limit; use the same as for translate.", default=SEED, least=0)]
