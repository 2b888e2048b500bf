"""ContraPro (Müller et al. 2018, EN-DE): pronouns; the reference must beat all errors."""

from kontrast.suites.testset import Option, Original, TestSet, TextLayout

TESTSET = TestSet(
    "contrapro",
    layout=TextLayout(first_segment=1, options=("context_json", "no_contrastives")),
    original=Original(options=(Option("-v", "Print examples too."),)),
)
