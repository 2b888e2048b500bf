"""Metrics by name, one file a family, imported when used. Other packages add theirs: ``kontrast.metrics``."""

from __future__ import annotations

import importlib
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.toml_input import read_toml
from kontrast.options import read_options
from kontrast.plugins import loaded_plugin, plugin_names, plugin_package
from kontrast.scoring.metrics.metric import Metric, MetricOptions

METRICS: dict[str, list[str]] = read_toml(Path(__file__).parents[2] / "data" / "metrics.toml")
"""By the name to print: file, what it is."""


def load_metric(text: str, options: MetricOptions | None = None) -> Metric:
    """The metric that ``NAME``, ``NAME:MODEL`` or ``NAME:MODEL?option=value&…`` names, in any case of letters.

    >>> load_metric("chrf").name
    'chrF'
    >>> load_metric("comit")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: there is no metric 'comit'; did you mean COMET?
    """
    name, model, extra = split_name(text)
    options = options or MetricOptions()
    if name in METRICS:
        module: Any = importlib.import_module(f"kontrast.scoring.metrics.{METRICS[name][0]}")
    elif (module := loaded_plugin("metrics", name)) is None:
        raise KontrastError(f"--metric {text}: the metric {name} of {plugin_package('metrics', name)} is broken")
    metric: Metric = module.load(name, model, msgspec.structs.replace(options, extra={**options.extra, **extra}))
    return metric


def split_name(text: str) -> tuple[str, str, dict[str, str]]:
    """(the metric's own name, model, options).

    >>> split_name("bertscore:./encoder?layer=5")
    ('BERTScore', './encoder', {'layer': '5'})
    """
    asked, _, rest = text.partition(":")
    if "?" in asked:
        asked, rest = text.partition("?")[0], "?" + text.partition("?")[2]
    known = (*METRICS, *plugin_names("metrics", METRICS))
    lower = {each.lower(): each for each in known}
    name = lower.get(asked.lower())
    if name is None:
        near = get_close_matches(asked.lower(), lower, n=1)
        meant = f"did you mean {lower[near[0]]}?" if near else f"known: {', '.join(known)}"
        raise KontrastError(f"there is no metric {asked!r}; {meant}")
    if name == "command":
        return name, rest, {}
    model, mark, behind = rest.rpartition("?") if "?" in rest else (rest, "", "")
    return name, model, read_options(behind.split("&") if mark else (), f"--metric {text}")
