"""Draws the English pronouns that ``training/pointing.tsv`` says the meaning of, each with the sentences before it.

    apt-get download git-doc postgresql-doc-15 sqlite3-doc wesnoth-1.16-httt …
    for package in *.deb; do dpkg -x $package UNPACKED; done
    .venv/bin/python training/pointing_texts.py --unpacked UNPACKED --out pool.json

EWT (all of it, by documents), news of 2008 and later (DistilLingEval's sources, in blocks), subtitles (CTXPro's
contexts, without a third that is kept for readings; the large EN-FR set), manuals and a game's stories of Debian
packages. News tests of 2021 and 2022 are left for readings. All pronouns are written; those that were read are found
by their hash. The texts stay outside the repository.
"""

from __future__ import annotations

import argparse
import gettext
import gzip
import html
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from antecedent_documents import DATA, lines, newstests, sentences

from kontrast.language.pointing import window

Documents = Iterator[tuple[str, list[str]]]
PRONOUN = re.compile(r"\b(?:it|they|them)\b", re.IGNORECASE)
LONGEST = 90


def ewt() -> Documents:
    name, text = "", list[str]()
    with gzip.open(DATA / "ud" / "en_ewt-all.conllu.gz", "rt", encoding="utf-8") as file:
        for line in file:
            if line.startswith("# newdoc"):
                yield name, text
                name, text = line.partition("=")[2].strip(), []
            elif line.startswith("# text ="):
                text.append(line.partition("=")[2].strip())
    yield name, text


def news() -> Documents:
    for name, pairs in newstests(0, None):
        yield name, [source for source, _ in pairs]


def subtitles() -> Documents:
    for kind in ("auxiliary", "mini.formality"):
        seen = set()
        for number, line in enumerate(lines(DATA / "ctxpro" / f"{kind}.opensubtitles.en-de.test.input")):
            text = [part.strip() for part in line.split("<eos>") if part.strip()]
            if text[-1] in seen:
                continue
            seen.add(text[-1])
            if zlib.crc32(text[-1].encode()) % 3:
                yield f"{kind}{number}", text


def french_set() -> Documents:
    folder = DATA / "large-contrastive-en-fr"
    before, own = (lines(folder / f"OpenSubs.{part}.src") for part in ("c3.context", "current"))
    for i in range(0, len(own), 2):
        text = [line.strip() for line in (*before[3 * i : 3 * i + 3], own[i])]
        yield f"fr{i}", [line for line in text if line]


def manuals(unpacked: Path) -> Documents:
    for path in sorted(unpacked.rglob("*.html")):
        text = path.read_text("utf-8", "replace")
        for number, part in enumerate(re.findall(r"<p[^>]*>(.*?)</p>", text, re.DOTALL)):
            part = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", part))).strip()
            if 60 < len(part) < 1500:
                yield f"{path.stem}-{number}", sentences(part)


def stories(unpacked: Path) -> Documents:
    for path in sorted(unpacked.glob("**/locale/de/LC_MESSAGES/*.mo")):
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for text in sorted(t for t in catalogue if isinstance(t, str) and t):
            text = (text.partition("\x04")[2] or text).split("^")[0]
            if "<" not in text and "$" not in text and len(text) >= 80:
                yield f"{path.stem}-{zlib.crc32(text.encode()):08x}", sentences(text)


def pronouns(kind: str, documents: Documents) -> Iterator[dict[str, object]]:
    for name, text in documents:
        for number, line in enumerate(text):
            if (kind == "subs2" and number != len(text) - 1) or not 3 <= len(line.split()) <= LONGEST:
                continue
            for found in PRONOUN.finditer(line):
                if found.group() != "IT":
                    first = window(text, number)
                    yield {"kind": kind, "doc": name, "lines": text[first : number + 1], "at": found.start()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unpacked", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    kinds = {
        "ewt": ewt(),
        "news": news(),
        "subs": subtitles(),
        "subs2": french_set(),
        "manuals": manuals(args.unpacked),
        "stories": stories(args.unpacked),
    }
    found = [place for kind, documents in kinds.items() for place in pronouns(kind, documents)]
    args.out.write_text(json.dumps(found), "utf-8")
    print(f"{args.out}: {len(found)} pronouns")


if __name__ == "__main__":
    main()
