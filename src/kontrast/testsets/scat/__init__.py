"""SCAT (Yin et al. 2021, EN-FR): items of the large EN-FR set with the words that human translators needed."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("scat")
