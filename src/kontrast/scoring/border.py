"""Where prompt and target meet: one rule for every engine that reads both, or a forced prefix and the text, as one.

A target costs what the whole text costs less what its opening (prompt, prefix) costs alone. Tokens that both begin
with cancel out. Where a token joins the opening's end with the target's beginning, the opening's own tokens there are
taken off it: else the variants that begin so would pay for the opening, and the others would not.
"""

from __future__ import annotations

from collections.abc import Sequence


def opening_of(given: str) -> str:
    """The text before a target without blanks at its end: those belong to the first scored token of most tokenizers.

    >>> opening_of("German: ")
    'German:'
    """
    return given.rstrip(" ")


def less_opening(values: Sequence[float], opening: Sequence[float]) -> tuple[float, ...]:
    """Log-probabilities of a target's tokens, the first less those of the opening's tokens that it replaces.

    >>> less_opening([-5.0, -1.0], [-3.5, -0.5]), less_opening([-5.0, -1.0], [])
    ((-1.0, -1.0), (-5.0, -1.0))
    """
    return (values[0] - sum(opening), *values[1:]) if values else ()
