"""Requests to an OpenAI-compatible server: bounded, retried with back-off, counted."""

from __future__ import annotations

import asyncio
import random
from typing import Any, Literal

import msgspec

from kontrast.errors import KontrastError, MissingExtraError

__all__ = ["Answer", "Server", "ServerError", "Style", "Usage"]

Style = Literal["prompt_logprobs", "echo"]
RETRIED = {408, 409, 425, 429, 500, 502, 503, 504}


class ServerError(KontrastError):
    """The server refused, or could not be reached."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Answer(msgspec.Struct, frozen=True):
    """The tokens of a prompt as the server sees them; the first has no log-probability (None).

    ``keys`` tell tokens apart (ids where the server gives them); ``candidates`` are the likeliest tokens listed at
    each place, by text, where asked for. ``closed`` says whether the generated token was listed too (and taken off).
    """

    keys: tuple[str, ...]
    tokens: tuple[str, ...]
    logprobs: tuple[float | None, ...]
    candidates: tuple[dict[str, float], ...] = ()
    closed: bool = False


class Usage(msgspec.Struct):
    """What has been asked so far."""

    requests: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Server:
    """One model on one server. Use within one event loop; `close` when done."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        concurrency: int = 8,
        tries: int = 6,
        timeout: float = 120,
    ) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingExtraError("api", "scoring with an OpenAI-compatible server") from error
        self.url, self.model, self.tries, self.concurrency = url.rstrip("/"), model, tries, concurrency
        self.usage = Usage()
        self.pause = 0.5
        self._failures = (httpx.TransportError,)
        self._chance = random.Random(0)
        limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.AsyncClient(headers=headers, timeout=timeout, limits=limits)

    async def close(self) -> None:
        await self._http.aclose()

    async def models(self) -> list[str]:
        """Names of the models that the server offers."""
        answer = await self._send("GET", "/models", None)
        return [str(entry.get("id")) for entry in answer.get("data", [])]

    async def only_model(self) -> str:
        """The name of the one model that it offers; an error where there are several."""
        names = await self.models()
        if len(names) != 1:
            offered = f"it offers {', '.join(names[:8])}" if names else "it offers none by name"
            raise KontrastError(f"{self.url}: which model? {offered}; write MODEL@{self.url}")
        return names[0]

    async def complete(self, prompt: str, **fields: Any) -> dict[str, Any]:
        """One completion: its first choice, with ``usage`` of the whole answer beside it."""
        payload = {"model": self.model, "prompt": prompt, "temperature": 0, "max_tokens": 1, **fields}
        return await self._choice("/completions", payload)

    async def chat(self, question: str, **fields: Any) -> str:
        """The model's answer to a question."""
        payload = {
            "model": self.model,
            "messages": [{"role": "user", "content": question}],
            "temperature": 0,
            **fields,
        }
        choice = await self._choice("/chat/completions", payload)
        return str((choice.get("message") or {}).get("content") or "")

    async def read(self, prompt: str, style: Style, candidates: int = 0, closed: bool | None = None) -> Answer | None:
        """Log-probabilities of the prompt's own tokens; None where the answer holds none.

        One token is asked for and dropped, since some servers take 0 to mean "without end". ``closed`` says whether
        an echo lists it; None: see from the text.
        """
        if style == "prompt_logprobs":
            choice = await self.complete(prompt, prompt_logprobs=candidates)
            return _from_prompt_logprobs(choice.get("prompt_logprobs"))
        choice = await self.complete(prompt, echo=True, logprobs=max(1, candidates))
        return _from_echo(choice, closed)

    async def _choice(self, path: str, payload: dict[str, Any]) -> dict[str, Any]:
        answer = await self._send("POST", path, payload)
        usage = answer.get("usage") or {}
        self.usage.tokens_in += int(usage.get("prompt_tokens") or 0)
        self.usage.tokens_out += int(usage.get("completion_tokens") or 0)
        choices = answer.get("choices")
        if not choices:
            raise ServerError(f"{self.url}: expected choices in the answer, found {str(answer)[:120]}")
        first: dict[str, Any] = {**choices[0], "usage": usage}
        if "prompt_logprobs" in answer:
            first.setdefault("prompt_logprobs", answer["prompt_logprobs"])
        return first

    async def _send(self, method: str, path: str, payload: dict[str, Any] | None) -> dict[str, Any]:
        """Send until answered: waits twice as long each time, or as long as the server asks."""
        for attempt in range(1, self.tries + 1):
            wait = self.pause * 2 ** (attempt - 1) * (1 + self._chance.random() / 4)
            try:
                self.usage.requests += 1
                response = await self._http.request(method, self.url + path, json=payload)
            except self._failures as error:
                problem, status = f"{type(error).__name__} {error}".strip(), None
            else:
                if response.status_code < 400:
                    try:
                        answer: dict[str, Any] = response.json()
                    except ValueError as error:
                        raise ServerError(f"{self.url}{path}: expected JSON, found {response.text[:80]!r}") from error
                    return answer
                problem, status = f"{response.status_code} {_reason(response)}", response.status_code
                if status not in RETRIED:
                    raise ServerError(f"{self.url}{path}: {problem}", status)
                asked = response.headers.get("retry-after", "")
                wait = float(asked) if asked.replace(".", "", 1).isdigit() else wait
            if attempt < self.tries:
                self.usage.retries += 1
                await asyncio.sleep(wait)
        raise ServerError(f"{self.url}{path}: {problem}, after {self.tries} tries", status)


def _reason(response: Any) -> str:
    """The server's own words, from the shapes in which servers put them."""
    try:
        body = response.json()
    except ValueError:
        return str(response.text)[:200].strip()
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message", error.get("detail", error)) if isinstance(error, dict) else error
    return str(message)[:200]


def _from_prompt_logprobs(listed: Any) -> Answer | None:
    """vLLM's shape: a place per token, null for the first, else token id to {logprob, rank, decoded_token}.

    The prompt's own token comes first at each place; others are candidates.
    """
    if not isinstance(listed, list) or not listed:
        return None
    keys: list[str] = []
    tokens: list[str] = []
    logprobs: list[float | None] = []
    candidates: list[dict[str, float]] = []
    for place in listed:
        if not place:
            keys.append("")
            tokens.append("")
            logprobs.append(None)
            candidates.append({})
            continue
        key, own = next(iter(place.items()))
        keys.append(str(key))
        tokens.append(str(own.get("decoded_token") or ""))
        logprobs.append(_number(own.get("logprob")))
        candidates.append({str(entry.get("decoded_token")): float(entry["logprob"]) for entry in place.values()})
    return Answer(tuple(keys), tuple(tokens), tuple(logprobs), tuple(candidates))


def _from_echo(choice: dict[str, Any], closed: bool | None) -> Answer | None:
    """The classic shape (tokens, token_logprobs, top_logprobs), with the generated tokens taken off its end.

    Most servers list them; llama-cpp-python does so only for models with a begin token.
    """
    listed = choice.get("logprobs")
    if not isinstance(listed, dict) or not listed.get("tokens") or not listed.get("token_logprobs"):
        return None
    if closed is None:
        closed = str(choice.get("text") or "").endswith("".join(map(str, listed["tokens"])))
    made = int(choice["usage"].get("completion_tokens") or 0)
    end = len(listed["tokens"]) - made * closed
    if end < 1:
        return None
    tokens = tuple(map(str, listed["tokens"][:end]))
    candidates = tuple(place or {} for place in (listed.get("top_logprobs") or [])[:end])
    return Answer(tokens, tokens, tuple(map(_number, listed["token_logprobs"][:end])), candidates, closed)


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None
