"""Where the answer lies: fixed places, unequal classes, and what scorers get that know nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kontrast.suites.lint.finding import Finding, LintCheck, Looking
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.packed import shape_of

_FIRST_WINS = ("consistency",)
_TIE_IS_RIGHT = ("distil-lingeval", "distil_lingeval")
_CLASS_TAGS = ("phenomenon", "ref_pronoun", "type", "sense")
_UNEQUAL = 10


def _everything(id: str, level: str, suite: Suite, message: str) -> Finding:
    """A finding about the suite as a whole: it counts every item and lists none."""
    return Finding(id, "warning" if level == "warning" else "note", len(suite.items), (), message)


def _place(suite: Suite) -> Iterator[Finding]:
    sizes, correct = shape_of(suite.items)
    places = set(correct[sizes > 1].tolist())
    if len(suite.items) < 2 or len(places) != 1:
        return
    (place,) = places
    said = f"the correct variant is always number {place + 1}"
    if suite.style in _FIRST_WINS and place == 0:
        message = f"{said}, and this set's own script lets the first win a tie: a constant scorer gets 100%"
        yield _everything("correct-always-at-one-index", "warning", suite, message)
    elif suite.style in _TIE_IS_RIGHT:
        message = f"{said}, and this set's own script counts a tie as right: a constant scorer gets 100%"
        yield _everything("correct-always-at-one-index", "warning", suite, message)
    else:
        message = f"{said}; this matters only if a script lets the first win a tie (argmin, argmax)"
        yield _everything("correct-always-at-one-index", "note", suite, message)


def _classes(suite: Suite) -> Looking:
    found: dict[str, Counter[str]] = {tag: Counter() for tag in _CLASS_TAGS}
    while some := (yield None):
        for _, item in some:
            for tag, value in _values(suite, item):
                found[tag][value] += 1
    for tag, counts in found.items():
        if len(counts) < 2:
            continue
        (most, many), *_, (least, few) = counts.most_common()
        if many >= _UNEQUAL * few:
            message = (
                f"{tag} is unequal: {most} {many}, {least} {few} (of {len(counts)} values); "
                f"report accuracy by class, because the total is mostly {most}"
            )
            yield Finding("unbalanced-classes", "note", sum(counts.values()), (), message)


def _values(suite: Suite, item: Item) -> Iterator[tuple[str, str]]:
    if suite.unit == "pair":
        yield from (("phenomenon", foil.error) for foil in item.foils if foil.error)
    elif phenomenon := item.phenomenon:
        yield "phenomenon", phenomenon
    for tag in _CLASS_TAGS[1:]:
        if isinstance(value := item.tags.get(tag), str):
            yield tag, value.casefold()


def _length(variant: Variant) -> int:
    return len(variant.text) + (sum(map(len, variant.context)) if variant.context else 0)


def _told_by_length(suite: Suite) -> Looking:
    total = chance = shorter = longer = 0.0
    while some := (yield None):
        for _, item in some:
            length, wrong = _length(item.best), [_length(foil) for foil in item.foils]
            for others in [[each] for each in wrong] if suite.unit == "pair" else [wrong] if wrong else []:
                total += 1
                chance += 1 / (1 + len(others))
                share = 1 / (1 + others.count(length))
                shorter += share if length <= min(others) else 0
                longer += share if length >= max(others) else 0
    if not total:
        return
    first = float((shape_of(suite.items)[1] == 0).mean())
    message = (
        f"no-skill scorers: constant {chance / total:.1%} with ties shared, 0% if a tie is wrong, {first:.1%} if "
        f"the first wins; shorter is better {shorter / total:.1%}, longer is better "
        f"{longer / total:.1%}; random {chance / total:.1%}"
    )
    yield _everything("ignorant-scorers", "note", suite, message)


CHECKS = (
    LintCheck(
        "correct-always-at-one-index",
        "warning",
        "the correct variant is always at one index (a note unless the set's own script lets a tie win)",
        _place,
    ),
    LintCheck(
        "unbalanced-classes",
        "note",
        f"the largest class of a phenomenon, pronoun, type or sense is at least {_UNEQUAL} times as large as the "
        f"smallest",
        _classes,
    ),
    LintCheck(
        "ignorant-scorers", "note", "the accuracy of a constant, a length and a random scorer", _told_by_length
    ),
)
