"""What can go wrong, said to a person: every error reaches the terminal as one line and exit status 2."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class KontrastError(Exception):
    """An error that the user can fix. The message is one complete sentence on one line.

    >>> str(KontrastError("there is no field 'a\\nb'"))
    "there is no field 'a b'"
    """

    def __init__(self, message: str) -> None:
        super().__init__(without_credentials(" ".join(message.splitlines())))

    def __reduce__(self) -> tuple[type[KontrastError], tuple[str]]:
        """Between processes the message is what counts."""
        return KontrastError, (str(self),)


class InputError(KontrastError):
    """Bad input: names the file, the line (counted from 1) where there is one, and what was expected.

    >>> str(InputError("a.scores", "expected a number, found 'x'", line=3))
    "a.scores, line 3: expected a number, found 'x'"
    """

    def __init__(self, path: str | Path, message: str, *, line: int | None = None) -> None:
        where = f"{path}, line {line}" if line is not None else str(path)
        super().__init__(f"{where}: {message}")
        self.path, self.line = str(path), line


class MissingExtraError(KontrastError):
    """A heavy library is needed and not installed.

    >>> str(MissingExtraError("hf", "scoring with transformers models")).partition(": ")[0]
    'scoring with transformers models needs an extra'
    """

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: {install_command(extra)}")
        self.extra = extra


@contextmanager
def foreign_errors(what: str) -> Iterator[None]:
    """Whatever a library raises inside becomes one sentence; damaged files raise what libraries happen to raise.

    >>> with foreign_errors("--model hf:x: cannot be loaded"):
    ...     raise OSError("no file")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: --model hf:x: cannot be loaded (no file)
    """
    try:
        yield
    except KontrastError:
        raise
    except Exception as error:
        raise KontrastError(f"{what} ({in_one_line(error)})") from error


def in_one_line(error: Exception) -> str:
    """The words of a library's error, or its name where it has none."""
    return " ".join(str(error).split())[:300] or type(error).__name__


def without_credentials(text: str) -> str:
    """Text in which no address has a user or a password.

    >>> without_credentials("http://me:secret@host/v1, https://host/v1?api_key=secret&n=1")
    'http://…@host/v1, https://host/v1?api_key=…&n=1'
    """
    text = re.sub(r"(?<=://)[^/?#\s]*@", "…@", text)
    return re.sub(r"(?i)([?&][\w-]*(?:key|token|secret|password|auth)[\w-]*=)[^&#\s]+", r"\1…", text)


def install_command(extra: str) -> str:
    """The command that adds an extra to the kontrast that is running.

    pip reads the extras of what is installed, so that one command serves an index, a wheel and a clone. It must be
    the pip of this environment, which may not be active.

    >>> install_command("hf").endswith("pip install 'kontrast[hf]'")
    True
    """
    python = python_command()
    return f"{'pip' if python == 'python' else f'{python} -m pip'} install 'kontrast[{extra}]'"


def python_command() -> str:
    """What to type for the Python that is running: its path, unless its environment is active."""
    import shlex
    import shutil

    found, here = shutil.which("pip"), Path(sys.executable).parent
    return "python" if found and Path(found).parent == here else shlex.quote(sys.executable)
