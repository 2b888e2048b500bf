"""The French antecedent against people: SCAT's items, in which translators marked the words that told the gender.

    .venv/bin/python benchmarks/scat.py [--half development|figure] [--limit N] [--json] [--show 20]

Right: the chosen French noun is among the marked French words. Rules are developed on one half (by a hash of the
text), the other gives the figure. Ceiling: items in which a marked word before the pronoun is a noun of its gender
and number.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import zlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from kontrast.building.parallel import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.items import make_item
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.target import plain_form, target_side
from kontrast.language import annotators, resolvers
from kontrast.language.aligners.fast_align import FastAlign, train
from kontrast.language.alignment import Span, spans
from kontrast.suites.model import Item

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
ANSWERED = 0.17
STRICT = 0.55
"""Confidences, chosen on the development half: below the first nothing is answered."""
_MARKS = re.compile(r"\s*<(hon|hoff|p|/p)>\s*")
_END = re.compile(r"(?<=[.!?…])\s+(?=[-\"«A-ZÀ-Ü])")


class Marked(NamedTuple):
    """One item: two documents' lines, the pronouns' places in the last, and the words marked in French."""

    source: list[str]
    target: list[str]
    source_place: int
    target_place: int
    words: set[str]
    source_places: tuple[int, ...] = ()
    """All pronouns marked in the source sentence."""


def read(folder: Path) -> list[Marked]:
    lines = [read_lines(folder / f"highlighted.train.{part}") for part in ("context.en", "en", "context.fr", "fr")]
    found: dict[tuple[str, ...], Marked] = {}
    for context_en, en, context_fr, fr in zip(*lines, strict=True):
        (_, _, before_en), (_, _, before_fr) = unmark(context_en), unmark(context_fr)
        (_, places_en, text_en), (words_fr, places_fr, text_fr) = unmark(en), unmark(fr)
        marked = {w.lower() for w in (*unmark(context_fr)[0], *words_fr)}
        fitting_en = [p for p in places_en if re.match(r"(it|they)\b", text_en[p:], re.IGNORECASE)]
        fitting_fr = [p for p in places_fr if is_pronoun(text_fr, p)]
        if not fitting_en or not fitting_fr or not marked:
            continue
        one, two = _END.split(before_en), _END.split(before_fr)
        if len(one) != len(two):
            one, two = [before_en], [before_fr]
        key = (before_fr, text_fr)
        rows = [*one, text_en], [*two, text_fr]
        found.setdefault(key, Marked(*rows, fitting_en[0], fitting_fr[0], marked, tuple(fitting_en)))
    return list(found.values())


def is_pronoun(text: str, place: int) -> bool:
    """A whole word: marks also hit the end of belles."""
    before = text[place - 1 : place]
    return not before.isalpha() and re.match(r"(il|elle)s?\b", text[place:], re.IGNORECASE) is not None


def unmark(text: str) -> tuple[list[str], list[int], str]:
    """The marked words, the places of the marked pronouns, and the text without marks."""
    words: list[str] = []
    places: list[int] = []
    plain = ""
    inside = False
    cursor = 0
    for match in re.finditer(r" ?<hon>| ?<hoff> ?|</?p>|<hon>", text):
        part = text[cursor : match.start()]
        if inside:
            words += re.findall(r"\w+(?:-\w+)*", part)
        plain += part
        mark = match.group().strip()
        if mark == "<hon>":
            inside = True
        elif mark == "<hoff>":
            inside = False
            plain += " " if match.group().endswith(" ") else ""
        elif mark == "<p>":
            places.append(len(plain))
        cursor = match.end()
    return words, places, plain + text[cursor:]


def read_lines(path: Path) -> list[str]:
    return path.read_text("utf-8").rstrip("\n").split("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("development", "figure"), default="figure")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", type=int, default=0, help="print so many wrong antecedents (development half only)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.show and args.half == "figure":
        parser.error("--show prints errors to be read: that is done on --half development")
    every = read(DATA / "scat")
    kept = [m for m in every if (zlib.crc32(m.target[-1].encode()) % 2 == 0) == (args.half == "development")]
    kept = random.Random(1).sample(kept, min(args.limit or len(kept), len(kept)))
    with tempfile.TemporaryDirectory() as place:
        pairs = [p for m in every for p in zip(m.source, m.target, strict=True) if all(p)]
        train(pairs, Path(place) / "alignment")
        result, wrong = measure(kept, FastAlign(Path(place) / "alignment"))
    print(json.dumps(result, indent=1) if args.json else table(result))
    for line in wrong[: args.show]:
        print(line)


def measure(kept: list[Marked], aligner: FastAlign) -> tuple[dict[str, float], list[str]]:
    recipe = load_recipe("en-fr")
    side, resolver = target_side(recipe), resolvers.get("salience")
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for marked in kept:
        document = Document("scat", tuple(marked.source), tuple(marked.target))
        line = len(marked.source) - 1
        words = spans(document.target[line])
        index = next(i for i, w in enumerate(words) if w.start <= marked.target_place < w.end)
        form = plain_form(recipe, words[index])
        links = dict(enumerate(aligner.align(zip(document.source, document.target, strict=True))))
        source = source_pronoun(marked, spans(document.source[line]), [i for i, j in links[line] if j == index])
        if form is None or source is None:
            continue
        number = form.number or "s"
        counts["items"] += 1
        ceiling = is_below_ceiling(marked, side, form.gender, number)
        counts["ceiling"] += ceiling
        sentences = list(annotators.get("en", entities=True).annotate(document.source))
        if recipe.sources[source.text.lower()] != number:
            continue
        made = make_item(recipe, document, PronounPlace(line, source, form, index), sentences, links, resolver)
        if isinstance(made, str):
            counts[made] += 1
            continue
        item: Item = made[0]
        if item.tags["confidence"] < ANSWERED:
            counts["not sure at all"] += 1
            continue
        right = str(item.tags["ref_ante_head"]).lower() in marked.words
        near = "same sentence" if item.tags["distance"] == 0 else f"{min(item.tags['distance'], 3)} before"
        for name, holds in (
            ("", True),
            (" strict", item.tags["confidence"] >= STRICT),
            (" under the ceiling", ceiling),
            (f" {near}", True),
        ):
            counts[f"answered{name}"] += holds
            counts[f"right{name}"] += holds and right
        if not right:
            wrong.append(f"{item.tags['ref_ante_head']}, not {marked.words}: {' | '.join(marked.target[-3:])}")
    n = counts["items"]
    result = {"items": n, "ceiling": counts["ceiling"] / n}
    for name in [key.removeprefix("answered") for key in counts if key.startswith("answered")]:
        result[f"answered{name}"] = counts[f"answered{name}"] / n
        result[f"right{name}"] = counts[f"right{name}"] / max(counts[f"answered{name}"], 1)
    return result, wrong


def source_pronoun(marked: Marked, words: list[Span], linked: list[int]) -> Span | None:
    """The marked pronoun that the French one is aligned to, else the first: several may be marked."""
    places = marked.source_places or (marked.source_place,)
    fitting = [w for w in words if w.start in places]
    return next((w for w in fitting if words.index(w) in linked), fitting[0] if fitting else None)


def is_below_ceiling(marked: Marked, side: object, gender: str, number: str) -> bool:
    from kontrast.building.pronouns.target.french import French

    assert isinstance(side, French)
    for line, text in enumerate(marked.target):
        words = spans(text)
        for i, word in enumerate(words):
            if line == len(marked.target) - 1 and word.start >= marked.target_place:
                break
            if word.text.lower() in marked.words:
                noun = side.noun(text, words, i, number)
                if noun is not None and noun.genders & set(gender):
                    return True
    return False


def table(result: dict[str, float]) -> str:
    return "\n".join(f"{name:32}{value:10.3f}" for name, value in result.items())


if __name__ == "__main__":
    main()
