"""MT-GenEval (Currey et al. 2022, English into eight languages): the gender of people, with and without context."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("mt-geneval", check=True)
