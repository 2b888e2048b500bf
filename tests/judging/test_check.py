"""The generative check: CTXPro's protocol on real output, our own on small ones."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kontrast import InputError, Item, KontrastError, Scores, Suite, Variant, check, load, read_translations
from kontrast.judging.passages import own_translation, resolve


@pytest.mark.parametrize("name", ["auxiliary", "mini.formality"])
@pytest.mark.parametrize("kind", ["sentences", "contexts"])
def test_ctxpro_on_deepl(name: str, kind: str, data: Path, golden: Path) -> None:
    file = f"{name}.opensubtitles.en-de.test"
    suite = load(data / "ctxpro" / f"{file}.json")
    lines = read_translations(data / "ctxpro" / f"deepl.{file}.{kind}", suite)
    result = check(suite, lines, style="original")
    expected = msgspec.json.decode((golden / "ctxpro-deepl.json").read_bytes())[f"{name}.{kind}"]
    assert [result.right, result.total] == expected["total"]
    assert msgspec.to_builtins(result.by_rule) == {k: tuple(v) for k, v in expected["by_rule"].items()}


PRONOUN = Item(
    "1",
    "It sleeps .",
    (
        Variant("Er schläft ."),
        Variant("Sie schläft .", "pronoun", tags={"replacement": "Sie"}),
        Variant("Es schläft .", "pronoun", tags={"replacement": "Es"}),
    ),
    tags={"ref_pronoun": "Er"},
)
NEGATION = Item("2", "He does not come .", (Variant("Er kommt nicht ."), Variant("Er kommt .", "negation")))
AFFIX = Item("3", "A patient man .", (Variant("Ein Mann ."), Variant("Kein Mann .", "negation")))


@pytest.mark.parametrize(
    ("item", "text", "outcome"),
    [
        (PRONOUN, "Er pennt.", "right"),
        (PRONOUN, "Es pennt.", "wrong"),
        (PRONOUN, "Er oder sie pennt.", "both"),
        (PRONOUN, "Der Hund pennt.", "neither"),
        (PRONOUN, "Erst pennt er, Esel auch.", "right"),
        (PRONOUN, "", "neither"),
        (NEGATION, "Er will nicht kommen.", "right"),
        (NEGATION, "Er will kommen.", "wrong"),
        (NEGATION, "", "neither"),
        (AFFIX, "Ein Mensch.", "right"),
        (AFFIX, "Kein Mensch.", "wrong"),
    ],
)
def test_outcomes(item: Item, text: str, outcome: str) -> None:
    assert check(Suite("s", (item,)), [text]).outcomes == (outcome,)


PASSAGE = Item(
    "1",
    "It sleeps. Well.",
    PRONOUN.variants,
    source_context=("I have a dog. A big one.", "Look!"),
    source_next=("Do you see?",),
)


@pytest.mark.parametrize(
    ("output", "align", "expected"),
    [
        ("Da ist er. <sep> Schau! <sep> Er schläft. Gut. <sep> Siehst du?", "separator", "Er schläft. Gut."),
        ("Ich habe einen Hund. Einen großen. Schau! Er schläft. Gut. Siehst du?", "count", "Er schläft. Gut."),
        ("Ich habe einen großen Hund. Schau! Er schläft gut. Siehst du?", "count", "Er schläft gut."),
        ("Er schläft. Gut.", "whole", "Er schläft. Gut."),
    ],
)
def test_the_own_sentence_is_found(output: str, align: str, expected: str) -> None:
    assert own_translation(PASSAGE, output, align, "<sep>") == expected  # type: ignore[arg-type]


def test_sentences_or_passages() -> None:
    passage = "Ich habe einen Hund. Einen großen. Schau! Er schläft. Gut. Siehst du?"
    assert resolve([PASSAGE], ["Er schläft. Gut."], "auto", None) == ("whole", None)
    assert resolve([PASSAGE], [passage], "auto", None) == ("count", None)
    assert resolve([PASSAGE], [passage.replace("! ", "! <SEP> ")], "auto", None) == ("separator", "<SEP>")


def test_passages_whose_context_the_suite_does_not_hold() -> None:
    long = "Ich habe einen Hund. Sie ist müde, sagt Sie. Er schläft ."
    assert resolve([PRONOUN], [long], "auto", None) == ("count", None)
    assert check(Suite("s", (PRONOUN,)), [long]).outcomes == ("right",)
    assert check(Suite("s", (PRONOUN,)), [long], align="whole").outcomes == ("both",)


def test_side_by_side_with_scores() -> None:
    suite = Suite("s", (PRONOUN, NEGATION, NEGATION))
    scores = Scores("m", (1.0, 2.0, 3.0, 2.0, 1.0, 1.0, 1.0))
    result = check(suite, ["Er!", "Er kommt.", "Er kommt nicht."], scores=scores).agreement
    assert result is not None
    assert (result.decided, result.agreement, result.kappa) == (2, 1.0, 1.0)
    assert result.table["tie"]["right"] == 1
    assert (result.contrastive, result.generative) == (0.5, pytest.approx(2 / 3))


def test_bad_input(tmp_path: Path) -> None:
    suite = Suite("s", (PRONOUN, NEGATION))
    short = tmp_path / "short.de"
    short.write_text("Er.\n")
    with pytest.raises(InputError, match=r"line 2: expected 2 translations \(one per item of s\), found 1"):
        read_translations(short, suite)
    with pytest.raises(KontrastError, match="without an expected form"):
        check(suite, ["a", "b"], style="original")
    rows = tmp_path / "rows.de"
    rows.write_text("Er.\nSie.\nEs.\nnicht\nja\n")
    assert read_translations(rows, suite) == ["Er.", "nicht"]
