"""``kontrast languages``: the table, one pair, bad input."""

from __future__ import annotations

import json

from click.testing import CliRunner

from kontrast.cli import kontrast as cli
from kontrast.language.words import languages_declared


def test_every_declared_language_is_listed() -> None:
    done = CliRunner().invoke(cli, ["languages", "--json"])
    rows = {row["language"]: row for row in json.loads(done.stdout)}
    assert set(languages_declared()) <= set(rows)
    assert "negation" in rows["sv"]["errors"] and "lefff" in rows["fr"]["lexicons"]
    assert any("dwdsmor" in line for line in (*rows["de"]["install"], *rows["de"]["lexicons"]))


def test_a_pair() -> None:
    done = CliRunner().invoke(cli, ["languages", "--pair", "en-es", "--json"])
    assert [row["language"] for row in json.loads(done.stdout)] == ["es"]
