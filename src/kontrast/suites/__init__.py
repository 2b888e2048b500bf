"""Suites: the model, formats, the registry of test sets, the catalogue, documents and context, lint."""

from kontrast.suites.demo import bundled as bundled
from kontrast.suites.demo import bundled_corpus as bundled_corpus
