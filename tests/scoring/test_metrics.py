"""Metrics on suites: sacreBLEU's numbers to the last digit, context, files, the seed's means."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

import kontrast
from kontrast import Item, KontrastError, Suite, Variant
from kontrast.judging.meta.evaluate import meta_evaluate
from kontrast.progress import Advance
from kontrast.scoring.context import parse_context
from kontrast.scoring.metrics import load_metric, sacre
from kontrast.scoring.metrics.metric import Declaration, MetricOptions, Passage, Segment
from kontrast.scoring.metrics.run import score_metric, score_metrics
from kontrast.scoring.metrics.segments import make_segments, with_references
from kontrast.suites.judgements import read_segment_scores, write_segment_scores

ORIGINALS = {
    "BLEU": BLEU(effective_order=True),
    "chrF": CHRF(),
    "chrF++": CHRF(word_order=2),
    "TER": TER(),
    "BLEU?tokenize=intl&lowercase=yes": BLEU(effective_order=True, tokenize="intl", lowercase=True),
    "BLEU?smooth_method=add-k": BLEU(effective_order=True, smooth_method="add-k"),
    "chrF?whitespace=yes&char_order=3": CHRF(whitespace=True, char_order=3),
    "TER?normalized=yes&case_sensitive=yes": TER(normalized=True, case_sensitive=True),
}
ITEM = Item(
    "1",
    "Der Hund schläft.",
    (Variant("The dog sleeps."), Variant("The dog sleep.", error="agreement")),
    references=(Variant("The dog is asleep."),),
)
TINY = Suite("tiny", (ITEM,), "de", "en")


def own(metric: object, segment: Segment) -> tuple[float, ...]:
    references = [reference.joined for reference in segment.references]
    return tuple(metric.sentence_score(each.joined, references).score for each in segment.hypotheses)  # type: ignore[attr-defined]


def passages(*texts: str) -> tuple[Passage, ...]:
    return tuple(map(Passage, texts))


@pytest.fixture(scope="module")
def demetr(data: Path) -> Suite:
    """Sixty items of each file: real errors, an empty text, the reference itself."""
    whole = kontrast.load(data / "demetr-x-en")
    kept: dict[str, int] = {}
    items = []
    for item in whole.items:
        name = str(item.phenomenon)
        kept[name] = kept.get(name, 0) + 1
        if kept[name] <= 60:
            items.append(item)
    return msgspec.structs.replace(whole, items=tuple(items))


@pytest.mark.parametrize("name", ORIGINALS)
def test_numbers_are_sacrebleus_to_the_last_digit(demetr: Suite, name: str) -> None:
    metric = load_metric(name)
    segments = make_segments(demetr, name, metric.declaration).segments
    # A second reference, and variants that have nothing in common with the first.
    segments = [
        Segment(s.source, (*s.references, *extra), (*s.hypotheses, *passages("", s.source.text, "a b a b a")))
        for s, extra in zip(segments, [(), passages("A quite other text, and longer.")] * 500, strict=False)
    ][: 60 if name.startswith("TER") else 240]
    assert metric.score(segments, lambda n: None) == [own(ORIGINALS[name], segment) for segment in segments]


words = st.lists(st.sampled_from("a b c d e . , ( f) the The 3.5 É".split()), max_size=9).map(" ".join)


@pytest.mark.parametrize("name", ["BLEU", "chrF", "chrF++", "TER"])
@given(st.lists(words, min_size=1, max_size=3), st.lists(words, min_size=1, max_size=4))
def test_any_texts(name: str, references: list[str], hypotheses: list[str]) -> None:
    segment = Segment(Passage(""), passages(*references), passages(*hypotheses))
    assert load_metric(name).score([segment], lambda n: None) == [own(ORIGINALS[name], segment)]


@given(st.text(st.sampled_from("aÄ1 .,-&;<>/\"'\t\u00a0\nq" + "skiped"), max_size=30))
def test_words_are_cut_as_sacrebleu_cuts_them(text: str) -> None:
    segment = Segment(Passage(""), passages(text, "a 1 . , - b"), passages("1.5 a, b-", text))
    for name in ("BLEU", "chrF++"):
        assert load_metric(name).score([segment], lambda n: None) == [own(ORIGINALS[name], segment)]


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_characters(one: str, other: str) -> None:
    segment = Segment(Passage(""), passages(one), passages(other, one))
    assert load_metric("chrF").score([segment], lambda n: None) == [own(ORIGINALS["chrF"], segment)]


def test_processes_give_the_same(demetr: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = score_metric(demetr, "chrF", options=MetricOptions(processes=1))
    monkeypatch.setitem(sacre.ENOUGH, "chrF", 100)
    shared = score_metric(demetr, "chrF", options=MetricOptions(processes=3))
    assert shared == alone
    assert alone.signature is not None and alone.signature.details["sacrebleu"]


def test_the_signature_of_ter_has_both_normalisations() -> None:
    item = Item("1", "x", (Variant("a b"), Variant("a c")), references=(Variant("a b"),))
    made = score_metric(Suite("s", (item,)), "TER")
    assert "|norm:none|" in str(made.signature) and "|normalized:no|" in str(made.signature)


def test_context_goes_before_every_text(data: Path) -> None:
    suite = kontrast.load(f"{data / 'pro-mistranslations-en-de'}?context=2")
    declaration = load_metric("chrF").declaration
    made = make_segments(suite, "chrF", declaration, parse_context("prev:2"))
    item, segment = suite.items[5], made.segments[made.segment_of[10]]
    assert segment.hypotheses[made.hypothesis_of[10]].joined == " ".join(
        [*(item.target_context or ()), item.best.text]
    )
    assert segment.references[0].joined == " ".join([*(item.references[0].context or ()), item.references[0].text])
    drawn = make_segments(suite, "chrF", declaration, parse_context("prev:2", control="random"))
    before = [s.references[0].before for s in drawn.segments]
    assert before != [s.references[0].before for s in made.segments]
    # Both sides of a wrong context are translations of the same sentences.
    both = [(i.target_context or (), i.references[0].context or ()) for i in suite.items]
    singles = {pair for ours, theirs in both for pair in zip(ours, theirs, strict=True)}
    first = drawn.segments[3]
    assert any(
        first.hypotheses[0].before.startswith(a) and first.references[0].before.startswith(b) for a, b in singles
    )


def test_sentence_and_document_level_side_by_side(data: Path) -> None:
    suite = kontrast.load(data / "pro-mistranslations-en-de")
    contexts = [parse_context("prev:2"), parse_context("prev:2", control="shuffled")]
    scores = score_metrics(suite, ["chrF"], contexts=contexts)
    assert [each.system for each in scores] == ["chrF", "chrF +prev:2", "chrF +prev:2 shuffled"]
    assert len({each.values for each in scores}) == 3
    result = meta_evaluate(suite, scores)
    assert [each.evaluation.items for each in result.metrics] == [76] * 3 and result.comparison is not None


def test_the_authors_means_and_the_verdicts_they_did_not_report(data: Path) -> None:
    folder = data / "pro-mistranslations-en-de"
    suite = kontrast.load(f"{folder}?only=test_set=newstest2021")
    published: dict[str, list[float]] = {"doc_DA": [], "doc_SQM": []}
    prompt = ""
    lines = [line for line in (folder / "gpt_scores/results_gpt.txt").read_text().splitlines() if line.strip()]
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        prompt = line.split(":")[1].strip() if line.startswith("Prompt type") else prompt
        if line.startswith("Score") and "2021" in line:
            published[prompt].append(float(after))
    result = kontrast.metrics(suite, [f"file:{folder}/gpt_scores/{name}" for name in published], by=["reference"])
    found = {m.metric: [x for mean in m.means[1:] for x in (mean.perturbed, mean.original)] for m in result.metrics}
    assert found == published and sum(map(len, published.values())) == 16
    counts = [(m.evaluation.right, m.evaluation.wrong, m.evaluation.ties) for m in result.metrics]
    assert [sum(column) for column in zip(*counts, strict=True)] == [11, 2, 91]


def test_pairs_of_references_can_be_chosen(data: Path) -> None:
    folder = data / "pro-mistranslations-en-de"
    usual, other = kontrast.load(folder), kontrast.load(f"{folder}?pairs=A:C,B:A,C:D,D:C")
    changed = [a.id for a, b in zip(usual.items, other.items, strict=True) if a.references != b.references]
    assert {name.split(".")[1] for name in changed} == {"A"}
    with pytest.raises(KontrastError, match="expected letters"):
        kontrast.load(f"{folder}?pairs=A-C")


def test_wmt_segment_scores_come_back(tmp_path: Path) -> None:
    three = msgspec.structs.replace(ITEM, variants=(*ITEM.variants, Variant("Dog.", error="omission")))
    suite = Suite("s", (ITEM, three), "de", "en")
    scores = score_metric(suite, "TER")
    narrow, wide = tmp_path / "ter.seg.score", tmp_path / "wide.seg.score"
    write_segment_scores(scores, suite, narrow)
    written = [line.split("\t") for line in narrow.read_text().splitlines()]
    assert [system for system, score in written if score == "None"] == ["variant3"]
    rows = [
        ["TER", "de-en", "s", "all", "-", "ref", each[0], str(n % 2 + 1), each[1]] for n, each in enumerate(written)
    ]
    wide.write_text("".join("\t".join(row) + "\n" for row in rows if row[-1] != "None"))
    for path in (narrow, wide):
        again = read_segment_scores(path, suite)
        assert again.values == tuple(-value for value in scores.values) and not again.lower_is_better
    swapped = kontrast.metrics(TINY_TWO, [f"file:{_two(tmp_path)}?systems=b,a"])
    assert swapped.metrics[0].evaluation.right == 2


TINY_TWO = Suite("two", (ITEM, ITEM), "de", "en")


def _two(folder: Path) -> Path:
    path = folder / "metric.seg.score"
    path.write_text("a\t0.1\na\t0.2\nb\t0.5\nb\t0.6\n")
    return path


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\t0.1\nb\t0.2\n", "expected 2 segments|expected a score for variant"),
        ("a\tx\n", "line 1: expected a number"),
        ("just words\n", "expected a number"),
        ("m\tde-en\tt\ta\tone\t0.5\n", "expected a segment's number"),
    ],
)
def test_wrong_segment_scores(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "m.seg.score"
    path.write_text(text)
    with pytest.raises(KontrastError, match=problem):
        read_segment_scores(path, TINY_TWO)


@given(st.binary(max_size=60))
def test_any_bytes_as_segment_scores(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("seg") / "m.seg.score"
    path.write_bytes(content)
    try:
        read_segment_scores(path, TINY_TWO)
    except KontrastError as error:
        assert "\n" not in str(error)


def test_a_program_as_metric() -> None:
    line = "import sys\nfor l in sys.stdin: s, t, r = l.split(chr(9)); print(-abs(len(t.strip()) - len(r.strip())))"
    scores = score_metric(TINY, f"command:{sys.executable} -c '{line}'")
    assert scores.values == (-3.0, -4.0) and not scores.lower_is_better


def test_bad_input(tmp_path: Path) -> None:
    without = Suite("bare", (msgspec.structs.replace(ITEM, references=()),))
    with pytest.raises(KontrastError, match="item 1 of bare has none"):
        score_metric(without, "BLEU")
    (tmp_path / "two").write_text("one\ntwo\n")
    with pytest.raises(KontrastError, match=r"two, line 2: expected 1 lines, one per item of bare, found 2"):
        with_references(without, [tmp_path / "two"])
    (tmp_path / "one").write_text("The dog sleeps.\n")
    assert score_metric(with_references(without, [tmp_path / "one"]), "TER").values[0] == 0.0
    with pytest.raises(KontrastError, match=r"item 1, variant 1: python.* gave nan"):
        score_metric(TINY, f"command:{sys.executable} -c 'print(chr(110) + chr(97) + chr(110)); print(1)'")
    constant = kontrast.metrics(TINY, [f"command:{sys.executable} -c 'print(1); print(1)'"])
    assert constant.metrics[0].evaluation.ties == 1 and "100% ties" in constant.metrics[0].notes[0]
    for name, problem in (
        ("meteor", "there is no metric"),
        ("BLEU?tokenise=13a", "there is no option tokenise"),
        ("BLEU:x", "has no models"),
        ("BLEU?tokenize=klingon", "sacreBLEU says|Unknown|klingon"),
        ("chrF?beta=much", "option beta=much"),
        ("chrF?beta", "expected NAME=VALUE"),
        ("chrF?beta=1&beta=2", "beta is given twice"),
    ):
        with pytest.raises(KontrastError, match=problem):
            score_metric(TINY, name)


def test_the_command_line(data: Path, tmp_path: Path) -> None:
    kontrast_command = [sys.executable, "-m", "kontrast", "metrics"]
    suite = str(data / "pro-mistranslations-en-de" / "pro_errors.json")
    line = [
        *kontrast_command,
        suite,
        "--metric",
        "chrF",
        "--metric",
        "ter",
        "--json",
        "--out",
        str(tmp_path),
        "--wmt",
    ]
    run = subprocess.run([*line, "--report", str(tmp_path / "r.md")], capture_output=True, text=True, check=True)
    result = json.loads(run.stdout)
    assert [m["metric"] for m in result["metrics"]] == ["chrF", "TER"] and result["items"] == 76
    assert {p.name for p in tmp_path.iterdir()} >= {"chrF.scores", "chrF.seg.score", "TER.scores.json", "r.md"}
    again = subprocess.run(
        [sys.executable, "-m", "kontrast", "evaluate", suite, str(tmp_path / "TER.scores"), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(again.stdout)["accuracy"] == result["metrics"][1]["evaluation"]["accuracy"]
    wrong = subprocess.run(
        [*kontrast_command, suite, "--metric", "chrf", "--only", "a=b"], capture_output=True, text=True
    )
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1


CONTEXT = Item(
    "1",
    "c",
    (Variant("it rains now"), Variant("it snows now", error="e")),
    source_context=("a", "b"),
    target_context=("one two", "three four"),
    references=(Variant("it rains today", context=("uno dos", "three four")),),
)


def test_translations_may_have_the_references_context() -> None:
    """As the authors of document-level metrics score: the same words stand before both."""
    suite = Suite("s", (CONTEXT,), "de", "en")
    context = parse_context("prev:2")
    own = score_metric(suite, "chrF", context=context)
    given = score_metric(suite, "chrF", context=context, options=MetricOptions(reference_context=True))
    right = CHRF().sentence_score("uno dos three four it rains now", ["uno dos three four it rains today"]).score
    assert given.values[0] == pytest.approx(right) and own.values[0] != given.values[0]
    assert given.signature is not None and "reference-context" in given.signature.context
    with pytest.raises(KontrastError, match="reads no reference"):
        made = Declaration("unused", "needed")
        make_segments(suite, "kiwi", made, context, reference_context=True)


def test_windows_are_scored_as_one_text_and_averaged() -> None:
    suite = Suite("s", (CONTEXT,), "de", "en")
    found = score_metric(suite, "chrF", options=MetricOptions(window=3, stride=2))
    texts = (
        ("one two three four it rains now", "uno dos three four it rains today"),
        ("it rains now", "it rains today"),
    )
    expected = [CHRF().sentence_score(ours, [theirs]).score for ours, theirs in texts]
    assert found.values[0] == pytest.approx(sum(expected) / 2)
    assert found.signature is not None and found.signature.context == "window:3,stride:2"
    with pytest.raises(KontrastError, match="cannot be combined"):
        score_metric(suite, "chrF", context=parse_context("prev:1"), options=MetricOptions(window=3))


def test_two_metrics_of_one_kind_are_told_apart(tmp_path: Path) -> None:
    """Each has a file and a signature of its own: sacreBLEU's leaves the order of n-grams and beta out."""
    variants = Variant("the old dog sleeps here"), Variant("the old dog sleep here", error="e")
    item = Item("1", "s", variants, references=(Variant("the old dog sleeps there"),))
    names = ["BLEU", "BLEU?max_ngram_order=2", "chrF", "chrF?beta=3"]
    made = kontrast.metrics(Suite("two", (item,), "de", "en"), names, out=tmp_path).metrics
    assert [each.metric for each in made] == names
    assert len({str(each.signature) for each in made}) == 4
    assert len({path.read_text() for path in tmp_path.glob("*.scores")}) == 4


@pytest.mark.parametrize(
    ("kept", "problem"),
    [
        (lambda rows: rows[:-1], "own gave scores for 0 segments; expected 1"),
        (lambda rows: [*rows, (1.0, 1.0)], "own gave scores for 2 segments; expected 1"),
        (lambda rows: [row[:-1] for row in rows], "own gave 1 scores for 2 translations: 'The dog"),
    ],
)
def test_a_metric_that_gives_too_few_or_too_many_numbers(kept: Callable[[Any], Any], problem: str) -> None:
    class Own:
        name = "own"
        declaration = Declaration()
        details: ClassVar[dict[str, str]] = {}

        def score(self, segments: Sequence[Segment], advance: Advance) -> Any:
            return kept([(1.0,) * len(segment.hypotheses) for segment in segments])

    with pytest.raises(KontrastError, match=problem):
        score_metric(Suite("one", (ITEM,)), Own())


def test_a_metric_whose_shares_are_wrong_and_only_their_sum_is_right() -> None:
    class Uneven:
        name = "own"
        declaration = Declaration(source="needed")
        details: ClassVar[dict[str, str]] = {}
        shard = 1

        def score(self, segments: Sequence[Segment], advance: Advance) -> Any:
            return [(1.0, 1.0)] * 2 if segments[0].source.text == "A dog" else []

    other = msgspec.structs.replace(ITEM, id="2", source="A cat")
    first = msgspec.structs.replace(ITEM, id="1", source="A dog")
    with pytest.raises(KontrastError, match="own gave scores for 2 segments; expected 1"):
        score_metric(Suite("two", (first, other)), Uneven())


@pytest.mark.parametrize("wrong", ["nan", "inf", "1_0", "", "1,5"])
def test_answers_of_a_language_model_are_finite_numbers(tmp_path: Path, wrong: str) -> None:
    tagged = Suite("tiny", tuple(msgspec.structs.replace(item, tags={"reference": "A"}) for item in TINY), "de", "en")
    for name, number in (("da_ref-A", "80"), ("da_perturbed_ref-A", "40")):
        (tmp_path / f"{name}.csv").write_text("line,score\n" + f"1,{number}\n" * len(TINY))
    assert score_metric(tagged, f"file:{tmp_path}/da").values[:2] == (80.0, 40.0)
    (tmp_path / "da_ref-A.csv").write_text("line,score\n" + f'1,"{wrong}"\n' * len(TINY))
    with pytest.raises(KontrastError, match=r"da_ref-A.csv, line 2: expected a (finite )?number"):
        score_metric(tagged, f"file:{tmp_path}/da")
