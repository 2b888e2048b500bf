"""From texts to candidates: annotate, perturb, count, choose."""

from __future__ import annotations

import hashlib
import random
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypedDict, Unpack

import msgspec

from kontrast.building.checks.features import features, foil_flaws
from kontrast.building.checks.judge import ALWAYS, error_judge
from kontrast.building.checks.source import weighed
from kontrast.building.errors.registry import listed, names_of, plain_names
from kontrast.building.errors.spec import Candidate, Perturbation
from kontrast.defaults import ERROR_CONFIDENCE, SEED
from kontrast.errors import InputError, KontrastError
from kontrast.io.files import open_lines, read_lines
from kontrast.language import annotators
from kontrast.language.annotation import Annotator, Sentence
from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.frequencies import Frequencies
from kontrast.language.words import is_foreign, looks_like

LONGEST = 10_000
"""Lines with more characters than this are no sentences: they give no candidates."""


class Perturbing(TypedDict, total=False):
    """How candidates are chosen; ``lexicon`` names a back end (docs/languages.md) and adds errors that need one."""

    every: bool
    seed: int
    least: float
    lexicon: str | None
    frequencies: Frequencies | None


def perturb(
    texts: Iterable[str],
    language: str,
    types: Sequence[str] | None = None,
    *,
    annotator: str | None = None,
    **options: Unpack[Perturbing],
) -> Iterator[tuple[int, Candidate]]:
    """Pairs (0-based line, candidate): all candidates of each line, or one per type chosen by ``seed``.

    ``annotator`` names a back end (docs/languages.md).

    >>> [(n, c.text) for n, c in perturb(["Sie lacht nicht."], "de", ["polarity_particle_nicht_del"])]
    [(0, 'Sie lacht.')]
    """
    perturbations = listed(language, tuple(types) if types else None, options.get("lexicon"))
    reader = annotator_for(language, perturbations, annotator)
    sentences = reader.annotate(text if usable(text, language) else "" for text in texts)
    return perturb_sentences(sentences, language, types, **options)


def annotator_for(language: str, perturbations: Sequence[Perturbation], name: str | None = None) -> Annotator:
    """The annotator called so, or the language's default; plain words where no error needs more and none is there."""
    of_words = set(plain_names(language)).difference(names_of(language))
    plain = all(p.name in of_words for p in perturbations)
    if name is None and plain and not annotators.available(language):
        name = "words"
    return annotators.get(language, name)


def perturb_sentences(
    sentences: Iterable[Sentence],
    language: str,
    types: Sequence[str] | None = None,
    *,
    every: bool = False,
    seed: int = SEED,
    least: float = ERROR_CONFIDENCE,
    lexicon: str | None = None,
    frequencies: Frequencies | None = None,
) -> Iterator[tuple[int, Candidate]]:
    """As `perturb`, for sentences that are annotated already."""
    perturbations = listed(language, tuple(types) if types else None, lexicon)
    for line, sentence in enumerate(sentences):
        for perturbation in perturbations:
            found = candidates_of(perturbation, sentence, frequencies)
            yield from ((line, candidate) for candidate in choose(found, seed, line, every=every, least=least))


def perturb_file(
    path: str | Path,
    language: str,
    types: Sequence[str] | None = None,
    *,
    annotator: str | None = None,
    **options: Unpack[Perturbing],
) -> Iterator[tuple[int, Candidate]]:
    """As `perturb`, for a file with a sentence per line, ``-`` (standard input), or CoNLL-U with its own trees."""
    if str(path).endswith((".conllu", ".conllu.gz")):
        yield from perturb_sentences(read_conllu(path), language, types, **options)
        return
    lines = iter(read_lines(path) if str(path) == "-" else open_lines(path))
    sample = list(islice(lines, 200))
    if not looks_like(language, sample):
        raise InputError(path, f"does not look like {language!r}: name its language with --lang")
    passed = apart = 0

    def texts() -> Iterator[str]:
        nonlocal passed, apart
        for line in chain(sample, lines):
            passed += not usable(line, language)
            apart += not unicodedata.is_normalized("NFC", line)
            yield line

    yield from perturb(texts(), language, types, annotator=annotator, **options)
    if passed:
        print(f"kontrast: {unusable(passed)}", file=sys.stderr)
    if apart:
        print(
            f"kontrast: warning: {apart} lines have accents as separate characters, so few errors are found in them; "
            "compose them first (Unicode NFC)",
            file=sys.stderr,
        )


def candidates_of(
    perturbation: Perturbation,
    sentence: Sentence,
    frequencies: Frequencies | None = None,
    left: Counter[str] | None = None,
) -> list[Candidate]:
    """The distinct candidates of one sentence, none of them equal to it, with confidence and training frequency.

    With ``left`` the sentence's English source is asked: what it speaks for is left out and counted there by reason.
    """
    found: dict[str, Candidate] = {}
    for candidate in sorted(perturbation.candidates(sentence), key=lambda c: c.plain):
        if candidate.text == sentence.text or candidate.text in found:
            continue
        if frequencies is not None:
            if any(frequencies[word] for word in candidate.unseen):
                continue
            if candidate.words:
                count = min(frequencies[word] for word in candidate.words)
                candidate = msgspec.structs.replace(candidate, frequency=count)
        found[candidate.text] = candidate
    language = perturbation.language
    kept = list(found.values()) if left is None else weighed(list(found.values()), sentence, language, left)
    made = (judged(candidate, sentence, language) for candidate in kept)
    return sorted(made, key=lambda c: (c.plain, not c.is_sure))


def judged(candidate: Candidate, sentence: Sentence, language: str) -> Candidate:
    """The candidate with what the judge of its language says of it."""
    if candidate.plain:
        return candidate
    said = features_of(candidate, sentence, language)
    judge = error_judge(language, candidate.type)
    confidence = round(judge.confidence(said), 3)
    return msgspec.structs.replace(candidate, confidence=confidence, reasons=tuple(judge.reasons(said)))


def features_of(candidate: Candidate, sentence: Sentence, language: str) -> dict[str, float]:
    """All that the judge weighs: of the candidate, of its text, of the foil."""
    found = (ALWAYS, *features(sentence, candidate), *foil_flaws(sentence.text, candidate.text, language))
    return dict.fromkeys(found, 1.0)


def choose(
    found: Sequence[Candidate], seed: int, line: int, *, every: bool = False, least: float = ERROR_CONFIDENCE
) -> Sequence[Candidate]:
    """One of those that are sure enough and not plain, or all; it depends on seed, line and type alone."""
    if every:
        return found
    found = [c for c in found if not c.plain and c.confidence is not None and c.confidence >= least]
    if len(found) < 2:
        return found
    key = f"{seed}/{line}/{found[0].type}".encode()
    return [random.Random(hashlib.sha256(key).digest()).choice(found)]


def checked_confidence(value: float) -> float:
    """The value, if it is a probability.

    >>> checked_confidence(0.8)
    0.8
    """
    if not 0 <= value <= 1:
        raise KontrastError(f"--min-confidence: expected a number from 0 to 1, found {value}")
    return value


def unusable(lines: int) -> str:
    """What to say of lines that were passed over."""
    return (
        f"{lines} lines gave no candidate: they are all in capitals, in another language, or longer than "
        f"{LONGEST:,} characters"
    )


def usable(text: str, language: str = "") -> bool:
    """Can this line be a sentence of the language: not too long, not all in capitals, not in another one?

    >>> usable("Die Frau lacht."), usable("DIE FRAU LACHT LAUT."), usable("a" * 10001)
    (True, False, False)
    """
    if len(text) > LONGEST or (text.isupper() and len(text.split()) > 2):
        return False
    return not is_foreign(language, text)


def as_record(line: int, candidate: Candidate) -> dict[str, Any]:
    """What ``kontrast perturb`` prints for a candidate.

    >>> found = perturb(["Sie lacht nicht."], "de", ["polarity_particle_nicht_del"])
    >>> as_record(*next(found))["edits"]
    ({'start': 9, 'end': 15, 'old': ' nicht', 'new': ''},)
    """
    record = {"line": line, **msgspec.to_builtins(candidate)}
    for own in ("words", "unseen", "features"):
        record.pop(own, None)
    return record
