"""What must be said of scores that are votes: the signature has the counts, every result tells of them."""

from __future__ import annotations

from kontrast.suites.model import Scores

BIAS = "POSITION BIAS"
_LOST = "could not be read"
_FEWEST = 4
_LARGE = 0.9


def position_bias(scores: Scores) -> str | None:
    """What to say where (nearly) all answers name the same position; None where they do not.

    >>> from kontrast.suites.model import Signature
    >>> position_bias(Scores("m", (1.0, 2.0), signature=Signature(details={"first_named": "0/22"})))
    'POSITION BIAS: all 22 answers name the second variant, whichever it is: nothing is decided by the text'
    >>> position_bias(Scores("m", (1.0, 2.0), signature=Signature(details={"first_named": "10/22"})))
    """
    if place := (scores.signature.details if scores.signature else {}).get("same_place"):
        return (
            f"{BIAS} cannot be told: the right choice is {place} in every item, and a model that always answers "
            f"{place} has 100%; shuffle the choices and run again"
        )
    first, asked = _counts(scores, "first_named")
    if asked < _FEWEST or max(first, asked - first) < _LARGE * asked:
        return None
    which, often = ("first", first) if 2 * first > asked else ("second", asked - first)
    if often == asked:
        return (
            f"{BIAS}: all {asked} answers name the {which} variant, whichever it is: nothing is decided by the text"
        )
    return f"{BIAS}: {often} of {asked} answers name the {which} variant: most pairs are not decided by the text"


def is_loud(note: str) -> bool:
    """Does this note stand before the numbers?"""
    return BIAS in note or _LOST in note


def vote_notes(scores: Scores) -> tuple[str, ...]:
    """A position bias first, then answers that could not be read.

    >>> from kontrast.suites.model import Signature
    >>> vote_notes(Scores("m", (1.0, 2.0), signature=Signature(details={"unread": "1/22"})))
    ('1 of 22 answers could not be read: such an answer counts half for each side',)
    """
    bias, (lost, asked) = position_bias(scores), _counts(scores, "unread")
    judged = scores.signature is not None and scores.signature.details.get("mode") == "judge"
    counts = "a probability of a half" if judged else "half for each side"
    told = f"{lost} of {asked} answers {_LOST}: such an answer counts {counts}"
    return (*([bias] if bias else []), *([told] if lost else []))


def _counts(scores: Scores, detail: str) -> tuple[int, int]:
    """(of these, all) from ``details``; zeros where it is not there."""
    some, _, whole = (scores.signature.details if scores.signature else {}).get(detail, "").partition("/")
    return (int(some), int(whole)) if some.isdecimal() and whole.isdecimal() else (0, 0)
