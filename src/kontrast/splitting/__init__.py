"""Splitting: distribution-based compositionality assessment (DBCA). Uses `io`, `language`.

>>> from kontrast.splitting import divergence
>>> divergence([2, 4, 10], [1, 2, 5], alpha=0.5)
0.0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOME = {
    "CorpusCounts": "matrix",
    "Filters": "filters",
    "Generalisation": "generalisation",
    "PreparationStrategy": "tasks",
    "SystemOutput": "generalisation",
    "Split": "splits",
    "compare_sets": "measuring",
    "contributions": "chernoff",
    "count": "counting",
    "divergence": "chernoff",
    "export_split": "exporting",
    "generalise": "generalisation",
    "load_counts": "matrix",
    "load_split": "storing",
    "load_task": "tasks",
    "measure": "measuring",
    "read_ids": "measuring",
    "read_output": "generalisation",
    "save_counts": "matrix",
    "save_split": "storing",
    "split": "splits",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from kontrast.splitting.chernoff import contributions as contributions
    from kontrast.splitting.chernoff import divergence as divergence
    from kontrast.splitting.counting import count as count
    from kontrast.splitting.exporting import export_split as export_split
    from kontrast.splitting.filters import Filters as Filters
    from kontrast.splitting.generalisation import Generalisation as Generalisation
    from kontrast.splitting.generalisation import SystemOutput as SystemOutput
    from kontrast.splitting.generalisation import generalise as generalise
    from kontrast.splitting.generalisation import read_output as read_output
    from kontrast.splitting.matrix import CorpusCounts as CorpusCounts
    from kontrast.splitting.matrix import load_counts as load_counts
    from kontrast.splitting.matrix import save_counts as save_counts
    from kontrast.splitting.measuring import compare_sets as compare_sets
    from kontrast.splitting.measuring import measure as measure
    from kontrast.splitting.measuring import read_ids as read_ids
    from kontrast.splitting.splits import Split as Split
    from kontrast.splitting.splits import split as split
    from kontrast.splitting.storing import load_split as load_split
    from kontrast.splitting.storing import save_split as save_split
    from kontrast.splitting.tasks import PreparationStrategy as PreparationStrategy
    from kontrast.splitting.tasks import load_task as load_task


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kontrast.splitting' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"kontrast.splitting.{_HOME[name]}"), name)
    globals()[name] = value
    return value
