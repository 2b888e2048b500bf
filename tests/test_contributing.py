"""CONTRIBUTING shows the protocols as they are: who follows it makes something that works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kontrast.scoring.engine import Engine
from kontrast.scoring.metrics.metric import Metric

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


@pytest.mark.parametrize(("heading", "protocol"), [("Add an engine", Engine), ("Add a metric", Metric)])
def test_members_shown_are_those_of_the_protocol(heading: str, protocol: type) -> None:
    part = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    shown = re.search(r"```python\n(.*?)```", part, re.DOTALL)
    assert shown is not None
    members = re.findall(r"^\s*(?:def )?(\w+)(?:\(|:| =)", shown[1].replace("class Mine:", ""), re.MULTILINE)
    methods = {name for name, value in vars(protocol).items() if callable(value) and not name.startswith("_")}
    assert set(members) == methods | set(protocol.__annotations__)


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_file_named_is_there(page: str) -> None:
    """Names with a part in capitals (NAME, LANG) are examples."""
    text = (ROOT / page).read_text("utf-8")
    paths = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.[a-z]+)?|[a-z_]+/[a-z_]+\.py)`", text))
    assert len(paths) > 10
    places = (
        ROOT,
        ROOT / "src",
        ROOT / "src/kontrast",
        ROOT / "src/kontrast/scoring",
        ROOT / "src/kontrast/building",
    )
    places += (ROOT / "src/kontrast/suites", ROOT / "src/kontrast/language", ROOT / "src/kontrast/reporting")
    missing = {path for path in paths if not any((place / path).exists() for place in places)}
    assert not missing


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_name_in_capitals_is_there(page: str) -> None:
    """`OWN`, `CHECKS` …: constants that the page sends a reader to."""
    named = set(re.findall(r"`([A-Z]{3,})`", (ROOT / page).read_text("utf-8"))) - {"NAME", "LANG"}
    code = "\n".join(path.read_text("utf-8") for room in ("src", "tests") for path in (ROOT / room).rglob("*.py"))
    assert {name for name in named if not re.search(rf"^{name}\b.*=", code, re.MULTILINE)} == set()
