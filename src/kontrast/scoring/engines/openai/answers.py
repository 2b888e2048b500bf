"""What a server answers about a prompt's own tokens, held against the prompt that it was asked about.

Nothing that does not fit its request gets through: as many numbers as tokens, finite, not above zero, and the tokens
those of the prompt from its first to its last letter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from kontrast.errors import KontrastError

__all__ = ["AnswerError", "PromptReading", "ServerError", "Style", "from_echo", "from_places", "logprob"]

Style = Literal["prompt_logprobs", "echo"]
ABOVE_ZERO = 1e-6
"""Rounding may lift the logarithm of a certain token so far."""


class ServerError(KontrastError):
    """The server refused, or could not be reached."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class AnswerError(ServerError):
    """The server answered, with something that cannot be an answer to the request."""

    def __init__(self, message: str) -> None:
        super().__init__(message, status=200)


class PromptReading(msgspec.Struct, frozen=True):
    """The tokens of a prompt as the server sees them; the first has no log-probability (None).

    ``keys`` tell tokens apart (ids where the server gives them); ``candidates`` are the likeliest tokens listed at
    each place, by text, where asked for. ``closed`` says whether the generated token was listed too (and taken off),
    ``begin`` whether the server put a token of its own before the prompt.
    """

    keys: tuple[str, ...]
    tokens: tuple[str, ...]
    logprobs: tuple[float | None, ...]
    candidates: tuple[dict[str, float], ...] = ()
    closed: bool = False
    begin: bool = False


def from_places(choice: dict[str, Any], prompt: str, url: str, before: str = "") -> PromptReading | None:
    """vLLM's shape: a place per token, null for the first, else token id to {logprob, rank, decoded_token}.

    The prompt's own token comes first at each place; others are candidates.
    """
    listed = choice.get("prompt_logprobs")
    if not isinstance(listed, list) or not listed:
        return None
    keys: list[str] = []
    tokens: list[str] = []
    logprobs: list[float | None] = []
    candidates: list[dict[str, float]] = []
    for number, place in enumerate(listed):
        if place is None or place == {}:
            if number:
                raise AnswerError(f"{url}: no log-probability for token {number + 1} of {prompt[-60:]!r}")
            keys.append("")
            tokens.append("")
            logprobs.append(None)
            candidates.append({})
            continue
        if not isinstance(place, dict) or not all(isinstance(entry, dict) for entry in place.values()):
            raise AnswerError(f"{url}: expected tokens with their log-probabilities, found {str(place)[:80]}")
        entries = [(str(key), _text(entry, key), logprob(entry.get("logprob"), url)) for key, entry in place.items()]
        key, text, value = entries[0]
        if value is None:
            raise AnswerError(f"{url}: no log-probability for token {number + 1} of {prompt[-60:]!r}")
        keys.append(key)
        tokens.append(text)
        logprobs.append(value)
        candidates.append({text: value for _, text, value in reversed(entries) if value is not None})
    begin = _check_text(tokens, prompt, url, before)
    return PromptReading(tuple(keys), tuple(tokens), tuple(logprobs), tuple(candidates), begin=begin)


def from_echo(
    choice: dict[str, Any], prompt: str, url: str, closed: bool | None, before: str = ""
) -> PromptReading | None:
    """The classic shape (tokens, token_logprobs, top_logprobs), with the generated tokens taken off its end.

    Most servers list them; llama-cpp-python does so only for models with a begin token.
    """
    listed = choice.get("logprobs")
    if not isinstance(listed, dict) or not listed.get("tokens") or not listed.get("token_logprobs"):
        return None
    tokens, values, tops = listed["tokens"], listed["token_logprobs"], listed.get("top_logprobs") or []
    if not all(isinstance(part, list) for part in (tokens, values, tops)) or not all(
        isinstance(token, str) for token in tokens
    ):
        raise AnswerError(f"{url}: expected lists of tokens and log-probabilities, found {str(listed)[:80]}")
    if len(values) != len(tokens):
        raise AnswerError(f"{url}: {len(values)} log-probabilities for {len(tokens)} tokens of {prompt[-60:]!r}")
    if closed is None:
        closed = str(choice.get("text") or "").endswith("".join(tokens))
    end = len(tokens) - choice["usage"]["completion_tokens"] * closed
    if end < 1:
        return None
    logprobs = [logprob(value, url) for value in values[:end]]
    candidates = [_candidates(place, url) for place in tops[:end]]
    begin = _check_text(tokens[:end], prompt, url, before)
    return PromptReading(tuple(tokens[:end]), tuple(tokens[:end]), tuple(logprobs), tuple(candidates), closed, begin)


def logprob(value: Any, url: str) -> float | None:
    """A log-probability; None stays None, all else is an error.

    >>> logprob(-1.5, "u"), logprob(None, "u")
    (-1.5, None)
    >>> logprob(True, "u")
    Traceback (most recent call last):
    kontrast.scoring.engines.openai.answers.AnswerError: u: expected a log-probability, found True
    """
    if value is None:
        return None
    try:
        right = not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value)
    except OverflowError:
        right = False
    if not right or value > ABOVE_ZERO:
        raise AnswerError(f"{url}: expected a log-probability, found {str(value)[:40]}")
    return float(value)


def _text(entry: dict[str, Any], key: object) -> str:
    text = entry.get("decoded_token")
    return text if isinstance(text, str) else ""


def _candidates(place: Any, url: str) -> dict[str, float]:
    if place is None:
        return {}
    if not isinstance(place, dict):
        raise AnswerError(f"{url}: expected the likeliest tokens of a place, found {str(place)[:80]}")
    found = {str(token): logprob(value, url) for token, value in place.items()}
    return {token: value for token, value in found.items() if value is not None}


def _check_text(tokens: Sequence[str], prompt: str, url: str, before: str) -> bool:
    """Refuse tokens that are not the prompt's; says whether a begin token stands before them, listed or not.

    Servers write blanks and the bytes of split letters in ways of their own, so the plain letters are compared, and
    of the others that none is there which the prompt has not.
    """
    if before and _plain("".join(tokens)) == _plain(prompt):  # the text before it was read as a begin token
        return True
    prompt = before + prompt
    wanted = _plain(prompt)
    first, rest = _plain(tokens[0]), _plain("".join(tokens[1:]))
    missing = len(wanted) - len(rest)
    begin = False
    if first + rest == wanted:
        begin = not tokens[0] and missing == 0 and len(tokens) > 1
    elif rest == wanted:
        begin = True
    elif tokens[0] or not wanted.endswith(rest) or missing < 0 or len(_front(prompt, missing).split()) > 1:
        raise AnswerError(
            f"{url}: the tokens of the answer are not those of the prompt: {''.join(tokens)[-60:]!r} for "
            f"{prompt[-60:]!r} (was it cut?)"
        )
    whole = "".join(tokens)
    if "\u0120" not in whole:  # else bytes are written as letters
        known = set(prompt) | set("\ufffd\u2581")
        foreign = [letter for letter in "".join(tokens[1:]) if not letter.isascii() and letter not in known]
        if foreign:
            raise AnswerError(f"{url}: the answer has {foreign[0]!r}, which is not in the prompt {prompt[-60:]!r}")
    return begin


def _front(prompt: str, letters: int) -> str:
    """The beginning of a prompt with so many plain letters: one token, where a server does not spell it out."""
    end = 0
    while letters > 0:
        letters -= "!" <= prompt[end] <= "~"
        end += 1
    return prompt[:end]


def _plain(text: str) -> str:
    return "".join(letter for letter in text if "!" <= letter <= "~")
