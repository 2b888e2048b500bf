"""Context: how much, where, rendered how; controls that differ only in what they should."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import score
from kontrast.errors import KontrastError
from kontrast.scoring.context import parse_context, with_trained_scheme
from kontrast.scoring.plan import make_plan
from kontrast.scoring.run import preview
from kontrast.scoring.schemes import SCHEMES, load_scheme
from kontrast.suites.model import Item, Suite, Variant


def item(number: int, document: str = "a", **changes: object) -> Item:
    given = {
        "source_context": (f"S{number} one.", f"S{number} two."),
        "target_context": (f"T{number} one.", f"T{number} two."),
        "source_next": (f"S{number} next.",),
        "document": document,
        **changes,
    }
    return Item(str(number), f"s{number}", (Variant(f"t{number}"), Variant(f"u{number}")), **given)  # type: ignore[arg-type]


SUITE = Suite("s", (item(1), item(2), item(3, "b"), item(4, "b")))


def test_none_is_the_sentence_alone() -> None:
    group = make_plan(SUITE).groups[0]
    assert (group.source, group.targets[0].text, group.targets[0].prefix) == ("s1", "t1", "")


def test_previous_sentences_on_both_sides() -> None:
    context = parse_context("prev:1", scheme=SCHEMES["sep"], scheme_name="sep")
    group = make_plan(SUITE, context).groups[0]
    assert group.source == "S1 two. <SEP> s1"
    assert (group.sentence, group.context) == ("s1", ("S1 two.",))
    assert (group.targets[1].prefix, group.targets[1].text) == ("T1 two. <SEP> ", "u1")
    assert str(context) == "prev:1,both,sep"


def test_scoring_the_context_makes_it_part_of_the_text() -> None:
    group = make_plan(SUITE, parse_context("prev:2", scored=True)).groups[0]
    assert (group.targets[0].prefix, group.targets[0].text) == ("", "T1 one. T1 two. t1")


def test_sides() -> None:
    source = make_plan(SUITE, parse_context("prev:1", side="source")).groups[0]
    target = make_plan(SUITE, parse_context("prev:1", side="target")).groups[0]
    assert (source.source, source.targets[0].prefix) == ("S1 two. s1", "")
    assert (target.source, target.targets[0].prefix) == ("s1", "T1 two. ")


def test_following_sentence_and_a_budget_of_words() -> None:
    assert make_plan(SUITE, parse_context("next:1")).groups[0].source == "s1 S1 next."
    assert make_plan(SUITE, parse_context("tokens:3", side="source")).groups[0].source == "S1 two. s1"
    with pytest.raises(KontrastError, match="cannot be forced"):
        parse_context("next:1", side="both")
    with pytest.raises(KontrastError, match="expected N, prev:N"):
        parse_context("before:1")


def test_a_variants_own_context_comes_first() -> None:
    own = Item("1", "s", (Variant("t", context=("A",)), Variant("t", context=("B",))), source_context=("S",))
    plan = make_plan(Suite("s", (own,)), parse_context("prev:1"))
    assert [target.prefix for target in plan.groups[0].targets] == ["A ", "B "]
    assert plan.places == [(0, 0), (0, 1)]


@given(st.integers(0, 1000))
def test_controls_keep_the_amount_and_follow_the_seed(seed: int) -> None:
    for control in ("random", "shuffled", "other-document"):
        asked = parse_context("prev:2", control=control, seed=seed)
        groups = make_plan(SUITE, asked).groups
        assert groups == make_plan(SUITE, asked).groups
        for group, original in zip(groups, SUITE.items, strict=True):
            assert len(group.context) == 2 and group.sentence == original.source
            drawn = [sentence[:2] for sentence in group.context]
            if control == "shuffled":
                assert group.context == tuple(reversed(original.source_context or ()))
            if control == "other-document":
                other = {"1": "34", "2": "34", "3": "12", "4": "12"}[original.id]
                assert drawn[0][1] in other and drawn[0] == drawn[1]
            forced = group.targets[0].prefix
            assert all(f"T{sentence[1:]}" in forced for sentence in group.context), "both sides from the same place"


def test_own_output(tmp_path: Path) -> None:
    outputs = tmp_path / "out.txt"
    outputs.write_text("a\tb\n\nc\nd\n")
    plan = make_plan(SUITE, parse_context("prev:2", outputs=str(outputs)))
    assert [group.targets[0].prefix for group in plan.groups] == ["a b ", "", "c ", "d "]
    outputs.write_text("a\n")
    with pytest.raises(KontrastError, match=r"expected 4 lines, one per item of .*, found 1"):
        make_plan(SUITE, parse_context("prev:2", outputs=str(outputs)))


def test_no_context_in_the_suite_is_said() -> None:
    bare = Suite("bare", (Item("1", "s", (Variant("t"),)),))
    with pytest.raises(KontrastError, match="bare has no source and target context: give --documents"):
        make_plan(bare, parse_context("prev:1"))


def test_own_scheme(tmp_path: Path) -> None:
    config = tmp_path / "kontrast.toml"
    config.write_text('[context.mine]\ntemplate = "<c>{context}</c> {sentence}"\njoiner = " | "\n')
    context = parse_context("prev:2", scheme=load_scheme("mine", config), scheme_name="mine")
    assert make_plan(SUITE, context).groups[0].source == "<c>S1 one. | S1 two.</c> s1"
    config.write_text('[context.mine]\nseparater = "x"\n')
    with pytest.raises(KontrastError, match="separater"):
        load_scheme("mine", config)
    with pytest.raises(KontrastError, match="expected one of space, sep"):
        load_scheme("other", config)


def test_real_rows_with_three_sentences(data: Path) -> None:
    from kontrast.suites.formats import load

    suite = load(data / "large-contrastive-en-fr")
    plan = make_plan(suite, parse_context("prev:3"))
    assert len(plan.places) == 21_000
    assert sum(len(group.context) == 3 for group in plan.groups) > 10_000
    assert all(len(group.targets) >= 2 for group in plan.groups[:50])


def test_a_models_folder_says_how_it_was_trained(tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"model_type": "marian", "kontrast": {"scheme": "brk"}}')
    asked = parse_context("prev:1")
    for model in (f"hf:{tmp_path}", f"ct2:{tmp_path}", f"marian:{tmp_path / 'model.npz'}"):
        assert str(with_trained_scheme(asked, model)) == "prev:1,both,brk"
    for model in ("tiny", "hf:kontrast-tiny"):
        assert with_trained_scheme(asked, model).scheme == SCHEMES["sep"]
    for model in (None, f"file:{tmp_path}", "hf:someone/elses"):
        assert with_trained_scheme(asked, model) == asked
    named = parse_context("prev:1", scheme=SCHEMES["space"], scheme_name="space")
    assert with_trained_scheme(named, f"hf:{tmp_path}") == named, "what the user names comes first"
    config.write_text('{"kontrast": {"scheme": {"separator": " ||| "}}}')
    assert (
        preview(SUITE, None, context=with_trained_scheme(asked, f"hf:{tmp_path}")).shown[0].source.count(" ||| ") == 1
    )


@pytest.mark.parametrize(
    "said", ['{"kontrast": {"scheme": "dots"}}', '{"kontrast": {"scheme": 3}}', '{"kontrast": 1}', "{"]
)
def test_a_folder_that_says_something_else(said: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(said)
    with pytest.raises(KontrastError, match=r"config\.json.*expected"):
        with_trained_scheme(parse_context("prev:1"), f"hf:{tmp_path}")


def short(number: int, sentences: int) -> Item:
    """An item with so many sentences before it."""
    before = {"source_context": tuple(f"S{n}." for n in range(sentences))}
    return item(number, **before, target_context=tuple(f"T{n}." for n in range(sentences)))


def test_more_context_than_there_is_is_refused() -> None:
    suite = Suite("one", (short(1, 1), short(2, 1)))
    with pytest.raises(KontrastError, match=r"no item of one has 3 sentences .*the most is 1.*--context prev:1"):
        make_plan(suite, parse_context("prev:3"))
    with pytest.raises(KontrastError, match="two sentences of context to shuffle"):
        make_plan(suite, parse_context("prev:1", control="shuffled"))


def test_less_context_is_counted_and_signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    (tmp_path / "p.py").write_text("import sys\nfor line in sys.stdin: print(1)")
    suite = Suite("some", (short(1, 3), short(2, 1), short(3, 3), short(4, 0)))
    model = f"command:{sys.executable} {tmp_path / 'p.py'}"
    found = score(suite, model, context="prev:3", side="source")
    assert found.signature is not None and found.signature.details["sentences"] == "2x3+1x1+1x0"
    assert "sentences of context (prev:3,source,space): 2 with 3, 1 with 1, 1 with 0" in capsys.readouterr().err
    full = score(Suite("all", (short(1, 3), short(2, 3))), model, context="prev:3", side="source")
    assert full.signature is not None and "sentences" not in full.signature.details


def test_a_separator_may_be_written_out() -> None:
    assert load_scheme(" [CTX] ").render(("Hi.",), "It rains.")[0] == "Hi. [CTX] "
    with pytest.raises(KontrastError, match="expected one of space"):
        load_scheme("ctx")


def test_context_of_the_source_alone_goes_to_the_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table has no target context: that is used without being asked for, and said."""
    kontrast.init(tmp_path / "mine.csv", "en-de")
    assert kontrast.preview(tmp_path / "mine.csv", context="prev:1").context == "prev:1,source,space"
    assert "mine has no target context: --side source is used" in capsys.readouterr().err
    with pytest.raises(KontrastError, match="no target context: give --documents DIR, or --side source"):
        kontrast.preview(tmp_path / "mine.csv", context="prev:1", side="both")
    assert kontrast.preview("demo:de", context="prev:1").context == "prev:1,both,space"
    assert capsys.readouterr().err == ""


def test_scores_with_documents_are_scores_of_the_suite() -> None:
    """What was scored with the context of documents is evaluated, compared and checked on the suite itself."""
    pytest.importorskip("torch")
    suite = kontrast.load("demo:de?limit=4")
    how = {"context": "prev:1", "documents": kontrast.bundled_corpus()}
    plain, given = score(suite, "tiny"), score(suite, "tiny", **how)  # type: ignore[arg-type]
    assert given.signature is not None and given.signature.fingerprint == suite.fingerprint
    assert len(given.signature.details["documents"]) == 8
    assert "documents" in kontrast.compare(suite, plain, given).differs
    written = kontrast.translate(suite, "tiny", **how)  # type: ignore[arg-type]
    assert written.signature.fingerprint == suite.fingerprint and "documents" in written.signature.details
    assert kontrast.check(suite, written).total == len(suite)


def test_sources_that_are_not_the_line_of_their_document_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = []
    for i in range(3):
        (tmp_path / f"d{i}.en").write_text(f"Before {i}.\nIt is {i}.\nAfter.\n")
        (tmp_path / f"d{i}.de").write_text(f"Vorher {i}.\nEr ist {i}.\nNachher.\n")
        variants = Variant(f"Er ist {i}."), Variant(f"Sie ist {i}.", error="p")
        items.append(Item(str(i), f"It is {i}.", variants, document=f"d{i}", segment=2 if i else 3))
    suite = Suite("placed", tuple(items), "en", "de", segment_base=1)
    kontrast.preview(suite, context="prev:1", documents=tmp_path)
    assert "warning: 1 of 3 sources differ from the line of their document" in capsys.readouterr().err
    right = Suite("right", suite.items[1:], "en", "de", segment_base=1)
    kontrast.preview(right, context="prev:1", documents=tmp_path)
    assert "warning" not in capsys.readouterr().err
    (tmp_path / "d1.de").write_text("Er ist 1.\nNachher.\nEnde.\n")  # the target's side has shifted
    kontrast.preview(right, context="prev:1", documents=tmp_path)
    assert "warning: 1 of 2 correct variants differ from the line of the target document" in capsys.readouterr().err
    kontrast.preview(right, context="prev:1", side="source", documents=tmp_path)
    assert "warning" not in capsys.readouterr().err
    assert kontrast.extract(right, tmp_path / "out", documents=tmp_path).differing_targets == 1
