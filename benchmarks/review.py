"""The review app measured: answers at 100,000 items, five readers at once, kills, a walk by keyboard.

    python benchmarks/review.py                     # everything; about five minutes
    python benchmarks/review.py latency --items 100000
    python benchmarks/review.py load --seconds 60
    python benchmarks/review.py kills --rounds 20
    python benchmarks/review.py walk

Times are wall-clock at the client, over one connection each, beside those of a static file in the same run: what is
left of a busy machine shows in both. Lost decisions are those that the server acknowledged and the store has not.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import kontrast
from kontrast.reporting.terminal import print_table

PARTS = ("latency", "load", "kills", "walk")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS))
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--times", type=int, default=200, help="requests of each kind in the part latency")
    args = parser.parse_args()
    parts = args.parts or PARTS
    with tempfile.TemporaryDirectory() as folder:
        if {"latency", "load"} & set(parts):
            suite = make(Path(folder) / "big.jsonl", args.items)
            scores = Path(folder) / "a.scores"
            scores.write_text("".join(f"{random.gauss(20, 3)!r}\n" for _ in range(2 * args.items)))
            began = time.perf_counter()
            server = Server(suite, "--scores", scores)
            print(f"first start with {args.items:,} items: {time.perf_counter() - began:.1f} s")
            server.kill()
            began = time.perf_counter()
            server.start()
            print(f"next start: {time.perf_counter() - began:.1f} s")
            if "latency" in parts:
                latency(server, args.times, args.items)
            if "load" in parts:
                load(server, args.seconds, args.items)
            server.kill()
        if "kills" in parts:
            kills(make(Path(folder) / "small.jsonl", 5000), args.rounds)
        if "walk" in parts:
            walk(make(Path(folder) / "walk.jsonl", 200))


def make(path: Path, size: int) -> Path:
    """A suite of sentences put together from the bundled documents, with context and thirteen phenomena."""
    draw = random.Random(7)
    lines: dict[str, list[str]] = {}
    for language in ("en", "de"):
        found = sorted(Path(kontrast.__file__).parent.glob(f"data/corpus/*/*.{language}"))
        lines[language] = [line for file in found for line in file.read_text("utf-8").splitlines() if line]
    count = min(map(len, lines.values()))
    items = []
    for n in range(size):
        a, b, c = (draw.randrange(count) for _ in range(3))
        right = f"{lines['de'][a]} {lines['de'][b]}"
        words = right.split()
        words[draw.randrange(len(words))] = f"Wort{draw.randrange(9999)}"
        tags = {"confidence": round(draw.random(), 2)}
        items.append(
            kontrast.Item(
                f"i{n}",
                f"{lines['en'][a]} {lines['en'][b]}",
                (kontrast.Variant(right), kontrast.Variant(" ".join(words), error=f"type{n % 13}", tags=tags)),
                source_context=(lines["en"][c],),
                target_context=(lines["de"][c],),
                document=f"d{n // 100}",
            )
        )
    kontrast.save(kontrast.Suite(path.stem, tuple(items), "en", "de"), path)
    return path


class Server:
    """``kontrast review`` in a process of its own."""

    def __init__(self, path: Path, *args: object) -> None:
        self.path, self.args, self.port = path, args, "0"
        self.start()

    def start(self) -> None:
        command = ["review", self.path, "--no-browser", "--port", self.port, *self.args]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kontrast", *map(str, command)], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        said = ""
        while "Ctrl+C" not in said:
            line = self.process.stderr.readline()
            if not line:
                sys.exit(f"the server did not start: {said}")
            said += line
        self.link = re.findall(r"http://\S+", said)[0]
        self.port = re.findall(r":(\d+)/", self.link)[0]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Reader:
    """One annotator's connection."""

    def __init__(self, server: Server, name: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=30)
        self.headers = {"x-annotator": name, "x-kontrast-review": "1"}
        token = server.link.partition("?token=")[2]
        for attempt in range(50):
            try:
                self.connection.request("GET", f"/?token={token}")
                break
            except OSError:
                self.connection.close()
                time.sleep(0.05 * (attempt + 1))
        answer = self.connection.getresponse()
        answer.read()
        self.headers["cookie"] = answer.getheader("set-cookie", "").split(";")[0]

    def ask(self, path: str, body: Any = None) -> Any:
        method = "GET" if body is None else "POST"
        self.connection.request(method, path, None if body is None else json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {data[:200]!r}")
        return json.loads(data) if answer.getheader("content-type") == "application/json" else data


Times = dict[str, list[float]]


def timed(times: Times, kind: str, reader: Reader, path: str, body: Any = None) -> Any:
    began = time.perf_counter()
    answer = reader.ask(path, body)
    times[kind].append(1000 * (time.perf_counter() - began))
    return answer


def report(title: str, times: Times) -> None:
    rows = []
    for kind, found in times.items():
        found.sort()
        p99 = found[min(len(found) - 1, round(0.99 * len(found)))]
        rows.append((kind, f"{len(found):,}", f"{statistics.median(found):.1f}", f"{p99:.1f}", f"{found[-1]:.1f}"))
    print(f"\n{title}, milliseconds")
    print_table(("action", "requests", "p50", "p99", "most"), rows)


def latency(server: Server, times: int, size: int) -> None:
    draw = random.Random(1)
    reader = Reader(server, "Solo")
    words = "Großmutter Lampe Zug kaufte nicht weil Bäckerei Garten Schlüssel Brief the because market".split()
    took: Times = defaultdict(list)
    card = reader.ask("/api/card")
    for _ in range(times):
        timed(took, "static file (baseline)", reader, "/static/icon.svg")
        made = timed(
            took, "accept, next card", reader, "/api/decide?", {"key": card["key"], "verb": "accept", "seen": 0}
        )
        card = made["card"]
        timed(took, "item by address", reader, f"/api/card?key=i{draw.randrange(size)}")
        timed(took, "filter, least sure first", reader, f"/api/card?order=unsure&phenomenon=type{draw.randrange(13)}")
        timed(took, "list, any page", reader, f"/api/items?order=file&page={draw.randrange(size // 50)}")
        timed(
            took,
            "list, what a system gets wrong",
            reader,
            f"/api/items?show=wrong&sort=worst&page={draw.randrange(99)}",
        )
        query = urlencode({"search": f"{draw.choice(words)} Wort{draw.randrange(999)}"})
        timed(took, "search, new words", reader, f"/api/items?{query}")
        draft = {"source": f"A new one {draw.random()}", "right": "Etwas Neues.", "wrong": [{"text": "Was Neues."}]}
        timed(took, "lint of a draft", reader, "/api/lint", {"draft": draft})
    for _ in range(times // 4):
        timed(took, "charts", reader, "/api/charts?")
        timed(took, "agreement", reader, "/api/agreement")
        timed(took, "undo", reader, "/api/undo?", {})
        timed(took, "other forms", reader, f"/api/forms?key=i{draw.randrange(size)}")
        draft = {"source": f"A new one {draw.random()}", "right": "Etwas Neues.", "wrong": [{"text": "Was Neues."}]}
        timed(took, "add an item", reader, "/api/keep", {"draft": draft})
        query = urlencode({"search": draw.choice(words)})
        timed(took, "search, a common word", reader, f"/api/items?{query}")
    report(f"One reader, {size:,} items", took)


def load(server: Server, seconds: int, size: int) -> None:
    took: Times = defaultdict(list)
    late: list[float] = []

    def work(number: int) -> None:
        reader, draw = Reader(server, f"Reader {number}"), random.Random(number)
        order = f"order=random&seed={number}"
        card = reader.ask(f"/api/card?{order}")
        began = time.perf_counter()
        for step in range(20 * seconds):
            due = began + step / 20
            time.sleep(max(0.0, due - time.perf_counter()))
            late.append(time.perf_counter() - due)
            body = {"key": card["key"], "verb": draw.choice(["accept", "reject"]), "seen": 0, "reason": "also right"}
            card = timed(took, "decision, next card", reader, f"/api/decide?{order}", body)["card"]
            if step % 20 == 3:
                timed(took, "list", reader, f"/api/items?status=decided&page={draw.randrange(3)}")
            elif step % 20 == 9:
                timed(took, "item by address", reader, f"/api/card?key=i{draw.randrange(size)}")
            elif step % 20 == 13:
                timed(took, "list, what a system gets wrong", reader, "/api/items?show=wrong&sort=worst")
            elif step % 100 == 50:
                timed(took, "agreement", reader, "/api/agreement")
            elif step % 100 == 70:
                timed(took, "adjudication", reader, "/api/disputes")
            elif step % 100 == 90:
                timed(took, "summary for the export", reader, "/api/summary")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report(f"Five readers, 20 decisions a second each, {seconds} s, {size:,} items", took)
    behind = sorted(late)[round(0.99 * (len(late) - 1))]
    print(f"decisions: {len(took['decision, next card']):,}; the client fell {1000 * behind:.0f} ms behind (p99)")


def kills(path: Path, rounds: int) -> None:
    draw = random.Random(5)
    server = Server(path)
    acknowledged: set[str] = set()

    def work(number: int, stop: threading.Event, round: int) -> None:
        try:
            reader = Reader(server, f"Reader {number}")
            step = 0
            while not stop.is_set():
                note = f"{round}.{number}.{step}"
                body = {"key": f"i{draw.randrange(5000)}", "verb": "accept", "note": note}
                reader.ask("/api/decide?", body)
                acknowledged.add(note)
                step += 1
        except (OSError, http.client.HTTPException):
            return

    for round in range(rounds):
        stop = threading.Event()
        threads = [threading.Thread(target=work, args=(n, stop, round)) for n in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.3 + draw.random() * 0.7)
        server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        server.start()
    server.kill()
    with sqlite3.connect(f"{path}.review.sqlite") as connection:
        kept = {row[0] for row in connection.execute("SELECT note FROM decision")}
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
    print(f"\n{rounds} kills: {len(acknowledged):,} acknowledged, {len(acknowledged - kept)} lost; integrity {sound}")


def walk(path: Path) -> None:
    from playwright.sync_api import sync_playwright

    server = Server(path)
    chromium = shutil.which("chromium") or sys.exit("there is no chromium on this machine")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page()
        page.goto(server.link)
        page.fill("#name", "Walker")
        page.keyboard.press("Enter")
        page.locator(".card").wait_for()
        took = []
        for step in range(50):
            began = time.perf_counter()
            for key in ("r", str(1 + step % 6)) if step % 5 == 4 else ("a",):
                page.keyboard.press(key)
            page.locator(".count", has_text=re.compile(rf"^{step + 1} of")).wait_for()
            took.append(time.perf_counter() - began)
        browser.close()
    server.kill()
    took.sort()
    print(f"\n50 items by keyboard: {statistics.median(took):.3f} s a decision (median), {took[-1]:.3f} s at most")


if __name__ == "__main__":
    main()
