"""CoCoA-MT and IWSLT's formality sets (Nădejde et al. 2022): a formal and an informal translation, marked."""

from kontrast.suites.testset import TestSet

TESTSET = TestSet("cocoa-mt", check=True)
