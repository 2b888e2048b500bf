"""The site: these pages with Sphinx, MyST and Furo. ``make docs`` writes it to docs-out/."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

from kontrast import __version__

project, author, version, release = "kontrast", "the kontrast maintainers", __version__, __version__
project_copyright = "Apache-2.0"
extensions = ["myst_parser"]
root_doc = "README"
exclude_patterns = ["_build"]
myst_heading_anchors = 4
html_theme, html_title = "furo", f"kontrast {__version__}"
html_extra_path = ["suite.schema.json", "tutorial.ipynb"]
suppress_warnings = ["myst.xref_missing"]  # links to files beside docs/; tests/test_docs.py looks at every link


def _contents(app: Sphinx, page: str, source: list[str]) -> None:
    """The index's tables are the site's contents: a hidden toctree for each of its parts."""
    if page != root_doc:
        return
    for part in source[0].split("\n## ")[1:]:
        title, _, text = part.partition("\n")
        pages = re.findall(r"^\| \[[^\]]+\]\(([\w-]+)\.md\)", text, re.MULTILINE)
        if pages:
            source[0] += "\n```{toctree}\n:hidden:\n:caption: " + title + "\n\n" + "\n".join(pages) + "\n```\n"


def _first_page(app: Sphinx, failed: Exception | None) -> None:
    """A folder or server opens index.html."""
    if failed is None and app.builder.name == "html":
        page = f'<!doctype html><title>{project}</title><meta http-equiv="refresh" content="0; url={root_doc}.html">'
        Path(app.outdir, "index.html").write_text(page + "\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _contents)
    app.connect("build-finished", _first_page)
