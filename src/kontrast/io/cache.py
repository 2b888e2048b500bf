"""Where downloaded files are kept: ``KONTRAST_CACHE``, else ``~/.cache/kontrast``."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder of all that was downloaded; it may not exist yet."""
    place = os.environ.get("KONTRAST_CACHE")
    if place:
        return Path(place).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kontrast"
