"""Translations of a suite: a line per item, and beside them what made them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from kontrast.io import files
from kontrast.io.json_input import write_json
from kontrast.record import Record
from kontrast.suites.model import Signature


class Translations(Record, frozen=True):
    """One translation per item, in suite order.

    ``removed`` counts the text removed around translations, by rule; ``cut`` has the items whose translation
    reached the length limit, ``refused`` the items that the model refused to translate (their line is blank),
    ``unsure`` the items whose line may contain more than a translation; ``aligned`` counts how windows were split.
    ``said`` is the model's original output. ``before`` has, after a rollout, the system's translations of the
    sentences before each item, ``more`` the further samples, if there are several.
    """

    system: str
    texts: tuple[str, ...]
    signature: Signature
    items: tuple[str, ...] = ()
    removed: dict[str, int] = {}
    cut: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    aligned: dict[str, int] = {}
    said: tuple[str, ...] = ()
    before: tuple[tuple[str, ...], ...] = ()
    more: tuple[Translations, ...] = ()

    def __repr__(self) -> str:
        return f"Translations({self.system!r}, {len(self.texts)} items)"

    def _rows(self) -> list[dict[str, Any]]:
        return [{"item": item, "translation": text} for item, text in zip(self.items, self.texts, strict=True)]


def write_translations(made: Translations, path: str | Path) -> None:
    """A line per item, and ``NAME.json`` with the signature and the counts. ``-`` is standard output.

    Further samples go to ``NAME.2``, ``NAME.3`` and so on.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> made = Translations("mine", ("Ein Hund.",), Signature("tiny", "0", "command", "mine"))
    >>> write_translations(made, folder / "mine.de")
    >>> sorted(path.name for path in folder.iterdir())
    ['mine.de', 'mine.de.json']
    """
    text = "".join(f"{line}\n" for line in made.texts)
    with files.writing(path) as out:
        out.write(text)
    if str(path) != "-":
        digest = hashlib.sha256(text.encode()).hexdigest()
        beside = {"system": made.system, "signature": made.signature, "translations": digest}
        told = {name: getattr(made, name) for name in ("removed", "cut", "refused", "unsure", "aligned")}
        write_json(f"{path}.json", beside | {name: value for name, value in told.items() if value})
    for number, each in enumerate(made.more, start=2):
        write_translations(each, f"{path}.{number}")


def write_details(made: Translations, path: str | Path) -> None:
    """A JSON object per item: its translation, what the model said, and whether it was cut off."""
    cut = set(made.cut)
    with files.writing(path) as out:
        for item, text, said in zip(made.items, made.texts, made.said, strict=True):
            row = {"item": item, "translation": text, "said": said, "cut": item in cut}
            out.write(msgspec.json.encode(row).decode() + "\n")
