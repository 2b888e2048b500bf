"""Every answer of a server is held against its request; another model behind the same name is another model."""

from __future__ import annotations

import json
import math
import random
import struct
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("fastapi")

import kontrast
from kontrast import Item, Suite, Variant, score
from kontrast.errors import KontrastError
from kontrast.scoring.engines.openai.answers import _is_made_up
from kontrast.scoring.engines.openai.server import LONGEST_WAIT, Server
from kontrast.scoring.store import Store
from kontrast.suites.scores import write_scores

from .language_server import BROKEN, FAULTS, LanguageModel

SUITE = Suite(
    "cats",
    (
        Item("1", "The cat sleeps.", (Variant("Die Katze schläft."), Variant("Der Katze schläft."))),
        Item("2", "The dog eats.", (Variant("Der Hund frisst."), Variant("Das Hund frisst."))),
    ),
    "en",
    "de",
)


@pytest.mark.parametrize("style", ["vllm", "echo"])
@pytest.mark.parametrize("fault", FAULTS)
def test_an_answer_that_does_not_fit_its_request_ends_the_run(
    address: str, style: str, fault: str, tmp_path: Path
) -> None:
    store = Store(tmp_path / "s.sqlite")
    with pytest.raises(KontrastError) as caught:
        score(SUITE, f"openai:small@{address}/{style}-{fault}/v1", store=store, extra={"concurrency": "1"})
    assert "\n" not in str(caught.value) and "'Die Katze schläft.' for 'The cat sleeps.'" in str(caught.value)
    assert sum(model.rows for model in store.info()) == 0, "nothing of it is stored"
    store.close()


@pytest.mark.parametrize("shape", ["f", "e", "2", "4", "5"])
def test_likely_numbers_are_no_placeholders(shape: str) -> None:
    """As single or half precision, or rounded to some digits, numbers that a model may give are taken."""
    dice = random.Random(shape)

    def given(value: float) -> float:
        return (
            round(value, int(shape)) if shape.isdigit() else float(struct.unpack(shape, struct.pack(shape, value))[0])
        )

    rows = [[given(-dice.expovariate(0.25)) for _ in range(60)] for _ in range(2000)]
    assert not any(map(_is_made_up, rows)) and min(map(min, rows)) < -30
    assert all(_is_made_up([*row, -100.0, -100.0]) for row in rows)


@pytest.mark.parametrize("mode", BROKEN)
def test_a_body_that_is_no_answer_is_one_line(address: str, mode: str) -> None:
    with pytest.raises(KontrastError) as caught:
        score(SUITE, f"openai:small@{address}/{mode}/v1", extra={"tries": "1"})
    assert address in str(caught.value)


def test_another_model_behind_the_same_name(language_model: LanguageModel, address: str, tmp_path: Path) -> None:
    """Half a suite with one model, then all of it with another: the score file is the other's alone."""
    store = Store(tmp_path / "s.sqlite")
    model = f"openai:small@{address}/vllm/v1"
    half = Suite("half", SUITE.items[:1], "en", "de")
    before = score(half, model, store=store)
    again = score(half, model, store=store)
    assert again == before
    language_model.temper = 0.8
    try:
        alone = score(SUITE, model)
        mixed = score(SUITE, model, store=store)
    finally:
        language_model.temper = 1.0
    assert mixed.values == alone.values and mixed.values[:2] != before.values
    assert mixed.signature is not None and before.signature is not None and alone.signature is not None
    assert mixed.signature.details["weights"] != before.signature.details["weights"]
    assert mixed.signature.details["weights"] == alone.signature.details["weights"]
    assert [use.rows for use in store.info()] == [4, 2]
    store.close()


def test_the_signature_says_whether_there_is_a_begin_token(address: str) -> None:
    found = score(SUITE, f"openai:small@{address}/echo/v1")
    assert found.signature is not None and found.signature.details["bos"] == "no"
    named = score(SUITE, f"openai:small@{address}/echo/v1", extra={"bos": "One, "})
    assert named.signature is not None and named.signature.details["bos"] == "One, "


def test_choices_are_stored_with_their_rivals(address: str, tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    model = f"openai:small@{address}/fair/v1"
    first = score(SUITE, model, mode="choose", store=store)
    assert [use.rows for use in store.info()] == [4]
    import kontrast.scoring.engines.openai.choosing as choosing

    asked = choosing.choose
    try:
        choosing.choose = None  # type: ignore[assignment]
        assert score(SUITE, model, mode="choose", store=store).values == first.values
        more = Item("2", "The dog eats.", (*SUITE.items[1].variants, Variant("Die Hund frisst.")))
        with pytest.raises(TypeError):
            score(Suite("s", (more,), "en", "de"), model, mode="choose", store=store)
    finally:
        choosing.choose = asked
    store.close()


def test_an_answer_that_cannot_be_read_is_told_wherever_its_vote_counts(address: str, tmp_path: Path) -> None:
    """Also by a run that takes the votes from the store."""
    store, file = Store(tmp_path / "s.sqlite"), tmp_path / "m.scores"
    model = f"openai:small@{address}/moody/v1"
    first = score(SUITE, model, mode="choose", store=store)
    again = score(SUITE, model, mode="choose", store=store)
    store.close()
    assert again == first and first.unread == (0, 0, 1, 1)
    assert first.signature is not None and first.signature.details["unread"] == "1/4"
    assert first.values[2] == pytest.approx(-math.log((1.5 + 0.5) / 3)), "one vote and a half"
    write_scores(first, file)
    told = f"{first.system}: 1 of 4 answers could not be read: such an answer counts half for each side"
    found = kontrast.evaluate(SUITE, file, items=tmp_path / "items.jsonl")
    assert told in found.notes
    lines = (tmp_path / "items.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["systems"][first.system].get("unread", 0) for line in lines] == [0, 1]
    fair = score(SUITE, f"openai:small@{address}/fair/v1", mode="choose", system="fair")
    assert fair.unread is None and told in kontrast.compare(SUITE, file, fair).notes
    assert told in json.dumps(kontrast.report(SUITE, file).to_dict())


def test_a_choice_does_not_hear_of_another_item_with_the_same_source(address: str) -> None:
    """Joined, the first item would be decided by votes about the second's variants too."""
    one, two = (
        SUITE.items[0],
        Item("3", "The cat sleeps.", (Variant("Die Katze schläft."), Variant("Katze schläft."))),
    )
    model = f"openai:small@{address}/fair/v1"
    apart = [score(Suite("s", (item,), "en", "de"), model, mode="choose").values for item in (one, two)]
    assert score(Suite("s", (one, two), "en", "de"), model, mode="choose").values == (*apart[0], *apart[1])
    assert kontrast.preview(Suite("s", (one, two), "en", "de"), model, mode="choose").groups == 2


def test_waiting_is_limited(capsys: pytest.CaptureFixture[str]) -> None:
    server = Server("http://127.0.0.1:9/v1", "m")
    assert server._asked_wait(server.url, "86400") == LONGEST_WAIT
    assert "asks to wait 86400 s" in capsys.readouterr().err
    for text in ("²", "", "Wed, 21 Oct 2026 07:28:00 GMT", "-1", "1e9", "inf"):
        assert server._asked_wait(server.url, text) is None


def test_a_trickle_meets_the_deadline() -> None:
    """A server that sends a byte now and then is not waited for without end."""
    import socket
    import threading

    listening = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def trickle() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n")
            while not stop.wait(0.05):
                try:
                    connection.sendall(b" ")
                except OSError:
                    return

    thread = threading.Thread(target=trickle, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    began = time.monotonic()
    try:
        with pytest.raises(KontrastError, match="TimeoutError"):
            score(SUITE, f"openai:small@{url}", extra={"timeout": "0.5", "tries": "1"})
    finally:
        stop.set()
        listening.close()
    assert time.monotonic() - began < 60


def test_whatever_changes_an_answer_changes_the_identity(language_model: LanguageModel, address: str) -> None:
    from kontrast.scoring.engine import EngineOptions
    from kontrast.scoring.engines import load_engine
    from kontrast.scoring.tables import full_fingerprint

    def identity(name: str = "small", mode: str = "vllm", **options: object) -> str:
        given = {"source_language": "en", "target_language": "de", **options}
        engine: Any = load_engine(f"openai:{name}@{address}/{mode}/v1", EngineOptions(**given))  # type: ignore[arg-type]
        try:
            return full_fingerprint(engine.identify())
        finally:
            engine.close()

    seen = [
        identity(),
        identity("other", extra={"unlisted": "yes"}),
        identity(mode="echo"),
        identity(template="{source} = {target}\n"),
        identity(template="label,question"),
        identity(target_language="fr"),
        identity(source_language="fr"),
        identity(extra={"bos": "One, "}),
        identity(mode="fair", extra={"mode": "choose"}),
        identity(mode="fair", extra={"mode": "choose", "api": "completions"}),
    ]
    language_model.temper = 1.05
    try:
        seen.append(identity())
    finally:
        language_model.temper = 1.0
    assert len(set(seen)) == len(seen)
    assert identity() == seen[0]


def test_a_begin_token_that_is_read_and_not_listed() -> None:
    """llama-cpp-python reads ``<|im_start|>`` as one token and leaves it out of its list."""
    from kontrast.scoring.engines.openai.answers import from_echo

    tokens, values = ["The", " cat", "."], [-1.0, -2.0, -0.5]
    choice = {"logprobs": {"tokens": tokens, "token_logprobs": values}, "usage": {"completion_tokens": 0}}
    found = from_echo(choice, "The cat.", "u", False, "<|im_start|>")
    assert found is not None and found.begin and found.tokens == tuple(tokens)
    with pytest.raises(KontrastError, match="not those of the prompt"):
        from_echo(choice, "The black cat.", "u", False, "<|im_start|>")
