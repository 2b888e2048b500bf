"""What the authors' scripts do with a lemma named as a relation, lines of unequal length, and alpha 0 and 1."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from kontrast import KontrastError, splitting
from kontrast.language.annotation import Sentence, Token
from kontrast.splitting.corpus_counts import CorpusCounts
from kontrast.splitting.corpus_reader import Mismatch, read_triples
from kontrast.splitting.count_corpus import count_table
from kontrast.splitting.options import PRESETS
from kontrast.splitting.token_table import table_from_sentences

AUTHORS = msgspec.structs.replace(PRESETS["authors"], min_rank=0, min_frequency=1, weight=0.0)


def test_a_lemma_and_a_relation_of_one_name_are_one_atom() -> None:
    rows = [("see", -1, "root"), ("mark", 0, "obj"), ("that", 1, "mark"), ("see", 1, "acl")]
    made = Sentence("", tuple(Token(w, 0, 0, lemma=w, head=h, relation=r) for w, h, r in rows))
    table = table_from_sentences([made])
    apart = totals(count_table(table, filters=msgspec.structs.replace(AUTHORS, shared_names=False)))
    one = totals(count_table(table, filters=AUTHORS))
    # The lemma mark, and the relation mark of "that".
    assert one["lemma:mark"] == 2 and "relation:mark" not in one
    assert len(apart) == len(one) + 1 and sum(apart.values()) == sum(one.values())


def totals(counts: CorpusCounts) -> dict[str, int]:
    sums = np.bincount(counts.atoms.indices, counts.atoms.data, minlength=counts.atoms.features)
    return {name: int(n) for name, n in zip(counts.atoms.names, sums, strict=True) if n}


def test_frequencies_are_those_before_lines_are_cut(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("A b b tail tail\nb c\n")
    (tmp_path / "h").write_text("[2, 0, 2]\n[2, 0]\n")
    (tmp_path / "l").write_text("['x', 'root', 'y']\n['x', 'root']\n")
    mismatch = Mismatch()
    table = read_triples(tmp_path / "a", tmp_path / "h", tmp_path / "l", mismatch)
    assert mismatch.lines == 1 and table.frequency is not None
    assert dict(zip(table.words, table.frequency.tolist(), strict=True)) == {"a": 1, "b": 3, "tail": 2, "c": 1}
    assert [table.words[i] for i in table.word] == ["a", "b", "b", "b", "c"]


def test_alpha_at_its_ends() -> None:
    train, test = [2, 4, 10], [1, 2, 5]
    assert splitting.divergence(train, test, 0) == splitting.divergence(train, test, 1) == 0.0
    assert splitting.divergence([1, 0], [1, 3], 0) == 0.75
    assert splitting.divergence([1, 0], [1, 3], 1e-12) == pytest.approx(0.75)
    with pytest.raises(KontrastError, match="from 0 to 1"):
        splitting.divergence(train, test, -0.1)


def test_the_task_by_the_name_of_its_class() -> None:
    published = splitting.EuroparlDbcaSplitsComdiv0De
    counts = np.array([[2, 0, 6]]), np.array([[0, 5, 5]])
    assert published.divergence(*counts, 0.1) == published().divergence(*counts, 0.1) == 0.4793101280037947
    assert published().name == "comdiv0_de"
    with pytest.raises(AttributeError):
        splitting.EuroparlDbcaSplitsComdiv2De  # noqa: B018
