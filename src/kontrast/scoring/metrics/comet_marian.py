"""COMET in Marian's format (``COMET:model.npz`` with ``vocab.spm`` beside it), computed by pymarian.

Marian's own script ``comet2marian.py`` writes such files from unbabel-comet's checkpoints, and some are published.
They need none of the libraries that unbabel-comet pins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kontrast.errors import InputError, KontrastError, foreign_errors
from kontrast.extras import pymarian, sentencepiece
from kontrast.progress import Advance, say
from kontrast.scoring.fingerprint import file_digest, versions
from kontrast.scoring.metrics.metric import SHARD, Declaration, MetricOptions, Passage, Segment
from kontrast.scoring.metrics.regression import predict

_TYPE = re.compile(rb"^type: ['\"]?([\w-]+)", re.MULTILINE)
_LONGEST = re.compile(rb"^max-length: (\d+)", re.MULTILINE)


class MarianComet:
    """See `kontrast.scoring.metrics.metric.Metric`."""

    shard = SHARD

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        path = Path(model)
        vocabulary = path.with_name("vocab.spm")
        for file, what in ((path, "a COMET model in Marian's format"), (vocabulary, "the model's vocabulary")):
            if not file.is_file():
                raise InputError(file, f"expected {what}")
        settings = path.read_bytes()
        kind, longest = ((found := pattern.search(settings)) and found[1].decode() for pattern in (_TYPE, _LONGEST))
        if kind not in ("comet", "comet-qe"):
            raise InputError(path, f"expected a model of type comet or comet-qe, its settings say {kind}")
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
        self._check({text for s in segments for h in s.hypotheses for text in self._row(s, h)})
        return predict(segments, self._row, 0, self._run, advance)

    def _row(self, segment: Segment, hypothesis: Passage) -> tuple[str, ...]:
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

    def _run(self, rows: Sequence[tuple[str, ...]]) -> Sequence[float]:
        return [float(value) for value in self.marian.evaluate(["\t".join(row) for row in rows])]
