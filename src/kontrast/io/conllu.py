"""CoNLL-U: sentences as rows of ten columns, with what their comments say."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError
from kontrast.io.files import open_lines

COLUMNS = 10
_NUMBER = re.compile(r"[0-9]{1,6}(?:[-.][0-9]{1,6})?")


class Block(NamedTuple):
    """One sentence: its ``# text`` (None: not given), its document, the rows and their numbers in the file.

    ``first`` is true for the first sentence after a ``# newdoc``. Multi-word tokens (``3-4``) and empty nodes
    (``8.1``) are among the rows.
    """

    text: str | None
    document: str
    first: bool
    rows: list[list[str]]
    numbers: list[int]
    id: str = ""
    """Its ``# sent_id``, empty where it has none."""

    @property
    def words(self) -> Iterator[tuple[int, list[str]]]:
        """The rows of syntactic words alone, each with its number in the file."""
        return ((n, row) for n, row in zip(self.numbers, self.rows, strict=True) if row[0].isdigit())

    @property
    def full_text(self) -> str:
        """Its ``# text``; without one, its forms, with blanks but where ``SpaceAfter=No`` is given."""
        if self.text and not self.text.isspace():
            return self.text
        covered, parts = 0, []
        for row in self.rows:
            first, _, last = row[0].partition("-")
            if "." not in row[0] and int(first) > covered:
                covered = int(last or first)
                parts.append(row[1] + ("" if "SpaceAfter=No" in row[9] else " "))
        return "".join(parts).rstrip()


def read_blocks(path: str | Path) -> Iterator[Block]:
    """The sentences of a file, packed or not, one at a time."""
    return parse_blocks(open_lines(path), path)


def parse_blocks(lines: Iterable[str], path: str | Path = "-") -> Iterator[Block]:
    r"""The sentences in lines of CoNLL-U; a line with other than ten columns is an error that names it.

    >>> lines = ["# newdoc id = a", "# text = Ja.", "1\tJa\tja\tINTJ\t_\t_\t0\troot\t_\tSpaceAfter=No", ""]
    >>> [(block.document, block.text, len(block.rows)) for block in parse_blocks(lines)]
    [('a', 'Ja.', 1)]
    """
    text: str | None = None
    document, first, sentence_id = "", False, ""
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            name, _, value = line[1:].partition("=")
            if name.strip() == "text":
                text = value.removeprefix(" ")
            elif name.strip() == "sent_id":
                sentence_id = value.strip()
            elif name.strip().startswith("newdoc"):
                document, first = value.strip(), True
        elif line.strip():
            columns = line.split("\t")
            if len(columns) != COLUMNS:
                message = f"expected the ten tab-separated columns of CoNLL-U, found {len(columns)}"
                raise InputError(path, message, line=number)
            if not _is_number(columns[0]):
                message = f"expected the number of a word such as 3, 3-4 or 8.1, found {columns[0][:40]!r}"
                raise InputError(path, message, line=number)
            rows.append(columns)
            numbers.append(number)
        elif rows:
            yield Block(text, document, first, rows, numbers, sentence_id)
            text, first, rows, numbers, sentence_id = None, False, [], [], ""
    if rows:
        yield Block(text, document, first, rows, numbers, sentence_id)


@lru_cache(maxsize=1_000)
def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))
