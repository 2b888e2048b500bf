"""MuCoW's scoring sets (Raganato et al. 2019, several languages into English): word senses by origin of the text."""

from kontrast.suites.testset import Option, Original, TestSet

TESTSET = TestSet("mucow", layout="lingeval97", original=Original(options=(Option("-v", "Print examples too."),)))
