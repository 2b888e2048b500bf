"""What doctor finds."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.flows import doctor as room


def test_all_is_well_here() -> None:
    found = kontrast.doctor()
    states = {finding.part: finding.state for finding in found.findings}
    assert found.healthy and states["cache"] == states["store"] == "ok"
    assert set(room.EXTRAS) <= set(states)


def test_a_broken_cache_is_told_from_a_missing_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KONTRAST_CACHE", str(tmp_path / "file" / "below"))
    monkeypatch.setitem(room.EXTRAS, "made-up", ((("no_such_module", "no-such"),), "nothing"))
    found = kontrast.doctor()
    states = {finding.part: finding.state for finding in found.findings}
    assert not found.healthy and states["cache"] == "broken" and states["made-up"] == "missing"


def test_every_extra_of_the_package_is_looked_at() -> None:
    import tomllib

    project = Path(kontrast.__file__).parents[2] / "pyproject.toml"
    if not project.is_file():
        pytest.skip("not in a clone")
    extras = tomllib.loads(project.read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras) - {"all", "docs", "soak", "test"} == set(room.EXTRAS)
