"""The consistency sets (Voita et al. 2019, EN-RU): deixis, lexical cohesion, ellipsis."""

from kontrast.suites.testset import Original, TestSet

TESTSET = TestSet("consistency", original=Original())
