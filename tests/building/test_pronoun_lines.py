"""Which lines are looked at for pronouns, with which links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

from kontrast.building.pronouns import build_pronouns, load_recipe
from kontrast.building.pronouns.pipeline import _has_both
from kontrast.errors import KontrastError
from kontrast.suites.formats import load


@pytest.mark.parametrize(
    ("pair", "source", "target", "looked_at"),
    [
        ("en-es", "You must read it.", "Debes leerla.", True),
        ("en-it", "I read it yesterday.", "L'ho letta ieri.", True),
        ("en-es", "You must read it.", "Debes leer.", False),
    ],
)
def test_a_pronoun_within_a_word_is_looked_at(pair: str, source: str, target: str, looked_at: bool) -> None:
    assert _has_both(load_recipe(pair), source, target) is looked_at


def test_links_made_elsewhere_have_a_line_for_every_line(tmp_path: Path) -> None:
    lines = [("The lamp is new.", "Die Lampe ist neu."), ("Fine.", "Gut."), ("I like it.", "Ich mag sie.")] * 2
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, part in (("a", lines[:3]), ("b", lines[3:])):
        for side, code in enumerate(("en", "de")):
            (folder / f"{name}.{code}").write_text("".join(f"{pair[side]}\n" for pair in part), "utf-8")
    links = tmp_path / "links"
    links.write_text("0-0 1-1 2-2 3-3\n0-0\n0-0 1-1 2-2\n" * 2, "utf-8")
    out = tmp_path / "suite.jsonl"
    options: dict[str, Any] = {
        "aligner": "pharaoh",
        "alignment": links,
        "min_confidence": 0,
        "second_opinion": "none",
    }
    made = build_pronouns("en-de", folder, out, format="native", **options)
    assert made.items == 2
    links.write_text("0-0\n" * 5, "utf-8")
    with pytest.raises(KontrastError, match="a line of links for every sentence pair"):
        build_pronouns("en-de", folder, tmp_path / "other.jsonl", format="native", **options)


def test_an_item_is_asked_once(tmp_path: Path) -> None:
    """*it … it* with one foil left for each, the same."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for code, text in (
        ("en", "The robot is new.\nWe saw it and gave it water.\n"),
        ("de", "Der Roboter ist neu.\nWir sahen ihn und gaben ihm Wasser.\n"),
    ):
        (folder / f"a.{code}").write_text(text, "utf-8")
    links = tmp_path / "links"
    links.write_text("0-0 1-1 2-2 3-3\n0-0 1-1 2-2 3-3 4-4 5-5 6-6\n", "utf-8")
    options: dict[str, Any] = {"aligner": "pharaoh", "alignment": links, "second_opinion": "none"}
    for least in (0.0, 0.1):
        out = tmp_path / f"{least}.jsonl"
        build_pronouns("en-de", folder, out, format="native", min_confidence=least, **options)
        asked = [frozenset(v.text for v in item.variants) for item in load(out).items]
        assert asked and len(asked) == len(set(asked))
