"""Start the server: a port, a lock, a link, the browser."""

from __future__ import annotations

import contextlib
import html
import os
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.review.session import Review

PORT = 8347
FILL_AFTER = 5.0
"""Seconds that the page has to open before words are made searchable."""


def serve_review(
    session: Review,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    password: str | None = None,
    names: Sequence[str] = (),
    hosts: Sequence[str] = (),
    browser: bool = True,
    say: Callable[[str], Any] = lambda text: print(text, file=sys.stderr, flush=True),
) -> None:
    """Run the server until it is interrupted. ``names`` gives each annotator a link; ``hosts`` are further names of
    this machine.

    Addresses other than this machine's loopback need a ``password``.

    >>> import tempfile
    >>> import kontrast
    >>> review = kontrast.open_review(Path(tempfile.mkdtemp()) / "mine.jsonl", new=True, pair="en-pt")
    >>> serve_review(review)  # doctest: +SKIP
    review: http://127.0.0.1:8347/?token=…
    >>> serve_review(review, host="0.0.0.0")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    kontrast.errors.KontrastError: --host 0.0.0.0 allows access from other machines: set a password with ...
    >>> review.close()
    """
    try:
        import uvicorn

        from kontrast.review.app import application
        from kontrast.review.guard import Keys, is_loopback
        from kontrast.review.other_forms import warm
    except ImportError as error:
        raise MissingExtraError("review", "the review app") from error
    local = is_loopback(host)
    if not local and not password:
        raise KontrastError(
            f"--host {host} allows access from other machines: set a password with KONTRAST_REVIEW_PASSWORD or "
            f"--password-file"
        )
    with _lock(session.store.path), _bound(host, port) as listening, contextlib.ExitStack() as ending:
        port = listening.getsockname()[1]
        # Tabs stay open over a restart, so the token is kept with the review, which only its owner can read.
        token = (session.store.get("token") if local else None) or secrets.token_urlsafe(24)
        if local:
            session.store.put(token=token)
        keys = Keys(port, token, password, names)
        shown = f"[{host}]" if ":" in host else host
        ours = {shown, "localhost", "127.0.0.1", "[::1]"} if local else {shown, socket.gethostname(), *hosts}
        named = [f"{name}:{port}" for name in ours] + ([*ours] if port == 80 else []) + list(hosts)
        app = application(session, keys, named, any_address=not local)
        address = f"http://{shown if local else socket.gethostname()}:{port}/"
        links = {"": address} if password is not None else keys.links(address)
        for name, link in links.items():
            say(f"{name or 'review'}: {link}")
        say("press Ctrl+C to stop; every decision is saved immediately")
        # The lexicon of the target language is read before someone asks for other forms.
        threading.Thread(target=warm, args=(session.languages[1],), daemon=True).start()
        stop = threading.Event()
        filling = threading.Thread(target=_fill, args=(session, stop), daemon=True)
        filling.start()
        ending.callback(filling.join)
        ending.callback(stop.set)
        if browser and local:
            page = ending.enter_context(_way_in(session.store.path, next(iter(links.values()))))
            threading.Timer(0.5, _open, [page.absolute().as_uri()]).start()
        config = uvicorn.Config(
            app, log_level="error", access_log=False, server_header=False, date_header=False, lifespan="off"
        )
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


def _fill(session: Review, stop: threading.Event) -> None:
    """Make all words searchable once the page is open; a search does not wait for this, and says what fails here."""
    if not stop.wait(FILL_AFTER):
        with contextlib.suppress(KontrastError):
            session.store.fill(stop)


@contextlib.contextmanager
def _way_in(store: Path, link: str) -> Iterator[Path]:
    """A page beside the store that goes on to the link, while the server runs.

    Every user of the machine sees a browser's command line; this file only its owner can read.
    """
    page = store.with_name(f"{store.name}-open.html")
    page.unlink(missing_ok=True)
    try:
        with open(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(f'<!doctype html><meta http-equiv="refresh" content="0; url={html.escape(link)}">\n')
        yield page
    finally:
        page.unlink(missing_ok=True)


def _open(link: str) -> None:
    import webbrowser

    with contextlib.suppress(Exception):
        webbrowser.open(link)


@contextlib.contextmanager
def _bound(host: str, port: int | None) -> Iterator[socket.socket]:
    """A socket on that port; without one, on ours or, where that is taken, on any."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port,) if port is not None else (PORT, 0):
        # asyncio sends small answers at once only where the protocol is named.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, wanted))
        except OSError as error:
            listening.close()
            if port is not None:
                raise KontrastError(f"cannot listen on {host}:{wanted} ({error.strerror})") from error
            continue
        listening.listen(128)
        with listening:
            yield listening
        return


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """One server for a store; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # not on this system
        yield
        return
    with open(f"{path}-lock", "w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise KontrastError(f"{path}: is open in another kontrast review") from error
        held.write(f"{os.getpid()}\n")
        yield
