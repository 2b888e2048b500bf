"""DEMETR (Karpinska et al. 2022, X-EN): one error in a translation, for metrics."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("demetr")
