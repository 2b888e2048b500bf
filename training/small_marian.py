"""Train a small Marian-type model from sentence pairs, one thread, seeded; any line-aligned files will do.

    python training/small_marian.py SRC TRG --language de --steps 2000 --out DIR

The folder it writes is a plain Marian folder (config.json, model.safetensors in fp16, source.spm, target.spm,
vocab.json), loaded by MarianMTModel and MarianTokenizer as any other. The first token (``>>de<<``) names the
target language; sentences of one passage are joined by ``<SEP>`` on both sides.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from alignment import align, word_of_piece

__all__ = ["Example", "Settings", "train", "translate"]

SEPARATOR = "<SEP>"
END, UNKNOWN = 0, 1
Links = dict[tuple[str, str], list[tuple[int, int]]]


@dataclass(frozen=True)
class Example:
    """Consecutive sentence pairs of one text (the last is the current one) and the target's language code."""

    language: str
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Settings:
    """What a run depends on; written into ``training.json`` beside the weights.

    ``context`` gives the shares of examples with 0, 1, 2 … sentences before the current one in the second half of the
    run (none before); ``guide`` weighs the alignment loss, ``blank`` is the share of target words hidden from the
    decoder's input until the last third: both make a small model look at the source early. ``resegment`` is the share
    of examples cut into pieces at random.
    """

    vocabulary: int = 4000
    width: int = 128
    feed_forward: int = 512
    heads: int = 4
    encoder_layers: int = 3
    decoder_layers: int = 2
    dropout: float = 0.1
    steps: int = 2600
    warmup: int = 250
    rate: float = 2e-3
    batch_tokens: int = 1600
    longest: int = 160
    resegment: float = 0.3
    context: tuple[float, ...] = (0.55, 0.33, 0.08, 0.04)
    guide: float = 0.5
    blank: float = 0.1
    average: float = 0.998
    seed: int = 1


DEFAULT = Settings()


def train(
    examples: Sequence[Example],
    out: Path,
    settings: Settings = DEFAULT,
    *,
    start: Path | None = None,
    checkpoint_every: int = 500,
) -> None:
    """Learn from ``examples`` and write the folder ``out``, anew at every checkpoint, with averaged weights."""
    import torch

    torch.manual_seed(settings.seed)
    chance = random.Random(settings.seed)
    out.mkdir(parents=True, exist_ok=True)
    languages = sorted({example.language for example in examples})
    links = align([pair for example in examples for pair in example.pairs]) if settings.guide > 0 else {}
    if start is None:
        _write_vocabulary(examples, languages, out, settings)
        model = _new_model(out, settings)
        if links:
            _share_translations(model, links, out)
        _start_from_zero(model)
    else:
        for name in ("source.spm", "target.spm", "vocab.json", "tokenizer_config.json"):
            (out / name).write_bytes((start / name).read_bytes())
        model = _load(start)
    average = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    optimiser = torch.optim.AdamW(model.parameters(), lr=settings.rate, betas=(0.9, 0.98), weight_decay=0.01)
    model.train()
    batches = _batches(examples, links, out, settings, chance)
    began, losses, tokens = time.monotonic(), [], 0
    for step in range(1, settings.steps + 1):
        batch = next(batches)
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * _schedule(step, settings)
        guide = batch.pop("guide")
        if step < 2 * settings.steps / 3:
            hidden = torch.rand(batch["decoder_input_ids"].shape) < settings.blank
            batch["decoder_input_ids"] = batch["decoder_input_ids"].masked_fill(hidden, UNKNOWN)
        answer = model(**batch, output_attentions=settings.guide > 0)
        loss = answer.loss
        if settings.guide > 0:
            loss = loss + settings.guide * _misalignment(answer.cross_attentions[-1][:, :2], guide)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        _start_from_zero(model)
        decay = min(settings.average, step / (step + 9))
        with torch.no_grad():
            for name, weight in model.named_parameters():
                average[name].lerp_(weight, 1 - decay)
        losses.append(answer.loss.item())
        tokens += int((batch["labels"] != -100).sum())
        if step % 50 == 0:
            seconds = time.monotonic() - began
            print(
                f"step {step} loss {sum(losses) / len(losses):.3f} {tokens / seconds:.0f} tokens/s {seconds:.0f} s",
                flush=True,
            )
            losses = []
        if step % checkpoint_every == 0 or step == settings.steps:
            _save(model, average, out)
            (out / "training.json").write_text(json.dumps({**asdict(settings), "steps_done": step}, indent=1) + "\n")


def translate(folder: Path, sentences: Sequence[str], language: str, *, beams: int = 4, batch: int = 32) -> list[str]:
    """Translate sentences with a folder that ``train`` wrote."""
    import torch
    from transformers import MarianTokenizer

    model, tokenizer = _load(folder).eval(), MarianTokenizer.from_pretrained(folder)
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    results = [""] * len(sentences)
    with torch.inference_mode():
        for at in range(0, len(order), batch):
            chosen = order[at : at + batch]
            encoded = tokenizer([f">>{language}<< {sentences[i]}" for i in chosen], return_tensors="pt", padding=True)
            longest = 2 * int(encoded["input_ids"].shape[1]) + 10
            made = model.generate(**encoded, num_beams=beams, max_new_tokens=min(longest, 200))
            for i, text in zip(chosen, tokenizer.batch_decode(made, skip_special_tokens=True), strict=True):
                results[i] = text
    return results


def _schedule(step: int, settings: Settings) -> float:
    """Linear warm-up, then the inverse square root, then a linear end over the last fifth."""
    value = min(step / settings.warmup, math.sqrt(settings.warmup / step))
    return value * min(1.0, (settings.steps - step + 1) / (0.2 * settings.steps))


def _write_vocabulary(examples: Iterable[Example], languages: list[str], out: Path, settings: Settings) -> None:
    """One joint SentencePiece model, kept under the two names that Marian folders have; one that is there is kept."""
    import sentencepiece

    if (out / "vocab.json").exists():
        return
    sentences = sorted({text for example in examples for pair in example.pairs for text in pair if text})
    made = io.BytesIO()  # given a file's name, the trainer writes that into the model
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_writer=made,
        vocab_size=settings.vocabulary,
        character_coverage=0.9995,
        user_defined_symbols=[SEPARATOR],
        bos_id=-1,
        pad_id=-1,
        eos_id=END,
        unk_id=UNKNOWN,
        num_threads=1,
        minloglevel=2,
        max_sentence_length=4000,
        hard_vocab_limit=False,
    )
    for name in ("source.spm", "target.spm"):
        (out / name).write_bytes(made.getvalue())
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(out / "source.spm"))
    names = [pieces.id_to_piece(i) for i in range(len(pieces))]
    names += [f">>{code}<<" for code in languages] + ["<pad>"]
    (out / "vocab.json").write_text(json.dumps({n: i for i, n in enumerate(names)}, ensure_ascii=False), "utf-8")
    config = {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "+".join(languages)}
    (out / "tokenizer_config.json").write_text(json.dumps({**config, "model_max_length": 512}, indent=1) + "\n")


def _new_model(folder: Path, settings: Settings) -> Any:
    from transformers import MarianConfig, MarianMTModel

    size = len(json.loads((folder / "vocab.json").read_text("utf-8")))
    config = MarianConfig(
        vocab_size=size,
        decoder_vocab_size=size,
        d_model=settings.width,
        encoder_layers=settings.encoder_layers,
        decoder_layers=settings.decoder_layers,
        encoder_attention_heads=settings.heads,
        decoder_attention_heads=settings.heads,
        encoder_ffn_dim=settings.feed_forward,
        decoder_ffn_dim=settings.feed_forward,
        activation_function="swish",
        dropout=settings.dropout,
        attention_dropout=0.0,
        activation_dropout=0.0,
        max_position_embeddings=512,
        scale_embedding=True,
        static_position_embeddings=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        pad_token_id=size - 1,
        eos_token_id=END,
        bos_token_id=None,
        forced_eos_token_id=END,
        decoder_start_token_id=size - 1,
        init_std=settings.width**-0.5,
        kontrast={"scheme": "sep"},
    )
    model = MarianMTModel._from_config(config, attn_implementation="eager")
    for name, weight in model.named_parameters():  # what suits embeddings is too wide for the layers
        if weight.dim() == 2 and "shared" not in name and "embed" not in name:
            import torch

            torch.nn.init.xavier_uniform_(weight)
    return model


def _share_translations(model: Any, links: Links, folder: Path) -> None:
    """Begin with embeddings in which aligned pieces are alike: one map from source to target then helps all words."""
    import sentencepiece
    import torch

    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    size = model.config.vocab_size
    found: Counter[tuple[int, int]] = Counter()
    for pair, linked in links.items():
        sides = [pieces.encode(text) for text in pair]
        words = [word_of_piece([pieces.id_to_piece(i) for i in side]) for side in sides]
        for i, j in linked:
            one = [piece for piece, word in zip(sides[0], words[0], strict=True) if word == i]
            other = [piece for piece, word in zip(sides[1], words[1], strict=True) if word == j]
            share = 1 / max(1, len(one) * len(other))
            for link in itertools.product(one, other):
                found[link] += share  # type: ignore[assignment]
    counts = torch.zeros(size, size)
    counts[tuple(torch.tensor(list(found)).T)] = torch.tensor(list(found.values()))
    counts = counts + counts.T
    shares = counts / (counts.sum(1, keepdim=True) + 1)
    weight = model.get_input_embeddings().weight
    with torch.no_grad():
        mixed = weight + 1.5 * shares @ weight
        weight.copy_(mixed * weight.std() / mixed.std(1, keepdim=True).clamp_min(1e-6))


def _start_from_zero(model: Any) -> None:
    """Marian's decoder starts from an embedding of zeros, which ``<pad>`` is; it is never said."""
    import torch

    with torch.no_grad():
        model.get_input_embeddings().weight[model.config.pad_token_id] = 0
        model.final_logits_bias[0, model.config.pad_token_id] = -1e4


def _load(folder: Path) -> Any:
    import torch
    from transformers import MarianMTModel

    return MarianMTModel.from_pretrained(folder, dtype=torch.float32)


def _save(model: Any, average: dict[str, Any], out: Path) -> None:
    """The averaged weights as fp16 (half the size; loaded as fp32)."""
    import copy

    import torch

    final = copy.deepcopy(model)
    with torch.no_grad():
        for name, weight in final.named_parameters():
            weight.copy_(average[name])
    final.half().save_pretrained(out)


def _misalignment(attention: Any, guide: Any) -> Any:
    """How little of two heads' attention falls on aligned words, over target places that have any."""
    found = (attention.mean(1) * guide).sum(-1)
    return -found[guide.any(-1)].clamp_min(1e-6).log().mean()


Encoded = tuple[list[int], list[int], list[tuple[int, int]]]
"""Source ids, target ids, and which target place is aligned to which source place."""


def _batches(
    examples: Sequence[Example], links: Links, folder: Path, settings: Settings, chance: random.Random
) -> Iterator[dict[str, Any]]:
    """For ever: all examples in random order, each with some context, in batches of similar length."""
    import sentencepiece

    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    sentencepiece.set_random_generator_seed(settings.seed)
    vocabulary = json.loads((folder / "vocab.json").read_text("utf-8"))
    made = 0
    while True:
        shares = settings.context if made > settings.steps / 2 else settings.context[:1]
        encoded = [_encode(example, links, pieces, vocabulary, shares, settings, chance) for example in examples]
        encoded = [one for one in encoded if max(len(one[0]), len(one[1])) <= settings.longest]
        encoded.sort(key=lambda one: (len(one[1]) + chance.random() * 4, len(one[0])))
        batches: list[list[Encoded]] = [[]]
        longest = 0
        for one in encoded:
            longest = max(longest, len(one[0]), len(one[1]))
            if batches[-1] and longest * (len(batches[-1]) + 1) > settings.batch_tokens:
                batches.append([])
                longest = max(len(one[0]), len(one[1]))
            batches[-1].append(one)
        chance.shuffle(batches)
        made += len(batches)
        yield from (_tensors(batch, vocabulary["<pad>"]) for batch in batches)


def _encode(
    example: Example,
    links: Links,
    pieces: Any,
    vocabulary: dict[str, int],
    shares: Sequence[float],
    settings: Settings,
    chance: random.Random,
) -> Encoded:
    count = 1 + chance.choices(range(len(shares)), shares)[0]
    resegment = chance.random() < settings.resegment
    source, target = [vocabulary[f">>{example.language}<<"]], []
    aligned: list[tuple[int, int]] = []
    for number, pair in enumerate(example.pairs[-count:]):
        if number:
            aligned.append((len(target) + 1, len(source) + 1))
            source += [vocabulary["▁"], vocabulary[SEPARATOR]]
            target += [vocabulary["▁"], vocabulary[SEPARATOR]]
        cut = [
            pieces.encode(text, out_type=str, enable_sampling=resegment, alpha=0.5, nbest_size=-1) for text in pair
        ]
        words = [word_of_piece(side) for side in cut]
        for i, j in links.get(pair, ()):
            aligned += [
                (len(target) + t, len(source) + s)
                for t, word in enumerate(words[1])
                if word == j
                for s, other in enumerate(words[0])
                if other == i
            ]
        source += [vocabulary.get(piece, UNKNOWN) for piece in cut[0]]
        target += [vocabulary.get(piece, UNKNOWN) for piece in cut[1]]
    aligned.append((len(target), len(source)))
    return [*source, END], [*target, END], aligned


def _tensors(batch: list[Encoded], pad: int) -> dict[str, Any]:
    import torch

    def padded(rows: list[list[int]], value: int) -> Any:
        width = max(map(len, rows))
        return torch.tensor([row + [value] * (width - len(row)) for row in rows])

    source = padded([one[0] for one in batch], pad)
    labels = padded([one[1] for one in batch], -100)
    shifted = padded([[pad, *one[1][:-1]] for one in batch], pad)
    guide = torch.zeros(*labels.shape, source.shape[1], dtype=torch.bool)
    for row, one in enumerate(batch):
        places = torch.tensor(one[2])
        guide[row, places[:, 0], places[:, 1]] = True
    tensors = {"input_ids": source, "attention_mask": source != pad, "labels": labels}
    return {**tensors, "decoder_input_ids": shifted, "guide": guide}


def _main() -> None:
    parser = argparse.ArgumentParser(description="Train a small Marian-type model from line-aligned files.")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--language", required=True, help="code of the target language, e.g. de")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--vocabulary", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sides = [path.read_text("utf-8").splitlines() for path in (options.source, options.target)]
    if len(sides[0]) != len(sides[1]):
        parser.error(f"{options.source} has {len(sides[0])} lines, {options.target} has {len(sides[1])}")
    examples = [Example(options.language, (pair,)) for pair in zip(*sides, strict=True) if all(pair)]
    settings = replace(Settings(), steps=options.steps, vocabulary=options.vocabulary, seed=options.seed)
    train(examples, options.out, settings)


if __name__ == "__main__":
    _main()
