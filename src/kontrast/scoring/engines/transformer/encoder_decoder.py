"""Encoder-decoder models: each source is encoded once, the decoder runs over the trie of its targets."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.scoring.engine import Group, network_limits, refuse_longer
from kontrast.scoring.engines.transformer.batch import Packed, pack_paths, pack_sources, scored_nodes
from kontrast.scoring.engines.transformer.engine import TokenTask, TransformerEngine
from kontrast.scoring.engines.transformer.generation import Opening
from kontrast.scoring.engines.transformer.routes import Route, is_placed, known_ids, own_logprobs, padded
from kontrast.scoring.engines.transformer.stack import Attention, Head, Layer, Stack, fuse
from kontrast.scoring.engines.transformer.tokens import WRAPS, Tokens
from kontrast.scoring.trie import TokenPath

Tensor = Any
Module = Any
Feed = Callable[[Tensor, Tensor], Tensor]


class Shared(msgspec.Struct, frozen=True):
    """A model taken apart: encoder, decoder, output."""

    encoder: Stack
    decoder: Stack
    head: Head


def _bart_kind(
    model: Module, embed: Callable[[Module, Tensor, Tensor], Tensor], head: Head, *, first: bool
) -> Shared:
    """Models whose layers are BART's; ``first``: their norms stand before each part, and one more at the end."""

    def stack(side: Module) -> Stack:
        final = side.layer_norm if first else None
        return Stack(partial(embed, side), _bart_layers(side), norm_first=first, final=final)

    return Shared(stack(model.model.encoder), stack(model.model.decoder), head)


def _marian(model: Module) -> Shared:
    def embed(side: Module, tokens: Tensor, positions: Tensor) -> Tensor:
        return side.embed_tokens(tokens).mul_(side.embed_scale).add_(side.embed_positions.weight[positions])

    head = Head(model.lm_head.weight.detach(), model.final_logits_bias.detach()[0])
    return _bart_kind(model, embed, head, first=False)


def _m2m100(model: Module) -> Shared:
    def embed(side: Module, tokens: Tensor, positions: Tensor) -> Tensor:
        table, places = side.embed_positions, positions + (side.embed_positions.padding_idx + 1)
        needed = int(places.max()) + 1
        if needed > table.weights.shape[0]:
            table.make_weights(needed + table.offset, table.embedding_dim, table.padding_idx)
        return side.embed_tokens(tokens).add_(table.weights[places])

    return _bart_kind(model, embed, Head(model.lm_head.weight.detach()), first=True)


def _mbart(model: Module) -> Shared:
    def embed(side: Module, tokens: Tensor, positions: Tensor) -> Tensor:
        table = side.embed_positions
        return side.layernorm_embedding(side.embed_tokens(tokens).add_(table.weight[positions + table.offset]))

    head = Head(model.lm_head.weight.detach(), model.final_logits_bias.detach()[0])
    return _bart_kind(model, embed, head, first=True)


def _fsmt(model: Module) -> Shared:
    def embed(side: Module, tokens: Tensor, positions: Tensor) -> Tensor:
        places = positions + (side.padding_idx + 1)
        return side.embed_tokens(tokens).mul_(side.embed_scale).add_(side.embed_positions.weight[places])

    return _bart_kind(model, embed, Head(model.model.decoder.output_projection.weight.detach()), first=False)


def _t5(model: Module) -> Shared:
    def stack(side: Module) -> Stack:
        return Stack(
            lambda tokens, positions: side.embed_tokens(tokens),
            tuple(_t5_layer(block) for block in side.block),
            norm_first=True,
            final=side.final_layer_norm,
            bias=_t5_distances(side.block[0].layer[0].SelfAttention),
        )

    scaled = getattr(model.config, "scale_decoder_outputs", model.config.model_type == "t5")
    factor = model.config.d_model**-0.5 if scaled else 1.0
    return Shared(stack(model.encoder), stack(model.decoder), Head(model.lm_head.weight.detach(), factor=factor))


SHAREABLE: dict[str, Callable[[Module], Shared]] = {
    "marian": _marian,
    "m2m_100": _m2m100,
    "mbart": _mbart,
    "fsmt": _fsmt,
    "t5": _t5,
    "mt5": _t5,
}
"""Architectures that can be shared; others are scored pair by pair. A wrong entry is caught by the check at load."""


def _bart_layers(side: Module) -> tuple[Layer, ...]:
    return tuple(
        Layer(
            _bart_attention(layer.self_attn, layer.self_attn_layer_norm, own=True),
            _bart_attention(layer.encoder_attn, layer.encoder_attn_layer_norm, own=False)
            if hasattr(layer, "encoder_attn")
            else None,
            _feed(layer.fc1, layer.activation_fn, layer.fc2),
            layer.final_layer_norm,
        )
        for layer in side.layers
    )


def _attention(parts: tuple[Module, ...], heads: int, scale: float, norm: Module, *, own: bool) -> Attention:
    """From the projections of query, key, value and output."""
    query, source = parts[:3] if own else parts[:1], None if own else fuse(*parts[1:3])
    return Attention(fuse(*query), source, fuse(parts[3]), heads, scale, norm)


def _bart_attention(module: Module, norm: Module, *, own: bool) -> Attention:
    parts = module.q_proj, module.k_proj, module.v_proj, module.out_proj
    return _attention(parts, module.num_heads, module.scaling, norm, own=own)


def _feed(widen: Module, activation: Callable[[Tensor], Tensor], narrow: Module) -> Feed:
    first, second, act = fuse(widen), fuse(narrow), _in_place(activation)
    return lambda rows, residual: second.onto(act(first(rows)), residual)


def _in_place(activation: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """The same function without a second tensor, for the two most frequent ones."""
    name = type(activation).__name__
    if name in ("SiLU", "SiLUActivation"):
        return lambda rows: torch.nn.functional.silu(rows, inplace=True)
    if name == "ReLU":
        return lambda rows: torch.relu_(rows)
    return activation


def _t5_layer(block: Module) -> Layer:
    parts = list(block.layer)
    cross = parts[1] if len(parts) == 3 else None
    dense = parts[-1].DenseReluDense
    if hasattr(dense, "wi_0"):
        gate, wide, narrow = fuse(dense.wi_0), fuse(dense.wi_1), fuse(dense.wo)

        def gated(rows: Tensor, residual: Tensor) -> Tensor:
            return narrow.onto(dense.act(gate(rows)).mul_(wide(rows)), residual)

        feed: Feed = gated
    else:
        feed = _feed(dense.wi, dense.act, dense.wo)
    return Layer(
        _t5_attention(parts[0].SelfAttention, parts[0].layer_norm, own=True),
        None if cross is None else _t5_attention(cross.EncDecAttention, cross.layer_norm, own=False),
        feed,
        parts[-1].layer_norm,
    )


def _t5_attention(module: Module, norm: Module, *, own: bool) -> Attention:
    return _attention((module.q, module.k, module.v, module.o), module.n_heads, 1.0, norm, own=own)


def _t5_distances(module: Module) -> Callable[[Packed], Tensor]:
    """T5's bias by distance, from the depths of the nodes instead of their places in the row."""

    def bias(batch: Packed) -> Tensor:
        layout = batch.layout if batch.own is None else batch.own.layout
        places = batch.positions[layout.to_square].view(layout.sequences, layout.longest)
        keys = places if batch.own is None else batch.positions[batch.own.keys].view(layout.sequences, -1)
        bucket = module._relative_position_bucket(
            keys[:, None, :] - places[:, :, None],
            bidirectional=not module.is_decoder,
            num_buckets=module.relative_attention_num_buckets,
            max_distance=module.relative_attention_max_distance,
        )
        return module.relative_attention_bias(bucket).permute(0, 3, 1, 2)

    return bias


class EncoderDecoder(TransformerEngine):
    """Marian, M2M100/NLLB, mBART, T5/mT5 and FSMT share all; of any other the source is encoded once."""

    tokens: Tokens

    def set_up(self) -> None:
        network, options = self.network, self.options
        options.without_examples("an encoder-decoder model")
        self.tokens = Tokens(self.tokenizer, network.config, options, getattr(network, "generation_config", None))
        if self.tokens.start is None and network.config.model_type not in WRAPS:
            raise KontrastError(
                "neither config.json nor generation_config.json of the model has decoder_start_token_id, the token "
                "that its decoder begins with: add it to config.json"
            )
        self.limits = network_limits(network)
        self.skip = network.config.pad_token_id if options.softmax_pad is False else None
        build = SHAREABLE.get(network.config.model_type)
        self.parts = build(network) if build is not None and not is_placed(network) else None
        self.details |= {"softmax": "all" if self.skip is None else "no-pad", **self.tokens.details}

    def openings(self, groups: Sequence[Group]) -> list[Opening]:
        sources, forced = self.tokens.sources(groups), self.tokens.openings(groups)
        refuse_longer(groups, list(map(len, sources)), self.limits.source)
        refuse_longer(groups, [len(tokens) + 1 for tokens in forced], self.limits.target, "forced beginnings")
        return [
            Opening(source, tokens, len(tokens) == 2 and tokens[1] in self.tokens.language_ids)
            for source, tokens in zip(sources, forced, strict=True)
        ]

    def read(self, groups: Sequence[Group]) -> list[TokenTask]:
        sources, targets = self.tokens.sources(groups), self.tokens.targets(groups)
        refuse_longer(groups, list(map(len, sources)), self.limits.source)
        longest = [max((len(path.inputs) for path in paths), default=0) for paths in targets]
        refuse_longer(groups, longest, self.limits.target, "targets")
        tasks = [TokenTask(source, paths) for source, paths in zip(sources, targets, strict=True)]
        known_ids(self.network, tasks)
        return tasks

    def routes(self, regime: str) -> list[Route]:
        known = [Route("along the trie", self.shared, ("encoder", "prefix"))] if self.parts is not None else []
        together = Route("with sources encoded together", self.encoded, ("encoder",))
        return [*known, together, Route("with sources encoded one by one", self.encoded_alone, ("encoder",))]

    def shared(self, tasks: Sequence[TokenTask]) -> list[float]:
        assert self.parts is not None
        on, dtype, tries = self.device, self.dtype, [task.trie for task in tasks]
        source = pack_sources([task.source for task in tasks], on, dtype)
        hidden = self.parts.decoder.run(pack_paths(tries, on, dtype), self.parts.encoder.run(source), source)
        nodes, places, labels = scored_nodes(tries, [task.paths for task in tasks], on)
        head = dataclasses.replace(self.parts.head, skip=self.skip)
        return list(head.logprobs(hidden.index_select(0, nodes), places, labels).tolist())

    def encoded(self, tasks: Sequence[TokenTask]) -> list[float]:
        """Each source once through the model's own encoder, all targets through its decoder."""
        from transformers.modeling_outputs import BaseModelOutput

        counts = torch.tensor([len(task.paths) for task in tasks], device=self.device)
        ids, mask = padded([task.source for task in tasks], self._pad, self.device)
        output = self.network.get_encoder()(input_ids=ids, attention_mask=mask)
        states = BaseModelOutput(last_hidden_state=output.last_hidden_state.repeat_interleave(counts, 0))
        paths = [path for task in tasks for path in task.paths]
        return self._decoded(paths, encoder_outputs=states, attention_mask=mask.repeat_interleave(counts, 0))

    def encoded_alone(self, tasks: Sequence[TokenTask]) -> list[float]:
        return [value for task in tasks for value in self.encoded([task])]

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        pairs = [(task.source, path) for task in tasks for path in task.paths]
        ids, mask = padded([source for source, _ in pairs], self._pad, self.device)
        return self._decoded([path for _, path in pairs], input_ids=ids, attention_mask=mask)

    def _decoded(self, paths: Sequence[TokenPath], **given: Any) -> list[float]:
        inputs, _ = padded([path.inputs for path in paths], self._pad, self.device)
        logits = self.network(**given, decoder_input_ids=inputs, use_cache=False).logits
        if self.skip is not None:
            logits[..., self.skip] = -torch.inf
        return [value for k, path in enumerate(paths) for value in own_logprobs(logits[k], path)]

    @property
    def _pad(self) -> int:
        return int(self.network.config.pad_token_id or 0)
