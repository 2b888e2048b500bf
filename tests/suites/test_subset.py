"""`--only` and `SUITE?only=`: some items of a suite, with scores, verdicts and translations of the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import kontrast
from kontrast import Item, KontrastError, Scores, Suite, Variant
from kontrast.cli import COMMANDS
from kontrast.cli import kontrast as command


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    suite = kontrast.load("demo:fr")
    Path("a.scores").write_text("".join(f"{(7 * i) % 11}\n" for i in range(suite.row_count)))
    Path("out.fr").write_text("".join(f"{item.variants[n % 2].text}\n" for n, item in enumerate(suite)))


def run(*args: str, status: int = 0) -> str:
    shown = CliRunner().invoke(command, args)
    assert shown.exit_code == status, shown.output
    return shown.stdout


def test_a_part_is_a_group_of_the_whole() -> None:
    """The known answer: `--only phenomenon=X` gives the row X of the whole's table, for every X."""
    whole = json.loads(run("evaluate", "demo:fr", "a.scores", "--json"))
    for group in whole["by"][0]["groups"]:
        part = json.loads(run("evaluate", "demo:fr", "a.scores", "--only", f"phenomenon={group['label']}", "--json"))
        assert [part[key] for key in ("items", "right", "wrong", "ties")] == [
            group[key] for key in ("items", "right", "wrong", "ties")
        ]
        assert f"suite:demo-fr?only=phenomenon={group['label']}|hash:" in part["signature"]
        assert part["fingerprint"] != whole["fingerprint"]


def test_the_option_is_what_stands_behind_the_path() -> None:
    behind = run("evaluate", "demo:fr?only=phenomenon=negation,tense,distance=(none)", "a.scores")
    given = ("--only", "phenomenon=negation,tense,distance=(none)")
    assert run("evaluate", "demo:fr", "a.scores", *given) == behind
    assert len(kontrast.load("demo:fr?only=phenomenon=negation&limit=3")) == 3


def test_verdicts_and_translations_of_the_whole_are_cut() -> None:
    run("check", "demo:fr", "out.fr", "--items", "out.verdicts")
    part = ("--only", "phenomenon=negation")
    fresh = json.loads(run("check", "demo:fr", "out.fr", *part, "--json"))
    read = json.loads(run("evaluate", "demo:fr", "out.verdicts", *part, "--json"))
    assert fresh["right"] == read["right"] and read["items"] == 11
    assert kontrast.evaluate("demo:fr?only=phenomenon=negation", kontrast.read_scores("a.scores")).items == 11


def test_scores_of_the_part_are_signed_and_refused_for_another() -> None:
    suite = kontrast.load("demo:fr?only=phenomenon=negation")
    made = kontrast.score(suite, "tiny")
    assert made.signature is not None and made.signature.suite == "demo-fr?only=phenomenon=negation"
    assert kontrast.evaluate(suite, made).items == 11
    other = kontrast.load("demo:fr?only=phenomenon=number")
    assert len(other) == 11
    with pytest.raises(KontrastError, match=r"scored on demo-fr\?only=phenomenon=negation"):
        kontrast.evaluate(other, made)


def test_of_a_suite_of_pairs_the_pairs_are_chosen() -> None:
    foils = Variant("Der Frau", error="case"), Variant("Dem Frau", error="gender")
    items = tuple(Item(str(i), "The woman", (foils[0], Variant("Die Frau"), foils[1]), correct=1) for i in range(3))
    suite = Suite("pairs", items, unit="pair")
    kontrast.save(suite, "pairs.jsonl")
    part = kontrast.load("pairs.jsonl?only=phenomenon=gender")
    assert [v.text for v in part[0].variants] == ["Die Frau", "Dem Frau"] and part[0].correct == 0
    scores = Scores("a", (3.0, 2.0, 1.0, 1.0, 2.0, 3.0, 3.0, 2.0, 1.0))
    assert kontrast.evaluate(part, scores).accuracy == pytest.approx(1 / 3)


def test_what_no_item_has_is_refused() -> None:
    assert "no such tag; known: distance" in str(_failing("phenomen=negation"))
    assert "no item of demo-fr has this value; phenomenon has" in str(_failing("phenomenon=negation,tens"))
    assert "has all of these tags" in str(_failing("phenomenon=negation,distance=1"))
    assert "expected TAG=VALUE" in str(_failing("negation"))


def _failing(only: str) -> KontrastError:
    with pytest.raises(KontrastError) as found:
        kontrast.load(f"demo:fr?only={only}")
    return found.value


def test_original_scripts_take_a_part() -> None:
    kontrast.convert("demo:fr", "own.json", to_format="contrapro")
    printed = run("evaluate", "own.json", "a.scores", "--style", "original", "--only", "ref_pronoun=elle")
    assert printed.splitlines()[0].split()[3] == "17"


def test_every_command_with_a_suite_has_the_option() -> None:
    context = command.make_context("kontrast", ["--help"], resilient_parsing=True)
    for name in COMMANDS:
        found = command.get_command(context, name)
        assert found is not None
        names = {parameter.name for parameter in found.params}
        assert ("suite" not in names) or "only" in names, name


def test_a_text_that_is_a_number_is_chosen_as_it_is_counted() -> None:
    from kontrast.suites.description import count_by
    from kontrast.suites.model import Item, Suite, Variant
    from kontrast.suites.subset import chosen_items

    both = (Variant("a"), Variant("b"))
    values = (1, "1.0", 1.0, "2", "1.5", ["x", "y"])
    suite = Suite("s", tuple(Item(str(n), "s", both, tags={"s": value}) for n, value in enumerate(values)))
    assert count_by(suite, ["s"]).cells == (((1,), 3), (("1.5",), 1), (("2",), 1), (("x+y",), 1))
    for asked, ids in (("1", "012"), ("1.0", "012"), ("2", "3"), ("1.5", "4"), ("x+y", "5")):
        assert "".join(item.id for item in chosen_items(suite, f"s={asked}").items) == ids
    texts = Suite("t", tuple(Item(str(n), "s", both, tags={"s": value}) for n, value in enumerate(("1", "1.0"))))
    assert [item.id for item in chosen_items(texts, "s=1").items] == ["0"]


def test_an_empty_document_name_is_no_document() -> None:
    from kontrast.suites.description import describe
    from kontrast.suites.model import Item, Suite, Variant

    both = (Variant("a"), Variant("b"))
    items = tuple(Item(str(n), "s", both, document=name) for n, name in enumerate(("", "", None, "d")))
    assert describe(Suite("s", items)).documents == 1
