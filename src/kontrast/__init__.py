"""kontrast: contrastive and compositional evaluation of machine translation.

Every command is a function here, loaded when it is first used.

>>> import kontrast
>>> suite = kontrast.Suite("tiny", ())
>>> suite.row_count
0
"""

from __future__ import annotations

import importlib
from types import FunctionType
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

_HOME = {
    "Artefacts": "kontrast.analysis.artefacts",
    "artefacts": "kontrast.flows.analysis",
    "Breakdown": "kontrast.judging.records",
    "build_agreement": "kontrast.building.agreement.build",
    "build_alignment": "kontrast.flows.building",
    "build_errors": "kontrast.flows.building",
    "build_metrics_it": "kontrast.building.metrics_it",
    "build_pronouns": "kontrast.flows.building",
    "BuiltErrors": "kontrast.flows.building",
    "BuiltPronouns": "kontrast.building.pronouns",
    "bundled": "kontrast.suites.demo",
    "bundled_corpus": "kontrast.suites.demo",
    "Check": "kontrast.judging.check_records",
    "check": "kontrast.flows.checking",
    "Checks": "kontrast.judging.check_records",
    "cite": "kontrast.flows.catalogue",
    "compare": "kontrast.flows.judging",
    "CompoundErrors": "kontrast.splitting.compound_errors",
    "Comparison": "kontrast.judging.records",
    "Context": "kontrast.scoring.context",
    "context": "kontrast.flows.context",
    "ContextUse": "kontrast.analysis.context_records",
    "Conversion": "kontrast.suites.formats.conversion",
    "convert": "kontrast.flows.suites",
    "CorpusCounts": "kontrast.splitting.corpus_counts",
    "correlate": "kontrast.flows.correlation",
    "Correlations": "kontrast.judging.correlation.correlate",
    "count": "kontrast.splitting.count_corpus",
    "Cues": "kontrast.analysis.cues",
    "cues": "kontrast.flows.cues",
    "Demo": "kontrast.flows.demo",
    "demo": "kontrast.flows.demo",
    "doctor": "kontrast.flows.doctor",
    "describe": "kontrast.flows.suites",
    "Description": "kontrast.suites.description",
    "Difference": "kontrast.judging.records",
    "Divergence": "kontrast.splitting.measured_divergence",
    "divergence": "kontrast.flows.splitting",
    "documents": "kontrast.suites.documents",
    "DocumentSplit": "kontrast.suites.documents",
    "EngineOptions": "kontrast.scoring.engine",
    "entries": "kontrast.flows.catalogue",
    "Entry": "kontrast.suites.catalogue",
    "entry": "kontrast.suites.catalogue",
    "evaluate": "kontrast.flows.judging",
    "evaluate_all": "kontrast.judging.evaluate",
    "evaluate_original": "kontrast.flows.originals",
    "Evaluation": "kontrast.judging.records",
    "Evaluations": "kontrast.judging.records",
    "exclude": "kontrast.flows.suites",
    "Exclusion": "kontrast.suites.exclusion",
    "export_review": "kontrast.review.export",
    "extract": "kontrast.suites.extraction",
    "Extraction": "kontrast.suites.extraction",
    "fetch_suite": "kontrast.flows.catalogue",
    "Fetched": "kontrast.suites.fetch",
    "Finding": "kontrast.suites.lint.finding",
    "Findings": "kontrast.suites.lint.finding",
    "Gate": "kontrast.judging.records",
    "gate": "kontrast.flows.judging",
    "GateConfig": "kontrast.judging.gate",
    "Generalisation": "kontrast.splitting.generalisation",
    "generalise": "kontrast.flows.splitting",
    "inflect": "kontrast.language.lexicon",
    "InputError": "kontrast.errors",
    "Interval": "kontrast.judging.records",
    "ItCandidates": "kontrast.building.metrics_it",
    "Item": "kontrast.suites.model",
    "init": "kontrast.suites.starter",
    "Items": "kontrast.analysis.items",
    "items": "kontrast.flows.analysis",
    "judge": "kontrast.judging.verdicts",
    "Judgements": "kontrast.suites.judgements",
    "KontrastError": "kontrast.errors",
    "languages": "kontrast.building.languages",
    "lexicon": "kontrast.language.lexicons",
    "lint": "kontrast.flows.suites",
    "load": "kontrast.suites.formats",
    "load_task": "kontrast.splitting.genbench",
    "MarkedSpans": "kontrast.judging.meta.spans",
    "Memory": "kontrast.analysis.memory",
    "memory": "kontrast.flows.memory",
    "meta_evaluate": "kontrast.judging.meta.evaluate",
    "MetaEvaluation": "kontrast.judging.meta.records",
    "Metrics": "kontrast.judging.meta.records",
    "metrics": "kontrast.flows.metrics",
    "open_review": "kontrast.flows.review",
    "perturb": "kontrast.flows.building",
    "Preview": "kontrast.scoring.run",
    "preview": "kontrast.flows.scoring",
    "read_gate": "kontrast.judging.gate",
    "read_judgements": "kontrast.suites.judgements",
    "read_scores": "kontrast.suites.scores",
    "read_translations": "kontrast.judging.translated",
    "repair": "kontrast.building.repair",
    "Report": "kontrast.reporting.report",
    "report": "kontrast.flows.judging",
    "Review": "kontrast.review.session",
    "Runs": "kontrast.judging.records",
    "save": "kontrast.suites.formats",
    "save_figures": "kontrast.reporting.report",
    "save_metrics_it": "kontrast.building.metrics_it",
    "save_report": "kontrast.reporting.report",
    "score": "kontrast.flows.scoring",
    "score_metric": "kontrast.scoring.metrics.run",
    "Scores": "kontrast.suites.model",
    "serve_review": "kontrast.review.serve",
    "shorten": "kontrast.flows.analysis",
    "Shortened": "kontrast.analysis.shorten",
    "Signature": "kontrast.suites.model",
    "Split": "kontrast.splitting.split_files",
    "split": "kontrast.flows.splitting",
    "Store": "kontrast.scoring.store",
    "store_export": "kontrast.flows.store",
    "store_info": "kontrast.flows.store",
    "store_prune": "kontrast.flows.store",
    "StoreInfo": "kontrast.flows.store",
    "Suite": "kontrast.suites.model",
    "TagGroup": "kontrast.judging.records",
    "translate": "kontrast.flows.translation",
    "Translations": "kontrast.scoring.translating.result",
    "Variant": "kontrast.suites.model",
    "Verdict": "kontrast.suites.model",
    "Verdicts": "kontrast.judging.verdicts",
    "write_errors": "kontrast.flows.building",
    "write_pronouns": "kontrast.flows.building",
    "write_scores": "kontrast.suites.scores",
    "write_translations": "kontrast.scoring.translating.result",
}

_WRITTEN = frozenset({"out", "items", "suspects"})
"""Arguments that name a file to be written."""

__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from kontrast.analysis.artefacts import Artefacts as Artefacts
    from kontrast.analysis.context_records import ContextUse as ContextUse
    from kontrast.analysis.cues import Cues as Cues
    from kontrast.analysis.items import Items as Items
    from kontrast.analysis.memory import Memory as Memory
    from kontrast.analysis.shorten import Shortened as Shortened
    from kontrast.building.agreement.build import build_agreement as build_agreement
    from kontrast.building.languages import languages as languages
    from kontrast.building.metrics_it import ItCandidates as ItCandidates
    from kontrast.building.metrics_it import build_metrics_it as build_metrics_it
    from kontrast.building.metrics_it import save_metrics_it as save_metrics_it
    from kontrast.building.pronouns import BuiltPronouns as BuiltPronouns
    from kontrast.building.repair import repair as repair
    from kontrast.errors import InputError as InputError
    from kontrast.errors import KontrastError as KontrastError
    from kontrast.flows.analysis import artefacts as artefacts
    from kontrast.flows.analysis import items as items
    from kontrast.flows.analysis import shorten as shorten
    from kontrast.flows.building import BuiltErrors as BuiltErrors
    from kontrast.flows.building import build_alignment as build_alignment
    from kontrast.flows.building import build_errors as build_errors
    from kontrast.flows.building import build_pronouns as build_pronouns
    from kontrast.flows.building import perturb as perturb
    from kontrast.flows.building import write_errors as write_errors
    from kontrast.flows.building import write_pronouns as write_pronouns
    from kontrast.flows.catalogue import cite as cite
    from kontrast.flows.catalogue import entries as entries
    from kontrast.flows.catalogue import fetch_suite as fetch_suite
    from kontrast.flows.checking import check as check
    from kontrast.flows.context import context as context
    from kontrast.flows.correlation import correlate as correlate
    from kontrast.flows.cues import cues as cues
    from kontrast.flows.demo import Demo as Demo
    from kontrast.flows.demo import demo as demo
    from kontrast.flows.doctor import doctor as doctor
    from kontrast.flows.judging import compare as compare
    from kontrast.flows.judging import evaluate as evaluate
    from kontrast.flows.judging import gate as gate
    from kontrast.flows.judging import report as report
    from kontrast.flows.memory import memory as memory
    from kontrast.flows.metrics import metrics as metrics
    from kontrast.flows.originals import evaluate_original as evaluate_original
    from kontrast.flows.review import open_review as open_review
    from kontrast.flows.scoring import preview as preview
    from kontrast.flows.scoring import score as score
    from kontrast.flows.splitting import divergence as divergence
    from kontrast.flows.splitting import generalise as generalise
    from kontrast.flows.splitting import split as split
    from kontrast.flows.store import StoreInfo as StoreInfo
    from kontrast.flows.store import store_export as store_export
    from kontrast.flows.store import store_info as store_info
    from kontrast.flows.store import store_prune as store_prune
    from kontrast.flows.suites import convert as convert
    from kontrast.flows.suites import describe as describe
    from kontrast.flows.suites import exclude as exclude
    from kontrast.flows.suites import lint as lint
    from kontrast.flows.translation import translate as translate
    from kontrast.judging.check_records import Check as Check
    from kontrast.judging.check_records import Checks as Checks
    from kontrast.judging.correlation.correlate import Correlations as Correlations
    from kontrast.judging.evaluate import evaluate_all as evaluate_all
    from kontrast.judging.gate import GateConfig as GateConfig
    from kontrast.judging.gate import read_gate as read_gate
    from kontrast.judging.meta.evaluate import meta_evaluate as meta_evaluate
    from kontrast.judging.meta.records import MetaEvaluation as MetaEvaluation
    from kontrast.judging.meta.records import Metrics as Metrics
    from kontrast.judging.meta.spans import MarkedSpans as MarkedSpans
    from kontrast.judging.records import Breakdown as Breakdown
    from kontrast.judging.records import Comparison as Comparison
    from kontrast.judging.records import Difference as Difference
    from kontrast.judging.records import Evaluation as Evaluation
    from kontrast.judging.records import Evaluations as Evaluations
    from kontrast.judging.records import Gate as Gate
    from kontrast.judging.records import Interval as Interval
    from kontrast.judging.records import Runs as Runs
    from kontrast.judging.records import TagGroup as TagGroup
    from kontrast.judging.translated import read_translations as read_translations
    from kontrast.judging.verdicts import Verdicts as Verdicts
    from kontrast.judging.verdicts import judge as judge
    from kontrast.language.lexicon import inflect as inflect
    from kontrast.language.lexicons import lexicon as lexicon
    from kontrast.reporting.report import Report as Report
    from kontrast.reporting.report import save_figures as save_figures
    from kontrast.reporting.report import save_report as save_report
    from kontrast.review.export import export_review as export_review
    from kontrast.review.serve import serve_review as serve_review
    from kontrast.review.session import Review as Review
    from kontrast.scoring.context import Context as Context
    from kontrast.scoring.engine import EngineOptions as EngineOptions
    from kontrast.scoring.metrics.run import score_metric as score_metric
    from kontrast.scoring.run import Preview as Preview
    from kontrast.scoring.store import Store as Store
    from kontrast.scoring.translating.result import Translations as Translations
    from kontrast.scoring.translating.result import write_translations as write_translations
    from kontrast.splitting.compound_errors import CompoundErrors as CompoundErrors
    from kontrast.splitting.corpus_counts import CorpusCounts as CorpusCounts
    from kontrast.splitting.count_corpus import count as count
    from kontrast.splitting.genbench import load_task as load_task
    from kontrast.splitting.generalisation import Generalisation as Generalisation
    from kontrast.splitting.measured_divergence import Divergence as Divergence
    from kontrast.splitting.split_files import Split as Split
    from kontrast.suites.catalogue import Entry as Entry
    from kontrast.suites.catalogue import entry as entry
    from kontrast.suites.demo import bundled as bundled
    from kontrast.suites.demo import bundled_corpus as bundled_corpus
    from kontrast.suites.description import Description as Description
    from kontrast.suites.documents import DocumentSplit as DocumentSplit
    from kontrast.suites.documents import documents as documents
    from kontrast.suites.exclusion import Exclusion as Exclusion
    from kontrast.suites.extraction import Extraction as Extraction
    from kontrast.suites.extraction import extract as extract
    from kontrast.suites.fetch import Fetched as Fetched
    from kontrast.suites.formats import load as load
    from kontrast.suites.formats import save as save
    from kontrast.suites.formats.conversion import Conversion as Conversion
    from kontrast.suites.judgements import Judgements as Judgements
    from kontrast.suites.judgements import read_judgements as read_judgements
    from kontrast.suites.lint.finding import Finding as Finding
    from kontrast.suites.lint.finding import Findings as Findings
    from kontrast.suites.model import Item as Item
    from kontrast.suites.model import Scores as Scores
    from kontrast.suites.model import Signature as Signature
    from kontrast.suites.model import Suite as Suite
    from kontrast.suites.model import Variant as Variant
    from kontrast.suites.model import Verdict as Verdict
    from kontrast.suites.scores import read_scores as read_scores
    from kontrast.suites.scores import write_scores as write_scores
    from kontrast.suites.starter import init as init


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kontrast' has no attribute {name!r}")
    home = importlib.import_module(_HOME[name])
    value = getattr(home, name)
    if isinstance(value, FunctionType) and not _WRITTEN.isdisjoint(value.__code__.co_varnames):
        from kontrast.io.overwriting import guarded

        value = guarded()(value)  # a call is a command: no output is an input
        setattr(home, name, value)  # one function under both names, so that it can be pickled
    globals()[name] = value
    return value
