"""A real server in its own process, and a real browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import kontrast


class Server:
    """``kontrast review`` as a user starts it; it can be killed and started again."""

    def __init__(self, *args: str, env: dict[str, str] | None = None) -> None:
        self.args, self.env = args, {**os.environ, **(env or {})}
        self.port = ""
        self.start()

    def start(self) -> None:
        port = ["--port", self.port] if self.port else ["--port", "0"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kontrast", "review", *self.args, "--no-browser", *port],
            stderr=subprocess.PIPE,
            text=True,
            env=self.env,
        )
        assert self.process.stderr is not None
        self.said: list[str] = []
        for line in self.process.stderr:
            self.said.append(line)
            if "Ctrl+C" in line:
                break
        links = re.findall(r"^(.*?): (http://\S+)$", "".join(self.said), re.MULTILINE)
        assert links, "".join(self.said)
        self.links = dict(links)
        self.link = links[0][1]
        self.address, _, token = self.link.partition("?token=")
        self.token = token
        self.port = re.findall(r":(\d+)/", self.address)[0]
        for _ in range(200):  # it listens before it says so, and answers soon after
            if self.process.poll() is None and self.asks("/static/icon.svg")[0] == 200:
                return
            time.sleep(0.05)

    def asks(
        self,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        sender: str = "127.0.0.1",
    ) -> tuple[int, bytes, dict[str, str]]:
        """A plain request, as any program could send it."""
        import http.client

        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=20, source_address=(sender, 0))
        try:
            connection.request("POST" if body is not None else "GET", path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        except OSError:
            return 0, b"", {}
        finally:
            connection.close()

    def kill(self) -> None:
        """As a crash ends it: at once."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Starts servers and ends them with the test."""
    pytest.importorskip("uvicorn")
    started: list[Server] = []

    def start(*args: object, env: dict[str, str] | None = None) -> Server:
        started.append(Server(*map(str, args), env=env))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture
def enter(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens the app as one reader, in a browser of their own; what goes wrong in the page fails the test."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def open_page(server: Server, name: str = "Anna", path: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console", lambda message: troubles.append(message.text) if "Content Security" in message.text else None
        )
        page.on(
            "request",
            lambda r: troubles.append(r.url) if not r.url.startswith((server.address, "data:", "blob:")) else None,
        )
        page.goto(server.link)
        if name:
            page.fill("#name", name)
            page.keyboard.press("Enter")
            page.locator("#who").get_by_text(name).wait_for()
        if path:
            page.goto(server.address.rstrip("/") + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    """Sixty items, two of them with three variants, three phenomena, with context."""
    items = []
    for n in range(60):
        foils = [kontrast.Variant(f"Der {n}. Satz lacht nicht.", error=("polarity", "np", "verb")[n % 3])]
        if n % 30 == 0:
            foils.append(kontrast.Variant(f"Der {n}. Satz lachen.", error="verb", tags={"weak": True}))
        items.append(
            kontrast.Item(
                f"i{n}",
                f"Sentence number {n} laughs.",
                (kontrast.Variant(f"Der {n}. Satz lacht."), *foils),
                source_context=(f"Before number {n}.",),
                target_context=(f"Vor dem {n}. Satz.",),
            )
        )
    path = tmp_path / "suite.jsonl"
    kontrast.save(kontrast.Suite("sixty", tuple(items), "en", "de"), path)
    return path
