"""``marian:MODEL.npz``: Marian's own models, scored by pymarian where it is installed, else by ``marian-scorer``.

Both are the same program (``pymarian score`` is the scorer) and give a log-probability for every piece. Vocabularies
are those of ``MODEL.npz.decoder.yml`` or ``decoder.yml`` beside the model, or of ``--option vocabs=SOURCE,TARGET``.
With ``.spm`` vocabularies Marian cuts the text itself; with others (OPUS-MT's ``vocab.yml``) the text is cut here by
``source.spm`` and ``target.spm`` beside the model or by ``--option spm=SOURCE,TARGET``, and at blanks without these.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io.files import one_line, write_lines
from kontrast.scoring.engine import (
    Engine,
    EngineOptions,
    Group,
    Identity,
    Scored,
    Side,
    Supports,
    Target,
    refuse_longer,
)
from kontrast.scoring.engines.pieces import TargetPieces, joined, sentence_pieces, target_pieces
from kontrast.scoring.fingerprint import combine, file_digest, versions
from kontrast.scoring.languages import split_mark
from kontrast.scoring.template import marked_template
from kontrast.scoring.translator import Decoding, Translation, Translator, Written, with_decoding
from kontrast.scoring.trie import opening_of, shared_start
from kontrast.suites.model import TokenScores

BEAMS = 4
FACTOR = 3
"""A translation may have so many times the pieces of its source: Marian's own limit."""
AT_ONCE = 500
"""Groups that one run of the program gets."""
_LONGEST = 10_000
"""Marian leaves out pairs above its default of 1000 pieces without a word."""


class MarianScorer(Engine, Translator):
    """Writes sources and targets into files, runs the scorer on them, reads log-probabilities line by line."""

    name = "marian"

    def __init__(self, model: str, options: EngineOptions) -> None:
        options.only("marian", "vocabs", "spm", "scorer", "decoder", "tokens", "args")
        path = Path(model)
        if not path.is_file():
            raise InputError(model, "expected a Marian model (.npz or .bin)")
        if options.dtype not in ("float32", "fp32"):
            raise KontrastError(f'--dtype {options.dtype}: use the options of Marian, as in --option args="--fp16"')
        options.without_examples("marian")
        self.model, self.options = model, options
        vocabularies = _pair(options, "vocabs") or _said_vocabularies(path)
        if vocabularies is None:
            raise KontrastError("marian: give both vocabularies as --option vocabs=SOURCE,TARGET")
        cutters = _pair(options, "spm") or (path.with_name("source.spm"), path.with_name("target.spm"))
        tokens = options.extra.get("tokens", "yes") != "no"
        self.source, self.target = (MarianSide(v, c) for v, c in zip(vocabularies, cutters, strict=True))
        self.template, mark = marked_template(options, self.source.marks)
        program = program_of("scorer", options)
        said = "pymarian" if "pymarian" in program and "scorer" not in options.extra else "marian-scorer"
        own = _words(options, "args")
        self._common = ["-m", model, "-v", *map(str, vocabularies), *_devices(options, own)]
        self._common += [] if {"--quiet", "--log-level"}.intersection(own) else ["--log-level", "error"]
        self._common += own
        self.longest = _longest(own)
        self._common += [] if "--max-length" in own else ["--max-length", str(self.longest)]
        self.arguments = [*program, *self._common]
        self.arguments += [] if "--mini-batch-words" in own else ["--mini-batch-words", str(options.batch_tokens)]
        self.arguments += ["--word-scores"] if tokens else []
        settings = (Path(f"{model}.yml"), Path(f"{model}.decoder.yml"), path.with_name("decoder.yml"))
        self._files = [p for p in (path, *vocabularies, *cutters, *settings) if p.is_file()]
        self._program = program
        self.supports = Supports(tokens=tokens, prefix=tokens)
        self.details = {"by": said, "softmax": "no-pad", **({"mark": mark} if mark else {})}

    def identify(self) -> Identity:
        """The model, its vocabularies and settings by their bytes, the program and its options."""
        options = self.options
        languages = (options.source_language, options.target_language)
        asked = [self._program, options.batch_tokens, options.template, sorted(options.extra.items())]
        said = [word for key in ("scorer", "decoder", "args") for word in _words(options, key)]
        named = [Path(word) for word in said if os.path.isfile(word)]  # noqa: PTH113 (false, too, for too long a name)
        files = [(path.name, file_digest(path)) for path in (*self._files, *named)]  # a script, a shortlist
        program = shutil.which(self._program[0]) if self.details["by"] == "marian-scorer" else None
        made_by = file_digest(Path(program)) if program else versions("pymarian")
        device, libraries = options.device.partition(":")[0], versions("sentencepiece")
        return Identity(
            combine(self.name, files, asked, languages, made_by, device, libraries, "less the opening", "blanks")
        )

    def render(self, group: Group) -> str:
        return self.template.render(group, self.options)

    def cut(self, text: str, side: Side = "source") -> list[str]:
        return (self.source if side == "source" else self.target).cut(text)

    def prepare(self, groups: Sequence[Group]) -> None:
        """Refuse what Marian would leave out, or cut, as too long."""
        refuse_longer(groups, [len(self.cut(self.render(group))) + 1 for group in groups], self.longest)
        targets = [[len(self.cut(t.prefix + t.text, "target")) + 1 for t in group.targets] for group in groups]
        refuse_longer(groups, [max(lengths, default=0) for lengths in targets], self.longest, "targets")

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        for part in self.batches(groups):
            if all(i in done for i in part):
                continue
            pairs = [(self.render(groups[i]), target) for i in part for target in groups[i].targets]
            cut = [target_pieces(self.target.cut, target) for _, target in pairs]
            joined = [k for k, pieces in enumerate(cut) if pieces.replaced]
            openings = [(pairs[k][0], opening_of(pairs[k][1].prefix)) for k in joined]
            texts = [(source, target.prefix + target.text) for source, target in pairs] + openings
            columns = [self.source.line(text) for text, _ in texts], [self.target.line(text) for _, text in texts]
            said = run([*self.arguments, "-t"], "scorer", *columns)
            lines = [line for line in said.splitlines() if line.strip()]
            if len(lines) != len(texts):
                raise KontrastError(f"marian's scorer gave {len(lines)} scores for {len(texts)} rows")
            alone = dict(zip(joined, lines[len(pairs) :], strict=True))
            rows = (self._read(lines[k], pairs[k][1], cut[k], alone.get(k)) for k in range(len(pairs)))
            for i in part:
                yield i, tuple(next(rows) for _ in groups[i].targets)

    def identify_translator(self, decoding: Decoding) -> Identity:
        self.details |= {key: value for key, value in decoding.facts(BEAMS).items() if key != "max"}
        return with_decoding(self.identify(), decoding, BEAMS)

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        """Sources in a file, translations out, prefixes forced from a file beside it."""
        texts = [self.render(group) for group in groups]
        lengths = [len(self.cut(text)) + 1 for text in texts]
        refuse_longer(groups, lengths, self.longest)
        arguments = [*program_of("decoder", self.options), *self._common, *_search(decoding)]
        arguments += ["--no-spm-decode"] if self.target.raw else []
        for part in self.batches(groups):
            if all(i in done for i in part):
                continue
            prefixes = [groups[i].targets[0].prefix.rstrip() for i in part]
            columns = [[self.source.line(texts[i]) for i in part], [self.target.line(prefix) for prefix in prefixes]]
            forced = ["--force-decode"] if any(prefixes) else []
            lines = run([*arguments, *forced, "-i"], "decoder", *columns[: 1 + len(forced)]).split("\n")[:-1]
            if len(lines) != len(part):
                raise KontrastError(f"marian's decoder gave {len(lines)} lines for {len(part)} sources")
            for i, prefix, line in zip(part, prefixes, lines, strict=True):
                pieces = line.split(" ") if line else []
                text = self._after(pieces, prefix)
                yield i, Translation(text, len(pieces) >= FACTOR * lengths[i], tuple(pieces))

    def _after(self, pieces: Sequence[str], prefix: str) -> str:
        """What was written after the prefix that was forced."""
        given = self.target.cut(prefix) if prefix else []
        kept = shared_start(given, pieces)
        if kept < len(given):
            raise KontrastError(
                f"marian's decoder did not start with the forced beginning: it cannot write the piece "
                f"{given[kept]!r} of {prefix[-60:]!r}; if that is the separator of the context, choose another one "
                "(--scheme)"
            )
        return self.target.join(pieces[len(given) :]).strip()

    def batches(self, groups: Sequence[Group], decoding: Decoding | None = None) -> list[list[int]]:
        """How `score` and `translate` cut these groups, for those who hand them out."""
        places = range(len(groups))
        return [list(places[start : start + AT_ONCE]) for start in range(0, len(groups), AT_ONCE)]

    def _read(self, line: str, target: Target, cut: TargetPieces, alone: str | None) -> TokenScores:
        """A row's line; ``alone`` is that of its forced prefix, where a piece joins prefix and text."""
        if not self.supports.tokens:
            return TokenScores((target.text,), self._numbers(line, 1)[:1])
        opening = None if alone is None else self._numbers(alone, len(cut.opening) + 1)
        return cut.scores([*cut.whole, "</s>"], self._numbers(line, len(cut.whole) + 1), opening)

    def _numbers(self, line: str, count: int) -> tuple[float, ...]:
        """``SUM ||| WordScores= A B C``, or a sum alone."""
        total, bars, words = line.partition(" ||| WordScores= ")
        if self.supports.tokens and not bars:
            raise KontrastError("Marian's scorer gave no word scores; for an old version use --option tokens=no")
        try:
            values = tuple(float(number) for number in (words if self.supports.tokens else total).split())
        except ValueError as error:
            raise KontrastError(f"marian's scorer: expected numbers ({error})") from error
        if len(values) != count:
            raise KontrastError(f"marian's scorer gave {len(values)} scores for the {count} pieces of {line[:60]}")
        return values


_MARK = re.compile(r""">>[^\s<>"']+<<""")


class MarianSide:
    """How the text of one side is cut: by Marian, by a SentencePiece model here, or at blanks.

    ``marks`` are the language marks of its vocabulary.
    """

    def __init__(self, vocabulary: Path, cutter: Path) -> None:
        self.raw = vocabulary.suffix == ".spm"
        path = vocabulary if self.raw else cutter
        self.pieces: Any = sentence_pieces(path) if path.is_file() else None
        self.marks: list[str] = []
        if self.raw and self.pieces is not None:
            words = (self.pieces.id_to_piece(i) for i in range(self.pieces.get_piece_size()))
            self.marks = [word for word in words if _MARK.fullmatch(word)]
        elif not self.raw:
            self.marks = list(dict.fromkeys(_MARK.findall(vocabulary.read_text("utf-8", "replace"))))

    def line(self, text: str) -> str:
        """What Marian reads."""
        return one_line(text) if self.raw else " ".join(self.cut(text))

    def cut(self, text: str) -> list[str]:
        """The pieces that Marian scores. A language mark before them is one piece, as OPUS-MT's models have it."""
        text = one_line(text)
        if self.pieces is None:
            return [word for word in text.split(" ") if word]
        mark, rest = ("", text) if self.raw else split_mark(text)
        return [*([mark] if mark else []), *self.pieces.encode(rest, out_type=str)]

    def join(self, pieces: Sequence[str]) -> str:
        """Pieces as text."""
        return " ".join(pieces) if self.pieces is None else joined(self.pieces, pieces)


def _devices(options: EngineOptions, own: list[str]) -> list[str]:
    if {"--cpu-threads", "--devices", "-d"}.intersection(own):
        return []
    if options.device == "cpu" or (options.device == "auto" and not Path("/dev/nvidia0").exists()):
        return ["--cpu-threads", str(options.threads or os.cpu_count() or 1)]
    return ["--devices", options.device.partition(":")[2] or "0"]


def _longest(own: list[str]) -> int:
    """How many pieces Marian takes; ``own`` are the user's arguments."""
    if "--max-length-crop" in own:
        raise KontrastError("--option args: --max-length-crop cuts texts; use only --max-length, or leave out items")
    said = own[own.index("--max-length") + 1 :][:1] if "--max-length" in own else [str(_LONGEST)]
    if not (said and said[0].isdigit()):
        raise KontrastError("--option args: expected a number after --max-length")
    return int(said[0])


def _pair(options: EngineOptions, key: str) -> tuple[Path, Path] | None:
    names = [name for name in options.extra.get(key, "").split(",") if name]
    if names and len(names) != 2:
        raise KontrastError(f"--option {key}: expected SOURCE,TARGET")
    for name in names:
        if not Path(name).is_file():
            raise InputError(name, f"--option {key}: expected a file")
    return (Path(names[0]), Path(names[1])) if names else None


def _said_vocabularies(model: Path) -> tuple[Path, Path] | None:
    """Those that the model's decoder configuration names, there or beside the model."""
    for path in (Path(f"{model}.decoder.yml"), model.with_name("decoder.yml")):
        if path.is_file():
            listed = re.search(r"^vocabs:\s*\n((?:\s*- .+\n?)+)", path.read_text("utf-8", "replace"), re.MULTILINE)
            names = [name.strip(" '\"") for name in re.findall(r"- (.+)", listed[1])] if listed else []
            found = [Path(name) if Path(name).is_file() else model.with_name(Path(name).name) for name in names]
            if len(found) == 2 and all(one.is_file() for one in found):
                return found[0], found[1]
    return None


def run(arguments: Sequence[str], what: str, *columns: Sequence[str]) -> str:
    """What Marian prints for files with these lines; its own words where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / str(number) for number in range(len(columns))]
        for file, lines in zip(files, columns, strict=True):
            write_lines(file, lines)
        command = [*arguments, *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        said = [line for text in (done.stderr, done.stdout) for line in text.splitlines() if line.strip()]
        errors = [line.partition("Error: ")[2] for line in said if "Error: " in line]  # without the time
        message = " ".join((errors[:2] or said[-1:]) or ["it gave no message"])[:300]
        raise KontrastError(f"marian's {what} failed (status {done.returncode}): {message}")
    return done.stdout


def _search(decoding: Decoding) -> list[str]:
    if decoding.max_length != Decoding().max_length or decoding.repetition_penalty or decoding.top_p:
        raise KontrastError(
            "--max-length, --repetition-penalty, --top-p: Marian's decoder does not have these options (it writes up "
            f"to {FACTOR} times the pieces of the source)"
        )
    words = ["-b", str(decoding.width(BEAMS)), "--max-length-factor", str(FACTOR), "--quiet-translation"]
    words += ["-n", str(1.0 if decoding.length_penalty is None else decoding.length_penalty)]
    if decoding.samples:
        kind = ["topk", str(decoding.top_k)] if decoding.top_k else ["full"]
        words += ["--output-sampling", *kind, str(decoding.temperature), "--seed", str(decoding.seed)]
    return words


def _words(options: EngineOptions, name: str) -> list[str]:
    """An option cut into words as a shell cuts them."""
    try:
        return shlex.split(options.extra.get(name, ""))
    except ValueError as error:
        raise KontrastError(f"--option {name}={options.extra[name]}: {error}") from error


def program_of(what: Literal["scorer", "decoder"], options: EngineOptions) -> list[str]:
    """The command that scores or decodes: the user's, pymarian's, or the program on the PATH."""
    if what in options.extra:
        return _words(options, what)
    if importlib.util.find_spec("_pymarian") is not None and "scorer" not in options.extra:
        return [sys.executable, "-m", "pymarian", {"scorer": "score", "decoder": "decode"}[what]]
    program = shutil.which(f"marian-{what}")
    if program is None:
        raise MissingExtraError("marian", f"marian without marian-{what} on the PATH or --option {what}=PATH")
    return [program]


load = MarianScorer
