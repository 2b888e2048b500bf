"""A server that is busy, broken, cut off, silent, or killed and started again: the scores are those of a calm one."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

import kontrast
from kontrast import KontrastError, Store
from scoring.language_server import LanguageModel, Running, application

from .runs import ROOT, finished, noted, rows_in, score_with, scored, suite

SUITE = suite(20)
SHORT = {"concurrency": "4", "timeout": "1.5"}


class Faulty:
    """The server's application, but for some requests: by their number, the fault that they meet."""

    def __init__(self, app: FastAPI) -> None:
        self.app, self.asked, self.met = app, 0, 0
        self.chance = random.Random(9)
        self.fault, self.every, self.until = "", 0, 10**9

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        hit = self.fault and self.chance.random() < 1 / self.every and self.asked < self.until
        self.met += bool(hit)
        answer = await FAULTS[self.fault]() if hit else self.app
        await answer(scope, receive, send)


async def _busy() -> Response:
    return JSONResponse({"error": {"message": "rate limit"}}, 429, {"Retry-After": "0.1"})


async def _broken() -> Response:
    return JSONResponse({"error": {"message": "out of memory"}}, 500)


async def _cut() -> Response:
    """A whole answer by HTTP, half of one by its content."""
    return Response(b'{"choices": [{"text": "a", "prompt_logprobs": [null, {"1', media_type="application/json")


async def _dropped() -> Response:
    """The connection ends before the bytes that were announced."""
    return Response(b'{"choices": [', headers={"Content-Length": "500"}, media_type="application/json")


async def _hang() -> Response:
    await asyncio.sleep(3)
    return JSONResponse({"error": {"message": "too late"}}, 500)


FAULTS = {"429": _busy, "500": _broken, "cut": _cut, "dropped": _dropped, "hang": _hang}
NAMES = {
    "429": "API server answers 429 with Retry-After",
    "500": "API server answers 500",
    "cut": "API server answers half of a JSON text",
    "dropped": "API server ends the connection within an answer",
    "hang": "API server does not answer",
}


@pytest.fixture(autouse=True)
def short_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontrast.scoring.engines.openai.server.PAUSE", 0.05)


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel()


@pytest.fixture(scope="module")
def faulty(model: LanguageModel) -> Iterator[tuple[Faulty, str]]:
    app = Faulty(application(model))
    running = Running(app)
    yield app, running.url
    running.kill()


@pytest.fixture(scope="module")
def calm(faulty: tuple[Faulty, str]) -> kontrast.Scores:
    return kontrast.score(SUITE, f"openai:small@{faulty[1]}", extra=SHORT)


@pytest.mark.parametrize("fault", FAULTS)
def test_now_and_then(fault: str, faulty: tuple[Faulty, str], calm: kontrast.Scores) -> None:
    """One request in nine meets the fault, drawn by chance, those of the canary too; it is asked again."""
    app, url = faulty
    app.asked, app.fault, app.every, app.until = 0, fault, 25 if fault == "hang" else 9, 10**9
    app.met, app.chance = 0, random.Random(9)
    found = kontrast.score(SUITE, f"openai:small@{url}", extra=SHORT)
    times = app.met
    app.fault = ""
    assert found.values == calm.values and found.tokens == calm.tokens and times >= 2
    noted(NAMES[fault], times, "request repeated; scores equal")


@pytest.mark.parametrize("fault", FAULTS)
def test_from_some_moment_on(fault: str, faulty: tuple[Faulty, str], calm: kontrast.Scores, tmp_path: Path) -> None:
    """The run ends in one line that names the server and the reason; later it goes on with what it has."""
    app, url = faulty
    app.asked, app.fault, app.every = 0, "", 1
    store = Store(tmp_path / "s.sqlite")
    begun = kontrast.score(kontrast.Suite("part", SUITE.items[:7], "en", "de"), f"openai:small@{url}", store=store)
    app.fault = fault
    with pytest.raises(KontrastError) as ended:
        kontrast.score(SUITE, f"openai:small@{url}", extra={**SHORT, "tries": "2"}, store=store)
    app.fault = ""
    told = str(ended.value)
    assert "\n" not in told and url in told and len(told) < 600
    assert {"429": "rate limit", "500": "out of memory", "cut": "JSON", "hang": "Timeout"}.get(fault, "Error") in told
    kept = rows_in(tmp_path)
    found = kontrast.score(SUITE, f"openai:small@{url}", store=store)
    store.close()
    assert kept >= len(begun.values) and rows_in(tmp_path) == len(SUITE.items) * 2
    assert found.values == calm.values and found.tokens == calm.tokens
    noted(f"{NAMES[fault]}, permanently", 1, "one line with server and reason; the next run resumes, scores equal")


def served(port: int) -> subprocess.Popen[bytes]:
    """The server as a process of its own."""
    program = (
        "import sys, uvicorn; from scoring.language_server import LanguageModel, application; "
        "uvicorn.run(application(LanguageModel()), host='127.0.0.1', port=int(sys.argv[1]), log_level='critical')"
    )
    paths = [str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, "-c", program, str(port)], env=environment)


def _listens(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_a_killed_server_leaves_what_was_scored(tmp_path: Path) -> None:
    """SIGKILL of the server for good: one line for the reason, one for what is kept; the same command goes on."""
    port = _free_port()
    kontrast.save(suite(120), tmp_path / "suite.jsonl")
    asked = ["--option", "concurrency=1", "--option", "tries=2"]
    command = score_with(str(tmp_path / "suite.jsonl"), f"openai:small@http://127.0.0.1:{port}/vllm/v1", *asked)
    folder = tmp_path / "killed"
    server = served(port)
    try:
        _listens(port)
        run = subprocess.Popen(scored(command, folder), stderr=subprocess.PIPE, text=True)
        while not rows_in(folder) and run.poll() is None:
            time.sleep(0.02)
        server.kill()
        server.wait()
        _, told = run.communicate()
        kept = rows_in(folder)
        assert run.returncode == 2 and 0 < kept < 240, told
        assert f"{kept:,} of 240 targets are done and in the store; repeat the command to continue" in told
        assert f"http://127.0.0.1:{port}/vllm/v1" in told.splitlines()[-1] and "Traceback" not in told
        server = served(port)
        _listens(port)
        assert finished(command, folder)["a.scores"]
    finally:
        server.kill()
        server.wait()


@pytest.mark.soak
@pytest.mark.slow
def test_the_server_is_killed_and_started_again(tmp_path: Path) -> None:
    """SIGKILL of the server's process while a run asks it. The run waits for it, asks the canary, and goes on."""
    port = _free_port()
    kontrast.save(suite(120), tmp_path / "suite.jsonl")
    asked = ["--option", "concurrency=1", "--option", "tries=40"]
    command = score_with(str(tmp_path / "suite.jsonl"), f"openai:small@http://127.0.0.1:{port}/vllm/v1", *asked)
    server = served(port)
    _listens(port)
    try:
        calm = finished(command, tmp_path / "calm")
        folder = tmp_path / "killed"
        folder.mkdir()
        places = ["--store", str(folder / "s.sqlite"), "--out", str(folder / "a.scores")]
        run = subprocess.Popen([*command, *places], stderr=subprocess.PIPE, text=True)
        for _ in range(2):
            before = rows_in(folder)
            while rows_in(folder) == before and run.poll() is None:
                time.sleep(0.02)
            assert run.poll() is None, "it ended before the server was killed"
            server.send_signal(signal.SIGKILL)
            server.wait()
            server = served(port)
            _listens(port)
        _, told = run.communicate()
        assert run.returncode == 0, told
        assert {name: (folder / name).read_bytes() for name in calm} == calm
    finally:
        server.kill()
        server.wait()
    noted("API server killed (SIGKILL) and started again", 2, "the run waits and continues; byte-equal")
