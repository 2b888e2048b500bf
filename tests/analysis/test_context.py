"""CXMI against an independent computation; verdicts on planted systems; files that do not belong together."""

from __future__ import annotations

import gzip
import json
import math
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

import kontrast
from kontrast import Item, KontrastError, Scores, Signature, Suite, Variant
from kontrast.analysis.pointwise import pointwise
from kontrast.suites.model import TokenScores

READER = Path(__file__).with_name("reader.py")


def planted(count: int = 60) -> Suite:
    """Items whose context names a noun that decides the pronoun."""
    nouns = (("lamp", "Lampe", "sie"), ("table", "Tisch", "er"), ("book", "Buch", "es"))
    items = []
    for i in range(count):
        noun, german, right = nouns[i % 3]
        forms = [right, *(form for _, _, form in nouns if form != right)]
        variants = tuple(Variant(f"{form} war alt {i}") for form in forms)
        tags = {"phenomenon": "pronoun", "distance": 1, "src_ante_head": noun, "ref_ante_head": german}
        before = (f"We met in town {i}.", f"I saw the old {noun} there.")
        items.append(
            Item(
                str(i),
                f"it was old {i}",
                variants,
                source_context=before,
                target_context=(f"Wir waren da {i}.", f"Ich sah {german} dort."),
                document=f"d{i // 3}",
                tags=tags,
            )
        )
    return Suite("planted", tuple(items), "en", "de")


def use(kind: str, **options: object) -> kontrast.ContextUse:
    model = f"command:{sys.executable} {READER} {kind}"
    return kontrast.context(
        planted(), model=model, context="prev:1", side="source", control="random", sentences=True, **options
    )


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        ("antecedent", "uses it"),
        ("ignore", "ignores it"),
        ("length", "changes without using it"),
        ("against", "is harmed by it"),
    ],
)
def test_planted_systems(kind: str, verdict: str) -> None:
    found = use(kind)
    assert found.verdict == verdict, found.because
    if verdict == "changes without using it":  # no test shows that it does not
        assert "not shown to use the context" in str(found) and "not significantly more towards" in found.because
    assert found.control == "prev:1,source,space,random-1"


def test_without_a_control_it_is_said() -> None:
    model = f"command:{sys.executable} {READER} length"
    found = kontrast.context(planted(), model=model, context="prev:1", side="source", sentences=True)
    assert any("without a control" in note for note in found.notes)


def test_curve_finds_the_smallest_window() -> None:
    suite = planted()
    moved = [
        msgspec.structs.replace(item, source_context=tuple(reversed(item.source_context or ()))) for item in suite
    ]
    suite = msgspec.structs.replace(suite, items=tuple(moved))
    model = f"command:{sys.executable} {READER} antecedent"
    found = kontrast.context(suite, model=model, context="prev:0..2", side="source", sentences=True)
    assert [w.helps for w in found.curve] == [False, True] and found.smallest == 2


@pytest.mark.parametrize("distance", [1, 2, 3])
def test_the_smallest_window_is_the_distance(distance: int) -> None:
    """A reader of the antecedent, four sentences of context, the antecedent in one of them."""

    def moved(item: Item) -> Item:
        before = [f"We met in town {k} {item.id}." for k in range(4)]
        before[-distance] = (item.source_context or ("", ""))[1]
        return msgspec.structs.replace(item, source_context=tuple(before), target_context=None)

    suite = msgspec.structs.replace(planted(), items=tuple(map(moved, planted())))
    for kind, smallest in (("antecedent", distance), ("ignore", None)):
        model = f"command:{sys.executable} {READER} {kind}"
        found = kontrast.context(suite, model=model, context="prev:0..4", side="source", sentences=True)
        assert [w.helps for w in found.curve] == [smallest is not None and n >= smallest for n in (1, 2, 3, 4)]
        assert found.smallest == smallest


def test_too_few_items_decide_nothing() -> None:
    suite = planted(3)
    same = Scores("m", (1.0,) * suite.row_count)
    found = kontrast.context(suite, without=same, given=same, sentences=True)
    assert found.verdict == "undecided" and "too few" in found.because


def with_tokens(suite: Suite, context: str, seed: int, cut: bool = False, mark: bool = False) -> Scores:
    chance = np.random.default_rng(seed)
    rows = []
    for row in suite.rows():
        words = [f"▁{word}" for word in row.variant.text.split()] + ["</s>"]
        if cut:
            words[1:2] = ["▁w", "ar"]
        probabilities = -chance.exponential(1.0, len(words))
        if mark:
            words, probabilities = [">>de<<", *words], np.concatenate(([-14.0], probabilities))
        rows.append(TokenScores(tuple(words), tuple(probabilities.tolist())))
    signature = Signature(suite.name, suite.fingerprint, "hf", "m", context, details={"weights": "1"})
    return Scores("m", tuple(-sum(row.logprobs) for row in rows), signature=signature, tokens=tuple(rows))


def test_bits_equal_an_independent_computation(tmp_path: Path) -> None:
    suite = planted()
    for name, context, seed in (("a", "none", 1), ("b", "prev:1,both,sep", 2)):
        kontrast.write_scores(with_tokens(suite, context, seed), tmp_path / f"{name}.scores")
    out = tmp_path / "bits.jsonl"
    found = kontrast.context(suite, without=tmp_path / "a.scores", given=tmp_path / "b.scores", pointwise=out)
    written = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    # From the files alone, row by row, with nothing of kontrast's.
    packed = [(tmp_path / f"{name}.scores.tokens.jsonl.gz").read_bytes() for name in "ab"]
    files = [gzip.decompress(data).decode().splitlines() for data in packed]
    sums, deciding, tokens = [], [], 0
    row = 0
    for item in suite:
        first, second = (json.loads(lines[row]) for lines in files)
        bits = [(b - a) / math.log(2) for a, b in zip(first["logprobs"], second["logprobs"], strict=True)]
        sums.append(sum(bits))
        assert written[row]["item"] == item.id and written[row]["pointwise"]["bits"] == pytest.approx(bits, abs=1e-6)
        tokens += len(bits)
        deciding.append(bits[0])
        row += len(item.variants)
    assert found.bits is not None and found.bits.deciding is not None
    assert found.bits.cxmi.value == pytest.approx(sum(sums) / len(sums), abs=1e-6)
    assert found.bits.per_token.value == pytest.approx(sum(sums) / tokens, abs=1e-6)
    assert found.bits.deciding.value == pytest.approx(sum(deciding) / len(deciding), abs=1e-6)
    assert found.bits.deciding.n == len(suite)


def test_other_tokens_and_forced_tokens() -> None:
    suite = planted(12)
    plain, cut = with_tokens(suite, "none", 1), with_tokens(suite, "prev:1,both,sep", 2, cut=True)
    found = kontrast.context(suite, without=plain, given=cut)
    assert found.bits is not None
    assert any("36 rows have other tokens" in note for note in found.notes)
    whole = [b - a for a, b in zip(plain.values[::3], cut.values[::3], strict=True)]
    assert found.bits.cxmi.value == pytest.approx(-sum(whole) / len(whole) / math.log(2))
    marked = with_tokens(suite, "prev:1,both,sep", 1, mark=True)
    again = kontrast.context(suite, without=plain, given=marked)
    assert again.bits is not None and again.bits.cxmi.value == 0
    assert any(">>de<<" in note for note in again.notes)
    strange = [TokenScores(("German", *r.tokens), (-14.0, *r.logprobs)) for r in plain.tokens or ()]
    rows, unequal = pointwise(suite, plain.tokens or (), strange)
    assert unequal.forced == {"German": 36} and all(row is not None and sum(row.bits) == 0 for row in rows)


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    suite = planted(12)
    none, given = with_tokens(suite, "none", 1), with_tokens(suite, "prev:1,both,sep", 2)

    def changed(scores: Scores, **parts: object) -> Scores:
        assert scores.signature is not None
        return msgspec.structs.replace(scores, signature=msgspec.structs.replace(scores.signature, **parts))

    def refused(match: str, **files: Scores) -> None:
        with pytest.raises(KontrastError, match=match):
            kontrast.context(suite, **files)

    refused("differ in model", without=none, given=changed(given, model="other"))
    refused("differ in weights", without=none, given=changed(given, details={"weights": "2"}))
    refused("expected scores without context", without=given, given=given)
    refused("expected scores with context", without=none, given=none)
    refused("expected a control", without=none, given=given, control=given)
    longer = changed(given, context="prev:2,both,sep,random-1")
    refused("same length", without=none, given=given, control=longer)
    refused("was scored on", without=none, given=changed(given, fingerprint="0" * 64))
    refused("no log-probabilities of tokens", without=none, given=msgspec.structs.replace(given, tokens=None))
    other = tuple(TokenScores(("▁x", "</s>"), (-1.0, -1.0)) for _ in given.values)
    refused("the same tokeniser", without=none, given=msgspec.structs.replace(given, tokens=other))
    bare = Suite("bare", tuple(Item(str(i), "it", (Variant("er"), Variant("sie"))) for i in range(3)))
    with pytest.raises(KontrastError, match="has no source"):
        kontrast.context(bare, model=f"command:{sys.executable} {READER} ignore", context="prev:1", side="source")


def test_the_bundled_model() -> None:
    pytest.importorskip("transformers")
    found = kontrast.context("demo:fr", model="tiny", context="prev:1", control="random", store=True, threads=1)
    assert found.bits is not None and found.control_bits is not None
    assert found.verdict != "ignores it" and {b.by for b in found.by} >= {"phenomenon", "distance"}
