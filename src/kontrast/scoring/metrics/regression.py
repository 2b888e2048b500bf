"""Metrics over a model with one number at its end: what they share (loading, batches), BLEURT and MetricX."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, foreign_errors
from kontrast.extras import torch, transformers
from kontrast.progress import Advance
from kontrast.scoring.engines.transformer.loading import pick_device
from kontrast.scoring.engines.transformer.routes import padded
from kontrast.scoring.metrics.metric import SHARD, Declaration, Metric, MetricOptions, Passage, Segment

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
    # Weights that a checkpoint lacks would be random; the pooler is the one that no metric reads.
    missing = sorted(key for key in info["missing_keys"] if "pooler" not in key)
    if wrong := [*missing, *map(str, info["mismatched_keys"])]:
        told = ", ".join(wrong[:3])
        raise KontrastError(f"--metric {metric}:{name}: the checkpoint lacks weights of this model ({told})")
    return model.to(device).eval(), made, device


def fingerprint(model: Any) -> str:
    """Of all the weights of a torch model."""
    digest = hashlib.sha256()
    for name, weights in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(weights.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:8]


class Regression:
    """See `kontrast.scoring.metrics.metric.Metric`. A subclass says what its model reads, and runs it."""

    shard = SHARD
    batch = 0
    """Texts at a time; 0 is all at once."""

    def text(self, segment: Segment, hypothesis: Passage) -> Any:
        """What the model reads of a segment with one hypothesis."""
        raise NotImplementedError

    def run(self, texts: Sequence[Any]) -> Sequence[float]:
        """The model's numbers."""
        raise NotImplementedError

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        """One number per hypothesis; equal texts are run once, and texts of similar length together."""
        texts = [self.text(segment, hypothesis) for segment in segments for hypothesis in segment.hypotheses]
        different = sorted(set(texts), key=lambda text: len(str(text)))
        known: dict[Any, float] = {}
        share = len(texts) / max(1, len(different))
        batch = self.batch or max(1, len(different))
        for start in range(0, len(different), batch):
            chosen = different[start : start + batch]
            for text, value in zip(chosen, self.run(chosen), strict=True):
                known[text] = round(float(value), DIGITS)
            advance(int((start + len(chosen)) * share) - int(start * share))
        values = iter(texts)
        return [tuple(known[next(values)] for _ in segment.hypotheses) for segment in segments]


BLEURT = "Elron/bleurt-base-512"
INSTALL = "pip install 'bleurt @ git+https://github.com/google-research/bleurt'"


class Bleurt(Regression):
    """BLEURT (Sellam et al. 2020): an encoder reads reference and translation. Of several the best score counts.

    ``BLEURT:MODEL`` is a checkpoint in Transformers' format with one number at its end (a hub name or a folder). A
    folder of the original package's (with ``bleurt_config.json``) is run by that package, installed by hand.
    """

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        options.only(name)
        self.name, self.batch, model = name, options.batch, model or BLEURT
        self.original = _original(model) if (Path(model) / "bleurt_config.json").exists() else None
        self.declaration = Declaration()
        if self.original is None:
            self.model, self.tokenizer, self.device = load_model(
                self.name, model, "AutoModelForSequenceClassification", options
            )
            if self.model.config.num_labels != 1:
                raise KontrastError(
                    f"--metric BLEURT:{model}: expected a model with one output number, "
                    f"found {self.model.config.num_labels}"
                )
        self.details = {"checkpoint": Path(model).name if Path(model).exists() else model}
        self.details |= {"weights": fingerprint(self.model)} if self.original is None else {}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        pairs = [Segment(s.source, (r,), (h,)) for s in segments for h in s.hypotheses for r in s.references]
        values = iter(super().score(pairs, advance))
        return [tuple(max(next(values)[0] for _ in s.references) for _ in s.hypotheses) for s in segments]

    def text(self, segment: Segment, hypothesis: Passage) -> tuple[str, str]:
        return segment.references[0].joined, hypothesis.joined

    def run(self, texts: Sequence[Any]) -> Sequence[float]:
        references, hypotheses = map(list, zip(*texts, strict=True))
        if self.original is not None:
            told: list[float] = self.original.score(references=references, candidates=hypotheses)
            return told
        longest = min(512, int(self.model.config.max_position_embeddings))
        inputs = self.tokenizer(
            references,
            hypotheses,
            padding=True,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
        ).to(self.device)
        with torch.inference_mode():
            found: list[float] = self.model(**inputs).logits[:, 0].float().tolist()
        return found


def _original(folder: str) -> Any:
    try:
        from bleurt import score
    except ImportError as error:
        raise KontrastError(f"--metric BLEURT:{folder} is a checkpoint of the bleurt package: {INSTALL}") from error
    return score.BleurtScorer(folder)


METRICX = "google/metricx-24-hybrid-large-v2p6"
TOKENIZER = "google/mt5-xl"
WORD = 250089
"""``<extra_id_10>`` in mT5's vocabulary."""
WORST = 25.0
LONGEST = {"23": 1024, "24": 1536}


class MetricX(Regression):
    """MetricX-23 and -24 (Juraska et al.): an mT5 gives an error score from 0 to 25; lower is better.

    The score is the logit of one unused word at the decoder's first step, cut to the range. Any checkpoint in that
    format is loaded by hub name or folder. ``?version=23`` for the older input; ``?reference=no`` without references.
    """

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        extra, model = options.only(name, "version", "reference", "tokenizer"), model or METRICX
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

    def text(self, segment: Segment, hypothesis: Passage) -> str:
        """What the model reads; the order of the parts differs between versions."""
        source = f"source: {segment.source.joined}"
        candidate = f"candidate: {hypothesis.joined}"
        reference = [f"reference: {segment.references[0].joined}"] if self.reference else []
        if self.version == "24":
            return " ".join([source, candidate, *reference])
        return " ".join([candidate, *(reference or [source])])

    def run(self, texts: Sequence[Any]) -> Sequence[float]:
        # The model was trained without the end mark.
        longest = LONGEST[self.version]
        ids = [self.tokenizer(text, truncation=True, max_length=longest)["input_ids"][:-1] for text in texts]
        rows, mask = padded(ids, 0, self.device)
        start = torch.zeros((len(ids), 1), dtype=torch.long, device=self.device)
        with torch.inference_mode():
            logits = self.model(input_ids=rows, attention_mask=mask, decoder_input_ids=start).logits
        found: list[float] = logits[:, 0, WORD].float().clamp(0.0, WORST).tolist()
        return found


def load(name: str, model: str, options: MetricOptions) -> Metric:
    """The metric of that name."""
    return Bleurt(name, model, options) if name == "BLEURT" else MetricX(name, model, options)
