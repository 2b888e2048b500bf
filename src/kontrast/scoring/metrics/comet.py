"""COMET and COMETKiwi (Rei et al.) through the unbabel-comet package, by hub name or local checkpoint.

The package pins older libraries than kontrast's other extras, so it is an extra of its own (``kontrast[comet]``) and
best installed in an environment of its own; the scores can then be written with ``--out`` and read anywhere.

With context it is Doc-COMET (Vernikos et al. 2022) as the package has it: the encoder reads the context, and only the
sentence's own tokens are pooled. Context that does not fit is left out, the oldest sentence first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, MissingExtraError, foreign_errors
from kontrast.extras import pymarian, sentencepiece
from kontrast.progress import Advance, say
from kontrast.scoring.engines.transformer.loading import pick_device
from kontrast.scoring.fingerprint import file_digest, versions
from kontrast.scoring.metrics.metric import Declaration, Metric, MetricOptions, Passage, Segment
from kontrast.scoring.metrics.regression import Regression, fingerprint

DEFAULTS = {"COMET": "Unbabel/wmt22-comet-da", "COMETKiwi": "Unbabel/wmt22-cometkiwi-da"}


class Comet(Regression):
    """See `kontrast.scoring.metrics.metric.Metric`."""

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        self.name, self.at_once = name, options.batch
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
            self.model.enable_context()
            if not self.model.use_context:
                pool = getattr(self.model.hparams, "pool", "otherwise")
                raise KontrastError(
                    f"--context: {self.name} reads context only with checkpoints that pool by average (this one: "
                    f"{pool}); leave --context out"
                )
            self.details["pooled"] = "sentence"
        return super().score(segments, advance)  # all at once: the package's own loader sorts and batches

    def text(self, segment: Segment, hypothesis: Passage) -> tuple[str, ...]:
        return tuple(map(self._fitting, (segment.source, hypothesis, *segment.references)))

    def _fitting(self, passage: Passage) -> str:
        """The text with as much of its context as the encoder takes: it would cut the sentence at its end."""
        encoder, before = self.model.encoder, passage.before
        while before and len(encoder.tokenizer(before + passage.text)["input_ids"]) > encoder.max_positions - 2:
            before = before.partition(self.declaration.separator)[2]
            self.details["context_cut"] = "yes"
        return before + passage.text

    def run(self, texts: Sequence[Any]) -> Sequence[float]:
        data = [dict(zip(("src", "mt", "ref"), row, strict=False)) for row in texts]
        found: list[float] = self.model.predict(
            data,
            batch_size=self.at_once,
            gpus=self.gpus,
            progress_bar=False,
            num_workers=0 if self.gpus == 0 else None,
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
        return MarianComet(name, model, options)
    return Comet(name, model or DEFAULTS[name], options)


_TYPE = re.compile(rb"^type: ['\"]?([\w-]+)", re.MULTILINE)
_LONGEST = re.compile(rb"^max-length: (\d+)", re.MULTILINE)


class MarianComet(Regression):
    """COMET in Marian's format (``COMET:model.npz`` with ``vocab.spm`` beside it), computed by pymarian.

    Marian's own script ``comet2marian.py`` writes such files from unbabel-comet's checkpoints; some are published.
    They need none of the libraries that unbabel-comet pins.
    """

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        path = Path(model)
        vocabulary = path.with_name("vocab.spm")
        for file, what in ((path, "a COMET model in Marian's format"), (vocabulary, "the model's vocabulary")):
            if not file.is_file():
                raise InputError(file, f"expected {what}")
        settings = path.read_bytes()
        kind, longest = ((found := pattern.search(settings)) and found[1].decode() for pattern in (_TYPE, _LONGEST))
        if kind not in ("comet", "comet-qe"):
            raise InputError(path, f"expected a model of type comet or comet-qe, found {kind}")
        if (kind == "comet-qe") != (name == "COMETKiwi"):
            raise KontrastError(
                f"--metric {name}:{model}: a model of type {kind} needs --metric COMET{'Kiwi' * (kind != 'comet')}"
            )
        self.name, self.longest = name, int(longest or 512)
        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary))
        with foreign_errors(f"--metric {name}:{model}: cannot be loaded"):  # C++ exceptions of any kind
            self.marian = pymarian.Evaluator.new(  # the workspace grows where it must; pymarian's default is 8 GB
                model_file=path,
                vocab_file=vocabulary,
                like=kind,
                cpu_threads=1,
                mini_batch=options.batch,
                workspace=512,
                quiet="",
            )
        free = kind == "comet-qe"
        self.declaration = Declaration("unused" if free else "needed", "needed", references=1)
        weights = file_digest(path)[:8]
        self.details = {"checkpoint": path.name, "weights": weights, "ref": "no" if free else "yes"}
        self.details |= {"vocabulary": file_digest(vocabulary)[:8], **versions("pymarian")}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        if any(passage.before for s in segments for passage in (s.source, *s.references, *s.hypotheses)):
            raise KontrastError(f"--context: {self.name} by pymarian pools the whole text; leave out --context")
        self._check({text for s in segments for h in s.hypotheses for text in self.text(s, h)})
        return super().score(segments, advance)

    def text(self, segment: Segment, hypothesis: Passage) -> tuple[str, ...]:
        read = 2 if self.declaration.reference == "unused" else 3  # Marian aborts where there is one more
        passages = (segment.source, hypothesis, *segment.references)[:read]
        return tuple(" ".join(each.text.split()) for each in passages)

    def _check(self, texts: set[str]) -> None:
        """Marian stops at an empty text, gives other numbers for all of a batch where one is too long for the model's
        positions, and reads an unknown piece as the begin of a text."""
        cut = [self.pieces.encode(text) for text in sorted(texts)]
        longest = 2 + max(map(len, cut), default=0)
        if "" in texts or longest > self.longest:
            what = (
                "a text is empty"
                if "" in texts
                else f"a text has {longest} tokens, but the model takes only {self.longest}"
            )
            raise KontrastError(f"{self.name} by pymarian: {what}")
        if unknown := sum(ids.count(self.pieces.unk_id()) for ids in cut):
            self.details["unknown_pieces"] = str(unknown)
            say(f"warning: {self.name} does not know {unknown} pieces of the texts")

    def run(self, texts: Sequence[tuple[str, ...]]) -> Sequence[float]:
        return [float(value) for value in self.marian.evaluate(["\t".join(row) for row in texts])]
