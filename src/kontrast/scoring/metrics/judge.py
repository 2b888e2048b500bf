"""A language model as judge, through an OpenAI-compatible server: ``judge-da``, ``judge-sqm``, ``judge-pair``,
``judge-error``.

Direct assessment asks for a number from 0 to 100, SQM for one on the same scale with its steps described, both after
GEMBA (Kocmi and Federmann 2023), in words of our own. ``judge-pair`` asks which of two variants is better, in both
orders; a variant's score is its share of the votes. ``judge-error`` asks of each variant whether it has an error, yes
or no, with the answers in both orders; its score is the share of "no". With ``?reference=no`` the judge sees no
reference.
"""

from __future__ import annotations

import asyncio
import operator
import os
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from kontrast.errors import KontrastError
from kontrast.progress import Advance
from kontrast.scoring.engines.openai.choosing import LETTERS, Ballot, choose, read_answer
from kontrast.scoring.engines.openai.server import Server
from kontrast.scoring.engines.openai.settings import read_settings
from kontrast.scoring.languages import language_name
from kontrast.scoring.metrics.metric import Declaration, MetricOptions, Passage, Segment
from kontrast.scoring.template import prompt_texts

TASKS, ANSWERS = prompt_texts("judge-task"), prompt_texts("judge-answer")
CANARY = "Name the capital of France and three other towns in it."
"""Servers that answer this differently are not the same judge."""
WARMTH = (0.0, 0.4, 0.8, 1.0)
"""An answer without one number is asked for again, each time at a higher temperature."""


class Judge:
    """See `kontrast.scoring.metrics.metric.Metric`. Options are also the openai engine's (concurrency, api …)."""

    def __init__(self, name: str, model: str, options: MetricOptions) -> None:
        extra = {"reference": "yes", **options.extra}
        if (said := extra.pop("reference")) not in ("yes", "no"):
            raise KontrastError(f"--metric {name}?reference={said}: expected yes or no")
        if not ("://" in model or extra.get("base_url") or os.environ.get("OPENAI_BASE_URL")):
            raise KontrastError(
                f"--metric {name}: the address of the server is missing. Write {name}:MODEL@http://HOST/v1"
            )
        if options.target_language is None:
            raise KontrastError(f"--metric {name} puts the language into its question: give --target-language CODE")
        self.model, self.url, self.settings = read_settings(model, extra)
        self.name, self.languages = name, (options.source_language or "", options.target_language)
        reference = said == "yes"
        self.declaration = Declaration(
            "needed" if reference else "unused",
            "needed",
            separator="\n",
            references=1 if reference else None,
            rivals=name == "judge-pair",
        )
        self.details = {"judge": self.model or "?", "ref": said}
        self.ballot = Ballot()
        self.asked_again = 0

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        # In a thread of its own: a notebook has a running event loop in this one.
        with ThreadPoolExecutor(1) as thread:
            found = thread.submit(asyncio.run, self._score(segments, advance)).result()
        if self.name in ("judge-pair", "judge-error"):
            if self.ballot.asked and self.ballot.unread == self.ballot.asked:
                raise KontrastError(f"{self.name}: each answer of {self.model} names neither A nor B, or both")
            print(f"{self.name}: {self.ballot}", file=sys.stderr)
            self.details["first_named"] = f"{self.ballot.first}/{self.ballot.asked - self.ballot.unread}"
            if self.ballot.unread:
                self.details["unread"] = f"{self.ballot.unread}/{self.ballot.asked}"
        elif self.asked_again:
            print(
                f"{self.name}: {self.asked_again} questions were repeated, because answers did not have one number",
                file=sys.stderr,
            )
        return found

    async def _score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        server = Server(self.url, self.model, self.settings)
        try:
            await server.find_model()
            self.model = self.details["judge"] = server.model
            if server.endpoints.several:
                await server.endpoints.agreed(lambda: self._ask(server, CANARY, 16, 0.0), operator.eq)
            found: list[tuple[float, ...]] = [()] * len(segments)

            async def score(row: tuple[int, Segment]) -> None:
                found[row[0]] = await self._segment(server, row[1])
                advance(len(row[1].hypotheses))

            await server.each(enumerate(segments), score)
        finally:
            await server.close()
        return found

    async def _segment(self, server: Server, segment: Segment) -> tuple[float, ...]:
        if self.name == "judge-error":
            return tuple([await self._no_error(server, segment, each) for each in segment.hypotheses])
        if self.name != "judge-pair":
            return tuple([await self._number(server, self.question(segment, each)) for each in segment.hypotheses])
        if len(segment.hypotheses) < 2:
            return (0.0,) * len(segment.hypotheses)
        known = {passage.joined: passage for passage in segment.hypotheses}

        async def ask(pair: tuple[str, str], _: int) -> int | None:
            question = self.question(segment, known[pair[0]], known[pair[1]])
            return read_answer(await self._ask(server, question, 8, 0.0), LETTERS)

        votes = await choose([passage.joined for passage in segment.hypotheses], ask, self.ballot)
        return tuple(vote.logprobs[0] for vote in votes)

    async def _no_error(self, server: Server, segment: Segment, hypothesis: Passage) -> float:
        """The share of "no error" among both orders of the answers; half where an answer cannot be read."""
        said = []
        for answers in (("yes", "no"), ("no", "yes")):
            question = self.question(segment, hypothesis, answers=answers)
            named = read_answer(await self._ask(server, question, 8, 0.0), LETTERS)
            self.ballot.count(named)
            said.append(0.5 if named is None else float(answers[named] == "no"))
        self.ballot.pairs += 1
        self.ballot.agreed += said[0] == said[1] != 0.5
        return sum(said) / 2

    async def _number(self, server: Server, question: str) -> float:
        answer = ""
        for warmth in WARMTH:
            answer = await self._ask(server, question, 16, warmth)
            if (value := read_score(answer)) is not None:
                return value
            self.asked_again += 1
        raise KontrastError(
            f"{self.name}: {self.model} gave no number from 0 to 100 in {len(WARMTH)} tries, at last {answer[:80]!r}"
        )

    async def _ask(self, server: Server, question: str, words: int, warmth: float) -> str:
        return (await server.ask(question, max_tokens=words, temperature=warmth))[0]

    def question(self, segment: Segment, *hypotheses: Passage, answers: tuple[str, ...] = ()) -> str:
        """What the judge reads: the task, context where there is any, the texts, and what answer is expected."""
        source, target = map(language_name, self.languages)
        lines = [TASKS[self.name].format(source_language=source or "the source language", target_language=target), ""]
        if segment.source.before:
            lines.append(f"What was said before, in {source}:\n{segment.source.before.strip()}")
        lines.append(f"Source: {segment.source.text}")
        for reference in segment.references:
            lines += _before("the human translation", reference)
            lines.append(f"Human translation: {reference.text}")
        lines += _before("the translation", hypotheses[0])
        labels = ("Translation",) if len(hypotheses) == 1 else ("A", "B")
        lines += [f"{label}: {each.text}" for label, each in zip(labels, hypotheses, strict=True)]
        return "\n".join([*lines, "", ANSWERS[self.name].format(*answers)])


def _before(what: str, passage: Passage) -> list[str]:
    return [f"What was said before, in {what}:\n{passage.before.strip()}"] if passage.before else []


NUMBER = r"(?<![\w.,])-?\d+(?:[.,]\d+)?"
ALONE = re.compile(rf"\W*?(?:[a-z]+\s*:\W*?)?({NUMBER})(?:\s*/\s*100)?\W*", re.I)


def read_score(answer: str) -> float | None:
    """The number that an answer gives, if it is from 0 to 100: alone in its first line, or the only one in it.

    >>> [read_score(text) for text in ("85", "Score: 90. Good", "72.5/100", "**Score: 80**\\n2 errors", "7,5")]
    [85.0, 90.0, 72.5, 80.0, 7.5]
    >>> [read_score(text) for text in ("no idea", "-5", "2024", "From 0 to 100, I give 70.", "1. Verb: 60")]
    [None, None, None, None, None]
    """
    lines = [line for line in answer.splitlines() if line.strip()]
    alone = ALONE.fullmatch(lines[0].strip()) if lines else None
    numbers = {alone[1]} if alone else set(re.findall(NUMBER, re.sub(r"(?:/|out of|of)\s*100\b", "", answer)))
    value = float(numbers.pop().replace(",", ".")) if len(numbers) == 1 else -1.0
    return value if 0 <= value <= 100 else None


load = Judge
