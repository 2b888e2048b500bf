"""Links made elsewhere: a file with a line per sentence pair, or two files for the two directions."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io.files import open_lines
from kontrast.language.alignment import Links, parse_links, symmetrise


class Pharaoh:
    """Reads ``0-0 1-2``; ``FORWARD,BACKWARD`` names two files, both source first, that are symmetrised."""

    name = "pharaoh"

    def __init__(self, path: str | Path) -> None:
        self._paths = str(path).split(",")

    def align(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Links]:
        streams = [open_lines(path) for path in self._paths]
        number = 0
        for number, _ in enumerate(pairs, start=1):
            lines = [next(stream, None) for stream in streams]
            found = []
            for path, line in zip(self._paths, lines, strict=True):
                if line is None:
                    raise InputError(path, "expected a line of links for every sentence pair", line=number)
                found.append(parse_links(line, path, number))
            yield found[0] if len(found) == 1 else symmetrise(*found[:2])
        for path, stream in zip(self._paths, streams, strict=True):
            if next(stream, None) is not None:
                raise InputError(path, f"expected {number} lines, one for every sentence pair", line=number + 1)
