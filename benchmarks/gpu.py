"""Scoring on a GPU: pair by pair and over a dense trie mask; measured beside what paper expects.

A Llama of random weights, items of demo:de behind a context of a given length. The expected figures count products:
those of the linear layers for every token that is run, and those of attention for every query and key that are
computed (squares of the longest sequence for the dense mask). They assume that all products take equally
long; what a run differs by is the kernels' doing.

    python benchmarks/gpu.py [--device cuda] [--dtype bfloat16] [--width 2048] [--layers 16] [--context 0,400,2000]
                             [--batch-tokens 1024,16384] [--rounds 5] [--paper]

``--paper`` prints the expected figures alone, on any machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from kontrast import load
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines.hf import engine_of
from kontrast.scoring.plan import make_plan
from kontrast.scoring.trie import pack

VOCABULARY = 32_000


def groups_of(context: int, items: int) -> list[Group]:
    """Items of demo:de behind about so many words of other sources."""
    plan = make_plan(load("demo:de")).groups[:items]
    words = " ".join(group.source for group in plan).split()
    found = []
    for i, group in enumerate(plan):
        start = 7 * i % max(1, len(words) - context)
        before = " ".join((words[start:] + words * (context // len(words) + 1))[:context])
        source = f"{before} {group.source}".strip()
        found.append(Group(source, group.targets, source))
    return found


def tokenizer_of(groups: Sequence[Group]) -> Any:
    cutter = Tokenizer(models.BPE())
    cutter.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    cutter.train_from_iterator([g.source for g in groups] + [t.text for g in groups for t in g.targets], trainer)
    return PreTrainedTokenizerFast(tokenizer_object=cutter, bos_token="<s>", eos_token="</s>")


def config_of(width: int, layers: int) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=width,
        intermediate_size=4 * width,
        num_hidden_layers=layers,
        num_attention_heads=max(1, width // 64),
        num_key_value_heads=max(1, width // 256),
        max_position_embeddings=8192,
        bos_token_id=0,
        eos_token_id=1,
    )


class Paper:
    """Products of a way to score, summed over its batches, and the largest mask that it holds."""

    def __init__(self, config: LlamaConfig) -> None:
        width, keys = config.hidden_size, config.num_key_value_heads * 64
        self.row = config.num_hidden_layers * (2 * width * (width + keys) + 3 * width * config.intermediate_size)
        self.pair = 2 * width * config.num_hidden_layers
        self.head = width * config.vocab_size
        self.products = self.mask = 0

    def add(self, rows: int, pairs: int, projected: int, mask: int) -> None:
        self.products += rows * self.row + pairs * self.pair + projected * self.head
        self.mask = max(self.mask, mask)


def ways(engine: Any, groups: list[Group], size: int, config: LlamaConfig) -> dict[str, tuple[Any, list[Any], Paper]]:
    """For each way its function, its batches and what is expected of it."""
    tasks = engine._tasks(groups)
    plain = [[tasks[i] for i in batch] for batch in pack([task.plain_size for task in tasks], size)]
    shared = [[tasks[i] for i in batch] for batch in pack([len(task.trie) for task in tasks], size)]
    papers = {name: Paper(config) for name in ("pair by pair", "dense mask")}
    for batch in plain:
        lengths = [len(path.inputs) for task in batch for path in task.paths]
        rows = len(lengths) * max(lengths)
        papers["pair by pair"].add(rows, rows * max(lengths), rows, 0)
    for batch in shared:
        tries = [task.trie for task in batch]
        nodes, longest = sum(map(len, tries)), max(map(len, tries))
        scored = len({(i, node) for i, trie in enumerate(tries) for path in trie.scored for node in path})
        square = len(tries) * longest**2
        papers["dense mask"].add(nodes, square, scored, 2 * square)
    kind = engine
    runs = {"pair by pair": kind.plain, "dense mask": kind.shared}
    batches = {"pair by pair": plain, "dense mask": shared}
    return {name: (runs[name], batches[name], papers[name]) for name in papers}


def measured(run: Any, batches: list[Any], device: str, rounds: int) -> tuple[float, float, float]:
    """(seconds, GB at most, sum of all log-probabilities); the first round compiles, and does not count."""
    cuda, times, total = device.startswith("cuda"), [], 0.0
    for number in range(rounds + 1):
        if cuda:
            torch.cuda.reset_peak_memory_stats()
            torch.cuda.synchronize()
        start = time.perf_counter()
        with torch.inference_mode():
            found = [run(batch) for batch in batches]
        if cuda:
            torch.cuda.synchronize()
        times += [time.perf_counter() - start] * (number > 0)
        total = sum(map(sum, found))
    return statistics.median(times), torch.cuda.max_memory_allocated() / 1e9 if cuda else float("nan"), total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--width", type=int, default=2048)
    parser.add_argument("--layers", type=int, default=16)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--context", default="0,400,2000")
    parser.add_argument("--batch-tokens", default="1024,16384")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--paper", action="store_true")
    args = parser.parse_args()
    config = config_of(args.width, args.layers)
    # on paper only the tokens count: the network is as small as one can be
    network = LlamaForCausalLM(config_of(64, 1) if args.paper else config).eval()
    print("| context | batch | way | products | times as fast, expected | measured | mask at most | GB | sum |")
    print("|---|---|---|---|---|---|---|---|---|")
    for context in map(int, args.context.split(",")):
        groups = groups_of(context, args.items)
        for size in map(int, args.batch_tokens.split(",")):
            options = EngineOptions(
                source_language="en",
                target_language="de",
                device="cpu" if args.paper else args.device,
                dtype="float32" if args.paper else args.dtype,
                batch_tokens=size,
            )
            engine = engine_of(network, tokenizer_of(groups), options, "random")
            base = first = 0.0
            for name, (run, batches, paper) in ways(engine, groups, size, config).items():
                base = base or paper.products
                seconds = memory = total = float("nan")
                if not args.paper:
                    seconds, memory, total = measured(run, batches, args.device, args.rounds)
                    first = first or seconds
                print(
                    f"| {context} | {size} | {name} | {paper.products:.2e} | {base / paper.products:.1f} | "
                    f"{first / seconds:.1f} | {paper.mask / 1e6:.2f} MB | {memory:.1f} | {total:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
