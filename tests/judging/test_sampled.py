"""Samples of one system beside its scores: shares of errors by phenomenon, and the calibration curve."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import Item, Scores, Suite, Variant
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.judging.check_records import Sampled
from kontrast.judging.sampled import check_samples
from kontrast.suites.model import Signature

PAIR = Variant("Er schläft ."), Variant("Sie schläft .", error="pronoun")
RIGHT, WRONG, NEITHER = "Er schläft .", "Sie schläft .", "Ach ."
SUITE = Suite("tiny", tuple(Item(str(n), f"It sleeps {n} .", PAIR) for n in range(4)))
SAMPLES = [[RIGHT, RIGHT, WRONG, WRONG], [RIGHT, WRONG, WRONG, NEITHER]]


def _scores(*margins: float) -> Scores:
    return Scores("mine", tuple(value for margin in margins for value in (1.0, 1.0 + margin)))


def _sampled(scores: Scores) -> Sampled:
    found = kontrast.check(SUITE, *SAMPLES, scores=scores, samples=True)
    assert isinstance(found, kontrast.Checks) and found.sampled is not None
    return found.sampled


def test_shares_are_those_of_the_samples() -> None:
    found = _sampled(_scores(math.log(9), 0.0, -math.log(3), -math.log(9)))
    [group] = found.groups
    assert (group.label, group.decisions, found.verdicts, found.left_out) == ("pronoun", 4, 7, 1)
    assert group.written == pytest.approx((0 + 0.5 + 1 + 1) / 4)
    assert group.predicted == pytest.approx((0.1 + 0.5 + 0.75 + 0.9) / 4)
    assert group.area == pytest.approx(11.5 / 12)
    assert sum(each.decisions for each in found.curve) == 4


def test_preference_the_wrong_way_round_has_a_small_area() -> None:
    area = _sampled(_scores(-2.0, -1.0, 1.0, 2.0)).groups[0].area
    assert area is not None and area < 0.1


def test_report_has_the_curve() -> None:
    scores = _scores(3.0, 0.5, -1.0, -2.0)
    found = kontrast.check(SUITE, *SAMPLES, scores=scores, samples=True)
    assert isinstance(found, kontrast.Checks)
    made = kontrast.report(SUITE, scores, also=[found])
    figure = made.section("calibration").figure
    assert figure is not None and "points" in figure.caption
    # Bins of unequal width stand where their predicted shares are, not at equal steps.
    drawn = figure.draw().to_dict()
    assert [layer["encoding"]["x"]["type"] for layer in drawn["layer"]] == ["quantitative"] * 3
    assert made.section("sampled").table is not None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"samples": True}, "needs --scores"),
        ({"samples": True, "scores": Scores("mine", (1.0, 2.0) * 4, lower_is_better=False)}, "log-probabilities"),
        ({"scores": _scores(1.0, 1.0, 1.0, 1.0)}, "--samples"),
    ],
)
def test_what_cannot_be_compared_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(KontrastError, match=said):
        kontrast.check(SUITE, *SAMPLES, **given)


def test_samples_are_drawn_with_other_seeds(tmp_path: Path) -> None:
    out = tmp_path / "tiny.txt"
    made = kontrast.translate("demo:de?limit=4", "tiny", temperature=1.5, samples=3, out=out, store=False)
    names = sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".json")
    assert names == ["tiny.txt", "tiny.txt.2", "tiny.txt.3"]
    assert len(made.more) == 2 and len({made.texts, *(each.texts for each in made.more)}) > 1
    with pytest.raises(KontrastError, match="temperature"):
        kontrast.translate("demo:de?limit=4", "tiny", samples=2, out=out, store=False)


def test_the_next_command_names_every_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "tiny.txt")
    given = ["--temperature", "1", "--samples", "3", "--out", out, "--no-store"]
    with pytest.raises(SystemExit) as ended:
        main(["translate", "demo:de?limit=2", "--model", "tiny", *given])
    assert ended.value.code == 0
    assert f"next: kontrast check 'demo:de?limit=2' {out} {out}.2 {out}.3\n" in capsys.readouterr().err


def _made(model: str = "mine", context: str = "none", **details: str) -> Signature:
    return Signature(model=model, context=context, details={"temperature": "1", **details})


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ([_made(seed="1"), _made("other", seed="2")], "differ in model"),
        ([_made(seed="1"), _made(seed="2", temperature="0.1")], "differ in temperature"),
        ([_made(seed="1"), _made(beams="4")], "differ in beams"),
        ([_made(seed="1"), _made(seed="2"), _made(seed="1")], "same seed"),
    ],
)
def test_samples_are_of_one_model_and_setting(samples: list[Signature], said: str) -> None:
    with pytest.raises(KontrastError, match=said):
        check_samples(_scores(1.0), samples)


def test_scores_of_something_else_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    scores = Scores("mine", (1.0, 2.0), signature=_made("other", "prev:1"))
    check_samples(scores, [_made(seed=str(n), weights=str(n), temperature="0.5") for n in (1, 2)])
    said = capsys.readouterr().err
    assert all(
        part in said
        for part in ("temperature 0.5", "the model of the scores is other", "the context of the scores is prev:1")
    )
    check_samples(Scores("mine", (1.0, 2.0), signature=_made()), [_made(seed="1"), _made(seed="2")])
    assert not capsys.readouterr().err


def test_a_file_given_twice_is_no_two_samples(tmp_path: Path) -> None:
    file = tmp_path / "system.de"
    file.write_text("".join(f"{line}\n" for line in SAMPLES[0]))
    with pytest.raises(KontrastError, match="given twice"):
        kontrast.check(SUITE, file, file, scores=_scores(1.0, 1.0, 1.0, 1.0), samples=True)
