"""The recipe ``errors``: LingEval97 made anew from any parallel text."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast
from unicodedata import normalize

import msgspec

from kontrast.building.checks.judge import digest_of_judges
from kontrast.building.corpus import PairedLine, check_out, corpus_files, parallel_pairs, refuse_other_language
from kontrast.building.errors.registry import bilingual, general_names, language_of, listed
from kontrast.building.errors.run import annotator_for, candidates_of, checked_confidence, choose, unusable, usable
from kontrast.building.errors.sampling import (
    WHOLE,
    MadeErrors,
    Round,
    chosen,
    decoded,
    errors_in,
    lines_of,
    rounds,
    shares_of,
)
from kontrast.building.errors.spec import Candidate, Perturbation
from kontrast.defaults import ERROR_CONFIDENCE, SEED
from kontrast.errors import InputError, KontrastError
from kontrast.language import annotators
from kontrast.language.annotation import Annotator
from kontrast.language.bilingual_words import WORDS
from kontrast.language.frequencies import Frequencies
from kontrast.language.lexicons import DEFAULTS
from kontrast.language.words import looks_like, words_digest
from kontrast.progress import progress
from kontrast.shards import Repeatable, digest_of, in_order, keeping, numbered
from kontrast.suites.model import Item, Suite, Tags, Variant

_SAMPLE = 200
SHARD = 5000
"""Sentence pairs: some seconds of work."""

NEARBY = 30
"""Lines before and behind a sentence that count as its document."""
_STEPS = tuple(side * distance for distance in range(1, NEARBY + 1) for side in (-1, 1))

Lines = tuple[int, list[PairedLine]]


class _Asked(msgspec.Struct, frozen=True):
    """What the errors of a line depend on, beside the line."""

    name: str
    language: str
    types: tuple[str, ...] | None
    every: bool
    seed: int
    least: float
    annotator: str | None
    lexicon: str | None
    judge: str | None
    """The digest of the judge's weights."""
    pair: str
    dictionaries: tuple[str, ...]
    english: str | None
    """What reads an English source, which is asked; None: no source is asked."""
    in_documents: bool


class ErrorOptions(msgspec.Struct, frozen=True):
    """How errors are made.

    One candidate per sentence and type of those that the judge is sure enough of, or ``every`` one, with the judge's
    ``confidence`` and its ``reasons`` as tags. An English source is looked at for
    numbers, dates, tense, address, pronouns, omissions and negations: what it says itself is left out, what it
    allows too is tagged ``needs_context``; not with ``ignore_source``. ``dictionary``, one or several, adds
    the errors that need one (`kontrast.language.bilingual_words`). A ``sample`` has so many errors in equal shares of
    types, spread over the documents; no more of the text is looked at than that needs. ``on`` names a Ray cluster on
    which ``workers`` share the work.
    """

    every: bool = False
    seed: int = SEED
    min_confidence: float = ERROR_CONFIDENCE
    annotator: str | None = None
    lexicon: str | None = None
    frequencies: Frequencies | None = None
    name: str | None = None
    ignore_source: bool = False
    dictionary: str | Sequence[str] | None = None
    sample: int | None = None
    on: str | None = None
    workers: int | None = None


def build_errors(
    source: str | Path,
    reference: str | Path | None = None,
    pair: str = "en-de",
    types: Sequence[str] | None = None,
    options: ErrorOptions | None = None,
) -> Suite:
    """A suite of references and their contrastive variants from two files with a sentence per line.

    ``source`` alone is an OPUS archive or a folder of documents. Sentences without a candidate are left out. Each
    pair of reference and error is a decision of its own. ``origin`` is ``NAME.LINE``, counted from 1, as in
    LingEval97. Accents that are characters of their own are composed with their letters (NFC).
    """
    with TemporaryDirectory() as folder:
        out = Path(folder) / "suite"
        with building_errors(out, source, reference, pair, types, options or ErrorOptions()) as suite:
            return msgspec.structs.replace(suite, items=tuple(suite.items))


@contextmanager
def building_errors(
    out: str | Path,
    source: str | Path,
    reference: str | Path | None,
    pair: str,
    types: Sequence[str] | None,
    options: ErrorOptions,
    train: Sequence[str | Path] = (),
) -> Iterator[Suite]:
    """The same suite while it is written to ``out``, in bounded memory: its items are read from disk each time.

    Finished shards are kept in ``OUT.work`` until the block ends well; a run that was killed goes on behind them.
    ``train`` are the files that the frequencies come from.
    """
    asked, languages = _asked(source, reference, pair, types, options)
    check_out(out, corpus_files(source, reference, *languages))
    facts = {
        "input": digest_of(corpus_files(source, reference, *languages)),
        "options": asked,
        "shard size": SHARD,
        "text": "NFC",
        "training text": digest_of(train),
        "dictionary": digest_of(Path(p) / WORDS if Path(p).is_dir() else p for p in asked.dictionaries),
        "annotator": _tools(asked)[0].name,
        "lexicon's file": digest_of(_lexicon_files(asked.lexicon)),
        "words": words_digest(*languages),
    }
    work = partial(_make, asked=asked, frequencies=options.frequencies)
    with keeping(f"{out}.work", facts) as parts:

        def pairs() -> Iterator[PairedLine]:
            return parallel_pairs(source, reference, *languages)

        def run(round: Round) -> Iterator[bytes]:
            shards = ((f"{name}@{round}", content) for name, content in numbered(pairs(), SHARD))
            own = partial(work, round=round)
            return parts.fill(shards, lambda todo: in_order(own, todo, on=options.on, workers=options.workers))

        shares = shares_of([p.name for p in _tools(asked)[1]], options.sample)
        named = () if shares else tuple(types or ())
        found = rounds(run, lambda: sum(1 for _ in pairs()), shares)
        for _ in _told(found, reference or source, named, parts.end):
            pass
        every = chosen(parts, shares, options.seed)
        items = Repeatable(every, sum(1 for _ in every()))
        yield _suite(asked, languages[0], cast("tuple[Item, ...]", items))  # writing walks through them


def _lexicon_files(lexicon: str | None) -> Iterator[Path]:
    """The file of a lexicon such as ``unimorph:FILE``, where it has one."""
    place = Path((lexicon or "").partition(":")[2])
    if place.is_file():
        yield place


def _asked(
    source: str | Path, reference: str | Path | None, pair: str, types: Sequence[str] | None, options: ErrorOptions
) -> tuple[_Asked, tuple[str, str]]:
    source_language, _, language = pair.partition("-")
    if not language:
        raise KontrastError(f"--pair: expected two languages as in en-de, found {pair!r}")
    own = language_of(language)
    types_asked = tuple(types) if types else own.default if own else None  # in German LingEval97's; else all
    name = options.name or Path(reference or source).name.split(".")[0]
    english = None if options.ignore_source or source_language != "en" else next(iter(annotators.available("en")), "")
    judge = digest_of_judges(f"errors.{language}")
    how = options.every, options.seed, checked_confidence(options.min_confidence), options.annotator, options.lexicon
    given = options.dictionary or ()
    dictionaries = (given,) if isinstance(given, str) else tuple(given)
    sample = list(islice(parallel_pairs(source, reference, source_language, language), _SAMPLE))
    in_documents = any(line.document is not None for line in sample)
    asked = _Asked(name, language, types_asked, *how, judge, pair, dictionaries, english, in_documents)
    _tools(asked)
    if not looks_like(language, [each.target for each in sample]):
        raise InputError(
            reference or source, f"does not look like {language!r}: check the order of the files (SRC REF)"
        )
    refuse_other_language(source, source_language, [each.source for each in sample], pair)
    refuse_other_language(reference or source, language, [each.target for each in sample], pair)
    return asked, (source_language, language)


@lru_cache(maxsize=2)
def _tools(asked: _Asked) -> tuple[Annotator, list[Perturbation]]:
    """Loaded once in each process."""
    named = None if asked.types in (None, ("all",)) else tuple(dict.fromkeys(asked.types or ()))
    of_dictionary = general_names("dictionary")
    plain = asked.types if named is None else tuple(name for name in named if name not in of_dictionary)
    perturbations = listed(asked.language, plain, asked.lexicon) if named is None or plain else []
    wanted = of_dictionary if named is None else tuple(name for name in named if name in of_dictionary)
    if asked.dictionaries:
        words = None if asked.lexicon is None or asked.language in DEFAULTS else asked.lexicon
        perturbations += [bilingual(asked.pair, name, asked.dictionaries, words) for name in wanted]
    elif named is not None and wanted:
        raise KontrastError(
            f"{wanted[0]} needs a dictionary: give --dictionary with a file, or a folder of build alignment"
        )
    return annotator_for(asked.language, perturbations, asked.annotator), perturbations


def _make(lines: Lines, asked: _Asked, frequencies: Frequencies | None, round: Round = WHOLE) -> bytes:
    """The work of a shard, or of a round's lines of it."""
    first, given = lines
    own = lines_of(round, first, len(given), asked.seed)
    found = [_composed(line) for line in given]
    composed = sum(found[n] != given[n] for n in own)
    reader, perturbations = _tools(asked)
    items: list[Item] = []
    left: dict[str, Counter[str]] = {p.name: Counter() for p in perturbations}
    fit = [n in own and usable(line.target, asked.language) for n, line in enumerate(found)]
    sentences = reader.annotate(line.target if good else "" for line, good in zip(found, fit, strict=True))
    for number, (line, sentence) in enumerate(zip(found, sentences, strict=True), start=first):
        if number - first not in own:
            continue
        known = line.source if asked.english is not None or asked.dictionaries else ""
        sentence = msgspec.structs.replace(sentence, source=known, nearby=nearby(found, number - first))
        foils = []
        for p in perturbations:
            made = candidates_of(p, sentence, frequencies, None if asked.english is None else left[p.name])
            kept = choose(made, asked.seed, number, every=asked.every, least=asked.least)
            foils += [Variant(c.text, c.type, None, _tags(c)) for c in kept]
        if line.source.strip() and foils:
            origin: Tags = {"origin": f"{asked.name}.{number}"}
            variants = (Variant(line.target), *foils)
            items.append(Item("", line.source, variants, document=line.document, segment=line.line, tags=origin))
    counted = {name: dict(reasons) for name, reasons in left.items()}
    return msgspec.msgpack.encode(MadeErrors(items, len(own), len(own) - fit.count(True), counted, composed))


def _composed(line: PairedLine) -> PairedLine:
    source, target = normalize("NFC", line.source), normalize("NFC", line.target)
    return msgspec.structs.replace(line, source=source, target=target)


def nearby(lines: Sequence[PairedLine], index: int) -> tuple[tuple[str, str], ...]:
    """The pairs around one in its document, the nearest first; those of another shard are not seen.

    >>> nearby([PairedLine("a", "A", "d"), PairedLine("b", "B", "d"), PairedLine("c", "C", "e")], 0)
    (('b', 'B'),)
    """
    document = lines[index].document
    around = (lines[index + step] for step in _STEPS if 0 <= index + step < len(lines))
    return tuple((line.source, line.target) for line in around if line.document == document)


def _told(
    parts: Iterable[bytes], reference: str | Path, named: Sequence[str], end: Callable[[], None] = lambda: None
) -> Iterator[bytes]:
    """The parts as they come, with progress; then ``end``, what was not usable and which of the errors that were
    ``named`` the text lacks, or an error if nothing was made.
    """
    items = lines = passed = composed = 0
    tell = partial(print, file=sys.stderr)
    by_error: dict[str, Counter[str]] = {}
    made_of: Counter[str] = Counter()
    with progress("making errors", None, "sentences") as advance:
        for part in parts:
            made = decoded(part)
            items, lines, passed = items + len(made.items), lines + made.lines, passed + made.unusable
            composed += made.composed
            made_of.update(errors_in(made))
            for name, counts in made.left.items():
                by_error.setdefault(name, Counter()).update(counts)
            advance(made.lines)
            yield part
    if composed:
        tell(f"kontrast: {composed} lines had accents as separate characters; they are composed (NFC)")
    if not items:
        end()
        why = f": {unusable(passed)}" if passed else f" in its {lines} lines" if lines else ": it has no lines"
        raise InputError(reference, f"gives no error of the requested types{why}")
    if passed:
        tell(f"kontrast: {unusable(passed)}")
    if left := sum(by_error.values(), Counter()):
        reasons = ", ".join(f"{reason} ({n})" for reason, n in left.most_common())
        tell(f"kontrast: {left.total()} candidates left out: {reasons}")
    for name, found in by_error.items():
        if found and not made_of[name]:
            reason, n = found.most_common(1)[0]
            tell(f"kontrast: warning: no {name}: {reason} ({n} of {found.total()} candidates)")
        elif name in named and not made_of[name]:
            tell(f"kontrast: warning: no {name}: the text has no candidate")


def _suite(asked: _Asked, source_language: str, items: tuple[Item, ...]) -> Suite:
    own = language_of(asked.language)
    published = own is not None and {p.name for p in _tools(asked)[1]} <= set(own.published)
    style = own.style if own is not None and published else None
    base = 1 if asked.in_documents else None
    return Suite(asked.name, items, source_language, asked.language, unit="pair", style=style, segment_base=base)


def _tags(found: Candidate) -> Tags:
    """Distance and frequency where they apply, what the source says, what the judge says."""
    numbers = {"distance": found.distance, "frequency": found.frequency}
    tags: Tags = {key: value for key, value in numbers.items() if value is not None}
    if found.needs_context is not None:
        tags["needs_context"] = found.needs_context
    if found.confidence is not None:
        tags["confidence"] = found.confidence
    return {**tags, "reasons": " ".join(found.reasons)} if found.reasons else tags
