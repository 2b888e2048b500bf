"""What is in a suite: its size, its languages, its tags and their values, and counts by any of them.

Values of tags as they are grouped and printed: the same groups in every command.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.options import read_names
from kontrast.record import Record
from kontrast.suites.model import Suite, Tags
from kontrast.suites.packed import shape_of

if TYPE_CHECKING:
    from kontrast.suites.formats import SuiteLike


_OF_SUITE = ("name", "source_language", "target_language", "style", "licence", "fingerprint", "unit")
PRONOUN_TABLE = ("ref_pronoun", "distance")
"""The table that pronoun suites are known by: how far the antecedent is, for each pronoun."""


class TagSummary(msgspec.Struct, frozen=True):
    """A tag: in how many decisions it is, how many values it has, and the commonest with their counts."""

    tag: str
    count: int
    distinct: int
    values: dict[str, int]


class TagCounts(msgspec.Struct, frozen=True):
    """How many decisions have each combination of values; ``by`` names the tags, in the order of the values."""

    by: tuple[str, ...]
    cells: tuple[tuple[tuple[Any, ...], int], ...]


class Description(Record, frozen=True):
    """The result of `describe`. A decision is an item, or a (correct, wrong) pair where the suite says so.

    ``left_out`` counts items with one variant and no expected form, which decide nothing.
    """

    name: str
    source_language: str | None
    target_language: str | None
    style: str | None
    licence: str | None
    fingerprint: str
    unit: str
    items: int
    rows: int
    decisions: int
    documents: int
    with_source_context: int
    with_target_context: int
    variants_per_item: dict[int, int]
    left_out: int
    tags: tuple[TagSummary, ...]
    tables: tuple[TagCounts, ...]


def describe(
    suite: SuiteLike, by: str | Sequence[str] = (), *, most: int = 8, format: str | None = None
) -> Description:
    """What is in a suite, as `kontrast describe` shows it; ``by`` names tags (``"ref_pronoun,distance"``).

    Without ``by``, a suite of pronouns gets its table of pronoun and antecedent distance. ``most`` limits the values
    shown of each tag.

    >>> import kontrast
    >>> kontrast.describe("demo:fr").target_language
    'fr'
    """
    from kontrast.suites.formats import as_suite

    suite, by = as_suite(suite, format), read_names(by)
    decisions = list(_decisions(suite))
    known = dict.fromkeys(tag for tags in decisions for tag in tags)
    values = {tag: Counter(label_values(tag, [tags[tag] for tags in decisions if tag in tags])) for tag in known}
    if not by and all(tag in values for tag in PRONOUN_TABLE):
        by = PRONOUN_TABLE
    return Description(
        **{field: getattr(suite, field) for field in _OF_SUITE},
        items=len(suite.items),
        rows=suite.row_count,
        decisions=len(decisions),
        documents=len({item.document for item in suite.items if item.document}),
        with_source_context=sum(bool(item.source_context) for item in suite.items),
        with_target_context=sum(bool(item.target_context or item.best.context) for item in suite.items),
        variants_per_item=dict(sorted(Counter(len(item.variants) for item in suite.items).items())),
        left_out=sum(len(item.variants) < 2 and "expected" not in item.tags for item in suite.items),
        tags=tuple(
            TagSummary(tag, counts.total(), len(counts), {str(v): n for v, n in counts.most_common(most)})
            for tag, counts in values.items()
        ),
        tables=(count_by(suite, by),) if by else (),
    )


def count_by(suite: Suite, by: Sequence[str]) -> TagCounts:
    """Decisions for each combination of the tags' values; None stands where a tag is absent or null.

    Pronouns are counted without regard to case, as the originals do.
    """
    decisions = list(_decisions(suite))
    known = {tag for tags in decisions for tag in tags}
    for tag in by:
        if decisions and tag not in known:
            raise KontrastError(f"no item of {suite.name} has a tag {tag!r}; its tags are {', '.join(sorted(known))}")
    columns = [label_values(tag, [tags.get(tag) for tags in decisions]) for tag in by]
    counts = Counter(zip(*columns, strict=True))
    if tuple(by) == PRONOUN_TABLE:
        counts = Counter({key: n for key, n in counts.items() if key[0] is not None})
    return TagCounts(tuple(by), tuple(sorted(counts.items(), key=lambda cell: [order(value) for value in cell[0]])))


def _decisions(suite: Suite) -> Iterator[Tags]:
    for item in suite.items:
        if not item.foils and "expected" not in item.tags:
            continue
        if suite.unit == "pair" and item.foils:
            yield from map(item.tags_of, item.foils)
        else:
            yield item.tags_of()


def order(value: Any) -> tuple[int, float, str]:
    """Numbers by size, then texts by alphabet, then what is absent."""
    if value is None:
        return 2, 0.0, ""
    return (0, value, "") if isinstance(value, int | float) else (1, 0.0, str(value))


def label_values(tag: str, values: Sequence[Any]) -> list[float | str | None]:
    """The values of one tag as numbers and texts; a text that is one of the numbers ("0", "0.0") counts as it.

    Pronouns are taken without regard to case (It, it), as the originals do; other values differ by it.
    """
    numbers: dict[float | None, float] = {float(value): value for value in values if is_number(value)}
    fold = tag.endswith("pronoun")

    def label(value: Any) -> float | str | None:
        if value is None or is_number(value):
            return value  # type: ignore[no-any-return]
        text = value_text(value)
        return numbers.get(number_in(text), text.lower() if fold else text)

    return [label(value) for value in values]


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def number_in(text: str) -> float | None:
    """The number that a text is written as, so that "1" and "1.0" are one.

    >>> number_in("1.0"), number_in("-3"), number_in("1e5"), number_in("one")
    (1.0, -3.0, None, None)
    """
    return float(text) if re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", text) else None


def value_text(value: Any) -> str:
    """A value that is no number, as tables print it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "+".join(map(value_text, value)) if isinstance(value, list | tuple) else str(value)


def left_out(suite: Suite) -> tuple[str, ...]:
    """A note on the items that scores do not decide; none where there are none."""
    alone = int((shape_of(suite.items)[0] < 2).sum())
    text = f"{alone} of {len(suite.items)} items have one variant; they decide nothing and are not counted"
    return (text,) if alone else ()


def refuse_undecided(suite: Suite) -> None:
    """Stop where no item has two variants, before anything is computed on it."""
    if suite.items and (shape_of(suite.items)[0] < 2).all():
        raise KontrastError(
            f"{suite.name} has no item with two variants, so scores decide nothing; "
            "`kontrast check` judges translations"
        )
