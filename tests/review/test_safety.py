"""A suite is untrusted and a browser holds other sites' pages: what is refused, and that hostile text is text."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast.review.guard import Keys

Serve = Callable[..., Any]
Enter = Callable[..., Any]

EVIL = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\"> <b>bold</b>"
DECISION = json.dumps({"key": "i1", "verb": "accept"}).encode()


def test_only_who_has_the_token_is_answered(serve: Serve, suite_file: Path) -> None:
    server = serve(suite_file)
    assert server.asks("/api/about")[0] == 401
    assert server.asks("/?token=wrong")[0] == 401 and server.asks("/")[0] == 401
    assert server.asks("/api/export?to=native")[0] == 401
    status, _, headers = server.asks(f"/?token={server.token}")
    cookie = headers["set-cookie"]
    assert (
        status == 303
        and "HttpOnly" in cookie
        and "SameSite=lax" in cookie
        and server.token not in headers["location"]
    )
    own = {"cookie": cookie.split(";")[0], "x-annotator": "Anna"}
    assert server.asks("/api/about", headers=own)[0] == 200
    assert server.asks("/api/about", headers={**own, "cookie": own["cookie"] + "x"})[0] == 401

    # Another site's page: no header of ours, its own origin, or a name that it points to this machine.
    good = {**own, "x-kontrast-review": "1"}
    assert server.asks("/api/decide", DECISION, own)[0] == 403
    assert server.asks("/api/decide", DECISION, {**good, "origin": "http://evil.example"})[0] == 403
    assert server.asks("/api/decide", DECISION, {**good, "sec-fetch-site": "cross-site"})[0] == 403
    assert server.asks("/api/about", headers={**own, "host": f"evil.example:{server.port}"})[0] == 421
    assert server.asks("/api/about", headers={**own, "host": "127.0.0.1"})[0] == 421
    origin = {"origin": f"http://127.0.0.1:{server.port}"}
    assert server.asks("/api/decide", DECISION, {**good, **origin})[0] == 200
    assert server.asks("/api/decide", b"{" * 5_000_000, good)[0] in (0, 413)  # refused, or cut off while sending


def test_answers_carry_the_policy(serve: Serve, suite_file: Path) -> None:
    server = serve(suite_file)
    for path in ("/", "/static/app.js", "/api/about", "/nowhere"):
        _, _, headers = server.asks(path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    for name in ("..%2fapp.py", "%2e%2e/app.py", "app.py", "index.html", "nowhere.js"):
        assert server.asks(f"/static/{name}")[0] == 404


def test_wrong_requests_get_an_answer(serve: Serve, suite_file: Path) -> None:
    server = serve(suite_file)
    cookie = server.asks(f"/?token={server.token}")[2]["set-cookie"].split(";")[0]
    own = {"cookie": cookie, "x-kontrast-review": "1", "x-annotator": "Anna"}
    for path, body in (
        ("/api/decide", b"no json"),
        ("/api/decide", b'{"key": "nowhere", "verb": "accept"}'),
        ("/api/decide", b'{"key": "i1", "verb": "burn"}'),
        ("/api/decide", b'{"key": "i1", "verb": "accept", "text": "   "}'),
        ("/api/decide", b'{"key": "i1", "verb": "accept", "text": "Der 1. Satz lacht."}'),
        ("/api/card?order=sideways", None),
        ("/api/card?seed=many", None),
        ("/api/items?page=-3&search=%22%27*%29%28", None),
        ("/api/items?page=abc", None),
        ("/api/items?page=99999999999999999999", None),
        ("/api/annotator", b'{"name": "   "}'),
        ("/api/charts", None),
    ):
        status, answer, _ = server.asks(path, body, own)
        assert status in (200, 400, 422) and json.loads(answer), path


def test_a_password_for_other_machines(serve: Serve, suite_file: Path) -> None:
    server = serve(suite_file, "--host", "0.0.0.0", env={"KONTRAST_REVIEW_PASSWORD": "tiefe Wasser"})
    host = {"host": f"127.0.0.1:{server.port}"}
    assert "token" not in "".join(server.said)
    assert server.asks("/api/about", headers=host)[0] == 401
    form = {**host, "content-type": "application/x-www-form-urlencoded"}
    assert server.asks("/login", b"password=flach", form)[0] == 401
    status, _, headers = server.asks("/login", b"password=tiefe+Wasser", form)
    assert status == 303
    own = {**host, "cookie": headers["set-cookie"].split(";")[0]}
    assert server.asks("/api/about", headers=own)[0] == 200
    assert server.asks("/api/about", headers={**own, "host": f"evil.example:{server.port}"})[0] == 421


def test_wrong_passwords_slow_down_who_sends_them(serve: Serve, suite_file: Path) -> None:
    """Nobody is locked out: neither who mistyped nor another machine."""
    server = serve(suite_file, "--host", "0.0.0.0", env={"KONTRAST_REVIEW_PASSWORD": "tiefe Wasser"})
    form = {"host": f"127.0.0.1:{server.port}", "content-type": "application/x-www-form-urlencoded"}
    for _ in range(5):
        assert server.asks("/login", b"password=flach", form)[0] == 401
    assert server.asks("/login", b"password=tiefe+Wasser", form, sender="127.0.0.2")[0] == 303
    assert server.asks("/login", b"password=tiefe+Wasser", form)[0] == 303


def test_the_wait_after_wrong_passwords() -> None:
    now = [0.0]
    keys = Keys(1, None, "open", clock=lambda: now[0])
    waits = []
    for _ in range(12):
        assert keys.login("wrong", "10.0.0.1") is None
        waits.append(keys.wait("10.0.0.1"))
    assert waits[:6] == [0.0, 0.0, 0.5, 1.0, 2.0, 4.0] and waits[-1] == 30.0
    assert keys.wait("10.0.0.2") == 0.0 and keys.login("open", "10.0.0.2")
    assert keys.login("open", "10.0.0.1") and keys.wait("10.0.0.1") == 0.0
    for _ in range(9):
        keys.login("wrong", "2001:db8::1")
    assert keys.wait("2001:db8::2") == 30.0  # one network
    now[0] = 1000.0
    assert keys.wait("2001:db8::2") == 0.0


def test_the_token_is_in_no_command_line(suite_file: Path, tmp_path: Path) -> None:
    """A browser that writes down how it was called, as every user of the machine can see it, and opens the page."""
    browser, called = tmp_path / "browser", tmp_path / "called"
    browser.write_text(
        f"#!{sys.executable}\nimport pathlib, sys, urllib.parse\n"
        "page = pathlib.Path(urllib.parse.urlsplit(sys.argv[1]).path)\n"
        "told = sys.argv[1] + chr(10) + oct(page.stat().st_mode) + chr(10) + page.read_text()\n"
        f"temporary = pathlib.Path({str(called)!r} + '.tmp')\n"
        f"temporary.write_text(told)\ntemporary.rename({str(called)!r})\n"
    )
    browser.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "kontrast", "review", str(suite_file), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROWSER": str(browser)},
    )
    try:
        assert process.stderr is not None
        link = process.stderr.readline().split()[-1]
        for _ in range(400):
            if called.exists():
                break
            time.sleep(0.05)
        argument, mode, page = called.read_text().split("\n", 2)
        token = link.partition("token=")[2]
        assert len(token) > 20 and token not in argument and link in page
        assert mode.endswith("600")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()
    assert not [path for path in suite_file.parent.iterdir() if path.name.endswith("-open.html")]


def test_a_full_disk_is_one_clear_line(suite_file: Path) -> None:
    """A limit on the size of files, as a full disk gives it: neither a traceback nor a lost decision."""
    limit = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += (
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)); from kontrast.cli import main; main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", limit, "review", str(suite_file), "--export", str(suite_file.parent / "out")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "unexpected" not in done.stderr and done.stderr.count("\n") == 1
    assert "cannot be" in done.stderr and "review.sqlite" in done.stderr


def test_hostile_text_is_text(serve: Serve, enter: Enter, tmp_path: Path) -> None:
    pair = (kontrast.Variant(f"gut {EVIL}"), kontrast.Variant(f"schlecht {EVIL}", error=EVIL))
    item = kontrast.Item(
        EVIL, EVIL, pair, source_context=(EVIL,), target_context=(EVIL,), tags={EVIL[:20]: EVIL[:50]}
    )
    other = kontrast.Item("ok", EVIL, (kontrast.Variant("a"), kontrast.Variant("b", error="x")), document=EVIL)
    path = tmp_path / "evil.jsonl"
    kontrast.save(kontrast.Suite(EVIL, (item, other), "en", "de"), path)
    guide = tmp_path / "guide.md"
    guide.write_text(
        f"# Guide\n\n{EVIL}\n\n[x](javascript:alert(1)) ![p](http://evil.example/x.png)\n\n## Reasons\n\n- {EVIL}\n"
    )
    server = serve(path, "--guidelines", guide, "--order", "file")
    page = enter(server, EVIL[:60])
    page.locator(".card").wait_for()
    for view in ("items", "agreement", "adjudicate", "author", "export", ""):
        page.goto(server.address + view)
        page.locator("main > *").first.wait_for()
        assert page.locator("main b", has_text="bold").count() == 0 or view == ""
        assert page.locator("main img, main script, a[href^='javascript']").count() == 0
        assert page.title() != "broken"
    page.locator(".card").wait_for()
    page.keyboard.press("r")
    page.keyboard.press("1")
    page.locator(".count", has_text="1 of 2 decided").wait_for()
    assert EVIL in page.locator("#guide").inner_text().replace("’", "'")


@pytest.mark.parametrize("name", ["app.js", "review.js", "dom.js", "author.js", "items.js", "adjudicate.js"])
def test_no_script_makes_markup(name: str) -> None:
    text = (Path(kontrast.__file__).parent / "review" / "page" / name).read_text("utf-8")
    assert not any(
        word in text for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
    )
