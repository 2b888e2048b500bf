"""Counting: against a plain reader on real treebanks, every kind of input, filters, what is wrong with a file."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast.cli import kontrast
from kontrast.errors import InputError, KontrastError
from kontrast.language.annotation import Sentence
from kontrast.splitting.corpus_counts import CorpusCounts, load_counts
from kontrast.splitting.corpus_reader import corpus_texts
from kontrast.splitting.count_corpus import count, count_table

from .conftest import conllu_table, rows


def plainly(text: str) -> tuple[list[Counter[str]], list[Counter[str]]]:
    """Atoms and compounds of each sentence, read line by line."""
    atoms, compounds = [], []
    for block in text.split("\n\n"):
        tokens = [line.split("\t") for line in block.split("\n") if line and line[0] != "#"]
        tokens = [t for t in tokens if t[0].isdigit()]
        if not tokens:
            continue
        atom: Counter[str] = Counter()
        compound: Counter[str] = Counter()
        in_compound = set()
        for i, token in enumerate(tokens):
            head, relation = int(token[6]) - 1, token[7]
            if head < 0 or relation == "root" or relation.startswith("punct"):
                continue
            compound[f"{tokens[head][2].lower()}\t{relation}\t{token[2].lower()}"] += 1
            atom[f"relation:{relation}"] += 1
            in_compound |= {i, head}
        for i in in_compound:
            atom[f"lemma:{tokens[i][2].lower()}"] += 1
        atoms.append(atom)
        compounds.append(compound)
    return atoms, compounds


@pytest.mark.parametrize("name", ["en_pud", "de_pud", "fr_pud", "fi_pud"])
def test_real_treebanks_as_a_plain_reader_counts_them(data: Path, name: str) -> None:
    path = data / "ud" / f"{name}-ud-test.conllu"
    counts = count(path)
    atoms, compounds = plainly(path.read_text(encoding="utf-8"))
    assert rows(counts.atoms) == atoms
    assert rows(counts.compounds) == compounds
    assert counts.sentences == 1000


LEMMA = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs"]), min_size=1, max_size=4).filter(
    lambda lemma: lemma != "_"
)
TREE = st.lists(
    st.tuples(LEMMA, st.integers(0, 9), st.sampled_from(["nsubj", "obl:arg", "punct", "root"])),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(TREE, min_size=1, max_size=5), st.booleans())
def test_any_treebank_as_a_plain_reader_counts_it(
    tmp_path_factory: pytest.TempPathFactory, trees: list[list[tuple[str, int, str]]], packed: bool
) -> None:
    lines = []
    for tree in trees:
        lines.append("# newdoc")
        for i, (lemma, head, relation) in enumerate(tree, start=1):
            if i == 2:
                lines.append("2-3\tx\t_\t_\t_\t_\t_\t_\t_\t_")
            head = 0 if min(head, len(tree)) == i else min(head, len(tree))
            lines.append(f"{i}\tx\t{lemma}\tX\t_\t_\t{head}\t{relation}\t_\t_")
            lines.append(f"{i}.1\tx\t_\t_\t_\t_\t_\t_\t_\t_")
        lines.append("")
    text = "\n".join(lines) + "\n"
    path = tmp_path_factory.mktemp("tree") / ("a.conllu.gz" if packed else "a.conllu")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    if not any(plainly(text)[1]):
        with pytest.raises(KontrastError, match="gives no compound"):
            count(path)
        return
    counts = count(path)
    assert (rows(counts.atoms), rows(counts.compounds)) == plainly(text)
    assert counts.documents.tolist() == list(range(len(trees)))
    assert counts.lengths.tolist() == [len(tree) for tree in trees]


def test_saved_counts_come_back(pud: CorpusCounts, data: Path, tmp_path: Path) -> None:
    count(data / "ud" / "en_pud-ud-test.conllu", tmp_path / "c")
    again = load_counts(tmp_path / "c")
    assert isinstance(again.atoms.indices, np.memmap)
    assert rows(again.compounds) == rows(pud.compounds)
    assert again.about["features"] == "dependency"
    assert (again.texts == pud.texts).all()


def test_windows_line_ends_and_no_last_newline(tmp_path: Path) -> None:
    token = "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tis\tbe\tAUX\t_\t_\t0\troot\t_\t_"
    (tmp_path / "unix.conllu").write_text(f"{token}\n\n{token}")
    (tmp_path / "dos.conllu").write_bytes(f"{token}\n\n{token}".replace("\n", "\r\n").encode())
    unix, dos = count(tmp_path / "unix.conllu"), count(tmp_path / "dos.conllu")
    assert rows(unix.compounds) == rows(dos.compounds) == [Counter({"be\tnsubj\tit": 1})] * 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\ta\ta\n", "line 1: expected the ten"),
        ("# x\n1\ta\ta\tX\t_\t_\tone\tdep\t_\t_\n", "line 2: expected a number or _ as head"),
        ("x\ta\ta\tX\t_\t_\t0\troot\t_\t_\n", "line 1: expected a token number"),
        ("1\ta\ta\tX\t_\t_\t7\tdep\t_\t_\n", "line 1: token 1 of this sentence has head 7"),
        ("1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n", "line 2: expected token 2"),
        ("", "found none"),
    ],
)
def test_wrong_conllu_is_said_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        count(path)


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_bytes(b"1\ta\tb\xff\tX\t_\t_\t0\troot\t_\t_\n")
    with pytest.raises(InputError, match="line 1: expected UTF-8, found byte 0xff"):
        count(path)


def test_morphology_and_ngrams(data: Path) -> None:
    path = data / "ud" / "fi_pud-ud-test.conllu"
    morphology = count(path, features="morphology")
    assert "hallinto" in {name.split("\t")[0] for name in morphology.compounds.names}
    assert any(name == "feature:Case=Ine" for name in morphology.atoms.names)
    table = conllu_table(path, forms=True)
    trigrams = count(path, features="ngram", order=3)
    words = [table.words[w] for w in table.word[table.starts[0] : table.starts[1]]]
    assert rows(trigrams.compounds)[0] == Counter("\t".join(words[i : i + 3]) for i in range(len(words) - 2))
    assert rows(trigrams.atoms)[0] == Counter(f"word:{w}" for w in words)


def test_filters(data: Path, pud: CorpusCounts) -> None:
    path = data / "ud" / "en_pud-ud-test.conllu"
    subjects = count(path, relations=("nsubj",))
    labels = {name.split("\t")[1] for name in subjects.compounds.names}
    assert labels == {"nsubj", "nsubj:pass", "nsubj:outer"} & labels
    assert "nsubj:pass" in labels
    nouns = count(path, pos=("NOUN", "PROPN"))
    assert nouns.compounds.features < pud.compounds.features / 3
    assert min(count(path, min_compound=2).compounds.sides(np.zeros(1000, np.int8))[:, 0]) >= 2
    ranked = count(path, min_rank=1, max_rank=9)
    lemmas = {name for name in ranked.atoms.names if name.startswith("lemma:")}
    assert "lemma:of" in lemmas
    assert "lemma:the" not in lemmas
    assert len(lemmas) <= 8


def test_the_authors_weight(tmp_path: Path) -> None:
    """big depends on dog alone: the pair (amod, big) weighs 0 and goes; red has two heads and stays."""
    pairs = [("dog", "big"), ("dog", "big"), ("cat", "red"), ("dog", "red")]
    text = "\n\n".join(f"{d}\t2\tamod\n{h}\t0\troot" for h, d in pairs)
    (tmp_path / "a.tsv").write_text(text + "\n")
    counts = count(tmp_path / "a.tsv", weight=0.5)
    assert sorted(counts.compounds.names) == ["cat\tamod\tred", "dog\tamod\tred"]
    assert "lemma:big" not in list(counts.atoms.names)


def test_triples_by_number_by_lemma_and_as_three_files(tmp_path: Path) -> None:
    (tmp_path / "number.tsv").write_text("the\t2\tdet\ndog\t3\tnsubj\nbark\t0\troot\n")
    (tmp_path / "lemma.tsv").write_text("the\tdog\tdet\ndog\tbark\tnsubj\n")
    (tmp_path / "lemmas").write_text("The dog bark\n")
    (tmp_path / "heads").write_text("[2, 3, 0]\n")
    (tmp_path / "labels").write_text("['det', 'nsubj', 'root']\n")
    expected = [Counter({"dog\tdet\tthe": 1, "bark\tnsubj\tdog": 1})]
    three = count(tmp_path / "lemmas", heads=tmp_path / "heads", labels=tmp_path / "labels")
    for counts in (count(tmp_path / "number.tsv"), count(tmp_path / "lemma.tsv"), three):
        assert rows(counts.compounds) == expected
        assert rows(counts.atoms)[0]["lemma:dog"] == 1
    (tmp_path / "heads").write_text("[2, 9, 0]\n")
    with pytest.raises(InputError, match="line 1: a head is beyond the sentence's 3 tokens"):
        count(tmp_path / "lemmas", heads=tmp_path / "heads", labels=tmp_path / "labels")
    (tmp_path / "heads").write_text("[2, 3, 0]\n")
    (tmp_path / "labels").write_text("['det', 'nsubj', 'root']\n['root']\n")
    with pytest.raises(InputError, match="the same number of lines"):
        count(tmp_path / "lemmas", heads=tmp_path / "heads", labels=tmp_path / "labels")


def test_three_files_that_do_not_fit_are_cut_counted_and_reported(tmp_path: Path) -> None:
    """Of the second line the last token is lost, and with it the head of the one before."""
    (tmp_path / "lemmas").write_text("the dog bark\na cat sleep now\n")
    (tmp_path / "heads").write_text("[2, 3, 0]\n[2, 4, 4]\n")
    (tmp_path / "labels").write_text("['det', 'nsubj', 'root']\n['det', 'nsubj', 'dep', 'root']\n")
    counts = count(tmp_path / "lemmas", heads=tmp_path / "heads", labels=tmp_path / "labels")
    assert rows(counts.compounds) == [
        Counter({"dog\tdet\tthe": 1, "bark\tnsubj\tdog": 1}),
        Counter({"cat\tdet\ta": 1}),
    ]
    mismatch = counts.about["mismatch"]
    assert (mismatch.lines, mismatch.first_line, mismatch.heads) == (1, 2, 2)
    done = CliRunner().invoke(
        kontrast,
        ["count", str(tmp_path / "lemmas"), "--heads", str(tmp_path / "heads"), "--labels", str(tmp_path / "labels"),
         "--out", str(tmp_path / "c")],
    )  # fmt: skip
    assert done.exit_code == 0
    assert "1 lines have different numbers of lemmas" in done.stderr


def test_counts_from_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"atoms": {"x": 2, "y": 300}, "compounds": {"xy": 1}, "document": "d"}\n{"atoms": {}, "compounds": {}}\n'
    )
    counts = count(path)
    assert rows(counts.atoms) == [Counter({"x": 2, "y": 300}), Counter()]
    assert counts.lengths.tolist() == [302, 0]
    path.write_text('{"atoms": {"x": 0}, "compounds": {}}\n')
    with pytest.raises(InputError, match=r"line 1: .*Expected `int` >= 1"):
        count(path)


def test_a_function_of_your_own(data: Path) -> None:
    def heads(sentence: Sentence) -> tuple[list[str], list[str]]:
        tags = [token.pos for token in sentence.tokens]
        return tags, [f"{tags[t.head]}>{t.pos}" for t in sentence.tokens if t.head >= 0]

    counts = count(data / "ud" / "en_pud-ud-test.conllu", features=heads)
    assert {"NOUN", "VERB"} <= set(counts.atoms.names)
    assert "NOUN>DET" in list(counts.compounds.names)


def test_text_through_an_annotator(tmp_path: Path) -> None:
    from kontrast.language.annotators import get

    path = tmp_path / "a.txt"
    path.write_text("The dog barked loudly.\nA cat slept.\n")
    counts = count(path, annotator=get("en"))
    assert any(name.startswith("bark\t") for name in counts.compounds.names)
    assert counts.sentences == 2
    with pytest.raises(KontrastError, match="plain text"):
        count(path)
    assert count(path, features="ngram").compounds.features == 5


def test_texts_are_counted_as_sentences_are(data: Path) -> None:
    path = data / "ud" / "de_pud-ud-test.conllu"
    texts = corpus_texts(path)
    assert len(texts) == 1000
    assert texts[0].startswith("„Während") or len(texts[0]) > 10


def test_unknown_features_are_named(data: Path) -> None:
    table = conllu_table(data / "ud" / "en_pud-ud-test.conllu")
    with pytest.raises(KontrastError, match="dependency, morphology, ngram"):
        count_table(table, "syntax")


def test_a_function_gets_checked_trees_and_no_filters(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("1\ta\ta\tNOUN\t_\t_\t9\tnsubj\t_\t_\n2\tb\tb\tVERB\t_\t_\t0\troot\t_\t_\n\n")

    def pairs(sentence: Sentence) -> tuple[list[str], list[str]]:
        return [t.text for t in sentence.tokens], [sentence.tokens[t.head].text for t in sentence.tokens]

    with pytest.raises(KontrastError, match="line 1: the head '9' of 'a' is not a word of the sentence"):
        count(path, features=pairs)
    with pytest.raises(KontrastError, match="features cannot be filtered here"):
        count(path, features=pairs, min_compound=2)


def _conllu(*rows: tuple[str, str, str]) -> str:
    """Sentences of two words each: lemma, and number and head of the first word."""
    return "".join(
        f"{number}\tThe\t{lemma}\tDET\t_\t_\t{head}\tdet\t_\t_\n2\tdog\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
        for lemma, number, head in rows
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("the", "1", "4294967298"), "line 1: expected a number or _ as head"),  # 2 in 32 bits
        (("the", "1", "18446744073709551618"), "line 1: expected a number or _ as head"),  # 2 in 64 bits
        (("the", "18446744073709551617", "2"), "line 1: expected a token number"),
        (("the", "1", "1"), "line 1: expected another token as head of token 1"),
    ],
)
def test_heads_that_are_none(tmp_path: Path, row: tuple[str, str, str], said: str) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(_conllu(row))
    with pytest.raises(InputError, match=said):
        count(path)


def test_missing_lemmas_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(_conllu(("_", "1", "2"), ("the", "1", "2")))
    count(path)
    assert "1 of 4 tokens have no lemma (_)" in capsys.readouterr().err
    path.write_text(_conllu(("_", "1", "2")).replace("dog\tdog", "dog\t_"))
    with pytest.raises(InputError, match="no token has a lemma"):
        count(path)
    assert count(path, features="relations").to_dict()["compounds"] == 1
    assert count(path, features="ngram").to_dict()["atoms"] == 2


@pytest.mark.parametrize("heads", ["[1.9, 0]", "[-3, 0]", "[True, 0]", "0_2 0", "\u0662 0"])
def test_heads_of_triples_are_whole_numbers(tmp_path: Path, heads: str) -> None:
    for name, text in (("lemmas", "a b"), ("heads", heads), ("labels", "x root")):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(InputError, match="heads, line 1: expected whole numbers from 0"):
        count(tmp_path / "lemmas", heads=tmp_path / "heads", labels=tmp_path / "labels")


@pytest.mark.parametrize(
    "row",
    [
        '{"atoms": {"x": 1000000000000}, "compounds": {"y": 1}}',
        '{"atoms": {"x": 1}, "compounds": {"y": 1}, "length": -7}',
        '{"atoms": {"x": 1}, "compounds": {"y": 1}, "length": 1099511627776}',
    ],
)
def test_numbers_of_json_lines_are_within_limits(tmp_path: Path, row: str) -> None:
    (tmp_path / "a.jsonl").write_text(row + "\n")
    with pytest.raises(InputError, match=r"line 1: .*Expected `int` [<>]= "):
        count(tmp_path / "a.jsonl")


def test_ranks_and_bins_are_numbers_from_0_and_1(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(_conllu(("the", "1", "2"), ("a", "1", "2")))
    for rank in ("-5:10", "1_0:20", "a:b"):
        with pytest.raises(KontrastError, match="expected two whole numbers"):
            count(tmp_path / "a.conllu", rank=rank)
    with pytest.raises(KontrastError, match="a bin of length must hold at least 1, not 0"):
        count(tmp_path / "a.conllu", features="length", bin_size=0)
