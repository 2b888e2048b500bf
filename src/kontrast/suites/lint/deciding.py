"""Items that decide nothing, or not what they should, and where the answer lies.

One variant, a key turned round, words that do not tell; fixed places, unequal classes, what scorers get that know
nothing.
"""

from collections import Counter
from collections.abc import Iterator

from kontrast.io.words import unparted
from kontrast.suites.form_search import decisions, seek
from kontrast.suites.lint import Finding, Level, Looking, found, item_check, lint_check, words_of
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.packed import shape_of
from kontrast.suites.testset import testsets

_FIRST_WINS = ("consistency",)
_TIE_IS_RIGHT = ("distil-lingeval", "distil_lingeval")
_CLASS_TAGS = ("phenomenon", "ref_pronoun", "type", "sense")
_UNEQUAL = 10


def _everything(id: str, level: Level, suite: Suite, message: str) -> Finding:
    """A finding about the suite as a whole: it counts every item and lists none."""
    return Finding(id, level, len(suite.items), (), message)


@lint_check("correct-always-at-one-index")
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


@lint_check("unbalanced-classes", unequal=_UNEQUAL)
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


@lint_check("ignorant-scorers")
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


@lint_check("one-variant")
def _one_variant(suite: Suite) -> Iterator[Finding]:
    alone = (shape_of(suite.items)[0] < 2).nonzero()[0].tolist()
    home = testsets().get(suite.style or "")
    own_check = home is not None and bool(home.check)
    nothing = [i for i in alone if suite.items[i].tags.get("expected") is None and not own_check]
    message = "{n} have one variant and no expected form, so they decide nothing and are not counted"
    yield from found("one-variant", "error", suite, nothing, message)
    message = "{n} have one variant: `kontrast check` decides translations of these items; scores decide nothing"
    yield from found("one-variant", "note", suite, set(alone) - set(nothing), message)


@item_check("correct-has-error")
def _turned_round(item: Item) -> bool:
    return item.best.error is not None and any(variant.error is None for variant in item.variants)


def told_apart(item: Item, language: str | None) -> bool:
    """Two variants with different words are told apart by them: `seek` would say so too, after more work."""
    if len(item.variants) != 2:
        return False
    right, wrong = (words_of(item.variants[j].text, language) for j in (item.correct, 1 - item.correct))
    return bool(right) and sorted(right) != sorted(wrong) and not any(unparted(v.text) for v in item.variants)


@lint_check("undecidable-by-words")
def _undecidable(suite: Suite) -> Looking:
    reasons: dict[int, str] = {}
    language = suite.target_language
    while some := (yield None):
        for decision in decisions(suite, some):
            if told_apart(item := decision.item, language) or not (why := seek(item, language).why):
                continue
            if len(item.variants) > 1 or "expected" in item.tags:
                reasons[decision.item_index] = why
    places = list(reasons)
    said = ", ".join(f"{why}: {n}" for why, n in Counter(reasons.values()).most_common())
    message = (
        f"in {{n}} words do not distinguish the variants ({said}): `kontrast check` counts them separately, or "
        f"uses the nearer variant (--by-distance)"
    )
    yield from found("undecidable-by-words", "note", suite, places, message)


CHECKS = (_place, _classes, _told_by_length, _one_variant, _turned_round, _undecidable)
