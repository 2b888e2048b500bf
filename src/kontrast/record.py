"""What all results have in common: a record becomes a dictionary, a data frame, or a table in a notebook."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from kontrast.extras import pandas

_MOST_COLUMNS = 10


class Record(msgspec.Struct, frozen=True):
    """A result. Its fields are the keys of ``--json``; `_rows` says what its data frame has in it.

    >>> class Found(Record, frozen=True):
    ...     word: str
    ...     count: int
    >>> Found("Hund", 3).to_dict()
    {'word': 'Hund', 'count': 3}
    """

    _parts: ClassVar[str] = ""
    """The field whose records are the rows; without one the result is a row."""

    def to_dict(self) -> dict[str, Any]:
        """The record as plain dictionaries, lists and numbers, as ``--json`` prints it."""
        return dict(msgspec.json.decode(msgspec.json.encode(self)))

    def to_pandas(self) -> Any:
        """The record as a pandas data frame."""
        return pandas.DataFrame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        if not self._parts:
            return [flat(self)]
        parts = (part._rows() if isinstance(part, Record) else [flat(part)] for part in getattr(self, self._parts))
        return [row for rows in parts for row in rows]

    def _brief(self) -> list[dict[str, Any]]:
        """The rows that are shown; a result with many columns names the few that are read."""
        return self._rows()

    def _said(self) -> str:
        """The result in sentences, where it has them."""
        verdict = getattr(self, "verdict", "")
        return verdict if isinstance(verdict, str) and " " in verdict else ""

    def __str__(self) -> str:
        """A result in words and its small table; `to_pandas` has all columns."""
        said, several = self._said(), self._parts or type(self)._rows is not Record._rows
        if not said and not several:
            return self._facts()
        return f"{said or self._facts()}\n\n{_text_table(self._brief())}"

    def _facts(self) -> str:
        return f"{type(self).__name__}: {short_facts(flat(self))}"

    def plot(self, by: str = "phenomenon") -> Any:
        """An Altair chart of an evaluation (accuracy by tag) or a comparison (differences by tag)."""
        from kontrast.reporting.figures import plot

        return plot(self, by)

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, or what it is in one line; then the small table."""
        from html import escape

        head = f"<p>{escape(self._said() or self._facts())}</p>"
        rows = self._brief()
        return f"<div>{head}{_html_table(rows)}</div>" if len(rows) > 1 else f"<div>{head}</div>"


def flat(record: msgspec.Struct, prefix: str = "") -> dict[str, Any]:
    """The fields of a record that fit into one row; those of a record inside it under its name.

    >>> class Inner(msgspec.Struct):
    ...     low: float
    >>> class Outer(msgspec.Struct):
    ...     n: int
    ...     interval: Inner
    ...     groups: tuple[Inner, ...]
    >>> flat(Outer(2, Inner(0.5), ()))
    {'n': 2, 'interval_low': 0.5}
    """
    row: dict[str, Any] = {}
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, msgspec.Struct):
            row |= flat(value, f"{prefix}{name}_")
        elif value is None or isinstance(value, str | int | float):
            row[prefix + name] = value
    return row


def short_facts(fields: dict[str, Any], most: int = 8) -> str:
    """The first short values by name.

    >>> short_facts({"items": 3, "accuracy": 0.6666667, "notes": ["a"], "p": None})
    'items 3, accuracy 0.6667'
    """
    plain = ((key, _text(value)) for key, value in fields.items() if isinstance(value, str | int | float))
    return ", ".join([f"{key} {text}" for key, text in plain if 0 < len(text) <= 40][:most])


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _columns(rows: list[dict[str, Any]]) -> list[str]:
    """The columns that a small table shows: none that is empty; of many, those in which rows differ come first."""
    columns = list(dict.fromkeys(name for row in rows for name in row if row[name] not in (None, "")))
    if len(columns) > _MOST_COLUMNS:
        columns.sort(key=lambda name: len(rows) > 1 and len({_text(row.get(name)) for row in rows}) == 1)
    return columns[:_MOST_COLUMNS]


def _more(rows: list[dict[str, Any]], columns: list[str], most: int) -> str:
    """What a small table leaves out."""
    whole = len(set().union(*rows)) > len(columns)
    left = [f"{len(rows) - most} more rows"] if len(rows) > most else []
    left += ["more columns"] if whole else []
    return f"to_pandas() has {' and '.join(left)}" if left else ""


def _text_table(rows: list[dict[str, Any]], most: int = 30) -> str:
    """Rows under their names; numbers flush right."""
    columns = _columns(rows)
    cells = [[_text(row.get(name)) for name in columns] for row in rows[:most]]
    widths = [max(len(name), *(len(row[i]) for row in cells)) for i, name in enumerate(columns)]
    lines = []
    for row in [columns, *cells]:
        padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *padded[1:]]))
    more = [told] if (told := _more(rows, columns, most)) else []
    return "\n".join(line.rstrip() for line in [*lines, *more])


def _html_table(rows: list[dict[str, Any]], most: int = 30) -> str:
    from html import escape

    columns = _columns(rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_text(row.get(name)))}</td>" for name in columns) + "</tr>"
        for row in rows[:most]
    )
    more = f"<p>{told}</p>" if (told := _more(rows, columns, most)) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
