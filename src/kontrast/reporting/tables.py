"""One table, many papers: Markdown, LaTeX and CSV from the same rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import msgspec

__all__ = ["Table", "to_csv", "to_latex", "to_markdown"]


class Table(msgspec.Struct, frozen=True):
    """A title, column names and rows; cells are text or numbers, ``None`` is blank."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str = ""


def to_markdown(table: Table) -> str:
    """A pipe table, first column left, the rest flush right.

    >>> print(to_markdown(Table("by phenomenon", ("phenomenon", "accuracy"), (("np_agreement", "98.7"),))))
    | phenomenon | accuracy |
    |:---|---:|
    | np_agreement | 98.7 |
    """
    lines = [table.columns, (":---", *["---:"] * (len(table.columns) - 1)), *table.rows]
    rendered = [" | ".join(_text(cell).replace("|", "\\|") for cell in line) for line in lines]
    rendered[1] = "|".join(lines[1])
    return "\n".join(f"|{line}|" if i == 1 else f"| {line} |" for i, line in enumerate(rendered))


def to_latex(table: Table) -> str:
    r"""A booktabs tabular.

    >>> print(to_latex(Table("t", ("type", "n"), (("np_agreement", 3),))))
    \begin{tabular}{lr}
    \toprule
    type & n \\
    \midrule
    np\_agreement & 3 \\
    \bottomrule
    \end{tabular}
    """
    body = [" & ".join(_latex(_text(cell)) for cell in row) + r" \\" for row in (table.columns, *table.rows)]
    columns = "l" + "r" * (len(table.columns) - 1)
    rules = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", body[0], r"\midrule", *body[1:], r"\bottomrule"]
    return "\n".join([*rules, r"\end{tabular}"])


def to_csv(table: Table) -> str:
    """Comma-separated, a header first.

    >>> print(to_csv(Table("t", ("type", "n"), (("a,b", 3),))), end="")
    type,n
    "a,b",3
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([table.columns, *([_text(cell) for cell in row] for row in table.rows)])
    return out.getvalue()


RENDERERS: dict[str, Callable[[Table], str]] = {"md": to_markdown, "tex": to_latex, "csv": to_csv}
"""By file ending."""

_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "≤": r"$\le$"}
_LATEX |= {char: f"\\{char}" for char in "&%$#_{}"}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)
