"""MetricX-23 and MetricX-24 (Juraska et al.): an mT5 that gives an error score from 0 (none) to 25; lower is better.

The score is the logit of one unused word at the decoder's first step, cut to the range. Any checkpoint in that format
is loaded by hub name or folder. ``?version=23`` for the older input; ``?reference=no`` without references.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.progress import Advance
from kontrast.scoring.engines.transformer.checks import padded
from kontrast.scoring.metrics.metric import SHARD, Declaration, MetricOptions, Passage, Segment
from kontrast.scoring.metrics.regression import fingerprint, load_model, predict

DEFAULT = "google/metricx-24-hybrid-large-v2p6"
TOKENIZER = "google/mt5-xl"
WORD = 250089
"""``<extra_id_10>`` in mT5's vocabulary."""
WORST = 25.0
LONGEST = {"23": 1024, "24": 1536}


class MetricX:
    """See `kontrast.scoring.metrics.metric.Metric`. Without a model it is MetricX-24 hybrid large."""

    shard = SHARD

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        extra, model = options.only(name, "version", "reference", "tokenizer"), model or DEFAULT
        named = re.search(r"metricx-(\d\d)", model)
        version = extra.get("version") or (named[1] if named else "24")
        reference = extra.get("reference", "yes") == "yes"
        if version not in LONGEST:
            raise KontrastError(f"--metric MetricX?version={version}: expected 23 or 24")
        # Published checkpoints come without a tokenizer.
        own = any(Path(model).glob("*token*")) or any(Path(model).glob("spiece.model"))
        chosen = extra.get("tokenizer") or (model if own else TOKENIZER)
        self.name = name
        self.model, self.tokenizer, self.device = load_model(
            name, model, "MT5ForConditionalGeneration", options, chosen
        )
        if self.model.config.vocab_size <= WORD:
            raise KontrastError(f"--metric MetricX:{model}: its vocabulary is not mT5's; is it a MetricX checkpoint?")
        self.version, self.reference, self.batch = version, reference, options.batch
        reads_source = version == "24" or not reference
        self.declaration = Declaration(
            "needed" if reference else "unused",
            "needed" if reads_source else "unused",
            lower_is_better=True,
            references=1,
        )
        self.details = {"checkpoint": Path(model).name, "weights": fingerprint(self.model)}
        self.details |= {"version": version, "ref": "yes" if reference else "no"}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        return predict(segments, self.text, self.batch, self._run, advance)

    def text(self, segment: Segment, hypothesis: Passage) -> str:
        """What the model reads; the order of the parts differs between versions."""
        source = f"source: {segment.source.joined}"
        candidate = f"candidate: {hypothesis.joined}"
        reference = [f"reference: {segment.references[0].joined}"] if self.reference else []
        if self.version == "24":
            return " ".join([source, candidate, *reference])
        return " ".join([candidate, *(reference or [source])])

    def _run(self, texts: Sequence[Any]) -> Sequence[float]:
        # The model was trained without the end mark.
        longest = LONGEST[self.version]
        ids = [self.tokenizer(text, truncation=True, max_length=longest)["input_ids"][:-1] for text in texts]
        rows, mask = padded(ids, 0, self.device)
        start = torch.zeros((len(ids), 1), dtype=torch.long, device=self.device)
        with torch.inference_mode():
            logits = self.model(input_ids=rows, attention_mask=mask, decoder_input_ids=start).logits
        found: list[float] = logits[:, 0, WORD].float().clamp(0.0, WORST).tolist()
        return found


load = MetricX
