"""What can be asked of the openai engine: ``openai:MODEL@URL`` and ``--option key=value``, checked first."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engines.openai.answers import Style


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of this engine. The key is read from the environment (OPENAI_API_KEY), never from the command line."""

    mode: Literal["score", "choose", "judge"] = "score"
    """"choose": a forced choice between variants; "judge": the probability of yes to "is this correct?"."""
    max_tokens: Annotated[int, msgspec.Meta(ge=0)] = 0
    """choose and judge: how long an answer may be, reasoning and all [a word]."""
    samples: Annotated[int, msgspec.Meta(ge=1)] = 1
    """choose and judge: how often each question is asked."""
    temperature: float | None = None
    """Of samples [0.7; 0 for one]."""
    answer: str = ""
    """choose and judge: how an answer is read: begin, end, or a pattern with a group [end with room to reason]."""
    base_url: str = ""
    """Where the server is, as in ``http://localhost:8000/v1``; else OPENAI_BASE_URL."""
    logprobs: Literal["auto", "prompt_logprobs", "echo", "sglang"] = "auto"
    """How to ask for them; "auto" takes the first that passes the canary."""
    bos: str = ""
    """Text put before every prompt, such as a begin token that the server does not add itself."""
    correct: int = 0
    """Look a shifted server's values up among this many candidates (as many as the vocabulary has, to be safe)."""
    top: int = 0
    """Let the server list so many candidates at each token, where it knows the value of a token only among them."""
    unlisted: Literal["no", "yes"] = "no"
    """"yes": the server takes a name that it does not list among its models."""
    api: Literal["chat", "completions"] = "chat"
    """Whom the question of ``mode=choose``, and a request to translate, is put to."""
    system: str = ""
    """What a chat begins with, when it is asked to translate."""
    fingerprint: str = ""
    """A name for the model in the store of translations, instead of its answers to a few fixed sentences."""
    concurrency: int = 8
    """Requests at a time, at each server."""
    tries: int = 6
    timeout: float = 120.0
    """Seconds for one try, however slowly the answer comes."""
    deadline: float = 900.0
    """Seconds for a request with all its tries and waiting."""
    price: float = 0.0
    """Per million tokens read."""
    price_out: float = 0.0
    """Per million tokens written."""
    max_cost: float = 0.0
    """Refuse a run whose estimate is above this; 0: no limit."""

    @property
    def styles(self) -> tuple[Style, ...]:
        return ("prompt_logprobs", "echo") if self.logprobs == "auto" else (self.logprobs,)


def read_settings(name: str, extra: dict[str, str]) -> tuple[str, str, Settings]:
    """(model, url, settings) from what follows ``openai:`` and the options; model may be empty: ask the server.

    >>> read_settings("qwen@http://localhost:8000/v1", {"concurrency": "2"})[:2]
    ('qwen', 'http://localhost:8000/v1')
    """
    try:
        settings = msgspec.convert(extra, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise KontrastError(
            f"--option for openai: {error}; options are {', '.join(Settings.__struct_fields__)}"
        ) from error
    if name.startswith(("http://", "https://")):
        model, url = "", name
    else:
        model, _, url = name.partition("@")
    url = url or settings.base_url or os.environ.get("OPENAI_BASE_URL", "")
    if not all(each.startswith(("http://", "https://")) for each in url.split(",")):
        raise KontrastError(
            f"--model openai:{name}: the address of the server is missing. Write openai:MODEL@http://HOST/v1 or "
            f"set OPENAI_BASE_URL"
        )
    return model, url, settings
