"""ContraWSD (Rios et al. 2017; DE-EN, DE-FR): word senses; the reference must beat all errors."""

from kontrast.suites.testset import Option, Original, TestSet

TESTSET = TestSet(
    "contrawsd",
    layout="lingeval97",
    original=Original(options=(Option("-v", "Print examples too."),)),
)
