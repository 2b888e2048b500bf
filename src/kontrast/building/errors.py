"""The recipe ``errors``: LingEval97 made anew from any parallel text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice, tee
from pathlib import Path

import msgspec

from kontrast.building.parallel import parallel_lines
from kontrast.building.perturb import LINGEVAL97, NAMES, listed
from kontrast.building.perturb.perturbation import Candidate
from kontrast.building.perturb.run import annotator_for, candidates_of, choose, unusable, usable
from kontrast.errors import InputError, KontrastError
from kontrast.language.frequencies import Frequencies
from kontrast.language.identify import looks_like
from kontrast.progress import progress
from kontrast.suites.model import Item, Suite, Tags, Variant

__all__ = ["build_errors"]

_SAMPLE = 200


def build_errors(
    source: str | Path,
    reference: str | Path,
    pair: str = "en-de",
    types: Sequence[str] | None = None,
    *,
    every: bool = False,
    seed: int = 1,
    annotator: str | None = None,
    lexicon: str | None = None,
    frequencies: Frequencies | None = None,
    name: str | None = None,
) -> Suite:
    """A suite of references and their contrastive variants from two files with a sentence per line.

    One candidate per sentence and type, or ``every`` one, weak ones tagged ``weak``; sentences without any are left
    out. Each pair of reference and error is a decision of its own. ``origin`` is ``NAME.LINE``, counted from 1, as in
    LingEval97.
    """
    source_language, _, language = pair.partition("-")
    if not language:
        raise KontrastError(f"expected a pair such as en-de, found {pair!r}")
    perturbations = listed(language, tuple(types) if types else _default_types(language), lexicon)
    name = name or Path(reference).name.split(".")[0]
    _refuse_other_language(source, reference, language)
    lines, texts = tee(parallel_lines(source, reference))
    reader = annotator_for(language, perturbations, annotator)
    sentences = reader.annotate(b if usable(b) else "" for _, b in texts)
    items: list[Item] = []
    passed = number = 0
    with progress("making errors", None, "sentences") as advance:
        for number, ((text, right), sentence) in enumerate(zip(lines, sentences, strict=True), start=1):
            advance(1)
            sentence = msgspec.structs.replace(sentence, source=text)
            passed += not usable(right)
            foils = [
                Variant(c.text, c.type, None, _tags(c))
                for p in perturbations
                for c in choose(candidates_of(p, sentence, frequencies), seed, number, every=every)
            ]
            if text.strip() and foils:
                origin = f"{name}.{number}"
                items.append(Item(str(len(items) + 1), text, (Variant(right), *foils), tags={"origin": origin}))
    if not items:
        why = f": {unusable(passed)}" if passed else f" in its {number} lines" if number else ": it has no lines"
        raise InputError(reference, f"gives no error of the types asked for{why}")
    if passed:
        print(f"kontrast: {unusable(passed)}", file=sys.stderr)
    style = "lingeval97" if {p.name for p in perturbations} <= set(LINGEVAL97) else None
    return Suite(name, tuple(items), source_language, language, unit="pair", style=style)


def _default_types(language: str) -> tuple[str, ...] | None:
    """LingEval97's own where the language has them, else all."""
    return tuple(n for n in NAMES.get(language, ()) if n in LINGEVAL97) or None


def _tags(found: Candidate) -> Tags:
    """Distance and frequency where they apply; whether a candidate would not be chosen."""
    numbers = {"distance": found.distance, "frequency": found.frequency}
    tags: Tags = {key: value for key, value in numbers.items() if value is not None}
    return {**tags, "weak": True} if found.weak or found.plain else tags


def _refuse_other_language(source: str | Path, reference: str | Path, language: str) -> None:
    sample = [b for _, b in islice(parallel_lines(source, reference), _SAMPLE)]
    if not looks_like(language, sample):
        raise InputError(reference, f"does not look like {language!r}: are the files in the order SRC REF?")
