"""DiscEvalMT, consistency sets, pro-errors, CTXPro, DEMETR, ACES: what is read, that it is written back equal, and
that no input at all gives anything but a suite or a `KontrastError`."""

from __future__ import annotations

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast import InputError, Item, KontrastError, Suite, Variant, load, save
from kontrast.suites.formats import detect

SAMPLES: dict[str, Any] = {
    "discevalmt": {
        "2": {
            "type": "repet",
            "examples": [{"src": ["a", "b"], "trg": {"correct": ["c", "d"], "incorrect": ["c", "e"]}}],
        },
        "10": {"note": None, "examples": [{"src": ["f"], "trg": {"correct": ["g"], "incorrect": ["h"]}, "id": 7}]},
    },
    "consistency": [{"src": "a . _eos b", "dst": ["c _eos d", "c _eos e"], "true_ind": 1, "ctx_dist": 2}],
    "pro-errors": [
        {
            "wrong translation": "Sie ist da.",
            "correct translation": "Er ist da.",
            "context": "Der Zug. Er kam.",
            "reference": "Da ist er.",
            "reference context": "",
            "source": "It is here.",
            "source context": "The train.",
        }
    ],
    "ctxpro": [
        {
            "src pronoun": "it",
            "expected": "er",
            "ante distance": 1,
            "ref segment": "Er ist da.",
            "src segment": "It is here.",
            "segment id": 3,
            "document id": "de-en/2017/1",
            "rule": "NOM.MASC.SING",
        }
    ],
    "demetr": [
        {
            "id": 1,
            "src_sent": "Ja.",
            "eng_sent": "Yes.",
            "mt_sent": "Yes.",
            "pert_sent": "No.",
            "pert_check": False,
            "severity": "critical",
            "pert_name": "critical_id8_negation",
        }
    ],
}
ANAPHORA = {
    "1": {
        "inspired by": ["x"],
        "src": ["The houses.", "They are new."],
        "trg": [
            {
                "correct": ["Les bâtiments.", "Ils sont neufs."],
                "incorrect": ["Les bâtiments.", "Elles …"],
                "type": "m.pl",
            },
            {"semi-correct": ["Les maisons.", "Elles …"], "incorrect": ["Les maisons.", "Ils …"], "type": "f.pl"},
        ],
    }
}


def put(folder: Path, value: Any, name: str = "suite.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", [*SAMPLES, "anaphora"])
def test_is_recognised_and_written_back_equal(name: str, tmp_path: Path) -> None:
    sample = ANAPHORA if name == "anaphora" else SAMPLES[name]
    format = "discevalmt" if name == "anaphora" else name
    path = put(tmp_path, sample)
    assert str(detect(path)) == format
    assert save(load(path), tmp_path / "out.json", format) == []
    assert json.loads((tmp_path / "out.json").read_text()) == sample


REAL = {
    "discevalmt-en-fr/anaphora.json": 200,
    "discevalmt-en-fr/lexical-choice.json": 200,
    "consistency-en-ru/deixis_dev.json": 500,
    "consistency-en-ru/lex_cohesion_dev.json": 500,
    "consistency-en-ru/ellipsis_infl.json": 500,
    "pro-mistranslations-en-de/pro_errors.json": 76,
    "ctxpro/auxiliary.opensubtitles.en-de.test.json": 3180,
    "demetr-x-en/critical_id8_negation.json": 1000,
}


@pytest.mark.parametrize("name", REAL)
def test_real_files_are_recognised_and_written_back_equal(data: Path, tmp_path: Path, name: str) -> None:
    suite = load(data / name)
    assert len(suite.items) == REAL[name]
    out = tmp_path / Path(name).name  # which says ctxpro's languages and the phenomenon of the consistency sets
    assert save(suite, out, str(detect(data / name))) == []
    assert json.loads(out.read_text()) == json.loads((data / name).read_text())


@pytest.mark.parametrize(("set_name", "prefix"), [("anaphora", "anaphora"), ("lexical-choice", "lexical_choice")])
def test_discevalmt_rows_are_those_of_its_own_extracted_text(data: Path, set_name: str, prefix: str) -> None:
    folder = data / "discevalmt-en-fr"
    rows = list(load(folder / f"{set_name}.json").rows())

    def lines(kind: str) -> list[str]:
        return (folder / f"{prefix}.{kind}").read_text().splitlines()

    assert [row.variant.text.strip() for row in rows] == [line.strip() for line in lines("current.fr")]
    assert [row.item.source.strip() for row in rows] == [line.strip() for line in lines("current.en")]
    assert [" ".join(row.target_context or ()).strip() for row in rows] == [line.strip() for line in lines("prev.fr")]


def test_discevalmt_blocks_come_in_numeric_order_and_faults_stay_on_one_line(tmp_path: Path) -> None:
    block = SAMPLES["discevalmt"]["2"]
    suite = load(put(tmp_path, {"10": block, "9": block, "x": block, "1" * 5000: block}))
    assert [item.tags["block"][:2] for item in suite.items] == ["9", "10", "11", "x"]
    with pytest.raises(InputError, match=r"in block 'a\\n', expected an object, found nothing"):
        load(put(tmp_path, {"a\n": None}), "discevalmt")


def test_consistency_rows_are_those_of_its_own_text(data: Path) -> None:
    suite = load(data / "consistency-en-ru/lex_cohesion_dev.json")
    passages = [" _eos ".join((*(row.target_context or ()), row.variant.text)) for row in suite.rows()]
    assert passages == (data / "consistency-en-ru/lex_cohesion_dev.dst").read_text().splitlines()
    assert suite.items[0].tags == {"distance": 2, "phenomenon": "lex_cohesion"}


def test_pro_errors_folder_gives_what_its_json_gives_with_sentences_apart(data: Path) -> None:
    folder = load(data / "pro-mistranslations-en-de")
    single = load(data / "pro-mistranslations-en-de" / "pro_errors.json")
    for one, other in zip(folder.items, single.items, strict=True):
        assert one.source == other.source
        assert [v.text for v in one.variants] == [v.text for v in other.variants]
        assert one.references[0].text == other.references[0].text
        assert " ".join((one.source_context or ())[-2:]) == " ".join(other.source_context or ())
    counts = {(i.tags["test_set"], i.tags["reference"]): 0 for i in folder.items}
    for item in folder.items:
        counts[item.tags["test_set"], item.tags["reference"]] += 1
    assert list(counts.values()) == [11, 15, 15, 11, 24]


def test_pro_errors_folder_may_be_named_as_in_the_seed_and_faults_name_the_line(tmp_path: Path) -> None:
    texts = {
        "sources/newstest2021.en-de.src.en": "a\nb\nc\nIt is.\n",
        "references/newstest2021.en-de.ref.ref-A.de": "A\nB\nC\nEs ist.\n",
        "references/newstest2021.en-de.ref.ref-B.de": "A2\nB2\nC2\nEr ist.\n",
        "perturbed_data/corrupted_news2021_refA.de": "A\nB\nC\nSie ist.",
        "error_indices/idx_errors_news2021_refA.txt": "3",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (item,) = load(tmp_path).items
    assert item.variants == (Variant("Es ist."), Variant("Sie ist.", error="pronoun_it"))
    assert item.target_context == ("A", "B", "C")
    assert item.references == (Variant("Er ist.", context=("A2", "B2", "C2")),)
    assert item.tags == {"test_set": "newstest2021", "reference": "A", "line": 4}
    (tmp_path / "error_indices/idx_errors_news2021_refA.txt").write_text("3\n4\n")
    with pytest.raises(InputError, match=r"refA.txt, line 2: expected a line's number from 0 to 3, found '4'"):
        load(tmp_path)
    (tmp_path / "perturbed_data/corrupted_news2021_refA.de").write_text("A\nB\n")
    with pytest.raises(InputError, match=r"corrupted_news2021_refA.de, line 3: expected 4 lines"):
        load(tmp_path)


def test_ctxpro_takes_context_from_the_input_file_beside_it(tmp_path: Path) -> None:
    path = put(tmp_path, SAMPLES["ctxpro"], "gender.opensubtitles.en-de.test.json")
    assert load(path).items[0].source_context is None
    beside = tmp_path / "gender.opensubtitles.en-de.test.input"
    beside.write_text("The train.<eos> It came.<eos> It is here.\n")
    suite = load(path)
    assert suite.items[0].source_context == ("The train.", "It came.")
    assert suite.items[0].tags["distance"] == 1 and suite.target_language == "de"
    save(suite, tmp_path / "again.json", "ctxpro")
    assert (tmp_path / "again.input").read_text() == beside.read_text()
    beside.write_text("one\ntwo\n")
    with pytest.raises(InputError, match=r"test.input, line 2: expected 1 lines"):
        load(path)


def test_demetr_folder_keeps_items_whose_perturbation_failed(data: Path) -> None:
    suite = load(data / "demetr-x-en")
    assert len(suite.items) == 8000
    unchecked = sum(not item.tags["pert_check"] for item in suite.items)
    assert unchecked == 628 + 887 + 1 + 12 + 121
    assert {item.tags["severity"] for item in suite.items} == {"base", "critical", "major", "minor"}


HEADER = "source\tgood-translation\tincorrect-translation\treference\tphenomena\tlangpair"


def test_aces_is_recognised_read_and_written_back(tmp_path: Path) -> None:
    path = tmp_path / "aces.tsv"
    path.write_text(f'{HEADER}\nNein.\tNo.\tYes.\tNo!\tnegation\tde-en\nJa.\t"""Yes"""\tNo.\t\taddition\tde-en\n')
    suite = load(path)
    assert (suite.style, suite.source_language, suite.target_language) == ("aces", "de", "en")
    assert suite.items[0].variants == (Variant("No."), Variant("Yes.", error="negation"))
    assert suite.items[1].best.text == '"Yes"' and suite.items[1].references == ()
    assert save(suite, tmp_path / "out.tsv", "aces") == []
    assert load(tmp_path / "out.tsv").items == suite.items
    path.write_text(f"{HEADER}\nNein.\tNo.\n")
    with pytest.raises(InputError, match=r"aces.tsv, line 2: expected 6 columns, found 2"):
        load(path)


def test_aces_is_also_read_from_json_lines(tmp_path: Path) -> None:
    row = {"source": "Nein.", "good-translation": "No.", "incorrect-translation": "Yes.", "reference": "No!"}
    path = tmp_path / "challenge_set.jsonl"
    path.write_text(json.dumps({**row, "phenomena": "negation", "langpair": "de-en", "ID": 7}) + "\n")
    suite = load(path)
    assert suite.style == "aces" and suite.items[0].id == "7" and suite.items[0].phenomenon == "negation"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "source": None}) + "\n")
    with pytest.raises(InputError, match=r'line 2: expected text in "source"'):
        load(path)


@pytest.mark.parametrize("format", ["discevalmt", "pro-errors", "demetr", "aces"])
def test_what_a_format_cannot_hold_is_refused_in_one_sentence(format: str, tmp_path: Path) -> None:
    three = Suite("n", (Item("1", "a", (Variant("b"), Variant("c", "e"), Variant("d", "e"))),))
    with pytest.raises(KontrastError, match="stores only items of"):
        save(three, tmp_path / "x", format)
    assert list(tmp_path.iterdir()) == []


def test_tags_that_have_no_home_are_reported(tmp_path: Path) -> None:
    item = Item("x", "a", (Variant("b"), Variant("c", "e")), document="d", references=(Variant("r"),))
    lost = save(Suite("n", (item,), licence="MIT"), tmp_path / "x.json", "consistency")
    known = {"id", "document", "references", "error", "licence"}
    assert {entry.field for entry in lost} == known | {"context that is not known"}


@pytest.mark.parametrize("format", ["aces", "demetr", "discevalmt", "pro-errors"])
def test_another_order_of_variants_is_reported(format: str, tmp_path: Path) -> None:
    tags = {"phenomenon": "p", "source": "x", "severity": "minor"}
    item = Item("1", "a", (Variant("b", "p"), Variant("c")), 1, references=(Variant("r"),), tags=tags)
    item = msgspec.structs.replace(item, source_context=("d", "e"), target_context=("f", "g"))
    lost = {entry.field for entry in save(Suite("n", (item,), "en", "fr"), tmp_path / "x.json", format)}
    assert "correct" in lost
    assert format != "pro-errors" or {"tag source", "context as several sentences"} <= lost


def test_a_sentence_with_the_separator_in_it_is_refused(tmp_path: Path) -> None:
    item = Item("1", "a _eos b", (Variant("c"), Variant("d")))
    with pytest.raises(KontrastError, match="cannot store item 1: a sentence has _eos in it"):
        save(Suite("n", (item,)), tmp_path / "x.json", "consistency")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def mutated(value: Any, path: list[int], new: Any) -> Any:
    """The value with the part that ``path`` leads to (by its place in lists and objects) replaced or taken out."""
    if not path or not isinstance(value, list | dict) or not value:
        return new
    keys = list(range(len(value))) if isinstance(value, list) else list(value)
    key = keys[path[0] % len(keys)]
    value = copy.copy(value)
    if new is None and len(path) == 1:
        del value[key]
    else:
        value[key] = mutated(value[key], path[1:], new)
    return value


@pytest.mark.parametrize("format", SAMPLES)
@given(steps=st.lists(st.integers(0, 20), min_size=1, max_size=5), new=json_values)
@settings(max_examples=150, deadline=None)
def test_any_mutation_gives_a_suite_or_a_clear_error(format: str, steps: list[int], new: Any) -> None:
    samples = [SAMPLES[format], *([ANAPHORA] if format == "discevalmt" else [])]
    with tempfile.TemporaryDirectory() as folder:
        path = put(Path(folder), mutated(samples[steps[0] % len(samples)], steps, new))
        read_or_refuse(path, format, Path(folder) / "out.json")


@pytest.mark.parametrize("format", [*SAMPLES, "aces"])
@given(content=st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
@settings(max_examples=100, deadline=None)
def test_any_bytes_give_a_suite_or_a_clear_error(format: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "suite.json"
        path.write_bytes(content)
        read_or_refuse(path, format, Path(folder) / "out")
        path.write_bytes(f"{HEADER}\n".encode() + content)
        read_or_refuse(path, "aces", Path(folder) / "out")


@given(index=st.binary(max_size=12), texts=st.lists(st.binary(max_size=30), min_size=4, max_size=4))
@settings(max_examples=100, deadline=None)
def test_any_pro_errors_folder_gives_a_suite_or_a_clear_error(index: bytes, texts: list[bytes]) -> None:
    names = (
        "sources/t2021.en",
        "references/t2021.refA.de",
        "references/t2021.refB.de",
        "perturbed_refs/t2021_refA.de",
    )
    with tempfile.TemporaryDirectory() as root:
        for name, text in zip((*names, "error_indices/t2021_refA.txt"), (*texts, index), strict=True):
            (Path(root) / name).parent.mkdir(exist_ok=True)
            (Path(root) / name).write_bytes(text)
        read_or_refuse(Path(root), "pro-errors", Path(root) / "out.json")


def read_or_refuse(path: Path, format: str, out: Path) -> None:
    """Reading gives a suite or a `KontrastError`; what was read can be written, and read again as the same items."""
    try:
        suite = load(path, format)
    except KontrastError:
        return
    try:
        lost = save(suite, out, format)
    except KontrastError:
        return
    if not lost:
        assert [item.variants for item in load(out, format).items] == [item.variants for item in suite.items]
