"""Translations from Transformers models: the model's own ``generate``, on batches of like length (see `beam_search`).

Sources are sorted by length, so that a batch has little padding and its rows end together. A batch is a function of
the plan alone: what one row computes depends, in the last digits, on the rows beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.scoring.engine import Group, network_limits
from kontrast.scoring.engines.transformer import beam_search
from kontrast.scoring.engines.transformer.routes import padded
from kontrast.scoring.translator import Decoding, Translation
from kontrast.scoring.trie import pack

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import TransformerEngine


class Opening(msgspec.Struct, frozen=True, gc=False):
    """What a model is given: the source's tokens, and the tokens that its decoder must begin with.

    A decoder-only model has its whole prompt in ``source``. ``language`` says that the last of ``forced`` is the
    target language, set as Transformers sets it.
    """

    source: list[int]
    forced: tuple[int, ...] = ()
    language: bool = False


def generate(
    engine: TransformerEngine, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()
) -> Iterator[tuple[int, Translation]]:
    """Translate groups, batch by batch."""
    openings = engine.openings(groups)
    said = getattr(engine.network.generation_config, "eos_token_id", None)
    stops = sorted({*engine.tokens.stops(), *([] if said is None else [said] if isinstance(said, int) else said)})
    for number, indices in enumerate(batches_of(engine, openings, decoding)):
        if all(i in done for i in indices):
            continue
        batch = [openings[i] for i in indices]
        if decoding.samples:
            torch.manual_seed(decoding.seed * 1_000_003 + number)
        with torch.inference_mode():
            rows, start, room = _run(engine, batch, decoding, stops)
        for i, row in zip(indices, rows, strict=True):
            tokens = row[start:]
            end = next((n for n, token in enumerate(tokens) if token in stops), None)
            written = tokens if end is None else tokens[:end]
            while end is None and written and written[-1] == _pad(engine.network, stops):
                written = written[:-1]
            # Some models are made to end at the limit: an end just there is no end.
            short = end is None or end >= room - 1
            yield i, Translation(engine.tokens.spelled(written), short, tuple(map(engine.tokens.name, written)))


def batches_of(engine: TransformerEngine, openings: Sequence[Opening], decoding: Decoding) -> Iterator[list[int]]:
    """Openings with equally many forced tokens, of like length (of one where padding counts), longest first."""
    asked = engine.network.generation_config
    penalty = decoding.repetition_penalty or getattr(asked, "repetition_penalty", None) or 1.0
    # Where tokens of the prompt are counted, or their repetition is punished, padding would be one of them.
    counted = penalty != 1.0 or any(getattr(asked, name, None) for name in ("no_repeat_ngram_size", "min_length"))
    alike = engine.left and counted
    by_forced: dict[tuple[int, int, bool], list[int]] = {}
    for i, opening in enumerate(openings):
        length = len(opening.source) if alike else 0
        by_forced.setdefault((length, len(opening.forced), opening.language), []).append(i)
    for _, members in sorted(by_forced.items(), reverse=True):
        sizes = [len(openings[i].source) + len(openings[i].forced) for i in members]
        for batch in pack(sizes, engine.options.batch_tokens):
            yield [members[k] for k in batch]


def _run(
    engine: TransformerEngine, batch: Sequence[Opening], decoding: Decoding, stops: list[int]
) -> tuple[list[list[int]], int, int]:
    """(what was written with what stands before it, where the writing begins, how long it may be)."""
    config, pad = engine.network.config, _pad(engine.network, stops)
    longest = max(len(opening.source) for opening in batch)
    ids, mask = padded([opening.source for opening in batch], pad, engine.device, left=engine.left)
    given: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
    first, start = batch[0].forced, longest
    if config.is_encoder_decoder:
        given["decoder_start_token_id"] = first[0]
        if batch[0].language and len(first) == 2:
            given["forced_bos_token_id"] = first[1]
            start = 2
        elif len(first) > 1:
            given["decoder_input_ids"] = torch.tensor([opening.forced for opening in batch], device=engine.device)
            given["forced_bos_token_id"] = None
            start = len(first)
        else:
            start = 1
    room = _room(engine.network, longest if not config.is_encoder_decoder else start, decoding.max_length)
    extra = 1 if "forced_bos_token_id" in given and "decoder_input_ids" not in given else 0
    if beam_search.known(engine.network):
        given["custom_generate"] = beam_search.search
    output = engine.network.generate(
        **given, **_search(engine, decoding), max_new_tokens=room + extra, eos_token_id=stops, pad_token_id=pad
    )
    return output.tolist(), start, room


def _search(engine: TransformerEngine, decoding: Decoding) -> dict[str, Any]:
    """The search in Transformers' words; what is not asked for is the model's own generation configuration."""
    asked: dict[str, Any] = {"num_beams": decoding.width(engine.usual_beams), "do_sample": decoding.samples}
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
