"""The generative check: CTXPro's protocol on real output, our own on small ones."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import kontrast
from kontrast import (
    InputError,
    Item,
    KontrastError,
    Scores,
    Signature,
    Suite,
    Translations,
    Variant,
    check,
    load,
    read_translations,
    write_translations,
)
from kontrast.cli import kontrast as cli
from kontrast.judging.check import judge_translations
from kontrast.judging.passages import own_translation, resolve, sentences_of
from kontrast.judging.written import is_verdicts, read_verdicts, write_verdicts
from kontrast.reporting.checking import print_check
from kontrast.suites.formats import save


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


def test_languages_of_other_length_and_script() -> None:
    """Chinese has a third of English's characters: a sentence is no passage, nor a passage a sentence."""
    text = "is asleep now, friend. Really, I say so."
    item = Item(
        "1", "他在睡觉，真的。", (Variant(f"He {text}"), Variant(f"She {text}")), source_context=("狗来了。",)
    )
    result = check(Suite("zh-en", (item,), target_language="en"), [f"He {text}"])
    assert (result.align, result.right) == ("whole", 1)
    item = Item("1", "She is asleep now, my friend.", (Variant("她在睡觉。"), Variant("他在睡觉。")))
    item = msgspec.structs.replace(item, source_context=("He came home and he was tired.",))
    suite = Suite("en-zh", (item,), target_language="zh")
    assert [check(suite, [one]).right for one in ("她在睡觉。", "他回家了，他很累。她在睡觉。")] == [1, 1]
    assert sentences_of("هل هو هنا؟ نعم.") == ["هل هو هنا؟", "نعم."]


@pytest.mark.parametrize("name", ["demo:fr", "demo:de"])
@pytest.mark.parametrize("between", [" ", " <SEP> "])
def test_known_answers_with_one_sentence_of_more_context(name: str, between: str) -> None:
    """The suite holds more context than the passages had: still its references are right and its foils never."""
    suite = load(name)
    for rival, right in ((0, len(suite.items)), (1, 0)):
        variants = [item.variants[(item.correct + rival) % len(item.variants)] for item in suite]
        contexts = [one.context or item.target_context or () for one, item in zip(variants, suite, strict=True)]
        lines = [between.join([*before[-1:], one.text]) for one, before in zip(variants, contexts, strict=True)]
        result = check(suite, lines, context=1)
        assert (result.right, result.both, result.neither) == (right, 0, 0), result.align


def test_side_by_side_with_scores() -> None:
    suite = Suite("s", (PRONOUN, NEGATION, NEGATION))
    scores = Scores("m", (1.0, 2.0, 3.0, 2.0, 1.0, 1.0, 1.0))
    result = check(suite, ["Er!", "Er kommt.", "Er kommt nicht."], scores=scores).agreement
    assert result is not None
    assert (result.decided, result.agreement, result.kappa) == (2, 1.0, 1.0)
    assert result.table["tie"]["right"] == 1
    assert (result.contrastive, result.generative) == (0.5, pytest.approx(2 / 3))


def test_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = Suite("s", (PRONOUN, NEGATION))
    short = tmp_path / "short.de"
    short.write_text("Er.\n")
    with pytest.raises(InputError, match=r"line 2: expected 2 translations \(one per item of s\), found 1"):
        read_translations(short, suite)
    with pytest.raises(KontrastError, match="it has no original check"):
        check(suite, ["a", "b"], style="original")
    rows = tmp_path / "rows.de"
    rows.write_text("Er.\nSie.\nEs.\nnicht\nja\n")
    assert read_translations(rows, suite) == ["Er.", "nicht"]
    assert "5 lines for 2 items: read as one line per row" in capsys.readouterr().err


def test_translations_of_other_items_are_refused(tmp_path: Path) -> None:
    suite, other = Suite("s", (PRONOUN, NEGATION)), Suite("s", (NEGATION, PRONOUN))
    made = Translations("m", ("Er.", "nicht"), Signature(suite="s", fingerprint=suite.fingerprint))
    path = tmp_path / "m.de"
    write_translations(made, path)
    assert kontrast.check(suite, path).right == kontrast.check(suite, made).right == 2
    for given in (path, made):
        with pytest.raises(KontrastError, match=r"was translated on s \(hash .*--allow suite"):
            kontrast.check(other, given)
    assert kontrast.check(other, path, allow=["suite"]).right == 0
    path.write_text("nicht\nEr.\n")  # by another system: what stands beside the file speaks of other lines
    assert kontrast.check(other, path).right == 2


ORDER = Item("4", "Anna called Robert.", (Variant("Anna ligou para Robert."), Variant("Robert ligou para Anna.")))
CASE = Item("5", "The end.", (Variant("Das Ende."), Variant("das Ende.")))
ALONE = Item("6", "It sleeps .", (Variant("Er schläft ."),))
DASH = Item("7", "I did .", (Variant("- Ja ."),), tags={"expected": "-"})


@pytest.mark.parametrize("item", [ORDER, CASE, ALONE, DASH])
@pytest.mark.parametrize("text", ["Robert ligou para Anna.", "Anna!", "irgendwas", ""])
def test_what_words_cannot_tell_is_counted_apart(item: Item, text: str) -> None:
    result = check(Suite("s", (PRONOUN, item)), ["Er pennt.", text])
    assert (result.right, result.undecidable, result.total, result.accuracy) == (1, 1, 2, 1.0)
    assert result.outcomes[1] == "undecidable"
    with pytest.raises(KontrastError, match="words decide no item"):
        check(Suite("s", (item,)), [text])


def test_the_nearer_variant_decides_what_words_cannot() -> None:
    suite = Suite("s", (ORDER, ORDER, ORDER, PRONOUN, PRONOUN, ALONE))
    texts = [
        "A Anna ligou ao Robert.",
        "Robert chamou a Anna.",
        "Não.",
        "Er schläft .",
        "Sie schläft .",
        "Er schläft .",
    ]
    result = check(suite, texts, by_distance=True)
    assert result.outcomes == ("right", "wrong", "neither", "right", "wrong", "undecidable")
    ways = result.two_ways
    assert ways is not None
    assert (ways.settled, ways.decided, ways.agreement, ways.kappa) == (2, 2, 1.0, 1.0)
    assert check(suite, texts).two_ways is None


def test_every_item_says_what_was_looked_for(tmp_path: Path) -> None:
    suite = Suite("s", (PRONOUN, NEGATION, ORDER))
    written = judge_translations(suite, ["Es pennt.", "Er kommt.", "Anna!"], system="m")
    pronoun, negation, order = written.items
    assert (pronoun.expected, pronoun.forbidden, pronoun.verdict) == (("er",), ("sie", "es"), "wrong")
    assert [(f.form, f.start, f.end, f.variant) for f in pronoun.found] == [("es", 0, 2, 2)]
    assert (negation.expected, negation.forbidden, negation.found) == (("nicht",), (), ())
    assert (order.verdict, order.why) == ("undecidable", "the variants have the same words")
    write_verdicts(written, tmp_path / "m.verdicts")
    assert is_verdicts(tmp_path / "m.verdicts")
    assert read_verdicts(tmp_path / "m.verdicts", suite) == written
    with pytest.raises(InputError, match=r"line 1: these verdicts belong to s .* not to other"):
        read_verdicts(tmp_path / "m.verdicts", Suite("other", (PRONOUN,)))
    text = (tmp_path / "m.verdicts").read_text().splitlines()
    (tmp_path / "short").write_text("\n".join(text[:-1]) + "\n")
    with pytest.raises(InputError, match="line 4: expected 3 verdicts"):
        read_verdicts(tmp_path / "short", suite)


def test_a_suite_of_pairs_decides_by_pair() -> None:
    item = Item(
        "1",
        "He does not sleep .",
        (
            Variant("Er schläft nicht ."),
            Variant("Sie schläft nicht .", "pronoun"),
            Variant("Er schläft .", "negation"),
        ),
    )
    result = check(Suite("s", (item,), unit="pair"), ["Er schläft ja ."], by=["phenomenon"])
    assert result.outcomes == ("right", "wrong")
    assert [(g.label, g.accuracy) for g in result.by[0].groups] == [("negation", 0.0), ("pronoun", 1.0)]


def test_the_command_with_several_systems(tmp_path: Path) -> None:
    suite = Suite("s", (PRONOUN, NEGATION, ORDER))
    save(suite, tmp_path / "s.jsonl")
    (tmp_path / "a.de").write_text("Er pennt.\nEr kommt.\nAnna!\n")
    run = CliRunner().invoke
    both = [str(tmp_path / "s.jsonl"), str(tmp_path / "a.de"), "-"]
    answer = run(
        cli, ["check", *both, "--by", "phenomenon", "--items", str(tmp_path / "out")], input="Sie.\nnicht\n?\n"
    )
    assert answer.exit_code == 0, answer.output
    assert "right form by phenomenon" in answer.output
    assert "cannot be decided by words" in answer.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"a.de.verdicts", "stdin.verdicts"}
    answer = run(cli, ["check", *both[:2], "--by-distance"])
    assert "words and the nearer variant" in answer.output


def test_scores_of_another_suite_are_refused() -> None:
    suite, other = Suite("s", (NEGATION,)), Suite("other", (AFFIX,))
    scores = Scores("m", (1.0, 2.0), signature=Signature("other", other.fingerprint))
    with pytest.raises(KontrastError, match="m was scored on other"):
        check(suite, ["Er kommt nicht."], scores=scores)
    assert check(suite, ["Er kommt nicht."], scores=scores, allow=["suite"]).agreement is not None


def test_pieces_and_lines_changed_by_hand_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = Suite(
        "one", (Item("1", "The house.", (Variant("Das Haus."), Variant("Das Heim.", error="word"))),), "en", "de"
    )
    file = tmp_path / "system.de"
    file.write_text("Das Haus@@ halt .\n", "utf-8")
    read_translations(file, suite)
    assert "1 of 1 lines have marks of subword pieces" in capsys.readouterr().err
    made = Translations("mine", ("Das Haus.",), Signature("one", suite.fingerprint, "command", "mine"))
    write_translations(made, file)
    read_translations(file, suite)
    assert capsys.readouterr().err == ""
    file.write_text("Das Heim.\n", "utf-8")
    read_translations(file, suite)
    assert "system.de.json belongs to other lines" in capsys.readouterr().err


def test_pairs_are_called_pairs(capsys: pytest.CaptureFixture[str]) -> None:
    variants = Variant("Er geht."), Variant("Sie geht.", error="a"), Variant("Es geht.", error="b")
    suite = Suite("s", (Item("1", "It goes.", variants),), "en", "de", unit="pair")
    found = kontrast.check(suite, ["Er geht."])
    assert isinstance(found, kontrast.Check)
    print_check(found)
    assert "of 2 pairs" in capsys.readouterr().out
