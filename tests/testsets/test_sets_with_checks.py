"""MT-GenEval, SCAT and the DFKI test suite: what is read, what their own checks say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kontrast import InputError, Item, KontrastError, Suite, Variant, load
from kontrast.cli import kontrast as cli
from kontrast.flows.checking import check
from kontrast.suites.catalogue import entry, fetched
from kontrast.suites.lint import lint
from kontrast.testsets.dfki import judged, searched
from kontrast.testsets.scat import unmarked


def run(*args: object) -> str:
    done = CliRunner().invoke(cli, [*map(str, args)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / name.replace("__", "-").replace("_dot_", ".")).write_text(text, encoding="utf-8")


# MT-GenEval

CONTEXT = "geneval-context-wikiprofessions-{}-test.en_de.{}"
SENTENCES = "geneval-sentences-{}-test.en_de.{}"


def contextual(folder: Path) -> Path:
    texts = {
        CONTEXT.format("2to1", "en"): "She wrote. <sep> The author slept.\nHe sang. <sep> The singer left.\n",
        CONTEXT.format("original", "de"): "Die Autorin schlief.\nDer Sänger ging.\n",
        CONTEXT.format("flipped", "de"): "Der Autor schlief.\nDie Sängerin ging.\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / CONTEXT.format("original", "de")


def counterfactual(folder: Path) -> Path:
    for gender, source, target in (
        ("feminine", "She is a doctor.\nHer son.\n", "Sie ist Ärztin.\nIhr Sohn.\n"),
        ("masculine", "He is a doctor.\nHis son.\n", "Er ist Arzt.\nSein Sohn.\n"),
    ):
        (folder / SENTENCES.format(gender, "en")).write_text(source, encoding="utf-8")
        (folder / SENTENCES.format(gender, "de")).write_text(target, encoding="utf-8")
    return folder / SENTENCES.format("feminine", "de")


def test_mt_geneval_contextual(tmp_path: Path) -> None:
    path = contextual(tmp_path)
    suite = load(path)
    assert (suite.style, suite.source_language, suite.target_language) == ("mt-geneval", "en", "de")
    assert suite.items[0] == Item(
        "1",
        "The author slept.",
        (Variant("Die Autorin schlief."), Variant("Der Autor schlief.", error="gender")),
        source_context=("She wrote.",),
        tags={"phenomenon": "gender"},
    )
    # "der" is in the flipped reference only; an empty translation is right; punctuation stands for a blank
    for texts, share in (("Die Autorin\nDie Sängerin\n", 0.5), ("\nDer Mann\n", 1.0), ("schlief,der\nein\n", 0.5)):
        (tmp_path / "hyp").write_text(texts, encoding="utf-8")
        line = f"MTGenEval Accuracy for the en_de contextual test subset is {share}\n"
        assert run("check", path, tmp_path / "hyp", "--style", "original") == line
    asked = json.loads(run("check", path, tmp_path / "hyp", "--style", "original", "--json"))
    assert (asked["right"], asked["total"]) == (1, 2)
    (tmp_path / CONTEXT.format("flipped", "de")).unlink()
    with pytest.raises(InputError, match="flipped"):
        load(path)


def test_mt_geneval_counterfactual_is_right_where_both_genders_are(tmp_path: Path) -> None:
    path = counterfactual(tmp_path)
    suite = load(path)
    assert [(item.source, item.best.text, item.variants[1].text) for item in suite.items] == [
        ("She is a doctor.", "Sie ist Ärztin.", "Er ist Arzt."),
        ("Her son.", "Ihr Sohn.", "Sein Sohn."),
        ("He is a doctor.", "Er ist Arzt.", "Sie ist Ärztin."),
        ("His son.", "Sein Sohn.", "Ihr Sohn."),
    ]
    (tmp_path / "out.feminine.de").write_text("Sie heilt.\nIhr Sohn.\n", encoding="utf-8")
    (tmp_path / "out.masculine.de").write_text("Er heilt.\nIhr Sohn.\n", encoding="utf-8")
    line = "MTGenEval Accuracy for the en_de counterfactual test subset is 0.5\n"
    assert run("check", path, tmp_path / "out.feminine.de", "--style", "original") == line


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_mt_geneval_prints_what_its_script_printed(data: Path, language: str) -> None:
    folder = data / "mt-geneval"
    for suite, made, printed in (
        (f"geneval-context-wikiprofessions-original-test.en_{language}.{language}", "context", "context"),
        (f"geneval-sentences-feminine-test.en_{language}.{language}", "feminine", "counterfactual"),
    ):
        told = run("check", folder / suite, folder / f"made.{made}.{language}", "--style", "original")
        assert told == (folder / f"made.{printed}.{language}.printed.txt").read_text(encoding="utf-8")


def test_mt_geneval_references_are_right_and_flipped_ones_wrong(data: Path) -> None:
    for name in ("context-wikiprofessions-original", "sentences-feminine"):
        suite = load(data / "mt-geneval" / f"geneval-{name}-test.en_de.de")
        assert check(suite, [item.best.text for item in suite.items], style="original").accuracy == 1
        assert check(suite, [item.variants[1].text for item in suite.items], style="original").accuracy < 0.06


# SCAT


def scat(folder: Path) -> Path:
    texts = {
        "en": "And <p>it</p> was small.\nThey left.\n",
        "fr": "Et <p>elle</p> était p<p>elle</p>.\n<ho <hon>n>Elles<hoff><hoff> sont parties.\n",
        "context.en": "The  <hon>car<hoff> , I mean.\n\n",
        "context.fr": "La  <hon>voiture<hoff> , je veux dire.\n\n",
    }
    for ending, text in texts.items():
        (folder / f"highlighted.train.{ending}").write_text(text, encoding="utf-8")
    return folder / "highlighted.train"


def test_scat_marks_become_spans(tmp_path: Path) -> None:
    prefix = scat(tmp_path)
    suite = load(tmp_path)
    assert suite == load(prefix) == load(tmp_path / "highlighted.train.fr")
    first, second = suite.items
    assert (first.source, first.best.text) == ("And it was small.", "Et elle était pelle.")
    assert first.source_context == ("The car, I mean.",) and second.source_context == ()
    assert first.tags["expected"] == "elle" and first.tags["marks_inside_words"] == 1
    assert first.tags["ref_pronoun_spans"] == [[3, 7]] and first.tags["ref_context_needed"] == [[3, 10]]
    assert second.tags["broken_marks"] == ["ref"] and "expected" not in second.tags
    assert second.best.text == "Elles sont parties."


def test_scat_takes_foils_from_the_en_fr_rows(tmp_path: Path) -> None:
    prefix = scat(tmp_path)
    (tmp_path / "OpenSubs.current.src").write_text("And it was small.\nAnd it was small.\n")
    (tmp_path / "OpenSubs.current.trg").write_text("Et elle était pelle.\nEt il était pelle.\n", encoding="utf-8")
    suite = load(f"{prefix}?foils={tmp_path}/OpenSubs")
    assert [v.text for v in suite.items[0].variants] == ["Et elle était pelle.", "Et il était pelle."]
    assert suite.extra == {"without_foil": 1}


def test_scat_as_published(data: Path) -> None:
    suite = load(f"{data}/scat?foils={data}/large-contrastive-en-fr/OpenSubs")
    assert len(suite.items) == 9_344 and suite.extra == {"without_foil": 371}
    assert not any(
        mark in item.best.text + item.source for item in suite.items for mark in ("<p>", "<hon>", "<hoff>")
    )
    for item in suite.items:
        for side, text in (("src", item.source), ("ref", item.best.text)):
            for start, end in item.tags.get(f"{side}_pronoun_spans", ()):
                assert text[start:end].lower() in ("it", "they", "il", "elle", "ils", "elles")


@pytest.mark.parametrize("text", ["", "<p>", "<hoff> x", "a <hon>b", "</p><p>", "<ho<hoff>ff>"])
def test_any_line_loses_its_marks(text: str) -> None:
    assert "<hoff>" not in unmarked(text).text and "<p>" not in unmarked(text).text


# DFKI

BAT: dict[str, Any] = {
    "id": "1",
    "category": "Ambiguity",
    "phenomenon": "Lexical ambiguity",
    "langpair": "ende",
    "source_sentence": "He swung the bat. ",
    "positive_regex": "(Schläger|Keule)",
    "negative_regex": "Fledermaus",
    "positive_tokens": ["Er schwang den Schläger.", "Er schwang das Holz."],
    "negative_tokens": ["Er schwang die Fledermaus.", "Er schwang die Maus."],
}


def dfki(folder: Path, *changes: dict[str, Any]) -> Path:
    path = folder / "en-de.items.json"
    path.write_text(json.dumps({"items": [BAT | change for change in changes]}), encoding="utf-8")
    return path


def test_dfki_judged_outputs_are_variants(tmp_path: Path) -> None:
    suite = load(dfki(tmp_path, {}, {"id": "2", "positive_tokens": []}))
    assert (suite.source_language, suite.target_language) == ("en", "de")
    item, alone = suite.items
    assert alone.variants == (Variant(""),) and alone.tags["judged_wrong"] == BAT["negative_tokens"]
    assert [v.text for v in item.variants] == [BAT["positive_tokens"][0], *BAT["negative_tokens"]]
    assert item.references == (Variant("Er schwang das Holz."),) and item.tags["category"] == "Ambiguity"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Er schwang das Holz.", "right"),  # judged, though no expression finds it
        ("Er schwang die Maus.", "wrong"),
        ("Eine Keule!", "right"),
        ("Eine Fledermaus!", "wrong"),
        ("Keule und Fledermaus", "both"),
        ("Etwas anderes", "neither"),
    ],
)
def test_dfki_check(tmp_path: Path, text: str, outcome: str) -> None:
    assert getattr(check(load(dfki(tmp_path, {})), [text], style="original"), outcome) == 1


def test_dfki_expressions_have_a_limit_of_time() -> None:
    item = Item("9", "s", (Variant("t"),), tags={"positive_regex": r"(a|aa)+$", "negative_regex": "["})
    with pytest.raises(KontrastError, match=r"item 9: positive_regex took more than"):
        searched(item, "a" * 60 + "b")
    with pytest.raises(KontrastError, match=r"item 9: negative_regex is not a regular expression"):
        searched(item, "c")


def test_dfki_letters_may_be_decomposed() -> None:
    item = Item("9", "s", (Variant("Der Schläger."), Variant("Die Mäuse.")), tags={"positive_regex": "Schläger"})
    assert searched(item, "Ein Schla\u0308ger!") == "right"
    assert (judged(item, "Der Schla\u0308ger."), judged(item, "Die Ma\u0308use.")) == ("right", "wrong")


def test_an_authors_check_says_what_it_does_to_blank_and_decomposed_translations(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """MT-GenEval calls right whatever lacks the other gender's words: a blank line, unknown spellings."""
    item = Item("1", "the nurse", (Variant("der Pfleger"), Variant("die Ärztin")))
    suite = Suite("g", (item, item), "en", "de", style="mt-geneval", extra={"set": "context", "split": "test"})
    found = check(suite, ["", "A\u0308rztin"], style="original")
    assert found.right == 2
    said = capsys.readouterr().err
    assert "1 translations are blank; the authors' check counts 1 as right" in said
    assert "1 items change if the translations are in Unicode normal form C" in said


def test_dfki_lint_tells_where_expression_and_label_disagree(tmp_path: Path) -> None:
    changed = {"positive_tokens": ["Eine Fledermaus."], "negative_tokens": ["Der Schläger war alt."]}
    findings = [
        f for f in lint(load(dfki(tmp_path, {}, {"id": "2", **changed}))) if f.id == "expression-against-label"
    ]
    assert [f.items for f in findings] == [("2",), ("2",)]


def test_dfki_as_published(data: Path) -> None:
    suite = load(data / "dfki-testsuite" / "en-de.items.json")
    without = suite.extra["without_right_output"], suite.extra["without_output_and_expression"]
    assert len(suite.items) == 1_917 + without[0] and sum(without) == 407
    assert sum(len(item.variants) > 1 for item in suite.items) == 659


# WinoMT


def test_winomt_says_plainly_that_it_cannot_be_read() -> None:
    assert "There is no reader for it" in (entry("winomt").note or "")
    with pytest.raises(KontrastError, match="is not a suite that kontrast can read"):
        fetched("winomt")
