"""Greedy and beam search that let go of finished sentences: `generate`'s own choices, on fewer and fewer rows.

Transformers' loops compute every row of a batch until its last one has ended, and copy what was read from the source
at every step. Here a sentence that can no longer change leaves the batch, and only then is anything of the source
copied. The preparation is all `generate`'s (`custom_generate`); what this search does not know goes back to
Transformers' own.
"""

from __future__ import annotations

from typing import Any

from kontrast.extras import torch

_BY_ROW = frozenset(
    {
        *("ForcedBOSTokenLogitsProcessor", "ForcedEOSTokenLogitsProcessor", "InfNanRemoveLogitsProcessor"),
        *("LogitNormalization", "MinLengthLogitsProcessor", "MinNewTokensLengthLogitsProcessor"),
        *("NoBadWordsLogitsProcessor", "NoRepeatNGramLogitsProcessor", "RepetitionPenaltyLogitsProcessor"),
        *("SequenceBiasLogitsProcessor", "SuppressTokensAtBeginLogitsProcessor", "SuppressTokensLogitsProcessor"),
    }
)
"""What may change scores here: each row for itself, whichever rows stand beside it."""
_STOPS = frozenset({"MaxLengthCriteria", "EosTokenCriteria"})
_LAYERS = frozenset({"DynamicLayer", "DynamicSlidingWindowLayer"})
_ROWS = frozenset({"attention_mask", "decoder_attention_mask", "position_ids", "encoder_outputs", "past_key_values"})
"""What `generate` hands over with a row per beam."""
_PLAIN = frozenset({"use_cache", "logits_to_keep", "output_attentions", "output_hidden_states", "cache_position"})
_NEVER = -1.0e9
_SHARE = 8
"""Finished sentences leave once they are one in so many: each leaving copies what was read from the source."""


def known(network: Any) -> bool:
    """Whether this version of Transformers hands the search over in the way that is understood here."""
    return hasattr(network, "_prefill") and not hasattr(network, "_reorder_cache")


def search(
    model: Any, input_ids: Any, logits_processor: Any, stopping_criteria: Any, generation_config: Any, **given: Any
) -> Any:
    """The best sequence for each source, as ``generate(custom_generate=search)`` asks for it."""
    asked, beams = generation_config, generation_config.num_beams
    given.pop("synced_gpus", None)
    if asked.do_sample or not _understood(logits_processor, stopping_criteria, asked, given):
        plain = model._beam_search if beams > 1 else model._sample
        return plain(input_ids, logits_processor, stopping_criteria, asked, **given)
    rows = _Rows(model, given, input_ids, asked)
    found = _beams(rows, logits_processor, asked) if beams > 1 else _greedy(rows, logits_processor, asked)
    longest = max(map(len, found))
    return torch.tensor([row + [rows.pad] * (longest - len(row)) for row in found])


def _understood(processors: Any, stops: Any, asked: Any, given: dict[str, Any]) -> bool:
    cache = given.get("past_key_values")
    parts = [getattr(cache, name, None) for name in ("self_attention_cache", "cross_attention_cache")]
    layers = [layer for part in ([cache] if parts[0] is None else parts) for layer in getattr(part, "layers", [None])]
    strange = {key for key, value in given.items() if value is not None and key not in _ROWS | _PLAIN}
    places = given.get("position_ids")
    return (
        {type(each).__name__ for each in processors} <= _BY_ROW
        and {type(each).__name__ for each in stops} <= _STOPS
        and {type(layer).__name__ for layer in layers} <= _LAYERS
        and (places is None or (isinstance(places, torch.Tensor) and places.dim() == 2))
        and asked.num_return_sequences == 1
        and not (strange or asked.return_dict_in_generate or asked.prefill_chunk_size)
    )


class _Rows:
    """The rows that are still computed: the sequences so far, with the model's memory of them."""

    def __init__(self, model: Any, given: dict[str, Any], sequences: Any, asked: Any) -> None:
        self.model, self.given, self.sequences, self.asked = model, given, sequences, asked
        self.ends = asked._eos_token_tensor
        pad = asked._pad_token_tensor
        self.pad = int(pad) if pad is not None else int(self.ends[0])
        self.prompt = sequences.shape[1]
        self._first = True

    def logits(self) -> Any:
        """What the model says after the last token of each row."""
        if self._first:
            said = self.model._prefill(self.sequences, self.asked, self.given, is_first_iteration=True)
        else:
            step = 1 if self.given["use_cache"] else None
            inputs = self.model.prepare_inputs_for_generation(self.sequences, next_sequence_length=step, **self.given)
            said = self.model(**inputs, return_dict=True)
        self._first = False
        self.given = self.model._update_model_kwargs_for_generation(
            said, self.given, is_encoder_decoder=self.model.config.is_encoder_decoder
        )
        return said.logits[:, -1, :].to(copy=True, dtype=torch.float32)

    def go_on(self, chosen: Any, tokens: Any, *, left: bool) -> None:
        """Row n is what was row ``chosen[n]``, with one more token; ``left``: some sources are no longer there."""
        self.sequences = torch.cat((self.sequences.index_select(0, chosen), tokens[:, None]), dim=1)
        cache: Any = self.given.get("past_key_values")
        own: Any = getattr(cache, "self_attention_cache", cache)
        if own is not None:
            own.reorder_cache(chosen)
        if not left:
            return
        if own is not cache:
            cache.cross_attention_cache.reorder_cache(chosen)
        for name in _ROWS - {"past_key_values", "encoder_outputs"}:
            value = self.given.get(name)
            if value is not None and value.shape[0] > 1:
                self.given[name] = value.index_select(0, chosen)
        encoded = self.given.get("encoder_outputs")
        if encoded is not None:
            encoded["last_hidden_state"] = encoded["last_hidden_state"].index_select(0, chosen)


def _greedy(rows: _Rows, processors: Any, asked: Any) -> list[list[int]]:
    """The likeliest token at every step; a row that has ended is let go with the next few."""
    number = torch.arange(len(rows.sequences), device=rows.sequences.device)
    ended = torch.zeros_like(number, dtype=torch.bool)
    found: list[list[int]] = [[] for _ in number]
    while True:
        tokens = processors(rows.sequences, rows.logits()).argmax(dim=-1)
        tokens = torch.where(ended, rows.pad, tokens)
        last = rows.sequences.shape[1] + 1 >= asked.max_length
        ended = ended | last
        if rows.ends is not None:
            ended = ended | torch.isin(tokens, rows.ends)
        gone = int(ended.sum())
        leaving = gone * _SHARE >= len(ended)
        if leaving:
            whole = torch.cat((rows.sequences, tokens[:, None]), dim=1)
            for row in ended.nonzero()[:, 0].tolist():
                found[int(number[row])] = whole[row].tolist()
        if gone == len(ended):
            return found
        stay = (~ended).nonzero()[:, 0] if leaving else torch.arange(len(ended), device=ended.device)
        rows.go_on(stay, tokens[stay], left=leaving)
        number, ended = number[stay], ended[stay]


def _beams(rows: _Rows, processors: Any, asked: Any) -> list[list[int]]:
    """Beam search with Transformers' scores, length penalty and rule for stopping (its `_beam_search`, version 5)."""
    width, device = asked.num_beams, rows.sequences.device
    count = len(rows.sequences) // width
    candidates = max(2, 1 + (0 if rows.ends is None else len(rows.ends))) * width
    scores = torch.full((count, width), _NEVER, device=device)
    scores[:, 0] = 0.0
    best = torch.full((count, width), _NEVER, device=device)
    open_ = torch.ones(count, dtype=torch.bool, device=device)
    number = torch.arange(count, device=device)
    found: list[list[int]] = [[] for _ in range(count)]
    while True:
        written = rows.sequences.shape[1] + 1 - rows.prompt
        said = processors(rows.sequences, torch.log_softmax(rows.logits(), dim=-1))
        size = said.shape[-1]
        said = (said.view(count, width, size) + scores[:, :, None]).view(count, width * size)
        top, places = torch.topk(said, k=candidates)
        parents = places // size + torch.arange(count, device=device)[:, None] * width
        tokens = places % size
        last = rows.sequences.shape[1] + 1 >= asked.max_length
        ends = torch.zeros_like(tokens, dtype=torch.bool) if rows.ends is None else torch.isin(tokens, rows.ends)
        ends = ends | last

        # Complete sequences: only those among the first beams count, and only while their sentence is open.
        counted = ends[:, :width] & open_[:, None]
        final = torch.where(counted, top[:, :width] / written**asked.length_penalty, _NEVER)
        best, order = torch.topk(torch.cat((best, final), dim=1), k=width)
        for item in ((order[:, 0] >= width) & (best[:, 0] > _NEVER / 2)).nonzero()[:, 0].tolist():
            place = int(order[item, 0]) - width
            found[int(number[item])] = [*rows.sequences[parents[item, place]].tolist(), int(tokens[item, place])]
        if last:
            return found

        # Sequences that go on.
        running = top + ends.to(top.dtype) * _NEVER
        scores, chosen = torch.topk(running, k=width)
        parents, tokens = parents.gather(1, chosen), tokens.gather(1, chosen)
        open_ = open_ & _can_improve(scores[:, 0], best, written, asked, rows.prompt)
        closed = int((~open_).sum())
        if closed == count:
            return found
        leaving = closed * _SHARE >= count
        if leaving:
            stay = open_.nonzero()[:, 0]
            scores, best, number = scores[stay], best[stay], number[stay]
            parents, tokens, open_ = parents[stay], tokens[stay], open_[stay]
            count = len(stay)
        rows.go_on(parents.flatten(), tokens.flatten(), left=leaving)


def _can_improve(first: Any, best: Any, written: int, asked: Any, prompt: int) -> Any:
    """Whether a sentence's best running beam may still beat the worst of its complete ones."""
    full = best[:, -1] > _NEVER / 2
    if asked.early_stopping is True:
        return ~full
    never = asked.early_stopping == "never" and asked.length_penalty > 0.0
    length = asked.max_length - prompt if never else written
    return ~full | (first / length**asked.length_penalty > best[:, -1])
