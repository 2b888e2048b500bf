"""Metrics by name, one file a family, imported when used. Other packages add theirs: ``kontrast.metrics``."""

from __future__ import annotations

import importlib
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.options import read_options
from kontrast.plugins import loaded_plugin, plugin_names, plugin_package
from kontrast.scoring.metrics.metric import Metric, MetricOptions

METRICS = {
    "BLEU": ("sacre", "sacreBLEU's sentence BLEU; ?tokenize= ?lowercase= ?smooth_method="),
    "chrF": ("sacre", "sacreBLEU's chrF2; ?char_order= ?word_order= ?beta= ?lowercase= ?whitespace="),
    "chrF++": ("sacre", "chrF2 with words and pairs of words; options as chrF"),
    "TER": ("sacre", "translation edit rate, lower is better; ?normalized= ?no_punct= ?case_sensitive="),
    "BERTScore": ("encoder", "greedy matching of token vectors, F1; :MODEL, ?layer= ?idf= ?part="),
    "cosine": ("encoder", "cosine of sentence vectors (mean of tokens); :MODEL"),
    "COMET": ("comet", "COMET with reference; :MODEL or a checkpoint"),
    "COMETKiwi": ("comet", "COMET without reference; :MODEL or a checkpoint"),
    "BLEURT": ("regression", "BLEURT; :MODEL in Transformers format, or a checkpoint of the bleurt package"),
    "MetricX": ("regression", "MetricX-23 and -24, error score, lower is better; :MODEL, ?version= ?reference=no"),
    "judge-da": ("judge", "a language model's score from 0 to 100; :MODEL@URL, ?reference=no"),
    "judge-sqm": ("judge", "the same with a labelled scale; :MODEL@URL, ?reference=no"),
    "judge-pair": ("judge", "a language model chooses, each pair in both orders; :MODEL@URL, ?reference=no"),
    "judge-error": ("judge", "a language model says whether there is an error, in both orders; :MODEL@URL"),
    "command": ("external", "any program: source, translation, reference as TSV in, one score per line out"),
    "file": (
        "external",
        "scores from another program: one line per row, WMT's seg.score, or a folder of CSV files (gpt_scores)",
    ),
}
"""Name to print, file, what it is."""


def load_metric(text: str, options: MetricOptions | None = None) -> Metric:
    """The metric that ``NAME``, ``NAME:MODEL`` or ``NAME:MODEL?option=value&…`` names, in any case of letters.

    >>> load_metric("chrf").name
    'chrF'
    >>> load_metric("meteor")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: there is no metric 'meteor'; known: BLEU, chrF, chrF++, TER, BERTScore, cosine, \
COMET, COMETKiwi, BLEURT, MetricX, judge-da, judge-sqm, judge-pair, judge-error, command, file
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
    name = {each.lower(): each for each in known}.get(asked.lower())
    if name is None:
        raise KontrastError(f"there is no metric {asked!r}; known: {', '.join(known)}")
    if name == "command":
        return name, rest, {}
    model, mark, behind = rest.rpartition("?") if "?" in rest else (rest, "", "")
    return name, model, read_options(behind.split("&") if mark else (), f"--metric {text}")
