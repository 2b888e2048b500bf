"""Who may ask: the right host, the right cookie, no other site's page. And what the browser may do with answers.

A suite is untrusted text and a browser holds many pages. So: the Host header must be one of ours (a name that some
other site points to this machine is not), every answer but the way in needs the cookie that the token or the password
gives, what changes something needs a header that another site's page cannot send, and the content security policy
lets nothing run or load that this server does not serve.

The token and the password, what they open, and how long who guesses has to wait.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "x-kontrast-review"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), clipboard-read=()",
}
LONGEST = 4_000_000
"""Bytes of a request; a pasted table is the longest that there is."""


class Guard:
    """Stands before the application; lets pass what may."""

    OPEN = ("/", "/login")

    def __init__(self, app: ASGIApp, keys: Keys, hosts: Collection[str], *, any_address: bool = False) -> None:
        self.app, self.keys, self.hosts, self.any_address = app, keys, frozenset(hosts), any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        if refused:
            await PlainTextResponse(refused[1] + "\n", refused[0])(scope, receive, sending)
        else:
            await self.app(scope, receive, sending)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        if not self._is_ours(headers.get("host", "")):
            return 421, "This address does not belong to this server."
        length = headers.get("content-length", "0")
        if (
            not (length.isascii() and length.isdigit())
            or len(length) > 12
            or int(length) > LONGEST
            or "transfer-encoding" in headers
        ):
            return 413, "The request is too long."
        cookie = cookie_parser(headers.get("cookie", "")).get(self.keys.cookie, "")
        scope["review_cookie"] = cookie
        path, method = scope["path"], scope["method"]
        safe = method in ("GET", "HEAD")
        if not safe and method != "POST":
            return 405, "The server accepts only GET and POST."
        if not safe and not self._same_origin(headers):
            return 403, "The request comes from another site."
        if path in self.OPEN or path.startswith("/static/"):
            return None
        if not self.keys.knows(cookie):
            return None if safe and not path.startswith("/api/") else (401, "Open the link that kontrast printed.")
        if not safe and headers.get(HEADER) != "1":
            return 403, f"The header {HEADER} is missing."
        return None

    def _is_ours(self, host: str) -> bool:
        if host in self.hosts:
            return True
        if not self.any_address:
            return False
        # A number cannot be pointed elsewhere, a name can.
        try:
            ipaddress.ip_address(urlsplit(f"//{host}").hostname or "")
        except ValueError:
            return False
        return True

    def _same_origin(self, headers: Headers) -> bool:
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc == headers.get("host")


FREE = 3
"""Wrong passwords that cost nothing: people mistype."""
LONGEST_WAIT = 30.0
FORGOTTEN = 900.0
"""Seconds after which wrong passwords of an address no longer count."""


class Keys:
    """The token and the password, and what they open. ``names`` gives each annotator a token of their own."""

    def __init__(
        self,
        port: int,
        token: str | None,
        password: str | None = None,
        names: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.cookie = f"kontrast_review_{port}"
        self.password = password
        self.token = token or secrets.token_urlsafe(24)
        self.names = {self._token(name): name for name in names}
        self._sessions: set[str] = set()
        self._lock = threading.Lock()
        self._clock = clock
        self._wrong: dict[str, list[float]] = {}

    def _token(self, name: str) -> str:
        return hmac.new(self.token.encode(), name.encode(), hashlib.sha256).hexdigest()[:32]

    def links(self, address: str) -> dict[str, str]:
        """The address that lets each annotator in; under "" the one for whoever has no name."""
        if self.names:
            return {name: f"{address}?token={token}" for token, name in self.names.items()}
        return {"": f"{address}?token={self.token}"}

    def enter(self, token: str) -> str | None:
        """The cookie that a token gives."""
        if self.password is not None:
            return None
        for known in self.names or (self.token,):
            if hmac.compare_digest(known.encode(), token.encode()):
                return known
        return None

    def wait(self, sender: str) -> float:
        """Seconds that the next try of this address has to wait; those of other addresses do not.

        >>> keys = Keys(1, None, "open", clock=lambda: 0.0)
        >>> [keys.login("wrong", "10.0.0.1") for _ in range(5)] == [None] * 5
        True
        >>> keys.wait("10.0.0.1"), keys.wait("10.0.0.2")
        (2.0, 0.0)
        """
        with self._lock:
            tries = len(self._recent(network_of(sender)))
        return min(LONGEST_WAIT, 0.5 * 2.0 ** (tries - FREE)) if tries > FREE - 1 else 0.0

    def login(self, password: str, sender: str) -> str | None:
        """The cookie that the password gives. A wrong one makes the next try of this address wait."""
        with self._lock:
            if self.password is None:
                return None
            network = network_of(sender)
            wrong = self._recent(network)
            if not hmac.compare_digest(self.password.encode(), password.encode()):
                self._wrong[network] = [*wrong, self._clock()]
                return None
            self._wrong.pop(network, None)
            session = secrets.token_urlsafe(24)
            self._sessions.add(session)
            return session

    def _recent(self, network: str) -> list[float]:
        """When this network was wrong of late; what is long ago is forgotten, of everybody."""
        since = self._clock() - FORGOTTEN
        self._wrong = {of: kept for of, at in self._wrong.items() if (kept := [when for when in at if when > since])}
        return self._wrong.get(network, [])[-16:]

    def knows(self, cookie: str) -> bool:
        if self.password is not None:
            return cookie in self._sessions
        return self.enter(cookie) is not None

    def name(self, cookie: str) -> str | None:
        """The annotator whose link this is."""
        return self.names.get(cookie)


def network_of(sender: str) -> str:
    """Who sends: an address, and of IPv6 its network, since one machine has as many addresses as it likes."""
    try:
        address = ipaddress.ip_address(sender)
    except ValueError:
        return sender
    return sender if address.version == 4 else str(ipaddress.ip_network(f"{address}/64", strict=False))


def is_loopback(host: str) -> bool:
    """
    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
