"""Can this server's log-probabilities be trusted? Asked before every run, with a few short requests.

Three questions: are they there, do they vary, and are they not rounded away; does the server report, for its own
most likely next token, the probability that it gave it when generating; is a sentence likelier than the same words
garbled. The second catches what no total shows: numbers that stand at the wrong token (llama-cpp-python 0.3.36
answers ``echo`` for models without a begin token with the distribution of the *next* place).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engines.openai.answers import (
    ALL,
    AnswerError,
    PromptReading,
    ServerError,
    Style,
    likeliest,
    logprob,
    rounding_of,
    total_share,
)
from kontrast.scoring.engines.openai.server import Server
from kontrast.scoring.engines.openai.settings import Settings
from kontrast.scoring.tables import near
from kontrast.scoring.template import prompt_texts

OPENINGS, SENTENCES, GARBLED = prompt_texts("canary").values()
REFUSED = (401, 403, 404)
LISTED = 5
"""Candidates that a generated token is asked for with: the protocol's limit."""
TOLERANCE = 0.25
"""Of a log-probability: generating and reading run through different kernels, and quantised models differ more."""


class CanaryError(KontrastError):
    """The server's log-probabilities cannot be used; the message says why and what to do."""


class ServerReading(msgspec.Struct, frozen=True):
    """How to read this server: which request, what stands before each prompt, and a correction if one was verified.

    ``correction`` "candidates": a token's value is looked up among the candidates listed at the token before.
    ``closed``: the server lists the generated token after those of the prompt; None: not known yet.
    ``begin``: it puts a begin token first. ``rounded``: to what its values are, where that shows. ``answers``: its
    values for the sentences below.
    """

    style: Style
    before: str = ""
    correction: str = "none"
    candidates: int = 0
    closed: bool | None = None
    begin: bool = False
    rounded: str = ""
    answers: tuple[float, ...] = ()

    def like(self, other: ServerReading) -> bool:
        """Whether two servers are read the same way and answer the same."""
        same = msgspec.structs.replace(self, answers=()) == msgspec.structs.replace(other, answers=())
        return same and near(self.answers, other.answers)

    async def read(self, server: Server, prompt: str, opening: PromptReading | None = None) -> PromptReading | None:
        """``opening`` is what the prompt begins with, already read, for a server that can go on from there."""
        if self.style == "sglang" and opening is not None:
            return await server.read_from(prompt, opening)
        answer = await server.read(prompt, self.style, self.candidates, self.closed, self.before)
        if answer is not None and self.begin and not answer.begin:
            raise AnswerError(f"{server.url}: the answer lacks the begin token or the beginning of {prompt[:60]!r}")
        return _moved(answer) if answer and self.correction == "candidates" else answer


def _moved(answer: PromptReading) -> PromptReading:
    values: list[float | None] = [None]
    for i in range(1, len(answer.tokens)):
        listed = answer.candidates[i - 1] if answer.candidates else {}
        values.append(listed.get(answer.tokens[i], math.nan if listed else None))
    return msgspec.structs.replace(answer, logprobs=tuple(values))


_SHIFTED = "the values belong to the neighbouring token"


async def choose_reading(server: Server, settings: Settings) -> ServerReading:
    """The first way of reading that passes; `CanaryError` with every reason where none does."""
    reasons = []
    for style in settings.styles:
        plain = await _begin(server, style, settings.bos, settings.top)
        plain, reason = await _tried(server, plain)
        if reason is None:
            return plain
        if settings.correct and _SHIFTED in reason:
            moved = msgspec.structs.replace(plain, correction="candidates", candidates=settings.correct)
            moved, after = await _tried(server, moved)
            if after is None:
                return moved
            reason += f"; looked up one position earlier among {settings.correct} candidates: {after}"
        reasons.append(f"{style}: {reason}")
    raise CanaryError(
        f"{server.url} ({server.model}) gives no reliable log-probabilities of a prompt: "
        f"{'; '.join(reasons)}. Try --option bos=TOKEN (the model's begin token, if the server adds none), use "
        "--mode choose, or another server"
    )


async def _begin(server: Server, style: Style, before: str, top: int) -> ServerReading:
    """Plain ASCII shows whether the generated token is listed; pieces of other letters would hide it."""
    try:
        answer = await server.read(SENTENCES[0], style, top, before=before)
    except ServerError as error:
        if error.status is None or error.status in REFUSED:
            raise
        answer = None
    if answer is None:
        return ServerReading(style, before, candidates=top)
    return ServerReading(style, before, candidates=top, closed=answer.closed, begin=answer.begin)


async def _tried(server: Server, reading: ServerReading) -> tuple[ServerReading, str | None]:
    """The reading with its answers, and None where all is well, else the reason in half a sentence."""
    try:
        answers = [await reading.read(server, text) for text in SENTENCES]
        reason = next(filter(None, map(_unusable, answers)), None)
        reason = reason or await _out_of_place(server, reading) or await _blind(server, reading, answers)
    except ServerError as error:
        if error.status is None or error.status in REFUSED:
            raise
        return reading, f"refused ({error})"
    values = tuple(value for answer in answers if answer for value in answer.logprobs if value is not None)
    rounded = rounding_of(values)
    if reason is None and rounded in ("1", "0.1"):
        reason = f"rounded to {rounded}, which hides small differences"
    told = "" if rounded in ("0.0001", "0.00001") else rounded  # of no weight
    return msgspec.structs.replace(reading, answers=values, rounded=told), reason


def _unusable(answer: PromptReading | None) -> str | None:
    """Missing or constant."""
    if answer is None or len(answer.logprobs) < 4:
        return "missing from the answer"
    # Nothing comes before the first token; looked up one position earlier, nothing is listed for the second.
    values = answer.logprobs[2 if answer.logprobs[1] is None else 1 :]
    if any(value is None for value in values):
        return "missing for some tokens (--option top=N lets the server list more of them)"
    if any(math.isnan(value) for value in values if value is not None):
        return "not among the candidates for some tokens"
    numbers = [value for value in values if value is not None]
    if max(numbers) > 1e-6:
        return f"not log-probabilities (one is {max(numbers):.3g})"
    if max(numbers) - min(numbers) < 1e-6:
        return f"constant ({numbers[0]:.4g} at every token)"
    return None


async def _out_of_place(server: Server, reading: ServerReading) -> str | None:
    """Compare what the server generates next, and how likely it said that was, with what it reports on reading it."""
    compared, wrong, shifted = 0, 0, 0
    silent, blank = 0, 0
    for opening in OPENINGS:
        made = await _generated(server, reading.before + opening)
        candidates, own = _first(made, server.url)
        if (share := total_share(candidates)) > ALL:
            return f"not log-probabilities: the likeliest tokens after {opening!r} add up to {share:.2f}"
        text = str(made.get("text") or "")
        alone, answer = (await reading.read(server, opening), await reading.read(server, opening + text))
        silent += own is None
        blank += own is not None and not text.strip()
        if alone is None or answer is None or own is None or not text.strip():
            continue
        at = len(alone.tokens)
        if (
            len(answer.tokens) != at + 1
            or answer.keys[:at] != alone.keys
            or answer.tokens[at].strip() != text.strip()
        ):
            continue  # read back, the token came out in other pieces
        compared += 1
        value = answer.logprobs[at]
        if value is None or math.isnan(value) or abs(value - own) > TOLERANCE:
            wrong += 1
            earlier = answer.candidates[at - 1].get(answer.tokens[at]) if answer.candidates else None
            shifted += any(
                found is not None and abs(found - own) <= TOLERANCE for found in (earlier, alone.logprobs[-1])
            )
    if compared < 2:
        why = "in a prompt it has other tokens"
        if silent or blank:
            what = "it gives no log-probability during generation" if silent >= blank else "it is blank"
            why = f"{what} for {max(silent, blank)} of {len(OPENINGS)} openings"
        return f"the server's own next token could not be compared ({why})"
    count = f"for {wrong} of {compared} openings the"
    if shifted > compared / 2:
        return f"shifted: {_SHIFTED} ({count} probability of the server's own next token is not at that token)"
    if wrong:
        return f"shifted: {count} value at the server's own next token is not the probability from generation"
    return None


async def _generated(server: Server, prompt: str) -> dict[str, object]:
    """The next token, with some candidates where the server lists them."""
    try:
        return await server.complete(prompt, logprobs=LISTED)
    except ServerError as error:
        if error.status not in (400, 422):
            raise
    return await server.complete(prompt, logprobs=1)


def _first(choice: dict[str, object], url: str) -> tuple[dict[str, float], float | None]:
    """The candidates of the token that was generated, and its own log-probability."""
    told = choice.get("logprobs")
    kinds = [told.get(key) if isinstance(told, dict) else None for key in ("top_logprobs", "token_logprobs")]
    place, value = (kind[0] if isinstance(kind, list) and kind else None for kind in kinds)
    return likeliest(place if isinstance(place, dict) else None, url), logprob(value, url)


async def _blind(server: Server, reading: ServerReading, answers: Sequence[PromptReading | None]) -> str | None:
    """Sentences must beat the same words garbled, by the mean of a token."""
    lost = 0
    for answer, text in zip(answers, GARBLED, strict=True):
        garbled = await reading.read(server, text)
        reason = _unusable(garbled)
        if reason:
            return reason
        lost += _mean(answer) <= _mean(garbled)
    if 2 * lost >= len(SENTENCES):
        return f"a sentence is no likelier than the same words garbled ({lost} of {len(SENTENCES)} times)"
    return None


def _mean(answer: PromptReading | None) -> float:
    values = [value for value in answer.logprobs if value is not None] if answer else []
    return sum(values) / len(values) if values else -math.inf
