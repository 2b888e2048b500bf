"""Systems from the command line: ``a.scores``, ``a.verdicts``, ``a.de``, ``-``, or ``NAME=seed1.scores,…``."""

from collections.abc import Sequence
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.judging.translated import is_text, read_translations, written_by
from kontrast.judging.written import is_verdicts, read_verdicts
from kontrast.suites.model import Scores, Suite
from kontrast.suites.scores import read_scores

System = Scores | tuple[str, Sequence[Scores]]
"""One system: its scores, or a name and the scores of its seeds or checkpoints."""


def read_systems(
    suite: Suite, arguments: Sequence[str], *, maximize: bool | None = None, tokens: bool = False
) -> list[System]:
    """Read every system and check it against the suite's rows."""
    systems: list[System] = []
    for argument in arguments:
        name, equals, files = argument.partition("=")
        if not equals or "?" in name or Path(argument).exists():  # FILE?order=original is no name
            systems.append(read_system(argument, suite, maximize=maximize, tokens=tokens))
            continue
        paths = [path for path in files.split(",") if path]
        if not name or not paths:
            raise KontrastError(f"{argument!r}: expected NAME=FILE or NAME=FILE,FILE,…")
        several = [read_system(path, suite, maximize=maximize, tokens=tokens) for path in paths]
        # One file under a name is that system; a name is what the user wants to see.
        systems.append(_renamed(several[0], name) if len(several) == 1 else (name, several))
    return systems


def read_system(path: str | Path, suite: Suite, *, maximize: bool | None = None, tokens: bool = False) -> Scores:
    """A system's scores; or its translations, or the verdicts that `kontrast check --items` wrote on them."""
    if is_verdicts(path):
        return read_verdicts(path, suite)
    if not is_text(path):
        return read_scores(path, suite, maximize=maximize, tokens=tokens)
    from kontrast.judging.check import judge_translations

    try:
        lines = read_translations(path, suite)
    except InputError as error:
        found = repr(files.first_line(path).strip()[:40])
        told = f"is neither scores (a number for each of {suite.row_count} rows) nor translations (a line for each of"
        message = f"{told} {len(suite.items)} items) of {suite.name}; its first line is {found}"
        raise InputError(path, message) from error
    return judge_translations(suite, lines, system=written_by(path))


def system_name(system: System) -> str:
    """What its owner calls it."""
    return system.system if isinstance(system, Scores) else system[0]


def runs_of(system: System) -> tuple[Scores, ...]:
    """The scores of a system, one or several."""
    return (system,) if isinstance(system, Scores) else tuple(system[1])


def single_systems(systems: Sequence[System]) -> list[Scores]:
    """The systems, each of which must be one file."""
    for system in systems:
        if not isinstance(system, Scores):
            raise KontrastError(f"{system[0]}: expected one score file per system, found {len(system[1])}")
    return [system for system in systems if isinstance(system, Scores)]


def names_of(systems: Sequence[System]) -> list[str]:
    """What to call each: its name, and its context where that alone tells two of one name apart."""
    names = list(map(system_name, systems))
    contexts = [s.signature.context if isinstance(s, Scores) and s.signature else None for s in systems]
    full = [
        f"{name} ({context})" if context is not None and names.count(name) > 1 else name
        for name, context in zip(names, contexts, strict=True)
    ]
    return full if len(set(full)) == len(full) else distinct(names)


def named(names: Sequence[str], given: str) -> str:
    """The system that is meant: its name, the part of it that no other has, or its score file."""
    stem = Path(given).stem if "." in given else given
    for fits in (
        lambda name: name == given,
        lambda name: name == stem,
        lambda name: name.lower() == given.lower(),
        lambda name: given.lower() in (part.strip("() ").lower() for part in name.split("(")),
        lambda name: name.lower().startswith(given.lower()),
        lambda name: given.lower() in name.lower(),
    ):
        found = [name for name in names if fits(name)]
        if len(found) == 1:
            return found[0]
    raise KontrastError(f"there is no system {given!r} among these: {', '.join(names)}")


def named_by_file(systems: Sequence[System], given: Sequence[object]) -> list[System]:
    """Where two systems have one name, the names of their files, if these tell all of them apart."""
    names = list(map(system_name, systems))
    files_ = [_stem(each) for each in given]
    if len(set(names)) == len(names) or len(files_) != len(systems):
        return list(systems)
    called = [
        file if file and names.count(name) > 1 and isinstance(system, Scores) else name
        for system, name, file in zip(systems, names, files_, strict=True)
    ]
    if len(set(called)) < len(called):
        return list(systems)
    return [
        _renamed(system, name) if isinstance(system, Scores) else system
        for system, name in zip(systems, called, strict=True)
    ]


def _stem(given: object) -> str:
    """The name of a file as its owner chose it; nothing for what has a name already, or for standard input."""
    if not isinstance(given, str | Path) or str(given) == "-" or ("=" in str(given) and "?" not in str(given)):
        return ""
    return Path(str(given).partition("?")[0]).stem


def distinct(names: Sequence[str]) -> list[str]:
    """Names to print, numbered where files of the same name stand in different folders."""
    return [
        name if names.count(name) == 1 else f"{name}#{names[: i + 1].count(name)}" for i, name in enumerate(names)
    ]


def _renamed(scores: Scores, name: str) -> Scores:
    import msgspec

    return msgspec.structs.replace(scores, system=name)
