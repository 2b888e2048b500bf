"""DiscEvalMT (Bawden et al. 2018, EN-FR): anaphora and lexical choice with their previous sentences."""

from kontrast.suites.testset import Original, TestSet, TextLayout

TESTSET = TestSet("discevalmt", layout=TextLayout(), original=Original())
