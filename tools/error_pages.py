"""Write docs/errors-LANGUAGE.md for every language that has errors."""

from __future__ import annotations

from pathlib import Path

from kontrast.building.errors.registry import known_names, language_of, languages, listed
from kontrast.building.errors.spec import Perturbation

ROOT = Path(__file__).resolve().parents[1]


def pages() -> dict[Path, str]:
    """The pages and what they should say."""
    return {ROOT / "docs" / f"errors-{language}.md": error_page(language) for language in languages()}


def error_page(language: str) -> str:
    """Markdown with a section per error: what it does, its conditions in words, examples."""
    own = language_of(language)
    parts = [
        f"# Errors for {own.name if own else language}",
        "",
        f"`kontrast perturb --lang {language}` and `kontrast build errors` make these errors; `--list` names them.",
        "`python tools/error_pages.py` writes this page from the docstrings in `src/kontrast/building/errors`.",
        "",
    ]
    for perturbation in listed(language, known_names(language)):
        parts += _section(perturbation)
    return "\n".join(parts).rstrip() + "\n"


def _section(perturbation: Perturbation) -> list[str]:
    own = language_of(perturbation.language)
    origin = " (LingEval97)" if own is not None and perturbation.name in own.published else ""
    declared = perturbation.declared
    needs = " It needs the source (`kontrast build errors`)." if declared.source else ""
    lines = [f"## {perturbation.name}", "", f"{declared.summary}.{needs}{origin}"]
    lines += ["", declared.conditions] if declared.conditions else []
    if declared.examples:
        lines += ["", "| sentence | with the error |", "|---|---|"]
    for before, *after in declared.examples:
        lines.append(f"| {before} | {after[0] if after else '(none)'} |")
    return [*lines, ""]


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
