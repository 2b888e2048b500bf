"""The French antecedent against people: SCAT's items, in which translators marked the words that told the gender.

    .venv/bin/python benchmarks/scat.py [--second-opinion auto|none|PLACE] [--half development|figure] [--limit N]
        [--jobs 2] [--json] [--show 20]

Right: the chosen French noun is among the marked French words. Rules are developed on one half (by a hash of the
text), the other gives the figure. Ceiling: items in which a marked word before the pronoun is a noun of its gender
and number. As in ``kontrast build pronouns`` the pointing network gives a second opinion where its sentence encoder
is installed. It has learnt from some of these pronouns (``training/pointing.tsv``): the figures are of the items in
which it knows no pronoun, and those of all items stand behind them. ``--half development`` also prints which
confidences answer which share of the items.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.foils import plain_form, target_side
from kontrast.building.pronouns.item import make_item
from kontrast.building.pronouns.scene import prepare
from kontrast.language import annotators, resolvers
from kontrast.language.aligners.fast_align import FastAlign, train
from kontrast.language.alignment import Span, spans
from kontrast.language.annotation import Sentence
from kontrast.language.encoder import ENCODER, encoder_place
from kontrast.language.pointing import load_pointer
from kontrast.progress import progress
from kontrast.shards import in_order

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


class Confidences(NamedTuple):
    """Chosen on the development half: below the first nothing is answered."""

    answered: float
    strict: float


ALONE = Confidences(0.17, 0.55)
WITH_OPINION = Confidences(0.05, 0.63)
SHARE = 100
"""Items that a process takes at a time."""
_END = re.compile(r"(?<=[.!?…])\s+(?=[-\"«A-ZÀ-Ü])")
_PRONOUN = re.compile(r"\b(?:it|they|them)\b", re.IGNORECASE)


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


class Outcome(NamedTuple):
    """What became of one item: its antecedent, how sure it is and whether people marked it; or why there is none."""

    ceiling: bool
    learnt: bool
    """Has the network learnt from one of its pronouns?"""
    why: str = ""
    confidence: float = -1.0
    right: bool = False
    distance: int = 0
    line: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("development", "figure"), default="figure")
    parser.add_argument("--second-opinion", default="auto", metavar="auto|none|PLACE", help="as in build pronouns")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, help="print so many wrong antecedents (development half only)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.show and args.half == "figure":
        parser.error("--show prints errors to be read: that is done on --half development")
    auto = args.second_opinion == "auto"
    encoder = None if args.second_opinion == "none" else encoder_place(None if auto else args.second_opinion)
    if encoder is None and auto:
        print(f"no second opinion: {ENCODER} is not installed", file=sys.stderr)
    every = read(DATA / "scat")
    kept = [m for m in every if (zlib.crc32(m.target[-1].encode()) % 2 == 0) == (args.half == "development")]
    kept = random.Random(1).sample(kept, min(args.limit or len(kept), len(kept)))
    with tempfile.TemporaryDirectory() as place:
        pairs = [p for m in every for p in zip(m.source, m.target, strict=True) if all(p)]
        train(pairs, Path(place) / "alignment")
        outcomes = measure(kept, Path(place) / "alignment", encoder, args.jobs)
    least = WITH_OPINION if encoder else ALONE
    new = [one for one in outcomes if not one.learnt]
    result: dict[str, Any] = {
        "second opinion": f"{ENCODER}@{load_pointer(encoder).digest}" if encoder else None,
        "confidence": least.answered,
        "confidence strict": least.strict,
        "left out, learnt from": len(outcomes) - len(new),
        **figures(new, least),
        "with those learnt from": figures(outcomes, least),
    }
    if args.half == "development":
        result["answered from"] = levels(new)
    print(json.dumps(result, indent=1) if args.json else table(result))
    wrong = [one for one in new if one.line and not one.right and one.confidence >= least.answered]
    for one in wrong[: args.show]:
        print(one.line)


def measure(kept: Sequence[Marked], alignment: Path, encoder: str | None, jobs: int) -> list[Outcome]:
    shares = [kept[k : k + SHARE] for k in range(0, len(kept), SHARE)]
    work = partial(outcomes_of, alignment=str(alignment), encoder=encoder)
    found: list[Outcome] = []
    with progress("choosing antecedents", len(kept), "pronouns") as advance:
        for share, outcomes in zip(shares, in_order(work, shares, jobs=jobs), strict=True):
            found += outcomes
            advance(len(share))
    return found


def outcomes_of(share: Sequence[Marked], alignment: str, encoder: str | None) -> list[Outcome]:
    """Of some items, without those whose pronouns are no pair; plain arguments, for another process."""
    texts = list(dict.fromkeys(text for marked in share for text in marked.source))
    parsed = dict(zip(texts, annotators.get("en", entities=True).annotate(texts), strict=True))
    aligner = _aligner(alignment)
    found = (_outcome(marked, parsed, aligner, encoder) for marked in share)
    return [one for one in found if one is not None]


def _outcome(marked: Marked, parsed: dict[str, Sentence], aligner: FastAlign, encoder: str | None) -> Outcome | None:
    recipe = load_recipe("en-fr")
    side = target_side(recipe)
    document = Document("scat", tuple(marked.source), tuple(marked.target))
    line = len(marked.source) - 1
    words = spans(document.target[line])
    index = next(i for i, w in enumerate(words) if w.start <= marked.target_place < w.end)
    form = plain_form(recipe, words[index])
    links = dict(enumerate(aligner.align(zip(document.source, document.target, strict=True))))
    source = source_pronoun(marked, spans(document.source[line]), [i for i, j in links[line] if j == index])
    if form is None or source is None:
        return None
    number = form.number or "s"
    outcome = Outcome(is_below_ceiling(marked, side, form.gender, number), is_learnt(marked.source))
    if recipe.sources[source.text.lower()] != number:
        return outcome._replace(why="another number")
    sentences = [parsed[text] for text in document.source]
    place = PronounPlace(line, source, form, index)
    known = prepare(recipe, document, place, sentences, links, resolvers.get("salience"))
    if isinstance(known, str):
        return outcome._replace(why=known)
    pointed = load_pointer(encoder).point(sentences, line, known.token) if encoder else None
    made = make_item(known, asked=encoder is not None, pointed=pointed)
    if isinstance(made, str):
        return outcome._replace(why=made)
    _, choice = made  # the item's own confidence is its foil's where a judge was asked
    noun = choice.noun.text
    return outcome._replace(
        confidence=round(choice.confidence, 3),
        right=noun.lower() in marked.words,
        distance=line - choice.line,
        line=f"{noun}, not {' '.join(sorted(marked.words))}: {' | '.join(marked.target[-3:])}",
    )


@lru_cache(maxsize=1)
def _aligner(place: str) -> FastAlign:
    return FastAlign(Path(place))


def is_learnt(lines: Iterable[str]) -> bool:
    """Has the network learnt from a pronoun in one of these lines?"""
    near_key, seen = _learnt()
    return any(near_key(text, found.start()) in seen for text in lines for found in _PRONOUN.finditer(text))


@lru_cache(maxsize=1)
def _learnt() -> tuple[Callable[[str, int], str], set[str]]:
    sys.path.append(str(Path(__file__).resolve().parents[1] / "training"))
    from pointing import near_key, read_places

    return near_key, read_places()


def figures(outcomes: Sequence[Outcome], least: Confidences) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for one in outcomes:
        if one.confidence < least.answered:
            continue
        near = "same sentence" if one.distance == 0 else f"{min(one.distance, 3)} before"
        for name, holds in (
            ("", True),
            (" strict", one.confidence >= least.strict),
            (" under the ceiling", one.ceiling),
            (f" {near}", True),
        ):
            counts[f"answered{name}"] += holds
            counts[f"right{name}"] += holds and one.right
    n = len(outcomes)
    result = {"items": n, "ceiling": sum(one.ceiling for one in outcomes) / n}
    for name in [key.removeprefix("answered") for key in counts if key.startswith("answered")]:
        result[f"answered{name}"] = counts[f"answered{name}"] / n
        result[f"right{name}"] = counts[f"right{name}"] / max(counts[f"answered{name}"], 1)
    return result


def levels(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """The confidence from which a share of the items is answered, and how many of them are right."""
    sure = sorted(((one.confidence, one.right) for one in outcomes if one.confidence >= 0), reverse=True)
    found = {}
    for share in (0.65, 0.68, 0.7, 0.75, 0.8, 0.85, 0.855, 0.86, 0.87, 0.88):
        kept = sure[: round(share * len(outcomes))]
        right = sum(right for _, right in kept) / len(kept)
        found[f"{kept[-1][0]:.3f}"] = f"{len(kept) / len(outcomes):.3f}, right {right:.3f}"
    return found


def source_pronoun(marked: Marked, words: list[Span], linked: list[int]) -> Span | None:
    """The marked pronoun that the French one is aligned to, else the first: several may be marked."""
    places = marked.source_places or (marked.source_place,)
    fitting = [w for w in words if w.start in places]
    return next((w for w in fitting if words.index(w) in linked), fitting[0] if fitting else None)


def is_below_ceiling(marked: Marked, side: object, gender: str, number: str) -> bool:
    from kontrast.building.pronouns.foils.french import French

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


def table(result: dict[str, Any], indent: str = "") -> str:
    lines = []
    for name, value in result.items():
        if isinstance(value, dict):
            lines += [f"{indent}{name}:", table(value, indent + "  ")]
        elif isinstance(value, float):
            lines.append(f"{indent + name:32}{value:10.3f}")
        else:
            lines.append(f"{indent + name:32}{value if value is not None else 'none':>10}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
