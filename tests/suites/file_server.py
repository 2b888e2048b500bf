"""Files on loopback, whole or cut off, and catalogue entries that name them."""

from __future__ import annotations

import http.server
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from kontrast.suites.catalogue import Entry


class Server(http.server.ThreadingHTTPServer):
    """Serves bytes by path, with ranges; ``cut`` ends the next answer after that many bytes."""

    files: dict[str, bytes]
    cut: int | None = None
    version = '"one"'
    asked: list[str | None]


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        data, wanted = self.server.files.get(self.path), self.headers.get("Range")
        self.server.asked.append(wanted)
        if data is None:
            self.send_error(404)
            return
        start = 0
        if wanted and self.headers.get("If-Range") == self.server.version:
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
            if start >= len(data):
                self.send_error(416)
                return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start))
        self.send_header("ETag", self.server.version)
        self.end_headers()
        body = data[start:]
        if self.server.cut is not None:
            body, self.server.cut = body[: self.server.cut], None
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serving_files() -> Iterator[Server]:
    running = Server(("127.0.0.1", 0), Handler)
    running.files, running.asked = {}, []
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


def address(server: Server, name: str, data: bytes) -> str:
    server.files[f"/{name}"] = data
    return f"http://127.0.0.1:{server.server_port}/{name}"


SUITE = json.dumps([{"src": "a _eos b", "dst": ["c _eos d", "c _eos e"], "true_ind": 0}]).encode()


def packed(files: dict[str, bytes], root: str = "repo-abc/") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(root + name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def made(*downloads: str, **fields: object) -> Entry:
    values = {
        "name": "mine",
        "title": "Mine",
        "kind": "suite",
        "languages": ("en-ru",),
        "size": "1",
        "licence": "MIT",
        "home": "http://example.org",
        "citation": "",
        "format": "consistency",
        "sets": {"mine": "sets/mine.json"},
        "downloads": [[each] for each in downloads],
    }
    return msgspec.convert({**values, **fields}, Entry)
