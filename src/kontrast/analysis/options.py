"""The options of what is asked about systems beside their accuracy, declared once for the commands and for Python."""

from collections.abc import Collection
from typing import Annotated, TypedDict

from kontrast.defaults import NATURAL
from kontrast.judging.options import UnitOfDecision
from kontrast.options import Alpha, By, Level, option, read_list

IGNORED_BELOW = 0.05
"""A system whose margins move by less than so many bits on average ignores the context."""


class ContextTest(TypedDict, total=False):
    """How the use of context is tested."""

    sentences: Annotated[bool, option("Use whole sentences only, for engines without tokens.", default=False)]
    ignored_below: Annotated[
        float, option("Changes up to this number of bits count as no change.", default=IGNORED_BELOW, least=0)
    ]
    alpha: Alpha
    allow: Annotated[
        Collection[str],
        option("Accept files that differ in this part.", default=(), read=read_list, choices=("suite", "model")),
    ]
    by: By
    unit: UnitOfDecision
    level: Level


class MemoryTest(TypedDict, total=False):
    """How items are held against their twins."""

    k: Annotated[float, option("Share of tokens in Min-K%.", default=0.2, least=0.01, most=1)]
    natural: Annotated[
        float,
        option(
            "Differences up to this number of bits per token do not count as memory.",
            default=NATURAL,
            least=0,
            most=100,
        ),
    ]
    alpha: Alpha
    level: Level
