"""A file that replaces another is on disk before the old one goes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from kontrast.io.files import writing


@pytest.mark.parametrize("ending", ["txt", "gz", "zst"])
def test_synced_before_the_rename(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[tuple[str, int]] = []
    sync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        steps.append(("sync", os.fstat(handle).st_size))
        sync(handle)

    def replaced(self: Path, target: Any) -> Path:
        steps.append(("rename", self.stat().st_size))
        return replace(self, target)

    path = tmp_path / f"a.{ending}"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    with writing(path) as out:
        out.write("new\n" * 1000)
    size = path.stat().st_size
    assert steps == [("sync", size), ("rename", size)], "all of it was written when it was synced"
