"""What a suite calls its phenomena is text in every form of the report."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast

EVIL = "<script>alert(1)</script> [here](javascript:alert(1)) \ufffe\uffff"


def made() -> kontrast.Report:
    pair = kontrast.Variant("gut"), kontrast.Variant("schlecht", error=EVIL)
    items = tuple(kontrast.Item(str(i), EVIL, pair, tags={"kind": EVIL}) for i in range(8))
    suite = kontrast.Suite(EVIL, items, "en", "de")
    return kontrast.report(suite, kontrast.Scores(EVIL, (1.0, 2.0) * 4 + (2.0, 1.0) * 4), by="kind")


def test_markdown_has_neither_markup_nor_links(tmp_path: Path) -> None:
    kontrast.save_report(made(), tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text("utf-8")
    told = "\n".join(line for line in text.splitlines() if not line.startswith("    "))  # code is shown as it is
    assert "alert(1)" in told and "<script" not in told and "[here]" not in told


def test_what_is_no_character_does_not_end_the_process(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    kontrast.save_report(made(), tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<svg" in page and "<script>alert" not in page
