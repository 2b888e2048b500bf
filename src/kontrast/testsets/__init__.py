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
    "hw_tsc",
    "aces",
    "distil_lingeval",
    "mt_geneval",
    "scat",
    "dfki",
    "gate",
    "cocoa_mt",
    "mittens",
    "wmt25",
    "cognition",
    "contracat",
    "wino_x",
    "multiblimp",
    "blimp",
)
"""Folders and files, in the order in which their formats are tried; the more particular first."""
