"""Phrases with which chat models open, explain and refuse: the patterns of ``data/answers.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def phrase(name: str) -> re.Pattern[str]:
    """The pattern of that name.

    >>> phrase("about").search("Here is the translation:")[0]
    'translation'
    """
    read = _read()
    pattern = "".join(read["patterns"][name])
    for key, words in read["words"].items():
        pattern = pattern.replace(f"<{key}>", "|".join(words))
    return re.compile(pattern, re.IGNORECASE)


@cache
def _read() -> Any:
    return tomllib.loads((Path(__file__).parents[2] / "data" / "answers.toml").read_text("utf-8"))
