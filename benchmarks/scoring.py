"""How much faster is scoring groups than scoring pairs? Kontrast and its peers in turn, in one process, same scores.

Marian 6+6 of width 512 with 32k pieces, and a decoder-only model of 110 M parameters, random weights, single
precision; real rows. Every contestant goes from texts to scores. Ratios are of medians of wall time over alternating
rounds; those of processor time stand beside them, as other work on the machine disturbs them less.

    python benchmarks/scoring.py [--items 100] [--rounds 3] [--threads 2] [--only marian-1,marian-4,lm-1,lm-4,context]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import scoring_models as made
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines.hf import engine_of

Scores = list[float]
BARS = {
    ("marian-1", "transformers, file order, 32"): 4.0,
    ("marian-4", "transformers, file order, 32"): 4.5,
    ("marian-1", "transformers, sorted, 1024 tokens"): 1.9,
    ("marian-4", "transformers, sorted, 1024 tokens"): 2.7,
    ("marian-1", "CTranslate2, one sorted call"): 1.35,
    ("marian-4", "CTranslate2, one sorted call"): 1.8,
    ("lm-1", "transformers, full passes"): 2.7,
    ("lm-4", "transformers, full passes"): 3.2,
    ("context", "transformers, file order, 32"): 2.9,
}


def pairs_of(groups: list[Group]) -> list[tuple[str, str]]:
    return [(group.source, target.prefix + target.text) for group in groups for target in group.targets]


def kontrast(engine: Any, groups: list[Group]) -> Scores:
    found = dict(engine.score(list(groups)))  # another list: the engine keeps the tokens of the one it had last
    return [sum(target.logprobs) for i in range(len(groups)) for target in found[i]]


def transformers_batches(model: Any, tokenizer: Any, batches: list[list[tuple[str, str]]]) -> Scores:
    """What people write: tokenise a batch, run the model on it, log-softmax, gather, mask, sum."""
    import torch

    scores: Scores = []
    with torch.no_grad():
        for batch in batches:
            sources, targets = [source for source, _ in batch], [target for _, target in batch]
            inputs = tokenizer(sources, text_target=targets, padding=True, return_tensors="pt")
            logits = model(**inputs).logits
            labels = inputs["labels"]
            chosen = torch.log_softmax(logits, -1).gather(-1, labels[..., None])[..., 0]
            scores += chosen.masked_fill(labels == tokenizer.pad_token_id, 0.0).sum(-1).tolist()
    return scores


def file_order(model: Any, tokenizer: Any, pairs: list[tuple[str, str]]) -> Scores:
    return transformers_batches(model, tokenizer, [pairs[i : i + 32] for i in range(0, len(pairs), 32)])


def length_sorted(model: Any, tokenizer: Any, pairs: list[tuple[str, str]], limit: int = 1024) -> Scores:
    sizes = [len(ids) for ids in tokenizer(text_target=[target for _, target in pairs])["input_ids"]]
    order = sorted(range(len(pairs)), key=sizes.__getitem__)
    batches: list[list[int]] = [[]]
    for i in order:
        if batches[-1] and (len(batches[-1]) + 1) * sizes[i] > limit:
            batches.append([])
        batches[-1].append(i)
    values = transformers_batches(model, tokenizer, [[pairs[i] for i in batch] for batch in batches])
    return [value for _, value in sorted(zip(order, values, strict=True))]


def ctranslate2(translator: Any, tokenizer: Any, pairs: list[tuple[str, str]]) -> Scores:
    pieces = tokenizer.convert_ids_to_tokens
    sources = [pieces(ids) for ids in tokenizer([source for source, _ in pairs])["input_ids"]]
    targets = [pieces(ids)[:-1] for ids in tokenizer(text_target=[target for _, target in pairs])["input_ids"]]
    order = sorted(range(len(pairs)), key=lambda i: len(targets[i]))
    results = translator.score_batch(
        [sources[i] for i in order], [targets[i] for i in order], max_batch_size=1024, batch_type="tokens"
    )
    sums = {i: sum(result.log_probs) for i, result in zip(order, results, strict=True)}
    return [sums[i] for i in range(len(pairs))]


def full_passes(model: Any, tokenizer: Any, rows: list[tuple[list[int], int]]) -> Scores:
    """Prompt and target of every row through the whole model, 32 at a time, in file order."""
    import torch

    scores: Scores = []
    with torch.no_grad():
        for start in range(0, len(rows), 32):
            batch = rows[start : start + 32]
            longest = max(len(ids) for ids, _ in batch)
            ids = torch.tensor([[*ids, *[1] * (longest - len(ids))] for ids, _ in batch])
            mask = torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, _ in batch])
            logprobs = torch.log_softmax(
                model(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, :-1], -1
            )
            chosen = logprobs.gather(-1, ids[:, 1:, None])[..., 0]
            scores += [
                chosen[k, len(row) - 1 - scored : len(row) - 1].sum().item() for k, (row, scored) in enumerate(batch)
            ]
    return scores


def sgemm() -> float:
    """What one large multiplication reaches now, in GFLOP/s."""
    import torch

    left, right = torch.randn(2048, 2048), torch.randn(2048, 2048)
    out = torch.empty(2048, 2048)
    start = time.perf_counter()
    for _ in range(4):
        torch.mm(left, right, out=out)
    return 4 * 2 * 2048**3 / (time.perf_counter() - start) / 1e9


def tokens_run(engine: Any, groups: list[Group]) -> tuple[int, int, int]:
    """What sharing leaves to do: tokens of sources, nodes of tries, rows that are projected."""
    tasks = engine._tasks(groups)
    scored = sum(len({node for path in task.trie.scored for node in path}) for task in tasks)
    return sum(len(task.source) for task in tasks), sum(len(task.trie) for task in tasks), scored


def gigaflop(engine: Any, groups: list[Group]) -> float:
    """Multiplications that sharing leaves to do, in 10⁹ operations, attention itself not counted."""
    config, (read, written, projected) = engine.network.config, tokens_run(engine, groups)
    wide, vocabulary = config.hidden_size, config.vocab_size
    if config.is_encoder_decoder:
        feed = 2 * wide * config.decoder_ffn_dim
        source = config.encoder_layers * (4 * wide * wide + feed) + config.decoder_layers * 2 * wide * wide
        target = config.decoder_layers * (6 * wide * wide + feed)
    else:
        source, target = 0, config.num_hidden_layers * (4 * wide * wide + 3 * wide * config.intermediate_size)
    total = read * source + written * target + projected * wide * vocabulary
    return 2 * total / 1e9


def compare(
    name: str,
    runs: dict[str, Callable[[], Scores]],
    rounds: int,
    engine: Any,
    groups: list[Group],
    expected: dict[str, Scores | None] | None = None,
) -> dict[str, Any]:
    """Alternate, take medians, and the largest difference of scores.

    ``expected`` has other scores of kontrast's to compare a peer with, None where a peer scores something else.
    """
    walls: dict[str, list[float]] = {who: [] for who in runs}
    cpus: dict[str, list[float]] = {who: [] for who in runs}
    limits, shares, scores = [], [], {}
    work = gigaflop(engine, groups)
    for round_ in range(rounds + 1):
        for who, run in runs.items():
            before = sgemm()
            wall, cpu = time.perf_counter(), time.process_time()
            scores[who] = run()
            if round_:  # the first one warms up
                walls[who].append(time.perf_counter() - wall)
                cpus[who].append(time.process_time() - cpu)
            if round_ and who == "kontrast":  # the machine's speed wanders: take the limit of the same seconds
                limits.append((before + sgemm()) / 2)
                shares.append(work / walls[who][-1] / limits[-1])
    ours, ours_cpu = statistics.median(walls["kontrast"]), statistics.median(cpus["kontrast"])
    rows = len(scores["kontrast"])
    result: dict[str, Any] = {
        "set": name,
        "rows": rows,
        "rows_per_second": rows / ours,
        "run": "{:,} source tokens, {:,} target tokens, {:,} output rows".format(*tokens_run(engine, groups)),
        "gflops": work / ours,
        "sgemm_gflops": statistics.median(limits),
        "share_of_sgemm": statistics.median(shares),
        "peers": [],
    }
    for who in runs:
        if who == "kontrast":
            continue
        same = (expected or {}).get(who, scores["kontrast"])
        gap = None if same is None else max(abs(a - b) for a, b in zip(same, scores[who], strict=True))
        result["peers"].append(
            {
                "against": who,
                "ratio": statistics.median(walls[who]) / ours,
                "ratio_cpu": statistics.median(cpus[who]) / ours_cpu,
                "bar": BARS.get((name, who)),
                "largest_difference": gap,
            }
        )
    return result


def marian_run(name: str, groups: list[Group], threads: int, rounds: int) -> dict[str, Any]:
    from ctranslate2 import Translator
    from transformers import MarianMTModel, MarianTokenizer

    folder = made.marian()
    tokenizer = MarianTokenizer.from_pretrained(folder)
    model = MarianMTModel.from_pretrained(folder).eval()
    engine: Any = engine_of(MarianMTModel.from_pretrained(folder), tokenizer, EngineOptions(device="cpu"), "marian")
    engine.prepare(groups)
    pairs = pairs_of(groups)
    runs: dict[str, Callable[[], Scores]] = {
        "kontrast": lambda: kontrast(engine, groups),
        "transformers, file order, 32": lambda: file_order(model, tokenizer, pairs),
    }
    expected: dict[str, Scores | None] = {}
    if name == "context":
        expected["transformers, file order, 32"] = None  # it sums the context too
    else:
        # CTranslate2 leaves padding out of the softmax: compare it with kontrast's numbers for that
        no_pad = EngineOptions(device="cpu", softmax_pad=False)
        expected["CTranslate2, one sorted call"] = kontrast(engine_of(model, tokenizer, no_pad, "marian"), groups)
        translator = Translator(str(made.ct2(folder)), compute_type="float32", intra_threads=threads, inter_threads=1)
        runs["transformers, sorted, 1024 tokens"] = lambda: length_sorted(model, tokenizer, pairs)
        runs["CTranslate2, one sorted call"] = lambda: ctranslate2(translator, tokenizer, pairs)
    return compare(name, runs, rounds, engine, groups, expected)


def language_model_run(name: str, groups: list[Group], rounds: int) -> dict[str, Any]:
    model, tokenizer = made.language_model()
    options = EngineOptions(device="cpu", source_language="en", target_language="fr")
    engine: Any = engine_of(model, tokenizer, options, "llama")
    engine.prepare(groups)
    paths = [path for task in engine.read(groups) for path in task.paths]
    rows = [([*path.inputs, path.labels[-1]], len(path.labels)) for path in paths]
    runs = {
        "kontrast": lambda: kontrast(engine, groups),
        "transformers, full passes": lambda: full_passes(model, tokenizer, rows),
    }
    return compare(name, runs, rounds, engine, groups)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="marian-1,marian-4,lm-1,lm-4,context")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not made.DATA.is_dir():
        print("the shared real data is not beside this checkout", file=sys.stderr)
        return
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(given.threads)
    torch.set_grad_enabled(False)
    few = max(10, given.items // 2)
    jobs: dict[str, Callable[[], dict[str, Any]]] = {
        "marian-1": lambda: marian_run("marian-1", made.pronouns(given.items), given.threads, given.rounds),
        "marian-4": lambda: marian_run("marian-4", made.four_foils(few), given.threads, given.rounds),
        "lm-1": lambda: language_model_run("lm-1", made.pronouns(few), given.rounds),
        "lm-4": lambda: language_model_run("lm-4", made.four_foils(max(10, few // 2)), given.rounds),
        "context": lambda: marian_run("context", made.pronouns(few, "prev:3"), given.threads, given.rounds),
    }
    results = []
    for name in given.only.split(","):
        results.append(jobs[name]())
        if not given.json:
            show(results[-1])
    if given.json:
        print(json.dumps(results, indent=1))


def show(result: dict[str, Any]) -> None:
    print(f"\n{result['set']}: {result['rows']} rows, {result['rows_per_second']:.0f} rows/s; run {result['run']}")
    print(
        f"  {result['gflops']:.0f} GFLOP/s, {result['share_of_sgemm']:.0%} of what one large multiplication reaches "
        f"({result['sgemm_gflops']:.0f})"
    )
    print(f"  {'against':36} {'ratio':>7} {'by CPU':>7} {'bar':>6}  largest difference")
    for peer in result["peers"]:
        gap = "–" if peer["largest_difference"] is None else f"{peer['largest_difference']:.1e}"
        bar = f"{peer['bar']:.2f}" if peer["bar"] else ""
        print(f"  {peer['against']:36} {peer['ratio']:6.2f}× {peer['ratio_cpu']:6.2f}× {bar:>6}  {gap}", flush=True)


if __name__ == "__main__":
    main()
