"""A report as LaTeX: a booktabs table with caption and label for each section.

No text of a suite is written as a comment, which it could end.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from kontrast.reporting.paper import main_table
from kontrast.reporting.section import Section, for_people, row_texts, slug
from kontrast.reporting.terminal import clean

if TYPE_CHECKING:
    from kontrast.reporting.report import Report

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "±": r"$\pm$",
    "→": r"$\to$",
    "·": r"$\cdot$",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    '"': r"\textquotedbl{}",
    "–": "--",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_NOTE = r"% needs \usepackage{booktabs}"
_STAR = re.compile(r" \*$")


def files(made: Report, path: Path) -> dict[Path, str]:
    """One file: ``\\input`` it in a document that loads booktabs. It holds the main table, or those asked for."""
    chosen = made.chosen_tables() or (main_table(made),)
    tables = [to_latex(section, made.suite) for section in chosen if section.table is not None]
    return {path: "\n\n".join([_NOTE, *tables]) + "\n"}


def to_latex(section: Section, suite: str = "") -> str:
    r"""A section's table.

    >>> from kontrast.reporting.section import Column, Estimate, Table
    >>> columns = Column("type"), Column("b − a", "points")
    >>> table = Table(columns, (("np_agreement", Estimate(-0.02, -0.03, -0.01, True)),))
    >>> print(to_latex(Section("compared", "Compared", table=table), "demo"))
    \begin{table}
    \centering
    \caption{Compared, demo.}
    \label{tab:demo-compared}
    \begin{tabular}{lr}
    \toprule
    type & b $-$ a \\
    \midrule
    np\_agreement & $-$2.0 [$-$3.0, $-$1.0]\textsuperscript{*} \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    assert section.table is not None
    table = for_people(section.table)
    title = ", ".join(part for part in (section.title, suite) if part)
    caption = f"{title}." + (f" {table.caption}" if table.caption else "")
    sides = "".join("l" if column.kind in ("text", "system") else "r" for column in table.columns)
    body = [" & ".join(_cell(text) for text in row_texts(table, row)) for row in table.rows]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape(caption)}}}",
            rf"\label{{tab:{slug(f'{suite}-{section.name}')}}}",
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            " & ".join(escape(column.name) for column in table.columns) + r" \\",
            r"\midrule",
            *(f"{row} \\\\" for row in body),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def figure_latex(section: Section, suite: str, file: str, caption: str) -> str:
    """A figure as wide as the column, from a file beside this text."""
    return "\n".join(
        [
            r"\begin{figure}",
            r"\centering",
            rf"\includegraphics[width=\columnwidth]{{{file}}}",
            rf"\caption{{{escape(caption)}}}",
            rf"\label{{fig:{slug(f'{suite}-{section.name}')}}}",
            r"\end{figure}",
        ]
    )


def _cell(text: str) -> str:
    starred = _STAR.sub("", text)
    # A row must not begin with a bracket: after \\ that would be its optional argument.
    shown = escape(starred)
    shown = f"{{{shown}}}" if shown.startswith(("[", "*")) else shown
    return shown + (r"\textsuperscript{*}" if starred != text else "")


def escape(text: str) -> str:
    r"""Text as LaTeX prints it, on one line.

    >>> escape("50% of\nnp_agreement − a")
    '50\\% of np\\_agreement $-$ a'
    """
    return "".join(_SPECIAL.get(char, char) for char in " ".join(clean(text).split()))
