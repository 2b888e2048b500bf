"""What the tokens of a run say against its scores: unknown characters, equal tokens, unlikely references."""

from __future__ import annotations

from kontrast.suites.model import Item, Scores, Suite, TokenScores

UNLIKELY = 4.0
"""Nats per token of the right variants: OPUS-MT has 0.5 to 2.5 in its own direction and 4.6 in the other one."""
_UNKNOWN = ("<unk>", "[UNK]")
_SPECIAL = ("</s>", "<s>", "<pad>", "<unk>", "<eos>", "<bos>", "<|endoftext|>", "<|im_end|>")


def token_doubts(suite: Suite, scores: Scores) -> list[str]:
    """Sentences for the user; none where there are no tokens or not those of all rows."""
    if scores.tokens is None or len(scores.tokens) != suite.row_count:
        return []
    found: dict[str, list[str]] = {}
    cost, length = 0.0, 0
    rows = iter(scores.tokens)
    for item in suite.items:
        own = [next(rows) for _ in item.variants]
        cost -= sum(own[item.correct].logprobs)
        length += len(own[item.correct].tokens)
        for doubt in _doubts(item, own):
            found.setdefault(doubt, []).append(item.id)
    total = len(suite.items)
    told = [f"{len(ids):,} of {total:,} items {doubt}, such as item {ids[0]}" for doubt, ids in found.items()]
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
    if len({sum(row.tokens.count(mark) for mark in _UNKNOWN) for row in rows}) > 1:
        doubts.append("have characters that the model does not know in some variants and not in others")
    if any(row.tokens == right.tokens and variant.text != item.best.text for variant, row in pairs):
        doubts.append("have different variants that are the same tokens for the model: they always tie")
    if any(mark in row.tokens[:-1] and mark in variant.text for variant, row in pairs for mark in _SPECIAL):
        doubts.append("contain text that the model reads as a special token, such as its end of sentence")
    return doubts
