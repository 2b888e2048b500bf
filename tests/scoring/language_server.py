"""A small OpenAI-compatible server on loopback with a real language model behind it, right or faulty as asked.

The first part of the path says how it answers: ``vllm`` (prompt_logprobs as vLLM documents them, and echo), ``echo``
(echo only), ``shifted`` (echo with the distributions of the next place, as llama-cpp-python 0.3.36 gives for models
without a begin token), ``missing``, ``constant``, ``blank`` (its own next token is a blank), ``flaky`` (every third
request fails), ``first``, ``fair`` and ``silent`` (chat that always names A, the likelier answer, or none), ``moody``
(as ``fair``, but one answer says nothing), ``thinker`` (chat that reasons in the text before it names the likelier
answer, and needs 40 tokens for it), ``reasoner`` (the same with the reasoning in a field of its own), ``yesno`` (chat
that says yes to what is likely, with log-probabilities of its answer), ``wordless`` (without them), ``chatty`` (chat
alone), ``tenths`` and ``hundredths`` (rounded),
``common`` (-9999 for a token that is not among the likeliest), ``floor`` (the same with -100), ``decimal`` (to the
base of ten), ``sglang`` (its own ``/generate`` with a prefix cache; in ``sglang-none`` and ``sglang-short``
numbers are missing). ``vllm-FAULT`` and ``echo-FAULT`` are right until a prompt begins with
"English:", as those of a run do and those of the canary not, and then answer as `FAULTS` says.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from kontrast.scoring.engines.openai.canary import SENTENCES
from kontrast.scoring.trie import shared_start

TEXT = [
    *SENTENCES,
    "The capital of France is Paris and the capital of Germany is Berlin.",
    "Once upon a time there was an old man who lived in a house.",
    "She opened the door and went into the old house.",
    "One, two, three, four, five, six, seven, eight.",
    "Thank you very much for the letter.",
    "The sun rises in the morning and the children go to school.",
    "He did not know the old man. She did not know what to say.",
    "The children looked at the door. The man went to the door.",
    "English: The cat sleeps.\nGerman: Die Katze schläft.\n",
    "English: The dog sleeps.\nGerman: Der Hund schläft.\n",
    "English: The cat eats.\nGerman: Die Katze frisst.\n",
    "English: The dog eats.\nGerman: Der Hund frisst.\n",
    "English: The child sleeps.\nGerman: Das Kind schläft.\n",
]


def _each(change: Any) -> Any:
    """A fault in the value of one token of an answer, whichever way it is listed."""

    def fault(choice: dict[str, Any]) -> None:
        if "prompt_logprobs" in choice:
            entry = next(iter(choice["prompt_logprobs"][-2].values()))
            entry["logprob"] = change(entry["logprob"])
        else:
            values = choice["logprobs"]["token_logprobs"]
            values[-3] = change(values[-3])

    return fault


def _lists(change: Any) -> Any:
    """A fault in the list of places."""

    def fault(choice: dict[str, Any]) -> None:
        if "prompt_logprobs" in choice:
            choice["prompt_logprobs"] = change(choice["prompt_logprobs"])
        else:
            for name in ("tokens", "token_logprobs", "top_logprobs"):
                choice["logprobs"][name] = change(choice["logprobs"][name])

    return fault


def _rewritten(choice: dict[str, Any]) -> None:
    if "prompt_logprobs" in choice:
        next(iter(choice["prompt_logprobs"][-3].values()))["decoded_token"] = " other"
    else:
        choice["logprobs"]["tokens"][-3] = " other"


def _without_middle(places: list[Any]) -> list[Any]:
    """The tokens of the prompt's middle are not read."""
    return [*places[:12], *places[-12:]]


def _fewer(choice: dict[str, Any]) -> None:
    if "prompt_logprobs" in choice:
        choice["prompt_logprobs"][-2] = None
    else:
        choice["logprobs"]["token_logprobs"].pop()


def _smallest(choice: dict[str, Any]) -> None:
    """The logarithm of the smallest float in two places."""
    lowest = math.log(1.1754943508222875e-38)
    if "prompt_logprobs" in choice:
        for place in choice["prompt_logprobs"][-3:-1]:
            next(iter(place.values()))["logprob"] = lowest
    else:
        choice["logprobs"]["token_logprobs"][-4:-2] = [lowest, lowest]


FAULTS = {
    "minus_infinity": _each(lambda value: -math.inf),
    "plus_infinity": _each(lambda value: math.inf),
    "nan": _each(lambda value: math.nan),
    "positive": _each(lambda value: 5.0),
    "floor_once": _each(lambda value: -100.0),
    "nines": _each(lambda value: -999.0),
    "smallest_twice": _smallest,
    "boolean": _each(lambda value: True),
    "text": _each(lambda value: "-1.0"),
    "huge": _each(lambda value: 10**400),
    "null": _each(lambda value: None),
    "fewer": _fewer,
    "short": _lists(lambda places: places[:4]),
    "middle": _lists(_without_middle),
    "end": _lists(lambda places: [*places[:-9], *places[-2:]]),
    "front": _lists(lambda places: [None, *places[6:]] if places[0] is None else places[6:]),
    "other_tokens": _rewritten,
    "not_a_list": lambda choice: choice.update(prompt_logprobs={"a": 1}, logprobs={"tokens": 3, "token_logprobs": 4}),
}


BROKEN = {
    "list": b"[]",
    "usage": b'{"usage": [1], "choices": [{"text": 1}]}',
    "counts": b'{"usage": {"prompt_tokens": "x", "completion_tokens": -1e400}, "choices": [{"text": "a"}]}',
    "choices": b'{"choices": {"a": 1}}',
    "choice": b'{"choices": [3]}',
    "number": b"3",
    "cut": b'{"choices": [',
    "deep": b"[" * 100_000,
}
"""Whole answers that are no answers."""


def _every(change: Callable[[float], float]) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    """Another number for each log-probability of an answer."""

    def changed(choice: dict[str, Any], body: dict[str, Any]) -> None:
        for place in filter(None, choice.get("prompt_logprobs") or ()):
            for entry in place.values():
                entry["logprob"] = change(entry["logprob"])
        if listed := choice["logprobs"]:
            listed["token_logprobs"] = [v if v is None else change(v) for v in listed["token_logprobs"]]
            tops = listed["top_logprobs"]
            listed["top_logprobs"] = [top and {token: change(v) for token, v in top.items()} for top in tops]

    return changed


def _common(lowest: float) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    """The value of a token is known only where it is among the candidates that are asked for."""

    def changed(choice: dict[str, Any], body: dict[str, Any]) -> None:
        for place in filter(None, choice.get("prompt_logprobs") or ()):
            own = next(iter(place.values()))
            own["logprob"] = own["logprob"] if own["rank"] <= max(1, body["prompt_logprobs"]) else lowest

    return changed


CHANGED = {
    "tenths": _every(lambda value: round(value, 1)),
    "hundredths": _every(lambda value: round(value, 2)),
    "decimal": _every(lambda value: value / math.log(10)),
    "common": _common(-9999.0),
    "floor": _common(-100.0),
}
"""Whole runs whose numbers are not those of the model."""


class LanguageModel:
    """A GPT-2 of two small layers, trained for a few seconds on the sentences above."""

    def __init__(self) -> None:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
        from transformers import GPT2Config, GPT2LMHeadModel

        torch.manual_seed(1)
        self.tokenizer = Tokenizer(models.BPE())
        self.tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self.tokenizer.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        self.tokenizer.train_from_iterator(
            TEXT, trainers.BpeTrainer(vocab_size=420, initial_alphabet=alphabet, show_progress=False)
        )
        size = self.tokenizer.get_vocab_size()
        config = GPT2Config(
            vocab_size=size, n_positions=256, n_embd=64, n_layer=2, n_head=2, resid_pdrop=0, embd_pdrop=0
        )
        self.model = GPT2LMHeadModel(config)
        rows = [self.tokenizer.encode(text).ids for text in TEXT]
        width = max(map(len, rows))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
        labels = torch.tensor([row + [-100] * (width - len(row)) for row in rows])
        optimiser = torch.optim.AdamW(self.model.parameters(), lr=3e-3)
        for _ in range(120):
            self.model(input_ids=ids, labels=labels).loss.backward()
            optimiser.step()
            optimiser.zero_grad()
        self.model.eval()
        self.temper = 1.0
        """Another value makes it another model behind the same name."""

    def encode(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text).ids)

    def decode(self, ids: list[int]) -> str:
        return str(self.tokenizer.decode(ids))

    @torch.inference_mode()
    def distributions(self, ids: list[int]) -> torch.Tensor:
        """Log-probabilities after each token."""
        return torch.log_softmax(self.model(input_ids=torch.tensor([ids])).logits[0].float() * self.temper, -1)

    def goes_on(self, ids: list[int], limit: int, stops: list[str]) -> tuple[str, str]:
        """The likeliest continuation up to a stop, and why it ended."""
        start = len(ids)
        while len(ids) - start < limit:
            ids = [*ids, int(self.distributions(ids)[-1].argmax())]
            text = self.decode(ids[start:])
            if any(stop in text for stop in stops):
                return min((text.partition(stop)[0] for stop in stops), key=len), "stop"
        return self.decode(ids[start:]), "length"

    def total(self, given: str, rest: str) -> float:
        """Log-probability of ``rest`` after ``given``, computed here, for comparison."""
        start, ids = len(self.encode(given)), self.encode(given + rest)
        values = self.distributions(ids)
        return sum(float(values[i - 1, ids[i]]) for i in range(start, len(ids)))


def application(language_model: LanguageModel) -> FastAPI:
    app = FastAPI()
    count = {"requests": 0, "busy": 0, "most": 0}
    app.state.count = count
    app.state.cache, app.state.computed, app.state.starts = [], 0, []

    @app.get("/{mode}/v1/models")
    def models(mode: str) -> dict[str, Any]:
        return {"object": "list", "data": [{"id": "small"}] if mode != "many" else [{"id": "a"}, {"id": "b"}]}

    @app.post("/{mode}/v1/completions")
    async def completions(mode: str, request: Request) -> Any:
        body = await request.json()
        count["requests"] += 1
        if mode == "flaky" and count["requests"] % 3 == 0:
            return JSONResponse({"error": {"message": "overloaded"}}, 503, {"Retry-After": "0"})
        if mode in BROKEN:
            return Response(BROKEN[mode], media_type="application/json")
        mode, _, fault = mode.partition("-")
        if mode == "chatty":
            return JSONResponse({"detail": "Not Found"}, 404)
        if mode == "echo" and "prompt_logprobs" in body:
            return JSONResponse({"error": {"message": "extra fields not permitted: prompt_logprobs"}}, 400)
        answer = _completion(language_model, "vllm" if mode in ("flaky", "blank", *CHANGED) else mode, body)
        if mode in CHANGED:
            CHANGED[mode](answer["choices"][0], body)
        if mode == "blank" and not {"echo", "prompt_logprobs"} & set(body):
            answer["choices"][0]["text"] = " "
        if mode == "fair":
            answer["choices"][0]["text"] = _chosen(language_model, body["prompt"])
        if fault and body["prompt"].startswith("English:") and ("prompt_logprobs" in body or "echo" in body):
            FAULTS[fault](answer["choices"][0])
        return Response(json.dumps(answer), media_type="application/json")

    @app.post("/{mode}/generate")
    async def generate(mode: str, request: Request) -> Any:
        """SGLang's own: log-probabilities from a token on, the first without one; what is before may be cached."""
        body = await request.json()
        if mode == "vllm":
            return JSONResponse({"detail": "Not Found"}, 404)
        ids = language_model.encode(body["text"])
        start, values = max(0, body["logprob_start_len"]), language_model.distributions(ids)
        known = max((shared_start(ids[:-1], seen) for seen in app.state.cache), default=0)
        cached = min(known, start)
        app.state.cache.append(ids)
        app.state.computed += len(ids) - cached
        app.state.starts.append(start)
        listed: list[Any] = [[float(values[i - 1, ids[i]]), ids[i], language_model.decode([ids[i]])]
                             for i in range(start, len(ids))]  # fmt: skip
        listed[0][0] = None
        if mode == "sglang-short":
            listed = listed[:1] + listed[2:]
        told = {"prompt_tokens": len(ids), "completion_tokens": 1, "cached_tokens": cached}
        return {"text": "", "meta_info": {**told, "input_token_logprobs": listed if mode != "sglang-none" else None}}

    @app.post("/{mode}/v1/chat/completions")
    async def chat(mode: str, request: Request) -> Any:
        body = await request.json()
        question = body["messages"][-1]["content"]
        answer = "I am sorry, A and B are alike to me." if mode == "silent" else "A"
        message: dict[str, Any] = {"role": "assistant"}
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        if mode in ("fair", "moody", "thinker", "reasoner"):
            answer = _chosen(language_model, question)
        if mode == "moody" and "\nA: Der Hund frisst.\n" in question:
            answer = "Hm."
        if mode in ("thinker", "reasoner"):
            thought = f"Answer: {'BA'['AB'.index(answer)]} would be the other one. " + "Well, well. " * 8
            answer = f"I compared both.\n**Answer: {answer}**"
            if mode == "thinker":
                answer = f"<think>{thought}</think>\n{answer}"
            else:
                message["reasoning_content"] = thought
            words = (thought + answer).split()
            if len(words) > body["max_tokens"]:
                shown = answer if mode == "thinker" else ""
                answer, choice["finish_reason"] = " ".join(shown.split()[: body["max_tokens"]]), "length"
        if mode in ("yesno", "wordless"):
            share = _likely(language_model, question)
            seed = body.get("seed", 0)
            answer = "Yes" if (share > 0.5 if not body.get("temperature") else share > (seed * 0.37) % 1) else "No"
            if mode == "yesno" and body.get("logprobs"):
                tops = [("Yes", 0.9 * share), (" yes", 0.05 * share), ("No", 0.95 * (1 - share)), ("Well", 0.05)]
                listed = [{"token": token, "logprob": math.log(max(p, 1e-9))} for token, p in tops]
                choice["logprobs"] = {"content": [{"token": answer, "logprob": -0.1, "top_logprobs": listed}]}
        message["content"] = answer
        tokens = len(language_model.encode(question))
        return {"choices": [choice], "usage": {"prompt_tokens": tokens, "completion_tokens": len(answer.split())}}

    return app


def _chosen(language_model: LanguageModel, question: str) -> str:
    sides = re.findall(r"^[AB]: (.*)$", question, re.M)
    source = re.search(r"^Source: (.*)$", question, re.M)
    given = f"English: {source[1] if source else ''}\nGerman:"
    return "AB"[max((0, 1), key=lambda i: language_model.total(given, f" {sides[i]}\n"))]


def _likely(language_model: LanguageModel, question: str) -> float:
    """How likely a translation is, as a probability of yes."""
    source, target = (re.search(rf"^{name}: (.*)$", question, re.M) for name in ("Source", "Translation"))
    if not source or not target:
        return 0.5
    total = language_model.total(f"English: {source[1]}\nGerman:", f" {target[1]}\n")
    return math.exp(total / max(1, len(language_model.encode(target[1]))))


def _completion(language_model: LanguageModel, mode: str, body: dict[str, Any]) -> dict[str, Any]:
    ids = language_model.encode(body["prompt"])
    values = language_model.distributions(ids)
    if mode == "constant":
        values = torch.full_like(values, -1.0)
    made = int(values[-1].argmax())
    word, text = language_model.decode([made]), body["prompt"] * bool(body.get("echo"))
    choice: dict[str, Any] = {"index": 0, "text": text + word, "logprobs": None, "finish_reason": "length"}
    if "stop" in body:
        choice["text"], choice["finish_reason"] = language_model.goes_on(ids, body["max_tokens"], body["stop"])
    echo = bool(body.get("echo")) and mode != "missing"
    if body.get("logprobs") is not None:
        shown = [*ids, *([made] if mode != "shifted" else [])] if echo else [made]
        first = 0 if echo else len(ids)
        choice["logprobs"] = _listed(language_model, mode, shown, first, values, body["logprobs"])
    if mode in ("vllm", "constant") and body.get("prompt_logprobs") is not None:
        choice["prompt_logprobs"] = [None] + [
            _place(language_model, values[i - 1], ids[i], body["prompt_logprobs"]) for i in range(1, len(ids))
        ]
    return {
        "object": "text_completion",
        "model": body["model"],
        "choices": [choice],
        "usage": {"prompt_tokens": len(ids), "completion_tokens": 1, "total_tokens": len(ids) + 1},
    }


def _listed(
    language_model: LanguageModel, mode: str, shown: list[int], first: int, values: torch.Tensor, top: int
) -> dict[str, Any]:
    """tokens, token_logprobs, top_logprobs and text_offset; in mode shifted each place reads its own distribution."""
    words = [language_model.decode([token]) for token in shown]
    offsets = [sum(map(len, words[:i])) for i in range(len(words))]
    logprobs: list[float | None] = []
    tops: list[dict[str, float] | None] = []
    for i, token in enumerate(shown, start=first):
        at = i if mode == "shifted" and first == 0 else i - 1
        if i == 0:
            logprobs.append(None)
            tops.append(None)
            continue
        row = values[at]
        logprobs.append(float(row[token]))
        best = row.topk(min(top, len(row)))
        tops.append({language_model.decode([int(j)]): float(v) for v, j in zip(*best, strict=True)})
    return {"tokens": words, "token_logprobs": logprobs, "top_logprobs": tops, "text_offset": offsets}


def _place(language_model: LanguageModel, row: torch.Tensor, own: int, top: int) -> dict[str, Any]:
    tokens = [own, *(int(j) for j in row.topk(min(top, len(row))).indices if int(j) != own)]
    return {
        str(j): {
            "logprob": float(row[j]),
            "rank": int((row > row[j]).sum()) + 1,
            "decoded_token": language_model.decode([j]),
        }
        for j in tokens
    }


@contextmanager
def serving(app: FastAPI) -> Iterator[str]:
    """The address of a running server."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


class Running:
    """A server on a port of its own that can be killed and started again."""

    def __init__(self, app: FastAPI) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.app, self.answered = app, 0
        self.when: dict[int, Callable[[], Any]] = {}
        self.server: uvicorn.Server | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/vllm/v1"

    def start(self, app: FastAPI | None = None) -> None:
        chosen = app or self.app

        async def counted(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                self.answered += 1
                if self.answered in self.when:
                    threading.Thread(target=self.when.pop(self.answered)).start()
                await asyncio.sleep(0.02)
            await chosen(scope, receive, send)

        config = uvicorn.Config(counted, host="127.0.0.1", port=self.port, log_level="critical", lifespan="off")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def kill(self) -> None:
        """Without waiting for requests under way."""
        if self.server is not None:
            self.server.should_exit = self.server.force_exit = True
            self.thread.join()
            self.server = None
