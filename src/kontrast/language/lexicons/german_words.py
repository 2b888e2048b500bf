"""German closed classes, written by hand: which STTS tags a function word can have."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).resolve().parents[2] / "data" / "lexicons"

MODALS = frozenset(("können", "müssen", "sollen", "wollen", "dürfen", "mögen"))

DEFINITE = {
    "der": (("m", "ns"), ("f", "gs"), ("f", "ds"), ("x", "gp")),
    "die": (("f", "ns"), ("f", "as"), ("x", "np"), ("x", "ap")),
    "das": (("n", "ns"), ("n", "as")),
    "den": (("m", "as"), ("x", "dp")),
    "dem": (("m", "ds"), ("n", "ds")),
    "des": (("m", "gs"), ("n", "gs")),
}
"""Definite articles: gender (x: any), case and number."""

_DER_ENDINGS = {
    "er": (("m", "ns"), ("f", "gs"), ("f", "ds"), ("x", "gp")),
    "e": (("f", "ns"), ("f", "as"), ("x", "np"), ("x", "ap")),
    "es": (("n", "ns"), ("n", "as"), ("m", "gs"), ("n", "gs")),
    "en": (("m", "as"), ("x", "dp"), ("m", "gs"), ("n", "gs")),
    "em": (("m", "ds"), ("n", "ds")),
}
_EIN_ENDINGS = {
    "": (("m", "ns"), ("n", "ns"), ("n", "as")),
    "e": (("f", "ns"), ("f", "as"), ("x", "np"), ("x", "ap")),
    "er": (("f", "gs"), ("f", "ds"), ("x", "gp")),
    "es": (("m", "gs"), ("n", "gs")),
    "en": (("m", "as"), ("x", "dp")),
    "em": (("m", "ds"), ("n", "ds")),
}
DER_STEMS = ("dies", "jen", "jed", "welch", "manch", "solch", "all", "jeglich", "sämtlich")
"""Determiners with the endings of *der*."""
EIN_STEMS = ("ein", "kein", "mein", "dein", "sein", "ihr", "unser", "euer")
"""Those with the endings of *ein*."""
DETERMINERS: dict[str, tuple[tuple[str, str], ...]] = {
    **DEFINITE,
    **{stem + ending: cells for stem in DER_STEMS for ending, cells in _DER_ENDINGS.items()},
    **{stem + ending: cells for stem in EIN_STEMS for ending, cells in _EIN_ENDINGS.items()},
    **{stem + ending: cells for stem in ("eur", "unsr") for ending, cells in _EIN_ENDINGS.items() if ending},
}
"""All determiners: the cells of gender, case and number that each form can fill."""

PRONOUNS: dict[str, tuple[str, ...]] = {
    "ich": ("1ns",),
    "du": ("2ns",),
    "er": ("3nsm",),
    "sie": ("3nsf", "3asf", "3np", "3ap"),
    "es": ("3nsn", "3asn"),
    "wir": ("1np",),
    "ihr": ("2np", "3dsf"),
    "mich": ("1as",),
    "mir": ("1ds",),
    "dich": ("2as",),
    "dir": ("2ds",),
    "ihn": ("3asm",),
    "ihm": ("3dsm", "3dsn"),
    "uns": ("1ap", "1dp"),
    "euch": ("2ap", "2dp"),
    "ihnen": ("3dp",),
    "man": ("3ns",),
    "'s": ("3nsn", "3asn"),
}
"""Personal pronouns: person, case, number, gender."""

CONTRACTIONS = {
    "am": ("an", "dem"),
    "ans": ("an", "das"),
    "im": ("in", "dem"),
    "ins": ("in", "das"),
    "zum": ("zu", "dem"),
    "zur": ("zu", "der"),
    "vom": ("von", "dem"),
    "beim": ("bei", "dem"),
    "aufs": ("auf", "das"),
    "fürs": ("für", "das"),
    "durchs": ("durch", "das"),
    "ums": ("um", "das"),
    "übers": ("über", "das"),
    "unters": ("unter", "das"),
    "vors": ("vor", "das"),
    "hinterm": ("hinter", "dem"),
    "überm": ("über", "dem"),
    "unterm": ("unter", "dem"),
    "vorm": ("vor", "dem"),
}


def word_lists(name: str) -> dict[str, list[str]]:
    """The lists of a file by name; a line that begins with a blank continues the one before."""
    found: dict[str, list[str]] = {}
    key = ""
    for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        words = line
        if not line.startswith(" "):
            key, _, words = line.partition(": ")
        found.setdefault(key, []).extend(words.split())
    return found


_LISTS = word_lists("de.words.txt")
PREPOSITION_CASES: dict[str, str] = {
    **dict.fromkeys(_LISTS["dative"], "d"),
    **dict.fromkeys(_LISTS["accusative"], "a"),
    **dict.fromkeys(_LISTS["genitive"], "gd"),
    **dict.fromkeys(_LISTS["either"], "ad"),
    "gegenüber": "d",
    "laut": "dg",
    "dank": "dg",
    "binnen": "dg",
    "ab": "da",
    "als": "nadg",
    "wie": "nadg",
}

PARTICLES = frozenset(_LISTS["PTKVZ"])
JOINING = frozenset("und aber oder denn doch sondern".split())
"""Conjunctions after which a clause has its own order."""
SUBORDINATORS = frozenset(
    "dass daß wenn weil ob als wie bevor nachdem damit obwohl während falls sobald solange bis sodass wo was warum "
    "weshalb wieso wann woher wohin wozu seit indem wofür da".split()
)
"""Words that open a clause with its verb at the end."""

CLOSED: dict[str, frozenset[str]] = {}
"""The tags of each function word, lower-cased."""
for _tag, _words in _LISTS.items():
    if _tag.isupper():
        for _word in _words:
            CLOSED[_word] = CLOSED.get(_word, frozenset()) | {_tag}
