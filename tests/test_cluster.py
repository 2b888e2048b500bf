"""Every command that takes ``--on ray``, on a real cluster of two nodes of this machine: the same bytes as here, also
when a worker is killed by its process id."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import KontrastError, Store
from kontrast.cluster import Actors, Runner, parse_on
from kontrast.scoring.cluster import Workers
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine
from kontrast.scoring.metrics.metric import MetricOptions, Passage, Segment
from kontrast.scoring.metrics.run import RemoteMetric, score_metric, shares_by_work
from kontrast.scoring.translator import Decoding

ray = pytest.importorskip("ray")
pytest.importorskip("torch")

SUITE = "demo:fr"


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    from ray.cluster_utils import Cluster

    os.environ.setdefault("RAY_worker_niceness", "0")  # else workers wait for every other program
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    yield f"ray:{nodes.address}"
    ray.shutdown()
    nodes.shutdown()


@pytest.fixture
def killing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Actors], None]]:
    """Kills the second of some actors half a second later."""
    started: list[threading.Thread] = []

    def soon(actors: Actors) -> None:
        victim = actors.ask_all("process")[1]

        def kill() -> None:
            time.sleep(0.5)
            os.kill(victim, signal.SIGKILL)

        started.append(threading.Thread(target=kill))
        started[-1].start()

    yield soon
    for thread in started:
        thread.join()


@pytest.fixture(scope="module")
def local() -> kontrast.Scores:
    return kontrast.score(SUITE, "tiny", context="prev:1", threads=1)


def test_the_cluster_has_two_nodes(cluster: str) -> None:
    actors = Actors(Runner, [str.upper], on=cluster)
    assert list(actors.map("run", [(letter,) for letter in "abcdefgh"])) == list("ABCDEFGH")
    assert len(actors.all) == 2 and len([node for node in ray.nodes() if node["Alive"]]) == 2
    actors.close()


def test_scores(cluster: str, local: kontrast.Scores) -> None:
    found = kontrast.score(SUITE, "tiny", context="prev:1", threads=1, on=cluster)
    assert found.values == local.values and found.tokens == local.tokens
    assert found.signature == local.signature


def test_groups_are_scored_as_they_are_given(cluster: str) -> None:
    """Whatever the workers had before: a long run first asks for translations, and scores those."""
    options = EngineOptions(source_language="en", target_language="fr", threads=1)
    first, second = (
        [Group(s, (Target(t),), s)] for s, t in (("A dog.", "Un chien."), ("It is old.", "Il est vieux."))
    )
    local = load_engine("tiny", options)
    engine = Workers("tiny", options, cluster, 2)
    assert dict(engine.score(first)) == dict(local.score(first))
    assert dict(engine.score(second)) == dict(local.score(second))
    said = dict(engine.translate([Group("A dog.", (Target(""),), "A dog.")], Decoding(beams=1, max_length=8)))
    assert said[0].text
    assert dict(engine.score(first)) == dict(local.score(first))
    engine.close()


def test_scores_with_a_killed_worker(cluster: str, killing: Callable[[Actors], None], tmp_path: Path) -> None:
    local = kontrast.score(SUITE, "tiny", context="prev:1", scheme="space", threads=1)
    engine = Workers("tiny", EngineOptions(source_language="en", target_language="fr", threads=1), cluster, 2)
    killing(engine._actors)
    store = Store(tmp_path / "s.sqlite")
    found = kontrast.score(SUITE, engine, context="prev:1", scheme="space", store=store)
    store.close()
    assert found.values == local.values and found.tokens == local.tokens


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The embedded model for CTranslate2."""
    ctranslate2 = pytest.importorskip("ctranslate2")
    from kontrast.scoring.engines.hf import TINY

    folder = tmp_path_factory.mktemp("ct2") / "tiny"
    ctranslate2.converters.TransformersConverter(str(TINY), copy_files=["source.spm", "target.spm"]).convert(
        str(folder)
    )
    return f"ct2:{folder}"


def test_ct2_scores_and_translations(cluster: str, converted: str) -> None:
    suite = f"{SUITE}?limit=24"
    local = kontrast.score(suite, converted, threads=1)
    found = kontrast.score(suite, converted, threads=1, on=cluster)
    assert found.values == local.values and found.tokens == local.tokens
    assert found.signature == local.signature
    asked: dict[str, Any] = {"threads": 1, "max_length": 24, "beams": 2}
    assert kontrast.translate(suite, converted, **asked, on=cluster) == kontrast.translate(suite, converted, **asked)


def test_a_program_scores_on_workers_and_one_of_them_is_killed(
    cluster: str, killing: Callable[[Actors], None], tmp_path: Path
) -> None:
    code = "import sys, time\nfor line in sys.stdin:\n    time.sleep(0.01)\n    print(len(line) / 7, flush=True)\n"
    (tmp_path / "program.py").write_text(code)
    model = f"command:{sys.executable} {tmp_path / 'program.py'}"
    options = EngineOptions(source_language="en", target_language="fr", threads=1, extra={"fingerprint": "1"})
    local = kontrast.score(SUITE, model, options=options)
    assert len(set(local.values)) > 20
    engine = Workers(model, options, cluster, 2)
    killing(engine._actors)
    found = kontrast.score(SUITE, engine)
    assert found.values == local.values and found.signature == local.signature


@pytest.mark.parametrize("how", [{}, {"temperature": 0.7, "seed": 3}, {"context": "prev:2", "own": True}])
def test_translations(cluster: str, how: dict[str, Any]) -> None:
    asked = {"threads": 1, "max_length": 24, **({} if how.get("temperature") else {"beams": 2}), **how}
    local = kontrast.translate(f"{SUITE}?limit=24", "tiny", **asked)
    found = kontrast.translate(f"{SUITE}?limit=24", "tiny", **asked, on=cluster)
    assert found == local


def test_translations_with_a_killed_worker(cluster: str, killing: Callable[[Actors], None], tmp_path: Path) -> None:
    local = kontrast.translate(f"{SUITE}?limit=60", "tiny", threads=1, beams=2, max_length=24)
    engine = Workers("tiny", EngineOptions(source_language="en", target_language="fr", threads=1), cluster, 2)
    killing(engine._actors)
    found = kontrast.translate(f"{SUITE}?limit=60", engine, beams=2, max_length=24, store=tmp_path / "s.sqlite")
    assert found.texts == local.texts and found.signature == local.signature


@pytest.mark.parametrize("metric", ["chrF++", "TER", "BERTScore"])
def test_metrics(cluster: str, metric: str, two_references: kontrast.Suite) -> None:
    local = score_metric(two_references, metric)
    found = score_metric(two_references, metric, on=cluster, workers=2)
    assert found == local


def test_metrics_with_a_killed_worker(
    cluster: str, killing: Callable[[Actors], None], two_references: kontrast.Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontrast.scoring.metrics.run._CHARACTERS", 500)
    metric = RemoteMetric("TER", MetricOptions(), cluster, 2)
    killing(metric._actors)
    time.sleep(0.4)
    found = score_metric(two_references, metric)
    assert found == score_metric(two_references, "TER")
    metric.close()


def test_shares_of_a_metric_are_of_about_one_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontrast.scoring.metrics.run._CHARACTERS", 100)
    segments = [Segment(Passage("x"), (Passage("r"),), (Passage("h" * size),)) for size in (99, 10, 10, 300, 5, 5)]
    shares = list(shares_by_work(segments))
    assert [len(share) for share in shares] == [1, 3, 2]
    assert [segment for share in shares for segment in share] == segments
    assert not list(shares_by_work([]))


@pytest.fixture(scope="module")
def two_references() -> kontrast.Suite:
    """English, some items with one reference and some with two, so that shares differ."""
    import msgspec

    suite = kontrast.load(SUITE)
    items = []
    for number, item in enumerate(suite.items):
        references = [kontrast.Variant(f"{item.source} indeed"), kontrast.Variant(item.source)]
        variants = (kontrast.Variant(item.source), kontrast.Variant(item.source.lower()[::-1]))
        kept = tuple(references[: 1 + (number > len(suite.items) // 2)])
        items.append(msgspec.structs.replace(item, variants=variants, references=kept, correct=0))
    return msgspec.structs.replace(suite, items=tuple(items), target_language="en")


CORPUS = Path(kontrast.__file__).parent / "data" / "corpus"


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("text")
    sentences = (("She does not laugh.", "Sie lacht nicht."), ("The man saw it.", "Der Mann hat es gesehen."))
    for side, code in enumerate(("en", "de")):
        (folder / f"text.{code}").write_text("".join(f"{pair[side]}\n" for pair in sentences * 60), "utf-8")
    return folder / "text.en", folder / "text.de"


def test_errors_marks_and_counts_with_a_killed_worker(
    cluster: str, text: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small shards, and the worker that gets one of them is killed at its first try."""
    monkeypatch.setattr("kontrast.building.errors.build.SHARD", 20)
    monkeypatch.setattr("kontrast.splitting.corpus_reader.SHARD", 20)
    monkeypatch.setattr("kontrast.building.marked.build.SHARD", 5)
    local = kontrast.build_errors(*text)
    marked = kontrast.build_marked("demo:ratings", pair="en-de")
    kontrast.count(text[1], tmp_path / "here", lang="de", features="ngram")
    original = Actors.map

    def deadly(self: Actors, method: str, calls: Any, *, ordered: bool = True) -> Any:
        os.kill(self.ask_all("process")[-1], signal.SIGKILL)
        return original(self, method, calls, ordered=ordered)

    monkeypatch.setattr(Actors, "map", deadly)
    assert kontrast.build_errors(*text, on=cluster) == local
    assert kontrast.build_marked("demo:ratings", pair="en-de", on=cluster, workers=2) == marked
    kontrast.count(text[1], tmp_path / "there", lang="de", features="ngram", on=cluster, workers=1)
    for file in (tmp_path / "here").iterdir():
        assert file.read_bytes() == (tmp_path / "there" / file.name).read_bytes()
    with pytest.raises(KontrastError, match="only with plain text and CoNLL-U"):
        kontrast.count(text[1], kind="jsonl", on=cluster)


@pytest.mark.parametrize("features", ["dependency", "morphology", "ngram"])
def test_treebanks_with_a_killed_worker(
    cluster: str, features: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In shards of a few sentences, with documents and line ends of both kinds."""
    rows = []
    for n in range(600):
        rows += ["# newdoc"] if n % 50 == 7 else []
        words = [f"Wort{(n * k) % 37}" for k in range(1, 2 + n % 9)]
        rows += [
            f"{k}\t{word}\t{word}{n % 3}\tNOUN\t_\tNumber={'Sing' if n % 2 else 'Plur'}\t{k - 1}\tdep\t_\t_"
            for k, word in enumerate(words, 1)
        ]
        rows.append("")
    treebank = tmp_path / "a.conllu"
    treebank.write_bytes("\n".join(rows[:2000]).encode() + b"\n" + "\r\n".join(rows[2000:]).encode())
    kontrast.count(treebank, tmp_path / "whole", features=features)
    monkeypatch.setattr("kontrast.splitting.conllu_tables._BLOCK", 3000)
    original = Actors.map

    def deadly(self: Actors, method: str, calls: Any, *, ordered: bool = True) -> Any:
        os.kill(self.ask_all("process")[-1], signal.SIGKILL)
        return original(self, method, calls, ordered=ordered)

    monkeypatch.setattr(Actors, "map", deadly)
    kontrast.count(treebank, tmp_path / "there", features=features, on=cluster, workers=2)
    for file in (tmp_path / "whole").iterdir():
        assert file.read_bytes() == (tmp_path / "there" / file.name).read_bytes()
    treebank.write_bytes(treebank.read_bytes() + b"\n\n1\tx\tx\n")
    with pytest.raises(KontrastError) as here:
        kontrast.count(treebank, features=features)
    with pytest.raises(KontrastError) as there:
        kontrast.count(treebank, features=features, on=cluster, workers=1)
    assert str(here.value) == str(there.value) and "line " in str(here.value)


@pytest.mark.slow
def test_pronouns(cluster: str, tmp_path: Path) -> None:
    from kontrast.building.pronouns import build_pronouns

    pytest.importorskip("spacy")
    local = build_pronouns("en-de", CORPUS, tmp_path / "here.json", jobs=1)
    found = build_pronouns("en-de", CORPUS, tmp_path / "there.json", on=cluster, workers=1)
    assert (tmp_path / "here.json").read_bytes() == (tmp_path / "there.json").read_bytes()
    assert (found.items, found.found, found.left_out) == (local.items, local.found, local.left_out)


def test_what_goes_wrong_in_a_worker_is_one_line_here(cluster: str) -> None:
    with pytest.raises(KontrastError, match="no-such-model") as raised:
        kontrast.score(SUITE, "hf:./no-such-model", on=cluster, workers=1)
    assert "\n" not in str(raised.value)
    with pytest.raises(KontrastError, match="as a whole"):
        kontrast.score(SUITE, "file:x.scores", on=cluster, workers=1)
    with pytest.raises(KontrastError, match="not enough resources for 9 workers"):
        kontrast.score(SUITE, "tiny", on=cluster, workers=9)
    with pytest.raises(KontrastError, match="several servers"):
        kontrast.score(SUITE, "openai:m@http://127.0.0.1:9/v1", on=cluster)


def _deadly(shard: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return shard


def test_a_shard_that_kills_every_worker_ends_the_run(cluster: str) -> None:
    from kontrast.shards import in_order

    with pytest.raises(KontrastError, match="Ray: "):
        list(in_order(_deadly, [1], on=cluster, workers=1))


def test_an_address_where_nothing_listens_is_refused_at_once() -> None:
    """In a program of its own: here a cluster may be connected already."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}", "127.0.0.1:99999"):
        command = [
            "score",
            "demo:de?limit=2",
            "--model",
            "tiny",
            "--on",
            f"ray:{address}",
            "--no-store",
            "--out",
            "-",
        ]
        done = subprocess.run(
            [sys.executable, "-m", "kontrast", *command], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 2 and f"--on ray:{address}: no cluster answers there" in done.stderr


@pytest.mark.parametrize("text", ["slurm", "rays", "", "ray:"])
def test_bad_places(text: str) -> None:
    with pytest.raises(KontrastError, match="expected ray"):
        parse_on(text)
