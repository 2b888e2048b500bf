"""Masked language models (BERT, XLM-R …): the pseudo-log-likelihood of a target, its source unread.

Every token is masked in turn, and its log-probability given all others is summed (Salazar et al. 2020). With
``masked=word`` the later tokens of the same word are masked too (Kauf and Ivanova 2023): else a rare word of several
pieces looks likely, as its other pieces give it away. Such a sum is not the probability of a text; it compares
variants of one sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.scoring.engine import (
    Group,
    Scored,
    Side,
    Supports,
    Target,
    refuse_longer,
)
from kontrast.scoring.engines.transformer.engine import NetworkEngine
from kontrast.suites.model import TokenScores

WAYS = ("word", "token")


class MaskedEngine(NetworkEngine):
    """See `kontrast.scoring.engine.Engine`."""

    supports = Supports()

    def set_up(self) -> None:
        options, label = self.options, self.model
        self.way = options.extra.get("masked", "word")
        if self.way not in WAYS:
            raise KontrastError(f"--option masked={self.way}: expected {' or '.join(WAYS)}")
        if self.tokenizer.mask_token_id is None:
            raise KontrastError(f"--option masked: {label} has no mask token")
        if not self.tokenizer.is_fast:
            raise KontrastError(
                f"--option masked: the tokenizer of {label} does not give the positions of its tokens"
            )
        options.without_examples("a masked model")
        if options.template:
            raise KontrastError("--template: a masked model reads only the target")
        self.longest = _longest(self.network)
        self.details |= {"masked": self.way, "reads": "target"}

    def render(self, group: Group) -> str:
        return ""

    def cut(self, text: str, side: Side = "source") -> list[str] | None:
        return list(self.tokenizer.tokenize(text)) if side == "target" else None

    def prepare(self, groups: Sequence[Group]) -> None:
        lengths = [max(len(self._read(target)[0]) for target in group.targets) for group in groups]
        refuse_longer(groups, lengths, self.longest, "targets")

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        for index, group in enumerate(groups):
            if index not in done:
                yield index, tuple(self._scored(target) for target in group.targets)

    def _read(self, target: Target) -> tuple[list[int], list[list[int]]]:
        """A target as tokens, and for each token of its text the places that are masked, its own first."""
        cut = self.tokenizer(
            target.prefix + target.text, return_special_tokens_mask=True, return_offsets_mapping=True
        )
        ids, given = cut["input_ids"], len(target.prefix)
        marks = zip(cut["special_tokens_mask"], cut["offset_mapping"], strict=True)
        places = [place for place, (special, (_, end)) in enumerate(marks) if not special and end > given]
        if self.way == "token":
            return ids, [[place] for place in places]
        words = cut.word_ids()
        return ids, [[p, *(q for q in places if q > p and words[q] == words[p])] for p in places]

    def _scored(self, target: Target) -> TokenScores:
        """Copies of one target have one length, so that none is padded."""
        ids, masks = self._read(target)
        if not masks:
            raise KontrastError(f"{target.text[:60]!r} has no token for {self.model}")
        found: list[float] = []
        at_once = max(1, self.options.batch_tokens // len(ids))
        with torch.inference_mode():
            for first in range(0, len(masks), at_once):
                part = masks[first : first + at_once]
                rows = torch.tensor([ids] * len(part), device=self.device)
                for row, places in enumerate(part):
                    rows[row, places] = self.tokenizer.mask_token_id
                logits = self.network(input_ids=rows, attention_mask=torch.ones_like(rows)).logits
                own = [places[0] for places in part]
                chosen = torch.log_softmax(logits[range(len(part)), own].float(), -1)
                found += [float(chosen[row, ids[place]]) for row, place in enumerate(own)]
        names = self.tokenizer.convert_ids_to_tokens([ids[places[0]] for places in masks])
        return TokenScores(tuple(names), tuple(found))


def _longest(model: Any) -> int | None:
    """How many tokens it reads; positions of RoBERTa's kind begin behind that of the padding."""
    limit = getattr(model.config, "max_position_embeddings", None)
    table = next((part for name, part in model.named_modules() if name.endswith("position_embeddings")), None)
    padding = getattr(table, "padding_idx", None)
    return limit if limit is None or padding is None else limit - padding - 1
