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

from kontrast.building.corpus import parallel_lines
from kontrast.building.pronouns.foils import contrastives, target_side
from kontrast.building.pronouns.recipe import Recipe, load_recipe
from kontrast.io.files import writing
from kontrast.language import aligners, annotators, resolvers
from kontrast.language.aligners.fast_align import train
from kontrast.language.alignment import Links, Span, partners, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import is_pleonastic, phrase_of
from kontrast.record import Record
from kontrast.suites.formats import save
from kontrast.suites.model import Item, Suite, Variant

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
    with tempfile.TemporaryDirectory() as place:
        model = Path(alignment) if alignment is not None else Path(place) / "alignment"
        if alignment is None:
            train([*pairs, *((pair[0], other) for pair, other in zip(pairs, others, strict=False))], model)
        links = list(aligners.get("fast-align", model).align(pairs))
    found = tuple(_found(pairs, links))
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


def _found(pairs: Sequence[tuple[str, str]], links: Sequence[Links]) -> Iterator[ItCandidate]:
    recipe = load_recipe("en-de")
    places = [
        (line, i, j)
        for line, (source, target) in enumerate(pairs)
        for i, j in sorted(links[line])
        if _is(source, i, ("it",)) and _is(target, j, PRONOUNS)
    ]
    needed = sorted({back for line, _, _ in places for back in range(max(line - CONTEXT, 0), line + 1)})
    parsed = dict(zip(needed, annotators.get("en").annotate(pairs[i][0] for i in needed), strict=True))
    for line, i, j in places:
        source, target = pairs[line]
        pronoun, it = spans(target)[j], spans(source)[i]
        proposed = _antecedent(recipe, pairs, links, parsed, line, it, pronoun)
        wrong = contrastives(recipe, target, pronoun.start, pronoun.end)
        yield ItCandidate(
            line + 1, (i, j), pronoun.text, source, target, *proposed, wrong=tuple(other.text for other in wrong)
        )


def _is(text: str, index: int, words: Sequence[str]) -> bool:
    found = spans(text)
    return index < len(found) and found[index].text.lower() in words


def _antecedent(
    recipe: Recipe,
    pairs: Sequence[tuple[str, str]],
    links: Sequence[Links],
    parsed: dict[int, Sentence],
    line: int,
    it: Span,
    pronoun: Span,
) -> tuple[str | None, str | None, int | None]:
    """The most salient noun whose translation has the pronoun's gender: its phrase, translation and distance."""
    first = max(line - CONTEXT, 0)
    sentences = [parsed[i] for i in range(first, line + 1)]
    token = next((k for k, t in enumerate(sentences[-1].tokens) if t.start <= it.start < t.end), None)
    if token is None or (pronoun.text.lower() == "es" and is_pleonastic(sentences[-1], token)):
        return None, None, None
    gender = recipe.targets[pronoun.text.lower()].gender
    for antecedent in resolvers.get().antecedents("", sentences, len(sentences) - 1, token):
        number = first + antecedent.sentence
        head = sentences[antecedent.sentence].tokens[antecedent.token]
        source, target = pairs[number]
        aligned = sorted(partners(links[number], spans(source), head.start, head.end))
        words = spans(target)
        nouns = [target_side(recipe).noun(target, words, j, "s") for j in aligned if j < len(words)]
        noun = next((n for n in reversed(nouns) if n is not None and gender in n.genders), None)
        if noun is not None and head.tag not in ("NNS", "NNPS"):
            return phrase_of(sentences[antecedent.sentence], antecedent.token), noun.text, line - number
    return None, None, None


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
