"""Candidates for the test of metrics on anaphoric *it*: a source, its reference, and where *it* became er, sie or es.

The set this follows (mistranslated "it" for metrics) was made by hand from such a list. A person still decides; the
antecedent and the wrong translation proposed here save the looking.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import msgspec

from kontrast.building.corpus import Document, parallel_lines, refuse_other_language
from kontrast.building.pronouns.foils import contrastives
from kontrast.building.pronouns.pipeline import Tools, find_in_documents
from kontrast.building.pronouns.recipe import load_recipe
from kontrast.io.files import writing
from kontrast.language.aligners.fast_align import train
from kontrast.language.alignment import spans
from kontrast.record import Record
from kontrast.suites.formats import save
from kontrast.suites.model import Item, Suite, Tags, Variant

PRONOUNS = ("er", "sie", "es")
CONTEXT = 2


class ItCandidate(Record, frozen=True, omit_defaults=True):
    """One aligned pronoun. ``line`` counts from 1; ``pair`` are the numbers of the two words, from 0.

    ``antecedent`` is what *it* seems to refer to and ``distance`` how many lines before it stands; ``wrong`` are the
    reference with the other pronouns.
    """

    line: int
    pair: tuple[int, int]
    pronoun: str
    source: str
    reference: str
    antecedent: str | None = None
    antecedent_translation: str | None = None
    distance: int | None = None
    wrong: tuple[str, ...] = ()


class ItCandidates(Record, frozen=True):
    """The candidates, and a draft suite for review.

    The draft has the candidates with an antecedent in a preceding line, each with the first wrong pronoun.
    """

    candidates: tuple[ItCandidate, ...]
    suite: Suite


def build_metrics_it(
    source: str | Path,
    reference: str | Path,
    *,
    second: str | Path | None = None,
    alignment: str | Path | None = None,
) -> ItCandidates:
    """Find the candidates, as `kontrast build metrics-it` does; `save_metrics_it` writes them.

    With ``second`` (another human reference) the draft is a suite for `kontrast metrics`.

    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "text.en").write_text("I bought a lamp.\\nIt is broken.\\n")
    >>> _ = (folder / "text.de").write_text("Ich habe eine Lampe gekauft.\\nSie ist kaputt.\\n")
    >>> [found] = build_metrics_it(folder / "text.en", folder / "text.de").candidates
    >>> found.line, found.pronoun, found.wrong
    (2, 'Sie', ('Er ist kaputt.', 'Es ist kaputt.'))
    """
    pairs = list(parallel_lines(source, reference))
    others = [line for _, line in parallel_lines(source, second)] if second is not None else []
    refuse_other_language(source, "en", (line for line, _ in pairs), "en-de")
    refuse_other_language(reference, "de", (line for _, line in pairs), "en-de")
    refuse_other_language(second or reference, "de", others, "en-de")
    with tempfile.TemporaryDirectory() as place:
        model = Path(alignment) if alignment is not None else Path(place) / "alignment"
        if alignment is None:
            train([*pairs, *((pair[0], other) for pair, other in zip(pairs, others, strict=False))], model)
        found = tuple(_found(pairs, Tools(load_recipe("en-de"), alignment=str(model))))
    items = tuple(_items(found, pairs, others))
    return ItCandidates(found, Suite("pro_errors", items, "en", "de", style="pro-errors"))


def save_metrics_it(found: ItCandidates, folder: str | Path) -> None:
    """Write ``candidates.jsonl`` and, where the draft has items, ``pro_errors.json`` in that set's own form.

    >>> folder = Path(tempfile.mkdtemp())
    >>> one = ItCandidate(2, (0, 0), "Sie", "It is broken.", "Sie ist kaputt.", wrong=("Er ist kaputt.",))
    >>> save_metrics_it(ItCandidates((one,), Suite("pro_errors", (), "en", "de")), folder)
    >>> [path.name for path in folder.iterdir()]
    ['candidates.jsonl']
    """
    with writing(Path(folder) / "candidates.jsonl") as stream:
        stream.writelines(msgspec.json.encode(candidate).decode() + "\n" for candidate in found.candidates)
    if found.suite.items:
        save(found.suite, Path(folder) / "pro_errors.json", "pro-errors")


def _found(pairs: Sequence[tuple[str, str]], tools: Tools) -> Iterator[ItCandidate]:
    """Every pair of pronouns that the recipe finds, with the antecedent where it is near enough to be shown."""
    if not pairs:
        return
    [made] = find_in_documents([Document("", *zip(*pairs, strict=True))], tools)
    places: dict[tuple[int, int, int], Tags] = {(lost.line, lost.source, lost.target): {} for lost in made.lost}
    for item in made.items:
        _, number, at = item.id.rsplit(":", 2)
        places[int(number) - tools.recipe.segment_base, int(at), item.tags["ref_pronoun_offset"]] = item.tags
    for (line, it, start), tags in sorted(places.items()):
        source, reference = pairs[line]
        pronoun = next(word for word in spans(reference) if word.start == start)
        if pronoun.text.lower() not in PRONOUNS:
            continue
        i = next(k for k, word in enumerate(spans(source)) if word.start == it)
        j = spans(reference).index(pronoun)
        wrong = tuple(other.text for other in contrastives(tools.recipe, reference, start, pronoun.end))
        near = tags if tags.get("distance", CONTEXT + 1) <= CONTEXT else {}
        antecedent = near.get("src_ante_phrase"), near.get("ref_ante_head"), near.get("distance")
        yield ItCandidate(line + 1, (i, j), pronoun.text, source, reference, *antecedent, wrong=wrong)


def _items(found: Sequence[ItCandidate], pairs: Sequence[tuple[str, str]], others: Sequence[str]) -> Iterator[Item]:
    """The draft: candidates whose antecedent stands in a preceding line."""
    numbers = count(1)
    for candidate in found:
        line = candidate.line - 1
        if not candidate.distance or not candidate.wrong:
            continue
        context = slice(max(line - CONTEXT, 0), line)
        references = (
            (Variant(others[line], context=tuple(others[context])),) if others else (Variant("", context=()),)
        )
        yield Item(
            id=str(next(numbers)),
            source=candidate.source,
            variants=(Variant(candidate.reference), Variant(candidate.wrong[0], error="pronoun_it")),
            source_context=tuple(pair[0] for pair in pairs[context]),
            target_context=tuple(pair[1] for pair in pairs[context]),
            references=references,
        )
