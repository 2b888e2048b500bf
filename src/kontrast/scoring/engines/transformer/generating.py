"""Translations from Transformers models: the model's own ``generate``, on batches of like length (see `searching`).

Sources are sorted by length, so that a batch has little padding and its rows end together. A batch is a function of
the plan alone: what one row computes depends, in the last digits, on the rows beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.scoring.decoding import Decoding
from kontrast.scoring.engine import Group
from kontrast.scoring.engines.transformer import searching
from kontrast.scoring.engines.transformer.checks import padded
from kontrast.scoring.lengths import network_limits
from kontrast.scoring.translator import Translation
from kontrast.scoring.trie import pack

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import Kind


class Opening(msgspec.Struct, frozen=True, gc=False):
    """What a model is given: the source's tokens, and the tokens that its decoder must begin with.

    A decoder-only model has its whole prompt in ``source``. ``language`` says that the last of ``forced`` is the
    target language, set as Transformers sets it.
    """

    source: list[int]
    forced: tuple[int, ...] = ()
    language: bool = False


def generate(
    kind: Kind,
    groups: Sequence[Group],
    decoding: Decoding,
    *,
    device: str,
    batch_tokens: int,
    done: Collection[int] = (),
) -> Iterator[tuple[int, Translation]]:
    """Translate groups, batch by batch."""
    openings = kind.openings(groups)
    stops = _stops(kind)
    for number, indices in enumerate(batches_of(kind, openings, decoding, batch_tokens)):
        if all(i in done for i in indices):
            continue
        batch = [openings[i] for i in indices]
        if decoding.samples:
            torch.manual_seed(decoding.seed * 1_000_003 + number)
        with torch.inference_mode():
            rows, start, room = _run(kind, batch, decoding, stops, device)
        for i, row in zip(indices, rows, strict=True):
            tokens = row[start:]
            end = next((n for n, token in enumerate(tokens) if token in stops), None)
            written = tokens if end is None else tokens[:end]
            while end is None and written and written[-1] == _pad(kind.network, stops):
                written = written[:-1]
            # Some models are made to end at the limit: an end just there is no end.
            short = end is None or end >= room - 1
            yield i, Translation(kind.tokens.spelled(written), short, tuple(map(kind.tokens.name, written)))


def _stops(kind: Kind) -> list[int]:
    """What ends a translation: the kind's own tokens, and those of the model's generation configuration."""
    said = getattr(kind.network.generation_config, "eos_token_id", None)
    return sorted({*kind.tokens.stops(), *([] if said is None else [said] if isinstance(said, int) else said)})


def _reads_prompt(asked: Any, decoding: Decoding) -> bool:
    """Whether the search counts tokens of the prompt, or punishes their repetition: padding would be one of them."""
    penalty = decoding.repetition_penalty or getattr(asked, "repetition_penalty", None) or 1.0
    return penalty != 1.0 or any(getattr(asked, name, None) for name in ("no_repeat_ngram_size", "min_length"))


def batches_of(kind: Kind, openings: Sequence[Opening], decoding: Decoding, batch_tokens: int) -> Iterator[list[int]]:
    """Openings with equally many forced tokens, of like length (of one where padding counts), longest first."""
    alike = kind.left and _reads_prompt(kind.network.generation_config, decoding)
    by_forced: dict[tuple[int, int, bool], list[int]] = {}
    for i, opening in enumerate(openings):
        length = len(opening.source) if alike else 0
        by_forced.setdefault((length, len(opening.forced), opening.language), []).append(i)
    for _, members in sorted(by_forced.items(), reverse=True):
        sizes = [len(openings[i].source) + len(openings[i].forced) for i in members]
        for batch in pack(sizes, batch_tokens):
            yield [members[k] for k in batch]


def _run(
    kind: Kind, batch: Sequence[Opening], decoding: Decoding, stops: list[int], device: str
) -> tuple[list[list[int]], int, int]:
    """(what was written with what stands before it, where the writing begins, how long it may be)."""
    config, pad = kind.network.config, _pad(kind.network, stops)
    longest = max(len(opening.source) for opening in batch)
    ids, mask = padded([opening.source for opening in batch], pad, device, left=kind.left)
    given: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
    first, start = batch[0].forced, longest
    if config.is_encoder_decoder:
        given["decoder_start_token_id"] = first[0]
        if batch[0].language and len(first) == 2:
            given["forced_bos_token_id"] = first[1]
            start = 2
        elif len(first) > 1:
            given["decoder_input_ids"] = torch.tensor([opening.forced for opening in batch], device=device)
            given["forced_bos_token_id"] = None
            start = len(first)
        else:
            start = 1
    room = _room(kind.network, longest if not config.is_encoder_decoder else start, decoding.max_length)
    extra = 1 if "forced_bos_token_id" in given and "decoder_input_ids" not in given else 0
    if searching.known(kind.network):
        given["custom_generate"] = searching.search
    output = kind.network.generate(
        **given, **_search(kind, decoding), max_new_tokens=room + extra, eos_token_id=stops, pad_token_id=pad
    )
    rows: list[list[int]] = output.tolist()
    return rows, start, room


def _search(kind: Kind, decoding: Decoding) -> dict[str, Any]:
    """The search in Transformers' words; what is not asked for is the model's own generation configuration."""
    asked: dict[str, Any] = {"num_beams": decoding.width(kind.usual_beams), "do_sample": decoding.samples}
    if decoding.samples:
        asked |= {"temperature": decoding.temperature, "top_p": decoding.top_p or 1.0, "top_k": decoding.top_k or 0}
    return asked | decoding.penalties()


def _pad(network: Any, stops: list[int]) -> int:
    pad = network.config.pad_token_id
    return int(pad) if pad is not None else (stops[0] if stops else 0)


def _room(network: Any, used: int, wanted: int) -> int:
    """How many tokens may be written: as asked for, or as many as the model has positions for."""
    limit = getattr(network.config, "max_position_embeddings", None)
    if network.config.is_encoder_decoder:
        limit = network_limits(network).target
    if limit is not None and used >= limit:
        raise KontrastError(f"the prompt has {used} tokens, but the model takes only {limit}: use less context")
    return wanted if limit is None else min(wanted, limit - used)
