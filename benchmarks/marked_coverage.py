"""Can the made errors be what people mark? Draws marked errors and shows what is made at the same place.

python benchmarks/marked_coverage.py [--data ../shared/data] [--dictionary FILE …] [--draw 60] [--seed 1] [--print]

Drawn are major errors of the English-German ratings, in an order that the seed and the ratings alone decide. Those
without a pair more likely right than not (confidence from 0.5 on) have no right text to make an error in: they are
passed over and counted. All German errors of `build errors` are made in the right text, with its source, and those of
`build pronouns` where a pronoun is marked; the lines beside it are the human reference's, as many as `build errors`
looks at. Errors that are sure enough for a suite count. Counted are marked errors for which a foil is the marked
output itself; for which a foil changes a word that the marked output has otherwise, and is of the same kind
(`kontrast.building.marked.kinds`; for words of another meaning only types that put in such a word); and for which any
foil changes such a word. A foil of the same kind need not have the same words.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import msgspec

import kontrast
from kontrast.building.corpus import PairedLine
from kontrast.building.errors.build import NEARBY, nearby
from kontrast.building.errors.registry import bilingual, general_names, listed
from kontrast.building.errors.run import candidates_of
from kontrast.building.marked.choosing import MarkedOptions, marked_items
from kontrast.building.marked.difference import blocks, tokens
from kontrast.building.marked.kinds import kind_of
from kontrast.building.marked.partners import RepairCandidate
from kontrast.building.marked.ratings import MarkedError, RatedSegment
from kontrast.building.marked.reading import read_ratings
from kontrast.language import annotators
from kontrast.suites.error_shares import kind_of_error

MORE_LIKELY = 0.5
MEANING = ("sense", "modality", "particle_sense", "function_word", "opposite")
REFERENCE = "ref"
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--dictionary", action="append")
    parser.add_argument("--draw", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--print", action="store_true")
    args = parser.parse_args()
    read = read_ratings([args.data / "mqm" / "mqm_ted_ende.tsv.gz"])
    drawn, passed = draw(list(marked_items(read.segments, MarkedOptions("en-de", min_confidence=MORE_LIKELY))), args)
    documents = {(s.file, s.key): found for found in read.documents() for s in found}
    texts = [_around(segment, best, documents) for segment, _, best in drawn]
    kinds_of = [kind_of(e.mark.category, s.source, best.old, best.new, "de") for s, e, best in drawn]
    made = _made(texts, tuple(args.dictionary or ()))
    pronouns = _pronouns({n: texts[n] for n, kind in enumerate(kinds_of) if kind == "pronoun"})
    same = alike = near = 0
    kinds: Counter[str] = Counter()
    for n, (segment, error, best) in enumerate(drawn):
        places = _places(best)
        found = [*made.get(n, []), *pronouns.get(n, [])]
        there = [(name, text) for name, text in found if any(_touches(best.text, text, *each) for each in places)]
        kind = kinds_of[n]
        fitting = [name for name, _ in there if kind == kind_of_error(name) and (name in MEANING or kind != "sense")]
        same += any(text == error.output.text for _, text in there)
        alike, near = alike + bool(fitting), near + bool(there)
        kinds[f"{kind} ({'made' if fitting else 'not made'})"] += 1
        if args.print:
            print(f"{n + 1}\t{segment.source}\n\tkind:   {kind}")
            print(f"\tmarked: {error.output.text}\n\tright:  {best.text}")
            print("\n".join(f"\t{name}: {text}" for name, text in there))
    print(f"of {len(drawn)} marked errors {same} are made as they are,")
    print(
        f"{alike} have an error of their kind at the place, {near} any ({passed} without a pair are passed over); "
        + ", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items()))
    )


Drawn = tuple[RatedSegment, MarkedError, RepairCandidate]


def draw(
    found: list[tuple[RatedSegment, MarkedError, RepairCandidate | None, str]], args: argparse.Namespace
) -> tuple[list[Drawn], int]:
    """The first errors with a pair in the seed's order of all that were marked, and how many were passed over."""

    def place(segment: RatedSegment, error: MarkedError) -> bytes:
        told = f"{args.seed} {segment.key} {error.output.system} {error.mark.start} {error.mark.end}"
        return hashlib.blake2b(told.encode(), digest_size=8).digest()

    drawn: list[Drawn] = []
    for passed, (segment, error, best, _) in enumerate(sorted(found, key=lambda row: place(row[0], row[1]))):
        if best is not None:
            drawn.append((segment, error, best))
        if len(drawn) == args.draw:
            return drawn, passed + 1 - len(drawn)
    raise SystemExit(f"marked_coverage.py: only {len(drawn)} marked errors have a pair")


Pairs = list[tuple[str, str]]
Foils = dict[int, list[tuple[str, str]]]


def _places(best: RepairCandidate) -> list[tuple[int, int]]:
    """The characters of the right text whose words the marked output has otherwise."""
    text, first = tokens(best.text), best.block.a
    return [text.between(first + block.c, first + block.d) for block in blocks(best.old, best.new)]


def _around(
    segment: RatedSegment, best: RepairCandidate, documents: dict[tuple[str, str], list[RatedSegment]]
) -> tuple[int, Pairs]:
    """The document around the right text, and which of its lines that is."""
    found = documents[segment.file, segment.key]
    place = found.index(segment)
    lines = found[max(0, place - NEARBY) : place + NEARBY + 1]
    texts = [
        (s.source, best.text if s is segment else s.outputs[REFERENCE].text)
        for s in lines
        if s is segment or REFERENCE in s.outputs
    ]
    return texts.index((segment.source, best.text)), [(" ".join(a.split()), " ".join(b.split())) for a, b in texts]


def _made(documents: list[tuple[int, Pairs]], dictionaries: tuple[str, ...]) -> Foils:
    """For the right text of each document the names and texts of the foils of `build errors` that are sure enough."""
    types = [
        *listed("de", ("all",)),
        *(bilingual("en-de", name, dictionaries) for name in general_names("dictionary") if dictionaries),
    ]
    sentences = annotators.get("de").annotate(pairs[place][1] for place, pairs in documents)
    made: Foils = {}
    for n, ((place, pairs), read) in enumerate(zip(documents, sentences, strict=True)):
        around = nearby([PairedLine(*pair) for pair in pairs], place)
        sentence = msgspec.structs.replace(read, source=pairs[place][0], nearby=around)
        made[n] = [(c.type, c.text) for p in types for c in candidates_of(p, sentence, None, Counter()) if c.is_sure]
    return made


def _pronouns(documents: dict[int, tuple[int, Pairs]]) -> Foils:
    """The same of `build pronouns`."""
    made: Foils = {}
    with tempfile.TemporaryDirectory() as folder:
        for n, (_, pairs) in documents.items():
            for side, language in enumerate(("en", "de")):
                path = Path(folder, "2024", f"{n}.{language}")
                path.parent.mkdir(exist_ok=True)
                path.write_text("".join(f"{pair[side]}\n" for pair in pairs), encoding="utf-8")
        for item in kontrast.build_pronouns("en-de", folder).items if documents else ():
            n = int(str(item.document).partition(".")[0])
            if item.variants[0].text == documents[n][1][documents[n][0]][1]:
                made.setdefault(n, []).extend(("pronoun_gender", foil.text) for foil in item.variants[1:])
    return made


def _touches(right: str, foil: str, start: int, end: int) -> bool:
    changes = SequenceMatcher(None, right, foil, autojunk=False).get_opcodes()
    return any(
        tag != "equal" and max(a, start) < min(max(b, a + 1), max(end, start + 1)) for tag, a, b, _, _ in changes
    )


if __name__ == "__main__":
    main()
