"""Splitting: distribution-based compositionality assessment (DBCA).

>>> from kontrast.splitting import divergence
>>> divergence([2, 4, 10], [1, 2, 5], alpha=0.5)
0.0
"""

import importlib
from typing import Any

_NAMES = {
    "corpus_counts": "CorpusCounts load_counts save_counts",
    "count_corpus": "count",
    "genbench": "PreparationStrategy load_task",
    "generalisation": "Generalisation SystemOutput generalise read_output",
    "measured_divergence": "compare_sets contributions divergence measure",
    "options": "CountOptions Filters SentenceFilter SplitOptions",
    "split_corpus": "split",
    "split_files": "Split export_split load_split read_ids save_split",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name.startswith("EuroparlDbcaSplits"):
        return getattr(importlib.import_module("kontrast.splitting.genbench"), name)
    if name not in _HOME:
        raise AttributeError(f"module 'kontrast.splitting' has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(f"kontrast.splitting.{_HOME[name]}"), name)
    return value
