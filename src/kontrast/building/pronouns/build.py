"""The suite of a corpus: checks before the work, items sure enough, so many per pronoun and distance."""

from __future__ import annotations

import hashlib
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

import msgspec

from kontrast.building.checks.judge import load_judges
from kontrast.building.corpus import (
    Document,
    check_out,
    corpus_files,
    parallel_documents,
    single_documents,
)
from kontrast.building.misalignment import refuse_misaligned
from kontrast.building.pronouns.antecedents import load_ranker, weighs_opinions
from kontrast.building.pronouns.item import surest
from kontrast.building.pronouns.pipeline import NOT_SURE, Tools, composed_documents, decoded, find_pronouns
from kontrast.building.pronouns.recipe import Recipe, load_recipe
from kontrast.errors import KontrastError
from kontrast.io.json_input import read_json
from kontrast.language.aligners.fast_align import FEW, Card, train
from kontrast.language.aligners.pharaoh import Pharaoh
from kontrast.language.encoder import BITS, ENCODER, encoder_files, encoder_place
from kontrast.language.words import other_language
from kontrast.record import Record
from kontrast.shards import Repeatable, digest_of, keeping
from kontrast.suites.description import TagCounts
from kontrast.suites.formats import save
from kontrast.suites.model import Item, Suite

AUTO, NONE = "auto", "none"
"""A second opinion where its encoder is installed, and none."""
ASKED = 0.03
"""Where the nouns are less likely than this without a second opinion, none is asked for and there is no item. Of 206
items of subtitles none is lost, and of 707 pronouns 136 are not asked about. With 0.1 one item would be lost and 215
pronouns not asked about, but of 91 items of talks four would be lost.
"""


class BuiltPronouns(Record, frozen=True):
    """The number of pronouns with an antecedent (``found``), with enough confidence (``sure``), and of ``items``.

    ``left_out`` counts the pronouns without an item, by reason.
    """

    out: str
    found: int
    items: int
    documents: int
    few_pairs: int | None = None
    """How many sentence pairs the alignment was trained on, where that is few."""
    sure: int = 0
    left_out: dict[str, int] = {}
    min_confidence: float = 0.0
    """The confidence that was asked of the items: as given, or the recipe's own."""
    short: dict[str, int] = {}
    """How many items are missing of those wanted, by the antecedent's gender and number, where some are."""
    by: tuple[TagCounts, ...] = ()
    """The items by pronoun, and by distance of the antecedent."""


def build_pronouns(
    pair: str,
    documents: str | Path,
    out: str | Path,
    *,
    format: str = "contrapro",
    aligner: str = "fast-align",
    alignment: str | Path | None = None,
    resolver: str = "salience",
    resolver_model: str | Path | None = None,
    second_opinion: str = AUTO,
    items: int | None = None,
    per_pronoun: int | None = None,
    per_cell: int | None = None,
    seed: int = 1,
    leave_out: Iterable[str] = (),
    min_confidence: float | None = None,
    context_needed: bool | None = None,
    together: bool = True,
    jobs: int = 1,
    on: str | None = None,
    workers: int | None = None,
) -> BuiltPronouns:
    """Build a suite from the documents below a folder (``YEAR/NAME.LANGUAGE``) or in an OPUS archive.

    ``pair`` names a recipe of the package or a TOML file. Without an ``alignment`` one is trained on the documents
    themselves. Accents that are characters of their own are composed with their letters (NFC). Items less sure than
    ``min_confidence`` (None: the recipe's own) are left out (0 keeps all, with the reasons
    as tags); ``context_needed`` keeps only items whose antecedent is in another sentence (True) or in the same
    (False). All mentions of one thing in a sentence change ``together``, or one alone. ``second_opinion``
    is the encoder, a folder or hub name, that is asked what each English pronoun means (``auto``: where it is
    installed; ``none``). Work in progress is kept in ``OUT.work`` until it
    is done, so that a run that was killed goes on. So many ``items`` are drawn from documents in an order by the
    ``seed``, and no further documents are looked at: as many of each gender and number of the antecedent, and of each
    at most a fifth with the antecedent in the same sentence, as in ContraPro. ``jobs`` processes share the work here,
    or ``workers`` on the Ray cluster ``on``.
    """
    recipe = load_recipe(pair)
    languages = recipe.source_language, recipe.target_language
    if min_confidence is not None and not 0 <= min_confidence <= 1:
        raise KontrastError(f"--min-confidence {min_confidence}: expected a number from 0 to 1")
    if items is not None and (per_pronoun or per_cell):
        raise KontrastError("--items sets the shares of pronouns itself; leave out --per-pronoun and --per-cell")
    if items is not None and aligner == Pharaoh.name:
        raise KontrastError("--items reads documents in random order, so it cannot use a Pharaoh file")
    barred = _barred(leave_out, recipe)
    check_out(out, corpus_files(documents, None, *languages))
    refuse_misaligned(_in_its_languages(recipe, documents, barred))
    encoder = _encoder(recipe, second_opinion, resolver)
    judge = load_judges("pronouns").get(recipe.pair) if encoder else None
    least = min_confidence
    if least is None:
        least = recipe.soundness if judge else recipe.confidence
    tools = Tools(
        recipe,
        aligner,
        str(alignment) if alignment is not None else None,
        resolver,
        str(resolver_model) if resolver_model else None,
        together,
        encoder,
        ASKED if least else 0.0,
    )
    given = [path for place in (alignment, resolver_model) if place for path in _files(Path(place))]
    given += encoder_files(encoder) if encoder else []
    options = msgspec.structs.replace(
        tools, alignment=None, resolver_model=None, encoder=None
    )  # by content, not place
    facts = {"input": digest_of(corpus_files(documents, None, *languages)), "options": options}
    facts |= {"judge": judge.digest, "bits": BITS} if judge else {}
    facts |= {"items": [items, seed, least, context_needed, sorted(barred)]} if items else {}
    quota = Quota(recipe, items, context_needed) if items else None
    few = None
    with keeping(f"{out}.work", {**facts, "models": digest_of(given)}) as parts:
        if alignment is None and aligner == "fast-align":
            few = _train(recipe, documents, parts.folder / "alignment")
            tools = msgspec.structs.replace(tools, alignment=str(parts.folder / "alignment"))
        left_out: Counter[str] = Counter()
        allowed = partial(_allowed, least=least, context_needed=context_needed, barred=barred)

        def found() -> Iterator[Item]:
            full, order = (quota.full, seed) if quota else (frozenset, None)
            shares = find_pronouns(documents, tools, parts, seed=order, full=full, jobs=jobs, on=on, workers=workers)
            for result in shares:
                left_out.update(result.left_out)
                items = list(allowed(result.items, left_out))
                yield from items
                if quota is not None and quota.draw(items):
                    break

        every, chosen = select(found(), per_pronoun=per_pronoun, per_cell=per_cell, seed=seed)
        if quota is not None:
            chosen = set(quota.drawn)
        left_out["more than requested"] = every - len(chosen)
        left_out = +left_out
        if not chosen:
            why = ", ".join(f"{number} {reason}" for reason, number in left_out.most_common()) or "no pronoun"
            more = "; a lower --min-confidence keeps more items, which a person must read"
            parts.end()
            raise KontrastError(f"{documents} gives no item ({why}){more if left_out[NOT_SURE] else ''}")
        used: set[str | None] = set()

        def kept() -> Iterator[Item]:
            items = (item for part in parts for item in allowed(decoded(part).items, Counter()))
            for number, item in enumerate(items):
                if number in chosen:
                    used.add(item.document)
                    yield item

        suite = Suite(
            name=Path(out).name.split(".")[0],
            items=cast("tuple[Item, ...]", Repeatable(kept, len(chosen))),  # writing walks through them
            source_language=recipe.source_language,
            target_language=recipe.target_language,
            style="contrapro",
            segment_base=recipe.segment_base,
        )
        save(suite, out, format)
    certain = every + sum(left_out[reason] for reason in (*_UNSUITED.values(), _BARRED))
    short = quota.short if quota else {}
    total = certain + left_out[NOT_SURE]
    return BuiltPronouns(str(out), total, len(chosen), len(used), few, certain, dict(left_out), least, short)


_UNSUITED = {True: "antecedent in the same sentence", False: "antecedent in another sentence"}
_BARRED = "in a document of --leave-out"


def _allowed(
    items: Iterable[Item],
    left_out: Counter[str],
    *,
    least: float = 0.0,
    context_needed: bool | None = None,
    barred: frozenset[str] = frozenset(),
) -> Iterator[Item]:
    """Those of some documents that may be taken, without foils that are not sure; the others are counted.

    Of two pronouns the same foil may be left: it is taken once.
    """
    line: object = None
    seen: set[frozenset[str]] = set()
    for item in items:
        if (item.document, item.segment) != line:
            line, seen = (item.document, item.segment), set()
        kept = surest(item, least)
        texts = frozenset(v.text for v in kept.variants) if kept else frozenset()
        if kept is None or texts in seen:
            left_out[NOT_SURE] += 1
        elif context_needed not in (None, item.tags.get("needs_context")):
            left_out[_UNSUITED[context_needed]] += 1
        elif _names(item) & barred:
            left_out[_BARRED] += 1
        else:
            yield kept
        seen.add(texts)


class Quota:
    """So many items in equal shares of each gender and number of the antecedent; of each share at most a fifth with
    the antecedent in the same sentence, unless only those are wanted. The same sentence pair is drawn once.
    """

    def __init__(self, recipe: Recipe, items: int, context_needed: bool | None) -> None:
        numbers = {"s": "Sg", "p": "Pl"}
        each = [numbers[n] for n in sorted(set(recipe.sources.values()))]
        self._kinds = {letter: [f"{g}|_|{n}" for n in each] for letter, g in recipe.genders.items()}
        kinds = [f"{g}|_|{n}" for n in each for g in recipe.genders.values()]
        self._left = {kind: items // len(kinds) + (k < items % len(kinds)) for k, kind in enumerate(kinds)}
        self._near = {kind: n if context_needed is False else n // 5 for kind, n in self._left.items()}
        self._seen: set[bytes] = set()
        self._looked_at = 0
        self.drawn: list[int] = []
        """Which of the items that were looked at."""

    def draw(self, found: Iterable[Item]) -> bool:
        """Draw from these, in order; is everything drawn?"""
        for item in found:
            kind, text = item.tags["ref_ante_head_morpho"], _text(item)
            near = item.tags["intrasegmental"]
            if self._left.get(kind) and text not in self._seen and (not near or self._near[kind]):
                self.drawn.append(self._looked_at)
                self._seen.add(text)
                self._left[kind] -= 1
                self._near[kind] -= near
            self._looked_at += 1
        return not any(self._left.values())

    def full(self) -> frozenset[str]:
        """The genders, by their letters, of which all are drawn."""
        return frozenset(g for g, kinds in self._kinds.items() if not any(self._left[kind] for kind in kinds))

    @property
    def short(self) -> dict[str, int]:
        return {kind.replace("|_|", " "): n for kind, n in self._left.items() if n}


_SHOWN = 5
"""So many documents are named in an error."""


def _in_its_languages(recipe: Recipe, documents: str | Path, barred: frozenset[str]) -> Iterator[Document]:
    """The documents that may give items; an error that names those in another language."""
    unknown, blank = set(barred), 0
    foreign: list[str] = []
    for document in parallel_documents(documents, recipe.source_language, recipe.target_language):
        if document.name in barred:
            unknown -= {document.name}
            continue
        sides = ((recipe.source_language, document.source), (recipe.target_language, document.target))
        strange = [(language, other) for language, lines in sides if (other := other_language(language, lines))]
        foreign += [
            f"{document.name}.{language} looks like {other!r}, not {language!r}" for language, other in strange
        ]
        if strange:
            continue
        blank += sum(not (a.strip() or b.strip()) for a, b in zip(document.source, document.target, strict=True))
        yield document
    if foreign:
        what = "it" if len(foreign) == 1 else "them"
        shown = "; ".join(foreign[:_SHOWN]) + (f"; and {len(foreign) - _SHOWN} more" if foreign[_SHOWN:] else "")
        raise KontrastError(f"document {shown}: correct {what}, or name {what} in --leave-out")
    single = single_documents(documents, recipe.source_language, recipe.target_language)
    if single:
        shown = ", ".join(single[:3]) + (", …" if len(single) > 3 else "")
        print(
            f"kontrast: warning: documents in only one language are left out: {shown} ({len(single)} in all)",
            file=sys.stderr,
        )
    if blank:
        print(
            f"kontrast: warning: {blank} blank lines count as sentences in distances and in the context; remove "
            f"them from the documents",
            file=sys.stderr,
        )
    if unknown:
        shown = ", ".join(sorted(unknown)[:_SHOWN]) + (", …" if len(unknown) > _SHOWN else "")
        print(
            f"kontrast: warning: --leave-out: {len(unknown)} of its {len(barred)} names are not documents of "
            f"the folder: {shown}",
            file=sys.stderr,
        )


def _barred(names: Iterable[str], recipe: Recipe) -> frozenset[str]:
    """Documents by their names alone: ``2020/film.de`` is *film*."""
    endings = (f".{recipe.source_language}", f".{recipe.target_language}", recipe.document_ending)
    found = set()
    for name in names:
        name = name.strip().rpartition("/")[2]
        found.add(next((name.removesuffix(e) for e in endings if e and name.endswith(e)), name))
    return frozenset(found - {""})


def _encoder(recipe: Recipe, second_opinion: str, resolver: str) -> str | None:
    """Where the encoder of a second opinion is; an error where one is named that cannot be weighed."""
    if second_opinion == NONE:
        return None
    if second_opinion != AUTO:
        if resolver != "salience":
            raise KontrastError("--second-opinion needs --resolver salience")
        load_ranker(recipe.pair, opinion=True)
        return second_opinion
    if resolver != "salience" or not weighs_opinions(recipe.pair):
        return None
    found = encoder_place()
    if found is None:
        print(
            f"kontrast: warning: without a second opinion fewer antecedents are right: {ENCODER} is not installed; "
            f"`--second-opinion {ENCODER}` downloads it (420 MB), `--second-opinion none` turns it off",
            file=sys.stderr,
        )
    return found


def _files(place: Path) -> list[Path]:
    return sorted(path for path in place.rglob("*") if path.is_file()) if place.is_dir() else [place]


def _train(recipe: Recipe, documents: str | Path, folder: Path) -> int | None:
    """Train on the documents themselves, unless an earlier run has; how many pairs there were, if few."""
    if (folder / "model.json").exists():
        card = read_json(folder / "model.json", Card, expected="an alignment model")
    else:
        corpus = composed_documents(documents, recipe.source_language, recipe.target_language)
        card = train((pair for d in corpus for pair in zip(d.source, d.target, strict=True)), folder)
    return card.pairs if card.pairs < FEW else None


def select(
    items: Iterable[Item], *, per_pronoun: int | None = None, per_cell: int | None = None, seed: int = 1
) -> tuple[int, set[int]]:
    """How many items there are, and the places of at most so many for each target pronoun, and for each pronoun and
    distance.

    A sentence pair that was taken already is taken again only when no new one is left. Of each item only what
    decides is held in memory.
    """
    known = [(_text(i), str(i.tags["ref_pronoun"]).lower(), int(i.tags["distance"])) for i in items]
    order = list(range(len(known)))
    if per_pronoun is None and per_cell is None:
        return len(known), set(order)
    random.Random(seed).shuffle(order)
    taken: set[int] = set()
    seen: set[bytes] = set()
    pronouns: dict[str, int] = defaultdict(int)
    cells: dict[tuple[str, int], int] = defaultdict(int)
    for again in (False, True):
        for i in order:
            text, pronoun, distance = known[i]
            if (text in seen) != again or i in taken:
                continue
            if per_pronoun is not None and pronouns[pronoun] >= per_pronoun:
                continue
            if per_cell is not None and cells[pronoun, distance] >= per_cell:
                continue
            taken.add(i)
            seen.add(text)
            pronouns[pronoun] += 1
            cells[pronoun, distance] += 1
    return len(known), taken


def _text(item: Item) -> bytes:
    """Source and translation, as a digest."""
    return hashlib.blake2b(f"{item.source}\0{item.best.text}".encode(), digest_size=16).digest()


def _names(item: Item) -> set[str]:
    """A document's name with and without its language."""
    name = item.document or ""
    return {name, name.rpartition(".")[0]}
