"""Engine ``openai``: any OpenAI-compatible server (vLLM, llama-cpp-python …), by log-probabilities of the prompt.

``openai:MODEL@http://HOST:PORT/v1``. A canary runs first and refuses servers whose numbers cannot be trusted;
``--mode choose`` asks for a forced choice instead. Several templates at once give the mean, and how much the
choice of template matters.
"""

from __future__ import annotations

import asyncio
import math
import operator
import queue
import sys
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import say
from kontrast.scoring.engine import Engine, EngineOptions, Group, Identity, Scored, Supports, Target
from kontrast.scoring.engines.openai import prompts
from kontrast.scoring.engines.openai.answers import AnswerError, PromptReading
from kontrast.scoring.engines.openai.asking import Asker
from kontrast.scoring.engines.openai.canary import ServerReading, choose_reading
from kontrast.scoring.engines.openai.server import Server
from kontrast.scoring.engines.openai.settings import read_settings
from kontrast.scoring.fingerprint import combine
from kontrast.scoring.template import Template
from kontrast.scoring.translator import Decoding, Translation, Translator, Written, with_decoding
from kontrast.scoring.trie import less_opening, shared_start
from kontrast.suites.model import TokenScores

T = TypeVar("T")


class OpenAIEngine(Engine, Translator):
    """See `kontrast.scoring.engine.Engine`. Requests run in an event loop of their own, in a thread."""

    def __init__(self, name: str, asked: str, options: EngineOptions) -> None:
        model, url, settings = read_settings(asked, options.extra)
        self.name, self.settings = name, settings
        self.templates = prompts.templates(options.template if settings.mode == "score" else None)
        if not options.target_language:
            raise KontrastError(
                f"the {name} engine puts the target language into the prompt: give --target-language CODE"
            )
        self.options = options = msgspec.structs.replace(options, source_language=options.source_language or "en")
        self.languages = (options.source_language, options.target_language)
        self.server = Server(url, model, settings)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._run(self.server.find_model())
        except BaseException:
            self.close()
            raise
        self.model = self.server.model
        self.asker = None if settings.mode == "score" else Asker(self.server, settings, options)
        rivals, prompt = settings.mode == "choose", self.asker is None
        self.supports = Supports(
            tokens=prompt, prefix=prompt, sharing=("prompt",) * prompt, prompted=True, rivals=rivals
        )
        self.reading: ServerReading | None = None
        self.spread = prompts.Spread(tuple(template.name for template in self.templates))
        self.details = self.asker.details if self.asker else {"prompt": "+".join(self.spread.names)}
        if self.asker is None and options.examples:
            self.details["shots"] = str(len(options.examples))
        self._servers = {"servers": str(len(self.server.endpoints.all))} if self.server.endpoints.several else {}
        self.details |= self._servers

    def identify(self) -> Identity:
        """Name, address, prompts and the server's answers to the canary: another model behind the name is another."""
        settings = self.settings
        known = [self.name, self.model, self.server.url, settings.mode, *self.languages]
        if (asker := self.asker) is not None:
            said = self._run(self.server.endpoints.agreed(asker.canary, operator.eq))
            if asker.constant:
                say(
                    f"warning: {self.model} gives the same letter for a sentence and the same words "
                    f"garbled, in both orders, {len(said)} times: it chooses by position, not by text"
                )
            asked = [asker.template, settings.system, self.options.examples, "votes told"]
            return Identity(combine(*known, settings.api, asked, asker.details, said))
        reading = self._canary()
        read = [settings.bos, reading.style, reading.correction, reading.candidates, reading.begin]
        asked = [template.text for template in self.templates]
        shots = [self.options.examples] if self.options.examples else []
        return Identity(combine(*known, read, asked, "less the opening", *shots), reading.answers)

    def render(self, group: Group) -> str:
        if self.asker is not None:
            return self.asker.render(group)
        return "\n---\n".join(prompts.make_prompt(t, group, Target(""), self.options).given for t in self.templates)

    def prepare(self, groups: Sequence[Group]) -> None:
        """Canary, then an estimate of tokens and cost; refuses where either says so."""
        if not groups:
            return
        alone = next((group for group in groups if len(group.targets) < 2), None)
        if self.settings.mode == "choose" and alone:
            raise KontrastError(f"mode=choose needs two variants to choose from; {alone.source[:60]!r} has one")
        if self.asker is None:
            self._canary()
        self._estimate(groups)

    def _canary(self) -> ServerReading:
        """How to read this server; asked once."""
        settings = self.settings
        if self.reading is None:
            self.reading = self._run(
                self.server.endpoints.agreed(lambda: choose_reading(self.server, settings), ServerReading.like)
            )
            self.details["logprobs"] = self.reading.style
            self.details["bos"] = settings.bos or ("yes" if self.reading.begin else "no")
            if self.reading.correction != "none":
                self.details["corrected"] = self.reading.correction
            if self.reading.rounded:
                self.details["rounded"] = self.reading.rounded
                say(
                    f"warning: {self.server.url}: log-probabilities are rounded ({self.reading.rounded}): "
                    "variants with nearly equal probabilities cannot be distinguished"
                )
        return self.reading

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        """Yield groups as they finish; ``concurrency`` of them are under way at once."""
        if self.asker is None:
            self._canary()
        left = [(index, group) for index, group in enumerate(groups) if index not in done]
        return self._spread_out(left, self._score_group)

    def identify_translator(self, decoding: Decoding) -> Identity:
        """Name, address, prompts and how it translates a few fixed sentences, or the name that the user gives."""
        settings = self.settings
        said: list[str] = [settings.fingerprint]
        if not settings.fingerprint:

            async def written() -> list[str]:
                groups = [Group(sentence, (Target(""),), sentence) for sentence in prompts.SENTENCES]
                return [(await self._write(group, Decoding(max_length=32))).text for group in groups]

            said = self._run(self.server.endpoints.agreed(written, operator.eq))
        asked = [settings.api, settings.system, self.options.template, self.options.examples, prompts.ASKED]
        self.details = {"api": settings.api, "shots": str(len(self.options.examples)), **decoding.facts(1)}
        self.details |= self._servers
        known = [self.name, self.model, self.server.url, *self.languages, asked, said]
        return with_decoding(Identity(combine(*known)), decoding, 1)

    def question(self, group: Group) -> str:
        if self.settings.api == "chat":
            asked = prompts.messages(group, self.options, self.chat, self.settings.system)
            return msgspec.json.encode(asked).decode()
        return prompts.prompt_of(group, self.options, self.chat or self.templates[0])

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        left = [(index, group) for index, group in enumerate(groups) if index not in done]
        return self._spread_out(left, lambda group: self._write(group, decoding))

    async def _write(self, group: Group, decoding: Decoding) -> Translation:
        """One translation; an answer that ended for its length is marked as cut."""
        server, options, search = self.server, self.options, prompts.search_fields(decoding)
        if self.settings.api == "chat":
            choice = await server.chat(prompts.messages(group, options, self.chat, self.settings.system), **search)
            return Translation(server.said(choice), choice.get("finish_reason") == "length")
        template = self.chat or self.templates[0]
        closing = template.close(group, options)
        stop = "\n" if not closing or closing.startswith("\n") else closing
        choice = await server.complete(prompts.prompt_of(group, options, template), **search, stop=[stop])
        said = server.text_of(choice.get("text")).partition(stop)[0].strip()
        return Translation(said, choice.get("finish_reason") == "length")

    @property
    def chat(self) -> Template | None:
        """The template of a question to a chat; None: the built-in ones, with or without context."""
        if not (asked := self.options.template):
            return None
        if len(found := prompts.templates(asked)) > 1:
            raise KontrastError(f"--template {asked}: a translation has one template; name one of them")
        return found[0]

    def _spread_out(
        self, left: Sequence[tuple[int, Group]], ask: Callable[[Group], Coroutine[Any, Any, T]]
    ) -> Iterator[tuple[int, T]]:
        finished: queue.Queue[tuple[int, T] | BaseException | None] = queue.Queue()

        async def one(row: tuple[int, Group]) -> None:
            finished.put((row[0], await ask(row[1])))

        async def every() -> None:
            try:
                await self.server.each(left, one)
                finished.put(None)
            except BaseException as error:
                finished.put(error)

        began = time.monotonic()
        work = asyncio.run_coroutine_threadsafe(every(), self._loop)
        try:
            while (result := finished.get()) is not None:
                if isinstance(result, BaseException):
                    raise result
                yield result
        finally:
            work.cancel()
        self._say(self._summary(time.monotonic() - began))

    def close(self) -> None:
        if not self._loop.is_closed():
            self._run(self.server.close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _score_group(self, group: Group) -> tuple[TokenScores, ...]:
        if self.asker is not None:
            return await self.asker.score(group)
        by_template = [await self._score_template(template, group) for template in self.templates]
        self.spread.add([[sum(row.logprobs) for row in rows] for rows in by_template])
        return tuple(prompts.mean_of(rows) for rows in zip(*by_template, strict=True))

    async def _score_template(self, template: Template, group: Group) -> list[TokenScores]:
        openings: dict[str, PromptReading] = {}
        rows = []
        for target in group.targets:
            prompt = prompts.make_prompt(template, group, target, self.options)
            try:
                if prompt.opening not in openings:
                    openings[prompt.opening] = await self._read(prompt.opening)
                opening = openings[prompt.opening]
                rows.append(self._after(opening, await self._read(prompt.whole, opening), prompt))
            except AnswerError as error:
                raise AnswerError(f"{target.text[:60]!r} for {group.source[:60]!r}: {error}") from error
        return rows

    async def _read(self, text: str, opening: PromptReading | None = None) -> PromptReading:
        assert self.reading is not None
        answer = await self.reading.read(self.server, text, opening)
        if answer is None:
            raise AnswerError(f"{self.server.url}: no log-probabilities in the answer for {text[-60:]!r}")
        return answer

    def _after(self, opening: PromptReading, whole: PromptReading, prompt: prompts.Prompt) -> TokenScores:
        """The tokens that follow the opening; nothing predicts the first of both."""
        start = len(opening.keys[:1]) + shared_start(opening.keys[1:], whole.keys[1:])
        values, joined = _known(whole.logprobs[start:]), _known(opening.logprobs[start:])
        if not values or len(values) < len(whole.keys) - start or len(joined) < len(opening.keys) - start:
            raise AnswerError(
                f"{self.server.url}: no log-probability for some token of {prompt.scored[:60]!r}"
                + ("; raise --option correct" if self.settings.correct else "")
            )
        return TokenScores(whole.tokens[start:], less_opening(values, joined))

    def _estimate(self, groups: Sequence[Group]) -> None:
        """Count what will be sent; the ratio of characters to tokens comes from three real prompts."""
        requests, characters = 0, 0
        for group in groups:
            texts = self._texts(group)
            requests += len(texts)
            characters += sum(map(len, texts))
        samples = [self._texts(groups[i])[-1] for i in sorted({0, len(groups) // 2, len(groups) - 1})]
        before = self.server.usage.tokens_in
        for text in samples:
            self._run(self.server.complete(text) if self.asker is None else self.asker.sample(text))
        counted = self.server.usage.tokens_in - before
        tokens = round(characters * (counted / sum(map(len, samples)) if counted else 0.25))
        written = requests * (self.asker.max_tokens if self.asker else 1)
        cost = self._cost(tokens, written)
        most = f", at most {written:,} to write" if self.asker else ""
        priced = f", {'at most' if self.asker else 'about'} {cost:.2f} at the given price" if self._priced else ""
        self._say(f"{self.model}: {requests:,} requests, about {tokens:,} tokens to read{most}{priced}")
        if self.settings.max_cost and cost > self.settings.max_cost:
            raise KontrastError(f"the run would cost about {cost:.2f}, more than max_cost={self.settings.max_cost:g}")

    def _texts(self, group: Group) -> list[str]:
        """Everything that will be sent for a group."""
        if self.asker is not None:
            return self.asker.texts(group)
        pairs = [(template, target) for template in self.templates for target in group.targets]
        made = [prompts.make_prompt(template, group, target, self.options) for template, target in pairs]
        return [*dict.fromkeys(prompt.opening for prompt in made), *(prompt.whole for prompt in made)]

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.settings.price + tokens_out * self.settings.price_out) / 1e6

    def status(self) -> str:
        """While it runs: requests under way, and what they have cost so far."""
        usage = self.server.usage
        cost = f", cost {self._cost(usage.tokens_in, usage.tokens_out):.2f}" if self._priced else ""
        return f"{self.server.in_flight} requests under way{cost}"

    @property
    def _priced(self) -> bool:
        return bool(self.settings.price or self.settings.price_out)

    def _summary(self, seconds: float) -> str:
        usage = self.server.usage
        lines = [
            f"{usage.requests:,} requests ({usage.retries} tried again), {usage.tokens_in:,} tokens read, "
            f"{usage.tokens_out:,} written, {usage.requests / max(seconds, 1e-9):.1f} requests/s"
            + (f", cost {self._cost(usage.tokens_in, usage.tokens_out):.2f}" if self._priced else "")
        ]
        if usage.cached:
            lines[0] += f"; {usage.cached / max(1, usage.tokens_in):.0%} of the tokens came from the server's cache"
        if self.server.endpoints.several:
            lines.append(", ".join(f"{each.url}: {each.answered:,} answers" for each in self.server.endpoints.all))
        if self.asker is not None:
            lines.append(str(self.asker.tally if self.asker.mode == "judge" else self.asker.ballot))
        elif len(self.templates) > 1:
            lines.append(str(self.spread))
        return "\n".join(lines)

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    @staticmethod
    def _say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def load(name: str, options: EngineOptions) -> OpenAIEngine:
    """The engine for one model of a server, or of several."""
    return OpenAIEngine("openai", name, options)


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None and not math.isnan(value)]
