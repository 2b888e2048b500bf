"""``ct2:FOLDER``: CTranslate2 models, scored pair by pair with ``score_batch``, translating with ``translate_batch``.

The tokenizer is that of the folder (Transformers files or ``source.spm``/``target.spm`` beside the model), of
``--option tokenizer=NAME`` or of ``--option spm=SOURCE,TARGET``. Padding is not in CTranslate2's softmax.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from kontrast.errors import InputError, foreign_errors
from kontrast.extras import ctranslate2
from kontrast.scoring.engine import (
    Engine,
    EngineOptions,
    Group,
    Identity,
    LengthLimits,
    Scored,
    Side,
    Supports,
    refuse_longer,
)
from kontrast.scoring.engines.pieces import PiecePair, load_pieces
from kontrast.scoring.fingerprint import combine, files_digest, versions
from kontrast.scoring.translator import Decoding, Translation, Translator, Written, with_decoding

_LEAST_AT_ONCE = 64
_BEAMS = 4


class CTranslate2(Engine, Translator):
    """Engine for a converted encoder-decoder model."""

    name = "ct2"

    def __init__(self, folder: str, options: EngineOptions) -> None:
        options.only("ct2", "tokenizer", "spm")
        if not (Path(folder) / "model.bin").is_file():
            raise InputError(folder, "expected a folder with CTranslate2's model.bin")
        options.without_examples("ct2")
        self.model, self.options = folder, options
        device = "cpu" if options.device == "auto" and not ctranslate2.get_cuda_device_count() else options.device
        kind = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}.get(options.dtype, options.dtype)
        whole = "" if (Path(folder) / "config.json").is_file() else "; the folder has no config.json"
        with foreign_errors(f"--model ct2:{folder}: cannot be loaded{whole}"):
            self.translator = ctranslate2.Translator(
                folder, device=device, compute_type=kind, intra_threads=options.threads or 0
            )
        self.pieces = load_pieces(folder, options)
        self.device = device
        self.limits = limits_of(Path(folder) / "model.bin")
        self.supports = Supports()
        self.details = {"dtype": kind, "softmax": "no-pad", **self.pieces.details}

    def identify(self) -> Identity:
        """Model, vocabularies and tokenizer by their bytes, options, libraries."""
        files = files_digest(path for path in Path(self.model).iterdir() if path.is_file())
        asked = msgspec.to_builtins(msgspec.structs.replace(self.options, threads=None, device=""))
        libraries = versions("ctranslate2", "sentencepiece", "transformers", "tokenizers")
        return Identity(
            combine(self.name, files, self.pieces.facts(), asked, self.device, libraries, "less the opening")
        )

    def render(self, group: Group) -> str:
        return self.pieces.render(group)

    def cut(self, text: str, side: Side = "source") -> list[str]:
        return self.pieces.cut(text, side)

    def prepare(self, groups: Sequence[Group]) -> None:
        """Refuse what is too long; report what a smaller type changes."""
        self._pairs(groups)
        if self.details["dtype"] != "float32" and groups:
            from kontrast.scoring.engines.transformer.routes import in_full, report_flips

            report_flips(self.details["dtype"], self, CTranslate2(self.model, in_full(self.options)), groups)

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        for part in self.batches(groups):
            if all(i in done for i in part):
                continue
            pairs = self._pairs([groups[i] for i in part])
            openings = {k: pair for k, pair in enumerate(pairs) if pair.target.replaced}
            results = self.translator.score_batch(
                [pair.source for pair in (*pairs, *openings.values())],
                [*(pair.target.whole for pair in pairs), *(pair.target.opening for pair in openings.values())],
                max_batch_size=self.options.batch_tokens,
                batch_type="tokens",
                max_input_length=0,
            )
            alone = {k: result.log_probs for k, result in zip(openings, results[len(pairs) :], strict=True)}
            rows = (
                pair.target.scores(result.tokens, result.log_probs, alone.get(k))
                for k, (pair, result) in enumerate(zip(pairs, results, strict=False))
            )
            for i in part:
                yield i, tuple(next(rows) for _ in groups[i].targets)

    def _pairs(self, groups: Sequence[Group]) -> list[PiecePair]:
        """The pieces of all pairs; CTranslate2 would cut long sources, and fail at long targets."""
        pairs = self.pieces.pairs(groups)
        sources, targets = [0] * len(groups), [0] * len(groups)
        owners = (k for k, group in enumerate(groups) for _ in group.targets)
        for k, pair in zip(owners, pairs, strict=True):
            sources[k] = len(pair.source) + self.pieces.added
            targets[k] = max(targets[k], len(pair.target.whole) + 1, len(pair.target.opening) + 1)
        refuse_longer(groups, sources, self.limits.source)
        refuse_longer(groups, targets, self.limits.target, "targets")
        return pairs

    def identify_translator(self, decoding: Decoding) -> Identity:
        self.details |= decoding.facts(_BEAMS)
        return with_decoding(self.identify(), decoding, _BEAMS)

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        self._pairs([_bare(group) for group in groups])
        for number, part in enumerate(self.batches(groups)):
            if all(i in done for i in part):
                continue
            pairs = self._pairs([_bare(groups[i]) for i in part])
            ctranslate2.set_random_seed(decoding.seed * 1_000_003 + number)
            results = self.translator.translate_batch(
                [pair.source for pair in pairs],
                target_prefix=[pair.target.whole for pair in pairs],
                max_batch_size=self.options.batch_tokens,
                batch_type="tokens",
                max_input_length=0,
                **_search(decoding, max(len(pair.target.whole) for pair in pairs), self.limits.target),
            )
            for i, pair, result in zip(part, pairs, results, strict=True):
                written = result.hypotheses[0][len(pair.target.whole) :]
                ended = written[-1:] == ["</s>"]
                written = written[:-1] if ended else written
                yield i, Translation(self.pieces.spelled(written), not ended, tuple(written))

    def batches(self, groups: Sequence[Group], decoding: Decoding | None = None) -> list[list[int]]:
        """How `score` and `translate` cut these groups, for those who hand them out."""
        return list(_parts(groups, max(_LEAST_AT_ONCE, self.options.batch_tokens // 4)))

    def close(self) -> None:
        self.translator.unload_model()


def _bare(group: Group) -> Group:
    """A blank at the end of a prefix belongs to the word that follows."""
    targets = tuple(msgspec.structs.replace(target, prefix=target.prefix.rstrip()) for target in group.targets)
    return msgspec.structs.replace(group, targets=targets)


def _search(decoding: Decoding, forced: int, limit: int | None) -> dict[str, Any]:
    """The search in CTranslate2's words; what goes beyond the model's positions ends there, and is told as cut."""
    room = decoding.max_length + forced
    asked: dict[str, Any] = {
        "beam_size": decoding.width(_BEAMS),
        "max_decoding_length": room if limit is None else min(room, limit),
        "return_end_token": True,
        **decoding.penalties(),
    }
    if decoding.samples:
        asked |= {"sampling_temperature": decoding.temperature, "sampling_topk": decoding.top_k or 0}
        asked |= {"sampling_topp": decoding.top_p or 1.0}
    return asked


def _parts(groups: Sequence[Group], pairs: int) -> Iterator[list[int]]:
    """Groups of similar length together, about so many pairs at a time: what a stopped run loses at most."""
    part, size = [], 0
    for i in sorted(range(len(groups)), key=lambda i: -len(groups[i].source)):
        part.append(i)
        size += len(groups[i].targets)
        if size >= pairs:
            yield part
            part, size = [], 0
    if part:
        yield part


load = CTranslate2


_VARIABLE = "{}/position_encodings/encodings"


def limits_of(path: Path) -> LengthLimits:
    """The rows of the position tables in ``model.bin``; None on a side without, where positions are computed.

    CTranslate2 itself cuts a source at 1,024 pieces unless told not to, and fails beyond the positions of the model.
    """
    try:
        with path.open("rb") as file:
            shapes = _shapes(file)
    except (OSError, struct.error, UnicodeDecodeError, KeyError):
        return LengthLimits()  # another version of the format: CTranslate2 says what is too long
    rows = [shapes.get(_VARIABLE.format(side)) for side in ("encoder", "decoder")]
    return LengthLimits(*(shape[0] if shape else None for shape in rows))


def _shapes(file: BinaryIO) -> dict[str, tuple[int, ...]]:
    """Variables with their shapes; weights are skipped. An alias has the shape of what it stands for."""

    def number(kind: str) -> int:
        return int(struct.unpack(f"<{kind}", file.read(struct.calcsize(f"<{kind}")))[0])

    def text() -> str:
        return file.read(number("H")).rstrip(b"\0").decode()

    version = number("I")
    if version < 4:
        raise struct.error
    text()
    number("I")
    shapes = {}
    for _ in range(number("I")):
        name = text()
        shapes[name] = tuple(number("I") for _ in range(number("B")))
        number("B")
        file.seek(number("I"), 1)
    for _ in range(number("I")):
        alias, name = text(), text()
        shapes[alias] = shapes[name]
    return shapes
