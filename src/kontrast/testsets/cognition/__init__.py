"""CoGnition (Li et al. 2021, EN-ZH): new compounds of known words, each in five contexts."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("cognition", check=True)
