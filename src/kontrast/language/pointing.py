"""What an English pronoun means: a small network over a sentence encoder points at a noun, or at none.

The network's weights are in ``data/models/pointing.safetensors``, with what is added to the encoder's own (products
of two thin tables in its upper layers); ``training/pointing.py`` learnt both from pronouns that were read one by one.
They go with that encoder alone: another is refused.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.language.annotation import Sentence, Token
from kontrast.language.encoder import BITS, ENCODER, Encoder, digest_of_encoder
from kontrast.language.words import word_set

BEFORE = 5
WORDS = 140
"""So many sentences before the pronoun's are read, as long as they have no more words with it."""
PIECES = 400
HEADS = 8
_NOUNS = ("NOUN", "PROPN")
_PARTS = ("compound", "flat")
_STAND_FOR_NOUNS = word_set("en", "pointing_stand_for_nouns")


class Pointed(NamedTuple):
    """How likely each noun (its line and token) is meant; that nothing is, an event, or something not named here."""

    nouns: dict[tuple[int, int], float]
    nothing: float
    event: float
    elsewhere: float


def is_named(token: Token) -> bool:
    """Can the pronoun mean this word? A noun that is no part of a compound, or a word that stands for one."""
    if token.pos in _NOUNS:
        return token.relation not in _PARTS
    return token.pos in ("PRON", "DET", "NUM", "ADJ") and token.text.lower() in _STAND_FOR_NOUNS


def window(sentences: Sequence[str], line: int) -> int:
    """The first line that is read for a pronoun in a line."""
    first, words = line, len(sentences[line].split())
    while first and line - first < BEFORE and words + len(sentences[first - 1].split()) <= WORDS:
        first -= 1
        words += len(sentences[first].split())
    return first


class _Question(NamedTuple):
    """The text that is read, where the pronoun stands in it, and the nouns: their line, token and place."""

    text: str
    line: int
    pronoun: int
    named: list[tuple[int, int, int]]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], line: int, token: int) -> _Question:
        first = window([s.text for s in sentences], line)
        text, named, start = "", [], 0
        for k in range(first, line + 1):
            text += " " if text else ""
            start = len(text)
            text += sentences[k].text
            named += [
                (k, i, start + word.start)
                for i, word in enumerate(sentences[k].tokens)
                if is_named(word) and (k, i) != (line, token)
            ]
        return cls(text, line, start + sentences[line].tokens[token].start, named)


class Pointer:
    """The encoder and the network over it."""

    def __init__(self, encoder: str) -> None:
        try:
            import torch
            import transformers
            from safetensors import SafetensorError, safe_open
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError("hf", "finding antecedents with an encoder") from error
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(encoder, trust_remote_code=False)
            model: Any = AutoModel.from_pretrained(encoder, dtype=torch.float32, trust_remote_code=False).eval()
        except (ImportError, OSError, ValueError, SafetensorError) as error:
            raise KontrastError(f"cannot load the encoder {encoder!r}: {str(error).splitlines()[0]}") from error
        path = resources.files("kontrast").joinpath("data", "models", "pointing.safetensors")
        with safe_open(str(path), "pt") as file:
            told = file.metadata()
            self._weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
        layers = getattr(getattr(model, "encoder", None), "layer", ())
        depth = int(told["depth"])
        if len(layers) < depth or digest_of_encoder(model, depth) != told["encoder"]:
            raise KontrastError(f"{encoder!r} is not the encoder that the network was trained with, {ENCODER}")
        model.encoder.layer = layers[:depth]
        self._add_to(model.encoder, torch)
        self._encoder = Encoder(torch, model)
        self.digest = hashlib.blake2b(f"{told['network']} {BITS} bits".encode(), digest_size=4).hexdigest()
        """Of the network's weights, and of how the encoder multiplies."""
        self._torch: Any = torch

    def _add_to(self, encoder: Any, torch: Any) -> None:
        for name in [name for name in self._weights if name.endswith(".down")]:
            own = name.removesuffix(".down")
            down, up = self._weights.pop(name), self._weights.pop(f"{own}.up")
            with torch.no_grad():
                encoder.get_submodule(own).weight.add_(up @ down)

    def point(self, sentences: Sequence[Sentence], line: int, token: int) -> Pointed | None:
        """What the pronoun at a token of a line means; None where its sentences are too long to be read."""
        return self.point_all([(sentences, line, token)])[0]

    def point_all(self, asked: Sequence[tuple[Sequence[Sentence], int, int]]) -> list[Pointed | None]:
        """The same for pronouns of any documents: a text is read once, and no other changes what it gives."""
        questions = [_Question.of(*one) for one in asked]
        found: list[Pointed | None] = [None] * len(questions)
        wanted: dict[str, list[int]] = defaultdict(list)
        for k, question in enumerate(questions):
            wanted[question.text].append(k)
        with self._torch.inference_mode(), _one_thread(self._torch):
            read = {text: self._tokenizer(text, return_offsets_mapping=True) for text in wanted}
            short = {text: one for text, one in read.items() if len(one["input_ids"]) <= PIECES}
            states = self._encoder.states([self._torch.tensor(one["input_ids"]) for one in short.values()])
            for (text, one), own in zip(short.items(), states, strict=True):
                for k in wanted[text]:
                    found[k] = self._answer(questions[k], one["offset_mapping"], own)
        return found

    def _answer(self, asked: _Question, spans: Sequence[tuple[int, int]], states: Any) -> Pointed | None:
        starts = {at: i for i, (start, end) in enumerate(spans) for at in range(start, end)}
        pronoun = starts.get(asked.pronoun)
        if pronoun is None:
            return None
        named = [(k, i, starts[at]) for k, i, at in asked.named if at in starts]
        far = [min(asked.line - k, BEFORE) + 7 * (at > pronoun) for k, _, at in named]
        shares = self._network(states, pronoun, [at for _, _, at in named], far).tolist()
        *nouns, nothing, event, elsewhere = shares
        return Pointed({(k, i): p for (k, i, _), p in zip(named, nouns, strict=True)}, nothing, event, elsewhere)

    def _network(self, states: Any, pronoun: int, nouns: Sequence[int], far: Sequence[int]) -> Any:
        """The probability of each noun, and of none in three ways."""
        torch, w = self._torch, self._weights
        functional = torch.nn.functional
        length = len(states)

        def linear(name: str, x: Any) -> Any:
            return functional.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])

        def norm(name: str, x: Any) -> Any:
            return functional.layer_norm(x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"])

        marks = torch.zeros(length, dtype=torch.long)
        marks[list(nouns)] = 2
        marks[pronoun] = 1
        away = (torch.arange(length) - pronoun).clamp(-255, 255) + 256
        x = linear("inp.2", norm("inp.0", states)) + w["mark.weight"][marks] + w["pos.weight"][away]
        layer = 0
        while (own := f"enc.layers.{layer}") + ".norm1.weight" in w:
            packed = functional.linear(
                norm(f"{own}.norm1", x), w[f"{own}.self_attn.in_proj_weight"], w[f"{own}.self_attn.in_proj_bias"]
            )
            q, k, v = (part.view(length, HEADS, -1).transpose(0, 1) for part in packed.chunk(3, -1))
            seen = functional.scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(length, -1)
            x = x + linear(f"{own}.self_attn.out_proj", seen)
            x = x + linear(f"{own}.linear2", functional.gelu(linear(f"{own}.linear1", norm(f"{own}.norm2", x))))
            layer += 1
        x = norm("norm", x)
        none = linear("n.3", functional.gelu(linear("n.0", x[pronoun])))
        if not nouns:
            return none.softmax(0)
        c = linear("c", x[list(nouns)])
        p = linear("p", x[pronoun]).expand_as(c)
        both = torch.cat([p + c + w["d.weight"][list(far)], p * c], 1)
        told = linear("o.4", functional.gelu(linear("o.2", functional.gelu(both)))).squeeze(1)
        return torch.cat([told, none]).softmax(0)


@contextmanager
def _one_thread(torch: Any) -> Iterator[None]:
    """The same digits whatever the number of cores, and no crowd of threads where processes share the work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@lru_cache(maxsize=1)
def load_pointer(encoder: str) -> Pointer:
    """The pointer with the encoder at a place."""
    return Pointer(encoder)
