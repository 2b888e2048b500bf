"""SIGKILL of `kontrast score`, for every way of scoring: a few kills in ``make test``, twenty in ``make soak``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontrast import save

from .runs import PROGRAM, finished, kill_and_finish, noted, score_with, suite

OUTCOME = "byte-equal to an uninterrupted run, no row scored or stored twice"


def check(command: list[str], folder: Path, kills: int, named: str, longest: float = 3.0) -> None:
    calm = finished(command, folder / "calm")
    killed, partly = kill_and_finish(command, folder / "killed", kills, longest)
    assert killed == calm
    assert partly, "at least one kill came between the first row and the last"
    noted(
        f"SIGKILL of `score` {named}",
        kills,
        f"{OUTCOME}; part of the rows was stored after {partly} of {kills} kills",
    )


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "p.py").write_text(PROGRAM)
    return f"command:{sys.executable} {tmp_path / 'p.py'}"


def _kills(short: int | None) -> list[object]:
    """Twenty in `make soak`, and a short one, which is slow where ``short`` would take long."""
    soak = pytest.param(20, marks=[pytest.mark.soak, pytest.mark.slow])
    return [soak] if short is None else [short, soak]


@pytest.mark.parametrize("kills", _kills(2))
def test_command(kills: int, program: str, tmp_path: Path) -> None:
    save(suite(100 * min(kills, 8)), tmp_path / "suite.jsonl")
    command = score_with(str(tmp_path / "suite.jsonl"), program, "--option", "fingerprint=1")
    check(command, tmp_path, kills, "with `command:`")


@pytest.mark.parametrize("kills", _kills(None))
def test_tiny(kills: int, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    command = score_with("demo:de", "tiny", "--context", "prev:1", "--batch-tokens", "256")
    check(command, tmp_path, kills, "with `tiny`", longest=8)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("torch")
    pytest.importorskip("fastapi")
    from scoring.language_server import LanguageModel, application, serving

    with serving(application(LanguageModel())) as url:
        yield f"{url}/vllm/v1"


@pytest.mark.parametrize("kills", _kills(2))
def test_openai(kills: int, address: str, tmp_path: Path) -> None:
    save(suite(100 * min(kills, 4)), tmp_path / "suite.jsonl")
    command = score_with(str(tmp_path / "suite.jsonl"), f"openai:small@{address}", "--option", "concurrency=1")
    check(command, tmp_path, kills, "with `openai:`")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    yield f"ray:{nodes.address}"
    ray.shutdown()
    nodes.shutdown()


@pytest.mark.parametrize("kills", _kills(None))
def test_on_ray(kills: int, program: str, cluster: str, tmp_path: Path) -> None:
    """The process that hands out the work is killed, with all that it has started; the cluster stays."""
    save(suite(300), tmp_path / "suite.jsonl")
    command = score_with(str(tmp_path / "suite.jsonl"), program, "--option", "fingerprint=1", "--on", cluster)
    check([*command, "--workers", "2"], tmp_path, kills, "`--on ray`, two workers", longest=10)
