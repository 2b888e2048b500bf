"""The sglang engine, against a server that follows SGLang's own protocol and counts what it computes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("torch")

from kontrast import Item, Suite, Variant, score
from kontrast.errors import KontrastError
from kontrast.scoring.engines.openai.answers import AnswerError, PromptReading, from_sglang

from .language_server import LanguageModel, application, serving

WORDS = ("Die Katze schläft.", "Der Katze schläft.", "Das Katze schläft.", "Die Katze frisst.")
LONG = "The old man opened the door of the house and the children went to school in the morning. The cat sleeps."
SUITE = Suite("cats", (Item("1", LONG, tuple(map(Variant, WORDS))),), "en", "de")


@pytest.fixture(scope="module")
def app(language_model: LanguageModel) -> Any:
    return application(language_model)


@pytest.fixture(scope="module")
def own(app: Any) -> Iterator[str]:
    with serving(app) as address:
        yield address


def test_the_numbers_of_openai_with_less_to_compute(
    app: Any, own: str, language_model: LanguageModel, capsys: pytest.CaptureFixture[str]
) -> None:
    made = score(SUITE, f"sglang:small@{own}/sglang/v1")
    plain = score(SUITE, f"openai:small@{own}/vllm/v1")
    assert made.values == pytest.approx(plain.values, abs=1e-4)
    assert made.signature is not None and made.signature.engine == "sglang"
    assert made.signature.details["logprobs"] == "sglang"
    whole = language_model.encode(f"English: {LONG}\nGerman: {WORDS[0]}\n")
    opening = language_model.encode(f"English: {LONG}\nGerman:")
    assert app.state.starts.count(len(opening) - 4) == len(WORDS), "every variant from the border on"
    # Of each variant only its own tokens, and those few before it, are computed.
    app.state.cache.clear()
    before = app.state.computed
    score(SUITE, f"sglang:small@{own}/sglang/v1", extra={"concurrency": "1"})
    run = app.state.computed - before
    assert run < 2 * len(WORDS) * len(whole), "the canary's questions are among them"
    assert "of the tokens came from the server's cache" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("sglang-none", "missing from the answer|no log-probabilities"),
        ("sglang-short", "expected 11 tokens"),
        ("vllm", "404"),
    ],
)
def test_a_server_that_does_not_follow_is_refused(own: str, mode: str, reason: str) -> None:
    with pytest.raises(KontrastError, match=reason):
        score(SUITE, f"sglang:small@{own}/{mode}/v1")


def test_options_that_do_not_belong(own: str) -> None:
    with pytest.raises(KontrastError, match="the sglang engine does not have it"):
        score(SUITE, f"sglang:small@{own}/sglang/v1", extra={"logprobs": "echo"})
    with pytest.raises(KontrastError, match="SGLang needs neither"):
        score(SUITE, f"sglang:small@{own}/sglang/v1", extra={"bos": "<s>"})


def test_a_token_that_joins_far_before_the_border_is_read_anew() -> None:
    """Where the first token listed is not the opening's, what is before may differ too."""
    opening = PromptReading(("1", "2", "3"), ("a", "b", "c"), (None, -1.0, -2.0))
    listed = [[None, 9, "bc"], [-1.5, 4, "d"]]
    answer = {"meta_info": {"prompt_tokens": 3, "input_token_logprobs": listed}}
    assert from_sglang(answer, "abcd", "u", 1, opening) is None
    listed[0] = [None, 2, "b"]
    listed[1] = [-1.5, 4, "cd"]
    found = from_sglang(answer, "abcd", "u", 1, opening)
    assert found is not None and found.logprobs == (None, -1.0, -1.5) and found.tokens == ("a", "b", "cd")
    listed.append([None, 5, "x"])
    answer["meta_info"]["prompt_tokens"] = 4
    with pytest.raises(AnswerError, match="no log-probability for some token"):
        from_sglang(answer, "abcdx", "u", 1, opening)
