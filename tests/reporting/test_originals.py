"""Byte for byte what the originals printed on real data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kontrast.cli.evaluate import command
from kontrast.errors import KontrastError
from kontrast.suites.model import Item, Scores, Suite, Variant
from kontrast.testsets.originals import evaluate_original

LEXICAL, ANAPHORA = "discevalmt-en-fr/lexical-choice.json", "discevalmt-en-fr/anaphora.json"
PRONOUNS, WITHDRAWN = "contrapro-en-de/contrapro.subset.json", "un-en-fr/UN-testset-enfr.json"


def run(*args: str | Path, stdin: str | None = None) -> str:
    result = CliRunner().invoke(
        command, [*map(str, args), "--style", "original"], input=stdin, catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("suite", "scores", "expected", "options"),
    [
        (ANAPHORA, "discevalmt/anaphora.scores", "discevalmt/anaphora.txt", []),
        (ANAPHORA, "discevalmt/anaphora.scores", "discevalmt/anaphora.maximise.txt", ["--maximize"]),
        (LEXICAL, "discevalmt/lexical-choice.scores", "discevalmt/lexical-choice.txt", []),
        *(
            (f"consistency-en-ru/{name}.json", f"consistency/{name}.scores", f"consistency/{name}.txt", [])
            for name in ("deixis_dev", "ellipsis_infl", "lex_cohesion_dev")
        ),
        (PRONOUNS, "contrapro/system.scores", "contrapro/default.txt", []),
        (PRONOUNS, "contrapro/system.scores", "contrapro/maximize.txt", ["--maximize"]),
        (PRONOUNS, "contrapro/system.scores", "contrapro/verbose.txt", ["-v"]),
        (WITHDRAWN, "un-en-fr/system.scores", "un-en-fr/default.txt", []),
    ],
)
def test_prints_what_the_original_printed(data, golden, suite, scores, expected, options) -> None:
    assert run(data / suite, golden / scores, *options) == (golden / expected).read_text()


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        ("default", []),
        ("maximize", ["--maximize"]),
        ("fd-latex", ["--fd", "--latex", "--latex-polarity"]),
        ("categories", ["--categories", "polarity_affix_del,compound"]),
        ("categories", ["--categories", "polarity_affix_del", "compound"]),
        ("categories", ["--categories", "compound", "--categories", "polarity_affix_del"]),
    ],
)
def test_lingeval97_options(golden, expected, options) -> None:
    folder = golden / "lingeval97"
    assert run(folder / "suite.json", folder / "system.scores", *options) == (folder / f"{expected}.txt").read_text()


def test_lingeval97_verbose_with_one_best_outputs_and_scores_on_standard_input(golden) -> None:
    folder = golden / "lingeval97"
    years = ("newstest2014", "newstest2015", "newstest2016")
    outputs = json.dumps({year: str(folder / f"system.{year}") for year in years})
    options = ["-v", "--outputs", outputs, "--categories", "polarity_affix_del"]
    printed = run(folder / "suite.json", "-", *options, stdin=(folder / "system.scores").read_text())
    assert printed == (folder / "verbose.txt").read_text()


def pairs(style: str, *phenomena: dict[str, object]) -> Suite:
    items = [
        Item(str(i), "s", (Variant("a"), Variant("b", error="auxiliary")), tags=dict(tags))
        for i, tags in enumerate(phenomena, start=1)
    ]
    return Suite("tiny", tuple(items), style=style)


def test_contrapro_prints_null_intrasegmental_last_where_the_original_dies() -> None:
    tags = [
        {"src_pronoun": "It", "ref_pronoun": "Er", "distance": 7, "intrasegmental": i} for i in (None, True, False)
    ]
    printed = evaluate_original(pairs("contrapro", *tags), Scores("x", (1, 2, 2, 1, 1, 1)))
    assert printed.split("statistics by intrasegmental\n")[1].startswith(
        "False : 0 1 0.0 \nTrue : 0 1 0.0 \nNone : 1 1 1.0 \n"
    )
    assert ">3 : 1 3 0.3333333333333333 \n" in printed
    assert "it:er : 1 3" in printed


def test_distil_lingeval_takes_its_own_layout_higher_is_better_and_ties_are_right(tmp_path) -> None:
    suite = pairs("distil-lingeval", {}, {}, {})
    # correct: -1 -2 -3, incorrect: -2 -2 -1
    assert (
        evaluate_original(suite, Scores("x", (-1, -2, -3, -2, -2, -1), lower_is_better=False)) == "Accuracy: 66.7\n"
    )


def test_contrawsd_counts_senses_and_frequencies() -> None:
    tags = [
        {"ambig_word": "Ton", "sense": sense, "frequency_ratio": ratio}
        for sense, ratio in (("clay", "20/100"), ("sound", "80/100"))
    ]
    printed = evaluate_original(pairs("contrawsd", *tags), Scores("x", (1, 2, 2, 2)))
    assert printed == (
        "total : 1 2 0.5\n\nstatistics by error category\nTon:clay : 1 1 1.0\nTon:sound : 0 1 0.0\n\n"
        "statistics by frequency in training data\n>50 : 0 1 0.0 \n0-20 : 1 1 1.0 \n\n"
        "csv:\ncategory,absfrequency,relfrequency,accuracy\nTon:clay,20,0.2,1.0\nTon:sound,80,0.8,0.0\n"
    )


@pytest.mark.parametrize(
    ("frequency", "expected"), [(5, ">2"), (6, ">5"), (0, "0"), ("0", "0"), (10_001, ">10k"), (-1, ">10k")]
)
def test_lingeval97_frequency_bins_overlap_as_in_the_original(frequency, expected) -> None:
    foil = Variant("b", error="auxiliary", tags={"frequency": frequency, "distance": 16})
    suite = Suite("t", (Item("1", "s", (Variant("a"), foil)),), unit="pair", style="lingeval97")
    printed = evaluate_original(suite, Scores("x", (1, 2)))
    assert f"\n{expected} : 1 1 1.0\n" in printed and "\ndistance >15: 1 1 1.0\n" in printed


@pytest.mark.parametrize("texts", [True, False])
def test_lingeval97_leaves_out_errors_of_other_categories_but_not_their_scores(tmp_path, texts) -> None:
    errors = [{"type": "word_salad", "contrastive": "c", "distance": 1}, {"type": "compound", "contrastive": "b"}]
    (tmp_path / "own.json").write_text(json.dumps([{"source": "s", "reference": "a", "errors": errors}]))
    (tmp_path / "scores").write_text("2\n1\n3\n")
    printed = run(tmp_path / "own.json", tmp_path / "scores", *(["-v"] if texts else []))
    assert printed.startswith("total : 1 1 1.0\n") and "distance 1" not in printed


def test_ties_that_the_consistency_original_gives_away_are_said_aloud(capsys) -> None:
    evaluate_original(pairs("consistency", {"distance": 1}), Scores("x", (3, 3)))
    assert "1 of 1 right answers are ties" in capsys.readouterr().err


def test_an_option_of_another_original_is_refused() -> None:
    with pytest.raises(KontrastError, match="has no --fd"):
        evaluate_original(pairs("contrapro", {}), Scores("x", (1, 2)), fd=True)


def test_a_suite_without_an_original_says_so() -> None:
    with pytest.raises(KontrastError, match="no original evaluation"):
        evaluate_original(Suite("mine", ()), Scores("x", ()))


def test_an_unknown_category_names_the_known_ones() -> None:
    with pytest.raises(KontrastError, match="there is no nouns; choose from np_agreement"):
        evaluate_original(pairs("lingeval97", {}), Scores("x", (1, 2)), categories=("nouns",))
