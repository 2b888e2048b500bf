"""Pronouns that refer to nothing ("il faut", "es gibt") among items that ask what a pronoun refers to."""

from __future__ import annotations

from collections.abc import Callable

from kontrast.suites.lint.finding import LintCheck, Looking, found
from kontrast.suites.model import Item, Suite


def _french(text: str, place: int) -> bool:
    from kontrast.language.annotation import Sentence
    from kontrast.language.french_impersonal import is_impersonal
    from kontrast.language.french_words import words_of

    words = words_of(Sentence(text, ()))
    return any(w.start <= place < w.end and is_impersonal(words, i) for i, w in enumerate(words))


def _german(text: str, place: int) -> bool:
    from kontrast.language.german.es import is_empty
    from kontrast.language.german.plain import split

    words = split(text)
    return any(w.start <= place < w.end and w.low == "es" and is_empty(words, i) for i, w in enumerate(words))


_JUDGES: dict[str, Callable[[str, int], bool]] = {"fr": _french, "de": _german}
_PRONOUNS = {"fr": "il", "de": "es"}


def _impersonal(suite: Suite) -> Looking:
    language = (suite.target_language or "").lower()[:2]
    judge = _JUDGES.get(language)
    if judge is None:
        return
    places, examples = [], []
    while some := (yield None):
        for i, item in some:
            if str(item.tags.get("ref_pronoun", "")).lower() != _PRONOUNS[language]:
                continue
            hits = [place for place in _changed(item) if judge(item.best.text, place)]
            if hits:
                places.append(i)
                examples.append(" ".join(item.best.text[hits[0] :].split()[:3]))
    seen = ", ".join(dict.fromkeys(example.lower() for example in examples[:200]))[:60]
    message = f"in {{n}} the annotated pronoun may be impersonal, so its gender cannot be tested ({seen} …)"
    yield from found("impersonal-pronoun", "warning", suite, places, message)


def _changed(item: Item) -> set[int]:
    """Where the foils begin to differ from the reference: at the pronoun, or at what is elided before it."""
    right = item.best.text
    found = set()
    for variant in item.foils:
        same = next((n for n, (a, b) in enumerate(zip(right, variant.text, strict=False)) if a != b), None)
        if same is not None:
            while same < len(right) and not right[same].isalpha():
                same += 1  # s'il, si elle
            found.add(same)
    return found


CHECKS = (
    LintCheck(
        "impersonal-pronoun",
        "warning",
        "the pronoun of an item seems to refer to nothing, as in il faut, il y a, es gibt (French and German)",
        _impersonal,
    ),
)
