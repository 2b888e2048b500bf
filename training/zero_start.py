"""Teach a model whose decoder learnt another start to begin from zero, as CTranslate2 begins Marian models.

    python training/zero_start.py OLD --data ../shared/data --out DIR

The decoder, begun from zero, learns to say what the old model says, on the text that it was trained with. Encoder,
embeddings and output stay as they are.
"""

from __future__ import annotations

import argparse
import copy
import random
import time
from pathlib import Path

from corpora import training_passages
from small_marian import Example, Settings, _batches, _load, _save, _start_from_zero

SETTINGS = Settings(width=192, feed_forward=768, steps=0, guide=0.0, context=(0.5, 0.35, 0.1, 0.05), seed=2)


def main() -> None:
    parser = argparse.ArgumentParser(description="Teach a model to start from zero.")
    parser.add_argument("old", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--rate", type=float, default=5e-4)
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(SETTINGS.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in ("source.spm", "target.spm", "vocab.json", "tokenizer_config.json"):
        (options.out / name).write_bytes((options.old / name).read_bytes())
    examples = [Example(passage.language, passage.pairs) for passage in training_passages(options.data)]
    teacher = _load(options.old).eval()
    student = copy.deepcopy(teacher)
    _start_from_zero(student)
    pad = student.config.pad_token_id
    learnt = {name: p for name, p in student.named_parameters() if name.startswith("model.decoder.layers")}
    optimiser = torch.optim.AdamW(learnt.values(), lr=options.rate, betas=(0.9, 0.98), weight_decay=0.0)
    average = {name: weight.detach().clone() for name, weight in student.named_parameters()}
    batches = _batches(examples, {}, options.out, SETTINGS, random.Random(SETTINGS.seed))
    began, losses = time.monotonic(), []
    for step in range(1, options.steps + 1):
        batch = next(batches)
        said = batch["labels"] != -100
        given = {"attention_mask": batch["attention_mask"], "decoder_input_ids": batch["decoder_input_ids"]}
        with torch.no_grad():
            encoded = teacher.get_encoder()(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])
            wanted = teacher(encoder_outputs=encoded, **given).logits[said]
            wanted[:, pad] = -1e4
            wanted = wanted.log_softmax(-1)
        found = student(encoder_outputs=encoded, **given).logits[said].log_softmax(-1)
        loss = (wanted.exp() * (wanted - found)).sum(-1).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt.values(), 1.0)
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1.0, step / 50) * (1 - (step - 1) / options.steps)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        decay = min(0.99, step / (step + 9))
        with torch.no_grad():
            for name, weight in learnt.items():
                average[name].lerp_(weight, 1 - decay)
        losses.append(loss.item())
        if step % 50 == 0:
            told = f"step {step} divergence {sum(losses) / len(losses):.4f} {time.monotonic() - began:.0f} s"
            print(told, flush=True)
            losses = []
        if step % 250 == 0 or step == options.steps:
            _save(student, average, options.out)


if __name__ == "__main__":
    main()
