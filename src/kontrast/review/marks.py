"""Texts in pieces for the page: the words that differ, the aligned words, the antecedent."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

from kontrast.io.words import shared_ends
from kontrast.language.alignment import spans
from kontrast.review.entries import ReviewEntry, lacks_context
from kontrast.suites.model import Item

Pieces = list[tuple[str, str]]
"""Runs of text with what they are: "" (plain), changed, gap (words are missing here), aligned, antecedent."""

_TOKEN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\\W_]+|\\s+|."
)
_FACTS = ("line", "segment_id", "document_id", "confidence", "phenomenon")


def changed(a: str, b: str) -> tuple[Pieces, Pieces]:
    """Both texts in pieces, with what one has and the other has not; joined, the pieces are the text."""
    words = _TOKEN.findall(a), _TOKEN.findall(b)
    left: Pieces = []
    right: Pieces = []
    for tag, i, j, k, m in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        for side, text in ((left, "".join(words[0][i:j])), (right, "".join(words[1][k:m]))):
            if tag == "equal":
                side.append((text, ""))
            else:
                side += _apart(text) if text.strip() else [(text, "gap")]
    return _joined(left), _joined(right)


def _apart(text: str) -> Pieces:
    """Blanks around changed words are not marked."""
    bare = text.strip()
    start = text.index(bare)
    return [(text[:start], ""), (bare, "changed"), (text[start + len(bare) :], "")]


def _joined(pieces: Pieces) -> Pieces:
    found: Pieces = []
    for text, kind in pieces:
        if not text and kind != "gap":
            continue
        if found and found[-1][1] == kind == "":
            found[-1] = (found[-1][0] + text, "")
        else:
            found.append((text, kind))
    return found


def around(a: str, b: str | None) -> Pieces:
    """The second text with all between its first and its last changed word marked: cheap, for lists."""
    if b is None or a == b:
        return [(a, "")]
    words = _TOKEN.findall(a), _TOKEN.findall(b)
    start, end = shared_ends(words)
    middle = "".join(words[1][start : len(words[1]) - end])
    marked = _apart(middle) if middle.strip() else [(middle, "gap")]
    return _joined([("".join(words[1][:start]), ""), *marked, ("".join(words[1][len(words[1]) - end :]), "")])


def shown(entry: ReviewEntry, text: str | None = None) -> dict[str, Any]:
    """All that a card shows of an entry; ``text`` is the candidate as someone changed it."""
    item = entry.item
    correct = item.best
    wrong = item.variants[entry.variant] if entry.variant is not None else None
    candidate = text if text is not None else entry.candidate
    reference, other = changed(correct.text, candidate) if candidate is not None else ([(correct.text, "")], None)
    return {
        "key": entry.key,
        "part": entry.part,
        "phenomenon": entry.phenomenon,
        "confidence": entry.confidence,
        "lacks_context": lacks_context(item),
        "context": _contexts(item, correct.context, wrong.context if wrong else None),
        "after": list(zip(item.source_next or (), item.target_next or (), strict=False)),
        "source": _marked(item.source, _source_marks(entry)),
        "reference": reference,
        "candidate": other,
        "text": entry.candidate,
        "plain": correct.text,
        "references": [variant.text for variant in item.references if variant.text],
        "facts": _facts(entry),
        "forms": list(entry.forms),
    }


def _contexts(item: Item, own: tuple[str, ...] | None, wrong: tuple[str, ...] | None) -> list[dict[str, Pieces]]:
    """Sentence by sentence, the nearest last; a variant's own context stands beside the correct one's."""
    source, target = item.source_context or (), (own if own is not None else item.target_context) or ()
    antecedent = str(item.tags.get("antecedent") or item.tags.get("src_ante_phrase") or "")
    translation = str(item.tags.get("antecedent_translation") or item.tags.get("ref_ante_phrase") or "")
    distance = item.tags.get("distance")
    rows = []
    for back in range(max(len(source), len(target), len(wrong or ())), 0, -1):
        near = distance == back or not isinstance(distance, int)
        row: dict[str, Pieces] = {}
        if back <= len(source):
            row["source"] = _marked(source[-back], _find(source[-back], antecedent) if near else [])
        if back <= len(target):
            row["target"] = _marked(target[-back], _find(target[-back], translation) if near else [])
        if wrong is not None and back <= len(wrong):
            before = target[-back] if back <= len(target) else ""
            row["target"], row["wrong"] = changed(before, wrong[-back])
        rows.append(row)
    return rows


Span = tuple[int, int, str]


def _source_marks(entry: ReviewEntry) -> list[Span]:
    item, found = entry.item, []
    if entry.pair is not None:
        words = spans(item.source)
        if entry.pair[0] < len(words):
            word = words[entry.pair[0]]
            found.append((word.start, word.end, "aligned"))
    else:
        found += [(a, b, "aligned") for a, b, _ in _find(item.source, str(item.tags.get("src_pronoun") or ""))]
    if item.tags.get("distance") == 0:
        found += _find(item.source, str(item.tags.get("antecedent") or item.tags.get("src_ante_phrase") or ""))
    return found


def _find(text: str, phrase: str) -> list[Span]:
    """Where the phrase stands as whole words, if it does so once only."""
    if not phrase:
        return []
    found = [m.span() for m in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE)]
    return [(*found[0], "antecedent")] if len(found) == 1 else []


def _marked(text: str, marks: list[Span]) -> Pieces:
    pieces: Pieces = []
    cursor = 0
    for start, end, kind in sorted(marks):
        if start >= cursor:
            pieces += [(text[cursor:start], ""), (text[start:end], kind)]
            cursor = end
    return _joined([*pieces, (text[cursor:], "")])


def _facts(entry: ReviewEntry) -> list[tuple[str, str]]:
    """Tags worth reading, as name and value: short ones, of the item and of the candidate."""
    tags = dict(entry.item.tags)
    if entry.item.document is not None:
        tags = {"document": entry.item.document, **tags}
    if entry.variant is not None:
        tags |= entry.item.variants[entry.variant].tags
    return [
        (name.replace("_", " "), str(value))
        for name, value in tags.items()
        if name not in _FACTS and isinstance(value, str | int | float | bool) and 0 < len(str(value)) <= 60
    ][:14]
