"""CTXPro (Wicks and Post 2023): a generative suite; an item names the form that a right translation contains.

``[{"src segment", "ref segment", "expected", "rule", …}]``. Beside ``NAME.json`` there may be ``NAME.input`` (in the
published folders: ``../inputs/NAME``), a line per item: the source with the sentences before it, ``<eos>`` between.
The one variant is the reference.
"""

import re
import string
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io import files
from kontrast.io.json_input import write_json
from kontrast.suites.formats.entry import FileEntry, Names, read_entries
from kontrast.suites.formats.format import Lost
from kontrast.suites.formats.loss import losses, lost_languages
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.testset import Columns, Request, declaration

SEPARATOR = "<eos>"

_NAMES = Names(declaration(Path(__file__).with_suffix(".toml")).tags)


def read(path: Path) -> Suite:
    entries = list(read_entries(path, "src segment, ref segment and expected"))
    contexts = _contexts(path, len(entries))
    items = tuple(_item(entry, i, contexts[i - 1] if contexts else None) for i, entry in entries)
    return Suite(files.suite_name(path), items, *_languages(path), style="ctxpro")


def _languages(path: Path) -> tuple[str | None, str | None]:
    pair = re.search(r"\b([a-z]{2,3})-([a-z]{2,3})\b", path.name)
    return (pair[1], pair[2]) if pair else (None, None)


def _beside(path: Path) -> tuple[Path, Path]:
    """Where the sources with their context may be: beside the file, and in the published folders."""
    name = files.suite_name(path)
    return path.with_name(f"{name}.input"), path.parent.parent / "inputs" / name


def _contexts(path: Path, items: int) -> list[tuple[str, ...]] | None:
    beside = next((place for place in _beside(path) if place.is_file()), None)
    if beside is None:
        return None
    lines = files.read_lines(beside)
    files.refuse_length(beside, len(lines), items, f" (one per item of {path.name})")
    return [tuple(part.strip() for part in line.split(SEPARATOR)[:-1]) for line in lines]


def _item(entry: FileEntry, number: int, context: tuple[str, ...] | None) -> Item:
    source, reference, expected = entry.text("src segment"), entry.text("ref segment"), entry.text("expected")
    document = entry.text("document id") if entry.holds_text("document id") else None
    segment = entry.whole("segment id") if entry.holds_whole("segment id") else None
    tags = {"expected": expected, **{_NAMES.tag(key): value for key, value in entry.rest().items()}}
    return Item(
        str(number),
        source,
        (Variant(reference),),
        source_context=context,
        document=document,
        segment=segment,
        tags=tags,
    )


def write(suite: Suite, path: Path) -> list[Lost]:
    """The JSON, and the ``.input`` beside it where every item's context is known."""
    if any("expected" not in item.tags for item in suite.items):
        raise KontrastError(
            "the ctxpro format stores only items with the tag expected (the form that a translation must contain)"
        )
    entries = []
    for item in suite.items:
        texts = {"src segment": item.source, "ref segment": item.best.text}
        place = {"document id": item.document, "segment id": item.segment}
        own = texts | {key: value for key, value in place.items() if value is not None}
        entries.append({**texts, **{_NAMES.key(tag): value for tag, value in item.tags.items()}, **own})
    kept = {"document", "segment", "tags", "correct"}
    beside, published = _beside(path)
    if published.is_file():
        raise KontrastError(f"{published} would be read with {path}: choose another name")
    inputs: dict[Path, list[str]] = {}
    if str(path) != "-" and all(item.source_context is not None for item in suite.items):
        kept.add("source_context")
        inputs[beside] = [f"{SEPARATOR} ".join((*(i.source_context or ()), i.source)) for i in suite.items]
    write_json(path, entries, indent=2)
    files.write_columns(inputs, [beside])
    foils = sum(len(item.variants) > 1 for item in suite.items)
    lost = losses(suite, kept) + lost_languages(suite, *_languages(path))
    return [*lost, Lost("wrong variants", foils)] if foils else lost


_PUNCTUATION = str.maketrans("", "", string.punctuation)


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "neither"]]:
    """One answer per item."""
    if any("expected" not in item.tags for item in suite.items):
        raise KontrastError(f"CTXPro's check needs an expected form, and {suite.name} has items without one")
    split = _splitter(suite.target_language)
    last = [[text, *split(text)][-1] for text in map(str.strip, translations)]
    pairs = zip(suite.items, last, strict=True)
    return ["right" if contains(text, str(item.tags["expected"])) else "neither" for item, text in pairs]


def contains(sentence: str, expected: str) -> bool:
    """Is the form there, between blanks?"""
    return f" {expected.lower()} " in f" {sentence.lower().translate(_PUNCTUATION)} "


def printed(suite: Suite, answers: Sequence[str], complete: bool = False, pretty: bool = False) -> Iterator[str]:
    """What ``ctxpro score`` prints: the share of right ones; ``complete``, ``pretty`` also by rule, in file order."""
    rules: dict[str, list[int]] = {}
    forms: dict[str, str] = {}
    for item, answer in zip(suite.items, answers, strict=True):
        rule = str(item.tags.get("rule"))
        forms.setdefault(rule, str(item.tags["expected"]))
        counts = rules.setdefault(rule, [0, 0])
        counts[0] += answer == "right"
        counts[1] += 1
    right, total = (sum(counts[i] for counts in rules.values()) for i in (0, 1))
    line = "-------------------------------------------"
    if pretty:
        yield "rule (expected)\tcorrect\ttotal\taccuracy"
        yield line
    if complete or pretty:
        for rule, (good, every) in rules.items():
            yield f"{rule} ({forms[rule]})\t{good}\t{every}\t{good * 100 / every:.1f}%"
    if pretty:
        yield line
        yield f"total\t\t\t{right}\t{total}\t{right * 100 / total:.1f}%"
    elif complete:
        yield f"total\t{right}\t{total}\t{right * 100 / total:.1f}"
    else:
        yield f"{right * 100 / total:.1f}"


def _splitter(language: str | None) -> Callable[[str], list[str]]:
    try:
        from sentence_splitter import SentenceSplitter, SentenceSplitterException
    except ImportError as error:
        raise MissingExtraError("check", "CTXPro's protocol") from error
    if language is None:
        raise KontrastError(
            "CTXPro's protocol needs the target language, which the suite does not name: use SUITE?lang=en-de"
        )
    try:
        split: Callable[[str], list[str]] = SentenceSplitter(language=language).split
    except SentenceSplitterException as error:
        raise KontrastError(f"CTXPro's protocol: sentences in {language!r} cannot be split ({error})") from error
    return split


def columns(suite: Suite, request: Request) -> Columns:
    """CTXPro's layout: the sentences before each item's own on one line, joined by blanks, at most ten.

    ``NAME.context.LANG`` for each side; the original prints one side at a time.
    """
    sides: tuple[list[str], list[str]] = ([], [])
    size = (lambda line: len(line.split())) if request.spm is None else _pieces(request.spm)
    for item in suite.items:
        source, target, place = request.located(item)
        for lines, found in zip((source, target), sides, strict=True):
            before = lines[max(0, place - request.context) : place]
            found.append(" ".join(_within(before, request.tokens, size)))
    return {
        f"{request.name}.context.{language}": lines
        for language, lines in zip((request.source, request.target), sides, strict=True)
    }


def _pieces(path: str) -> Callable[[str], int]:
    """How many pieces a SentencePiece model makes of a line."""
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError as error:
        raise MissingExtraError("ct2", "--spm: counting pieces") from error
    try:
        model = SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as error:
        raise InputError(path, "expected a SentencePiece model") from error
    return lambda line: len(model.encode(line))


def _within(lines: list[str], tokens: int | None, size: Callable[[str], int]) -> list[str]:
    """Without the oldest while they are too long; the original takes two off too few for each line it drops."""
    lines = [line.strip() for line in lines]
    length = sum(size(line) + 1 for line in lines)
    while tokens is not None and length > tokens and lines:
        length -= size(lines.pop(0)) - 1
    return lines
