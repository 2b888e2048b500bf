"""The gender of a German third-person pronoun changed: er, sie, es in any case, possessives with them in a chain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like
from kontrast.language.annotation import Sentence

Gender = Literal["m", "f", "n"]
Case = Literal["nom", "acc", "dat", "poss"]

_FORMS: dict[Case, dict[Gender, str]] = {
    "nom": {"m": "er", "f": "sie", "n": "es"},
    "acc": {"m": "ihn", "f": "sie", "n": "es"},
    "dat": {"m": "ihm", "f": "ihr", "n": "ihm"},
}
_WRONG_CASE = {"er": "ihn", "ihn": "er"}
_SUBJECTS = frozenset("ich du wir man wer er jemand niemand keiner jeder".split())
_PREPOSITIONS = frozenset("für durch ohne um gegen über auf in an hinter neben unter vor zwischen bis wider".split())
_DATIVE = frozenset("mit von zu bei nach aus seit gegenüber außer an auf in über unter vor neben hinter".split())
_SUBORDINATORS = frozenset(
    "dass daß wenn weil ob als wie bevor nachdem damit obwohl während falls sobald solange bis sodass wo was warum "
    "weshalb wieso wann woher wohin wozu seit "
    "indem wofür und aber oder denn doch sondern".split()
)
_THIRD_SINGULAR = frozenset(
    "ist war hat hatte wird wurde würde kann konnte könnte muss muß musste müsste soll sollte will wollte darf "
    "durfte mag möchte sei wäre hätte geht ging kommt kam macht gibt gab sieht sah steht stand liegt lag heißt "
    "scheint bleibt funktioniert gehört tut tat klingt passt reicht fehlt gefällt dauert".split()
)
_BEING = frozenset("ist war wäre sei gewesen bleibt blieb bin bist warst sind waren seid".split())
"""With these there is no accusative."""
_PLURAL = frozenset(
    "sind waren haben hatten werden wurden würden können konnten könnten müssen mussten müssten sollen sollten "
    "wollen wollten dürfen durften mögen möchten seien wären hätten".split()
)
_BREAKS = frozenset(',;:.!?–—…-"„“”»«()')
_WORD = re.compile(r"\w+|[^\w\s]")
_POSSESSIVE = re.compile(r"(sein|ihr)(e|en|em|er|es)?", re.IGNORECASE)


class _Word(msgspec.Struct, frozen=True, gc=False):
    text: str
    low: str
    start: int
    end: int


class _Mention(msgspec.Struct, frozen=True):
    """A pronoun that may change: the genders it may have now, and its case."""

    word: _Word
    genders: tuple[Gender, ...]
    case: Case


def _mentions(words: Sequence[_Word]) -> Iterator[_Mention]:
    for i, word in enumerate(words):
        low = word.low
        if word.text[0].isupper() and not _opens(words, i) and low.startswith(("sie", "ihr")):
            continue  # the polite address
        if low == "er":
            yield _Mention(word, ("m",), "nom")
        elif low == "ihn":
            yield _Mention(word, ("m",), "acc")
        elif low == "ihm":
            yield _Mention(word, ("m", "n"), "dat")
        elif low == "ihr" and _is_dative(words, i):
            yield _Mention(word, ("f",), "dat")
        elif low in ("sie", "es") and not (low == "sie" and _is_plural(words, i)):
            gender: Gender = "f" if low == "sie" else "n"
            for case in _cases(words, i):
                yield _Mention(word, (gender,), case)
        elif (match := _POSSESSIVE.fullmatch(low)) and low not in ("seit", "sein") and _is_possessive(words, i):
            yield _Mention(word, ("f",) if match[1] == "ihr" else ("m", "n"), "poss")


def _is_possessive(words: Sequence[_Word], i: int) -> bool:
    """A possessive stands before a noun, with nothing but an adjective between them."""
    following = words[i + 1 : i + 4]
    return any(w.text[0].isupper() for w in following[:1]) or (
        len(following) > 1 and following[0].low.isalpha() and following[1].text[0].isupper()
    )


def _is_dative(words: Sequence[_Word], i: int) -> bool:
    if _is_possessive(words, i):
        return False
    before = words[i - 1].low if i else ""
    return before in _DATIVE or (before.isalpha() and before not in _SUBORDINATORS)


def _opens(words: Sequence[_Word], i: int) -> bool:
    before = [w.low for w in words[:i]]
    while before and before[-1] in "\"„“”»«-–—…'":
        before.pop()
    return not before or before[-1] in ".!?:"


def _clause(words: Sequence[_Word], i: int) -> tuple[int, int]:
    """The first and last word of the clause around a word: between commas, conjunctions and subordinators."""
    start, end = i, i
    while start > 0 and words[start - 1].low not in _BREAKS:
        start -= 1
        if words[start].low in _SUBORDINATORS:
            break
    while end + 1 < len(words) and words[end + 1].low not in _BREAKS and words[end + 1].low not in _SUBORDINATORS:
        end += 1
    return start, end


def _is_plural(words: Sequence[_Word], i: int) -> bool:
    """*sie können*, *haben sie*: they, which has no gender in German."""
    neighbours = [words[j].low for j in (i - 1, i + 1) if 0 <= j < len(words)]
    start, end = _clause(words, i)
    others = {words[j].low for j in range(start, end + 1) if j != i}
    return bool(_PLURAL & set(neighbours)) and not others & {"wir", "man", "ich", "es", "er"}


def _cases(words: Sequence[_Word], i: int) -> tuple[Case, ...]:
    """Nominative, accusative, or both where the clause does not tell."""
    start, end = _clause(words, i)
    before = words[i - 1].low if i > start else ""
    behind = words[i + 1].low if i < end else ""
    others = [w.low for j, w in enumerate(words[start : end + 1], start) if j != i and not _polite(words, j)]
    if before in _PREPOSITIONS:
        return ("acc",)
    if _BEING & set(others) or behind in _THIRD_SINGULAR:
        return ("nom",)
    if _SUBJECTS & set(others) or (words[i].low == "es" and "sie" in others):
        return ("acc",)
    if _to_infinitive(others) and not _THIRD_SINGULAR & set(others):
        return ("acc",)
    open_to_others = _nominals(words, start, end, i) > 0
    if before in _SUBORDINATORS or i == start:
        return ("nom", "acc") if open_to_others else ("nom",)
    if before in _THIRD_SINGULAR and i - start == 1:
        return ("nom", "acc") if open_to_others else ("nom",)
    return ("nom", "acc")


def _to_infinitive(clause: Sequence[str]) -> bool:
    """*es zu lesen*, *es auszurollen*: a clause without a subject."""
    return any(
        (word == "zu" and following.endswith("n")) or re.fullmatch(r"\w{2,}zu\w{2,}en", following)
        for word, following in zip(("", *clause), clause, strict=False)
    )


def _polite(words: Sequence[_Word], i: int) -> bool:
    return words[i].text[0].isupper() and words[i].low in ("sie", "ihr", "ihnen") and not _opens(words, i)


def _nominals(words: Sequence[_Word], start: int, end: int, i: int) -> int:
    """Nouns with *der* or *ein* before them, or names: they may be the subject instead."""
    return sum(
        words[j].low in ("der", "mein", "dein", "sein", "ihr", "unser", "kein", "jeder", "dieser")
        for j in range(start, end + 1)
        if j != i
    )


def _changed(mention: _Mention, gender: Gender) -> tuple[int, int, str] | None:
    """The edit that gives a mention the gender; None where its form stays."""
    word = mention.word
    if mention.case == "poss":
        match = _POSSESSIVE.fullmatch(word.low)
        assert match is not None
        new = ("ihr" if gender == "f" else "sein") + (match[2] or "")
    else:
        new = _FORMS[mention.case][gender]
    return None if new == word.low else (word.start, word.end, like(word.text, new))


def _regendered(sentence: Sentence) -> Iterator[Candidate]:
    words = [_Word(m.group(), m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(sentence.text)]
    mentions = list(_mentions(words))
    genders: tuple[Gender, ...] = ("m", "f", "n")
    for mention in mentions:
        if mention.case == "poss":
            continue
        for gender in genders:
            if gender not in mention.genders and (edit := _changed(mention, gender)):
                yield (good := candidate("pronoun_gender", sentence, [edit]))
                # As published sets do it: er where ihn belongs, and no capital at the start.
                for form in {edit[2].lower(), _WRONG_CASE.get(edit[2].lower(), "")} - {edit[2], ""}:
                    yield candidate("pronoun_gender", sentence, [(*edit[:2], form)], mended=good.text)
    yield from _chains(sentence, mentions, genders)


def _chains(sentence: Sentence, mentions: Sequence[_Mention], genders: Sequence[Gender]) -> Iterator[Candidate]:
    """All mentions of one gender together: with possessives, and pronouns alone."""
    for now in genders:
        pronouns = [m for m in mentions if now in m.genders and m.case != "poss"]
        owners = [m for m in mentions if now in m.genders and m.case == "poss"]
        for gender in genders:
            if gender == now or not pronouns:
                continue
            for chosen in ([*pronouns, *owners], pronouns):
                readings: dict[int, list[tuple[int, int, str]]] = {}
                for mention in chosen:
                    if edit := _changed(mention, gender):
                        readings.setdefault(mention.word.start, []).append(edit)
                if len(readings) < 2:
                    continue
                # Where the case is open the first reading is taken for all, then the last.
                for pick in (0, -1):
                    edits = [several[pick] for several in readings.values()]
                    yield (good := candidate("pronoun_gender", sentence, edits, chain=True))
                    lowered = [(start, end, new.lower()) for start, end, new in edits]
                    for plain in (lowered, [edits[0], *lowered[1:]]):
                        yield candidate("pronoun_gender", sentence, plain, chain=True, mended=good.text)


perturbation = Perturbation(
    name="pronoun_gender",
    language="de",
    summary="the gender of a third-person pronoun is changed",
    conditions=(
        "er, sie, es; ihn, sie, es; ihm, ihr, ihm: each becomes the two others of its case, one mention at a time.",
        "Chains change all mentions of one gender together, with the possessives sein, ihr and without them.",
        "The polite Sie and the plural sie stay as they are; where the case of sie or es is not told by its clause, "
        "both readings are given.",
    ),
    examples=(
        Example("Sie schallt mir aus Höhen.", "Er schallt mir aus Höhen."),
        Example("Ich habe ihn gesehen.", "Ich habe es gesehen."),
        Example("Er hat seinen Schlüssel, aber er ist alt.", "Sie hat ihren Schlüssel, aber sie ist alt."),
        Example("Können Sie mir helfen?", None),
    ),
    function=_regendered,
)
