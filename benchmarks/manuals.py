"""Documents in two languages from manuals that Debian packages carry: technical prose by human translators.

    apt-get download debian-handbook gnome-user-docs installation-guide-amd64 gimp-help-en gimp-help-es …
    for package in *.deb; do dpkg -x $package unpacked; done
    .venv/bin/python benchmarks/manuals.py unpacked OUT --language es

Pages of both languages are cut into paragraphs; where both have the same paragraphs in the same order (by their
kinds), these are paired, and their sentences where there are as many. OUT/BOOK/NAME.en and NAME.es are for
``kontrast build pronouns --documents OUT/BOOK``. The texts stay outside the repository.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

BOOKS = {
    "handbook": ("usr/share/doc/debian-handbook/html/{}", "*.html", "en-US", "{0}-{1}"),
    "gnome": ("usr/share/help/{}/gnome-help", "*.page", "C", "{0}"),
    "gimp": ("usr/share/gimp/2.0/help/{}", "*.html", "en", "{0}"),
    "install": ("usr/share/doc/installation-guide-amd64/{}", "*.html", "en", "{0}"),
}
"""Folder, files, the name of English, the name of another language."""
_BLOCKS = frozenset("p div h1 h2 h3 h4 li dt dd td th title desc item".split())
_SKIPPED = frozenset("script style pre code-block screen info name email years".split())
_END = re.compile(r"(?<=[.!?…])\s+(?=[\"«“„¿¡(A-ZÀ-Ü])")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|z\. ?B|d\. ?h|p\. ?ej|p\. ?es|ad es|bzw|ca|Nr|No|Dr|Mr|Mrs|St)\.$")
_LEAST = 3
"""Pages with fewer pairs are left out."""


class Paragraphs(HTMLParser):
    """The texts between block tags, with the tag that opened each."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self._text: list[str] = []
        self._tag = ""
        self._skipped = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag in _BLOCKS:
            self._close()
            self._tag = tag

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skipped = max(self._skipped - 1, 0)
        elif tag in _BLOCKS:
            self._close()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self._text.append(data)

    def _close(self) -> None:
        text = " ".join("".join(self._text).split())
        if self._tag and text:
            self.found.append((self._tag, text))
        self._text, self._tag = [], ""


def paragraphs(path: Path) -> list[tuple[str, str]]:
    parser = Paragraphs()
    parser.feed(path.read_text("utf-8", errors="replace"))
    parser.close()
    return parser.found


def sentences(text: str) -> list[str]:
    found: list[str] = []
    for part in _END.split(text):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def pairs(one: list[tuple[str, str]], two: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Sentences of paragraphs that stand at the same place; nothing where the pages differ in form."""
    if [tag for tag, _ in one] != [tag for tag, _ in two]:
        return
    for (_, a), (_, b) in zip(one, two, strict=True):
        if a == b:
            continue
        left, right = sentences(a), sentences(b)
        yield from zip(left, right, strict=True) if len(left) == len(right) else [(a, b)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("unpacked", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", required=True, help="de, es, fr, it")
    args = parser.parse_args()
    code = args.language
    for book, (folder, pattern, english, other) in BOOKS.items():
        one, two = (args.unpacked / folder.format(n) for n in (english, other.format(code, code.upper())))
        pages = lines = 0
        for path in sorted(one.rglob(pattern)):
            twin = two / path.relative_to(one).with_name(path.name.replace(".en.", f".{code}."))
            found = list(pairs(paragraphs(path), paragraphs(twin))) if twin.exists() else []
            if len(found) < _LEAST:
                continue
            pages, lines = pages + 1, lines + len(found)
            (args.out / book).mkdir(parents=True, exist_ok=True)
            name = "_".join(path.relative_to(one).with_suffix("").parts).replace(".en", "")
            for side, language in enumerate(("en", code)):
                text = "".join(f"{pair[side]}\n" for pair in found)
                (args.out / book / f"{name}.{language}").write_text(text, "utf-8")
        print(f"{book}: {pages} pages, {lines} pairs")


if __name__ == "__main__":
    main()
