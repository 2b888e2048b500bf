"""Ways to score a batch, fastest first, and the choice among them: the first that gives the numbers of single rows.

A row on its own, without padding and without a cache, is what every other way is held against: on the shortest, a
middle and the longest of the groups at once.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
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
    if is_placed(model):
        return model.eval().requires_grad_(False)
    own = model if dtype == torch.float32 else copy.deepcopy(model)
    return own.to(device=device, dtype=dtype).eval().requires_grad_(False)


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
    return list(chosen.gather(-1, labels[:, None])[:, 0].tolist())


class Route(msgspec.Struct, frozen=True):
    """A way to score: it gives the log-probabilities of a batch's labels in order.

    ``words`` say it to the user, ``sharing`` what it computes once per group.
    """

    words: str
    run: Callable[[Sequence[TokenTask]], list[float]]
    sharing: tuple[str, ...] = ()


def one_by_one(plain: Callable[[Sequence[TokenTask]], list[float]]) -> Route:
    """Every row on its own."""

    def run(tasks: Sequence[TokenTask]) -> list[float]:
        rows = [msgspec.structs.replace(task, paths=[path]) for task in tasks for path in task.paths]
        return [value for row in rows for value in plain([row])]

    return Route("row by row", run)


def choose(
    model: str, routes: Sequence[Route], single: Route, tasks: Sequence[TokenTask], tolerance: float, causal: bool
) -> Route:
    """The first route whose sums of a sample are those of single rows; a note says where that is not the first."""
    sample, ways = _sample(tasks), [*routes, single]
    with torch.inference_mode():
        try:
            right = _sums(single.run(sample), sample)
        except Exception as error:
            raise KontrastError(f"{model}: the model fails: {_said(error)}") from error
        if not all(map(math.isfinite, right)):
            return ways[0]  # the run ends with the name of the row
        if causal:
            _refuse_lookahead(model, single, sample[0], tolerance)
        for route, following in zip(ways, [*ways[1:], None], strict=True):
            try:
                gap = _largest_gap(_sums(route.run(sample), sample), right)
                problem = f"differs by {gap:.2g} from single rows on a sample"
            except Exception as error:  # an architecture that this way does not know raises whatever it happens to
                gap, problem = math.inf, f"does not run {_said(error)}"
            if gap <= tolerance:
                return route
            if following is not None:
                say(f"{model}: scoring {route.words} {problem}; kontrast scores {following.words} instead")
    raise KontrastError(f"{model}: the scores differ from run to run (by {gap:.2g}) and cannot be used")


def _said(error: Exception) -> str:
    return f"({type(error).__name__}: {' '.join(str(error).split())[:120]})"


def _sample(tasks: Sequence[TokenTask]) -> list[TokenTask]:
    """The shortest, a middle and the longest group, those with several targets first."""
    ordered = sorted(tasks, key=lambda task: task.plain_size)
    several = [task for task in ordered if len(task.paths) > 1] or ordered
    places = sorted({0, len(several) // 2, len(several) - 1})
    return [several[place] for place in places]


def _sums(values: Sequence[float], tasks: Sequence[TokenTask]) -> list[float]:
    rest = iter(values)
    return [sum(next(rest) for _ in path.labels) for task in tasks for path in task.paths]


def _largest_gap(one: list[float], other: list[float]) -> float:
    gaps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    return max((gap if gap == gap else float("inf") for gap in gaps), default=0.0)


def _refuse_lookahead(model: str, single: Route, task: TokenTask, tolerance: float) -> None:
    """Refuse a network that reads what follows the token that it predicts: another last token must change nothing."""
    path = task.paths[0]
    others = [token for token in path.inputs if token != path.inputs[-1]]
    if len(path.labels) < 2 or not others:
        return
    changed = msgspec.structs.replace(path, inputs=(*path.inputs[:-1], others[0]))
    rows = (path, path, changed)
    before, again, after = (single.run([msgspec.structs.replace(task, paths=[p])])[:-1] for p in rows)
    if (gap := _largest_gap(before, again)) > tolerance / 50:
        raise KontrastError(f"{model}: the scores differ from run to run (by {gap:.2g}) and cannot be used")
    if _largest_gap(before, after) > tolerance / 50:
        raise KontrastError(
            f"{model}: the model also reads the following words, so its scores are not probabilities of a text; a "
            'BERT-type model that was trained from left to right needs "is_decoder": true in config.json'
        )
