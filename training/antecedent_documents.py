"""The documents behind ``training/antecedents.tsv`` and the readings of pronoun suites, made from their sources.

    .venv/bin/python training/antecedent_documents.py subtitles OUT [--uneven]
    .venv/bin/python training/antecedent_documents.py news OUT
    .venv/bin/python training/antecedent_documents.py general OUT
    .venv/bin/python training/antecedent_documents.py newstests OUT [--from 0] [--to 160]
    apt-get download wesnoth-1.16-data wesnoth-1.16-dw …; for package in *.deb; do dpkg -x $package unpacked; done
    .venv/bin/python training/antecedent_documents.py stories OUT --unpacked unpacked --language de
    .venv/bin/python training/antecedent_documents.py messages OUT --catalogues 'unpacked/**/es/**/*.mo' --language es

``subtitles``: CTXPro's contexts and DeepL's translations, cut into sentences; those with as many on both sides, or
(``--uneven``) the others, with neighbours joined where one side has more. ``news``: newstest2021 with its first
reference. ``general``: generaltest2022 with its second reference, in blocks of 40
lines. ``newstests``: news of 2008 and later in the order of DistilLingEval's file, in such blocks (a sentence between
two may be missing). ``stories``: messages of two or more sentences of Battle for Wesnoth. ``messages``: the same from
any catalogues of messages (``.mo``), without those that have a place to be filled in.
OUT/NAME.en and OUT/NAME.de are for ``training/antecedents.py collect read --documents OUT`` and for
``kontrast build pronouns --documents OUT``; the texts stay outside the repository.
"""

from __future__ import annotations

import argparse
import gettext
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
END = re.compile(r"(?<=[.!?…])\s+(?=[-\"«„“A-ZÀ-Ü])")
CLOSED_END = re.compile(r"(?<=[.!?…])([\"”“»«’')]*)\s+(?=[A-ZÄÖÜÉÈÀÇÊÎ„“\"«¿(–—])")
SIGNS = re.compile(r"[\"”“»«’')]*")
ABBREVIATED = re.compile(
    r"(?:\b(?:z\.\s?B|d\.\s?h|u\.\s?a|bzw|usw|Dr|Mr|Mrs|St|ca|Nr|etc|e\.g|i\.e|vgl|p\.\s?ex|M|Mme|Abb|evtl|ggf|inkl|"
    r"Hr|Fr|\d+|\b[A-Z]))\.$"
)
BLOCK = 40
STORY_SIGNS = re.compile(r"[<$]")
FILLED_IN = re.compile(r"[<$]|%[-+0-9.]*[a-zA-Z(]|\{\w*\}")

Pairs = Sequence[tuple[str, str]]


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").rstrip("\n").split("\n")


def subtitles(uneven: bool) -> Iterator[tuple[str, Pairs]]:
    folder = DATA / "ctxpro"
    for kind in ("auxiliary", "mini.formality"):
        sources = lines(folder / f"{kind}.opensubtitles.en-de.test.input")
        targets = lines(folder / f"deepl.{kind}.opensubtitles.en-de.test.contexts")
        seen: set[str] = set()
        for number, (source, target) in enumerate(zip(sources, targets, strict=True)):
            english = [s for part in source.split("<eos>") for s in END.split(part.strip())]
            german = END.split(target.strip())
            if english[-1] in seen or (len(english) == len(german)) == uneven:
                continue
            seen.add(english[-1])
            pairs = list(zip(english, german, strict=True)) if not uneven else joined(english, german)
            yield f"{kind[:4]}{number}", pairs


def joined(source: Sequence[str], target: Sequence[str]) -> list[tuple[str, str]]:
    """The cheapest way to pair the sentences one to one, one to two or two to one, by their lengths."""
    best: dict[tuple[int, int], tuple[float, list[tuple[str, str]]]] = {(0, 0): (0.0, [])}
    for i in range(len(source) + 1):
        for j in range(len(target) + 1):
            if (i, j) not in best:
                continue
            cost, pairs = best[i, j]
            for a, b in ((1, 1), (1, 2), (2, 1)):
                if i + a > len(source) or j + b > len(target):
                    continue
                one, two = " ".join(source[i : i + a]), " ".join(target[j : j + b])
                odd = abs(len(one) * 1.1 - len(two)) + 25 * (one.endswith("?") != two.endswith("?")) + 8 * (a + b > 2)
                if cost + odd < best.get((i + a, j + b), (float("inf"), []))[0]:
                    best[i + a, j + b] = cost + odd, [*pairs, (one, two)]
    return best.get((len(source), len(target)), (0.0, []))[1]


def news() -> Iterator[tuple[str, Pairs]]:
    folder = DATA / "pro-mistranslations-en-de"
    target = lines(folder / "references" / "newstest2021.en-de.ref.ref-A.de")
    source = lines(folder / "sources" / "newstest2021.en-de.src.en")
    yield "newstest2021-A", list(zip(source, target, strict=True))


def general() -> Iterator[tuple[str, Pairs]]:
    folder = DATA / "pro-mistranslations-en-de"
    target = lines(folder / "references" / "generaltest2022.en-de.ref.refB.de")
    pairs = list(zip(lines(folder / "sources" / "generaltest2022.en-de.src.en"), target, strict=True))
    yield from ((f"genB{k // BLOCK:03}", pairs[k : k + BLOCK]) for k in range(0, len(pairs), BLOCK))


def newstests(first: int, last: int | None) -> Iterator[tuple[str, Pairs]]:
    folder = DATA / "distil-lingeval-en-de" / "placeholder_ding.human"
    every = zip(lines(folder / "src.en"), lines(folder / "tgt.correct.de"), strict=True)
    pairs = list(dict.fromkeys(every))
    blocks = [pairs[k : k + BLOCK] for k in range(0, len(pairs), BLOCK)]
    for number, block in list(enumerate(blocks))[first:last]:
        yield f"newstests{number:03}", block


def stories(unpacked: Path, language: str) -> Iterator[tuple[str, Pairs]]:
    pattern = f"**/usr/share/games/wesnoth/*/locale/{language}/LC_MESSAGES/wesnoth-*.mo"
    for path in sorted(unpacked.glob(pattern)):
        yield from catalogued(path, STORY_SIGNS)


def messages(pattern: str) -> Iterator[tuple[str, Pairs]]:
    root = Path(pattern).anchor
    for path in sorted(Path(root).glob(pattern.removeprefix(root))):
        yield from catalogued(path, FILLED_IN)


def catalogued(path: Path, left_out: re.Pattern[str]) -> Iterator[tuple[str, Pairs]]:
    """The messages of a catalogue with *it* or *they* and as many sentences on both sides, two or more."""
    with path.open("rb") as file:
        catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    for source, target in sorted((s, t) for s, t in catalogue.items() if isinstance(s, str) and s and t):
        source = source.partition("\x04")[2] or source
        if left_out.search(source) or not re.search(r"\b(it|they|them)\b", source, re.IGNORECASE):
            continue
        one, two = sentences(source.split("^")[0]), sentences(target.split("^")[0])
        if len(one) == len(two) > 1 and source != target:
            yield f"{path.stem}-{zlib.crc32(source.encode()):08x}", list(zip(one, two, strict=True))


def sentences(text: str) -> list[str]:
    found: list[str] = []
    for part in CLOSED_END.split(re.sub(r"\s+", " ", text).strip()):
        if SIGNS.fullmatch(part):
            if found:
                found[-1] += part
        elif found and ABBREVIATED.search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("subtitles", "news", "general", "newstests", "stories", "messages"))
    parser.add_argument("out", type=Path)
    parser.add_argument("--uneven", action="store_true")
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="BLOCK")
    parser.add_argument("--to", dest="last", type=int, metavar="BLOCK")
    parser.add_argument("--unpacked", type=Path)
    parser.add_argument("--catalogues", metavar="GLOB")
    parser.add_argument("--language", default="de")
    args = parser.parse_args()
    if args.what == "stories" and args.unpacked is None:
        parser.error("stories needs --unpacked")
    if args.what == "messages" and args.catalogues is None:
        parser.error("messages needs --catalogues")
    made = {
        "subtitles": lambda: subtitles(args.uneven),
        "news": news,
        "general": general,
        "newstests": lambda: newstests(args.first, args.last),
        "stories": lambda: stories(args.unpacked, args.language),
        "messages": lambda: messages(args.catalogues),
    }[args.what]()
    args.out.mkdir(parents=True, exist_ok=True)
    documents = count = 0
    for name, pairs in made:
        if not pairs:
            continue
        for side, code in enumerate(("en", args.language)):
            (args.out / f"{name}.{code}").write_text("".join(f"{pair[side]}\n" for pair in pairs), "utf-8")
        documents, count = documents + 1, count + len(pairs)
    print(f"{args.out}: {documents} documents, {count} pairs")


if __name__ == "__main__":
    main()
