"""Who may ask: the right host, the right cookie, no other site's page. And what the browser may do with answers.

A suite is untrusted text and a browser holds many pages. So: the Host header must be one of ours (a name that some
other site points to this machine is not), every answer but the way in needs the cookie that the token or the password
gives, what changes something needs a header that another site's page cannot send, and the content security policy
lets nothing run or load that this server does not serve.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kontrast.review.keys import Keys

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
            return 421, "This address is not one of this server's."
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
            return 405, "Only GET and POST are answered."
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
