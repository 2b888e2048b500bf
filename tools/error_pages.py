"""Write docs/errors-LANGUAGE.md for every language that has errors."""

from __future__ import annotations

from pathlib import Path

from kontrast.building.perturb import languages
from kontrast.building.perturb.page import error_page

DOCS = Path(__file__).resolve().parents[1] / "docs"

for language in languages():
    (DOCS / f"errors-{language}.md").write_text(error_page(language), encoding="utf-8")
