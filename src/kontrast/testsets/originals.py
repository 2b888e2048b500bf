"""What each suite's own evaluation script prints, byte for byte.

A set with a script has ``lines(suite, scores, options)``, and may have ``quick_read(path, options)``, a quicker way
to read what that needs. ``options`` holds the options that its `kontrast.suites.testset.Original` declares, by name.

The decision that most originals share: does the correct variant strictly beat all others?
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.suites.model import Item, Scores, Suite
from kontrast.suites.testset import Option, Original, TestSet, testset, testsets

Options = Mapping[str, Any]
"""The options of one original by name; what was not given is False, an empty tuple or an empty mapping."""
_DEFAULTS: dict[str, Any] = {"nothing": False, "words": (), "json": {}}


class Tally(dict[str, list[int]]):
    """Right and all decisions by name.

    >>> tally = Tally()
    >>> tally.add("np_agreement", right=True)
    >>> tally.add("np_agreement", right=False)
    >>> tally.line("np_agreement")
    'np_agreement : 1 2 0.5'

    ``number`` writes the ratio, as Python 3 does unless the script runs under Python 2.
    """

    def __init__(self, number: Callable[[float], str] = str) -> None:
        super().__init__()
        self._number = number

    def add(self, name: str, right: bool) -> None:
        counts = self.get(name)
        if counts is None:
            counts = self[name] = [0, 0]
        counts[0] += right
        counts[1] += 1

    def counts(self, *names: str) -> tuple[int, int]:
        """Right and all decisions under these names together."""
        found = [self[name] for name in names if name in self]
        return sum(right for right, _ in found), sum(total for _, total in found)

    def line(self, name: str, label: str = "{} :", *others: str) -> str:
        """``NAME : right all accuracy`` as the originals print it, of all these names together."""
        right, total = self.counts(name, *others)
        return f"{label.format(name)} {right} {total} {self._number(right / total) if total else 0}"

    def total(self) -> str:
        """The same over all names."""
        return self.line("", "total :", *self)


def titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    """A blank line, a title, and its lines."""
    yield from ("", title, *lines)


def twelve_digits(value: float) -> str:
    """A float as Python 2 prints it."""
    text = f"{value:.12g}"
    return text if set(text) & set(".en") else f"{text}.0"


def original_options() -> dict[str, tuple[Option, list[str]]]:
    """The options of all originals by name, each with the sets that have it."""
    found: dict[str, tuple[Option, list[str]]] = {}
    for name, each in testsets().items():
        for option in each.original.options if isinstance(each.original, Original) else ():
            found.setdefault(option.name, (option, []))[1].append(name)
    return found


def original_texts(
    path: Suite | str | Path,
    scores: Iterable[Scores | str | Path],
    *,
    format: str | None = None,
    maximize: bool = False,
    **options: Any,
) -> Iterator[str]:
    """For each score file what the suite's own script prints; the suite is read once, as far as that needs it."""
    from kontrast.suites.formats import load
    from kontrast.suites.scores import read_scores

    suite = path if isinstance(path, Suite) else _read(path, options, format)
    home, original = _original(suite.style, suite.name)
    chosen = _chosen(home, original, options)
    for given in scores:
        if isinstance(given, Scores):
            yield "".join(f"{line}\n" for line in home.parts().lines(suite, given, chosen))
            continue
        read = read_scores(given, suite, maximize=maximize or None, order="rows")
        if read.signature is not None and read.signature.fingerprint is not None:
            suite = suite if isinstance(suite, Suite) else load(str(path), format)
            if read.signature.fingerprint != suite.fingerprint:
                raise KontrastError(f"{given} has the scores of another suite ({read.signature.suite}): score again")
        if original.higher_is_better and read.signature is None:
            read = msgspec.structs.replace(read, lower_is_better=False)
        yield "".join(f"{line}\n" for line in home.parts().lines(suite, read, chosen))


def _read(path: str | Path, options: Options, format: str | None) -> Any:
    """The suite, or what the original needs of it where its module has a quicker way to read that."""
    from kontrast.suites import formats

    if Path(path).is_file():
        fmt = formats.get(format, path) if format else formats.detect(path)
        format = fmt.name
        found = testset(format).own_original() if format in testsets() else None
        if found is not None and (quick := getattr(found[0].parts(), "quick_read", None)) is not None:
            part = quick(Path(path), _chosen(*found, options))
            if part is not None:
                return part
    return formats.load(path, format)


def evaluate_original(suite: Suite, scores: Scores, **options: Any) -> str:
    """What the suite's own script prints for these scores, as one text; ``options`` are the script's own by name.

    >>> from kontrast.suites.model import Item, Variant
    >>> item = Item("1", "It sleeps .", (Variant("Er schläft ."), Variant("Sie schläft .")))
    >>> evaluate_original(Suite("tiny", (item,), style="contrapro"), Scores("a", (1.0, 2.0))).splitlines()[0]
    'total : 1 1 1.0'
    """
    return next(original_texts(suite, [scores], **options))


def _original(style: str | None, name: str) -> tuple[TestSet, Original]:
    found = testsets()[style].own_original() if style in testsets() else None
    if found is None:
        known = ", ".join(key for key, each in testsets().items() if each.own_original() is not None)
        raise KontrastError(
            f"{name} has no original evaluation (its style is {style or 'not set'}); "
            f"leave out --style original, or use a suite of one of these: {known}"
        )
    return found


def _chosen(home: TestSet, original: Original, given: Options) -> Options:
    """All options of the original; one that it does not have is refused."""
    known = {option.name: option for option in original.options}
    if foreign := [name for name, value in given.items() if value and name not in known]:
        flags = (f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}" for name in foreign)
        raise KontrastError(f"the original evaluation of {home.name} suites has no {', '.join(flags)}")
    chosen = {name: given.get(name) or _DEFAULTS[option.takes] for name, option in known.items()}
    for name, option in known.items():
        if option.choices and (unknown := [each for each in chosen[name] if each not in option.choices]):
            raise KontrastError(
                f"{option.flag}: there is no {', '.join(unknown)}; choose from {', '.join(option.choices)}"
            )
    return chosen


def beats_all(suite: Suite, scores: Scores) -> Iterator[bool]:
    """One answer per item; a tie is no."""
    values = scores.values if scores.lower_is_better else [-value for value in scores.values]
    start = 0
    for item in suite.items:
        end = start + len(item.variants)
        best = start + item.correct
        mine = values[best]
        yield all(mine < values[row] for row in range(start, end) if row != best)
        start = end


def sense_example(item: Item, right: bool) -> Iterator[str]:
    """What ``-v`` prints of an item of ContraWSD and MuCoW."""
    yield ""
    yield "correct:" if right else "wrong:"
    yield f"ambig. word: {item.tags.get('ambig_word')}"
    yield f"original translation: {item.tags.get('original_translation')}"
    yield f"source: {item.source}"
    yield f"reference: {item.best.text}"
