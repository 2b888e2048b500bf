"""CoNLL-U as input: gold trees, or what any parser wrote. Multi-word tokens (``am`` = an + dem) stay one token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io.conllu import parse_blocks
from kontrast.io.files import open_lines
from kontrast.language.annotation import Sentence, Token

__all__ = ["parse_conllu", "read_conllu"]

_NO_HEAD = ("0", "_")
_NOWHERE = -2


def read_conllu(path: str | Path) -> Iterator[Sentence]:
    """The sentences of a file, one at a time."""
    return parse_conllu(open_lines(path), path)


def parse_conllu(lines: Iterable[str], path: str | Path = "-") -> Iterator[Sentence]:
    r"""The sentences in lines of CoNLL-U.

    The words of a multi-word token are one token here, which takes the annotation of its first word and the tag
    ``APPRART`` where it is a preposition with an article; heads that pointed into it point to it.

    >>> rows = ["# text = Es regnet.", "1\tEs\tes\tPRON\tPPER\tCase=Nom\t2\tnsubj\t_\t_",
    ...         "2\tregnet\tregnen\tVERB\tVVFIN\t_\t0\troot\t_\tSpaceAfter=No",
    ...         "3\t.\t.\tPUNCT\t$.\t_\t2\tpunct\t_\t_"]
    >>> sentence = next(parse_conllu(rows))
    >>> [(t.text, t.start, t.head) for t in sentence.tokens]
    [('Es', 0, 1), ('regnet', 3, -1), ('.', 9, 1)]
    """
    for block in parse_blocks(lines, path):
        rows = [row for row in block.rows if "." not in row[0]]
        if rows:
            yield _sentence(rows, block.text, path, block.numbers[-1])


def _sentence(block: list[list[str]], text: str | None, path: str | Path, line: int) -> Sentence:
    try:
        surface, place = _surface_rows(block)
    except KontrastError as error:
        raise InputError(path, str(error), line=line) from error
    if text is None:
        text = "".join(f[1] + ("" if "SpaceAfter=No" in f[9] else " ") for f, _ in surface).rstrip()
    words = {fields[0]: fields for fields in block}
    tokens: list[Token] = []
    cursor = 0
    for fields, word in surface:
        start = text.find(fields[1], cursor)
        if start < 0:
            raise InputError(path, f"the word {fields[1]!r} is not in the sentence's text", line=line)
        cursor = start + len(fields[1])
        target = index = place[word[0]]
        inner, seen = word, {word[0]}
        while target == index:  # between the words of one multi-word token no relation is left
            head = inner[6]
            target = -1 if head in _NO_HEAD else place.get(head, _NOWHERE)
            if target == index and head in words and head not in seen:
                inner = words[head]
                seen.add(head)
            elif target in (index, _NOWHERE):
                why = "itself, by way of its heads" if head in seen else "no word of the sentence"
                raise InputError(path, f"the head {head[:40]!r} of {inner[1][:40]!r} is {why}", line=line)
        merged = fields is not word
        tokens.append(
            Token(
                text=fields[1],
                start=start,
                end=cursor,
                lemma="" if word[2] == "_" and word[1] != "_" else word[2],
                pos="" if word[3] == "_" else word[3],
                tag="APPRART" if merged and word[3] == "ADP" else ("" if word[4] == "_" else word[4]),
                morph=_features(word[5]),
                head=target,
                relation="" if word[7] == "_" else word[7],
            )
        )
    return Sentence(text, tuple(tokens))


def _surface_rows(block: list[list[str]]) -> tuple[list[tuple[list[str], list[str]]], dict[str, int]]:
    """Pairs (row with the surface form, row with the annotation), and the place of every word id among them."""
    words = {fields[0]: fields for fields in block if "-" not in fields[0]}
    rows: list[tuple[list[str], list[str]]] = []
    place: dict[str, int] = {}
    for fields in block:
        if "-" in fields[0]:
            first, last = (int(n) for n in fields[0].split("-"))
            if str(first) not in words or not first <= last < first + len(words):
                raise KontrastError(f"the words {fields[0]} of {fields[1][:40]!r} are not in the sentence")
            for n in range(first, last + 1):
                place[str(n)] = len(rows)
            rows.append((fields, words[str(first)]))
        elif fields[0] not in place:
            place[fields[0]] = len(rows)
            rows.append((fields, fields))
    return rows, place


def _features(column: str) -> dict[str, str]:
    if column == "_":
        return {}
    return dict(feature.split("=", 1) for feature in column.split("|") if "=" in feature)
