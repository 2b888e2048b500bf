"""From documents to pronoun items: find, align, resolve, contrast. One document at a time, resumable."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path

import msgspec

from kontrast.building.parallel import Document, parallel_documents
from kontrast.building.pronouns.items import DEFAULT_CONFIDENCE, make_item
from kontrast.building.pronouns.places import PronounPlace, places, texts
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language import aligners, annotators, resolvers
from kontrast.language.alignment import Aligner, Links
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent, Resolver
from kontrast.progress import progress
from kontrast.suites.model import Item

__all__ = ["DocumentItems", "Tools", "find_in_documents", "find_pronouns"]


class Tools(msgspec.Struct, frozen=True):
    """The recipe and who does the work; plain names, so that they can be sent to other processes.

    With ``together`` all mentions of one thing in a sentence change in one contrastive.
    """

    recipe: Recipe
    aligner: str = "fast-align"
    alignment: str | None = None
    resolver: str = "salience"
    resolver_model: str | None = None
    together: bool = True


class DocumentItems(msgspec.Struct):
    """The items of a document, and how many places gave none, by reason."""

    items: list[Item] = []
    left_out: dict[str, int] = {}


def find_pronouns(
    documents: str | Path, tools: Tools, journal: str | Path | None = None, jobs: int = 1
) -> Iterator[DocumentItems]:
    """What each document below a folder gives, in the order of the documents.

    With a ``journal``, finished documents are kept in that file, and a run that was killed goes on behind them.
    """
    recipe = tools.recipe
    corpus = list(parallel_documents(documents, recipe.source_language, recipe.target_language))
    key = hashlib.sha256(msgspec.json.encode([[d.name for d in corpus], tools])).hexdigest()
    done = _read_journal(journal, key)
    chunks = list(_chunks([d for d in corpus if d.name not in done]))
    found: dict[str, DocumentItems] = dict(done)
    with ExitStack() as stack:
        kept = stack.enter_context(open(journal, "a", encoding="utf-8")) if journal is not None else None
        if kept is not None and not done:
            kept.write(f"{key}\n")
        advance = stack.enter_context(progress("finding pronouns", sum(len(d.source) for d in corpus), "lines"))
        advance(sum(len(d.source) for d in corpus if d.name in done))
        results: Iterator[dict[str, DocumentItems]]
        if jobs > 1 and len(chunks) > 1:
            # Forked workers would share locks of threads that the parent's libraries have started.
            pool = stack.enter_context(ProcessPoolExecutor(jobs, mp_context=get_context("spawn")))
            results = pool.map(partial(find_in_documents, tools=tools), chunks)
        else:
            results = (find_in_documents(chunk, tools) for chunk in chunks)
        for chunk, result in zip(chunks, results, strict=True):
            found.update(result)
            if kept is not None:
                kept.writelines(msgspec.json.encode(pair).decode() + "\n" for pair in result.items())
                kept.flush()
            advance(sum(len(d.source) for d in chunk))
    for document in corpus:
        yield found[document.name]


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


def _read_journal(journal: str | Path | None, key: str) -> dict[str, DocumentItems]:
    """Finished documents of an earlier run over the same corpus; a line cut off by a kill is passed over."""
    if journal is None or not Path(journal).exists():
        return {}
    lines = Path(journal).read_text(encoding="utf-8", errors="replace").split("\n")
    if lines[0] != key:
        Path(journal).unlink()
        return {}
    done = {}
    for line in lines[1:]:
        try:
            name, found = msgspec.json.decode(line, type=tuple[str, DocumentItems])
        except msgspec.DecodeError:
            continue
        done[name] = found
    return done


@lru_cache(maxsize=4)
def _aligner(name: str, model: str | None) -> Aligner:
    return aligners.get(name, model)


def find_in_documents(documents: Sequence[Document], tools: Tools) -> dict[str, DocumentItems]:
    """What some documents give, by the documents' names."""
    recipe = tools.recipe
    aligner = _aligner(tools.aligner, tools.alignment)
    resolver = resolvers.get(tools.resolver, tools.resolver_model)
    before = range(recipe.max_distance, -1, -1)
    lines = [
        (d, i) for d, doc in enumerate(documents) for i in range(len(doc.source)) if _has_both(recipe, *texts(doc, i))
    ]
    wanted = sorted({(d, i - back) for d, i in lines for back in before if i >= back})
    links = dict(zip(wanted, aligner.align(texts(documents[d], i) for d, i in wanted), strict=True))
    every = [(d, place) for d, i in lines for place in places(recipe, documents[d], i, links[d, i])]
    needed = sorted({(d, p.line - back) for d, p in every for back in before if p.line >= back})
    parsed = annotators.get(recipe.source_language, entities=True).annotate(documents[d].source[i] for d, i in needed)
    known = dict(zip(needed, parsed, strict=True))
    found: dict[str, DocumentItems] = {}
    for d, document in enumerate(documents):
        sentences = [known.get((d, i)) or Sentence(text, ()) for i, text in enumerate(document.source)]
        own_links = {i: link for (e, i), link in links.items() if e == d}
        own_places = [place for e, place in every if e == d]
        found[document.name] = _in_document(tools, document, own_places, sentences, own_links, resolver)
    return found


def _has_both(recipe: Recipe, source: str, target: str) -> bool:
    return bool(recipe.source_pattern.search(source) and recipe.target_pattern.search(target))


def _in_document(
    tools: Tools,
    document: Document,
    own_places: Sequence[PronounPlace],
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    resolver: Resolver,
) -> DocumentItems:
    items: list[Item] = []
    left_out: Counter[str] = Counter()
    seen: set[tuple[int, frozenset[str]]] = set()
    last: dict[str, tuple[int, Antecedent]] = {}
    for place in own_places:
        line, before = last.get(place.target.gender, (-1, None))
        result = make_item(
            tools.recipe,
            document,
            place,
            sentences,
            links,
            resolver,
            together=tools.together,
            before=before if place.line - line <= 1 else None,
        )
        if isinstance(result, str):
            left_out[result] += 1
            continue
        made, choice = result
        if choice.confidence >= DEFAULT_CONFIDENCE:
            last[place.target.gender] = (place.line, choice.antecedent)
        key = (place.line, frozenset(variant.text for variant in made.variants))
        if key in seen:
            left_out["changed together with another"] += 1
            continue
        seen.add(key)
        items.append(made)
    return DocumentItems(items, dict(left_out))
