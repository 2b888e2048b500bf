"""The language model as judge, against a loopback server that answers by a real rule: chrF of what it is shown."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi import FastAPI, Request
from sacrebleu.metrics import CHRF

import kontrast
from kontrast import Item, KontrastError, Suite, Variant
from kontrast.scoring.context import parse_context
from kontrast.scoring.metrics import load_metric
from kontrast.scoring.metrics.judge import Judge
from kontrast.scoring.metrics.metric import MetricOptions
from kontrast.scoring.metrics.run import score_metric

from .language_server import serving

RATE = CHRF()
ITEMS = tuple(
    Item(
        str(i),
        source,
        (Variant(right), Variant(wrong, error="e")),
        source_context=("Vorher.",),
        target_context=("Before.",),
        references=(Variant(reference, context=("Earlier.",)),),
    )
    for i, (source, right, wrong, reference) in enumerate(
        [
            ("Der Hund schläft.", "The dog sleeps.", "The cat eats.", "The dog is asleep."),
            ("Es regnet.", "It rains.", "It snows hard.", "It is raining."),
            ("Ja.", "Yes.", "No.", "Yes, yes."),
        ]
    )
)
SUITE = Suite("judged", ITEMS, "de", "en")


def field(label: str, question: str) -> str:
    found = re.search(rf"^{label}: (.*)$", question, re.M)
    return found[1] if found else ""


def application() -> FastAPI:
    app = FastAPI()
    app.state.asked = []

    @app.get("/{kind}/v1/models")
    def models(kind: str) -> dict[str, Any]:
        return {"data": [{"id": "rule"}]}

    @app.post("/{kind}/v1/chat/completions")
    async def chat(kind: str, request: Request) -> Any:
        body = await request.json()
        question = body["messages"][-1]["content"]
        app.state.asked.append(question)
        beside = field("Human translation", question) or field("Source", question)

        def rate(label: str) -> float:
            return round(RATE.sentence_score(field(label, question), [beside]).score)

        if field("A", question) in ("yes", "no"):
            wanted = "no" if kind == "mute" or rate("Translation") > 20 else "yes"
            answer = "A" if kind == "biased" or field("A", question) == wanted else "B"
        elif field("A", question):
            answer = "A" if kind == "biased" or rate("A") > rate("B") else "B"
            answer = "Hm." if kind == "moody" and field("A", question) == "Yes." else answer
        elif kind == "shy" and body["temperature"] == 0:
            answer = "I would rather not say."
        elif kind == "mute":
            answer = "Good."
        else:
            answer = f"{rate('Translation'):g}. A fair attempt."
        return {"choices": [{"message": {"content": answer}}], "usage": {"prompt_tokens": 1}}

    return app


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, list[str]]]:
    app = application()
    with serving(app) as url:
        yield url, app.state.asked


@pytest.mark.parametrize("name", ["judge-da", "judge-sqm"])
@pytest.mark.parametrize("kind", ["plain", "shy"])
def test_scores_are_the_judges_numbers(server: tuple[str, list[str]], name: str, kind: str) -> None:
    scores = score_metric(SUITE, f"{name}:{server[0]}/{kind}/v1?concurrency=2")
    rates = [
        round(RATE.sentence_score(variant.text, [item.references[0].text]).score)
        for item in ITEMS
        for variant in item.variants
    ]
    assert list(scores.values) == rates and not scores.lower_is_better
    assert scores.signature is not None and scores.signature.details["judge"] == "rule"
    assert "from German into English" in server[1][-1] or "German source in English" in server[1][-1]


def test_pairs_are_asked_in_both_orders(server: tuple[str, list[str]]) -> None:
    fair = kontrast.metrics(SUITE, [f"judge-pair:rule@{server[0]}/fair/v1"]).metrics[0]
    assert (fair.evaluation.right, fair.evaluation.ties) == (3, 0)
    biased = kontrast.metrics(SUITE, [f"judge-pair:rule@{server[0]}/biased/v1"]).metrics[0]
    assert biased.evaluation.ties == 3 and "first_named:6/6" in str(biased.signature)


def test_answers_that_cannot_be_read_are_told(server: tuple[str, list[str]]) -> None:
    found = kontrast.metrics(SUITE, [f"judge-pair:rule@{server[0]}/moody/v1"]).metrics[0]
    assert "unread:1/6" in str(found.signature)
    assert found.notes == ("1 of 6 answers could not be read: such an answer counts half for each side",)


def test_pairs_of_different_items_are_not_asked(server: tuple[str, list[str]]) -> None:
    other = (Variant("Yes."), Variant("Yes, no.", error="e"))
    twice = Suite("twice", (ITEMS[2], msgspec.structs.replace(ITEMS[2], id="9", variants=other)), "de", "en")
    del server[1][:]
    score_metric(twice, f"judge-pair:rule@{server[0]}/fair/v1")
    assert len(server[1]) == 4, "two pairs in both orders"


def test_errors_are_asked_for_in_both_orders(server: tuple[str, list[str]]) -> None:
    fair = kontrast.metrics(SUITE, [f"judge-error:rule@{server[0]}/fair/v1"]).metrics[0]
    assert (fair.evaluation.right, fair.evaluation.wrong) == (3, 0) and "first_named:6/12" in str(fair.signature)
    biased = score_metric(SUITE, f"judge-error:rule@{server[0]}/biased/v1")
    assert set(biased.values) == {0.5} and "first_named:12/12" in str(biased.signature)
    assert "{" not in server[1][-1]


def test_without_reference_and_with_context(server: tuple[str, list[str]]) -> None:
    score_metric(SUITE, f"judge-da:rule@{server[0]}/plain/v1?reference=no")
    assert all("Human translation" not in question for question in server[1][-6:])
    score_metric(SUITE, f"judge-da:rule@{server[0]}/plain/v1", context=parse_context("prev:1"))
    assert all(text in server[1][-1] for text in ("Vorher.", "Before.", "Earlier."))


def test_a_notebook_has_a_running_loop(server: tuple[str, list[str]]) -> None:
    async def cell() -> kontrast.Scores:
        return score_metric(SUITE, f"judge-da:rule@{server[0]}/plain/v1")

    assert len(asyncio.run(cell()).values) == SUITE.row_count


def test_no_number_is_an_error(server: tuple[str, list[str]]) -> None:
    with pytest.raises(KontrastError, match="gave no number from 0 to 100 in 4 tries, at last 'Good"):
        score_metric(SUITE, f"judge-sqm:rule@{server[0]}/mute/v1")


def test_bad_names(server: tuple[str, list[str]]) -> None:
    with pytest.raises(KontrastError, match="the address of the server is missing"):
        load_metric("judge-da:rule", MetricOptions(target_language="en"))
    with pytest.raises(KontrastError, match="--target-language"):
        load_metric(f"judge-da:rule@{server[0]}/v1")
    assert isinstance(load_metric(f"judge-da:rule@{server[0]}/v1", MetricOptions(target_language="en")), Judge)
