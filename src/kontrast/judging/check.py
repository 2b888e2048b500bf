"""Check: the generative side. Is the correct form in what the system wrote, a wrong one, both, or neither?"""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from kontrast.errors import KontrastError
from kontrast.io.words import segmenter
from kontrast.judging.check_records import CheckedItem
from kontrast.judging.nearer import nearer
from kontrast.judging.passages import Alignment, own_translation, resolve
from kontrast.judging.written import Written, written
from kontrast.suites.looking import Outcome, decisions, look, seek
from kontrast.suites.model import Item, Suite
from kontrast.suites.testset import testsets


def judge_translations(
    suite: Suite,
    translations: Sequence[str],
    *,
    system: str = "system",
    style: Literal["original"] | None = None,
    align: Alignment = "auto",
    separator: str | None = None,
    context: int | None = None,
    by_distance: bool = False,
) -> Written:
    """The verdict on every item, with what was looked for and what was found where.

    Items that words cannot decide are counted apart, or, ``by_distance``, decided by the nearer variant.
    ``style="original"`` is the protocol of the suite's own authors.

    >>> from kontrast import Item, Suite, Variant
    >>> item = Item("1", "It sleeps .", (Variant("Er schläft ."), Variant("Sie schläft .", error="pronoun")))
    >>> (one,) = judge_translations(Suite("tiny", (item,)), ["Er schläft jetzt."]).items
    >>> one.verdict, one.expected, one.forbidden, one.found[0].form
    ('right', ('er',), ('sie',), 'er')
    """
    if len(translations) != len(suite.items):
        raise KontrastError(
            f"{system}: expected {len(suite.items)} translations (one per item of {suite.name}), "
            f"found {len(translations)}"
        )
    if style == "original":
        if by_distance:
            raise KontrastError("--by-distance does not go with --style original, which has its own protocol")
        outcomes = _original(suite, translations)
        items = [
            CheckedItem(item.id, item.source, text, outcome, _expected(item), by="original")
            for item, text, outcome in zip(suite.items, translations, outcomes, strict=True)
        ]
        return written(suite, system, items, style, "last sentence")
    align, separator = resolve(suite.items, translations, align, separator, context)
    texts = [
        own_translation(item, text, align, separator, context)
        for item, text in zip(suite.items, translations, strict=True)
    ]
    used = f"separator {separator}" if align == "separator" else align
    parted = next(filter(None, (segmenter(item.best.text) for item in suite.items)), None)
    return written(suite, system, list(_checked(suite, texts, by_distance)), "kontrast", used, parted)


def _checked(suite: Suite, texts: Sequence[str], by_distance: bool) -> Iterator[CheckedItem]:
    """Word by word, by what tells the variants apart or by the form that the suite expects; else by distance."""
    language = suite.target_language
    for decision in decisions(suite):
        item, text = decision.item, texts[decision.item_index]
        sought = seek(item, language)
        outcome, found = look(sought, text)
        near = nearer(item, text, language) if by_distance and len(item.variants) > 1 else None
        by: Literal["words", "distance"] = "distance" if sought.why and near else "words"
        if sought.why:
            outcome, found = near or "undecidable", ()
        yield CheckedItem(
            item=item.id,
            source=item.source,
            text=text,
            verdict=outcome,
            expected=sought.expected,
            forbidden=sought.forbidden,
            found=found,
            variant=decision.variant,
            by=by,
            why=sought.why,
            nearer=near,
        )


def original_lines(suite: Suite, outcomes: Sequence[str], options: Sequence[str] = ()) -> tuple[str, ...]:
    """What the check of the suite's own authors prints for these outcomes; empty where it prints nothing known."""
    home = testsets().get(suite.style or "")
    if foreign := [name for name in options if home is None or name not in home.check_options]:
        raise KontrastError(f"the original check of {suite.name} has no --{foreign[0]}; leave it out")
    printed = getattr(home.part("check"), "printed", None) if home is not None and home.check else None
    return () if printed is None else tuple(printed(suite, outcomes, **dict.fromkeys(options, True)))


def _expected(item: Item) -> tuple[str, ...]:
    return (str(item.tags["expected"]),) if "expected" in item.tags else ()


def _original(suite: Suite, translations: Sequence[str]) -> list[Outcome]:
    """By the check of the suite's own authors."""
    home = testsets().get(suite.style or "")
    if home is None or not home.check:
        known = ", ".join(name for name, each in testsets().items() if each.check)
        raise KontrastError(f"{suite.name}: no original check belongs to it (there are {known}); leave out --style")
    outcomes = home.part("check").outcomes
    answers: list[Outcome] = outcomes(suite, translations)
    blank = Counter(answer for answer, text in zip(answers, translations, strict=True) if not text.strip())
    if blank:
        told = ", ".join(f"{count:,} as {answer}" for answer, count in blank.items())
        _warn(f"{blank.total():,} translations are blank; the authors' check counts {told}")
    plain = [unicodedata.normalize("NFC", text) for text in translations]
    if plain != list(translations):
        moved = sum(one != other for one, other in zip(answers, outcomes(suite, plain), strict=True))
        if moved:
            _warn(f"{moved:,} items would be decided otherwise with the translations in Unicode normal form C")
    return answers


def _warn(text: str) -> None:
    print(f"kontrast: warning: {text}", file=sys.stderr)
