"""Requests to an OpenAI-compatible server: bounded, retried with back-off, counted."""

from __future__ import annotations

import asyncio
import html
import json
import os
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

import msgspec

from kontrast.errors import KontrastError
from kontrast.extras import httpx
from kontrast.progress import say
from kontrast.scoring.engines.openai.answers import (
    AnswerError,
    PromptReading,
    ServerError,
    Style,
    from_echo,
    from_places,
    from_sglang,
)
from kontrast.scoring.engines.openai.endpoints import LONGEST_WAIT, Endpoints
from kontrast.scoring.engines.openai.settings import Settings
from kontrast.scoring.template import conversation

T = TypeVar("T")
PAUSE = 0.5
"""Seconds that a server rests after it failed for the first time."""
LARGEST = 64 << 20
"""Bytes of an answer: a server may send without end, or little that unpacks to much."""
RETRIED = {408, 409, 425, 429, 500, 502, 503, 504}
_INSTEAD = {
    "/completions": "; a server with only a chat interface gives no log-probabilities of a prompt: use --mode choose",
    "/chat/completions": "; for a server without chat use --option api=completions",
}
_OVERLAP = 4
"""So many tokens before the end of an opening are read with every variant."""
_COUNTS = ("prompt_tokens", "completion_tokens")
_MOST_TOKENS = 1 << 40
_PACKINGS = ("", "identity", "gzip")
_HALF = re.compile("[\ud800-\udfff]")
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


class Usage(msgspec.Struct):
    """What has been asked so far."""

    requests: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    """Of the tokens read, those that the server says it had in its prefix cache."""


class Server:
    """One model on a server, or on several (addresses with commas). Use within one event loop; `close` when done."""

    def __init__(self, url: str, model: str, settings: Settings | None = None) -> None:
        self.settings = settings = settings or Settings()
        self.model = model
        self.usage = Usage()
        self.timeout, self.deadline = settings.timeout, settings.deadline
        self.endpoints = Endpoints(url.split(","), settings.concurrency, settings.tries, PAUSE)
        self.concurrency = settings.concurrency * len(self.endpoints.all)
        self._failures = (httpx.RequestError, httpx.InvalidURL, TimeoutError)
        limits = httpx.Limits(max_connections=self.concurrency, max_keepalive_connections=self.concurrency)
        key = os.environ.get("OPENAI_API_KEY")
        headers = {"Accept-Encoding": "gzip", **({"Authorization": f"Bearer {key}"} if key else {})}
        self._http = httpx.AsyncClient(headers=headers, timeout=self.timeout, limits=limits)

    @property
    def url(self) -> str:
        """Where it is; of several, the first."""
        return self.endpoints.url

    async def close(self) -> None:
        await self._http.aclose()

    async def models(self) -> list[str]:
        """Names of the models that the server offers."""
        answer = await self._send("GET", "/models", None)
        listed = answer.get("data")
        entries = listed if isinstance(listed, list) else []
        return [entry["id"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("id"), str)]

    async def find_model(self) -> None:
        """The name of the one model that it offers, or a check of the one that is given: many answer to any name.

        A name that is not on a server's own list is refused; a server without a list is believed.
        """
        if not self.model:
            names = await self.models()
            if len(names) != 1:
                offered = f"the server offers {', '.join(names[:8])}" if names else "the server lists no models"
                raise KontrastError(
                    f"{self.url}: the name of the model is missing; {offered}; write MODEL@{self.url}"
                )
            self.model = names[0]
            return
        if self.settings.unlisted == "yes":
            return
        for endpoint in self.endpoints.all:
            with self.endpoints.alone(endpoint, once=True):
                try:
                    names = await self.models()
                except ServerError:
                    continue
            if names and self.model not in names and f"{self.model}:latest" not in names:
                listed = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
                self.endpoints.refuse(
                    endpoint,
                    f"it has no model {self.model}, but {listed}; write openai:{names[0]}@{endpoint.url}, or "
                    "--option unlisted=yes if it accepts names that it does not list",
                )

    async def complete(self, prompt: str, **fields: Any) -> dict[str, Any]:
        """One completion: its first choice, with ``usage`` of the whole answer beside it."""
        payload = {"model": self.model, "prompt": prompt, "temperature": 0, "max_tokens": 1, **fields}
        return await self._choice("/completions", payload)

    async def chat(self, messages: list[dict[str, str]], **fields: Any) -> dict[str, Any]:
        """The whole answer to a conversation: message, reason of its end, log-probabilities."""
        payload = {"model": self.model, "messages": messages, "temperature": 0, **fields}
        return await self._choice("/chat/completions", payload)

    async def ask(self, question: str, *, likeliest: int = 0, **fields: Any) -> tuple[str, dict[str, Any]]:
        """(text, the whole answer) of a question, by chat or completion as the settings say.

        With ``likeliest`` so many tokens are listed at each place of the answer.
        """
        if self.settings.api == "chat":
            fields |= {"logprobs": True, "top_logprobs": likeliest} if likeliest else {}
            choice = await self.chat(conversation((), question, self.settings.system), **fields)
            return self.said(choice), choice
        choice = await self.complete(question, **fields, **({"logprobs": likeliest} if likeliest else {}))
        return self.text_of(choice.get("text")), choice

    async def each(self, rows: Iterable[T], work: Callable[[T], Awaitable[None]]) -> None:
        """Work on all rows, ``concurrency`` of them at a time; the first error ends it."""
        waiting = iter(rows)

        async def worker() -> None:
            for row in waiting:
                await work(row)

        workers = [asyncio.ensure_future(worker()) for _ in range(self.concurrency)]
        try:
            await asyncio.gather(*workers)
        finally:
            for task in workers:
                task.cancel()

    def said(self, choice: dict[str, Any]) -> str:
        message = choice.get("message")
        if not isinstance(message, dict):
            raise AnswerError(f"{self.url}: expected a message in the answer, found {str(choice)[:120]}")
        return self.text_of(message.get("content"))

    def text_of(self, value: Any) -> str:
        """A text of an answer, empty where it is null; anything else is an error."""
        if value is not None and not isinstance(value, str):
            raise AnswerError(f"{self.url}: expected text in the answer, found {str(value)[:120]}")
        return value or ""

    async def read(
        self, prompt: str, style: Style, candidates: int = 0, closed: bool | None = None, before: str = ""
    ) -> PromptReading | None:
        """Log-probabilities of the prompt's own tokens; None where the answer holds none.

        One token is asked for and dropped, since some servers take 0 to mean "without end". ``closed`` says whether
        an echo lists it; None: see from the text. ``before`` is a begin token written out, which some do not list.
        """
        if style == "sglang":
            return await self.read_from(prompt)
        if style == "prompt_logprobs":
            choice = await self.complete(before + prompt, prompt_logprobs=candidates)
            return from_places(choice, prompt, self.url, before)
        choice = await self.complete(before + prompt, echo=True, logprobs=max(1, candidates))
        return from_echo(choice, prompt, self.url, closed, before)

    async def read_from(self, prompt: str, opening: PromptReading | None = None) -> PromptReading | None:
        """SGLang: what follows the opening, whose last tokens are read again in case one joins with what follows."""
        start = 0 if opening is None else max(0, len(opening.keys) - _OVERLAP)
        asked = {"text": prompt, "sampling_params": {"temperature": 0, "max_new_tokens": 1}}
        fields = {"return_logprob": True, "logprob_start_len": start, "return_text_in_logprobs": True}
        answer = await self._send("POST", "/generate", {**asked, **fields})
        told = answer.get("meta_info")
        if isinstance(told, dict):
            self.usage.tokens_in += _count(told.get("prompt_tokens"))
            self.usage.tokens_out += _count(told.get("completion_tokens"))
            self.usage.cached += _count(told.get("cached_tokens"))
        found = from_sglang(answer, prompt, self.url, start, opening if start else None)
        return await self.read_from(prompt) if found is None and start else found

    async def _choice(self, path: str, payload: dict[str, Any]) -> dict[str, Any]:
        answer = await self._send("POST", path, payload)
        told = answer.get("usage")
        usage = {key: _count(told.get(key)) if isinstance(told, dict) else 0 for key in _COUNTS}
        self.usage.tokens_in += usage["prompt_tokens"]
        self.usage.tokens_out += usage["completion_tokens"]
        choices = answer.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise AnswerError(f"{self.url}: expected choices in the answer, found {str(answer)[:120]}")
        first: dict[str, Any] = {**choices[0], "usage": usage}
        if "prompt_logprobs" in answer:
            first.setdefault("prompt_logprobs", answer["prompt_logprobs"])
        return first

    async def _send(self, method: str, path: str, payload: dict[str, Any] | None) -> dict[str, Any]:
        """Send until answered, all tries within the deadline."""
        try:
            async with asyncio.timeout(self.deadline):
                return await self._tried(method, path, payload)
        except TimeoutError:
            raise ServerError(f"{self.url}{path}: no complete answer within {self.deadline:g} s", None) from None

    async def _tried(self, method: str, path: str, payload: dict[str, Any] | None) -> dict[str, Any]:
        """After a failure the server rests, twice as long each time or as long as it asks; others go on."""
        alone = self.endpoints.alone_now
        tries = 1 if alone and alone[1] else self.endpoints.tries
        for attempt in range(1, tries + 1):
            endpoint = await self.endpoints.take()
            own = endpoint.url.removesuffix("/v1") if path == "/generate" else endpoint.url
            url, wait, broken = own + path, None, False
            status: int | None = None
            endpoint.in_flight += 1
            try:
                self.usage.requests += 1
                async with asyncio.timeout(self.timeout):  # for the whole answer, however slowly it comes
                    code, headers, body = await self._asked(method, url, payload, endpoint.credentials)
            except self._failures as error:
                problem = f"{type(error).__name__} {error}".strip()
                broken = not isinstance(error, TimeoutError)
            else:
                status = code
                if code < 400:
                    answer = _read(url, body)
                    if answer is not None:
                        endpoint.failures, endpoint.answered = 0, endpoint.answered + 1
                        return answer
                    problem = f"expected JSON, found {_shown(body)[:80]!r}"
                else:
                    problem = f"{status} {_reason(body)}"
                    if status == 404 and not endpoint.url.endswith("/v1"):
                        problem += "; most addresses end in /v1"
                    if status in (404, 405, 501):
                        problem += _INSTEAD.get(path, "")
                    if status not in RETRIED:
                        raise ServerError(f"{url}: {problem}", status)
                    wait = self._asked_wait(endpoint.url, headers.get("retry-after", ""))
            finally:
                endpoint.in_flight -= 1
                self.endpoints.give_back(endpoint)
            self.endpoints.rest(endpoint, wait, problem, broken=broken)
            if attempt < tries:
                self.usage.retries += 1
                if alone:
                    await asyncio.sleep(max(0.0, endpoint.until - asyncio.get_running_loop().time()))
        raise ServerError(f"{url}: {problem}, after {tries} tries", status)

    async def _asked(
        self, method: str, url: str, payload: dict[str, Any] | None, credentials: tuple[str, str] | None
    ) -> tuple[int, Any, bytes]:
        """(status, headers, body) of one request, the body up to `LARGEST` bytes."""
        async with self._http.stream(method, url, json=payload, auth=credentials) as response:
            packing = response.headers.get("content-encoding", "").strip().lower()
            if packing not in _PACKINGS:
                raise AnswerError(f"{url}: the answer is packed as {packing[:40]!r}, which was not requested")
            body = bytearray()
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > LARGEST:
                    raise AnswerError(f"{url}: the answer has more than {LARGEST >> 20} MB")
            return response.status_code, response.headers, bytes(body)

    def _asked_wait(self, url: str, asked: str) -> float | None:
        """Seconds that the server asks for, within reason; a date or anything else is not counted."""
        if not _SECONDS.fullmatch(asked):
            return None
        seconds = min(float(asked), LONGEST_WAIT)
        if seconds >= 5:
            say(f"{url} asks to wait {asked} s: waiting {seconds:.0f} s")
        return seconds

    @property
    def in_flight(self) -> int:
        return sum(endpoint.in_flight for endpoint in self.endpoints.all)


def _read(url: str, body: bytes) -> dict[str, Any] | None:
    """The answer; None where it is no JSON: it broke off on the way, or a proxy answered with a page."""
    try:
        answer = json.loads(body)
        halved = b"\\ud" in body.lower() and _HALF.search(json.dumps(answer, ensure_ascii=False))
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict):
        raise AnswerError(f"{url}: expected a JSON object, found {str(answer)[:80]}")
    if halved:
        raise AnswerError(f"{url}: the answer contains an incomplete character")
    return answer


def _shown(body: bytes) -> str:
    """What a page says, without its tags: a proxy's error is often one.

    >>> _shown(b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx</body></html>")
    '502 Bad Gateway'
    >>> _shown(b"model not loaded")
    'model not loaded'
    """
    text = body[:5000].decode("utf-8", "replace")
    if re.match(r"\s*<(?:!doctype|html|head|body|h1)\b", text, re.IGNORECASE):
        title = re.search(r"(?is)<title[^>]*>(.*?)</title>", text)
        text = title[1] if title else re.sub(r"(?is)<(style|script)\b.*?</\1>|<[^>]*>", " ", text)
    return " ".join(html.unescape(text).split())


def _reason(body: bytes) -> str:
    """The server's own words, from the shapes in which servers put them."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return _shown(body)[:200]
    error = told.get("error", told) if isinstance(told, dict) else told
    message = error.get("message", error.get("detail", error)) if isinstance(error, dict) else error
    return str(message)[:200]


def _count(value: Any) -> int:
    """A number of tokens, 0 where it is none."""
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_TOKENS
    return value if known else 0
