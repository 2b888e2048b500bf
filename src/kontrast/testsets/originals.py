"""What each suite's own evaluation script prints, byte for byte; one file per original.

An original is chosen by the suite's ``style``. Its module has ``OPTIONS`` (the options its script knows),
``HIGHER_IS_BETTER`` and ``lines(suite, scores, options)``, which yields what is printed, line by line.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.suites.model import Scores, Suite

__all__ = ["STYLES", "Options", "Tally", "evaluate_original", "original_texts"]

STYLES = {
    "lingeval97": "lingeval97",
    "contrapro": "contrapro",
    "large-enfr": "contrapro",
    "contrawsd": "contrawsd",
    "discevalmt": "discevalmt",
    "consistency": "consistency",
    "distil-lingeval": "distil_lingeval",
}
"""A suite's style and the module that prints for it."""


class Options(msgspec.Struct, frozen=True):
    """The originals' options under their own names; each original knows some of them."""

    maximize: bool = False
    categories: tuple[str, ...] = ()
    fd: bool = False
    latex: bool = False
    latex_polarity: bool = False
    v: bool = False
    outputs: dict[str, str] = {}


class Tally(dict[str, list[int]]):
    """Right and all decisions by name.

    >>> tally = Tally()
    >>> tally.add("np_agreement", right=True)
    >>> tally.add("np_agreement", right=False)
    >>> tally.line("np_agreement")
    'np_agreement : 1 2 0.5'
    """

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

    def line(self, name: str, label: str = "{} :") -> str:
        """``NAME : right all accuracy`` as the originals print it."""
        return f"{label.format(name)} {fraction(*self.counts(name))}"


def fraction(right: int, total: int) -> str:
    """The originals' three numbers: right, all, accuracy as Python prints a float."""
    return f"{right} {total} {right / total if total else 0}"


def original_texts(
    path: str | Path, scores: Iterable[str | Path], options: Options | None = None, format: str | None = None
) -> Iterator[str]:
    """For each score file what the suite's own script prints; the suite is read once, as far as that needs it."""
    from kontrast.suites.scores import read_scores

    options = options or Options()
    suite = _read(path, options, format)
    module = _module(suite.style, suite.name)
    _refuse_unknown(suite.style, options, module.OPTIONS)
    for score_path in scores:
        read = read_scores(score_path, suite, maximize=options.maximize or None)
        if module.HIGHER_IS_BETTER and read.signature is None:
            read = msgspec.structs.replace(read, lower_is_better=False)
        yield _text(module.lines(suite, read, options))


def _read(path: str | Path, options: Options, format: str | None) -> Any:
    """The suite, or what the original needs of it where its module has a quicker way to read that."""
    from kontrast.suites import formats

    if Path(path).is_file():
        fmt = formats.get(format) if format else formats.detect(path)
        format = fmt.name
        module: Any = _module(format, str(path)) if format in STYLES else None
        if hasattr(module, "read") and (part := module.read(Path(path), options)) is not None:
            return part
    return formats.load(path, format)


def evaluate_original(suite: Suite, scores: Scores, options: Options | None = None) -> str:
    """What the suite's own script prints for these scores, as one text."""
    options = options or Options()
    module = _module(suite.style, suite.name)
    _refuse_unknown(suite.style, options, module.OPTIONS)
    return _text(module.lines(suite, scores, options))


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _module(style: str | None, name: str) -> Any:
    if style not in STYLES:
        raise KontrastError(
            f"{name} has no original evaluation (its style is {style or 'not set'}); "
            f"leave out --style original, or use a suite of one of these: {', '.join(STYLES)}"
        )
    return importlib.import_module(f"kontrast.testsets.{STYLES[style]}.original")


def _refuse_unknown(style: str | None, options: Options, known: frozenset[str]) -> None:
    default = Options()
    used = [f for f in Options.__struct_fields__ if getattr(options, f) != getattr(default, f)]
    if foreign := [f"--{f.replace('_', '-')}" if f != "v" else "-v" for f in used if f not in known]:
        raise KontrastError(f"the original evaluation of {style} suites has no {', '.join(foreign)}")
