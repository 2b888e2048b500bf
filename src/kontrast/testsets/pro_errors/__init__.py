"""Mistranslated anaphoric "it" (EN-DE), for metrics."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("pro-errors")
