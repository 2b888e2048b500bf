"""Options that are declared once: a record's fields are the options of a command and the keywords of a function.

Options that several families have, each with one type, one default and one wording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, NamedTuple, TypedDict, TypeVar, get_args, get_type_hints

import msgspec

from kontrast.defaults import ALPHA, LEVEL, SEED
from kontrast.errors import KontrastError

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
Reader = Callable[[Any, str], Any]


def option(
    help: str,
    *more_names: str,
    default: Any = None,
    metavar: str = "",
    read: Reader | None = None,
    least: float | None = None,
    most: float | None = None,
    choices: Sequence[str] = (),
) -> msgspec.Meta:
    """What is said of a field in its ``Annotated`` type; ``read`` makes its value of what is given.

    The fields are those of a record, which have their own ``default``, or of a ``TypedDict``, which have this one.
    """
    extra = {"names": more_names, "default": default, "metavar": metavar, "read": read, "range": (least, most)}
    extra["choices"] = tuple(choices)
    return msgspec.Meta(description=help, extra=extra)


class Declared(NamedTuple):
    """An option: its name, type, default and what `option` said."""

    name: str
    kind: Any
    default: Any
    help: str
    more_names: tuple[str, ...]
    metavar: str
    read: Reader | None
    range: tuple[float | None, float | None]
    choices: tuple[str, ...]


@cache
def declared(family: type) -> dict[str, Declared]:
    """The options of a record or a ``TypedDict`` by name: its fields that say what they are."""
    own = msgspec.structs.fields(family) if issubclass(family, msgspec.Struct) else ()
    defaults = {field.name: field.default for field in own}
    found = {}
    for name, hint in get_type_hints(family, include_extras=True).items():
        for meta in getattr(hint, "__metadata__", ()):
            extra = meta.extra
            found[name] = Declared(
                name,
                get_args(hint)[0],
                defaults.get(name, extra["default"]),
                meta.description,
                extra["names"],
                extra["metavar"],
                extra["read"],
                extra["range"],
                extra["choices"],
            )
    return found


def filled(family: type[T], given: Mapping[str, Any], function: Callable[..., Any]) -> T:
    """The keywords of a function that takes ``**given: Unpack[family]``, read, with the defaults of the others.

    None is the default; a keyword that the family does not have is a mistake.

    >>> from kontrast.options import Suites
    >>> def read(suite, **given):
    ...     return filled(Suites, given, read)["format"]
    >>> read("suite"), read("suite", format="contrapro")
    (None, 'contrapro')
    >>> read("suite", fromat="contrapro")
    Traceback (most recent call last):
    TypeError: unexpected keyword argument 'fromat'; did you mean 'format'?
    """
    known = declared(family)  # type: ignore[arg-type]
    refuse_unknown(given, family, function)
    found: Any = {name: each.default for name, each in known.items()}
    for name, value in given.items():
        if value is not None:
            found[name] = _read(known[name], value) if name in known else value
    return found  # type: ignore[no-any-return]


def part(family: type[T], given: Mapping[str, Any]) -> T:
    """Those of the options that this family has."""
    found: Any = {name: given[name] for name in family.__annotations__ if name in given}
    return found  # type: ignore[no-any-return]


def _read(each: Declared, value: Any) -> Any:
    return value if each.read is None else each.read(value, f"--{each.name.replace('_', '-')}")


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
    known = declared(kind)
    values = {name: given[name] for name in kind.__struct_fields__ if given.get(name) is not None}
    return {name: _read(known[name], value) if name in known else value for name, value in values.items()}


def keywords(*families: type) -> Callable[[F], F]:
    """Give a function that takes ``**given`` the signature that names each keyword."""

    def named(function: F) -> F:
        import inspect

        own = inspect.signature(function)
        found = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        found += [
            inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=each.kind)
            for family in families
            for each in declared(family).values()
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
            raise KontrastError(f"{option}: a number occurs twice in {given!r}; use different seeds")
        return found

    return read


def read_options(parts: Iterable[str], what: str) -> dict[str, str]:
    """Options from ``NAME=VALUE``, each name once: of two values one would be lost.

    >>> read_options(["context=2", "group=3"], "--option")
    {'context': '2', 'group': '3'}
    """
    found: dict[str, str] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or not name:
            raise KontrastError(f"{what}: expected NAME=VALUE, found {part!r}")
        if name in found:
            raise KontrastError(f"{what}: {name} is given twice, as {found[name]!r} and {value!r}; give it once")
        found[name] = value
    return found


def read_names(given: str | Sequence[str], option: str = "") -> tuple[str, ...]:
    """Names from a list, or separated by commas as on the command line.

    >>> read_names("sum,token"), read_names(["sum"])
    (('sum', 'token'), ('sum',))
    """
    parts = given.split(",") if isinstance(given, str) else given
    found = tuple(part.strip() for part in parts if part.strip())
    if given and not found:
        raise KontrastError(f"expected names separated by commas, found {given!r}")
    return found


def read_list(given: Any, option: str = "") -> tuple[Any, ...]:
    """One value or several.

    >>> read_list("distance"), read_list(["distance", "src_pronoun,ref_pronoun"])
    (('distance',), ('distance', 'src_pronoun,ref_pronoun'))
    """
    return (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)


Alpha = Annotated[float, option("Significance level.", default=ALPHA, least=0.0001, most=0.5)]
By = Annotated[
    str | Sequence[str],
    option(
        "Also show results by tag: distance, frequency:log …", default=(), metavar="TAG[:RULE][,TAG]", read=read_list
    ),
]
Device = Annotated[str, option("cpu, cuda, cuda:1 … or auto.", default="auto")]
Level = Annotated[float, option("Confidence level of the intervals.", default=LEVEL, least=0.5, most=0.9999)]
Limit = Annotated[
    int | None, option("Use only N items, spread over the phenomena, for a first trial.", metavar="N", least=1)
]
Maximize = Annotated[
    bool | None,
    option("Higher is better (log-probability). Default: lower is better, unless the signature says otherwise."),
]
On = Annotated[
    str | None,
    option("Run on a Ray cluster (ray: start one on this machine; see docs/scale.md).", metavar="ray[:ADDRESS]"),
]
Seed = Annotated[int, option("Random seed.", default=SEED, least=0)]
SourceLanguage = Annotated[str | None, option("Source language. Default: the suite's.", "--source", metavar="LANG")]
SuiteFormat = Annotated[
    str | None, option("The suite's format, if it is not recognised.", "--from", metavar="FORMAT")
]
TargetLanguage = Annotated[str | None, option("Target language. Default: the suite's.", "--target", metavar="LANG")]
Workers = Annotated[int | None, option("Number of workers with --on [as many as fit the cluster's cores].", least=1)]


class Cluster(TypedDict, total=False):
    """Of commands that can run on a Ray cluster."""

    on: On
    workers: Workers


class Suites(TypedDict, total=False):
    """Of commands that read a suite."""

    format: SuiteFormat
