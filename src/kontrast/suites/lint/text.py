"""Characters: nothing there, control and invisible characters, broken encoding, mixed Unicode normal forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from kontrast.suites.lint.finding import Finding, Level, LintCheck, found, item_check
from kontrast.suites.model import Item, Suite
from kontrast.suites.packed import unusual

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff\ufffc]")
# A UTF-8 sequence that was read as Latin-1 or Windows-1252 begins with one of these pairs; U+FFFD is what is left
# of a byte that could not be read.
_BROKEN = re.compile("[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|\ufffd")


def texts(item: Item) -> Iterator[str]:
    """Every text of an item, contexts included."""
    yield item.source
    for context in (item.source_context, item.target_context, item.source_next, item.target_next):
        yield from context or ()
    for variant in (*item.variants, *item.references):
        yield variant.text
        yield from variant.context or ()


def _has_empty(item: Item) -> bool:
    # A foil whose tagged error is that it is empty is what its maker wanted.
    wrong = [v.text for v in item.foils if "empty" not in (v.error or "")]
    best = item.best.text if len(item.variants) > 1 else "-"  # a lone blank decides nothing, which is told elsewhere
    return not all(map(str.strip, (item.source, best, *wrong)))


def _searching(id: str, level: Level, summary: str, pattern: re.Pattern[str], message: str) -> LintCheck:
    def run(suite: Suite) -> Iterator[Finding]:
        places: list[int] = []
        seen: set[str] = set()
        for i, item in unusual(suite.items):
            hits = [hit for text in texts(item) if (hit := pattern.search(text))]
            if hits:
                places.append(i)
                seen.update(hit[0] for hit in hits)
        names = ", ".join(sorted({f"U+{ord(c):04X}" for hit in seen for c in hit})[:6])
        return found(id, level, suite, places, f"{message} ({names})")

    return LintCheck(id, level, summary, run)


def _normal_forms(suite: Suite) -> Iterator[Finding]:
    """Both composed and decomposed letters: a scorer sees two spellings of one word."""
    composed, decomposed = 0, []
    for i, item in unusual(suite.items):
        for text in texts(item):
            if text.isascii():
                continue
            if not unicodedata.is_normalized("NFC", text):
                decomposed.append(i)
                break
            composed += 1
    if composed:
        message = "{n} are not in Unicode normal form C, but others are; convert all to one form"
        yield from found("mixed-normal-forms", "warning", suite, decomposed, message)


CHECKS = (
    item_check(
        "empty-text",
        "error",
        "a source or variant is empty or only white space",
        _has_empty,
        "in {n} the source or a variant is empty or only white space",
    ),
    _searching(
        "control-characters",
        "error",
        "a text contains a control character, such as a tab, a line end or U+0096",
        _CONTROL,
        "{n} hold control characters",
    ),
    _searching(
        "invisible-characters",
        "warning",
        "a text contains zero-width or direction characters, or a byte-order mark",
        _INVISIBLE,
        "{n} hold invisible characters",
    ),
    _searching(
        "broken-encoding",
        "warning",
        "a text looks like UTF-8 that was read with another encoding",
        _BROKEN,
        "{n} have text that looks wrongly decoded",
    ),
    LintCheck(
        "mixed-normal-forms", "warning", "some texts are in Unicode normal form C, others are not", _normal_forms
    ),
)
