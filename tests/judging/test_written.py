"""Verdicts of `check` are verdicts: compare, gate, evaluate and report take them beside scores."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner, Result

from kontrast import (
    Item,
    KontrastError,
    Scores,
    Suite,
    Variant,
    bundled,
    check,
    compare,
    evaluate,
    save,
    write_scores,
)
from kontrast.cli import kontrast as cli
from kontrast.judging.check import judge_translations

PRONOUN = Item(
    "p", "It sleeps.", (Variant("Er schläft."), Variant("Sie schläft.", "pronoun"), Variant("Es schläft."))
)
NEGATION = Item("n", "He does not come.", (Variant("Er kommt nicht."), Variant("Er kommt.", "negation")))
ORDER = Item("o", "Anna saw Tim.", (Variant("Anna sah Tim."), Variant("Tim sah Anna.", "order")))
EXPECTED = Item("e", "I did.", (Variant("Hab' ich."),), tags={"expected": "hab", "rule": "DO"})
SUITE = Suite("s", (PRONOUN, NEGATION, ORDER, PRONOUN), "en", "de")
GOOD, BAD = ["Er ruht.", "Er kommt nicht.", "?", "Er ruht."], ["Es ruht.", "Er kommt.", "?", "Der ruht."]


def test_accuracy_is_that_of_check() -> None:
    for texts in (GOOD, BAD, ["Er ruht.", "Er kommt.", "?", "Er oder sie."]):
        found = judge_translations(SUITE, texts, system="m")
        assert evaluate(SUITE, found).accuracy == pytest.approx(check(SUITE, texts).accuracy)


def test_paired_with_each_other_and_with_scores() -> None:
    good, bad = (judge_translations(SUITE, texts, system=name) for texts, name in ((GOOD, "good"), (BAD, "bad")))
    scores = Scores("scored", (-1.0, -2, -3, -1, -2, -1, -2, -2, -1, -3), lower_is_better=False)
    result = compare(SUITE, bad, good, scores)
    assert result.items == 3
    assert [(d.a, d.b, round(d.difference, 3)) for d in result.total] == [
        ("bad", "good", 1.0),
        ("bad", "scored", 0.667),
        ("good", "scored", -0.333),
    ]
    assert "1 of 4 decisions are left out" in result.notes[-2]


def test_items_with_an_expected_form_are_compared_where_all_are_written() -> None:
    suite = Suite("s", (EXPECTED, EXPECTED, PRONOUN), "en", "de")
    good, bad = (judge_translations(suite, [a, b, "Er."], system=a) for a, b in (("Hab ich", "hab"), ("Ja", "hab")))
    assert compare(suite, good, bad).total[0].difference == pytest.approx(-1 / 3)
    assert compare(suite, good, Scores("scored", (1.0, 1, 1, 2, 3))).items == 1
    only = Suite("s", (EXPECTED,), "en", "de")
    with pytest.raises(KontrastError, match="no item is decided by all"):
        compare(only, judge_translations(only, ["hab"]), Scores("scored", (1.0,)))


def test_pairs() -> None:
    item = Item(
        "1", "He does not.", (Variant("Er nicht."), Variant("Sie nicht.", "pronoun"), Variant("Er.", "negation"))
    )
    suite = Suite("s", (item,), "en", "de", unit="pair")
    found = judge_translations(suite, ["Er ja."])
    assert [(g.label, g.accuracy) for g in evaluate(suite, found, by="phenomenon").by[0].groups] == [
        ("negation", 0.0),
        ("pronoun", 1.0),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(SUITE, tmp_path / "s.jsonl")
    for name, texts in (("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.de").write_text("\n".join(texts) + "\n")
        done = run("check", tmp_path / "s.jsonl", tmp_path / f"{name}.de", "--items", tmp_path / f"{name}.verdicts")
        assert done.exit_code == 0, done.output
    write_scores(Scores("scored", (1.0, 2, 3, 1, 2, 1, 2, 2, 1, 3)), tmp_path / "m.scores")
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_the_gate_names_what_failed(folder: Path) -> None:
    (folder / "kontrast.toml").write_text("[gate]\naccuracy = 0.9\n")
    options = ("--config", folder / "kontrast.toml", "--junit", folder / "gate.xml")
    assert run("gate", folder / "s.jsonl", folder / "good.verdicts", *options).exit_code == 0
    assert run("gate", folder / "s.jsonl", folder / "bad.verdicts", *options).exit_code == 1
    text = ElementTree.parse(folder / "gate.xml").getroot().findtext("testcase/failure") or ""
    assert "expected: er\n    found: Es ruht. (wrong: es)" in text
    assert "expected: nicht\n    found: Er kommt. (wrong)" in text
    assert run("gate", folder / "s.jsonl", folder / "m.scores", *options).exit_code == 1
    text = ElementTree.parse(folder / "gate.xml").getroot().findtext("testcase/failure") or ""
    assert "expected: Er schläft.\n    found: Sie schläft." in text


def test_verdicts_have_no_direction(folder: Path) -> None:
    shown = run("evaluate", folder / "s.jsonl", folder / "good.verdicts").stdout
    assert "(translations, judged by check)" in shown and "lower is better" not in shown
    assert "(the model's scores: lower is better)" in run("evaluate", folder / "s.jsonl", folder / "m.scores").stdout


def test_compare_and_report_read_the_files(folder: Path) -> None:
    names = [folder / f"{name}" for name in ("bad.verdicts", "good.verdicts", "m.scores")]
    done = run("compare", folder / "s.jsonl", *names, "--json")
    assert msgspec.json.decode(done.stdout)["systems"] == ["bad.de", "good.de", "scored"]
    done = run("report", folder / "s.jsonl", *names, "--out", folder / "r.html")
    assert done.exit_code == 0, done.output
    page = (folder / "r.html").read_text()
    assert '"wrote":[[0,"wrote (wrong; searched for er)"]' in page
    assert '[[0],[[false,"Es"],[true,"ruht."]]]' in page
    save(Suite("s", (PRONOUN,)), folder / "other.jsonl")
    done = run("compare", folder / "other.jsonl", *names[:2])
    assert isinstance(done.exception, KontrastError)
    assert "these verdicts belong to s" in str(done.exception)


@pytest.mark.parametrize("scheme", ["sep", "brk", "eos", " [CTX] "])
def test_sources_go_out_and_translations_come_back(tmp_path: Path, scheme: str) -> None:
    done = run("extract", "demo:fr", "--one-per-item", "--context", "prev:1", "--scheme", scheme, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    suite = bundled("demo:fr")
    lines = (tmp_path / "demo-fr.items.src").read_text().splitlines()
    mark = {"sep": " <SEP> ", "brk": " <brk> ", "eos": " _eos "}.get(scheme, scheme)
    assert lines == [mark.join((*(item.source_context or ())[-1:], item.source)) for item in suite.items]
    # A system that keeps the separator; the previous sentence has the other form, which must not count.
    made = [mark.join((item.variants[1 - item.correct].text, item.best.text)) for item in suite.items]
    (tmp_path / "system.fr").write_text("\n".join(made) + "\n")
    option = ["--separator", mark.strip()] if scheme == " [CTX] " else []
    done = run("check", "demo:fr", tmp_path / "system.fr", *option, "--json")
    assert msgspec.json.decode(done.stdout)["accuracy"] == 1.0


def test_sources_alone(tmp_path: Path) -> None:
    assert run("extract", "demo:de", "--one-per-item", "--out", tmp_path).exit_code == 0
    lines = (tmp_path / "demo-de.items.src").read_text().splitlines()
    assert lines == [item.source for item in bundled("demo:de").items]
    for wrong in (("--style", "original", "--one-per-item"), ("--scheme", "sep")):
        assert isinstance(run("extract", "demo:de", *wrong, "--out", tmp_path).exception, KontrastError)
    newline = run("extract", "demo:de", "--one-per-item", "--context", "1", "--scheme", "newline", "--out", tmp_path)
    assert "texts of one line each" in str(newline.exception)


def test_verdicts_in_another_order_are_refused(tmp_path: Path) -> None:
    suite = Suite("s", (PRONOUN, NEGATION), "en", "de")
    path = tmp_path / "m.verdicts"
    check(suite, ["Er ruht.", "Er kommt."], items=path)
    assert evaluate(suite, path).right == 1
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head, *reversed(lines)]) + "\n")
    with pytest.raises(KontrastError, match="not in the order of the suite"):
        evaluate(suite, path)
