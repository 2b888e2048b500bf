"""DistilLingEval (Vamvas and Sennrich 2021, EN-DE): minimal pairs, one folder per kind of error."""

from kontrast.suites.testset import Original, TestSet

TESTSET = TestSet("distil-lingeval", original=Original(higher_is_better=True))
