"""Which German verbs are finite: repairs of the tagger's choice where a clause would have none, or too many."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.german_segments import FINITE, OPENERS, segment
from kontrast.language.lexicons.german import readings

__all__ = ["finite_codes", "repair_finite"]

_VERBAL = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP"))
_NONFINITE = {"VVINF": "VVFIN", "VVPP": "VVFIN", "VAINF": "VAFIN", "VMINF": "VMFIN", "VVIMP": "VVFIN"}
_FINITE_TO_INFINITIVE = {"VVFIN": "VVINF", "VAFIN": "VAINF", "VMFIN": "VMINF"}
_CLAUSE_STARTS = frozenset(("die", "der", "das", "den", "dem", "denen", "was", "wie", "wo", "so"))


def repair_finite(words: Sequence[str], tags: list[str]) -> None:
    """A clause without a finite verb has one that was taken for an infinitive: *Experten befürchten, …*."""
    _after_auxiliary(words, tags)
    start, part, opener, finite = 0, 0, -1, False
    for i, tag in enumerate(tags):
        if tag in FINITE:
            finite = True
        elif tag in OPENERS:
            opener, finite = i, False
        elif tag in ("$,", "$."):
            last = i - 1
            if not finite and last > start and tags[last] in _NONFINITE and _can_be_finite(words[last]):
                main = opener < 0 and tags[last - 1] in ("NN", "NE") and tags[last] == "VVINF"
                if (
                    words[part].lower() in _CLAUSE_STARTS
                    and tags[last] in ("VAINF", "VMINF")
                    and tags[last - 1] in _VERBAL
                ):
                    # , die Forscher entdeckt haben: taken for an article, it opens a clause.
                    main = True
                    if tags[part] == "ART":
                        tags[part] = "PRELS"
                if tags[last - 1] != "PTKZU" and (main or (opener >= 0 and tags[opener] in ("KOUS", "PRELS"))):
                    tags[last] = _NONFINITE[tags[last]]
                    finite = True
            if finite or tag == "$.":
                start, opener, finite = i + 1, -1, False
            part = i + 1
    for clause in segment(words, tags):
        if clause.verb >= 0 or clause.infinitive:
            continue
        verbal = [
            i
            for i in clause.tokens
            if tags[i] in _NONFINITE and not (i and tags[i - 1] == "PTKZU") and _can_be_finite(words[i])
        ]
        if not verbal:
            continue
        if clause.opener >= 0 and tags[clause.opener] != "PWAV":
            tags[verbal[-1]] = _NONFINITE[tags[verbal[-1]]]
        elif (
            clause.opener < 0 and verbal[0] > clause.tokens[0] and tags[verbal[0] - 1] in ("NN", "NE", "PPER", "PIS")
        ):
            tags[verbal[0]] = _NONFINITE[tags[verbal[0]]]


def _after_auxiliary(words: Sequence[str], tags: list[str]) -> None:
    """After zu, and at the end of a main clause that has its auxiliary, stands no finite verb."""
    auxiliary = False
    for i, tag in enumerate(tags):
        if tag in _FINITE_TO_INFINITIVE and i and tags[i - 1] == "PTKZU":
            tags[i] = _FINITE_TO_INFINITIVE[tag]
        elif tag == "VVFIN" and auxiliary and (i + 1 == len(tags) or tags[i + 1].startswith("$")):
            codes = {code for r in readings(words[i].lower()) if r.pos == "V" for code in r.codes}
            if codes & {"2", "i"}:
                tags[i] = "VVPP" if "2" in codes else "VVINF"
        elif tag in ("VAFIN", "VMFIN"):
            auxiliary = True
        elif tag in ("$,", "$.", "KON") or tag in OPENERS or tag == "VVFIN":
            auxiliary = False


def _can_be_finite(word: str) -> bool:
    return any(r.pos == "V" and any(len(code) == 3 for code in r.codes) for r in readings(word.lower()))


def finite_codes(word: str) -> frozenset[str]:
    """Person, number and tense that a finite form can be; guessed from its ending where the word is unknown.

    >>> sorted(finite_codes("ging")), sorted(finite_codes("klickten"))
    (['t1s', 't3s'], ['t1p', 't3p'])
    """
    low = word.lower()
    found = frozenset(c for r in readings(low) if r.pos == "V" for c in r.codes if len(c) == 3)
    if found:
        return found
    for ending, codes in (
        ("test", ("t2s",)), ("tet", ("t2p",)), ("ten", ("t1p", "t3p")), ("te", ("t1s", "t3s")), ("st", ("p2s",)),
        ("t", ("p3s", "p2p")), ("n", ("p1p", "p3p")), ("e", ("p1s", "k3s")),
    ):  # fmt: skip
        if low.endswith(ending):
            return frozenset(codes)
    return frozenset(("t3s",))
