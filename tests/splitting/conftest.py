"""Small corpora for the tests of splitting."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kontrast.splitting.conllu_tables import conllu_tables
from kontrast.splitting.corpus_counts import CorpusCounts, Lines, Matrix, build_matrix
from kontrast.splitting.count_corpus import count
from kontrast.splitting.token_table import TokenTable, Vocabularies, joined


def counts_of(atoms: list[list[int]], compounds: list[list[int]]) -> CorpusCounts:
    """Counts from lists of feature numbers, one list per sentence."""
    matrices = []
    for rows in (atoms, compounds):
        sentence = np.array([i for i, row in enumerate(rows) for _ in row], np.int32)
        feature = np.array([f for row in rows for f in row], np.int32)
        names = Lines.of([f"f{i}" for i in range(int(feature.max(initial=-1)) + 1)])
        matrices.append(build_matrix(sentence, feature, len(rows), names))
    lengths = np.array([len(row) + 1 for row in atoms], np.int32)
    count_ = len(atoms)
    return CorpusCounts(
        matrices[0],
        matrices[1],
        lengths,
        np.arange(count_, dtype=np.int32) // 3,
        np.arange(count_, dtype=np.int64) // 2,
    )


def random_counts(sentences: int, seed: int = 0) -> CorpusCounts:
    """A corpus with frequent and rare features; compounds are pairs of the atoms beside each other."""
    rng = np.random.default_rng(seed)
    atoms = [np.minimum(rng.zipf(1.4, rng.integers(2, 12)), 60).tolist() for _ in range(sentences)]
    compounds = [[a * 61 + b for a, b in pairwise(row)] for row in atoms]
    return counts_of(atoms, compounds)


def rows(matrix: Matrix) -> list[Counter[str]]:
    found = []
    for i in range(matrix.rows):
        here = slice(matrix.indptr[i], matrix.indptr[i + 1])
        found.append(
            Counter(
                {matrix.names[int(f)]: int(n) for f, n in zip(matrix.indices[here], matrix.data[here], strict=True)}
            )
        )
    return found


def conllu_table(path: Path, forms: bool = False) -> TokenTable:
    """A treebank in one table."""
    vocabulary = Vocabularies()
    [table] = joined(conllu_tables(path, vocabulary, forms=forms))
    return vocabulary.named(table)


def tsv(path: Path, pairs: list[tuple[str, str]]) -> Path:
    """A treebank of sentences of two tokens: dependent and head."""
    path.write_text("\n\n".join(f"{d}\t2\tamod\n{h}\t0\troot" for h, d in pairs) + "\n")
    return path


@pytest.fixture(scope="session")
def pud(data: Path) -> CorpusCounts:
    """The English PUD treebank, counted with the default features."""
    return count(data / "ud" / "en_pud-ud-test.conllu")
