"""``ct2:FOLDER``: CTranslate2 models, scored pair by pair with ``score_batch``.

The tokenizer is that of the folder (Transformers files or ``source.spm``/``target.spm`` beside the model), or of
``--option tokenizer=NAME``. Padding is not in CTranslate2's softmax.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.scoring.engine import EngineOptions, Group, Supports
from kontrast.scoring.fingerprint import file_digest
from kontrast.scoring.trie import shared_start
from kontrast.suites.model import TokenScores

__all__ = ["CTranslate2", "load"]

_PAIRS_AT_ONCE = 2048
Pair = tuple[list[str], list[str], int]


class CTranslate2:
    """Engine for a converted encoder-decoder model."""

    name = "ct2"

    def __init__(self, folder: str, options: EngineOptions) -> None:
        if not (Path(folder) / "model.bin").is_file():
            raise InputError(folder, "expected a folder with CTranslate2's model.bin")
        try:
            import ctranslate2
        except ImportError as error:
            raise MissingExtraError("ct2", "scoring with CTranslate2 models") from error
        self.model, self.options = folder, options
        device = "cpu" if options.device == "auto" and not ctranslate2.get_cuda_device_count() else options.device
        kind = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}.get(options.dtype, options.dtype)
        try:
            self.translator = ctranslate2.Translator(
                folder, device=device, compute_type=kind, intra_threads=options.threads or 0
            )
        except (RuntimeError, ValueError) as error:
            raise KontrastError(f"--model ct2:{folder}: cannot be loaded ({error})") from error
        self.pieces = _pieces(folder, options)
        said = (options.source_language, options.target_language, kind, sorted(options.extra.items()))
        self.fingerprint = hashlib.sha256(f"{file_digest(Path(folder) / 'model.bin')}{said!r}".encode()).hexdigest()[
            :32
        ]
        self.supports = Supports()
        self.details = {"dtype": kind, "softmax": "no-pad"}

    def render(self, group: Group) -> str:
        return self.pieces.render(group)

    def prepare(self, groups: Sequence[Group]) -> None:
        """Report what a smaller type changes."""
        if self.details["dtype"] != "float32" and groups:
            from kontrast.scoring.engines.transformer.checks import in_full, report_flips

            report_flips(self.details["dtype"], self, CTranslate2(self.model, in_full(self.options)), groups)

    def score(self, groups: Sequence[Group]) -> Iterator[tuple[int, tuple[TokenScores, ...]]]:
        for part in _parts(groups):
            pairs = self.pieces.pairs([groups[i] for i in part])
            results = iter(
                self.translator.score_batch(
                    [source for source, _, _ in pairs],
                    [target for _, target, _ in pairs],
                    max_batch_size=self.options.batch_tokens,
                    batch_type="tokens",
                )
            )
            forced = iter(pairs)
            for i in part:
                yield i, tuple(_scores(next(results), next(forced)[2]) for _ in groups[i].targets)

    def close(self) -> None:
        self.translator.unload_model()


def _scores(result: Any, forced: int) -> TokenScores:
    return TokenScores(tuple(result.tokens[forced:]), tuple(result.log_probs[forced:]))


def _parts(groups: Sequence[Group]) -> Iterator[list[int]]:
    """Groups of similar length together, a few thousand pairs at a time."""
    part, size = [], 0
    for i in sorted(range(len(groups)), key=lambda i: -len(groups[i].source)):
        part.append(i)
        size += len(groups[i].targets)
        if size >= _PAIRS_AT_ONCE:
            yield part
            part, size = [], 0
    if part:
        yield part


class _Transformers:
    """Pieces from a Transformers tokenizer."""

    def __init__(self, name: str, options: EngineOptions) -> None:
        try:
            from transformers import AutoConfig, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError("hf", "reading a Transformers tokenizer") from error
        from kontrast.scoring.engines.transformer.tokens import Tokens

        try:
            self.tokens = Tokens(AutoTokenizer.from_pretrained(name), AutoConfig.from_pretrained(name), options)
        except (OSError, ValueError, KeyError) as error:
            raise KontrastError(f"--option tokenizer={name}: cannot be loaded ({str(error)[:200]})") from error
        self.render = self.tokens.render

    def pairs(self, groups: Sequence[Group]) -> list[Pair]:
        found: list[Pair] = []
        name = self.tokens.name
        for source, paths in zip(self.tokens.sources(groups), self.tokens.targets(groups), strict=True):
            for path in paths:
                forced = len(path.inputs) - len(path.labels)
                whole = [*path.inputs[1 : forced + 1], *path.labels[:-1]]
                found.append(([name(t) for t in source], [name(t) for t in whole], forced))
        return found


class _SentencePiece:
    """Pieces from ``source.spm`` and ``target.spm``, for models without language tokens."""

    def __init__(self, folder: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        one = folder / "sentencepiece.model"
        paths = [path if path.exists() else one for path in (folder / "source.spm", folder / "target.spm")]
        self.source, self.target = (SentencePieceProcessor(model_file=str(path)) for path in paths)
        config = json.loads((folder / "config.json").read_text()) if (folder / "config.json").exists() else {}
        self.end = [] if config.get("add_source_eos") else ["</s>"]

    def render(self, group: Group) -> str:
        return group.source

    def pairs(self, groups: Sequence[Group]) -> list[Pair]:
        found: list[Pair] = []
        for group in groups:
            source = [*self.source.encode(group.source, out_type=str), *self.end]
            for target in group.targets:
                whole = self.target.encode(target.prefix + target.text, out_type=str)
                prefix = self.target.encode(target.prefix, out_type=str)
                found.append((source, whole, shared_start(prefix, whole)))
        return found


def _pieces(folder: str, options: EngineOptions) -> _Transformers | _SentencePiece:
    path, named = Path(folder), options.extra.get("tokenizer")
    if named is not None:
        return _Transformers(named, options)
    if (path / "tokenizer_config.json").exists():
        return _Transformers(folder, options)
    if any((path / name).exists() for name in ("source.spm", "sentencepiece.model")):
        return _SentencePiece(path)
    raise InputError(folder, "no tokenizer beside the model; give --option tokenizer=NAME")


def load(name: str, options: EngineOptions) -> CTranslate2:
    """The engine for one converted model."""
    options.only("ct2", "tokenizer")
    return CTranslate2(name, options)
