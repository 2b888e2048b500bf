"""Where the real data is; tests that need it skip, saying so, where it is absent."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# a busy machine must not fail a property test
settings.register_profile("kontrast", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kontrast")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor write the user's store of scores and cache of suites."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KONTRAST_STORE", str(folder / "scores.sqlite"))
        patch.setenv("KONTRAST_CACHE", str(folder))
        yield


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the shared real data is not beside this checkout")
    return SHARED / "data"


@pytest.fixture(scope="session")
def golden() -> Path:
    """The folder of what the originals printed."""
    if not (SHARED / "golden").is_dir():
        pytest.skip("the originals' outputs are not beside this checkout")
    return SHARED / "golden"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of suites for one test."""
    monkeypatch.setenv("KONTRAST_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with sync_api.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield chromium
        chromium.close()
