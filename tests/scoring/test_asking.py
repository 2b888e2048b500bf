"""`--mode choose` with reasoning and samples, `--mode judge`, and examples, against servers of the protocol."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("torch")

import kontrast
from kontrast import Item, Suite, Variant, score
from kontrast.errors import KontrastError
from kontrast.scoring.engines.openai.choosing import read_answer
from kontrast.scoring.store import Store

from .language_server import LanguageModel

ITEMS = (
    Item("1", "The cat sleeps.", (Variant("Die Katze schläft."), Variant("Der Katze schläft."))),
    Item(
        "2", "The dog eats.", (Variant("Der Hund frisst."), Variant("Die Hund frisst."), Variant("Hund frisst der."))
    ),
)
SUITE = Suite("cats", ITEMS, "en", "de")


def test_a_reasoning_model_needs_room_and_is_read_after_its_reasoning(address: str) -> None:
    for kind in ("thinker", "reasoner"):
        model = f"openai:small@{address}/{kind}/v1"
        with pytest.raises(
            KontrastError, match=r"names neither A nor B, or both.*(does not choose|raise --max-tokens)"
        ):
            score(SUITE, model, mode="choose")
        with pytest.raises(KontrastError, match="raise --max-tokens"):
            score(SUITE, model, mode="choose", max_tokens=20)
        made = score(SUITE, model, mode="choose", max_tokens=200)
        assert kontrast.evaluate(SUITE, made).accuracy == 1.0
        assert made.signature is not None
        details = made.signature.details
        assert (details["max_tokens"], details["answer"], details["first_named"]) == ("200", "end", "4/8")
        # In the reasoning the other letter stands behind "Answer:".
        wrong = score(SUITE, model, mode="choose", max_tokens=200, extra={"answer": "compared (b)oth"})
        assert wrong.signature is not None and wrong.signature.details["first_named"] == "0/8"


@pytest.mark.parametrize(
    ("text", "cut", "expected"),
    [
        ("Answer: A", False, 0),
        ("B reads well, but A is right.\n\nanswer is **B**.", False, 1),
        ("<think>Answer: A. Hm.</think>B", False, 1),
        ("<think>Answer: A", True, None),
        ("I prefer A", False, None),
        ("A", True, None),
        ("\\boxed{B}", False, 1),
        ("\\boxed{\\text{A}}", False, 0),
        ("Answer: A\nNo, wait.\nAnswer: B", False, 1),
        ("Answer: C", False, None),
        ("", False, None),
    ],
)
def test_the_rule_for_reasoned_answers(text: str, cut: bool, expected: int | None) -> None:
    assert read_answer(text, ("A", "B"), "end", cut=cut) == expected


def test_samples_are_votes(address: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model, store = f"openai:small@{address}/moody/v1", Store(tmp_path / "s.sqlite")
    made = score(SUITE, model, mode="choose", samples=3, store=store)
    err = capsys.readouterr().err
    assert (
        "24 requests" in err
        and "samples agree in 100.0%" in err
        and "6 answers could not be read; 24 questions" in err
    )
    assert made.signature is not None
    details = made.signature.details
    assert (details["samples"], details["temperature"], details["unread"]) == ("3", "0.7", "6/24")
    assert details["first_named"] == "6/18"  # two questions that would name the first are not read
    again = score(SUITE, model, mode="choose", samples=3, store=store)
    assert again.values == made.values and again.unread == made.unread
    store.close()
    with pytest.raises(KontrastError, match="all samples are the same"):
        score(SUITE, model, mode="choose", samples=3, extra={"temperature": "0"})


def test_judge_is_the_probability_of_yes(language_model: LanguageModel, address: str) -> None:
    made = score(SUITE, f"openai:small@{address}/yesno/v1", mode="judge")
    for row, value in zip(SUITE.rows(), made.values, strict=True):
        given, text = f"English: {row.item.source}\nGerman:", row.variant.text
        share = math.exp(language_model.total(given, f" {text}\n") / len(language_model.encode(text)))
        yes, no = 0.95 * share, 0.95 * (1 - share)
        assert math.exp(-value) == pytest.approx(yes / (yes + no), abs=1e-6)
    assert kontrast.evaluate(SUITE, made).accuracy == 1.0
    assert made.tokens is None and made.signature is not None and made.signature.details["mode"] == "judge"


def test_judge_without_log_probabilities_takes_samples(address: str) -> None:
    model = f"openai:small@{address}/wordless/v1"
    with pytest.raises(KontrastError, match="no log-probabilities of its answers: use --samples 5"):
        score(SUITE, model, mode="judge")
    made = score(SUITE, model, mode="judge", samples=5)
    assert {round(math.exp(-value) * 6 - 0.5) for value in made.values} <= set(range(6))
    assert made.values[0] < made.values[1]


def test_a_judge_that_says_neither_is_counted_and_said_first(address: str, tmp_path: Path) -> None:
    made = score(SUITE, f"openai:small@{address}/silent/v1", mode="judge", samples=2)
    assert made.unread == (2,) * 5 and set(made.values) == {-math.log(0.5)}
    found = kontrast.evaluate(SUITE, made)
    assert any(
        "10 of 10 answers could not be read: such an answer counts a probability of a half" in n for n in found.notes
    )
    from kontrast.suites.scores import is_loud

    assert any(map(is_loud, found.notes))


def test_examples_are_in_the_prompt_and_in_the_fingerprint(language_model: LanguageModel, address: str) -> None:
    shown = [("The cat eats.", "Die Katze frisst.")]
    model = f"openai:small@{address}/vllm/v1"
    made, plain = score(SUITE, model, examples=shown), score(SUITE, model)
    before = "English: The cat eats.\nGerman: Die Katze frisst.\nEnglish: The cat sleeps.\nGerman: "
    expected = -language_model.total(before.rstrip(" "), " Die Katze schläft.\n")
    assert made.values[0] == pytest.approx(expected, abs=1e-3) != plain.values[0]
    assert made.signature is not None and plain.signature is not None
    assert made.signature.details["weights"] != plain.signature.details["weights"]
    asked = kontrast.preview(SUITE, f"openai:small@{address}/fair/v1", mode="choose", examples=shown).shown[0]
    assert "Examples of correct translations:\nEnglish: The cat eats.\nGerman: Die Katze frisst.\n" in asked.source


def test_a_question_of_ones_own(address: str) -> None:
    own = "{source_language}. Better?\nSource: {source}\nA: {a}\nB: {b}\nA or B?"
    made = score(SUITE, f"openai:small@{address}/fair/v1", mode="choose", template=own)
    assert kontrast.evaluate(SUITE, made).accuracy == 1.0
    for template in ("{source} {a}", "{a} {b}"):
        with pytest.raises(KontrastError, match=r"expected .* in a question of --mode choose"):
            score(SUITE, f"openai:small@{address}/fair/v1", mode="choose", template=template)
    with pytest.raises(KontrastError, match=r"\{sorce\} is not a field"):
        score(SUITE, f"openai:small@{address}/fair/v1", mode="choose", template="{source} {a} {b} {sorce}")
    with pytest.raises(KontrastError, match="expected begin, end or a pattern"):
        score(SUITE, f"openai:small@{address}/fair/v1", mode="choose", extra={"answer": "("})
    with pytest.raises(KontrastError, match="expected a group"):
        score(SUITE, f"openai:small@{address}/fair/v1", mode="choose", extra={"answer": "x"})
