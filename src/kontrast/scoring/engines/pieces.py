"""Text to pieces, for engines that are given pieces and give a number for each of them (CTranslate2, Marian).

A Transformers tokenizer cuts the text, or one SentencePiece model for each side.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from kontrast.errors import InputError, KontrastError, foreign_errors
from kontrast.extras import sentencepiece, transformers
from kontrast.io.json_input import read_json
from kontrast.progress import say
from kontrast.scoring.engine import EngineOptions, Group, Side, Target
from kontrast.scoring.fingerprint import file_digest
from kontrast.scoring.languages import own_mark, split_mark
from kontrast.scoring.template import marked_template
from kontrast.scoring.trie import less_opening, opening_of, shared_start
from kontrast.suites.model import TokenScores


class TargetPieces(NamedTuple):
    """The pieces of prefix and text; the first ``forced`` are read and not summed.

    ``replaced`` are the prefix's own last pieces where one of ``whole`` joins it with the text.
    """

    whole: list[str]
    forced: int
    replaced: list[str]

    @property
    def opening(self) -> list[str]:
        """The forced prefix alone."""
        return [*self.whole[: self.forced], *self.replaced]

    def scores(self, pieces: Sequence[str], values: Sequence[float], alone: Sequence[float] | None) -> TokenScores:
        """What was scored after the forced pieces; ``alone`` are the opening's own values, where a piece joins both.

        >>> TargetPieces(["a", "bc"], 1, ["b"]).scores(["a", "bc", "</s>"], [-1.0, -5.0, -0.5], [-1.0, -3.0])
        TokenScores(tokens=('bc', '</s>'), logprobs=(-2.0, -0.5))
        """
        opening = () if alone is None else alone[self.forced : len(self.opening)]
        return TokenScores(tuple(pieces[self.forced :]), less_opening(values[self.forced :], opening))


def target_pieces(cut: Callable[[str], list[str]], target: Target) -> TargetPieces:
    """A target as pieces.

    >>> target_pieces(str.split, Target("he came", "It rains, "))
    TargetPieces(whole=['It', 'rains,', 'he', 'came'], forced=2, replaced=[])
    """
    whole = cut(target.prefix + target.text)
    opening = cut(opening_of(target.prefix)) if target.prefix else []
    start = shared_start(opening, whole)
    return TargetPieces(whole, start, opening[start:])


def sentence_pieces(path: Path) -> Any:
    """The SentencePiece model of this file."""
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError) as error:
        raise InputError(path, f"expected a SentencePiece model ({error})") from error


def joined(model: Any, pieces: Sequence[str]) -> str:
    """Pieces as text; SentencePiece leaves the mark in those that only the model of the source has."""
    return str(model.decode_pieces(list(pieces))).replace("▁", " ").strip()


_LANGUAGE = re.compile(r"__[a-z]{2,3}__|[a-z]{3}_[A-Z][a-z]{3}|[a-z]{2}_[A-Z]{2}")
"""Language tokens of M2M100, NLLB and mBART."""
KNOWN = 0.9
"""A SentencePiece model that made a vocabulary knows nearly all of it."""


class PiecePair(NamedTuple):
    """Pieces of source and target."""

    source: list[str]
    target: TargetPieces


class TransformersPieces:
    """Pieces from a Transformers tokenizer; ``added`` are those that CTranslate2 itself adds to a source."""

    def __init__(self, folder: Path, name: str, options: EngineOptions) -> None:
        from kontrast.scoring.engines.transformer.tokens import Tokens

        with foreign_errors(f"--option tokenizer={name}: cannot be loaded"):
            tokenizer = transformers.AutoTokenizer.from_pretrained(name, trust_remote_code=False)
            own = Path(name) / "config.json"  # CTranslate2's hides that of Transformers
            config = (
                _stand_in(tokenizer, options)
                if own.with_name("model.bin").is_file()
                and (not own.is_file() or "model_type" not in read_json(own, dict))
                else transformers.AutoConfig.from_pretrained(name, trust_remote_code=False)
            )
            self.tokens = Tokens(tokenizer, config, options)
        self.render, self.cut, self.details = self.tokens.render, self.tokens.cut, self.tokens.details
        self.ends = _ends(folder)
        self.added = self.ends.added

    def spelled(self, pieces: Sequence[str]) -> str:
        return self.tokens.spelled(self.tokens.tokenizer.convert_tokens_to_ids(list(pieces)))

    def facts(self) -> Any:
        from kontrast.scoring.engines.transformer.loading import config_facts, tokenizer_facts

        config = self.tokens.config
        facts = config_facts(config) if hasattr(config, "to_dict") else vars(config)
        return [tokenizer_facts(self.tokens.tokenizer), facts]

    def pairs(self, groups: Sequence[Group]) -> list[PiecePair]:
        found: list[PiecePair] = []
        name = self.tokens.name
        for source, paths in zip(self.tokens.sources(groups), self.tokens.targets(groups), strict=True):
            for path in paths:
                forced = len(path.inputs) - len(path.labels)
                whole = [*path.inputs[1 : forced + 1], *path.labels[:-1]]
                source_pieces, target, replaced = ([name(t) for t in ids] for ids in (source, whole, path.replaced))
                found.append(PiecePair(self.ends.without(source_pieces), TargetPieces(target, forced, replaced)))
        return found


class SentencePieces:
    """Pieces from a SentencePiece model for each side; Marian's language mark is a token before them."""

    def __init__(self, folder: Path, source: Path, target: Path, options: EngineOptions) -> None:
        self.paths, self.options = (source, target), options
        self.source, self.target = map(sentence_pieces, self.paths)
        ends = _ends(folder)
        self.end, self.added = ([] if ends.adds_end else [ends.end]), ends.added
        words = _vocabulary(folder, "source")
        self.marks = own_mark(words, None)[1].values()
        self.template, mark = marked_template(options, words)
        self.details = {"mark": mark} if mark else {}
        others = [word for word in _vocabulary(folder, "source", special=True) if _LANGUAGE.fullmatch(word)]
        if len(others) > 1:
            raise KontrastError(
                f"the vocabulary has language tokens ({', '.join(others[:3])} …), which SentencePiece does not "
                f"set: give the original Transformers model with --option tokenizer=NAME"
            )

    def spelled(self, pieces: Sequence[str]) -> str:
        return joined(self.target, [piece for piece in pieces if piece not in ("<unk>", "<s>", "<pad>")])

    def facts(self) -> Any:
        return [*map(file_digest, self.paths), "blanks"]

    def render(self, group: Group) -> str:
        return self.template.render(group, self.options)

    def cut(self, text: str, side: Side) -> list[str]:
        mark, rest = split_mark(text) if side == "source" else ("", text)
        marks = [mark] if mark in self.marks else []
        return [*marks, *getattr(self, side).encode(rest if marks else text, out_type=str)]

    def pairs(self, groups: Sequence[Group]) -> list[PiecePair]:
        found: list[PiecePair] = []
        for group in groups:
            source = [*self.cut(self.render(group), "source"), *self.end]
            found += [PiecePair(source, target_pieces(partial(self.cut, side="target"), t)) for t in group.targets]
        return found


def load_pieces(folder: str, options: EngineOptions) -> TransformersPieces | SentencePieces:
    """The tokenizer that the options name, else the one beside the model."""
    path, named, given = Path(folder), options.extra.get("tokenizer"), options.extra.get("spm")
    if given is not None:
        names = [Path(name) for name in given.split(",")]
        if len(names) != 2 or not all(name.is_file() for name in names):
            raise KontrastError(f"--option spm={given}: expected two files, SOURCE,TARGET")
        return SentencePieces(path, names[0], names[1], options)
    if named is not None or (path / "tokenizer_config.json").exists():
        return TransformersPieces(path, named or folder, options)
    sides, one = [path / "source.spm", path / "target.spm"], path / "sentencepiece.model"
    if all(side.exists() for side in sides):
        return SentencePieces(path, sides[0], sides[1], options)
    if not one.exists():
        raise InputError(
            folder,
            "there is no tokenizer in the model's folder: copy source.spm and target.spm, or tokenizer_config.json "
            "and its files, into it, or give --option tokenizer=NAME or spm=SOURCE,TARGET",
        )
    both = SentencePieces(path, one, one, options)
    words = _vocabulary(path, "target")
    pieces = {both.target.id_to_piece(i) for i in range(both.target.get_piece_size())}
    known = sum(word in pieces for word in words) / len(words) if words else 1.0
    if known < KNOWN:
        raise InputError(
            one,
            f"it knows {known:.0%} of the target vocabulary, so it belongs only to the source; give both with "
            "--option spm=SOURCE,TARGET",
        )
    say(f"{one.name} tokenises both sides of {path.name}")
    return both


def _stand_in(tokenizer: Any, options: EngineOptions) -> Any:
    """What a tokenizer's class says of the model that it belongs to, where Transformers' config.json is not there."""
    kind = type(tokenizer).__name__.removesuffix("Fast").removesuffix("Tokenizer").lower()
    if kind.endswith("t5") and options.template is None:
        raise KontrastError(
            "T5's instruction is in Transformers' config.json, which is not in the folder of the converted model: "
            "give --template 'translate English to German: {source}' or a similar text, or --option tokenizer=NAME"
        )
    return SimpleNamespace(model_type=kind.removesuffix("50"), decoder_start_token_id=tokenizer.eos_token_id)


class _Ends(NamedTuple):
    """The tokens at the ends of a source, and which of them CTranslate2 adds by the model's settings."""

    begin: str
    end: str
    adds_begin: bool
    adds_end: bool

    @property
    def added(self) -> int:
        return self.adds_begin + self.adds_end

    def without(self, pieces: list[str]) -> list[str]:
        """A source without what CTranslate2 adds."""
        first = self.adds_begin and pieces[:1] == [self.begin]
        return pieces[first : len(pieces) - (self.adds_end and pieces[-1:] == [self.end])]


def _ends(folder: Path) -> _Ends:
    path = folder / "config.json"
    config = read_json(path, dict) if path.is_file() else {}
    begin, end = (str(config.get(f"{name}_token") or usual) for name, usual in (("bos", "<s>"), ("eos", "</s>")))
    return _Ends(begin, end, bool(config.get("add_source_bos")), bool(config.get("add_source_eos")))


def _vocabulary(folder: Path, side: Side, *, special: bool = False) -> list[str]:
    """A side's vocabulary as CTranslate2 keeps it, without special tokens unless they are asked for."""
    for name in (f"{side}_vocabulary", "shared_vocabulary", "vocabulary"):
        for path in (folder / f"{name}.json", folder / f"{name}.txt"):
            if path.is_file():
                text = path.read_text("utf-8", errors="replace")
                words = json.loads(text) if path.suffix == ".json" else text.split("\n")
                return [
                    word for word in words if word and (special or not (word.startswith("<") and word.endswith(">")))
                ]
    return []
