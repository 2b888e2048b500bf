"""What the tokens of a run say against its scores: unknown characters, equal tokens, unlikely references."""

from __future__ import annotations

from collections import Counter

from kontrast.suites.model import Item, Scores, Suite, TokenScores

UNLIKELY = 4.0
"""Nats per token of the right variants: OPUS-MT has 0.5 to 2.5 in its own direction and 4.6 in the other one.

Language models without a source have more. A row whose first token is the whole text has a number for the row alone.
"""
_UNKNOWN = ("<unk>", "[UNK]")
_SPECIAL = ("</s>", "<s>", "<pad>", "<unk>", "<eos>", "<bos>", "<|endoftext|>", "<|im_end|>")
_NAMED = 5
"""So many unknown characters are named."""


def token_doubts(suite: Suite, scores: Scores) -> list[str]:
    """Sentences for the user; none where there are no tokens or not those of all rows."""
    if scores.tokens is None or len(scores.tokens) != suite.row_count:
        return []
    found: dict[str, list[str]] = {}
    odd: Counter[str] = Counter()
    cost, length = 0.0, 0
    rows = iter(scores.tokens)
    for item in suite.items:
        own = [next(rows) for _ in item.variants]
        right = own[item.correct]
        if item.source.strip() and len(right.tokens) > 1 and right.tokens[0] != item.best.text:
            cost -= sum(right.logprobs)
            length += len(right.tokens)
        odd.update(_unknown(item, own))
        for doubt in _doubts(item, own):
            found.setdefault(doubt, []).append(item.id)
    told = [
        f"{len(ids):,} of {len(suite.items):,} items {doubt}, such as item {ids[0]}" for doubt, ids in found.items()
    ]
    if odd:
        named = " ".join(char for char, _ in odd.most_common(_NAMED))
        told.append(f"the model does not know: {named}{' …' if len(odd) > _NAMED else ''}")
    if length and cost / length > UNLIKELY:
        told.append(
            f"the right variants cost {cost / length:.1f} nats per token; models of the two languages give 0.5 to 3: "
            "check the direction of the model, its tokenizer and its prompt"
        )
    return told


def _doubts(item: Item, rows: list[TokenScores]) -> list[str]:
    right = rows[item.correct]
    pairs = list(zip(item.variants, rows, strict=True))
    doubts = []
    if len({_lost(row) for row in rows}) > 1:
        doubts.append("have more characters that the model does not know in one variant than in another")
    if any(row.tokens == right.tokens and variant.text != item.best.text for variant, row in pairs):
        doubts.append("have different variants that are the same tokens for the model (they always tie)")
    if any(mark in row.tokens[:-1] and mark in variant.text for variant, row in pairs for mark in _SPECIAL):
        doubts.append("contain text that the model reads as a special token (its end of sentence, for example)")
    return doubts


def _unknown(item: Item, rows: list[TokenScores]) -> set[str]:
    """Characters that are in no token and distinguish the variants."""
    if not any(map(_lost, rows)):
        return set()
    known = {char for row in rows for piece in row.tokens for char in piece}
    texts = [variant.text for variant in item.variants]
    chars = {char for text in texts for char in text if not char.isspace()} - known
    return {char for char in chars if len({text.count(char) for text in texts}) > 1}


def _lost(row: TokenScores) -> int:
    """How many of its tokens stand for something unknown."""
    return sum(row.tokens.count(mark) for mark in _UNKNOWN)
