"""Several servers behind one model: real ones on loopback, killed and started again, replaced by others."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("fastapi")

from fastapi import FastAPI
from fastapi.responses import JSONResponse

import kontrast
from kontrast import Item, KontrastError, Store, Suite, Variant

from .language_server import LanguageModel, Running, application

CANARY = 28
"""Requests of the canary, and for the list of models."""


@pytest.fixture(autouse=True)
def short_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontrast.scoring.engines.openai.server.PAUSE", 0.05)


@pytest.fixture(scope="module")
def app(language_model: LanguageModel) -> FastAPI:
    return application(language_model)


@pytest.fixture(scope="module")
def other(language_model: LanguageModel) -> FastAPI:
    """Another model under the same name."""
    import copy

    warmer = copy.copy(language_model)
    warmer.temper = 0.5
    return application(warmer)


@pytest.fixture
def servers(app: FastAPI) -> Iterator[Callable[..., list[Running]]]:
    started: list[Running] = []

    def start(*apps: FastAPI) -> list[Running]:
        new = [Running(each) for each in apps]
        started.extend(new)
        return new

    yield start
    for each in started:
        each.kill()


WORDS = "cat dog child man house door morning school letter sun".split()
SUITE = Suite(
    "words",
    tuple(
        Item(f"{a}-{b}", f"The {a} and the {b}.", (Variant(f"Die {a}, der {b}."), Variant(f"Das {a}, die {b}.")))
        for a in WORDS
        for b in WORDS[:6]
    ),
    "en",
    "de",
)


def scored(*running: Running, store: Path | None = None, **extra: str) -> kontrast.Scores:
    model = f"openai:small@{','.join(each.url for each in running)}"
    opened = Store(store) if store else None
    try:
        return kontrast.score(SUITE, model, store=opened, extra={"concurrency": "2", **extra})
    finally:
        if opened is not None:
            opened.close()


@pytest.fixture(scope="module")
def alone(app: FastAPI) -> Iterator[kontrast.Scores]:
    running = Running(app)
    yield scored(running)
    running.kill()


def test_two_share_the_work(servers: Any, app: FastAPI, alone: kontrast.Scores, capsys: Any) -> None:
    both = servers(app, app)
    found = scored(*both, price="10")
    assert found.values == alone.values and found.tokens == alone.tokens
    assert found.signature is not None and found.signature.details["servers"] == "2"
    assert min(each.answered for each in both) > 40
    said = capsys.readouterr().err
    assert all(f"{each.url}: " in said for each in both) and "cost" in said


def test_one_is_killed_and_comes_back(
    servers: Any, app: FastAPI, alone: kontrast.Scores, capsys: Any, tmp_path: Path
) -> None:
    first, second = servers(app, app)
    counted: list[int] = []

    def again() -> None:
        counted.append(second.answered)
        second.start()

    second.when[CANARY + 10] = second.kill
    first.when[CANARY + 30] = again
    found = scored(first, second, store=tmp_path / "s.sqlite")
    assert found.values == alone.values and found.tokens == alone.tokens
    said = capsys.readouterr().err
    assert f"{second.url} does not answer" in said and f"{second.url} answers again" in said
    assert second.answered > counted[0] + CANARY, "after the canary it has answered again"


def test_one_comes_back_with_another_model(
    servers: Any, app: FastAPI, other: FastAPI, alone: kontrast.Scores, capsys: Any, tmp_path: Path
) -> None:
    first, second = servers(app, app)
    second.when[CANARY + 10] = second.kill
    first.when[CANARY + 30] = lambda: second.start(other)
    found = scored(first, second, store=tmp_path / "s.sqlite")
    assert found.values == alone.values, "no number of the other model is among them"
    assert f"{second.url} is left out: after a restart its answers" in capsys.readouterr().err


def test_a_single_server_that_comes_back_as_another_ends_the_run(
    servers: Any, app: FastAPI, other: FastAPI, tmp_path: Path
) -> None:
    [only] = servers(app)

    def swap() -> None:
        only.kill()
        only.start(other)

    only.when[CANARY + 40] = swap
    with pytest.raises(KontrastError, match="after a restart its answers to the canary differ"):
        scored(only, store=tmp_path / "s.sqlite")


def test_one_that_is_dead_from_the_start(servers: Any, app: FastAPI, alone: kontrast.Scores, capsys: Any) -> None:
    first, dead = servers(app, app)
    dead.kill()
    assert scored(dead, first).values == alone.values
    assert f"{dead.url} does not answer" in capsys.readouterr().err
    first.kill()
    with pytest.raises(KontrastError, match="ConnectError"):
        scored(dead, first, tries="1")


def test_another_model_is_refused_before_anything_is_stored(
    servers: Any, app: FastAPI, other: FastAPI, alone: kontrast.Scores, capsys: Any, tmp_path: Path
) -> None:
    one, two, three = servers(app, other, app)
    with pytest.raises(KontrastError, match="different answers to the canary"):
        scored(one, two, store=tmp_path / "s.sqlite")
    asked = two.answered
    found = scored(one, two, three, store=tmp_path / "s.sqlite")
    assert found.values == alone.values
    assert f"{two.url} is left out: its answers to the canary differ" in capsys.readouterr().err
    assert two.answered < 2 * asked + 5, "the canary alone"


def _busy(seconds: str, after: int) -> FastAPI:
    """Answers as the model does at first, then 429."""
    app = application(LanguageModel())
    count = {"asked": 0}

    @app.middleware("http")
    async def limited(request: Any, call_next: Any) -> Any:
        count["asked"] += 1
        if count["asked"] > after:
            return JSONResponse({"error": {"message": "slow down"}}, 429, {"Retry-After": seconds})
        return await call_next(request)

    return app


def test_a_busy_one_rests_and_the_other_goes_on(
    servers: Any, app: FastAPI, alone: kontrast.Scores, capsys: Any
) -> None:
    first, busy = servers(app, _busy("86400", CANARY + 10))
    assert scored(first, busy, deadline="50").values == alone.values, "a request that waited would have failed"
    assert "asks to wait 86400 s: waiting 60 s" in capsys.readouterr().err


def test_a_request_has_a_deadline_for_all_its_tries(servers: Any) -> None:
    [busy] = servers(_busy("1", 0))
    with pytest.raises(KontrastError, match=r"no complete answer within 0\.5 s"):
        scored(busy, tries="1000", deadline="0.5")


def test_progress_shows_requests_and_cost(servers: Any, app: FastAPI) -> None:
    from kontrast.scoring.engine import EngineOptions
    from kontrast.scoring.engines import load_engine

    [only] = servers(app)
    options = EngineOptions(source_language="en", target_language="de", extra={"price": "1000"})
    engine: Any = load_engine(f"openai:small@{only.url}", options)
    assert engine.status() == "0 requests under way, cost 0.00"
    engine.identify()
    seen = {engine.status()}
    only.when[only.answered + 1] = lambda: seen.add(engine.status())
    engine._canary()
    engine.close()
    assert any(not text.endswith("cost 0.00") for text in seen)


def test_user_and_password_are_sent_and_kept_nowhere(app: FastAPI, capfd: Any, caplog: Any, tmp_path: Path) -> None:
    """A whole run, again from the store, and against a server that is gone: only the server sees them."""
    from kontrast.cli import main

    seen: set[bytes] = set()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        seen.add(dict(scope["headers"]).get(b"authorization", b""))
        await app(scope, receive, send)

    caplog.set_level("DEBUG")
    running = Running(guarded)  # type: ignore[arg-type]
    kontrast.save(SUITE, tmp_path / "words.jsonl")
    where = running.url.replace("://", "://zaphod:tr%40llian@")
    command = ["score", str(tmp_path / "words.jsonl"), "--model", f"openai:small@{where}", "--limit", "4"]
    command += ["--store", str(tmp_path / "store.sqlite"), "--out"]
    codes = []
    for name in ("first", "again", "gone"):
        if name == "gone":
            running.kill()
            command[5] = "8"
        with pytest.raises(SystemExit) as ended:
            main([*command, str(tmp_path / f"{name}.scores")])
        codes.append(ended.value.code)
    assert codes[:2] == [0, 0] and codes[2] == 2
    assert seen == {b"Basic " + base64.b64encode(b"zaphod:tr@llian")}
    told = capfd.readouterr()
    assert f"127.0.0.1:{running.port}" in told.err
    written = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {"store.sqlite", "first.scores"} <= written.keys() and any("json" in name for name in written)
    secrets = ("zaphod", "llian", base64.b64encode(b"zaphod:tr@llian").decode())
    for place, text in {**written, "printed": (told.out + told.err + caplog.text).encode()}.items():
        assert not [each for each in secrets if each.encode() in text], place
