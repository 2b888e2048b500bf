"""LingEval97 (Sennrich 2017, EN-DE): thirteen kinds of errors, each pair a decision."""

from kontrast.suites.testset import Bins, Option, Original, TestSet, TextLayout

DELETED = ("polarity_particle_nicht_del", "polarity_particle_kein_del", "polarity_affix_del")
INSERTED = ("polarity_particle_nicht_ins", "polarity_particle_kein_ins", "polarity_affix_ins")
CATEGORIES = (
    "np_agreement",
    "subj_verb_agreement",
    "subj_adequacy",
    *DELETED,
    *INSERTED,
    "auxiliary",
    "verb_particle",
    "compound",
    "transliteration",
)

TESTSET = TestSet(
    "lingeval97",
    layout=TextLayout(),
    original=Original(
        options=(
            Option("--categories", "Only these categories.", takes="words", choices=CATEGORIES),
            Option("--fd", "Also by frequency and distance."),
            Option("--latex", "Also the paper's table."),
            Option("--latex-polarity", "Also the polarity table."),
            Option("-v", "Print examples too."),
            Option("--outputs", 'With -v: translations to print, {"newstest2014": "FILE", …}.', takes="json"),
        )
    ),
    bins={
        "distance": Bins(tuple(range(16)), tuple(map(str, range(16))), ">15"),
        # 5 is in ">2": the original's ranges overlap there
        "frequency": Bins(
            (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000),
            ("0", "1", "2", ">2", ">5", ">10", ">20", ">50", ">100", ">200", ">500", ">1k", ">2k", ">5k"),
            ">10k",
        ),
    },
)
