"""Which sentence pairs kontrast-tiny may learn from, and which are held out for figures.

Licences decide what is in: text with a stated licence that allows it (MIT, Apache-2.0, CC BY-SA). Left out are
ContraPro's *context* sentences (they come by way of ContraCAT, which states no licence), DeepL's answers in CTXPro,
DistilLingEval (news test sets that WMT gives for research), DiscEvalMT (partly NC), and whatever states nothing.

Held out is a function of a seeded hash: whole documents where documents are known, else blocks of consecutive items
with a margin around them (the rows follow the documents' order). Training text that repeats a held-out sentence, or
shares most of its four-word sequences, goes too.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "Passage",
    "contrapro_documents",
    "held_out",
    "held_out_block",
    "passages",
    "read_lines",
    "training_passages",
]

SEED = "kontrast-tiny-1"
SHARE = 0.12
BLOCK, MARGIN = 50, 10
SUBTITLES_FR, SUBTITLES_DE, CTXPRO = "large-contrastive-en-fr", "contrapro-en-de", "ctxpro"


@dataclass(frozen=True)
class Passage:
    """Consecutive sentence pairs (oldest first; the last is the current one), and whether they are held out."""

    corpus: str
    language: str
    pairs: tuple[tuple[str, str], ...]
    held: bool = False


def held_out(document: str) -> bool:
    """Whether a document is kept for figures.

    >>> held_out("1922_13169_3363298"), held_out("1932_22750_176187")
    (True, False)
    """
    digest = hashlib.sha256(f"{SEED}:{document}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < SHARE * 2**32


def held_out_block(corpus: str, index: int) -> bool:
    """Whether the item at ``index`` of a corpus without document names is kept for figures."""
    return held_out(f"{corpus}:{index // BLOCK}")


def passages(data: Path) -> Iterator[Passage]:
    """Everything that may be learned from, held-out passages included and marked."""
    yield from _subtitles_fr(data / SUBTITLES_FR)
    yield from _un_fr(data / "un-en-fr")
    yield from _contrapro(data / SUBTITLES_DE)
    yield from _ctxpro(data / CTXPRO)
    for language in ("de", "fr"):
        yield from _pud(data / "ud", language)


def training_passages(data: Path) -> list[Passage]:
    """What is left when held-out passages and all that resembles them are taken away."""
    every = list(passages(data))
    near = _Near(text for passage in every if passage.held for pair in passage.pairs for text in pair)
    kept = (p for p in every if not p.held and not any(text in near for pair in p.pairs for text in pair))
    return list(dict.fromkeys(kept))


class _Near:
    """Sentences equal to one of ``texts`` but for case and punctuation, or mostly made of their four-word runs."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.whole: set[tuple[str, ...]] = set()
        self.grams: set[tuple[str, ...]] = set()
        for text in texts:
            words = self._words(text)
            if len(words) > 3:
                self.whole.add(words)
            self.grams.update(self._grams(words))

    def __contains__(self, text: str) -> bool:
        words = self._words(text)
        if words in self.whole:
            return True
        grams = self._grams(words)
        return len(grams) > 1 and 2 * sum(gram in self.grams for gram in grams) > len(grams)

    @staticmethod
    def _words(text: str) -> tuple[str, ...]:
        return tuple(re.findall(r"\w+", text.lower()))

    @staticmethod
    def _grams(words: tuple[str, ...]) -> list[tuple[str, ...]]:
        return [words[i : i + 4] for i in range(len(words) - 3)]


def read_lines(path: Path) -> list[str]:
    """Lines without blanks at their ends; only a line feed ends one."""
    return [line.strip() for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def _subtitles_fr(folder: Path) -> Iterator[Passage]:
    """The correct row of each item with up to three sentences before it, each of which is a pair of its own too."""
    current = list(
        zip(*(read_lines(folder / f"OpenSubs.current.{side}")[::2] for side in ("src", "trg")), strict=True)
    )
    context = list(zip(*(read_lines(folder / f"OpenSubs.c3.context.{side}") for side in ("src", "trg")), strict=True))
    for index, pair in enumerate(current):
        before = [p for p in context[6 * index : 6 * index + 3] if all(p)]
        held = held_out_block(SUBTITLES_FR, index)
        if not held and any(
            held_out_block(SUBTITLES_FR, near) for near in range(max(0, index - MARGIN), index + MARGIN + 1)
        ):
            continue
        yield Passage(SUBTITLES_FR, "fr", (*before, pair), held)
        for i in range(len(before)):
            yield Passage(SUBTITLES_FR, "fr", tuple(before[: i + 1]), held)


def _un_fr(folder: Path) -> Iterator[Passage]:
    for item in json.loads((folder / "UN-testset-enfr.json").read_text(encoding="utf-8")):
        pair = (item["src segment"].strip(), item["ref segment"].strip())
        yield Passage("un-en-fr", "fr", (pair,), held_out(item["document id"]))


def contrapro_documents(folder: Path) -> dict[int, str]:
    """The document of each group of rows for which it is known (the items given as JSON)."""
    items = json.loads((folder / "contrapro.subset.json").read_text(encoding="utf-8"))
    groups = read_lines(folder / "contrapro.subset.groups")
    return {
        int(group): item["document id"].removesuffix(".de")
        for group, item in zip(groups, items, strict=True)
        if group
    }


def _contrapro(folder: Path) -> Iterator[Passage]:
    """Current sentences only. Groups of unknown document between two known ones are held out if either is."""
    documents = contrapro_documents(folder)
    starts = [int(line) for line in read_lines(folder / "group_starts.txt")][:-1]
    source, target = (read_lines(folder / f"rows.context1.{side}") for side in ("en", "de"))
    following: str | None = None
    after: list[str | None] = [None] * len(starts)
    for group in reversed(range(len(starts))):
        after[group] = following = documents.get(group, following)
    before: str | None = None
    for group, start in enumerate(starts):
        before = documents.get(group, before)
        pair = (_current(source[start]), _current(target[start]))
        held = any(document is not None and held_out(document) for document in (before, after[group]))
        yield Passage(SUBTITLES_DE, "de", ((pair[0][:1].upper() + pair[0][1:], pair[1]),), held)


def _current(row: str) -> str:
    return row.rpartition("<SEP>")[2].strip()


def _ctxpro(folder: Path) -> Iterator[Passage]:
    """Sources and human references with the preceding sentence where that is itself in the file."""
    segments: dict[tuple[str, int], tuple[str, str]] = {}
    for name in ("auxiliary", "mini.formality"):
        path = folder / f"{name}.opensubtitles.en-de.test.json"
        for item in json.loads(path.read_text(encoding="utf-8")):
            key = (item["document id"].rpartition("/")[2], item["segment id"])
            segments[key] = (item["src segment"].strip(), item["ref segment"].strip())
    for (document, number), pair in segments.items():
        earlier = next(
            (segments[document, n] for n in range(number - 1, number - 4, -1) if (document, n) in segments), None
        )
        yield Passage(CTXPRO, "de", (earlier, pair) if earlier else (pair,), held_out(document))


def _pud(folder: Path, language: str) -> Iterator[Passage]:
    """Parallel treebanks: texts by sentence id, a document at a time."""
    english, other = (_conllu_texts(folder / f"{code}_pud-ud-test.conllu") for code in ("en", language))
    before: dict[str, tuple[str, str]] = {}
    for name, text in english.items():
        document, pair = name[:6], (text, other[name])
        yield Passage(
            "pud", language, (before[document], pair) if document in before else (pair,), held_out(document)
        )
        before[document] = pair


def _conllu_texts(path: Path) -> dict[str, str]:
    texts, name = {}, ""
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith("# sent_id = "):
            name = line[12:].strip()
        elif line.startswith("# text = "):
            texts[name] = line[9:].strip()
    return texts
