"""From texts to candidates: annotate, perturb, count, choose."""

from __future__ import annotations

import hashlib
import random
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypedDict, Unpack

import msgspec

from kontrast.building.perturb import DECLARED, NAMES, Candidate, Perturbation, listed
from kontrast.building.perturb.fr.elision import is_unelided
from kontrast.building.perturb.soundness import is_broken
from kontrast.building.perturb.text import doubles_stop, is_unbalanced
from kontrast.defaults import SEED
from kontrast.errors import InputError
from kontrast.io.files import open_lines, read_lines
from kontrast.language import annotators
from kontrast.language.annotation import Annotator, Sentence
from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.frequencies import Frequencies
from kontrast.language.identify import is_foreign, looks_like

__all__ = [
    "annotator_for",
    "as_record",
    "candidates_of",
    "choose",
    "perturb",
    "perturb_file",
    "perturb_sentences",
    "unusable",
    "usable",
]

LONGEST = 10_000
"""Lines with more characters than this are no sentences: they give no candidates."""


class Perturbing(TypedDict, total=False):
    """How candidates are chosen; ``lexicon`` names a back end (docs/languages.md) and adds errors that need one."""

    every: bool
    seed: int
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
    own = NAMES.get(language, ())
    plain = all(p.name in DECLARED and p.name not in own for p in perturbations)
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
    lexicon: str | None = None,
    frequencies: Frequencies | None = None,
) -> Iterator[tuple[int, Candidate]]:
    """As `perturb`, for sentences that are annotated already."""
    perturbations = listed(language, tuple(types) if types else None, lexicon)
    for line, sentence in enumerate(sentences):
        for perturbation in perturbations:
            found = candidates_of(perturbation, sentence, frequencies)
            yield from ((line, candidate) for candidate in choose(found, seed, line, every=every))


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
            f"kontrast: warning: {apart} lines have accents as characters of their own; few errors are found in "
            "them; compose them first (Unicode's NFC)",
            file=sys.stderr,
        )


def candidates_of(
    perturbation: Perturbation, sentence: Sentence, frequencies: Frequencies | None = None
) -> list[Candidate]:
    """The distinct candidates of one sentence, none of them equal to it, with their training frequency."""
    found: dict[str, Candidate] = {}
    made = list(perturbation.function(sentence))
    if any(not c.weak for c in made) and is_broken(sentence, perturbation.language):
        made = [msgspec.structs.replace(c, weak=True) for c in made]
    made = [_weak_where_marred(c, sentence.text, perturbation.language) for c in made]
    for candidate in sorted(made, key=lambda c: (c.plain, c.weak)):
        if candidate.text == sentence.text or candidate.text in found:
            continue
        if frequencies is not None:
            if any(frequencies[word] for word in candidate.unseen):
                continue
            if candidate.words:
                count = min(frequencies[word] for word in candidate.words)
                candidate = msgspec.structs.replace(candidate, frequency=count)
        found[candidate.text] = candidate
    return list(found.values())


def _weak_where_marred(candidate: Candidate, text: str, language: str) -> Candidate:
    """A bracket left alone, two full stops or an elision not made is a second error."""
    marred = is_unbalanced(text, candidate.text) or doubles_stop(text, candidate.text)
    marred = marred or (language == "fr" and is_unelided(text, candidate.text))
    return msgspec.structs.replace(candidate, weak=True) if marred and not candidate.weak else candidate


def choose(found: Sequence[Candidate], seed: int, line: int, *, every: bool = False) -> Sequence[Candidate]:
    """One of those that are neither weak nor plain, or all; it depends on the seed, the line and the type alone."""
    if every:
        return found
    found = [candidate for candidate in found if not candidate.weak and not candidate.plain]
    if len(found) < 2:
        return found
    key = f"{seed}/{line}/{found[0].type}".encode()
    return [random.Random(hashlib.sha256(key).digest()).choice(found)]


def unusable(lines: int) -> str:
    """What to say of lines that were passed over."""
    return f"{lines} lines gave nothing: all in capitals, in another language, or over {LONGEST:,} characters"


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
    record.pop("words", None)
    record.pop("unseen", None)
    return record
