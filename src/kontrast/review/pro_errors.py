"""The file forms of the set of mistranslated *it*: whole texts with the changed lines, and their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.review.candidates import Texts
from kontrast.suites.model import Item


def whole_files(folder: Path, items: Sequence[Item], texts: Texts) -> list[str]:
    """Write sources, references, the perturbed reference in full and the index file (lines from 0) below ``folder``.

    Nothing is written where the whole texts are not known. Two accepted candidates of one line are an error: a line
    of the perturbed reference has one text.
    """
    if texts.source is None or texts.reference is None:
        return []
    lines = files.read_lines(texts.reference)
    changed: dict[int, str] = {}
    for item in items:
        line = (item.segment or 0) - 1
        text = next(v.text for i, v in enumerate(item.variants) if i != item.correct)
        if not 0 <= line < len(lines) or lines[line] != item.best.text:
            raise KontrastError(f"{item.id} is not of {texts.reference}: its line {line + 1} has another text")
        if changed.get(line, text) != text:
            raise KontrastError(
                f"two candidates of line {line + 1} are accepted with different texts: reject one, or edit one to "
                "hold both changes"
            )
        changed[line] = text
    perturbed = [changed.get(number, text) for number, text in enumerate(lines)]
    name = texts.reference.name
    made = {
        Path("sources") / texts.source.name: files.read_lines(texts.source),
        Path("references") / name: lines,
        Path("perturbed_refs") / f"corrupted_{name}": perturbed,
        Path("error_indices") / f"idx_errors_{Path(name).stem}.txt": [str(number) for number in sorted(changed)],
    }
    if texts.second is not None:
        made[Path("references") / texts.second.name] = files.read_lines(texts.second)
    for path, whole in made.items():
        files.write_lines(folder / path, whole)
    return [path.as_posix() for path in made]
