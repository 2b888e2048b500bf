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
from kontrast.scoring.engines.openai.spelling import ends_with, first_word, same_text

Style = Literal["prompt_logprobs", "echo", "sglang"]
ABOVE_ZERO = 1e-6
"""Rounding may lift the logarithm of a certain token so far."""
LOWEST = -1000.0
"""No softmax over a vocabulary gives less; servers write -9999 for a token that is not among the likeliest."""
ALL = 1.02
"""What the probabilities of a place may add up to; some servers round them."""


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
    rows: list[tuple[str, str, float | None]] = []
    candidates: list[dict[str, float]] = []
    for number, given in enumerate(listed):
        place = {} if given is None else given
        if not isinstance(place, dict) or not all(isinstance(entry, dict) for entry in place.values()):
            raise AnswerError(f"{url}: expected tokens with their log-probabilities, found {str(place)[:80]}")
        entries = [(str(key), _text(entry), logprob(entry.get("logprob"), url)) for key, entry in place.items()]
        entries = entries or [("", "", None)]
        if number + bool(place) and entries[0][2] is None:
            raise AnswerError(f"{url}: no log-probability for token {number + 1} of {prompt[-60:]!r}")
        rows.append(entries[0])
        candidates.append({text: value for _, text, value in reversed(entries) if value is not None})
    keys, tokens, logprobs = zip(*rows, strict=True)
    _check_values(logprobs, candidates, url)
    begin = _check_text(tokens, prompt, url, before)
    return PromptReading(keys, tokens, logprobs, tuple(candidates), begin=begin)


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
    candidates = [likeliest(place, url) for place in tops[:end]]
    _check_values(logprobs, candidates, url)
    begin = _check_text(tokens[:end], prompt, url, before)
    return PromptReading(tuple(tokens[:end]), tuple(tokens[:end]), tuple(logprobs), tuple(candidates), closed, begin)


def from_sglang(
    answer: dict[str, Any], prompt: str, url: str, start: int = 0, opening: PromptReading | None = None
) -> PromptReading | None:
    """SGLang's shape: [log-probability, id, text] of each token from ``start`` on, the first of them without a value.

    What is before ``start`` is as in the ``opening``. None where the tokens there cannot be the same.
    """
    told = answer.get("meta_info")
    listed = told.get("input_token_logprobs") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(listed, list) or not listed:
        return None
    if not all(isinstance(entry, list) and len(entry) >= 3 and isinstance(entry[2], str) for entry in listed):
        raise AnswerError(
            f"{url}: expected a log-probability, an id and a text for each token, found {listed[0]!s:.80}"
        )
    if told.get("prompt_tokens") != start + len(listed):
        raise AnswerError(
            f"{url}: expected {told.get('prompt_tokens')} tokens for {prompt[-60:]!r}, found {start + len(listed)}"
        )
    keys, tokens = [str(entry[1]) for entry in listed], [entry[2] for entry in listed]
    logprobs = [logprob(entry[0], url) for entry in listed]
    if any(value is None for value in logprobs[1:]):
        raise AnswerError(f"{url}: no log-probability for some token of {prompt[-60:]!r}")
    if opening is not None:
        if keys[0] != opening.keys[start]:
            return None
        logprobs[0] = opening.logprobs[start]
        keys, tokens = [*opening.keys[:start], *keys], [*opening.tokens[:start], *tokens]
        logprobs = [*opening.logprobs[:start], *logprobs]
    _check_values(logprobs, (), url)
    begin = _check_text(tokens, prompt, url, "")
    return PromptReading(tuple(keys), tuple(tokens), tuple(logprobs), begin=begin)


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


def _check_values(logprobs: Sequence[float | None], candidates: Sequence[dict[str, float]], url: str) -> None:
    """Refuse what no softmax gives: numbers that stand for "not among the likeliest", shares of more than all."""
    values = [value for value in logprobs if value is not None]
    if _is_made_up(values):
        raise AnswerError(
            f"{url}: {min(values):g} is not the log-probability of a token; servers write such a number for a "
            f"token that is not among the likeliest: request more tokens, up to the size of the vocabulary, with "
            f"--option top=N"
        )
    if (share := max(map(total_share, candidates), default=0.0)) > ALL:
        raise AnswerError(f"{url}: the probabilities of one token's candidates add up to {share:.2f}")


def _is_made_up(values: Sequence[float]) -> bool:
    """Whether the lowest number stands for "unknown": far too low, the same number again, or one without decimals.

    Of numbers that are not rounded, two are never equal to the last digit, and none is whole.

    >>> _is_made_up([-1.2345678, -999.0]), _is_made_up([-87.3365478, -1.2345678, -87.3365478])
    (True, True)
    >>> _is_made_up([-1.25, -30.5, -30.5]), _is_made_up([-1.2345678, -30.1234567])
    (False, False)
    """
    least = min(values, default=0.0)
    if least > -10:
        return False
    again, others = values.count(least) > 1, [value for value in values if value != least]
    rounded = bool(rounding_of(others))
    return least < LOWEST or (again and least % 10 == 0) or (not rounded and (again or least.is_integer()))


def total_share(candidates: dict[str, float]) -> float:
    """The sum of the probabilities of different tokens at one place, at most 1."""
    return sum(math.exp(min(value, 0.0)) for value in candidates.values())


def rounding_of(values: Sequence[float]) -> str:
    """What all values are multiples of, where it is 0.00001 or more, or the few bits that they have; else empty.

    >>> rounding_of([-1.5, -0.25, -3.12]), rounding_of([-1.5, -2.2, -13.1]), rounding_of([-1.2345678, -2.5, -0.1])
    ('0.01', '0.1', '')
    >>> rounding_of([-1.234375, -10.3125, -0.01361083984375]), rounding_of([-0.00738525390625, -3.064453125])
    ('bfloat16', 'float16')
    """
    for digits in range(6):
        if all(abs(value * 10**digits - round(value * 10**digits)) < 1e-3 for value in values):
            return f"{10**-digits:.{digits}f}"
    bits = {"bfloat16": 8, "float16": 11}
    fitting = (name for name, size in bits.items() if all((math.frexp(v)[0] * 2**size).is_integer() for v in values))
    return next(fitting, "")


def _text(entry: dict[str, Any]) -> str:
    text = entry.get("decoded_token")
    return text if isinstance(text, str) else ""


def likeliest(place: Any, url: str) -> dict[str, float]:
    """The likeliest tokens at a place with their log-probabilities."""
    if place is None:
        return {}
    if not isinstance(place, dict):
        raise AnswerError(f"{url}: expected the likeliest tokens at a position, found {str(place)[:80]}")
    found = {str(token): logprob(value, url) for token, value in place.items()}
    return {token: value for token, value in found.items() if value is not None}


def written_places(choice: dict[str, Any]) -> list[tuple[str, dict[str, float]]]:
    """Each token of an answer with its likeliest rivals, from either form of the protocol; else empty."""
    told = choice.get("logprobs")
    if not isinstance(told, dict):
        return []
    if isinstance(content := told.get("content"), list):
        rows = [(str(c.get("token")), c.get("top_logprobs") or []) for c in content if isinstance(c, dict)]
        return [
            (token, _summed([(str(t.get("token")), t.get("logprob")) for t in tops])) for token, tops in rows if tops
        ]
    tokens, tops = told.get("tokens"), told.get("top_logprobs")
    if not isinstance(tokens, list) or not isinstance(tops, list):
        return []
    return [
        (str(t), _summed(list(top.items()))) for t, top in zip(tokens, tops, strict=False) if isinstance(top, dict)
    ]


def _summed(pairs: Sequence[tuple[str, Any]]) -> dict[str, float]:
    """Token to log-probability; what is no number is left out."""
    return {t: float(v) for t, v in pairs if isinstance(v, int | float) and not isinstance(v, bool) and v <= 1e-3}


def _check_text(tokens: Sequence[str], prompt: str, url: str, before: str) -> bool:
    """Refuse tokens that are not the prompt's; says whether a begin token stands before them, listed or not."""
    if before and same_text(tokens, prompt):  # the text before it was read as a begin token
        return True
    prompt = before + prompt
    rest = tokens[1:]
    if same_text(rest, prompt):
        return True
    if same_text(tokens, prompt):
        return False
    if tokens[0] or not ends_with(rest, prompt, first_word(prompt)):
        raise AnswerError(
            f"{url}: the tokens of the answer are not those of the prompt: {''.join(tokens)[-60:]!r} for "
            f"{prompt[-60:]!r} (was it cut?)"
        )
    return False
