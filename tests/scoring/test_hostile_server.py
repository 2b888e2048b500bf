"""A server that means harm: whatever it sends costs little memory and ends in one line, which steers no terminal."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import kontrast
from kontrast import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines.openai import endpoints, load, server
from kontrast.scoring.engines.openai.server import Server
from kontrast.scoring.engines.openai.settings import Settings as Asked
from kontrast.scoring.translator import Decoding

pytest.importorskip("httpx")

Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture
def says() -> Iterator[Callable[[Answer], str]]:
    """Starts a server on loopback that gives one answer to everything."""
    running: list[ThreadingHTTPServer] = []

    def start(answer: Answer) -> str:
        status, headers, body = answer

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    return  # the client has had enough

            def log_message(self, *_: Any) -> None:
                return None

        running.append(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=running[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{running[-1].server_port}/v1"

    yield start
    for each in running:
        each.shutdown()
        each.server_close()


def asked(url: str) -> str:
    async def ask() -> str:
        one = Server(url, "m", Asked(tries=1))
        try:
            return (await one.ask("?"))[0]
        finally:
            await one.close()

    return asyncio.run(ask())


def chat(content: Any, **beside: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}], **beside}).encode()


BAD: dict[str, tuple[Answer, str]] = {
    "broken gzip": ((200, {"content-encoding": "gzip"}, b"no gzip"), "DecodingError"),
    "a packing not asked for": ((200, {"content-encoding": "br"}, b"x"), "which was not requested"),
    "a codec of bytes as charset": ((200, {"content-type": "text/html; charset=zlib"}, b"<p>"), "expected JSON"),
    "a codec that always fails": ((500, {"content-type": "text/html; charset=undefined"}, b"<p>"), "500 <p>"),
    "controls and lines": ((400, {}, b'{"error": "a\\nb\\u001b[2J"}'), "400 a b"),
    "half a character": ((200, {}, chat("\ud800")), "incomplete character"),
    "text that is none": ((200, {}, chat({"a": 1})), "expected text in the answer"),
    "digits without end": ((200, {}, b'{"choices": ' + b"9" * 5000 + b"}"), "expected JSON"),
    "a redirection": ((302, {"location": "http://127.0.0.1:9/"}, b""), "expected JSON"),
}


@pytest.mark.parametrize("name", BAD)
def test_one_line(says: Callable[[Answer], str], name: str) -> None:
    answer, told = BAD[name]
    with pytest.raises(KontrastError, match=told) as raised:
        asked(says(answer))
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 600


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_without_end_is_cut_off(
    says: Callable[[Answer], str], packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LARGEST", 4 << 20)
    if packed:
        squeeze = zlib.compressobj(9, wbits=31)
        body = b"".join(squeeze.compress(b" " * (1 << 20)) for _ in range(400)) + squeeze.flush()  # 400 MB in 400 kB
    else:
        body = b" " * (60 << 20)
    url = says((200, {"content-encoding": "gzip"} if packed else {}, body))
    tracemalloc.start()
    try:
        with pytest.raises(KontrastError, match="the answer has more than 4 MB"):
            asked(url)
        assert tracemalloc.get_traced_memory()[1] < (300 << 20 if packed else 40 << 20)
    finally:
        tracemalloc.stop()


def test_a_packed_answer_is_read(says: Callable[[Answer], str]) -> None:
    assert asked(says((200, {"content-encoding": "gzip"}, gzip.compress(chat("Ja."))))) == "Ja."


def test_counts_beyond_reason_are_not_added_up(says: Callable[[Answer], str]) -> None:
    huge = 10**4000
    url = says((200, {}, chat("Ja.", usage={"prompt_tokens": huge, "completion_tokens": 3})))

    async def ask() -> tuple[int, int]:
        one = Server(url, "m", Asked(tries=1))
        await one.ask("?")
        await one.close()
        return one.usage.tokens_in, one.usage.tokens_out

    assert asyncio.run(ask()) == (0, 3)


def test_a_completion_whose_text_is_an_object_is_no_translation(says: Callable[[Answer], str]) -> None:
    url = says((200, {}, json.dumps({"choices": [{"text": {"a": 1}}]}).encode()))

    extra = {"api": "completions", "tries": "1", "unlisted": "yes"}
    engine = load(f"m@{url}", EngineOptions(source_language="en", target_language="de", extra=extra))
    with closing(engine), pytest.raises(KontrastError, match="expected text in the answer"):
        list(engine.translate([Group("A dog.", (Target(""),))], Decoding()))


def test_words_of_a_refused_server_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    both = endpoints.Endpoints(["http://a", "http://b"], 1, 1, 0.0)
    both.refuse(both.all[0], "400 \x1b]0;title\x07\nkontrast: all is well\u2028\u202e")
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert not {"\x1b", "\x07", "\u2028", "\u202e"} & set(told)


def test_the_whole_command_is_one_line(says: Callable[[Answer], str], capsys: pytest.CaptureFixture[str]) -> None:
    from kontrast.cli import main

    url = says((401, {}, b'{"error": {"message": "\\u001b[31m no\\n key"}}'))
    with pytest.raises(SystemExit) as ended:
        main(["score", "demo:de", "--model", f"openai:m@{url}", "--no-store", "--out", "-"])
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert "\x1b" not in told and told.strip().splitlines()[-1].startswith("kontrast: ")
    assert kontrast.__version__ not in told, "no last resort"


def test_credentials_of_an_address_are_sent_and_shown_nowhere() -> None:
    from kontrast.errors import KontrastError
    from kontrast.scoring.engines.openai.endpoints import Endpoint

    endpoint = Endpoint("http://me:se%40cret@localhost:8000/v1/")
    assert endpoint.url == "http://localhost:8000/v1" and endpoint.credentials == ("me", "se@cret")
    assert Endpoint("http://localhost:8000/v1").credentials is None
    assert "secret" not in str(KontrastError("openai:m@http://me:secret@host/v1: where is it?"))
