"""Pronoun items against coreference that people annotated: ParCorFull's DiscoMT talks, English–German and –French.

    .venv/bin/python benchmarks/coreference.py [en-de] [en-fr] [--min-confidence X] [--losses] [--show 20] [--json]

Precision is strict: the item's pronoun is annotated, and the smallest mention around the noun given as its antecedent
is of its chain, by characters (a noun in a mention of another chain is wrong, whatever word it is).

Recall is of three sets of annotated pronouns, each part of the one before:
``annotated``: one of the recipe's forms, *nominal*, with a noun phrase of its chain at most five lines before it, and
one of the recipe's source pronouns in its line, without those that translate *they* or *them* where these are not
the recipe's (325 in German; *he* and *she* are among them).
``explained``: the pronoun of the parallel chain in the source is one of the recipe's.
``possible``: a noun phrase of its chain has a noun of the pronoun's gender and number, so that a valid item exists.
A pronoun that changes in the foil of another's item, with the right antecedent, is ``covered``.

``--losses`` prints at which step each possible pronoun is lost, and each of the others.
"""

from __future__ import annotations

import argparse
import difflib
import itertools
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.build import ASKED
from kontrast.building.pronouns.foils import target_side
from kontrast.building.pronouns.item import surest
from kontrast.building.pronouns.pipeline import DocumentItems, Tools, composed_documents, find_in_documents
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.aligners.fast_align import train
from kontrast.language.alignment import spans
from kontrast.language.encoder import encoder_place
from kontrast.suites.model import Item

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TALKS = DATA / "parcorfull-discomt"
TEXT = {
    "en-de": ("contrapro-en-de/rows.context1.en", "contrapro-en-de/rows.context1.de"),
    "en-fr": ("large-contrastive-en-fr/OpenSubs.current.src", "large-contrastive-en-fr/OpenSubs.current.trg"),
}
"""Parallel text, beside the talks, that the alignment is trained on."""
NEAR = 5
BANDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
PERSONS = frozenset("it they them he him she her".split())
SEVERAL = frozenset(("they", "them"))


class Mention(NamedTuple):
    line: int
    start: int
    end: int
    text: str
    mention: str
    chain: str | None
    kind: str | None = None


class Pronoun(NamedTuple):
    """An annotated target pronoun; ``explained`` by a source pronoun of the recipe in the parallel chain, and
    ``possible`` where a noun of its chain has its gender and number.
    """

    document: str
    line: int
    start: int
    form: str
    distance: int
    explained: bool
    possible: bool


class Answer(NamedTuple):
    """An item as the benchmark sees it."""

    document: str
    line: int
    start: int
    form: str
    distance: int
    confidence: float
    right: bool
    said: str
    changed: tuple[int, ...]
    """Where the reference has words that its foils change."""


def mentions(path: Path) -> list[Mention]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [Mention(**row) for row in rows]


def is_right(item: Item, gold: Sequence[Mention], line: int) -> bool:
    """Is the antecedent's noun in the smallest mention around it, and is that one of the pronoun's chain?"""
    own = next((m for m in gold if (m.line, m.start) == (line, item.tags["ref_pronoun_offset"])), None)
    if own is None or own.chain is None:
        return False
    return chain_at(gold, line - item.tags["distance"], item.tags["ref_ante_head_offset"]) == own.chain


def changed_places(item: Item) -> tuple[int, ...]:
    """Where the reference has words that a foil has not."""
    own = spans(item.best.text)
    found = set()
    for foil in item.variants:
        match = difflib.SequenceMatcher(a=[w.text for w in own], b=[w.text for w in spans(foil.text)], autojunk=False)
        changes = (change for change in match.get_opcodes() if change[0] != "equal")
        found |= {own[k].start for _, first, last, _, _ in changes for k in range(first, last)}
    return tuple(sorted(found))


def has_noun(recipe: Recipe, document: Document, own: Mention, target: Sequence[Mention]) -> bool:
    """Has a noun phrase of the pronoun's chain, near enough before it, a noun of its gender and number?"""
    form = recipe.targets[own.text.lower()]
    side = target_side(recipe)
    for m in target:
        if m.chain != own.chain or m.mention != "np" or own.line - m.line > NEAR or m[:2] >= own[:2]:
            continue
        words = spans(document.target[m.line])
        for j, word in enumerate(words):
            if not m.start <= word.start < m.end:
                continue
            noun = side.noun(document.target[m.line], words, j, form.number or "s")
            if (
                noun is not None
                and noun.genders & set(form.gender)
                and chain_at(target, m.line, word.start) == own.chain
            ):
                return True
    return False


def chain_at(gold: Sequence[Mention], line: int, start: int) -> str | None:
    """The chain of the smallest noun phrase around a character."""
    around = [m for m in gold if m.line == line and m.start <= start < m.end and m.mention == "np"]
    return min(around, key=lambda m: m.end - m.start).chain if around else None


def annotated(
    recipe: Recipe, document: Document, source: Sequence[Mention], target: Sequence[Mention]
) -> Iterator[Pronoun]:
    """The annotated pronouns that may become items."""
    chains: dict[str | None, list[Mention]] = defaultdict(list)
    for m in target:
        chains[m.chain].append(m)
    rows = [defaultdict(set), defaultdict(set)]  # type: list[dict[str | None, set[int]]]
    for side, found in zip(rows, (source, target), strict=True):
        for m in found:
            side[m.chain].add(m.line)
    for m in target:
        if m.mention != "pronoun" or m.text.lower() not in recipe.targets or m.kind != "nominal" or not m.chain:
            continue
        before = [n for n in chains[m.chain] if n.mention == "np" and n[:2] < m[:2]]
        near = max((n.line for n in before), default=-99)
        if m.line - near > NEAR or not recipe.source_pattern.search(document.source[m.line]):
            continue
        beside = [s for s in source if s.line == m.line and s.mention == "pronoun" and s.text.lower() in PERSONS]
        best = max(beside, key=lambda s: _overlap(rows[0][s.chain], rows[1][m.chain]) if s.chain else 0, default=None)
        explained = best is not None and best.text.lower() in recipe.sources
        if best is not None and not explained and best.text.lower() in SEVERAL and "they" not in recipe.sources:
            continue
        possible = explained and has_noun(recipe, document, m, target)
        yield Pronoun(document.name, m.line, m.start, m.text.lower(), m.line - near, explained, possible)


def _overlap(one: set[int], other: set[int]) -> float:
    return len(one & other) / len(one | other)


class Talks:
    """What is built from the talks of a pair, at every confidence, and what people annotated."""

    def __init__(self, pair: str, alignment: Path | None = None) -> None:
        self.recipe = load_recipe(pair)
        languages = self.recipe.source_language, self.recipe.target_language
        self.documents = list(composed_documents(TALKS / pair, *languages))
        self.gold = {
            (d.name, code): mentions(TALKS / pair / f"{d.name}.{code}.gold.jsonl")
            for d in self.documents
            for code in languages
        }
        with tempfile.TemporaryDirectory() as folder:
            if alignment is None:
                alignment = Path(folder)
                train(self._pairs(pair), alignment)
            tools = Tools(self.recipe, alignment=str(alignment), encoder=encoder_place(), asked_from=ASKED)
            self.made: dict[str, DocumentItems] = {
                d.name: made for d, made in zip(self.documents, find_in_documents(self.documents, tools), strict=True)
            }

    def _pairs(self, pair: str) -> Iterator[tuple[str, str]]:
        for d in self.documents:
            yield from zip(d.source, d.target, strict=True)
        sides = [(DATA / name).read_text("utf-8").split("\n") for name in TEXT[pair]]
        seen = {""}
        for one, two in zip(*sides, strict=False):
            if one in seen:
                continue  # a foil follows its reference
            seen.add(one)
            parts = [side.split("<SEP>") for side in (one, two)]
            if len(parts[0]) == len(parts[1]):
                yield from ((a.strip(), b.strip()) for a, b in zip(*parts, strict=True) if a.strip() and b.strip())

    def pronouns(self) -> list[Pronoun]:
        source, target = self.recipe.source_language, self.recipe.target_language
        return [
            pronoun
            for d in self.documents
            for pronoun in annotated(self.recipe, d, self.gold[d.name, source], self.gold[d.name, target])
        ]

    def answers(self, least: float) -> list[Answer]:
        """The items from a confidence on."""
        found = []
        for d in self.documents:
            gold = self.gold[d.name, self.recipe.target_language]
            for item in self.made[d.name].items:
                if (kept := surest(item, least)) is None:
                    continue
                line = int(kept.segment or 0) - self.recipe.segment_base
                tags = kept.tags
                said = f"{tags['ref_ante_head']} … {tags['ref_pronoun']}: {kept.source} | {kept.best.text}"
                found.append(
                    Answer(
                        d.name, line, tags["ref_pronoun_offset"], tags["ref_pronoun"].lower(), tags["distance"],
                        tags["confidence"], is_right(kept, gold, line), said, changed_places(kept),
                    )
                )  # fmt: skip
        return found

    def fates(self, least: float) -> Iterator[tuple[Pronoun, str]]:
        """What became of each annotated pronoun, by the step that lost it."""
        reasons = {(d, each.line, each.target): each.reason for d, made in self.made.items() for each in made.lost}
        known = {a[:3]: a for a in self.answers(0)}
        kept = self.answers(least)
        chains = {
            (d.name, m.line, m.start): m.chain
            for d in self.documents
            for m in self.gold[d.name, self.recipe.target_language]
            if m.mention == "pronoun"
        }
        covered = {
            (a.document, a.line, place)
            for a in kept
            if a.right
            for place in a.changed
            if chains.get((a.document, a.line, place)) == chains[a[:3]] and place != a.start
        }
        own = {a[:3] for a in kept}
        for p in self.pronouns():
            answer = known.get(p[:3])
            if answer is not None and p[:3] in own:
                fate = "an item" if answer.right else "wrong antecedent"
            elif p[:3] in covered:
                fate = "covered"
            elif answer is not None:
                fate = f"below the cut, {'right' if answer.right else 'wrong antecedent'}"
            else:
                fate = reasons.get(p[:3], "no source pronoun is paired with it")
            yield p, fate

    def losses(self, least: float) -> dict[str, Counter[str]]:
        """How many pronouns ended how, of the possible ones and of the rest."""
        table: dict[str, Counter[str]] = {"possible": Counter(), "explained only": Counter(), "others": Counter()}
        for p, fate in self.fates(least):
            table["possible" if p.possible else "explained only" if p.explained else "others"][fate] += 1
        return table

    def figures(self, least: float) -> dict[str, Any]:
        fates, answers = list(self.fates(least)), self.answers(least)
        pronouns = [p for p, _ in fates]
        right = {p[:3] for p, fate in fates if fate == "an item"}
        reached = {p[:3] for p, fate in fates if fate in ("an item", "covered")}
        everything = self.answers(0)
        bands = {}
        for low, high in itertools.pairwise(BANDS):
            inside = [a for a in everything if low <= a.confidence < high]
            if inside:
                mean = sum(a.confidence for a in inside) / len(inside)
                bands[f"{low} to {min(high, 1.0)}"] = {
                    "items": len(inside), "confidence": round(mean, 3), "right": _share(a.right for a in inside),
                }  # fmt: skip
        sets = {
            "annotated": pronouns,
            "explained": [p for p in pronouns if p.explained],
            "possible": [p for p in pronouns if p.possible],
        }
        mine = sets["possible"]
        return {
            "min_confidence": least,
            "items": len(answers),
            "precision": _share(a.right for a in answers),
            "recall": {
                name: {
                    "pronouns": len(some),
                    "recall": _share(p[:3] in right for p in some),
                    "with covered ones": _share(p[:3] in reached for p in some),
                }
                for name, some in sets.items()
            },
            "by pronoun": {f: _cell(f, "form", answers, mine, right) for f in sorted({p.form for p in mine})},
            "by distance": {n: _cell(n, "distance", answers, mine, right) for n in range(NEAR + 1)},
            "by confidence": bands,
        }


def _cell(
    value: object, field: str, answers: Sequence[Answer], mine: Sequence[Pronoun], right: set[Any]
) -> dict[str, Any]:
    inside = [a for a in answers if getattr(a, field) == value]
    wanted = [p for p in mine if getattr(p, field) == value]
    return {
        "items": len(inside),
        "precision": _share(a.right for a in inside),
        "possible": len(wanted),
        "recall": _share(p[:3] in right for p in wanted),
    }


def _share(values: Any) -> float | None:
    values = list(values)
    return round(sum(values) / len(values), 3) if values else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="*", default=["en-de", "en-fr"])
    parser.add_argument("--min-confidence", type=float, help="[the recipe's]")
    parser.add_argument("--alignment", type=Path, help="a model made by kontrast build alignment [trained here]")
    parser.add_argument("--losses", action="store_true", help="print where annotated pronouns are lost")
    parser.add_argument("--show", type=int, default=0, help="print so many wrong items")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not TALKS.exists():
        raise SystemExit(f"{TALKS} is not here: the annotated talks are not part of the project")
    results = {}
    for pair in args.pairs:
        talks = Talks(pair, args.alignment)
        least = talks.recipe.soundness if args.min_confidence is None else args.min_confidence
        results[pair] = talks.figures(least)
        if args.losses:
            results[pair]["losses"] = {name: dict(row.most_common()) for name, row in talks.losses(least).items()}
        if not args.json:
            print(pair)
            show(results[pair])
        for answer in [a for a in talks.answers(least) if not a.right][: args.show]:
            print(f"  {answer.confidence:.2f} {answer.document}:{answer.line} {answer.said}")
    if args.json:
        print(json.dumps(results, indent=1))


def show(figures: dict[str, Any]) -> None:
    for name, value in figures.items():
        if not isinstance(value, dict):
            print(f"  {name}: {value}")
            continue
        print(f"  {name}:")
        for key, cell in value.items():
            print(
                f"    {key}: "
                + (", ".join(f"{k} {v}" for k, v in cell.items()) if isinstance(cell, dict) else str(cell))
            )


if __name__ == "__main__":
    main()
