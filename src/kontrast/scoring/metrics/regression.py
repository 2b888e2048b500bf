"""What metrics over a Transformers model with one number at its end share: loading, batches, a clear error."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, foreign_errors
from kontrast.extras import torch, transformers
from kontrast.progress import Advance
from kontrast.scoring.engines.transformer.loading import pick_device
from kontrast.scoring.metrics.metric import MetricOptions, Passage, Segment

DIGITS = 6
"""Of a prediction: what comes after depends on what else is in the batch, and would break ties."""


def load_model(
    metric: str, name: str, kind: str, options: MetricOptions, tokenizer: str | None = None, **how: Any
) -> Any:
    """(model, tokenizer, device): the class of Transformers called ``kind``, from a folder or the hub."""
    device = pick_device(options.device)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    if name.startswith((".", "/", "~")) and not Path(name).expanduser().is_dir():
        raise InputError(name, "expected a folder with a Transformers model")
    with foreign_errors(f"--metric {metric}:{name}: cannot be loaded"):
        model, info = getattr(transformers, kind).from_pretrained(
            name, dtype="float32", output_loading_info=True, trust_remote_code=False
        )
        made = transformers.AutoTokenizer.from_pretrained(tokenizer or name, trust_remote_code=False, **how)
    refuse_random(metric, name, info)
    return model.to(device).eval(), made, device


def refuse_random(metric: str, name: str, info: Any) -> None:
    """Weights that a checkpoint lacks would be random; the pooler is the one that no metric reads."""
    missing = sorted(key for key in info["missing_keys"] if "pooler" not in key)
    if missing or info["mismatched_keys"]:
        shown = ", ".join([*missing, *map(str, info["mismatched_keys"])][:3])
        raise KontrastError(f"--metric {metric}:{name}: the checkpoint lacks weights of this model ({shown})")


def fingerprint(model: Any) -> str:
    """Of all the weights of a torch model."""
    digest = hashlib.sha256()
    for name, weights in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(weights.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:8]


def predict(
    segments: Sequence[Segment],
    text_of: Callable[[Segment, Passage], Any],
    batch: int,
    run: Callable[[Sequence[Any]], Sequence[float]],
    advance: Advance,
) -> list[tuple[float, ...]]:
    """One number per hypothesis; equal texts are run once, and texts of similar length together.

    ``text_of`` is what the model reads of a segment with one hypothesis. A batch of 0 is all at once.
    """
    texts = [text_of(segment, hypothesis) for segment in segments for hypothesis in segment.hypotheses]
    different = sorted(set(texts), key=lambda text: len(str(text)))
    known: dict[Any, float] = {}
    share = len(texts) / max(1, len(different))
    batch = batch or max(1, len(different))
    for start in range(0, len(different), batch):
        chosen = different[start : start + batch]
        for text, value in zip(chosen, run(chosen), strict=True):
            known[text] = round(float(value), DIGITS)
        advance(int((start + len(chosen)) * share) - int(start * share))
    values = iter(texts)
    return [tuple(known[next(values)] for _ in segment.hypotheses) for segment in segments]
