"""Translated passages: which part of an output renders the item's own sentence?

By a separator that the system kept, else by counting sentences, else by the share of the passage's length.
"""

import re
from collections.abc import Sequence
from itertools import accumulate, combinations
from typing import Literal

from kontrast.errors import KontrastError
from kontrast.suites.model import Item

Alignment = Literal["auto", "whole", "separator", "count", "length"]
ALIGNMENTS: tuple[Alignment, ...] = ("auto", "whole", "separator", "count", "length")

_SEPARATORS = ("<eos>", "_eos", "<SEP>", "<sep>", "</s>", "[SEP]", "<BREAK>", "<brk>", "|||")
# Before a capital, or a letter of a script that has none; Chinese and Japanese put no blank between sentences.
_END = re.compile(
    r"(?<=[.!?…:;؟۔।])[\"'»”’)\]]*\s+(?=[\W\d_]*[A-ZÀ-ÖØ-ÞА-ЯЁ\u0590-\u109f\u1100-\u13ff\u1780-\u18af\u3040-\ud7af])"
    r"|(?<=[。！？])[」』”’）]*\s*(?=[^\s。！？」』”’）])"
)


def sentences_of(text: str) -> list[str]:
    """A plain sentence splitter, the same for every language."""
    return [part for part in _END.split(text.strip()) if part]


def resolve(
    items: Sequence[Item],
    translations: Sequence[str],
    align: Alignment,
    separator: str | None,
    context: int | None = None,
) -> tuple[Alignment, str | None]:
    """What ``auto`` means for this file: are these sentences or passages, and is there a separator in them?"""
    if align not in ALIGNMENTS:
        raise KontrastError(f"there is no alignment {align!r}; known: {', '.join(ALIGNMENTS)}")
    if align == "separator" or (align == "auto" and separator is not None):
        return "separator", separator or _separator(translations) or _SEPARATORS[0]
    if align != "auto":
        return align, None
    if found := _separator(translations):  # only passages have one inside, however short their context
        return "separator", found
    sources = sum(len(item.source) for item in items)
    own = sum(len(item.variants[item.correct].text) for item in items) or sources
    around = sum(len(text) for item in items for text in (*_before(item, context), *(item.source_next or ())))
    output = sum(map(len, translations))
    if around == 0 and context != 0 and any(item.source_context is None for item in items):
        around = 2 * sources  # Context that the suite does not hold may still have been translated.
    # Nearer to the length of the correct variants than to that of whole passages, in the target language's measure
    # (Chinese is a third as long as English)?
    if output * output * sources <= own * own * (sources + around):
        return "whole", None
    return "count", None


def _before(item: Item, context: int | None) -> tuple[str, ...]:
    """The sentences before the item's own that its passage had: all, or the last ``context``."""
    before = item.source_context or ()
    return before if context is None else before[len(before) - min(context, len(before)) :]


def own_translation(
    item: Item, output: str, align: Alignment, separator: str | None, context: int | None = None
) -> str:
    """The part of one output that renders the item's source; its last sentences where the context is not known."""
    before = _before(item, context)
    after = item.source_next or ()
    if align == "whole":
        return output
    if align == "separator":
        parts = output.split(separator or _SEPARATORS[0])
        return parts[max(0, len(parts) - 1 - len(after))].strip()
    sentences = sentences_of(output)
    if item.source_context is None and not after:
        return " ".join(sentences[-len(sentences_of(item.source)) :])
    if align == "count":
        sizes = [sum(len(sentences_of(text)) for text in side) for side in (before, (item.source,), after)]
        if sum(sizes) == len(sentences):
            return " ".join(sentences[sizes[0] : sizes[0] + sizes[1]])
    return _by_length(sentences, before, item.source, after)


def _by_length(sentences: list[str], before: Sequence[str], source: str, after: Sequence[str]) -> str:
    """The run of sentences that begins and ends nearest to where the source does in its passage."""
    if not sentences:
        return ""
    sides = [sum(map(len, before)), len(source), sum(map(len, after))]
    total, length = max(1, sum(sides)), max(1, sum(map(len, sentences)))
    low, high = sides[0] / total, (sides[0] + sides[1]) / total
    edges = [end / length for end in accumulate(map(len, sentences), initial=0)]
    start, stop = min(
        combinations(range(len(edges)), 2), key=lambda run: abs(edges[run[0]] - low) + abs(edges[run[1]] - high)
    )
    return " ".join(sentences[start:stop])


def _separator(translations: Sequence[str]) -> str | None:
    """The separator found inside at least half of the outputs; at their end it is only a mark of the end."""
    for separator in _SEPARATORS:
        inside = sum(separator in text.rstrip().removesuffix(separator) for text in translations)
        if inside * 2 >= len(translations) > 0:
            return separator
    return None
