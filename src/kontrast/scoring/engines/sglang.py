"""Engine ``sglang``: an SGLang server, through its own ``/generate``.

As ``openai``, but log-probabilities are asked for only from the end of the opening on (``logprob_start_len``): what
is before it stays in the server's prefix cache, and serves all variants. With OpenAI's protocol every request would
compute the whole prompt anew.
"""

from __future__ import annotations

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines.openai import OpenAIEngine


def load(name: str, options: EngineOptions) -> OpenAIEngine:
    """The engine for one model of such a server."""
    if options.extra.get("logprobs", "sglang") != "sglang":
        raise KontrastError("--option logprobs: the sglang engine does not have it; use openai: for other servers")
    if options.extra.get("bos") or options.extra.get("correct"):
        raise KontrastError("--option bos, correct: SGLang needs neither; use openai: for other servers")
    extra = {**options.extra, "logprobs": "sglang"}
    return OpenAIEngine("sglang", name, msgspec.structs.replace(options, extra=extra))
