"""Asking a model about variants instead of reading their likelihood: ``--mode choose`` and ``--mode judge``.

*Choose* asks which of two variants is the better translation, in both orders. *Judge* asks of each variant alone
whether it is a correct translation; its score is the probability of *yes* against *no*, from the log-probabilities of
the answer where the server gives them, else the share of *yes* among samples. Both may reason first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines.openai import choosing
from kontrast.scoring.engines.openai.answers import written_places
from kontrast.scoring.engines.openai.canary import GARBLED, SENTENCES
from kontrast.scoring.engines.openai.choosing import THINKING, answer_rule, read_answer
from kontrast.scoring.engines.openai.server import Server
from kontrast.scoring.engines.openai.settings import Settings
from kontrast.scoring.languages import language_name
from kontrast.scoring.template import fill, prompt_texts
from kontrast.suites.model import TokenScores

WORDS = ("yes", "no")
QUESTIONS, SHORT, LONG = map(prompt_texts, ("question", "short", "long"))
_TOKENS = {"chat": 8, "completions": 3}
_CANDIDATES = 20
"""So many tokens the protocol lists at most; yes and no must be among them."""
_LEAST = 0.01
"""Where yes and no have less of the probability together, the model answers something else."""


class JudgedAnswers(msgspec.Struct):
    """Judgements so far: answers, how many could not be read, and the sum of the probabilities of yes."""

    asked: int = 0
    unread: int = 0
    yes: float = 0.0

    def __str__(self) -> str:
        read = self.asked - self.unread
        mean = f"yes has a probability of {self.yes / read:.1%} on average" if read else "none was answered"
        return f"{self.unread} answers could not be read; {self.asked} questions: {mean}"


class Asker:
    """Puts the questions of one mode to a server and reads the answers."""

    def __init__(self, server: Server, settings: Settings, options: EngineOptions) -> None:
        self.server, self.settings, self.options, self.mode = server, settings, options, settings.mode
        self.max_tokens = settings.max_tokens or _TOKENS[settings.api]
        self.rule = answer_rule(settings.answer, self.max_tokens)
        self.samples = settings.samples
        self.temperature = settings.temperature
        if self.temperature is None:
            self.temperature = 0.7 if self.samples > 1 else 0.0
        if self.samples > 1 and not self.temperature:
            raise KontrastError("--samples: with temperature=0 all samples are the same; leave it out")
        self.words = choosing.LETTERS if self.mode == "choose" else WORDS
        self.ballot, self.tally = choosing.Ballot(), JudgedAnswers()
        self.counted: bool | None = None
        """Judge: does the server give log-probabilities of its answer?"""
        wanted = {"choose": ("source", "a", "b"), "judge": ("source", "target")}[self.mode]
        self.template = options.template or QUESTIONS[self.mode] + (LONG if self.thinks else SHORT)[self.mode]
        for field in wanted:
            if f"{{{field}}}" not in self.template:
                raise KontrastError(f"--template: expected {{{field}}} in a question of --mode {self.mode}")

    @property
    def thinks(self) -> bool:
        return self.max_tokens > THINKING

    @property
    def details(self) -> dict[str, str]:
        """For the signature: all that is not the default."""
        found: dict[str, str] = {"mode": self.mode}
        if self.settings.max_tokens:
            found |= {"max_tokens": str(self.max_tokens), "answer": self.rule.replace("|", "/")}
        if self.samples > 1:
            found |= {"samples": str(self.samples), "temperature": f"{self.temperature:g}"}
        if self.options.examples:
            found["shots"] = str(len(self.options.examples))
        if self.options.template:
            found["prompt"] = "own"
        return found

    def question(self, group: Group, texts: Sequence[str]) -> str:
        """What is asked about two texts, or about one."""
        source, target = map(language_name, (self.options.source_language, self.options.target_language))
        shown = "".join(f"{source}: {s}\n{target}: {t}\n" for s, t in self.options.examples)
        values = {
            "source_language": source,
            "target_language": target,
            "source": group.sentence or group.source,
            "context": f"Context: {' '.join(group.context)}\n" if group.context else "",
            "examples": f"Examples of correct translations:\n{shown}" if shown else "",
        }
        if self.mode == "choose":
            return fill(self.template, values | dict(zip(("a", "b"), texts, strict=True)))
        return fill(self.template, values | {"target": texts[0]})

    def texts(self, group: Group) -> list[str]:
        """Everything that will be sent for a group, once for each sample."""
        own = [target.text for target in group.targets]
        if self.mode == "judge":
            return [self.question(group, (text,)) for text in own] * self.samples
        pairs = [(a, b) for i, a in enumerate(own) for j, b in enumerate(own) if i != j]
        return [self.question(group, pair) for pair in pairs] * self.samples

    def render(self, group: Group) -> str:
        """The key in the store: a vote depends on its rivals, a judgement does not."""
        if self.mode == "judge":
            return self.question(group, ("",))
        return self.question(group, ("", "")) + "".join(f"\n{target.text}" for target in group.targets)

    async def canary(self) -> list[str]:
        """The beginnings of answers to fixed questions: they tell models apart. One that never answers is refused."""
        pairs = [order for pair in zip(SENTENCES, GARBLED, strict=True) for order in (pair, pair[::-1])]
        asked = [
            self.question(Group("", ()), pair[: len(self.words) if self.mode == "choose" else 1]) for pair in pairs
        ]
        begun = [str((await self._answer(text, _TOKENS[self.settings.api]))["text"]).strip() for text in asked]
        said = [await self._answer(text, self.max_tokens) for text in asked[:2]] if self.thinks else []
        read = (
            [self._read(answer["text"], answer["cut"]) for answer in said] if said else [self._read(b) for b in begun]
        )
        if self.mode == "choose" and all(letter is None for letter in read):
            last = (said[0]["text"] if said else begun[0]).strip()
            why = "its answers are cut off: raise --max-tokens" if said and said[0]["cut"] else "it does not choose"
            raise KontrastError(
                f"{self.server.url} ({self.server.model}): each of its {len(read)} answers names neither A "
                f"nor B, or both, such as {last[-60:]!r}: {why}"
            )
        self.constant = self.mode == "choose" and len(read) > 2 and len(set(read)) == 1
        return begun

    async def sample(self, question: str) -> None:
        """One request as the run will send it, for an estimate of its tokens."""
        await self._answer(question, _TOKENS[self.settings.api])

    async def score(self, group: Group) -> tuple[TokenScores, ...]:
        texts = [target.text for target in group.targets]
        if self.mode == "judge":
            return tuple([await self._judge(group, text) for text in texts])

        async def ask(pair: tuple[str, str], number: int) -> int | None:
            answer = await self._answer(self.question(group, pair), self.max_tokens, number)
            return self._read(answer["text"], answer["cut"])

        return tuple(await choosing.choose(texts, ask, self.ballot, self.samples))

    async def _judge(self, group: Group, text: str) -> TokenScores:
        """The logarithm of the probability of yes; a half where nothing can be read."""
        question, shares, lost = self.question(group, (text,)), [], 0
        for number in range(self.samples):
            answer = await self._answer(question, self.max_tokens, number, logprobs=True)
            share = self._yes(answer)
            self.tally.asked += 1
            if share is None:
                self.tally.unread, lost = self.tally.unread + 1, lost + 1
            else:
                shares.append(share)
                self.tally.yes += share
        if self.counted or not shares:
            mean = math.log(sum(shares) / len(shares)) if shares else math.log(0.5)
        else:
            mean = math.log((sum(shares) + 0.5) / (len(shares) + 1))
        return TokenScores((text, *[choosing.UNREAD] * lost), (mean, *[0.0] * lost))

    def _yes(self, answer: dict[str, Any]) -> float | None:
        """The probability of yes against no; 1 or 0 where only the answer itself is there."""
        places = answer["places"]
        known = bool(places)
        if self.counted is None:
            self.counted = known
            if not known and self.samples < 2:
                raise KontrastError(
                    f"{self.server.url}: it gives no log-probabilities of its answers: use --samples 5 for the share "
                    "of yes, or --mode choose"
                )
        if known != self.counted:
            raise KontrastError(f"{self.server.url}: only some answers have log-probabilities")
        if not known:
            read = self._read(answer["text"], answer["cut"])
            return None if read is None else float(read == 0)
        if self.thinks and self._read(answer["text"], answer["cut"]) is None:
            return None
        chosen = [top for token, top in places if _word(token) in WORDS] if self.thinks else [places[0][1]]
        if not chosen:
            return None
        mass = {word: sum(math.exp(v) for token, v in chosen[-1].items() if _word(token) == word) for word in WORDS}
        total = mass["yes"] + mass["no"]
        return None if total < _LEAST or not mass["yes"] else mass["yes"] / total

    def _read(self, text: str, cut: bool = False) -> int | None:
        return read_answer(text, self.words, self.rule, cut=cut and self.thinks)

    async def _answer(self, question: str, tokens: int, number: int = 0, *, logprobs: bool = False) -> dict[str, Any]:
        """What the model says: text, whether it was cut off, and for each token what it might have been."""
        fields: dict[str, Any] = {
            "max_tokens": tokens,
            "temperature": self.temperature if tokens == self.max_tokens else 0,
        }
        if self.samples > 1 and tokens == self.max_tokens:
            fields["seed"] = number + 1
        text, choice = await self.server.ask(question, likeliest=_CANDIDATES * logprobs, **fields)
        return {"text": text, "cut": choice.get("finish_reason") == "length", "places": written_places(choice)}


def _word(token: str) -> str:
    return token.strip(" \n\t\u2581\u0120*.\"'").casefold()
