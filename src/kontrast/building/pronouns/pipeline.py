"""From documents to pronoun items: find, align, resolve, contrast. One document at a time, resumable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice, tee
from pathlib import Path
from unicodedata import normalize

import msgspec

from kontrast.building.checks.judge import load_judges
from kontrast.building.corpus import Document, parallel_documents
from kontrast.building.pronouns.align import PronounPlace, pairs_left, places, texts
from kontrast.building.pronouns.antecedents import Choice, choose
from kontrast.building.pronouns.candidates import may_fit
from kontrast.building.pronouns.foils import target_side
from kontrast.building.pronouns.item import make_item
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.scene import NO_ANTECEDENT, Scene, prepare
from kontrast.language import aligners, annotators, resolvers
from kontrast.language.aligners.pharaoh import Pharaoh
from kontrast.language.alignment import Aligner, Links, spans
from kontrast.language.annotation import Sentence
from kontrast.language.encoder import ENCODER
from kontrast.language.pointing import Pointed, load_pointer
from kontrast.progress import progress
from kontrast.shards import Parts, in_order
from kontrast.suites.model import Item

_TAKEN_UP = 0.75
"""From this confidence on the next pronoun of this gender is likely to mean the same."""
NOT_SURE = "not sure enough"
ENOUGH = "enough of its gender"
_CANDIDATES, _LINES = 64, 4_000
"""So many lines with a pronoun on both sides are a shard, or so many lines: enough for batches, little to lose."""


class Tools(msgspec.Struct, frozen=True):
    """The recipe and who does the work; plain names, so that they can be sent to other processes.

    With ``together`` all mentions of one thing in a sentence change in one contrastive. ``encoder`` is where the
    encoder is that gives a second opinion; None: none is asked for. It is asked where the nouns without it are at
    least as likely as ``asked_from``.
    """

    recipe: Recipe
    aligner: str = "fast-align"
    alignment: str | None = None
    resolver: str = "salience"
    resolver_model: str | None = None
    together: bool = True
    encoder: str | None = None
    asked_from: float = 0.0


class LostPronoun(msgspec.Struct, frozen=True):
    """A pair of pronouns that gave no item, by line and characters, and why."""

    line: int
    source: int
    target: int
    reason: str

    @classmethod
    def of(cls, place: PronounPlace, reason: str) -> LostPronoun:
        return cls(place.line, place.source.start, place.target.start, reason)


class DocumentItems(msgspec.Struct):
    """The items of some documents, how many places gave none, by reason, and how many lines were read."""

    items: list[Item] = []
    left_out: dict[str, int] = {}
    lines: int = 0
    lost: list[LostPronoun] = []


def find_pronouns(
    documents: str | Path,
    tools: Tools,
    parts: Parts,
    *,
    seed: int | None = None,
    full: Callable[[], frozenset[str]] = frozenset,
    jobs: int = 1,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[DocumentItems]:
    """What the documents below a folder give, some at a time, in the order of the documents or one by a ``seed``.

    Finished ones are kept in ``parts``, and a run that was killed goes on behind them. ``full`` says of which genders
    there are enough by now: documents that are begun after that are searched for the others.
    """
    made_elsewhere = tools.alignment if tools.aligner == Pharaoh.name else None
    bundles = _chunks(tools.recipe, documents, links=made_elsewhere, seed=seed)
    shards = ((f"{n}:{bundle[0].name}", (bundle, full())) for n, bundle in enumerate(bundles))
    work = partial(_encoded, tools=tools)
    with progress("finding pronouns", None, "lines") as advance:
        for part in parts.fill(shards, lambda todo: in_order(work, todo, jobs=jobs, on=on, workers=workers)):
            made = decoded(part)
            advance(made.lines)
            yield made


def decoded(part: bytes) -> DocumentItems:
    """What is kept of a shard."""
    return msgspec.msgpack.decode(part, type=DocumentItems)


def _encoded(shard: tuple[Sequence[Document], frozenset[str]], tools: Tools) -> bytes:
    documents, full = shard
    left_out: Counter[str] = Counter()
    items: list[Item] = []
    for found in find_in_documents(documents, tools, full):
        left_out.update(found.left_out)
        items += found.items
    return msgspec.msgpack.encode(DocumentItems(items, dict(left_out), sum(len(d.source) for d in documents)))


def composed_documents(place: str | Path, source: str, target: str, seed: int | None = None) -> Iterator[Document]:
    """The documents with every accent in one character with its letter, as lexicons and models have it."""
    for document in parallel_documents(place, source, target, seed):
        one, two = (tuple(normalize("NFC", line) for line in side) for side in (document.source, document.target))
        yield Document(document.name, one, two)


def _with_links(documents: Iterable[Document], path: str) -> Iterator[Document]:
    """Documents with the links of a file that has a line for every line of theirs, in their order."""
    some, same = tee(documents)
    found = Pharaoh(path).align(pair for d in some for pair in zip(d.source, d.target, strict=True))
    for document in same:
        yield msgspec.structs.replace(document, links=tuple(islice(found, len(document.source))))
    next(found, None)  # an error where the file goes on


def _chunks(
    recipe: Recipe, place: str | Path, *, links: str | None = None, seed: int | None = None
) -> Iterator[list[Document]]:
    """Documents in bundles of about as much work."""
    bundle: list[Document] = []
    lines = work = 0
    documents = composed_documents(place, recipe.source_language, recipe.target_language, seed)
    for document in _with_links(documents, links) if links else documents:
        bundle.append(document)
        lines += len(document.source)
        work += sum(_has_both(recipe, *texts(document, i)) for i in range(len(document.source)))
        if work >= _CANDIDATES or lines >= _LINES:
            yield bundle
            bundle, lines, work = [], 0, 0
    if bundle:
        yield bundle


@lru_cache(maxsize=4)
def _aligner(name: str, model: str | None) -> Aligner:
    return aligners.get(name, model)


def find_in_documents(
    documents: Sequence[Document], tools: Tools, full: frozenset[str] = frozenset()
) -> Iterator[DocumentItems]:
    """What each of some documents gives, but for pronouns that can only have a gender that is ``full``."""
    recipe = tools.recipe
    resolver = resolvers.get(tools.resolver, tools.resolver_model)
    before = range(recipe.max_distance, -1, -1)
    lines = [
        (d, i) for d, doc in enumerate(documents) for i in range(len(doc.source)) if _has_both(recipe, *texts(doc, i))
    ]
    wanted = sorted({(d, i - back) for d, i in lines for back in before if i >= back})
    if any(document.links for document in documents):
        links = {(d, i): documents[d].links[i] for d, i in wanted}
    else:
        aligner = _aligner(tools.aligner, tools.alignment)
        links = dict(zip(wanted, aligner.align(texts(documents[d], i) for d, i in wanted), strict=True))
    every = [(d, place) for d, i in lines for place in _places(recipe, documents[d], i, links[d, i])]
    places_of = Counter(d for d, _ in every)
    every = _without(full, every)
    hopeful = {one for one in every if may_fit(recipe, documents[one[0]], one[1])}
    needed = sorted({(d, p.line - back) for d, p in hopeful for back in before if p.line >= back})
    parsed = annotators.get(recipe.source_language, entities=True).annotate(documents[d].source[i] for d, i in needed)
    known = dict(zip(needed, parsed, strict=True))
    scenes: list[list[Scene | LostPronoun]] = [[] for _ in documents]
    for d, document in enumerate(documents):
        sentences = [known.get((d, i)) or Sentence(text, ()) for i, text in enumerate(document.source)]
        own_links = {i: link for (e, i), link in links.items() if e == d}
        for one in (one for one in every if one[0] == d):
            place = one[1]
            scene: Scene | str = NO_ANTECEDENT
            if one in hopeful:
                scene = prepare(recipe, document, place, sentences, own_links, resolver)
            scenes[d].append(LostPronoun.of(place, scene) if isinstance(scene, str) else scene)
    opinions = _opinions(tools, [one for some in scenes for one in some if isinstance(one, Scene)])
    for d, document in enumerate(documents):
        found = _in_document(tools, scenes[d], opinions)
        pronouns = sum(len(recipe.source_pattern.findall(line)) for line in document.source)
        elsewhere = {"no target pronoun": pronouns - places_of[d], ENOUGH: places_of[d] - len(scenes[d])}
        yield DocumentItems(found.items, found.left_out | elsewhere, lost=found.lost)


def _without(full: frozenset[str], every: list[tuple[int, PronounPlace]]) -> list[tuple[int, PronounPlace]]:
    """The places that may have another gender, and those that they depend on: of the same line, where one foil may be
    that of two pronouns, and of the lines just before it, where one pronoun takes up what another means.
    """
    if not full:
        return every
    kept = {(d, p.line) for d, p in every if not full.issuperset(p.target.gender)}
    for d, place in reversed(every):
        if (d, place.line + 1) in kept:
            kept.add((d, place.line))
    return [(d, p) for d, p in every if (d, p.line) in kept]


def _opinions(tools: Tools, scenes: Sequence[Scene]) -> dict[int, Pointed | None]:
    """What is pointed at by each pronoun that may give an item, asked for all documents at once."""
    if not tools.encoder:
        return {}
    asked = [scene for scene in scenes if _may_be_sure(scene, tools.asked_from)]
    answers = load_pointer(tools.encoder).point_all([(s.sentences, s.place.line, s.token) for s in asked])
    return {id(scene): answer for scene, answer in zip(asked, answers, strict=True)}


def _may_be_sure(scene: Scene, least: float) -> bool:
    """Are the nouns that likely before anybody is asked?"""
    chosen = choose(scene) if least else None
    return not least or (chosen is not None and chosen.confidence >= least)


def _places(recipe: Recipe, document: Document, line: int, links: Links) -> list[PronounPlace]:
    found = list(places(recipe, document, line, links))
    return [*found, *pairs_left(recipe, document, line, links, found)]


def _has_both(recipe: Recipe, source: str, target: str) -> bool:
    if not recipe.source_pattern.search(source):
        return False
    if recipe.target_pattern.search(target):
        return True
    side, words = target_side(recipe), spans(target)  # leerla, l'ho letta
    within = bool(recipe.enclitic_hosts or recipe.elided)
    return within and any(side.form(target, words, j) is not None for j in range(len(words)))


def _in_document(
    tools: Tools, scenes: Sequence[Scene | LostPronoun], opinions: Mapping[int, Pointed | None]
) -> DocumentItems:
    items: list[Item] = []
    lost: list[LostPronoun] = []
    seen: dict[tuple[int, frozenset[str]], tuple[int, PronounPlace]] = {}
    last: dict[str, tuple[int, tuple[int, int]]] = {}
    pointer = load_pointer(tools.encoder) if tools.encoder else None
    asked = {"second_opinion": f"{ENCODER}@{pointer.digest}"} if pointer else {}
    if pointer and (judge := load_judges("pronouns").get(tools.recipe.pair)):
        asked["judge"] = judge.digest

    def made_of(scene: Scene) -> tuple[Item, Choice] | str:
        line, before = last.get(scene.place.target.gender, (-9, (-1, -1)))
        if pointer and id(scene) not in opinions:
            return NOT_SURE
        return make_item(
            scene,
            together=tools.together,
            before=before if scene.place.line - line <= 1 else None,
            asked=pointer is not None,
            pointed=opinions.get(id(scene)),
        )

    for scene in scenes:
        if isinstance(scene, LostPronoun):
            lost.append(scene)
            continue
        place, result = scene.place, made_of(scene)
        if isinstance(result, str):
            lost.append(LostPronoun.of(place, result))
            continue
        made, choice = result
        if choice.confidence >= _TAKEN_UP:
            last[place.target.gender] = (place.line, choice.place)
        made = made.__replace__(tags={**made.tags, **asked})
        key = (place.line, frozenset(variant.text for variant in made.variants))
        if key not in seen:
            seen[key] = len(items), place
            items.append(made)
            continue
        k, kept = seen[key]
        if made.tags["confidence"] > items[k].tags["confidence"]:  # of two that change together, the surer one
            items[k], seen[key], place = made, (k, place), kept
        lost.append(LostPronoun.of(place, "changed together with another"))
    return DocumentItems(items, dict(Counter(each.reason for each in lost)), lost=lost)
