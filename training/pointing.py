"""Learns ``data/models/pointing.safetensors``: what an English *it*, *they* or *them* means (``language.pointing``).

    .venv/bin/python training/pointing_texts.py --unpacked UNPACKED --out pool.json
    .venv/bin/python training/pointing.py learn pool.json [--epochs 3] [--seed 0] [--out FILE] [--held 0]

``pointing.tsv`` has what readers found for each pronoun, by a hash of its lines and place: the nouns that name the
same thing (line.character, best first), or x (nothing), e (an event), o (something not named there); ``?`` marks what
they were less sure of. The readers were language models that took part in this project. The encoder's lower layers
are not changed: what they make of a text is computed once. To each table of the upper ones the product of two thin
ones is added (low-rank adaptation). A sixth of the documents (``--held``) is held out for the printed figures. An
epoch takes about a quarter of an hour on two cores (in bfloat16 where the processor has it).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from kontrast.language import annotators
from kontrast.language.encoder import digest_of_encoder, encoder_place
from kontrast.language.pointing import BEFORE, HEADS, PIECES, is_named

READ = Path(__file__).with_suffix(".tsv")
OUT = Path(__file__).resolve().parents[1] / "src/kontrast/data/models/pointing.safetensors"
DEPTH, SIZE, LAYERS, BATCH, RATE = 12, 256, 2, 16, 4e-4
FROZEN, RANK, SCALE = 4, 16, 2.0
TABLES = (*(f"attention.attn.{part}" for part in "qkvo"), "intermediate.dense", "output.dense")
"""Of a layer; what is added to them has this rank."""
CLASSES = "xeo"

Example = dict[str, Any]


def key(lines: Sequence[str], at: int) -> str:
    """Of a pronoun's lines and its place in the last."""
    return hashlib.blake2b(f"{chr(10).join(lines)}\n{at}".encode(), digest_size=6).hexdigest()


def near_key(text: str, at: int) -> str:
    """Of the words around a pronoun, by which it is found in the same text cut otherwise."""
    return hashlib.blake2b(text[max(at - 12, 0) : at + 20].encode(), digest_size=6).hexdigest()


def read_places() -> set[str]:
    """``near_key`` of the pronouns that were read."""
    return {line.split("\t")[2] for line in READ.read_text("utf-8").splitlines()[1:]}


def answers() -> dict[str, str]:
    return dict(line.split("\t")[:2] for line in READ.read_text("utf-8").splitlines()[1:])


def examples(pool: Sequence[dict[str, Any]], encoder: str) -> Iterator[Example]:
    """The pronouns that were read."""
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(encoder)
    said = answers()
    texts = list(dict.fromkeys(line for place in pool for line in place["lines"]))
    parsed = dict(zip(texts, annotators.get("en", entities=True).annotate(texts), strict=True))
    for place in pool:
        answer = said.get(key(place["lines"], place["at"]))
        if answer is None:
            continue
        text, starts = "", []
        for line in place["lines"]:
            text += " " if text else ""
            starts.append(len(text))
            text += line
        read = tokenizer(text, return_offsets_mapping=True)
        spans = read["offset_mapping"]

        def piece(at: int, spans: Any = spans) -> int | None:
            return next((i for i, (start, end) in enumerate(spans) if start <= at < end), None)

        last = len(starts) - 1
        pronoun = piece(starts[-1] + place["at"])
        named = [
            (k, word.start, at)
            for k, line in enumerate(place["lines"])
            for word in parsed[line].tokens
            if is_named(word)
            and (k, word.start) != (last, place["at"])
            and (at := piece(starts[k] + word.start)) is not None
        ]
        nouns = set(re.findall(r"\d+\.\d+", answer))
        right = [f"{k}.{start}" in nouns for k, start, _ in named] + [c in answer for c in CLASSES]
        if pronoun is None or len(spans) > PIECES or not any(right):
            continue
        yield {
            "pieces": torch.tensor(read["input_ids"]),
            "pronoun": pronoun,
            "nouns": torch.tensor([at for *_, at in named], dtype=torch.long),
            "far": torch.tensor([min(last - k, BEFORE) + 7 * (at > pronoun) for k, _, at in named], dtype=torch.long),
            "right": torch.tensor(right),
            "weight": 0.5 if "?" in answer else 1.0,
            "kind": place["kind"],
            "part": zlib.crc32(place["doc"].encode()) % 6,
        }


class Added(nn.Module):
    """A linear layer with the product of two thin tables added to its own."""

    def __init__(self, own: nn.Linear) -> None:
        super().__init__()
        self.own, self.drop = own, nn.Dropout(0.05)
        self.down = nn.Parameter(torch.randn(RANK, own.in_features) / math.sqrt(own.in_features))
        self.up = nn.Parameter(torch.zeros(own.out_features, RANK))

    def forward(self, x: Any) -> Any:
        return self.own(x) + SCALE * nn.functional.linear(nn.functional.linear(self.drop(x), self.down), self.up)


class Encoder(nn.Module):
    """The encoder in two parts: lower layers as they are, and upper ones that learn."""

    def __init__(self, place: str) -> None:
        super().__init__()
        from transformers import AutoModel

        self.whole: Any = AutoModel.from_pretrained(place, dtype=torch.float32).eval().requires_grad_(False)
        self.digest = digest_of_encoder(self.whole, DEPTH)
        self.layers = list(self.whole.encoder.layer[:DEPTH])
        self.added: dict[str, Added] = {}
        for number, layer in enumerate(self.layers[FROZEN:], FROZEN):
            for name in TABLES:
                within, _, last = name.rpartition(".")
                parent = layer.get_submodule(within)
                self.added[f"layer.{number}.{name}"] = added = Added(getattr(parent, last))
                setattr(parent, last, added)
        self.learning = nn.ModuleList(self.layers[FROZEN:])

    def _through(self, layers: Any, x: Any, lengths: Any) -> Any:
        beyond = torch.arange(x.shape[1])[None] >= lengths[:, None]
        mask, positions = beyond[:, None, None, :] * -1e9, self.whole.encoder.compute_position_bias(x)
        for layer in layers:
            x = layer(x, mask, position_bias=positions)
            x = x[0] if isinstance(x, (tuple, list)) else x
        return x

    def prepare(self, every: Sequence[Example]) -> None:
        """What the lower layers make of each text."""
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            for batch in by_length(every):
                lengths = torch.tensor([len(e["pieces"]) for e in batch])
                pieces = pad_sequence([e["pieces"] for e in batch], batch_first=True, padding_value=1)
                x = self._through(self.layers[:FROZEN], self.whole.embeddings(input_ids=pieces), lengths)
                for e, row in zip(batch, x, strict=True):
                    e["low"] = row[: len(e["pieces"])].bfloat16().clone()

    def forward(self, batch: Sequence[Example]) -> list[Any]:
        """The states of each text."""
        lengths = torch.tensor([len(e["pieces"]) for e in batch])
        with torch.autocast("cpu", torch.bfloat16):
            x = pad_sequence([e["low"].float() for e in batch], batch_first=True)
            x = self._through(self.learning, x, lengths)
        return [row[:length].float() for row, length in zip(x, lengths.tolist(), strict=True)]


class Network(nn.Module):
    """As ``Pointer._network`` computes it, for many at once and with dropout."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder, wide = encoder, encoder.whole.config.hidden_size
        self.inp = nn.Sequential(nn.LayerNorm(wide), nn.Dropout(0.1), nn.Linear(wide, SIZE))
        self.mark, self.pos, self.d = nn.Embedding(3, SIZE), nn.Embedding(512, SIZE), nn.Embedding(14, SIZE)
        for table in (self.mark, self.pos, self.d):
            nn.init.normal_(table.weight, std=0.02)
        layer = nn.TransformerEncoderLayer(SIZE, HEADS, 2 * SIZE, 0.15, "gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.norm, self.p, self.c = nn.LayerNorm(SIZE), nn.Linear(SIZE, SIZE), nn.Linear(SIZE, SIZE)
        self.o = nn.Sequential(nn.GELU(), nn.Dropout(0.2), nn.Linear(2 * SIZE, 128), nn.GELU(), nn.Linear(128, 1))
        self.n = nn.Sequential(nn.Linear(SIZE, SIZE), nn.GELU(), nn.Dropout(0.2), nn.Linear(SIZE, len(CLASSES)))

    def forward(self, batch: Sequence[Example]) -> Any:
        """A row of log probabilities each: of the nouns, padded, and of none in three ways."""
        x = pad_sequence(self.encoder(batch), batch_first=True)
        rows, length = torch.arange(len(batch)), x.shape[1]
        beyond = torch.arange(length)[None] >= torch.tensor([len(e["pieces"]) for e in batch])[:, None]
        pronouns = torch.tensor([e["pronoun"] for e in batch])
        marks = torch.zeros(len(batch), length, dtype=torch.long)
        for row, e in enumerate(batch):
            marks[row, e["nouns"]] = 2
        marks[rows, pronouns] = 1
        away = (torch.arange(length)[None] - pronouns[:, None]).clamp(-255, 255) + 256
        x = self.inp(x) + self.mark(marks) + self.pos(away)
        x = self.norm(self.enc(x, src_key_padding_mask=beyond))
        own = x[rows, pronouns]
        nouns, far = (pad_sequence([e[name] for e in batch], batch_first=True) for name in ("nouns", "far"))
        c = self.c(x[rows[:, None], nouns])
        p = self.p(own)[:, None].expand_as(c)
        told = self.o(torch.cat([p + c + self.d(far), p * c], 2)).squeeze(2)
        none = torch.arange(nouns.shape[1])[None] >= torch.tensor([len(e["nouns"]) for e in batch])[:, None]
        return torch.cat([told.masked_fill(none, -1e9), self.n(own)], 1).log_softmax(1)


def right_of(batch: Sequence[Example], wide: int) -> Any:
    found = torch.zeros(len(batch), wide, dtype=torch.bool)
    for row, e in enumerate(batch):
        count = len(e["nouns"])
        found[row, :count], found[row, wide - len(CLASSES) :] = e["right"][:count], e["right"][count:]
    return found


def by_length(every: Sequence[Example], chance: random.Random | None = None) -> list[list[Example]]:
    order = sorted(every, key=lambda e: len(e["pieces"]) + (chance.random() * 30 if chance else 0))
    batches = [order[k : k + BATCH] for k in range(0, len(order), BATCH)]
    if chance:
        chance.shuffle(batches)
    return batches


def figures(network: Network, held: Sequence[Example]) -> str:
    """Of held-out pronouns: how often a right noun, or rightly none, is pointed at; how often by sureness."""
    network.eval()
    found: list[tuple[float, bool, bool]] = []
    with torch.no_grad():
        for batch in by_length(held):
            told = network(batch).exp()
            for e, row, right in zip(batch, told, right_of(batch, told.shape[1]), strict=True):
                count, none = len(e["nouns"]), float(row[-3:].sum())
                best = int(row[:count].argmax()) if count else -1
                sure = float(row[best]) if count else 0.0
                noun = bool(count) and bool(right[best])
                found.append((sure, noun, noun if sure > none else bool(right[-3:].any())))
    network.train()
    text = f"right {sum(r for *_, r in found) / len(found):.3f} of {len(found)}"
    for low in (0.5, 0.7, 0.9):
        inside = [noun for sure, noun, _ in found if sure >= low]
        text += f"; from {low}: {sum(inside) / max(len(inside), 1):.3f} of {len(inside)}"
    return text


def learn(every: Sequence[Example], encoder: Encoder, args: argparse.Namespace) -> tuple[Network, float]:
    torch.manual_seed(args.seed)
    encoder.prepare(every)
    train, held = ([e for e in every if (e["part"] == args.held) is is_held] for is_held in (False, True))
    network = Network(encoder)
    added = [table for one in encoder.added.values() for table in (one.up, one.down)]
    own = [table for name, table in network.named_parameters() if not name.startswith("encoder.")]
    learning = torch.optim.AdamW(
        [{"params": added, "weight_decay": 0.01}, {"params": own, "weight_decay": 0.05}], lr=RATE
    )
    steps = args.epochs * math.ceil(len(train) / BATCH)
    slower = torch.optim.lr_scheduler.LambdaLR(
        learning, lambda k: min(1, (k + 1) / 100) * max(0.02, 0.5 * (1 + math.cos(math.pi * k / steps)))
    )
    start = time.monotonic()
    for epoch in range(args.epochs):
        for batch in by_length(train, random.Random(epoch + 100 * args.seed)):
            told = network(batch)
            right = told.masked_fill(~right_of(batch, told.shape[1]), -1e9).logsumexp(1)
            loss = -(right * torch.tensor([e["weight"] for e in batch])).mean()
            learning.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_([*added, *own], 1.0)
            learning.step()
            slower.step()
        print(f"epoch {epoch + 1}, {time.monotonic() - start:.0f} s: {figures(network, held)}", flush=True)
    by = softness(network, held)
    print(f"divided by {by:.2f}")
    return network, by


def softness(network: Network, held: Sequence[Example]) -> float:
    """What its answers are divided by so that the held-out pronouns are likeliest: it has learnt to be too sure."""
    network.eval()
    with torch.no_grad():
        told = [(row, right_of(batch, row.shape[1])) for batch in by_length(held) for row in (network(batch),)]

    def unlikely(by: float) -> float:
        parts = ((row / by).log_softmax(1).masked_fill(~right, -1e9).logsumexp(1) for row, right in told)
        return -float(torch.cat(list(parts)).sum())

    return min((1 + k / 20 for k in range(41)), key=unlikely)


def export(network: Network, by: float, out: Path) -> None:
    tables = {name: value for name, value in network.state_dict().items() if not name.startswith("encoder.")}
    for name in ("o.4.weight", "o.4.bias", "n.3.weight", "n.3.bias"):
        tables[name] = tables[name] / by
    for name, added in network.encoder.added.items():
        tables |= {f"{name}.down": added.down.detach(), f"{name}.up": SCALE * added.up.detach()}
    tables = {name: value.half().contiguous() for name, value in tables.items()}
    made = hashlib.blake2b(digest_size=4)
    for name in sorted(tables):
        made.update(tables[name].numpy().tobytes())
    about = {"encoder": network.encoder.digest, "depth": str(DEPTH), "network": made.hexdigest()}
    save_file(tables, out, metadata=about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("learn",))
    parser.add_argument("pool", type=Path)
    parser.add_argument("--encoder", help="a folder or hub name (default: where it is installed)")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--held", type=int, default=0, help="which sixth of the documents is held out")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    if (place := encoder_place(args.encoder)) is None:
        parser.error("the encoder is not installed: name it with --encoder")
    every = list(examples(json.loads(args.pool.read_text("utf-8")), place))
    export(*learn(every, Encoder(place), args), args.out)


if __name__ == "__main__":
    main()
