"""Lemma, head and label of each token: as three columns, or as three line-aligned files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError
from kontrast.io.files import open_lines
from kontrast.language.annotation import Sentence, Token
from kontrast.splitting.tokens import TokenTable, table_from_sentences

__all__ = ["Mismatch", "read_triples"]


def read_triples(
    path: str | Path,
    heads: str | Path | None = None,
    labels: str | Path | None = None,
    mismatch: Mismatch | None = None,
) -> TokenTable:
    """Read triples as a table of tokens.

    One file: a token per line as lemma, head, label with tabs between them, an empty line after each sentence; the
    head is the governor's number counted from 1 (0 for the root), or its lemma. Three files: a sentence per line,
    lemmas with blanks between them, and lists of heads and labels (``[2, 0]``, ``['det', 'root']`` or with blanks).
    Lines of unequal length are cut to the shortest and counted in ``mismatch``.
    """
    if heads is None and labels is None:
        return table_from_sentences(_from_columns(Path(path)))
    if heads is None or labels is None:
        raise InputError(path, "is one of three files; the heads and the labels are both needed")
    return table_from_sentences(_from_three(Path(path), Path(heads), Path(labels), mismatch or Mismatch()))


def _from_columns(path: Path) -> Iterator[Sentence]:
    rows: list[tuple[str, str, str]] = []
    numbers: list[int] = []
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            if rows:
                yield _sentence(path, rows, numbers)
            rows, numbers = [], []
            continue
        columns = line.split("\t")
        if len(columns) != 3:
            raise InputError(
                path, f"expected lemma, head and label with tabs between them, found {line!r}", line=number
            )
        rows.append((columns[0], columns[1], columns[2]))
        numbers.append(number)
    if rows:
        yield _sentence(path, rows, numbers)


def _sentence(path: Path, rows: list[tuple[str, str, str]], numbers: list[int]) -> Sentence:
    if all(head.isascii() and head.isdigit() and len(head) < 7 for _, head, _ in rows):
        for (_, head, _), number in zip(rows, numbers, strict=True):
            if int(head) > len(rows):
                raise InputError(path, f"head {head} is beyond the sentence's {len(rows)} tokens", line=number)
        return _tokens([(lemma, int(head) - 1, label) for lemma, head, label in rows])
    # Heads are lemmas: a head is the first token of that lemma, or one more token where none has it.
    place: dict[str, int] = {}
    for i, (lemma, _, _) in enumerate(rows):
        place.setdefault(lemma.lower(), i)
    extra: list[str] = []
    found: list[tuple[str, int, str]] = []
    for lemma, head, label in rows:
        key = head.lower()
        if label == "root" or not head:
            found.append((lemma, -1, label))
            continue
        if key not in place:
            place[key] = len(rows) + len(extra)
            extra.append(head)
        found.append((lemma, place[key], label))
    return _tokens(found + [(lemma, -1, "root") for lemma in extra])


class Mismatch(msgspec.Struct):
    """Lines of three files that do not fit: how many were cut to the shortest, and heads that this left outside."""

    lines: int = 0
    first_line: int = 0
    heads: int = 0


def _from_three(path: Path, heads: Path, labels: Path, mismatch: Mismatch) -> Iterator[Sentence]:
    """As the authors' reader has it: a line is as long as the shortest of its three, a head outside is none."""
    try:
        rows = zip(open_lines(path), open_lines(heads), open_lines(labels), strict=True)
        for number, (lemma_line, head_line, label_line) in enumerate(rows, start=1):
            lemmas, head, label = (
                lemma_line.split(),
                _listed(heads, head_line, number),
                _listed(labels, label_line, number),
            )
            size = min(len(lemmas), len(head), len(label))
            if size < max(len(lemmas), len(head), len(label)):
                mismatch.lines += 1
                mismatch.first_line = mismatch.first_line or number
            try:
                places = [int(h) - 1 for h in head[:size]]
            except (TypeError, ValueError) as error:
                raise InputError(heads, "expected whole numbers", line=number) from error
            if size == len(lemmas) == len(head) and any(p >= size for p in places):
                raise InputError(heads, f"a head is beyond the sentence's {size} tokens", line=number)
            mismatch.heads += sum(p >= size for p in places)
            inside = [p if p < size else -1 for p in places]
            yield _tokens(list(zip(lemmas[:size], inside, map(str, label[:size]), strict=True)))
    except ValueError as error:
        raise InputError(path, "lemmas, heads and labels must have the same number of lines") from error


def _listed(path: Path, line: str, number: int) -> list[Any]:
    if not line.lstrip().startswith("["):
        return line.split()
    try:
        return list(ast.literal_eval(line.strip()))
    except (SyntaxError, ValueError) as error:
        raise InputError(path, "expected a list", line=number) from error


def _tokens(rows: list[tuple[str, int, str]]) -> Sentence:
    tokens = tuple(Token(lemma, 0, 0, lemma=lemma, head=head, relation=label) for lemma, head, label in rows)
    return Sentence(" ".join(lemma for lemma, _, _ in rows), tokens)
