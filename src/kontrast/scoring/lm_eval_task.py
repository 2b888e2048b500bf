"""A suite as a task of lm-evaluation-harness: a YAML file, the items as JSON lines, and the few lines that load them.

The prompt is the one that kontrast gives to a decoder-only model; a suite without sources has none. Each row names
the suite and its fingerprint, so that the samples which the harness logs are only read with the suite that they are
of.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.scoring.languages import language_name
from kontrast.suites.formats.format import Lost
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Item, Suite

_FILES = Path(__file__).parents[1] / "data" / "lm_eval"


class _Doc(msgspec.Struct):
    """A row: arrow-friendly, each column of one type."""

    id: str
    prompt: str
    choices: list[str]
    target: int
    suite: str
    fingerprint: str


def write_task(suite: Suite, folder: Path) -> tuple[str, list[Lost]]:
    """Write the task into the folder; its name, and what the harness cannot hold."""
    if folder.is_file():
        raise KontrastError(f"{folder}: a task of lm-evaluation-harness is a folder, but this is a file")
    with_source = any(item.source for item in suite.items)
    task = "kontrast_" + re.sub(r"[^A-Za-z0-9]+", "_", suite.name).strip("_")
    folder.mkdir(parents=True, exist_ok=True)
    fingerprint = suite.fingerprint
    with files.writing(folder / f"{task}.jsonl") as out:
        for item in suite.items:
            texts = [variant.text for variant in item.variants]
            if len(set(texts)) < len(texts):
                raise KontrastError(
                    f"item {item.id}: the harness has one prompt for all choices, so variants that differ only in "
                    f"their context would be one choice"
                )
            doc = _Doc(item.id, _prompt(suite, item), texts, item.correct, suite.name, fingerprint)
            out.write(msgspec.json.encode(doc).decode() + "\n")
    with files.writing(folder / f"{task}.yaml") as out:
        out.write(
            (_FILES / "task.yaml").read_text("utf-8").format(task=task, delimiter='" "' if with_source else '""')
        )
    shutil.copyfile(_FILES / "kontrast_load.txt", folder / "kontrast_load.py")
    return task, losses(suite, {"id", "correct"})


def _prompt(suite: Suite, item: Item) -> str:
    if not item.source:
        return ""
    source, target = (language_name(code) for code in (suite.source_language, suite.target_language))
    if not source or not target:
        raise KontrastError(f"{suite.name}: the prompt needs both languages: give them as in SUITE?lang=en-de")
    return f"{source}: {item.source}\n{target}:"
