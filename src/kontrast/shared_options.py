"""Options that several families have, each with one type, one default and one wording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypedDict

from kontrast.defaults import ALPHA, LEVEL, SEED
from kontrast.options import option, read_list

Alpha = Annotated[float, option("Significance level.", default=ALPHA, least=0.0001, most=0.5)]
By = Annotated[
    str | Sequence[str],
    option("Also by tag: distance, frequency:log …", default=(), metavar="TAG[:RULE][,TAG]", read=read_list),
]
Device = Annotated[str, option("cpu, cuda, cuda:1 … or auto.", default="auto")]
Level = Annotated[float, option("Confidence level of the intervals.", default=LEVEL, least=0.5, most=0.9999)]
Limit = Annotated[int | None, option("A first trial: N items, spread over the phenomena.", metavar="N", least=1)]
Maximize = Annotated[bool | None, option("Higher is better (log-probability). Default: lower, or the signature.")]
On = Annotated[
    str | None,
    option("Run on a Ray cluster (ray: one of this machine; docs/scale.md).", metavar="ray[:ADDRESS]"),
]
Seed = Annotated[int, option("Random seed.", default=SEED, least=0)]
SourceLanguage = Annotated[str | None, option("Source language. Default: the suite's.", "--source", metavar="LANG")]
SuiteFormat = Annotated[
    str | None, option("The suite's format, if it is not recognised.", "--from", metavar="FORMAT")
]
TargetLanguage = Annotated[str | None, option("Target language. Default: the suite's.", "--target", metavar="LANG")]
Workers = Annotated[int | None, option("With --on: workers [as many as the cluster has cores for].", least=1)]


class Cluster(TypedDict, total=False):
    """Of commands that can run on a Ray cluster."""

    on: On
    workers: Workers


class Suites(TypedDict, total=False):
    """Of commands that read a suite."""

    format: SuiteFormat
