"""Values of tags as they are grouped and printed: the same groups in every command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def label_values(tag: str, values: Sequence[Any]) -> list[float | str | None]:
    """The values of one tag as numbers and texts; a text that is one of the numbers ("0") counts as it; None stays.

    Pronouns are taken without regard to case (It, it), as the originals do; other values differ by it.

    >>> label_values("distance", [1, None, 2])
    [1, None, 2]
    >>> label_values("distance", [0, "0", True, ["a", "b"]])
    [0, 0, 'true', 'a+b']
    >>> label_values("document", ["A", "a"]), label_values("src_pronoun", ["It", "it"])
    (['A', 'a'], ['it', 'it'])
    """
    numbers: dict[str, float | str] = {str(value): value for value in values if is_number(value)}
    fold = tag.endswith("pronoun")

    def label(value: Any) -> float | str | None:
        if value is None or is_number(value):
            return value  # type: ignore[no-any-return]
        text = _text(value)
        return numbers.get(text, text.lower() if fold else text)

    return [label(value) for value in values]


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "+".join(map(_text, value)) if isinstance(value, list | tuple) else str(value)
