"""Filters of features and of sentences: the authors' preset, morphology, shape, and what is left out first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kontrast.errors import InputError, KontrastError
from kontrast.splitting.corpus_counts import REASONS, load_counts
from kontrast.splitting.count_corpus import count
from kontrast.splitting.options import SentenceFilter

from .conftest import conllu_table, rows, tsv


def test_the_authors_preset_is_the_authors(data: Path) -> None:
    """Figures of their own freq_mats.py on the whole of EWT."""
    counts = count(data / "ud" / "en_ewt-all.conllu.gz", preset="authors")
    assert counts.compounds.features == 14_013
    assert counts.atoms.mass().sum() == 52_884
    assert (np.diff(counts.atoms.indptr) > 0).sum() == 8_030


def test_minimum_frequency_is_tested_per_block_of_ranks(tmp_path: Path) -> None:
    path = tsv(tmp_path / "a.tsv", [("a", "b")] * 3 + [("a", "c")] * 2 + [("a", "d")])
    by_lemma = count(path, min_frequency=2)
    assert "lemma:d" not in list(by_lemma.atoms.names)
    by_block = count(path, min_frequency=2, frequency_block=2)  # c is the first of c, d
    assert "lemma:d" in list(by_block.atoms.names)
    none = count(path, min_frequency=3, frequency_block=2)
    assert set(none.atoms.names) == {"lemma:a", "lemma:b", "relation:amod"}


def test_a_head_must_depend_and_dropped_compounds_give_atoms(tmp_path: Path) -> None:
    """x and y depend on two heads each and stay; z hangs on x alone: its compound is dropped."""
    pairs = [("x", "y"), ("z", "y"), ("y", "x"), ("z", "x"), ("x", "z")]
    path = tsv(tmp_path / "a.tsv", pairs)
    counts = count(path, weight=0.5, heads_depend=True, atoms_of_dropped=True)
    assert sorted(counts.compounds.names) == ["x\tamod\ty", "y\tamod\tx"]
    assert "lemma:z" not in list(counts.atoms.names)
    looser = count(path, weight=0.5, atoms_of_dropped=True)
    assert rows(looser.atoms)[4] == Counter({"lemma:x": 1, "lemma:z": 1, "relation:amod": 1})
    assert rows(looser.compounds)[4] == Counter()


FINNISH = """\
1\tKoira\tkoira\tNOUN\t_\tCase=Nom|Number=Sing\t2\tnsubj\t_\t_
2\tjuoksi\tjuosta\tVERB\t_\tMood=Ind|Tense=Past\t0\troot\t_\t_
3\tkadulla\tkatu\tNOUN\t_\tCase=Ade|Number=Sing\t2\tobl\t_\t_
4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

1\tKadulla\tkatu\tNOUN\t_\tCase=Ade|Number=Sing|Typo=Yes\t2\tobl\t_\t_
2\tkoira\tkoira\tNOUN\t_\tCase=Ade|Number=Sing\t0\troot\t_\t_
"""


def test_morphology_has_roots_tags_and_weights(tmp_path: Path) -> None:
    path = tmp_path / "fi.conllu"
    path.write_text(FINNISH, encoding="utf-8")
    whole = count(path, features="morphology")
    assert rows(whole.compounds)[0] == Counter(
        ["koira\tCase=Nom|Number=Sing", "juosta\tMood=Ind|Tense=Past", "katu\tCase=Ade|Number=Sing"]
    )
    assert rows(whole.atoms)[0]["feature:Number=Sing"] == 2
    cases = count(path, features="morphology", tags=("Case",))
    assert rows(cases.compounds)[1] == Counter(["katu\tCase=Ade", "koira\tCase=Ade"])
    bare = count(path, features="morphology", without_tags=("Number", "Typo"))
    assert "katu\tCase=Ade" in list(bare.compounds.names)
    clean = count(path, features="morphology", without_tagged=("Typo",))
    assert rows(clean.compounds)[1] == Counter(["koira\tCase=Ade|Number=Sing"])
    weighed = count(path, features="morphology", tags=("Case",), weight=0.3)
    assert set(weighed.compounds.names) == {"koira\tCase=Ade", "katu\tCase=Ade"}  # Nom is koira's alone
    with pytest.raises(KontrastError, match="no token has one of the requested morphological features"):
        count(path, features="morphology", tags=("Gender",))


def test_an_empty_count_is_an_error(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "fi.conllu"
    path.write_text(FINNISH, encoding="utf-8")
    for features in ("dependency", "morphology"):
        with pytest.raises(KontrastError, match="2 sentences were read, but the filters removed everything"):
            count(path, features=features, preset="authors")


def test_shape_features(tmp_path: Path) -> None:
    path = tmp_path / "fi.conllu"
    path.write_text(FINNISH, encoding="utf-8")
    lengths = count(path, features="length")
    assert rows(lengths.compounds) == [Counter(["length\t0-4"])] * 2
    assert rows(count(path, features="length", bin_size=3).compounds)[0] == Counter(["length\t3-5"])
    assert rows(lengths.atoms)[0] == Counter(["lemma:koira", "lemma:juosta", "lemma:katu", "lemma:."])
    assert rows(count(path, features="depth").compounds) == [Counter(["depth\t2"])] * 2
    pairs = count(path, features="relations")
    assert rows(pairs.compounds)[0] == Counter(["root\tnsubj", "root\tobl"])
    assert rows(pairs.atoms)[0] == Counter(["relation:root", "relation:nsubj", "relation:obl"])


def test_depth_of_real_trees_and_circles(data: Path, tmp_path: Path) -> None:
    path = data / "ud" / "en_pud-ud-test.conllu"
    depths = rows(count(path, features="depth").compounds)
    table = conllu_table(path)
    for i in (0, 17, 500):
        heads = table.head[table.starts[i] : table.starts[i + 1]].tolist()

        def way(token: int, heads: list[int] = heads) -> int:
            return 1 if heads[token] < 0 else 1 + way(heads[token])

        assert depths[i] == Counter([f"depth\t{max(way(t) for t in range(len(heads)))}"])
    (tmp_path / "a.tsv").write_text("a\t2\tdep\nb\t1\tdep\n")
    with pytest.raises(KontrastError, match="heads in a cycle"):
        count(tmp_path / "a.tsv", features="depth")


def test_sentences_are_filtered_before_counting(tmp_path: Path) -> None:
    one = "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tis\tbe\tAUX\t_\t_\t0\troot\t_\t_\n"
    two = one.replace("It", "He").replace("\tit\t", "\the\t")
    longer = one + "3\tso\tso\tADV\t_\t_\t2\tadvmod\t_\t_\n"
    (tmp_path / "a.conllu").write_text("\n".join([one, two, one, longer, two.replace("is", "was")]))
    (tmp_path / "b.txt").write_text("es ist\ner ist\nes ist\nes ist so\ner war so lange dort gewesen\n")
    chosen: dict[str, Any] = {"max_tokens": 2, "no_duplicates": True, "parallel": tmp_path / "b.txt", "max_ratio": 2}
    counts = count(tmp_path / "a.conllu", tmp_path / "c", **chosen)
    assert [REASONS[i] for i in counts.filtered] == ["kept", "kept", "duplicate", "length", "ratio"]
    assert [bool(row) for row in rows(counts.compounds)] == [True, True, False, False, False]
    assert load_counts(tmp_path / "c").filtered.tolist() == counts.filtered.tolist()
    (tmp_path / "b.txt").write_text("es ist\n")
    with pytest.raises(InputError, match="has 1 sentences, but the corpus has 5"):
        count(tmp_path / "a.conllu", **chosen)
    with pytest.raises(KontrastError, match="needs the other side"):
        SentenceFilter(max_ratio=2)
