"""COMET and COMETKiwi (Rei et al.) through the unbabel-comet package, by hub name or local checkpoint (see also
`comet_marian`).

The package pins older libraries than kontrast's other extras, so it is an extra of its own (``kontrast[comet]``) and
best installed in an environment of its own; the scores can then be written with ``--out`` and read anywhere.

With context it is Doc-COMET (Vernikos et al. 2022) as the package has it: the encoder reads the context, and only the
sentence's own tokens are pooled. Context that does not fit is left out, the oldest sentence first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, MissingExtraError, foreign_errors
from kontrast.progress import Advance
from kontrast.scoring.engines.transformer.loading import pick_device
from kontrast.scoring.metrics.metric import SHARD, Declaration, Metric, MetricOptions, Passage, Segment
from kontrast.scoring.metrics.regression import fingerprint, predict

DEFAULTS = {"COMET": "Unbabel/wmt22-comet-da", "COMETKiwi": "Unbabel/wmt22-cometkiwi-da"}


class Comet:
    """See `kontrast.scoring.metrics.metric.Metric`."""

    shard = SHARD

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        self.name, self.batch = name, options.batch
        self.model = _load(name, model)
        self.gpus = int(pick_device(options.device) != "cpu")
        free = not self.model.requires_references()
        mark = self.model.encoder.tokenizer.sep_token
        self.declaration = Declaration(
            "unused" if free else "needed", "needed", separator=f" {mark} " if mark else " ", references=1
        )
        weights = fingerprint(self.model)
        self.details = {"checkpoint": _shown(model), "weights": weights, "ref": "no" if free else "yes"}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        if any(passage.before for s in segments for passage in (s.source, *s.references, *s.hypotheses)):
            self._enable_context()
        return predict(segments, self._row, 0, self._run, advance)  # the package's own loader sorts and batches

    def _row(self, segment: Segment, hypothesis: Passage) -> tuple[str, ...]:
        return tuple(map(self._fitting, (segment.source, hypothesis, *segment.references)))

    def _enable_context(self) -> None:
        self.model.enable_context()
        if not self.model.use_context:
            pool = getattr(self.model.hparams, "pool", "otherwise")
            raise KontrastError(
                f"--context: {self.name} reads context only with checkpoints that pool by average "
                f"(this one: {pool}); leave --context out"
            )
        self.details["pooled"] = "sentence"

    def _fitting(self, passage: Passage) -> str:
        """The text with as much of its context as the encoder takes: it would cut the sentence at its end."""
        encoder, before = self.model.encoder, passage.before
        while before and len(encoder.tokenizer(before + passage.text)["input_ids"]) > encoder.max_positions - 2:
            before = before.partition(self.declaration.separator)[2]
            self.details["context_cut"] = "yes"
        return before + passage.text

    def _run(self, rows: Sequence[Any]) -> Sequence[float]:
        data = [dict(zip(("src", "mt", "ref"), row, strict=False)) for row in rows]
        found: list[float] = self.model.predict(
            data, batch_size=self.batch, gpus=self.gpus, progress_bar=False, num_workers=0 if self.gpus == 0 else None
        ).scores
        return found


def _load(name: str, model: str) -> Any:
    try:
        import comet
    except ModuleNotFoundError as error:
        if error.name == "comet":
            raise MissingExtraError("comet", f"{name} (unbabel-comet, best in a separate environment)") from error
        raise KontrastError(f"{name}: unbabel-comet is installed but lacks the module {error.name}") from error
    except ImportError as error:
        raise KontrastError(f"{name}: unbabel-comet cannot be imported ({error})") from error
    path = _checkpoint(model)
    with foreign_errors(f"--metric {name}:{model}: cannot be loaded"):
        path = path or Path(comet.download_model(model))
        return comet.load_from_checkpoint(str(path), local_files_only=Path(model).exists())


def _checkpoint(model: str) -> Path | None:
    """The checkpoint's file where a path was given; None for a name on the hub."""
    path = Path(model)
    if path.is_dir():
        found = sorted(path.glob("checkpoints/*.ckpt"))
        if not found:
            raise InputError(path, "expected a COMET model: hparams.yaml and checkpoints/model.ckpt")
        return found[0]
    if path.is_file() or model.endswith(".ckpt"):
        if not path.is_file():
            raise InputError(path, "there is no such checkpoint")
        return path
    return None


def _shown(model: str) -> str:
    path = Path(model)
    return path.parent.parent.name if path.is_file() else (path.name if path.is_dir() else model)


def load(name: str, model: str, options: MetricOptions) -> Metric:
    """The checkpoint named, or the family's usual one; a file in Marian's format is computed by pymarian."""
    options.only(name)
    if model.endswith((".npz", ".bin")):
        from kontrast.scoring.metrics.comet_marian import MarianComet

        return MarianComet(name, model, options)
    return Comet(name, model or DEFAULTS[name], options)
