"""Scoring on a real Ray cluster of this machine: the same bytes, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import kontrast
from kontrast import KontrastError, Store
from kontrast.scoring.cluster import Workers, parse_on
from kontrast.scoring.engine import EngineOptions

ray = pytest.importorskip("ray")
pytest.importorskip("torch")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, namespace="kontrast")
    yield "ray"
    ray.shutdown()


SUITE = "demo:fr"


@pytest.fixture(scope="module")
def local() -> kontrast.Scores:
    return kontrast.score(SUITE, "tiny", context="prev:1", threads=1)


def test_two_workers_give_the_bytes_of_a_local_run(cluster: str, local: kontrast.Scores, tmp_path: Path) -> None:
    found = kontrast.score(SUITE, "tiny", context="prev:1", threads=1, on=cluster, workers=2)
    assert found.values == local.values and found.tokens == local.tokens
    assert found.signature == local.signature


def test_a_killed_worker_costs_its_share_only(cluster: str, tmp_path: Path) -> None:
    local = kontrast.score(SUITE, "tiny", context="prev:1", scheme="space", threads=1)
    engine = Workers("tiny", EngineOptions(source_language="en", target_language="fr", threads=1), cluster, 2)
    victims = [ray.get(worker.process.remote()) for worker in engine._workers]

    def kill() -> None:
        time.sleep(0.5)
        os.kill(victims[1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    store = Store(tmp_path / "s.sqlite")
    found = kontrast.score(SUITE, engine, context="prev:1", scheme="space", store=store)
    store.close()
    killer.join()
    assert found.values == local.values and found.tokens == local.tokens


def test_what_goes_wrong_in_a_worker_is_one_line_here(cluster: str) -> None:
    with pytest.raises(KontrastError, match="no-such-model") as raised:
        kontrast.score(SUITE, "hf:./no-such-model", on=cluster, workers=1)
    assert "\n" not in str(raised.value)
    with pytest.raises(KontrastError, match="as a whole"):
        kontrast.score(SUITE, "file:x.scores", on=cluster, workers=1)


@pytest.mark.parametrize("text", ["slurm", "rays", ""])
def test_bad_places(text: str) -> None:
    with pytest.raises(KontrastError, match="expected ray"):
        parse_on(text)
