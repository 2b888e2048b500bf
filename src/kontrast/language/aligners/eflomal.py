"""eflomal (Östling and Tiedemann 2016), where it is installed: aligns the text it is given, all at once."""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.io.files import open_lines
from kontrast.language.alignment import Links, parse_links, spans, symmetrise


class Eflomal:
    """GPL software of its own, called when asked for; no model is kept."""

    name = "eflomal"

    def __init__(self) -> None:
        try:
            import eflomal
        except ImportError as error:
            raise KontrastError("the aligner eflomal is not installed: pip install eflomal") from error
        self._aligner: Any = eflomal.Aligner()

    def align(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Links]:
        texts = [[" ".join(s.text.lower() for s in spans(side)) for side in pair] for pair in pairs]
        with tempfile.TemporaryDirectory() as place:
            forward, backward = Path(place) / "forward", Path(place) / "backward"
            self._aligner.align(
                [source for source, _ in texts],
                [target for _, target in texts],
                links_filename_fwd=str(forward),
                links_filename_rev=str(backward),
            )
            directions = zip(open_lines(forward), open_lines(backward), strict=True)
            for number, (one, other) in enumerate(directions, start=1):
                yield symmetrise(parse_links(one, "eflomal", number), parse_links(other, "eflomal", number))
