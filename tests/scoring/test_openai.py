"""The openai engine against a loopback server with a real model, sound and faulty."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("torch")
pytest.importorskip("fastapi")

from kontrast import Item, Suite, Variant, evaluate, load, read_scores, save
from kontrast.cli import kontrast as commands
from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.openai import OpenAIEngine
from kontrast.scoring.engines.openai.canary import GARBLED, SENTENCES, CanaryError
from kontrast.scoring.engines.openai.prompts import TEMPLATES
from kontrast.suites.model import TokenScores

from .language_server import LanguageModel

GROUPS = (
    Group("The cat sleeps.", (Target("Die Katze schläft."), Target("Der Katze schläft."))),
    Group("The dog eats.", (Target("Der Hund frisst."), Target("Das Hund frisst."), Target("Die Hund frisst."))),
)


def engine(url: str, kind: str, template: str | None = None, **extra: str) -> OpenAIEngine:
    options = EngineOptions(source_language="en", target_language="de", template=template, extra=extra)
    loaded = load_engine(f"openai:small@{url}/{kind}/v1", options)
    assert isinstance(loaded, OpenAIEngine)
    return loaded


def scores(loaded: OpenAIEngine, groups: tuple[Group, ...] = GROUPS) -> list[tuple[TokenScores, ...]]:
    try:
        loaded.prepare(groups)
        return [rows for _, rows in sorted(loaded.score(groups), key=lambda pair: pair[0])]
    finally:
        loaded.close()


def direct(language_model: LanguageModel, group: Group) -> list[float]:
    given = f"English: {group.source}\nGerman:"
    return [language_model.total(given, f" {target.text}\n") for target in group.targets]


@pytest.mark.parametrize(
    ("mode", "style"), [("vllm", "prompt_logprobs"), ("echo", "echo"), ("flaky", "prompt_logprobs")]
)
def test_scores_are_the_models_own(language_model: LanguageModel, address: str, mode: str, style: str) -> None:
    loaded = engine(address, mode)
    found = scores(loaded)
    assert loaded.details["logprobs"] == style
    for group, rows in zip(GROUPS, found, strict=True):
        totals = [sum(row.logprobs) for row in rows]
        assert totals == pytest.approx(direct(language_model, group), abs=1e-3)
        assert max(totals) == totals[0]
        assert ["".join(row.tokens) for row in rows] == [f" {target.text}\n" for target in group.targets]
    if mode == "flaky":
        assert loaded.server.usage.retries > 0


@pytest.mark.parametrize("mode", ["vllm", "echo"])
def test_a_token_across_the_openings_end(language_model: LanguageModel, address: str, mode: str) -> None:
    """The token of Der joins both, Dzz has none such: both are the whole's log-probability less the opening's."""
    group = Group("The dog eats.", (Target("er Hund frisst."), Target("zz Hund frisst.")))
    [rows] = scores(engine(address, mode, "English: {source}\nGerman: D{target}\n"), (group,))
    opening = "English: The dog eats.\nGerman: D"
    cut = [language_model.encode(opening + target.text) for target in group.targets]
    start = len(language_model.encode(opening))
    assert cut[0][:start] != cut[1][:start] == language_model.encode(opening)

    def whole(text: str) -> float:
        return language_model.total("English", text.removeprefix("English"))

    expected = [whole(f"{opening}{target.text}\n") - whole(opening) for target in group.targets]
    assert [sum(row.logprobs) for row in rows] == pytest.approx(expected, abs=1e-3)


def test_forced_prefix_is_given_and_not_scored(language_model: LanguageModel, address: str) -> None:
    target = Target("Der Hund frisst.", prefix="Die Katze frisst. ")
    [[row]] = scores(engine(address, "vllm"), (Group("The dog eats.", (target,)),))
    given = "English: The dog eats.\nGerman: Die Katze frisst."
    assert sum(row.logprobs) == pytest.approx(language_model.total(given, " Der Hund frisst.\n"), abs=1e-3)


BLANK = ("blank", r"next token could not be compared \(it is blank for 6 of 6 openings\)")


@pytest.mark.parametrize(
    ("mode", "reason"),
    [("shifted", "neighbouring token"), ("missing", "missing from the answer"), ("constant", "constant"), BLANK],
)
def test_canary_refuses(address: str, mode: str, reason: str) -> None:
    with pytest.raises(CanaryError, match=reason) as caught:
        scores(engine(address, mode))
    assert "--mode choose" in str(caught.value)


def test_shift_is_corrected_when_asked_and_verified(language_model: LanguageModel, address: str) -> None:
    loaded = engine(address, "shifted", correct="1000")
    found = scores(loaded)
    assert loaded.details["corrected"] == "candidates"
    for group, rows in zip(GROUPS, found, strict=True):
        assert [sum(row.logprobs) for row in rows] == pytest.approx(direct(language_model, group), abs=1e-3)


def test_correction_with_too_few_candidates_is_refused(address: str) -> None:
    with pytest.raises(CanaryError, match="among 1 candidates: not among the candidates"):
        scores(engine(address, "shifted", correct="1"))


def test_templates_at_once_give_mean_and_variance(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    both = engine(address, "vllm", template="label,question")
    together = scores(both)
    apart = [scores(engine(address, "vllm", template=name)) for name in ("label", "question")]
    for mean, one, other in zip(together, *apart, strict=True):
        for row, a, b in zip(mean, one, other, strict=True):
            assert sum(row.logprobs) == pytest.approx((sum(a.logprobs) + sum(b.logprobs)) / 2, abs=1e-3)
    assert both.spread.groups == 2
    assert both.spread.variance > 0
    assert "best variant differs in" in capsys.readouterr().err


def test_choosing_reports_position_bias(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    biased = engine(address, "first", mode="choose")
    found = scores(biased)
    assert biased.asker is not None
    assert biased.asker.ballot.bias == 1.0
    assert biased.asker.ballot.agreed == 0
    assert all(len({row.logprobs for row in rows}) == 1 for rows in found), "a fixed answer is a tie, never a win"
    assert "named in 100.0% of the answers" in capsys.readouterr().err
    fair = engine(address, "fair", mode="choose")
    found = scores(fair)
    assert fair.asker is not None
    assert (fair.asker.ballot.asked, fair.asker.ballot.pairs, fair.asker.ballot.agreed) == (8, 4, 4)
    assert fair.asker.ballot.bias == 0.5
    assert all(rows[0].logprobs > max(row.logprobs for row in rows[1:]) for rows in found)


def test_a_server_that_does_not_choose_is_refused(address: str) -> None:
    silent = engine(address, "silent", mode="choose")
    try:
        with pytest.raises(KontrastError, match="it does not choose"):
            silent.identify()
    finally:
        silent.close()


def test_choosing_needs_two(address: str) -> None:
    with pytest.raises(KontrastError, match="two variants"):
        scores(engine(address, "fair", mode="choose"), (Group("Yes.", (Target("Ja."),)),))


def test_estimate_and_limit_of_cost(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    dear = engine(address, "vllm", price="1000", max_cost="0.01")
    with pytest.raises(KontrastError, match="would cost about"):
        scores(dear)
    estimate = re.search(r"([\d,]+) requests, about ([\d,]+) tokens", capsys.readouterr().err)
    assert estimate and int(estimate[1]) == 7, "two openings and five targets"
    cheap = engine(address, "vllm", price="1")
    cheap.prepare(GROUPS)
    before = cheap.server.usage.tokens_in
    list(cheap.score(GROUPS))
    cheap.close()
    assert int(estimate[2]) == pytest.approx(cheap.server.usage.tokens_in - before, rel=0.25)


def test_a_closed_engine_leaves_no_loop_and_no_thread(address: str) -> None:
    loaded = engine(address, "vllm")
    loaded.close()
    loaded.close()
    assert loaded._loop.is_closed() and not loaded._thread.is_alive()


def test_only_model_is_found(address: str) -> None:
    options = EngineOptions(target_language="de")
    assert load_engine(f"openai:{address}/vllm/v1", options).model == "small"
    with pytest.raises(KontrastError, match=r"name of the model is missing.*a, b"):
        load_engine(f"openai:{address}/many/v1", options)


@pytest.mark.parametrize(
    ("name", "template", "extra", "reason"),
    [
        ("small", None, {}, "the address of the server is missing"),
        ("small@http://127.0.0.1:9/v1", "nosuch", {}, "expected names among"),
        ("small@http://127.0.0.1:9/v1", "{sauce}", {}, "{sauce} is not a field"),
        ("small@http://127.0.0.1:9/v1", None, {"mood": "x"}, "unknown field `mood`"),
        ("small@http://127.0.0.1:9/v1", None, {"mode": "guess"}, "mode"),
        ("small@http://127.0.0.1:9/v1", None, {"tries": "1"}, "ConnectError"),
    ],
)
def test_wrong_input(
    name: str, template: str | None, extra: dict[str, str], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    options = EngineOptions(target_language="de", template=template, extra=extra)
    with pytest.raises(KontrastError, match=reason):
        load_engine(f"openai:{name}", options).prepare(GROUPS)


def test_canary_texts_are_the_same_words() -> None:
    for sentence, garbled in zip(SENTENCES, GARBLED, strict=True):
        words = [sorted(re.findall(r"\w+|[^\w\s]", text)) for text in (sentence, garbled)]
        assert words[0] == words[1]
    assert all("{target}" in text and "{source}" in text for text in TEMPLATES.values())


def test_command_line(address: str, tmp_path: Path) -> None:
    """Score, evaluate and read the signature; then a server that cannot be trusted: one line, exit status 2."""
    items = [Item(str(i), g.source, tuple(Variant(t.text) for t in g.targets)) for i, g in enumerate(GROUPS)]
    save(Suite("cats", tuple(items), "en", "de"), tmp_path / "cats.jsonl")
    suite, out = str(tmp_path / "cats.jsonl"), str(tmp_path / "cats.scores")
    model = f"openai:small@{address}/vllm/v1"
    arguments = ["score", suite, "--model", model, "--template", "label,question", "--no-store", "--out", out]
    done = CliRunner().invoke(commands, arguments)
    assert done.exit_code == 0, done.output
    assert "templates: variance" in done.stderr
    scores = read_scores(out, load(suite))
    assert scores.signature is not None
    assert scores.signature.details["prompt"] == "label+question"
    assert evaluate(load(suite), scores).accuracy == 1.0
    choose = [
        "score",
        suite,
        "--model",
        f"openai:small@{address}/fair/v1",
        "--mode",
        "choose",
        "--no-store",
        "--out",
        out,
    ]
    done = CliRunner().invoke(commands, choose)
    assert done.exit_code == 0, done.output
    assert evaluate(load(suite), read_scores(out)).accuracy == 1.0
    arguments[3] = f"openai:small@{address}/missing/v1"
    with pytest.raises(CanaryError, match="missing from the answer"):
        CliRunner().invoke(commands, arguments, catch_exceptions=False)


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("tenths", "rounded to 0.1"),
        ("common", r"-9999 is not the log-probability of a token.*--option top=N"),
        ("floor", r"-100 is not the log-probability of a token.*--option top=N"),
        ("decimal", r"the likeliest tokens after '.*' add up to [12]\.\d\d"),
    ],
)
def test_numbers_that_are_no_log_probabilities_are_refused(address: str, mode: str, reason: str) -> None:
    with pytest.raises(CanaryError, match=reason):
        scores(engine(address, mode, logprobs="prompt_logprobs"))


def test_values_known_among_the_likeliest_are_read_with_top(language_model: LanguageModel, address: str) -> None:
    found = scores(engine(address, "common", top="1000"))
    for group, rows in zip(GROUPS, found, strict=True):
        assert [sum(row.logprobs) for row in rows] == pytest.approx(direct(language_model, group), abs=1e-3)


def test_rounding_to_hundredths_is_said_and_signed(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    rounded, plain = engine(address, "hundredths"), engine(address, "vllm")
    scores(rounded)
    scores(plain)
    assert rounded.details["rounded"] == "0.01" and "rounded" not in plain.details
    assert "log-probabilities are rounded (0.01)" in capsys.readouterr().err


def test_a_refusal_names_what_may_help(address: str) -> None:
    with pytest.raises(CanaryError, match=r"--option bos=TOKEN .*--mode choose"):
        scores(engine(address, "shifted"))
    with pytest.raises(KontrastError, match=r"404 Not Found; a server with only a chat interface .* --mode choose"):
        scores(engine(address, "chatty"))
    found = scores(engine(address, "chatty", mode="choose"))
    assert [len(rows) for rows in found] == [2, 3]


def test_a_model_that_the_server_does_not_have_is_refused(address: str) -> None:
    options = EngineOptions(source_language="en", target_language="de")
    with pytest.raises(KontrastError, match=r"it has no model gpt-4, but small; write openai:small@http"):
        load_engine(f"openai:gpt-4@{address}/vllm/v1", options)
    taken = load_engine(
        f"openai:gpt-4@{address}/vllm/v1", EngineOptions(target_language="de", extra={"unlisted": "yes"})
    )
    assert taken.model == "gpt-4"


def test_a_constant_answer_is_said_before_any_number(address: str, tmp_path: Path) -> None:
    items = [Item(str(i), g.source, tuple(Variant(t.text) for t in g.targets)) for i, g in enumerate(GROUPS)]
    suite, out, store = tmp_path / "cats.jsonl", str(tmp_path / "cats.scores"), str(tmp_path / "s.sqlite")
    save(Suite("cats", tuple(items), "en", "de"), suite)
    asked = ["score", str(suite), "--model", f"openai:small@{address}/first/v1", "--mode", "choose"]
    told = "POSITION BIAS: all 8 answers name the first variant, so the text decides nothing"
    for _ in range(2):  # the second time from the store
        done = CliRunner().invoke(commands, [*asked, "--store", store, "--out", out])
        assert done.exit_code == 0 and f"kontrast: warning: {told}" in done.stderr
        assert "gives the same letter for a sentence and the same words garbled" in done.stderr
    judged = CliRunner().invoke(commands, ["evaluate", str(suite), out]).stdout
    assert told in judged.splitlines()[0] and judged.index(told) < judged.index("accuracy")
    compared = CliRunner().invoke(commands, ["compare", str(suite), out, out, "--allow", "all"]).stdout
    assert compared == "" or told in compared.splitlines()[0]
    fair = [*asked[:3], f"openai:small@{address}/fair/v1", *asked[4:], "--no-store", "--out", out]
    done = CliRunner().invoke(commands, fair)
    assert done.exit_code == 0 and "BIAS" not in done.stderr and "same letter" not in done.stderr
    assert "BIAS" not in CliRunner().invoke(commands, ["evaluate", str(suite), out]).stdout
