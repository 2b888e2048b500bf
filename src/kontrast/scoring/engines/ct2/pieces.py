"""Text to pieces for CTranslate2 models: a Transformers tokenizer, or one SentencePiece model for each side."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io.json_input import read_json
from kontrast.scoring.engine import EngineOptions, Group, Side
from kontrast.scoring.fingerprint import file_digest
from kontrast.scoring.template import source_template
from kontrast.scoring.trie import shared_start

__all__ = ["Pair", "Pieces", "load_pieces"]

Pair = tuple[list[str], list[str], int]
"""Pieces of source and target, and how many of the target's are forced."""
KNOWN = 0.9
"""A SentencePiece model that made a vocabulary knows nearly all of it."""


class Pieces(Protocol):
    """How a model's text is cut."""

    def render(self, group: Group) -> str: ...

    def cut(self, text: str, side: Side) -> list[str]: ...

    def pairs(self, groups: Sequence[Group]) -> list[Pair]: ...

    def spelled(self, pieces: Sequence[str]) -> str:
        """Written pieces as text."""
        ...

    def facts(self) -> Any:
        """Whatever decides how text is cut, for the fingerprint."""
        ...


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
        except KontrastError:
            raise
        except Exception as error:  # damaged files raise what the libraries below happen to raise
            reason = " ".join(str(error).split())[:200]
            raise KontrastError(f"--option tokenizer={name}: cannot be loaded ({reason})") from error
        self.render, self.cut = self.tokens.render, self.tokens.cut

    def spelled(self, pieces: Sequence[str]) -> str:
        return self.tokens.spelled(self.tokens.tokenizer.convert_tokens_to_ids(list(pieces)))

    def facts(self) -> Any:
        from kontrast.scoring.engines.transformer.loading import config_facts, tokenizer_facts

        return [tokenizer_facts(self.tokens.tokenizer), config_facts(self.tokens.config)]

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
    """Pieces from a SentencePiece model for each side, for models without language tokens."""

    def __init__(self, folder: Path, source: Path, target: Path, options: EngineOptions) -> None:
        try:
            from sentencepiece import SentencePieceProcessor
        except ImportError as error:
            raise MissingExtraError("ct2", "reading a SentencePiece model") from error
        self.paths, self.options = (source, target), options
        self.template = source_template(options.template, options)
        try:
            self.source, self.target = (SentencePieceProcessor(model_file=str(path)) for path in self.paths)
        except (OSError, RuntimeError) as error:
            raise InputError(source, f"expected a SentencePiece model ({error})") from error
        config = read_json(folder / "config.json", dict) if (folder / "config.json").exists() else {}
        self.end = [] if config.get("add_source_eos") else ["</s>"]

    def spelled(self, pieces: Sequence[str]) -> str:
        text: str = self.target.decode_pieces([piece for piece in pieces if piece not in ("<unk>", "<s>", "<pad>")])
        return text

    def facts(self) -> Any:
        return [file_digest(path) for path in self.paths]

    def render(self, group: Group) -> str:
        return group.source if self.template is None else self.template.render(group, self.options)

    def cut(self, text: str, side: Side) -> list[str]:
        pieces: list[str] = (self.source if side == "source" else self.target).encode(text, out_type=str)
        return pieces

    def pairs(self, groups: Sequence[Group]) -> list[Pair]:
        found: list[Pair] = []
        for group in groups:
            source = [*self.cut(self.render(group), "source"), *self.end]
            for target in group.targets:
                whole = self.cut(target.prefix + target.text, "target")
                found.append((source, whole, shared_start(self.cut(target.prefix, "target"), whole)))
        return found

    def known(self, folder: Path) -> float | None:
        """The share of the target vocabulary that the target's SentencePiece model has; None: no vocabulary found."""
        words = _vocabulary(folder)
        if not words:
            return None
        pieces = {self.target.id_to_piece(i) for i in range(self.target.get_piece_size())}
        return sum(word in pieces for word in words) / len(words)


def load_pieces(folder: str, options: EngineOptions) -> Pieces:
    """The tokenizer that the options name, else the one beside the model."""
    path, named, given = Path(folder), options.extra.get("tokenizer"), options.extra.get("spm")
    if given is not None:
        names = [Path(name) for name in given.split(",")]
        if len(names) != 2 or not all(name.is_file() for name in names):
            raise KontrastError(f"--option spm={given}: expected two files, SOURCE,TARGET")
        return _SentencePiece(path, names[0], names[1], options)
    if named is not None or (path / "tokenizer_config.json").exists():
        return _Transformers(named or folder, options)
    sides, one = [path / "source.spm", path / "target.spm"], path / "sentencepiece.model"
    if all(side.exists() for side in sides):
        return _SentencePiece(path, sides[0], sides[1], options)
    if not one.exists():
        raise InputError(folder, "no tokenizer beside the model; give --option tokenizer=NAME or spm=SOURCE,TARGET")
    both = _SentencePiece(path, one, one, options)
    known = both.known(path)
    if known is not None and known < KNOWN:
        raise InputError(
            one,
            f"it knows {known:.0%} of the target vocabulary, so it is the source side's alone; give both with "
            "--option spm=SOURCE,TARGET",
        )
    print(f"kontrast: {one.name} cuts both sides of {path.name}", file=sys.stderr)
    return both


def _vocabulary(folder: Path) -> list[str]:
    """The target's vocabulary as CTranslate2 keeps it, without special tokens."""
    for name in ("target_vocabulary", "shared_vocabulary", "vocabulary"):
        for path in (folder / f"{name}.json", folder / f"{name}.txt"):
            if path.is_file():
                text = path.read_text("utf-8", errors="replace")
                words = json.loads(text) if path.suffix == ".json" else text.split("\n")
                return [word for word in words if word and not (word.startswith("<") and word.endswith(">"))]
    return []
