"""From documents to pronoun items: find, align, resolve, contrast. One document at a time, resumable."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path

import msgspec

from kontrast.building.parallel import Document, parallel_documents
from kontrast.building.pronouns.contrast import Contrastive, contrastives
from kontrast.building.pronouns.evidence import Noun, target_noun
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language import aligners, annotators, resolvers
from kontrast.language.alignment import Aligner, Links, Span, partners, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent, Resolver, is_pleonastic, phrase_of
from kontrast.progress import progress
from kontrast.suites.model import Item, Tags, Variant

__all__ = ["Workshop", "find_in_documents", "find_pronouns"]

MARGIN = 0.5
"""By how much the best antecedent must be ahead of the next one that fits as well."""


_PRONOUNS = frozenset("i you he she we they him her us them this that these those it".split())
"""Where another of these is linked to the target pronoun too, that one may be meant."""


class _Place(msgspec.Struct, frozen=True):
    """A source pronoun and the target pronoun it is aligned to."""

    line: int
    source: Span
    target: Span


class Workshop(msgspec.Struct, frozen=True):
    """Who does the work; plain names, so that it can be sent to other processes."""

    recipe: Recipe
    aligner: str = "fast-align"
    alignment: str | None = None
    resolver: str = "salience"
    resolver_model: str | None = None


def find_pronouns(
    documents: str | Path, workshop: Workshop, journal: str | Path | None = None, jobs: int = 1
) -> Iterator[Item]:
    """The items of all documents below a folder, in the order of the documents.

    With a ``journal``, finished documents are kept in that file, and a run that was killed goes on behind them.
    """
    recipe = workshop.recipe
    corpus = list(parallel_documents(documents, recipe.source_language, recipe.target_language))
    key = hashlib.sha256(msgspec.json.encode([[d.name for d in corpus], workshop])).hexdigest()
    done = _read_journal(journal, key)
    chunks = list(_chunks([d for d in corpus if d.name not in done]))
    found: dict[str, list[Item]] = dict(done)
    with ExitStack() as stack:
        kept = stack.enter_context(open(journal, "a", encoding="utf-8")) if journal is not None else None
        if kept is not None and not done:
            kept.write(f"{key}\n")
        advance = stack.enter_context(progress("finding pronouns", sum(len(d.source) for d in corpus), "lines"))
        advance(sum(len(d.source) for d in corpus if d.name in done))
        results: Iterator[dict[str, list[Item]]]
        if jobs > 1 and len(chunks) > 1:
            # Forked workers would share locks of threads that the parent's libraries have started.
            pool = stack.enter_context(ProcessPoolExecutor(jobs, mp_context=get_context("spawn")))
            results = pool.map(partial(find_in_documents, workshop=workshop), chunks)
        else:
            results = (find_in_documents(chunk, workshop) for chunk in chunks)
        for chunk, result in zip(chunks, results, strict=True):
            found.update(result)
            if kept is not None:
                kept.writelines(msgspec.json.encode(pair).decode() + "\n" for pair in result.items())
                kept.flush()
            advance(sum(len(d.source) for d in chunk))
    for document in corpus:
        yield from found[document.name]


def _chunks(corpus: Sequence[Document], lines: int = 400) -> Iterator[list[Document]]:
    """Documents in bundles of some hundred lines: enough for the parser's batches, little to lose by a kill."""
    bundle: list[Document] = []
    size = 0
    for document in corpus:
        bundle.append(document)
        size += len(document.source)
        if size >= lines:
            yield bundle
            bundle, size = [], 0
    if bundle:
        yield bundle


def _read_journal(journal: str | Path | None, key: str) -> dict[str, list[Item]]:
    """Finished documents of an earlier run over the same corpus; a line cut off by a kill is passed over."""
    if journal is None or not Path(journal).exists():
        return {}
    lines = Path(journal).read_text(encoding="utf-8").split("\n")
    if lines[0] != key:
        Path(journal).unlink()
        return {}
    done = {}
    for line in lines[1:]:
        try:
            name, items = msgspec.json.decode(line, type=tuple[str, list[Item]])
        except msgspec.DecodeError:
            continue
        done[name] = items
    return done


@lru_cache(maxsize=4)
def _aligner(name: str, model: str | None) -> Aligner:
    return aligners.get(name, model)


def find_in_documents(documents: Sequence[Document], workshop: Workshop) -> dict[str, list[Item]]:
    """The items of some documents, by the documents' names."""
    recipe = workshop.recipe
    aligner = _aligner(workshop.aligner, workshop.alignment)
    resolver = resolvers.get(workshop.resolver, workshop.resolver_model)
    before = range(recipe.max_distance, -1, -1)
    hopeful = [
        (d, i) for d, doc in enumerate(documents) for i in range(len(doc.source)) if _hopeful(recipe, *_texts(doc, i))
    ]
    wanted = sorted({(d, i - back) for d, i in hopeful for back in before if i >= back})
    links = dict(zip(wanted, aligner.align(_texts(documents[d], i) for d, i in wanted), strict=True))
    places = [(d, place) for d, i in hopeful for place in _places(recipe, documents[d], i, links[d, i])]
    needed = sorted({(d, p.line - back) for d, p in places for back in before if p.line >= back})
    parsed = annotators.get(recipe.source_language).annotate(documents[d].source[i] for d, i in needed)
    known = dict(zip(needed, parsed, strict=True))
    found: dict[str, list[Item]] = {document.name: [] for document in documents}
    for d, document in enumerate(documents):
        sentences = [known.get((d, i)) or Sentence(text, ()) for i, text in enumerate(document.source)]
        own_links = {i: link for (e, i), link in links.items() if e == d}
        for place in (place for e, place in places if e == d):
            item = _item(recipe, document, place, sentences, own_links, resolver)
            if item is not None:
                found[document.name].append(item)
    return found


def _hopeful(recipe: Recipe, source: str, target: str) -> bool:
    return bool(recipe.source_pattern.search(source) and recipe.target_pattern.search(target))


def _places(recipe: Recipe, document: Document, line: int, links: Links) -> Iterator[_Place]:
    source, target = spans(document.source[line]), spans(document.target[line])
    barred = [_barred(patterns, text) for patterns, text in zip(recipe.blocked, _texts(document, line), strict=True)]
    for i, word in enumerate(source):
        number = recipe.sources.get(word.text.lower())
        if number is None or any(a <= word.start < b for a, b in barred[0]):
            continue
        # As the French set's makers did, the pronoun may stand one word beside its link.
        near = sorted(
            {j + step for a, j in links if a == i for step in (0, -1, 1)}, key=lambda j: (j, i) not in links
        )
        for j in near:
            if not 0 <= j < len(target) or any(a <= target[j].start < b for a, b in barred[1]):
                continue
            form = recipe.targets.get(target[j].text.lower())
            if any(b == j and a != i and source[a].text.lower() in _PRONOUNS for a, b in links if a < len(source)):
                continue
            exact = any((i, j) == link for link in links)
            if form is not None and form.number in (None, number) and (exact or recipe.subjects_only):
                yield _Place(line, word, target[j])
                break


def _texts(document: Document, line: int) -> tuple[str, str]:
    return document.source[line], document.target[line]


def _barred(patterns: Sequence[re.Pattern[str]], text: str) -> list[tuple[int, int]]:
    return [match.span() for pattern in patterns for match in pattern.finditer(text)]


def _item(
    recipe: Recipe,
    document: Document,
    place: _Place,
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    resolver: Resolver,
) -> Item | None:
    tokens = sentences[place.line].tokens
    token = next((i for i, t in enumerate(tokens) if t.start <= place.source.start < t.end), None)
    if token is None or is_pleonastic(sentences[place.line], token):
        return None
    if recipe.subjects_only and not tokens[token].relation.startswith("nsubj"):
        return None
    own = set(recipe.targets[place.target.text.lower()].gender)
    fitting = _fitting(recipe, document, place, sentences, links, resolver, token, own)
    if not fitting or (len(fitting) > 1 and fitting[0][0].score - fitting[1][0].score < MARGIN):
        return None
    antecedent, noun = fitting[0]
    text = document.target[place.line]
    is_subject = tokens[token].relation.startswith("nsubj")
    others = contrastives(recipe, text, place.target.start, place.target.end, is_subject)
    if len({gender for o in others for gender in o.gender}) < len(recipe.genders) - len(own):
        return None
    return _made(recipe, document, place, sentences, antecedent, noun, others)


def _fitting(
    recipe: Recipe,
    document: Document,
    place: _Place,
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    resolver: Resolver,
    token: int,
    own: set[str],
) -> list[tuple[Antecedent, Noun]]:
    """Antecedents, best first, whose translation is a noun of the pronoun's gender."""
    number = recipe.sources[place.source.text.lower()]
    found = []
    for antecedent in resolver.antecedents(document.name, sentences, place.line, token):
        if place.line - antecedent.sentence > recipe.max_distance or antecedent.sentence not in links:
            continue
        head = sentences[antecedent.sentence].tokens[antecedent.token]
        if (head.tag in ("NNS", "NNPS")) != (number == "p"):
            continue
        source, target = spans(document.source[antecedent.sentence]), spans(document.target[antecedent.sentence])
        aligned = sorted(partners(links[antecedent.sentence], source, head.start, head.end))
        noun = target_noun(recipe, target, [j for j in aligned if j < len(target)])
        if noun is not None and noun.genders & own and len(noun.genders - own) == 0:
            found.append((antecedent, noun))
    return found


def _made(
    recipe: Recipe,
    document: Document,
    place: _Place,
    sentences: Sequence[Sentence],
    antecedent: Antecedent,
    noun: Noun,
    others: Sequence[Contrastive],
) -> Item:
    line, distance = place.line, place.line - antecedent.sentence
    head = sentences[antecedent.sentence].tokens[antecedent.token]
    gender = recipe.genders[next(iter(sorted(noun.genders)))]
    tags: Tags = {
        "src_pronoun": place.source.text,
        "ref_pronoun": place.target.text,
        "distance": distance,
        "intrasegmental": distance == 0,
        "corpus": f"{recipe.source_language}{recipe.target_language}",
        "src_ante_head": head.text,
        "src_ante_head_id": antecedent.token + 1,
        "src_ante_head_lemma": head.lemma,
        "src_ante_head_pos": head.tag,
        "src_ante_head_morpho": None,
        "src_ante_head_gender": None,
        "src_ante_phrase": phrase_of(sentences[antecedent.sentence], antecedent.token),
        "ref_ante_head": noun.text,
        "ref_ante_head_id": noun.index + 1,
        "ref_ante_head_lemma": noun.lemma,
        "ref_ante_head_pos": "NN",
        "ref_ante_head_morpho": f"{gender}|_|{'Pl' if recipe.sources[place.source.text.lower()] == 'p' else 'Sg'}",
        "ref_ante_head_gender": gender,
        "ref_ante_phrase": noun.text,
    }
    wrong = tuple(
        Variant(
            other.text,
            error=recipe.type,
            tags={"replacement": other.replacement, "replacement_gender": recipe.genders[other.gender]},
        )
        for other in others
    )
    start = max(line - recipe.max_distance, 0)
    return Item(
        id=f"{document.name}:{line + recipe.segment_base}:{place.source.start}",
        source=document.source[line],
        variants=(Variant(document.target[line]), *wrong),
        source_context=document.source[start:line],
        target_context=document.target[start:line],
        document=document.name + recipe.document_ending,
        segment=line + recipe.segment_base,
        tags=tags,
    )
