"""The published test sets, one folder each: how it is read and written, its layout, what its own script prints.

Uses `io` and `suites`. To add a set: make the folder with its ``TESTSET`` declaration and put its name in `SETS`.
"""

SETS = (
    "mucow",
    "contrawsd",
    "lingeval97",
    "large_enfr",
    "contrapro",
    "discevalmt",
    "consistency",
    "pro_errors",
    "ctxpro",
    "demetr",
    "aces",
    "distil_lingeval",
    "mt_geneval",
    "scat",
    "dfki",
)
"""Folders, in the order in which their formats are tried; the more particular first."""
