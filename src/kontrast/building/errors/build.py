"""The recipe ``errors``: LingEval97 made anew from any parallel text."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import cast
from unicodedata import normalize
from zlib import crc32

import msgspec

from kontrast.building.checks.judge import digest_of_judges
from kontrast.building.corpus import check_out, corpus_files, parallel_pairs, refuse_other_language
from kontrast.building.errors.registry import BILINGUAL, bilingual, language_of, listed
from kontrast.building.errors.run import annotator_for, candidates_of, checked_confidence, choose, unusable, usable
from kontrast.building.errors.spec import Candidate, Perturbation
from kontrast.defaults import ERROR_CONFIDENCE, SEED
from kontrast.errors import InputError, KontrastError
from kontrast.language import annotators
from kontrast.language.annotation import Annotator
from kontrast.language.bilingual_words import WORDS
from kontrast.language.frequencies import Frequencies
from kontrast.language.identify import looks_like
from kontrast.language.lexicons import DEFAULTS
from kontrast.progress import progress
from kontrast.shards import Repeatable, digest_of, in_order, keeping, numbered
from kontrast.suites.model import Item, Suite, Tags, Variant

_SAMPLE = 200
SHARD = 5000
"""Sentence pairs: some seconds of work."""

NEARBY = 30
"""Lines before and behind a sentence that count as its document."""
_STEPS = tuple(side * distance for distance in range(1, NEARBY + 1) for side in (-1, 1))

Lines = tuple[int, list[tuple[str, str]]]
Round = tuple[int, int]
"""Of so many rounds over the text the one whose lines are looked at."""
_WHOLE: Round = (0, 1)
LEAST_ROUND = 1000
"""Lines of a round at least."""


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


class ErrorOptions(msgspec.Struct, frozen=True):
    """How errors are made.

    One candidate per sentence and type of those that the judge is sure enough of, or ``every`` one, with the judge's
    ``confidence`` and its ``reasons`` as tags. An English source is looked at for
    numbers, dates, tense, address, pronouns, omissions and negations: what it says itself is left out, what it
    allows too is tagged ``needs_context``; not with ``ignore_source``. ``dictionary``, one or several, adds
    the errors that need one (`kontrast.language.bilingual_words`). A ``sample`` has so many errors in equal shares of
    types, drawn over the whole text, of which no more is looked at than that needs. ``on`` names a Ray cluster on
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


class _Made(msgspec.Struct):
    """What a shard gives: items without their numbers, lines that could not be used, what the source speaks for."""

    items: list[Item]
    lines: int
    unusable: int
    left: dict[str, dict[str, int]]
    """By error and reason."""
    composed: int = 0
    """Lines that had accents as characters of their own."""


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
    options = options or ErrorOptions()
    asked, languages = _asked(source, reference, pair, types, options)
    work = partial(_make, asked=asked, frequencies=options.frequencies)

    def pairs() -> Iterator[tuple[str, str]]:
        return parallel_pairs(source, reference, *languages)

    def run(round: Round) -> Iterator[bytes]:
        shards = (shard for _, shard in numbered(pairs(), SHARD))
        return in_order(partial(work, round=round), shards, on=options.on, workers=options.workers)

    shares = _shares(asked, options.sample)
    parts = list(_told(_rounds(run, pairs, shares), reference or source))
    return _suite(asked, languages[0], tuple(_chosen(parts, shares, options.seed)()))


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
    }
    work = partial(_make, asked=asked, frequencies=options.frequencies)
    with keeping(f"{out}.work", facts) as parts:

        def pairs() -> Iterator[tuple[str, str]]:
            return parallel_pairs(source, reference, *languages)

        def run(round: Round) -> Iterator[bytes]:
            shards = ((f"{name}@{round}", content) for name, content in numbered(pairs(), SHARD))
            own = partial(work, round=round)
            return parts.fill(shards, lambda todo: in_order(own, todo, on=options.on, workers=options.workers))

        shares = _shares(asked, options.sample)
        for _ in _told(_rounds(run, pairs, shares), reference or source, parts.end):
            pass
        every = _chosen(parts, shares, options.seed)
        items = Repeatable(every, sum(1 for _ in every()))
        yield _suite(asked, languages[0], cast("tuple[Item, ...]", items))  # writing walks through them


def _asked(
    source: str | Path, reference: str | Path | None, pair: str, types: Sequence[str] | None, options: ErrorOptions
) -> tuple[_Asked, tuple[str, str]]:
    source_language, _, language = pair.partition("-")
    if not language:
        raise KontrastError(f"--pair: expected two languages as in en-de, found {pair!r}")
    chosen = tuple(types) if types else _default_types(language)
    name = options.name or Path(reference or source).name.split(".")[0]
    english = None if options.ignore_source or source_language != "en" else next(iter(annotators.available("en")), "")
    judge = digest_of_judges(f"errors.{language}")
    how = options.every, options.seed, checked_confidence(options.min_confidence), options.annotator, options.lexicon
    given = options.dictionary or ()
    dictionaries = (given,) if isinstance(given, str) else tuple(given)
    asked = _Asked(name, language, chosen, *how, judge, pair, dictionaries, english)
    _tools(asked)
    sample = list(islice(parallel_pairs(source, reference, source_language, language), _SAMPLE))
    if not looks_like(language, [b for _, b in sample]):
        raise InputError(reference or source, f"does not look like {language!r}: are the files in the order SRC REF?")
    for code, path, side in ((source_language, source, 0), (language, reference or source, 1)):
        refuse_other_language(path, code, [lines[side] for lines in sample], pair)
    return asked, (source_language, language)


@lru_cache(maxsize=2)
def _tools(asked: _Asked) -> tuple[Annotator, list[Perturbation]]:
    """Loaded once in each process."""
    named = None if asked.types in (None, ("all",)) else asked.types
    plain = asked.types if named is None else tuple(name for name in named if name not in BILINGUAL)
    perturbations = listed(asked.language, plain, asked.lexicon) if named is None or plain else []
    wanted = BILINGUAL if named is None else tuple(name for name in named if name in BILINGUAL)
    if asked.dictionaries:
        words = None if asked.lexicon is None or asked.language in DEFAULTS else asked.lexicon
        perturbations += [bilingual(asked.pair, name, asked.dictionaries, words) for name in wanted]
    elif named is not None and wanted:
        raise KontrastError(f"{wanted[0]} needs a dictionary: --dictionary FILE, or a folder of build alignment")
    return annotator_for(asked.language, perturbations, asked.annotator), perturbations


def _shares(asked: _Asked, sample: int | None) -> dict[str, int]:
    """How many errors of each type a sample has; empty where all are wanted."""
    if sample is None:
        return {}
    types = [p.name for p in _tools(asked)[1]]
    return {name: sample // len(types) + (k < sample % len(types)) for k, name in enumerate(types)}


def _rounds(
    run: Callable[[Round], Iterator[bytes]], pairs: Callable[[], Iterator[object]], shares: dict[str, int]
) -> Iterator[bytes]:
    """Round after round, each over the whole text and another part of its lines, until all shares are there."""
    if not shares:
        yield from run(_WHOLE)
        return
    rounds = max(1, sum(1 for _ in pairs()) // max(LEAST_ROUND, 2 * sum(shares.values())))
    found: Counter[str | None] = Counter()
    for number in range(rounds):
        for part in run((number, rounds)):
            made = msgspec.msgpack.decode(part, type=_Made)
            found.update(variant.error for item in made.items for variant in item.variants[1:])
            yield part
        if all(found[name] >= share for name, share in shares.items()):
            return
    short = ", ".join(f"{share - found[name]} {name}" for name, share in shares.items() if share > found[name])
    print(f"kontrast: warning: --sample: the text lacks {short}", file=sys.stderr)


def _rank(item: Item, foil: Variant, seed: int) -> bytes:
    """Its place in a random order that depends on nothing but the error itself."""
    told = f"{seed} {item.tags['origin']} {foil.error} {foil.text}".encode()
    return hashlib.blake2b(told, digest_size=16).digest()


def _chosen(parts: Iterable[bytes], shares: dict[str, int], seed: int) -> Callable[[], Iterator[Item]]:
    """The items of all parts, or a sample's: of each type those of the lowest ranks."""
    if not shares:
        return lambda: _items(parts)
    ranks: dict[str, list[bytes]] = {name: [] for name in shares}
    for item in _items(parts):
        for foil in item.variants[1:]:
            ranks[str(foil.error)].append(_rank(item, foil, seed))
    last = {name: sorted(found)[: shares[name]][-1] for name, found in ranks.items() if found and shares[name]}
    return lambda: _drawn(_items(parts), last, seed)


def _drawn(items: Iterable[Item], last: dict[str, bytes], seed: int) -> Iterator[Item]:
    number = 0
    for item in items:
        right, *foils = item.variants
        foils = [foil for foil in foils if _rank(item, foil, seed) <= last.get(str(foil.error), b"")]
        if foils:
            number += 1
            yield msgspec.structs.replace(item, id=str(number), variants=(right, *foils))


def _make(lines: Lines, asked: _Asked, frequencies: Frequencies | None, round: Round = _WHOLE) -> bytes:
    """The work of a shard, or of a round's lines of it."""
    first, found = lines
    own = _lines_of(round, first, len(found), asked.seed)
    pairs = [(normalize("NFC", a), normalize("NFC", b)) for a, b in found]
    composed = sum(found[n] != pairs[n] for n in own)
    reader, perturbations = _tools(asked)
    items: list[Item] = []
    left: dict[str, Counter[str]] = {p.name: Counter() for p in perturbations}
    fit = [n in own and usable(b, asked.language) for n, (_, b) in enumerate(pairs)]
    sentences = reader.annotate(b if good else "" for (_, b), good in zip(pairs, fit, strict=True))
    for number, ((text, right), sentence) in enumerate(zip(pairs, sentences, strict=True), start=first):
        if number - first not in own:
            continue
        known = "" if asked.english is None else text
        if asked.dictionaries:
            known = text  # which its errors need
        sentence = msgspec.structs.replace(sentence, source=known, nearby=nearby(pairs, number - first))
        foils = [
            Variant(c.text, c.type, None, _tags(c))
            for p in perturbations
            for c in choose(
                candidates_of(p, sentence, frequencies, None if asked.english is None else left[p.name]),
                asked.seed,
                number,
                every=asked.every,
                least=asked.least,
            )
        ]
        if text.strip() and foils:
            origin: Tags = {"origin": f"{asked.name}.{number}"}
            items.append(Item("", text, (Variant(right), *foils), tags=origin))
    return msgspec.msgpack.encode(
        _Made(
            items,
            len(own),
            len(own) - fit.count(True),
            {name: dict(reasons) for name, reasons in left.items()},
            composed,
        )
    )


def _lines_of(round: Round, first: int, size: int, seed: int) -> Collection[int]:
    """The lines of a shard that belong to a round."""
    number, rounds = round
    if rounds == 1:
        return range(size)
    return {n for n in range(size) if crc32(f"{seed} {first + n}".encode()) % rounds == number}


def nearby(pairs: Sequence[tuple[str, str]], index: int) -> tuple[tuple[str, str], ...]:
    """The pairs around one, the nearest first; those of another shard are not seen.

    >>> nearby([("a", "A"), ("b", "B"), ("c", "C")], 0)
    (('b', 'B'), ('c', 'C'))
    """
    last = len(pairs)
    return tuple(pairs[index + step] for step in _STEPS if 0 <= index + step < last)


def _told(parts: Iterable[bytes], reference: str | Path, end: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    """The parts as they come, with progress; then ``end``, what was not usable, or an error if nothing was made."""
    items = lines = passed = composed = 0
    left: Counter[str] = Counter()
    by_error: dict[str, Counter[str]] = {}
    made_of: Counter[str | None] = Counter()
    with progress("making errors", None, "sentences") as advance:
        for part in parts:
            made = msgspec.msgpack.decode(part, type=_Made)
            items, lines, passed = items + len(made.items), lines + made.lines, passed + made.unusable
            composed += made.composed
            made_of.update(variant.error for item in made.items for variant in item.variants[1:])
            for name, counts in made.left.items():
                left.update(counts)
                by_error.setdefault(name, Counter()).update(counts)
            advance(made.lines)
            yield part
    if composed:
        print(f"kontrast: {composed} lines had accents as characters of their own: composed (NFC)", file=sys.stderr)
    if not items:
        end()
        why = f": {unusable(passed)}" if passed else f" in its {lines} lines" if lines else ": it has no lines"
        raise InputError(reference, f"gives no error of the types asked for{why}")
    if passed:
        print(f"kontrast: {unusable(passed)}", file=sys.stderr)
    if left:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in left.most_common())
        print(f"kontrast: {left.total()} candidates left out: {reasons}", file=sys.stderr)
    for name, found in by_error.items():
        if found and not made_of[name]:
            reason, n = found.most_common(1)[0]
            print(f"kontrast: warning: no {name}: {reason} ({n} of {found.total()} candidates)", file=sys.stderr)


def _items(parts: Iterable[bytes]) -> Iterator[Item]:
    """The items of all parts with their numbers."""
    number = 0
    for part in parts:
        for item in msgspec.msgpack.decode(part, type=_Made).items:
            number += 1
            yield msgspec.structs.replace(item, id=str(number))


def _suite(asked: _Asked, source_language: str, items: tuple[Item, ...]) -> Suite:
    own = language_of(asked.language)
    published = own is not None and {p.name for p in _tools(asked)[1]} <= set(own.published)
    style = own.style if own is not None and published else None
    return Suite(asked.name, items, source_language, asked.language, unit="pair", style=style)


def _default_types(language: str) -> tuple[str, ...] | None:
    """Those that the language declares, in German LingEval97's own; else all."""
    own = language_of(language)
    return own.default if own else None


def _tags(found: Candidate) -> Tags:
    """Distance and frequency where they apply, what the source says, what the judge says."""
    numbers = {"distance": found.distance, "frequency": found.frequency}
    tags: Tags = {key: value for key, value in numbers.items() if value is not None}
    if found.needs_context is not None:
        tags["needs_context"] = found.needs_context
    if found.confidence is not None:
        tags["confidence"] = found.confidence
    return {**tags, "reasons": " ".join(found.reasons)} if found.reasons else tags
