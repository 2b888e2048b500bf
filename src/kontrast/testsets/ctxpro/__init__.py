"""CTXPro (Wicks and Post 2023): the form that a right translation contains."""

from kontrast.suites.testset import TestSet, TextLayout

TESTSET = TestSet(
    "ctxpro",
    layout=TextLayout(first_segment=0, options=("tokens",), context=10),
    check=True,
    check_options=("complete", "pretty"),
)
