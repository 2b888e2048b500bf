"""Options that are declared once: a record's fields are the options of a command and the keywords of a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec

from kontrast.errors import KontrastError

__all__ = [
    "Declared",
    "declared",
    "keywords",
    "option",
    "read_names",
    "read_numbers",
    "read_window",
    "records",
    "refuse_unknown",
    "values_of",
]

F = TypeVar("F", bound=Callable[..., Any])
Reader = Callable[[Any, str], Any]


def option(help: str, *more_names: str, metavar: str = "", read: Reader | None = None) -> msgspec.Meta:
    """What is said of a field in its ``Annotated`` type; ``read`` makes its value of what is given."""
    return msgspec.Meta(description=help, extra={"names": more_names, "metavar": metavar, "read": read})


class Declared(NamedTuple):
    """An option: its name, type, default and what `option` said."""

    name: str
    kind: Any
    default: Any
    help: str
    more_names: tuple[str, ...]
    metavar: str
    read: Reader | None


@cache
def declared(record: type[msgspec.Struct]) -> dict[str, Declared]:
    """The options of a record by name: its fields that say what they are."""
    hints = get_type_hints(record, include_extras=True)
    found = {}
    for field in msgspec.structs.fields(record):
        kind, *said = get_args(hints[field.name]) if hasattr(hints[field.name], "__metadata__") else (None,)
        for meta in said:
            extra = meta.extra
            found[field.name] = Declared(
                field.name, kind, field.default, meta.description, extra["names"], extra["metavar"], extra["read"]
            )
    return found


def records(given: Mapping[str, Any], function: Callable[..., Any], *kinds: type[msgspec.Struct]) -> list[Any]:
    """The records of these keywords; None is the default, and a keyword that none of them has is a mistake.

    >>> from kontrast.splitting.options import SplitOptions
    >>> @keywords(SplitOptions)
    ... def cut(corpus, **given):
    ...     [asked] = records(given, cut, SplitOptions)
    ...     return asked.test_share
    >>> cut("corpus", test_share=".1:.2")
    (0.1, 0.2)
    >>> cut("corpus", test_shear=1)
    Traceback (most recent call last):
    TypeError: unexpected keyword argument 'test_shear'; did you mean 'test_share'?
    """
    refuse_unknown(given, [name for kind in kinds for name in kind.__struct_fields__], function)
    return [kind(**values_of(given, kind)) for kind in kinds]


def values_of(given: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Those of the keywords that are given and belong to this record, read."""
    values = {name: given[name] for name in kind.__struct_fields__ if given.get(name) is not None}
    for name, each in declared(kind).items():
        if each.read is not None and name in values:
            values[name] = each.read(values[name], f"--{name.replace('_', '-')}")
    return values


def keywords(*kinds: type[msgspec.Struct]) -> Callable[[F], F]:
    """Give a function that takes ``**given`` the signature that names each keyword."""

    def named(function: F) -> F:
        import inspect

        own = inspect.signature(function)
        found = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        for kind in kinds:
            found += [
                inspect.Parameter(
                    each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=each.kind
                )
                for each in declared(kind).values()
            ]
        function.__signature__ = own.replace(parameters=found)  # type: ignore[attr-defined]
        return function

    return named


def refuse_unknown(
    given: Mapping[str, object], kind: type | Iterable[str], function: Callable[..., object] | None = None
) -> None:
    """A keyword that is none of ``kind`` is a mistake: a misspelt option would be lost. ``function`` helps to guess.

    >>> from typing import TypedDict
    >>> class Asked(TypedDict):
    ...     score_context: bool
    >>> def score(suite, *, context=None, **asked):
    ...     refuse_unknown(asked, Asked, score)
    >>> score("demo:fr", contxt="prev:1")
    Traceback (most recent call last):
    TypeError: unexpected keyword argument 'contxt'; did you mean 'context'?
    """
    known = kind.__annotations__ if isinstance(kind, type) else list(kind)
    for name in given:
        if name not in known:
            import inspect

            own = inspect.signature(function).parameters if function else ()
            near = "".join(f"; did you mean {other!r}?" for other in get_close_matches(name, [*own, *known], n=1))
            raise TypeError(f"unexpected keyword argument {name!r}{near}")


def read_window(given: Any, option: str) -> tuple[float, float]:
    """A lowest and a highest value, or both as text.

    >>> read_window(".1:.2", "--share"), read_window(".3", "--share")
    ((0.1, 0.2), (0.3, 0.3))
    """
    if not isinstance(given, str):
        low, high = given
        return low, high
    low, _, high = given.partition(":")
    try:
        return float(low), float(high or low)
    except ValueError:
        raise KontrastError(f"{option}: expected two numbers such as .1:.2, found {given!r}") from None


def read_numbers(kind: type) -> Reader:
    """One number, several, or several as text with commas.

    >>> read_numbers(float)("0,.5", "--compound"), read_numbers(int)(1, "--seed")
    ((0.0, 0.5), (1,))
    """

    def read(given: Any, option: str) -> tuple[Any, ...]:
        parts = given.split(",") if isinstance(given, str) else given if isinstance(given, Sequence) else [given]
        try:
            found = tuple(kind(part) for part in parts)
        except ValueError:
            raise KontrastError(f"{option}: expected numbers, found {given!r}") from None
        if len(set(found)) < len(found):
            raise KontrastError(f"{option}: a number is given twice in {given!r}; the spread would be too small")
        return found

    return read


def read_names(given: str | Sequence[str], option: str = "") -> tuple[str, ...]:
    """Names from a list, or separated by commas as on the command line.

    >>> read_names("sum,token"), read_names(["sum"])
    (('sum', 'token'), ('sum',))
    """
    parts = given.split(",") if isinstance(given, str) else given
    return tuple(part.strip() for part in parts if part.strip())
