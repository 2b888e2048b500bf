"""The servers behind one model: a request goes to the next free place; a dead server rests and is tried again.

Every server has so many places. They lie in one queue, so that a fast server takes more requests than a slow one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

from kontrast.errors import KontrastError
from kontrast.progress import say
from kontrast.scoring.engines.openai.answers import ServerError

LONGEST_WAIT = 60.0
"""A server may ask for hours; after so many seconds it is asked again."""

T = TypeVar("T")
_only: ContextVar[tuple[Endpoint, bool] | None] = ContextVar("only", default=None)
"""The one server that is asked, and whether once only."""


class Endpoint:
    """One server: where it is, until when it rests, whether it must show again that it is the same."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        # A user and a password are sent, and are nowhere else: not in messages, not in a fingerprint.
        self.credentials = (
            (unquote(parts.username or ""), unquote(parts.password or "")) if "@" in parts.netloc else None
        )
        self.url = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])).rstrip("/")
        self.until = 0.0
        self.failures = self.answered = self.in_flight = 0
        self.suspect = self.refused = False
        self.problem = ""
        self.lock = asyncio.Lock()


class Endpoints:
    """``urls`` with ``places`` requests at a time each. ``verify`` asks a server again what `agreed` has asked."""

    def __init__(self, urls: Sequence[str], places: int, tries: int, pause: float) -> None:
        self.all = [Endpoint(url) for url in urls]
        self.pause = pause
        self.tries = tries
        self.verify: Callable[[], Awaitable[bool]] | None = None
        self._places = places
        self._free: asyncio.Queue[Endpoint | None] | None = None

    @property
    def several(self) -> bool:
        return len(self.all) > 1

    @property
    def url(self) -> str:
        """Of the server that is asked alone, else of the first that is used."""
        only = _only.get()
        return only[0].url if only else next((each.url for each in self.all if not each.refused), self.all[0].url)

    @contextmanager
    def alone(self, endpoint: Endpoint, *, once: bool = False) -> Iterator[None]:
        """Requests in this block go to one server, whatever its state; ``once`` without trying again."""
        before = _only.set((endpoint, once))
        try:
            yield
        finally:
            _only.reset(before)

    @property
    def alone_now(self) -> tuple[Endpoint, bool] | None:
        """The one server that is asked, and whether once only."""
        return _only.get()

    async def agreed(self, ask: Callable[[], Awaitable[T]], same: Callable[[T, T], bool]) -> T:
        """What most servers say when each is asked alone; others are refused, one that is dead is tried again later.

        From then on a server that was gone must give this answer before it is used again.
        """
        groups: list[list[tuple[Endpoint, T]]] = []
        problem: KontrastError | None = None
        for endpoint in self.all:
            try:
                with self.alone(endpoint, once=self.several):
                    said = await ask()
            except KontrastError as error:
                problem = error
                if not self.several:
                    raise
                if not (isinstance(error, ServerError) and error.status is None):
                    self.refuse(endpoint, str(error).removeprefix(f"{endpoint.url}: "))
                continue
            mine = next((group for group in groups if same(group[0][1], said)), None)
            groups.append([(endpoint, said)]) if mine is None else mine.append((endpoint, said))
        if not groups:
            raise problem or KontrastError("no server answers")
        groups.sort(key=len, reverse=True)
        if len(groups) > 1 and 2 * len(groups[0]) <= sum(map(len, groups)):
            first, other = groups[0][0][0].url, groups[1][0][0].url
            raise KontrastError(f"{first} and {other} give different answers to the canary: not the same model")
        for group in groups[1:]:
            for endpoint, _ in group:
                self.refuse(
                    endpoint,
                    "its answers to the canary differ from those of the other servers; it may have another model",
                )
        agreed = groups[0][0][1]

        async def verify() -> bool:
            return same(agreed, await ask())

        self.verify = verify
        return agreed

    async def take(self) -> Endpoint:
        """The next server with a free place; give it back with `give_back`."""
        only = _only.get()
        if only is not None:
            return only[0]
        if self._free is None:
            self._free = asyncio.Queue()
            for endpoint in [each for _ in range(self._places) for each in self.all]:
                self._free.put_nowait(endpoint)
        while True:
            found = await self._free.get()
            if found is None:
                self._free.put_nowait(None)
                raise ServerError("no server is left; all were refused (see above)", 200)
            now = asyncio.get_running_loop().time()
            if found.refused:
                continue
            if found.until > now:
                asyncio.get_running_loop().call_later(found.until - now, self._free.put_nowait, found)
                continue
            if not found.suspect:
                return found
            same = False
            try:
                same = await self._same(found)
            finally:
                if not same:
                    self._free.put_nowait(found)
            if same:
                return found
            if all(each.refused or each.failures >= self.tries for each in self.all):
                raise ServerError(f"{found.url}: {found.problem}, after {found.failures} tries")

    def give_back(self, endpoint: Endpoint) -> None:
        if _only.get() is None and self._free is not None:
            self._free.put_nowait(endpoint)

    def rest(self, endpoint: Endpoint, wait: float | None, problem: str, *, broken: bool) -> None:
        """No request to it for a while: as long as asked, else twice as long each time it fails."""
        now = asyncio.get_running_loop().time()
        endpoint.problem = problem
        if endpoint.until <= now:  # else others have failed at the same moment
            endpoint.failures += 1
            if broken and self.several and endpoint.failures == 1:
                _say(f"{endpoint.url} does not answer ({problem}); the run continues without it and tries it again")
        again = min(self.pause * 2 ** min(endpoint.failures - 1, 20), LONGEST_WAIT) if wait is None else wait
        endpoint.until = max(endpoint.until, now + again)
        endpoint.suspect = endpoint.suspect or broken

    def refuse(self, endpoint: Endpoint, reason: str) -> None:
        """Use it no more; an error where it was the only one."""
        endpoint.refused = True
        if all(each.refused for each in self.all):
            if self._free is not None:
                self._free.put_nowait(None)
            raise KontrastError(f"{endpoint.url}: {reason}")
        _say(f"warning: {endpoint.url} is left out: {reason}")

    async def _same(self, endpoint: Endpoint) -> bool:
        """A server that was gone may have come back with another model: its answers must be those it gave before."""
        async with endpoint.lock:
            if endpoint.refused or not endpoint.suspect:
                return not endpoint.refused
            try:
                with self.alone(endpoint, once=self.several):  # the only one may fail now and then
                    same = self.verify is None or await self.verify()
            except ServerError:  # it rests: the request that failed has said so
                return False
            if not same:
                self.refuse(endpoint, "after a restart its answers to the canary differ; it may have another model")
                return False
            endpoint.suspect, endpoint.failures = False, 0
            if self.several:
                _say(f"{endpoint.url} answers again")
            return True


def _say(text: str) -> None:
    """On the terminal, which the server's words in it must not steer."""
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    say(shown)
