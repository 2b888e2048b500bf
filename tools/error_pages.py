"""Write docs/errors-LANGUAGE.md for every language that has errors."""

from __future__ import annotations

from pathlib import Path

from kontrast.building.errors.page import error_page
from kontrast.building.errors.registry import languages

ROOT = Path(__file__).resolve().parents[1]


def pages() -> dict[Path, str]:
    """The pages and what they should say."""
    return {ROOT / "docs" / f"errors-{language}.md": error_page(language) for language in languages()}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
