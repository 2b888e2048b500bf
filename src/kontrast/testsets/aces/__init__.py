"""ACES (Amrhein et al. 2022): good and incorrect translations of 68 phenomena, for metrics."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("aces")
