"""BLEURT (Sellam et al. 2020): an encoder that reads reference and translation and gives a score.

``BLEURT:MODEL`` is a checkpoint in Transformers' format with one number at its end (a hub name or a folder). A folder
of the original package's (with ``bleurt_config.json``) is run by that package, which has to be installed by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.progress import Advance
from kontrast.scoring.metrics.metric import SHARD, Declaration, MetricOptions, Segment
from kontrast.scoring.metrics.regression import fingerprint, load_model, predict

DEFAULT = "Elron/bleurt-base-512"
INSTALL = "pip install 'bleurt @ git+https://github.com/google-research/bleurt'"


class Bleurt:
    """See `kontrast.scoring.metrics.metric.Metric`. Of several references the best score counts."""

    shard = SHARD

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        options.only(name)
        self.name, self.batch, model = name, options.batch, model or DEFAULT
        self.original = _original(model) if (Path(model) / "bleurt_config.json").exists() else None
        self.declaration = Declaration()
        if self.original is None:
            self.model, self.tokenizer, self.device = load_model(
                self.name, model, "AutoModelForSequenceClassification", options
            )
            if self.model.config.num_labels != 1:
                raise KontrastError(
                    f"--metric BLEURT:{model}: expected a model with one number at its end, "
                    f"found {self.model.config.num_labels}"
                )
        self.details = {"checkpoint": Path(model).name if Path(model).exists() else model}
        self.details |= {"weights": fingerprint(self.model)} if self.original is None else {}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        pairs = [Segment(s.source, (r,), (h,)) for s in segments for h in s.hypotheses for r in s.references]
        run = self._run if self.original is None else self._run_original
        values = iter(predict(pairs, lambda s, h: (s.references[0].joined, h.joined), self.batch, run, advance))
        return [tuple(max(next(values)[0] for _ in s.references) for _ in s.hypotheses) for s in segments]

    def _run(self, pairs: Sequence[Any]) -> Sequence[float]:
        references, hypotheses = zip(*pairs, strict=True)
        longest = min(512, int(self.model.config.max_position_embeddings))
        inputs = self.tokenizer(
            list(references),
            list(hypotheses),
            padding=True,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        ).to(self.device)
        with torch.inference_mode():
            found: list[float] = self.model(**inputs).logits[:, 0].float().tolist()
        return found

    def _run_original(self, pairs: Sequence[Any]) -> Sequence[float]:
        references, hypotheses = zip(*pairs, strict=True)
        found: list[float] = self.original.score(  # type: ignore[union-attr]
            references=list(references), candidates=list(hypotheses)
        )
        return found


def _original(folder: str) -> Any:
    try:
        from bleurt import score
    except ImportError as error:
        raise KontrastError(f"--metric BLEURT:{folder} is a checkpoint of the bleurt package: {INSTALL}") from error
    return score.BleurtScorer(folder)


load = Bleurt
