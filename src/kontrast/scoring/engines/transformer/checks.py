"""Is sharing right, and what does a smaller dtype change? Both are measured on a sample before the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.progress import say
from kontrast.scoring.engine import Engine, EngineOptions, Group
from kontrast.scoring.trie import TokenPath

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import TokenTask

FLIP_SAMPLE = 40


def tolerance(dtype: str) -> float:
    """1e-3 in single precision; what rounding alone does in half precision."""
    return 1e-3 if dtype == "float32" else 0.5


def known_ids(network: Any, tasks: Sequence[TokenTask]) -> None:
    """Refuse tokens that the model has no embedding for: its tokenizer belongs to another model."""
    rows = network.get_input_embeddings().weight.shape[0]
    output = network.get_output_embeddings()
    limits = (rows, rows if output is None else output.weight.shape[0])
    read = max((max(task.source) for task in tasks if task.source), default=0)
    said = max((max(*path.inputs, *path.labels) for task in tasks for path in task.paths), default=0)
    for token, limit in zip((read, said), limits, strict=True):
        if token >= limit:
            raise KontrastError(
                f"the tokenizer gives token {token}, but the model has {limit} embeddings; it may be the tokenizer "
                f"of another model"
            )


def in_full(options: EngineOptions) -> EngineOptions:
    """The same options in single precision."""
    return msgspec.structs.replace(options, dtype="float32")


def report_flips(dtype: str, engine: Engine, exact: Engine, groups: Sequence[Group]) -> None:
    """Say in how many sampled groups the best target changes with the dtype."""
    chosen = [group for group in groups if len(group.targets) > 1]
    chosen = chosen[:: max(1, len(chosen) // FLIP_SAMPLE)][:FLIP_SAMPLE]

    def best(scorer: Engine) -> dict[int, int]:
        sums = {i: [sum(target.logprobs) for target in found] for i, found in scorer.score(chosen)}
        return {i: max(range(len(values)), key=values.__getitem__) for i, values in sums.items()}

    rough, fine = best(engine), best(exact)
    flipped = sum(rough[i] != fine[i] for i in fine)
    say(f"{dtype} prefers another target than float32 in {flipped} of {len(fine)} sampled groups")


def converted(model: Any, device: str, dtype: Any) -> Any:
    """The model on its device in its dtype; a copy where single precision is still needed for comparison."""
    import copy

    if is_placed(model):
        return model.eval().requires_grad_(False)
    if dtype != torch.float32:
        model = copy.deepcopy(model)
    return model.to(device=device, dtype=dtype).eval().requires_grad_(False)


def is_placed(model: Any) -> bool:
    """Are its weights spread over devices or rounded already? Then they stay where and as they are."""
    return getattr(model, "hf_device_map", None) is not None or _rounding(model) is not None


def _rounding(model: Any) -> Any:
    """How its weights are rounded; None where they are not, or were unpacked (GGUF)."""
    how = getattr(model.config, "quantization_config", None) if getattr(model, "is_quantized", False) else None
    return None if getattr(how, "quant_method", None) == "gguf" else how


def precision(model: Any, dtype: Any) -> str:
    """The dtype by name, with the way in which weights are rounded below it."""
    name = str(dtype).removeprefix("torch.")
    if (how := _rounding(model)) is None:
        return name
    bits = next((bits for bits in (8, 4) if getattr(how, f"load_in_{bits}bit", False)), None)
    return f"{bits} bits in {name}" if bits else f"{how.quant_method.value} in {name}"


def padded(rows: Sequence[Sequence[int]], pad: int, device: str, *, left: bool = False) -> tuple[Any, Any]:
    """(ids, mask) as rectangles."""

    def filled(parts: Sequence[Sequence[int]], filler: int) -> Any:
        free = [[filler] * (longest - len(part)) for part in parts]
        both = zip(free, parts, strict=True) if left else zip(parts, free, strict=True)
        return torch.tensor([[*first, *second] for first, second in both], device=device)

    longest = max(map(len, rows))
    return filled(rows, pad), filled([[1] * len(row) for row in rows], 0)


def own_logprobs(logits: Any, path: TokenPath, skipped: int = 0) -> list[float]:
    """Log-probabilities of a path's labels from the logits at its inputs, without the first ``skipped`` ones."""
    first = len(path.inputs) - len(path.labels) - skipped
    chosen = torch.log_softmax(logits[first : len(path.inputs) - skipped].float(), dim=-1)
    labels = torch.tensor(path.labels, device=logits.device)
    values: list[float] = chosen.gather(-1, labels[:, None])[:, 0].tolist()
    return values
