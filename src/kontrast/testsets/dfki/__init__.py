"""The DFKI test suite (Macketanz et al. 2022, EN-DE): sentences by phenomenon, expressions and judged outputs."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("dfki", check=True, lint=True)
