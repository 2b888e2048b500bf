"""What keeps scoring from the speed of one large multiplication: its own multiplications, or what is around them?

A run of kontrast, then its multiplications alone, of the same shapes with the same weights and nothing around them;
and both once more by PyTorch's own `linear` instead of oneDNN's. Each is given as a share of what one large
`torch.mm` reaches in the same seconds. In turn, medians; with ``--cpu`` processor time, for one thread on a machine
with other work.

    python benchmarks/scoring_ceiling.py [--items 100] [--rounds 5] [--threads 2] [--cpu] [--only marian-1,lm-1]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import scoring
import scoring_models as made
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines.hf import engine_of
from kontrast.scoring.engines.transformer import matrix_products

Call = tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]


class Multiplications(TorchDispatchMode):
    """Notes rows, weight and bias of every linear layer; the rows are others of that shape, to save memory."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Call] = []
        self._rows: dict[Any, torch.Tensor] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        match str(func):
            case "mkldnn._linear_pointwise.default":
                self._note(*args[:3])
            case "aten.mm.default":
                self._note(args[0], args[1].t(), None)
            case "aten.addmm.default":
                self._note(args[1], args[2].t(), args[0])
            case "aten.addmm_.default":
                self._note(args[1], args[2].t(), None)
        return func(*args, **(kwargs or {}))

    def _note(self, rows: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> None:
        flat = (rows.numel() // rows.shape[-1], rows.shape[-1])
        if flat not in self._rows:
            self._rows[flat] = torch.randn(flat)
        self.calls.append((self._rows[flat], weight, bias))


def engine_for(name: str, items: int) -> tuple[Any, list[Any]]:
    few = max(10, items // 2)
    groups = {
        "marian-1": lambda: made.pronouns(items),
        "marian-4": lambda: made.four_foils(few),
        "lm-1": lambda: made.pronouns(few),
        "lm-4": lambda: made.four_foils(max(10, few // 2)),
        "context": lambda: made.pronouns(few, "prev:3"),
    }[name]()
    if name.startswith("lm"):
        options = EngineOptions(device="cpu", source_language="en", target_language="fr")
        engine: Any = engine_of(*made.language_model(), options, "llama")
    else:
        from transformers import MarianMTModel, MarianTokenizer

        folder = made.marian()
        tokenizer = MarianTokenizer.from_pretrained(folder)
        engine = engine_of(MarianMTModel.from_pretrained(folder), tokenizer, EngineOptions(device="cpu"), "marian")
    engine.prepare(groups)
    return engine, groups


def shares(name: str, items: int, rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    engine, groups = engine_for(name, items)
    with Multiplications() as noted:
        scoring.kontrast(engine, groups)
    work = scoring.gigaflop(engine, groups)
    counted = sum(2 * rows.numel() * weight.shape[0] for rows, weight, _ in noted.calls) / 1e9
    assert abs(counted / work - 1) < 0.02, f"{counted:.0f} GFLOP noted, {work:.0f} expected"

    def alone(multiply: Callable[..., Any]) -> None:
        for call in noted.calls:
            multiply(*call)

    def by_pytorch() -> None:
        with mock.patch.object(matrix_products, "_onednn", lambda: None):
            scoring.kontrast(engine, groups)

    runs = {
        "run": lambda: scoring.kontrast(engine, groups),
        "alone": lambda: alone(matrix_products.linear),
        "run, by PyTorch": by_pytorch,
        "alone, by PyTorch": lambda: alone(torch.nn.functional.linear),
    }
    found: dict[str, list[float]] = {what: [] for what in runs}
    for round_ in range(rounds + 1):
        for what, run in runs.items():
            before, start = large(clock), clock()
            run()
            rate = work / (clock() - start)
            if round_:  # the first one warms up
                found[what].append(2 * rate / (before + large(clock)))
    return {what: statistics.median(values) for what, values in found.items()}


def large(clock: Callable[[], float]) -> float:
    """What one large multiplication reaches now, in GFLOP/s."""
    left, right, out = torch.randn(2048, 2048), torch.randn(2048, 2048), torch.empty(2048, 2048)
    torch.mm(left, right, out=out)
    start = clock()
    for _ in range(3):
        torch.mm(left, right, out=out)
    return 3 * 2 * 2048**3 / (clock() - start) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cpu", action="store_true", help="processor time instead of wall time; for --threads 1")
    parser.add_argument("--only", default="marian-1,marian-4,lm-1,lm-4,context")
    given = parser.parse_args()
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(given.threads)
    torch.set_grad_enabled(False)
    for name in given.only.split(","):
        clock = time.process_time if given.cpu else time.perf_counter
        found = shares(name, given.items, given.rounds, clock)
        print(f"{name:10}", "; ".join(f"{what} {share:.0%}" for what, share in found.items()), flush=True)


if __name__ == "__main__":
    main()
