"""Which German verbs are finite: repairs of the tagger's choice where a clause would have none, or too many."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.language.german.segments import FINITE, OPENERS, segment
from kontrast.language.lexicons.german import readings, verb_forms
from kontrast.language.words import word_set

_VERBAL = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP"))
_NONFINITE = {"VVINF": "VVFIN", "VVPP": "VVFIN", "VAINF": "VAFIN", "VMINF": "VMFIN", "VVIMP": "VVFIN"}
_FINITE_TO_INFINITIVE = {"VVFIN": "VVINF", "VAFIN": "VAINF", "VMFIN": "VMINF"}
_MISTAKEN = frozenset(("VVPP", "VVINF", "ADJA", "ADJD", "ADV"))
_SUBJECT_STARTS = frozenset(("NN", "NE", "PPER", "ART", "PPOSAT", "PIS", "PIAT", "PDAT", "PDS"))
_FUTURE = word_set("de", "verbs_future")
_NOMINATIVE = word_set("de", "verbs_nominative")
_PERSONS = {
    "ich": ("1s",), "du": ("2s",), "er": ("3s",), "es": ("3s",), "man": ("3s",), "wir": ("1p",), "sie": ("3s", "3p"),
}  # fmt: skip
_CLAUSE_STARTS = word_set("de", "verbs_clause_starts")


class _Seen(msgspec.Struct):
    """What was read of a sentence so far: where the clause and its part began, its opener, its finite verb."""

    start: int = 0
    part: int = 0
    opener: int = -1
    finite: bool = False
    modal: bool = False
    """A modal or *werden* still waits for its infinitive."""
    taken: bool = False
    """This part's infinitive belongs to a modal before it."""


def repair_finite(words: Sequence[str], tags: list[str]) -> None:
    """A clause without a finite verb has one that was taken for an infinitive: *Experten befürchten, …*."""
    _before_address(words, tags)
    _after_auxiliary(words, tags)
    _after_pronouns(words, tags)
    _at_the_end(words, tags)
    _before_signs(words, tags)
    _in_clauses_without(words, tags)


def _before_address(words: Sequence[str], tags: list[str]) -> None:
    """*Klicken Sie …*: a verb that the lexicon does not have, where a sentence begins."""
    for i in range(len(words) - 1):
        opens = i == 0 or words[i - 1] in (".", "!", "?", ":", "»", "„", "“")
        if opens and words[i + 1] == "Sie" and tags[i] in ("NN", "NE", "FM") and words[i].endswith("n"):
            tags[i] = "VVFIN"


def _before_signs(words: Sequence[str], tags: list[str]) -> None:
    """The last word before a comma or full stop is the finite verb, where its clause has no other."""
    seen = _Seen()
    for i, tag in enumerate(tags):
        if seen.opener < 0 or tags[seen.opener].startswith("PW"):
            _note_modal(seen, words, tags, i)
        if tag in FINITE:
            seen.finite = True
        elif tag in OPENERS:
            seen.opener, seen.finite = i, False
        elif tag in ("$,", "$."):
            if _lacks_verb(seen, words, tags, i - 1) and _wants_verb(seen, words, tags, i - 1):
                tags[i - 1] = _NONFINITE[tags[i - 1]]
                seen.finite = True
            if seen.finite or tag == "$.":
                seen.start, seen.opener, seen.finite = i + 1, -1, False
            seen.modal = seen.modal and tag != "$."
            seen.part, seen.taken = i + 1, False


def _note_modal(seen: _Seen, words: Sequence[str], tags: list[str], i: int) -> None:
    """*können das Gehalt, das sie verdienen, kennen*: the infinitive belongs to a modal before the clause."""
    if tags[i] == "$." and seen.modal and i and tags[i - 1] == "VVFIN" and verb_forms(words[i - 1].lower()):
        tags[i - 1] = "VVINF"
    if tags[i] in ("VVINF", "VAINF"):
        seen.modal, seen.taken = False, seen.modal
    elif tags[i] == "VMFIN" or words[i].lower() in _FUTURE:
        seen.modal = True


def _lacks_verb(seen: _Seen, words: Sequence[str], tags: Sequence[str], last: int) -> bool:
    return not seen.finite and last > seen.start and tags[last] in _NONFINITE and _can_be_finite(words[last])


def _wants_verb(seen: _Seen, words: Sequence[str], tags: list[str], last: int) -> bool:
    """Must the last word be finite? An article that opens such a clause becomes a relative pronoun."""
    if tags[last - 1] == "PTKZU":
        return False
    if _is_relative(seen, words, tags, last):
        if tags[seen.part] == "ART":
            tags[seen.part] = "PRELS"
        return True
    return (
        _is_main(seen, tags, last)
        or _goes_on(seen, tags, last)
        or (seen.opener >= 0 and tags[seen.opener] in ("KOUS", "PRELS"))
    )


def _is_relative(seen: _Seen, words: Sequence[str], tags: Sequence[str], last: int) -> bool:
    """*, die Forscher entdeckt haben*."""
    opens = words[seen.part].lower() in _CLAUSE_STARTS
    return opens and tags[last] in ("VAINF", "VMINF") and tags[last - 1] in _VERBAL


def _is_main(seen: _Seen, tags: Sequence[str], last: int) -> bool:
    """*Experten befürchten,*"""
    return seen.opener < 0 and tags[last - 1] in ("NN", "NE") and tags[last] == "VVINF" and not seen.taken


def _goes_on(seen: _Seen, tags: Sequence[str], last: int) -> bool:
    """*sich aber viele nicht leisten können*."""
    later = bool(seen.part) and seen.opener < 0 and not seen.taken
    return later and tags[last] != "VVINF" and tags[last - 1] in _VERBAL and tags[last - 2] != "PTKZU"


def _in_clauses_without(words: Sequence[str], tags: list[str]) -> None:
    """Clauses that still have no finite verb: the last verb of a subordinate one, the second place of a main one."""
    for clause in segment(words, tags):
        if clause.verb >= 0 or clause.infinitive:
            continue
        verbal = [i for i in clause.tokens if _may_become_finite(words, tags, i)]
        if clause.opener >= 0:
            if verbal and tags[clause.opener] != "PWAV":
                tags[verbal[-1]] = _NONFINITE[tags[verbal[-1]]]
        elif verbal and verbal[0] > clause.tokens[0] and tags[verbal[0] - 1] in ("NN", "NE", "PPER", "PIS"):
            tags[verbal[0]] = _NONFINITE[tags[verbal[0]]]
        else:
            _in_second_place(clause.tokens, words, tags)


def _may_become_finite(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    return tags[i] in _NONFINITE and not (i and tags[i - 1] == "PTKZU") and _can_be_finite(words[i])


def _in_second_place(tokens: Sequence[int], words: Sequence[str], tags: list[str]) -> None:
    """A main clause without a verb: *Um dies zu messen, entwickelten Forscher …*, *Oft geraten Deutsche …*."""
    for i in tokens:
        follower = tags[i + 1] if i + 1 < len(tags) else "$."
        if tags[i] not in _MISTAKEN or not words[i].islower() or not _can_be_finite(words[i]):
            continue
        before = tags[i - 1] if i else "$."
        alone = before == "$," and follower == "$," and tags[i] in _NONFINITE  # Der Kandidat, …, behauptet, …
        opens = before == "$," and i - 1 > 0 and follower in _SUBJECT_STARTS
        second = before in ("NN", "NE", "ADV") and follower in _SUBJECT_STARTS and tags[i] != "ADJA"
        if alone or opens or second:
            tags[i] = "VVFIN"
            return


def _after_pronouns(words: Sequence[str], tags: list[str]) -> None:
    """*…, sie geraten in einen Zustand*: what agrees with a pronoun before it and does not end the clause is finite.

    *Seit die Demokraten zugestimmt haben*: seit before a nominative opens a clause, as does *Da* without a verb.
    """
    for i in range(len(tags) - 2):
        low = words[i].lower()
        if words[i] == "Da" and tags[i] == "ADV" and tags[i + 1] in ("PRF", "PPER", "ART", "PPOSAT", "NN", "PIS"):
            tags[i] = "KOUS"
        if low == "seit" and tags[i] == "APPR" and words[i + 1] in _NOMINATIVE:
            tags[i] = "KOUS"
        if tags[i] not in ("$,", "KON", "$.", "$(") or words[i + 1].lower() not in _PERSONS:
            continue
        codes = finite_codes(words[i + 2])
        if (
            tags[i + 2] in ("VVPP", "VVINF")
            and i + 3 < len(tags)
            and not tags[i + 3].startswith(("$", "V", "KON"))
            and any(code[1:] in _PERSONS[words[i + 1].lower()] for code in codes)
        ):
            tags[i + 2] = "VVFIN"


def _at_the_end(words: Sequence[str], tags: list[str]) -> None:
    """The finite verb of a subordinate clause stands last, after a conjunction too.

    *weil wir Schulen besucht und Jobs angenommen haben*; *die die Schule abbrechen oder schwanger werden*.
    """
    opener = -1
    for i, tag in enumerate(tags):
        if tag in ("KOUS", "PRELS"):
            opener = i
        elif tag in ("$,", "$.") and opener >= 0:
            last = i - 1
            finite = [k for k in range(opener, last) if tags[k] in FINITE]
            if finite and last > finite[-1] + 1 and tags[last - 1] != "PTKZU" and _can_be_finite(words[last]):
                full = all(tags[k] == "VVFIN" for k in finite)
                if tags[last] in ("VAINF", "VMINF") and tags[last - 1] in _VERBAL and full:
                    for k in finite:
                        codes = {code for r in readings(words[k].lower()) if r.pos == "V" for code in r.codes}
                        tags[k] = "VVPP" if "2" in codes else "VVINF" if "i" in codes else tags[k]
                    tags[last] = _NONFINITE[tags[last]]
                elif (
                    tags[last] in ("VVINF", "VAINF")
                    and "KON" in tags[finite[-1] + 1 : last]
                    and not any(tags[k] == "VMFIN" or words[k].lower() in _FUTURE for k in finite)
                ):
                    tags[last] = _NONFINITE[tags[last]]
            opener = -1


def _after_auxiliary(words: Sequence[str], tags: list[str]) -> None:
    """After zu, and at the end of a main clause that has its auxiliary, stands no finite verb."""
    auxiliary = False
    for i, tag in enumerate(tags):
        if tag in _FINITE_TO_INFINITIVE and i and tags[i - 1] == "PTKZU":
            tags[i] = _FINITE_TO_INFINITIVE[tag]
        elif tag == "VVFIN" and tags[i + 1 : i + 2] in (["VMFIN"], ["VAFIN"]) and _ends(tags, i + 1):
            codes = {code for r in readings(words[i].lower()) if r.pos == "V" for code in r.codes}
            if tags[i + 1] == "VMFIN" and words[i].endswith("n"):
                tags[i] = "VVINF"  # dass er dorthin gelangen kann
            elif tags[i + 1] == "VAFIN" and "2" in codes:
                tags[i] = "VVPP"
        elif tag == "VAFIN" and tags[i + 1 : i + 2] in (["VMINF"], ["VMFIN"]) and _ends(tags, i + 1):
            tags[i], tags[i + 1] = "VAINF", "VMFIN"  # die zugeschaut haben sollen
        elif tag == "VVFIN" and auxiliary and (i + 1 == len(tags) or tags[i + 1].startswith("$")):
            codes = {code for r in readings(words[i].lower()) if r.pos == "V" for code in r.codes}
            if codes & {"2", "i"}:
                tags[i] = "VVPP" if "2" in codes else "VVINF"
        elif tag in ("VAFIN", "VMFIN"):
            auxiliary = True
        elif tag in ("$,", "$.", "KON") or tag in OPENERS or tag == "VVFIN":
            auxiliary = False


def _ends(tags: Sequence[str], i: int) -> bool:
    return i + 1 >= len(tags) or tags[i + 1].startswith("$") or tags[i + 1] == "KON"


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
