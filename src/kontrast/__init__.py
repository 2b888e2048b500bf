"""kontrast: contrastive and compositional evaluation of machine translation.

Every command is a function here, loaded when it is first used.

>>> import kontrast
>>> suite = kontrast.Suite("tiny", ())
>>> suite.row_count
0
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "build_errors": "kontrast.building.errors",
    "InputError": "kontrast.errors",
    "Item": "kontrast.suites.model",
    "KontrastError": "kontrast.errors",
    "Scores": "kontrast.suites.model",
    "Suite": "kontrast.suites.model",
    "Variant": "kontrast.suites.model",
    "build_metrics_it": "kontrast.building.metrics_it",
    "build_pronouns": "kontrast.building.pronouns",
    "bundled": "kontrast.suites.demo",
    "bundled_corpus": "kontrast.suites.demo",
    "check": "kontrast.judging.check",
    "compare": "kontrast.judging.compare",
    "convert": "kontrast.suites.formats.conversion",
    "count": "kontrast.splitting.counting",
    "describe": "kontrast.suites.description",
    "divergence": "kontrast.splitting.chernoff",
    "documents": "kontrast.suites.documents",
    "demo": "kontrast.demonstration",
    "entries": "kontrast.suites.catalogue",
    "entry": "kontrast.suites.catalogue",
    "evaluate": "kontrast.judging.evaluate",
    "evaluate_all": "kontrast.judging.evaluate",
    "evaluate_original": "kontrast.testsets.originals",
    "exclude": "kontrast.suites.exclusion",
    "extract": "kontrast.suites.extraction",
    "fetch_suite": "kontrast.suites.fetch",
    "gate": "kontrast.judging.gate",
    "generalise": "kontrast.splitting.generalisation",
    "inflect": "kontrast.language.lexicon",
    "judge": "kontrast.judging.verdicts",
    "lexicon": "kontrast.language.lexicons",
    "lint": "kontrast.suites.lint",
    "load": "kontrast.suites.formats",
    "load_task": "kontrast.splitting.tasks",
    "meta_evaluate": "kontrast.judging.meta.evaluate",
    "metrics": "kontrast.reporting.metrics",
    "perturb": "kontrast.building.perturb.run",
    "read_gate": "kontrast.judging.gate",
    "read_scores": "kontrast.suites.scores",
    "read_translations": "kontrast.judging.check",
    "repair": "kontrast.building.repair",
    "report": "kontrast.reporting.report",
    "save": "kontrast.suites.formats",
    "save_figures": "kontrast.reporting.report",
    "save_report": "kontrast.reporting.report",
    "score": "kontrast.scoring.run",
    "score_metric": "kontrast.scoring.metrics.run",
    "split": "kontrast.splitting.splits",
    "write_scores": "kontrast.suites.scores",
}

__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from kontrast.building.errors import build_errors as build_errors
    from kontrast.building.metrics_it import build_metrics_it as build_metrics_it
    from kontrast.building.perturb.run import perturb as perturb
    from kontrast.building.pronouns import build_pronouns as build_pronouns
    from kontrast.building.repair import repair as repair
    from kontrast.demonstration import demo as demo
    from kontrast.errors import InputError as InputError
    from kontrast.errors import KontrastError as KontrastError
    from kontrast.judging.check import check as check
    from kontrast.judging.check import read_translations as read_translations
    from kontrast.judging.compare import compare as compare
    from kontrast.judging.evaluate import evaluate as evaluate
    from kontrast.judging.evaluate import evaluate_all as evaluate_all
    from kontrast.judging.gate import gate as gate
    from kontrast.judging.gate import read_gate as read_gate
    from kontrast.judging.meta.evaluate import meta_evaluate as meta_evaluate
    from kontrast.judging.verdicts import judge as judge
    from kontrast.language.lexicon import inflect as inflect
    from kontrast.language.lexicons import lexicon as lexicon
    from kontrast.reporting.metrics import metrics as metrics
    from kontrast.reporting.report import report as report
    from kontrast.reporting.report import save_figures as save_figures
    from kontrast.reporting.report import save_report as save_report
    from kontrast.scoring.metrics.run import score_metric as score_metric
    from kontrast.scoring.run import score as score
    from kontrast.splitting.chernoff import divergence as divergence
    from kontrast.splitting.counting import count as count
    from kontrast.splitting.generalisation import generalise as generalise
    from kontrast.splitting.splits import split as split
    from kontrast.splitting.tasks import load_task as load_task
    from kontrast.suites.catalogue import entries as entries
    from kontrast.suites.catalogue import entry as entry
    from kontrast.suites.demo import bundled as bundled
    from kontrast.suites.demo import bundled_corpus as bundled_corpus
    from kontrast.suites.description import describe as describe
    from kontrast.suites.documents import documents as documents
    from kontrast.suites.exclusion import exclude as exclude
    from kontrast.suites.extraction import extract as extract
    from kontrast.suites.fetch import fetch_suite as fetch_suite
    from kontrast.suites.formats import load as load
    from kontrast.suites.formats import save as save
    from kontrast.suites.formats.conversion import convert as convert
    from kontrast.suites.lint import lint as lint
    from kontrast.suites.model import Item as Item
    from kontrast.suites.model import Scores as Scores
    from kontrast.suites.model import Suite as Suite
    from kontrast.suites.model import Variant as Variant
    from kontrast.suites.scores import read_scores as read_scores
    from kontrast.suites.scores import write_scores as write_scores
    from kontrast.testsets.originals import evaluate_original as evaluate_original


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kontrast' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value
