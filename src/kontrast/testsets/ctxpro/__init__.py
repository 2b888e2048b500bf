"""CTXPro (Wicks and Post 2023): the form that a right translation contains."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("ctxpro", check=True)
