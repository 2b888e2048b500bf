"""Marian on Ray, and GPUs: what Ray is asked for. There is no GPU here: the cluster declares two, Ray schedules by
what is declared, and what a worker then does with one is not tried."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kontrast import KontrastError, score, translate
from kontrast.cluster import Actors, Runner
from kontrast.scoring.cluster import Workers
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines.marian import AT_ONCE
from kontrast.scoring.metrics.metric import MetricOptions
from kontrast.scoring.metrics.run import RemoteMetric

from .marian_files import write_npz
from .models import make
from .test_engines import CONTEXT

ray = pytest.importorskip("ray")
torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    os.environ.setdefault("RAY_worker_niceness", "0")
    asked = {"include_dashboard": False, "log_to_driver": False, "namespace": "kontrast"}
    ray.init(address="local", num_cpus=3, num_gpus=2, **asked)
    yield "ray"
    ray.shutdown()


def test_marian_scores_and_translates_on_workers(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("_pymarian", reason="pymarian is not installed: pip install 'kontrast[marian]'")
    write_npz(make("marian-multi", tmp_path / "hf"), tmp_path / "marian")
    model = f"marian:{tmp_path / 'marian' / 'model.npz'}"
    options = EngineOptions(device="cpu", threads=1, template=">>de<< {source}")
    items = [replace(CONTEXT.items[n % 2], id=str(n), source=f"The cat saw {n} lamps.") for n in range(AT_ONCE + 20)]
    suite = replace(CONTEXT, items=tuple(items))  # two calls of the program, one for each worker
    local = score(suite, model, options=options)
    found = score(suite, model, options=options, on=cluster, workers=2)
    assert found.values == local.values and found.tokens == local.tokens and found.signature == local.signature
    asked: dict[str, Any] = {"options": options, "beams": 2}
    assert translate(CONTEXT, model, **asked, on=cluster, workers=2) == translate(CONTEXT, model, **asked)


def test_each_worker_has_a_gpu_of_its_own(cluster: str) -> None:
    def cards(_: object) -> tuple[tuple[int, ...], str | None]:
        """The GPUs that Ray has given to this worker, and those that CUDA would see."""
        return tuple(ray.get_gpu_ids()), os.environ.get("CUDA_VISIBLE_DEVICES")

    actors = Actors(Runner, [cards], on=cluster, gpus=1)
    assert sorted(actors.ask_all("run", None)) == [((0,), "0"), ((1,), "1")]
    assert ray.available_resources().get("GPU", 0) == 0
    with pytest.raises(
        KontrastError,
        match=r"not enough resources for 3 workers of 1 cores and 1 GPU each: .* "
        r"and 2 GPUs",
    ):
        Actors(Runner, [cards], on=cluster, gpus=1, count=3)
    actors.close()


@pytest.mark.skipif(torch.cuda.is_available(), reason="here the engine would run")
def test_an_engine_and_a_metric_for_cuda_ask_for_a_gpu(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as it goes without one: the request reaches Ray, and CUDA's own refusal comes back in one line."""
    asked: list[int] = []
    original = Actors.__init__

    def noted(self: Actors, *arguments: object, **named: object) -> None:
        original(self, *arguments, **named)  # type: ignore[arg-type]
        asked.append(len(self.all))
        assert self.ask_all("process") and ray.available_resources().get("GPU", 0) == 0

    monkeypatch.setattr(Actors, "__init__", noted)
    with pytest.raises(KontrastError, match="--device cuda: not usable here") as raised:
        Workers("tiny", EngineOptions(device="cuda", source_language="en", target_language="fr"), cluster)
    assert "\n" not in str(raised.value)
    RemoteMetric("chrF++", MetricOptions(device="cuda"), cluster, None).close()
    assert asked == [2, 2]
