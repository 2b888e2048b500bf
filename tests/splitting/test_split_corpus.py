"""Splits: every constraint is kept, every option does what it says, targets missed are explained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kontrast.errors import InputError, KontrastError
from kontrast.splitting.corpus_counts import CorpusCounts
from kontrast.splitting.count_corpus import count
from kontrast.splitting.measured_divergence import compare_sets, measure
from kontrast.splitting.split_corpus import split
from kontrast.splitting.split_files import load_split, read_ids, save_split

from .conftest import counts_of, random_counts


def partition(result: object, sentences: int) -> None:
    sides = [getattr(result, side) for side in ("train", "test", "dev", "discarded", "featureless", "filtered")]
    assert sorted(np.concatenate(sides).tolist()) == list(range(sentences))


def test_windows_are_kept_and_divergence_rises(pud: CorpusCounts) -> None:
    (result,) = split(pud, test_share=(0.15, 0.2), discard=0.25)
    partition(result, 1000)
    assert 0.15 <= result.test_share <= 0.2
    assert len(result.discarded) <= 250
    assert result.compound_divergence > result.measured.random_compound_divergence + 0.05
    assert result.atom_divergence < result.measured.random_atom_divergence * 1.25
    again = measure(pud, result.train, result.test, draws=0)
    assert again.compound_divergence == result.compound_divergence
    assert again.atom_divergence == result.atom_divergence
    assert result.trajectory[-1].compound_divergence == pytest.approx(result.compound_divergence, abs=1e-9)


def test_same_seed_same_split_other_seed_other_split(pud: CorpusCounts) -> None:
    first, again, other = (split(pud, seed=seed)[0] for seed in (3, 3, 4))
    assert (first.test == again.test).all()
    assert first.test.tolist() != other.test.tolist()


def test_intermediate_targets_to_three_decimals() -> None:
    counts = random_counts(3000)
    for result in split(counts, compound=[0.3, 0.4]):
        assert result.compound_divergence == pytest.approx(result.aim.compound, abs=5e-4)
        assert result.reached


def test_lowest_target_beats_chance_and_respects_the_floor(pud: CorpusCounts) -> None:
    (result,) = split(pud, compound=0.0, discard=0.2)
    measured = result.measured
    assert measured.compound_floor <= result.compound_divergence < measured.random_compound_divergence
    assert not result.reached
    assert "no split of these counts is below" in result.notes[0]


def test_a_target_out_of_reach_is_explained(pud: CorpusCounts) -> None:
    (result,) = split(pud, compound=1.0, discard=0.0)
    assert len(result.discarded) == 0
    assert any("are connected by shared compounds" in note for note in result.notes)


def test_separable_corpus_reaches_one() -> None:
    counts = counts_of([[0, 1]] * 60, [[i % 6] for i in range(60)])
    (result,) = split(counts, discard=0.0)
    assert result.compound_divergence == 1.0
    assert result.reached


def test_exact_size_and_length_window(pud: CorpusCounts) -> None:
    (result,) = split(pud, test_size=137, discard=0.3)
    assert len(result.test) == 137
    (result,) = split(pud, length_ratio=(0.95, 1.05))
    assert 0.95 <= result.measured.test_length / result.measured.train_length <= 1.05


@pytest.mark.parametrize("together", ["documents", "duplicates"])
def test_groups_stay_together(together: str) -> None:
    counts = random_counts(900)
    (result,) = split(counts, together=together)
    groups = counts.documents if together == "documents" else counts.texts
    train, test, discarded = (set(groups[ids]) for ids in (result.train, result.test, result.discarded))
    assert not train & test
    assert not train & discarded
    assert not test & discarded
    assert 0.1 <= result.test_share <= 0.2


def test_fixed_train_and_no_unseen_atoms() -> None:
    counts = random_counts(900)
    fixed = list(range(0, 900, 5))
    (result,) = split(counts, fixed_train=fixed, no_unseen_atoms=True)
    assert set(fixed) <= set(result.train.tolist())
    assert result.measured.unseen_atoms == 0


def test_cap_on_atoms(pud: CorpusCounts) -> None:
    (free,) = split(pud)
    cap = free.measured.random_atom_divergence
    (capped,) = split(pud, atom_cap=cap)
    assert capped.atom_divergence <= cap + 5e-4
    (weighted,) = split(pud, atom_weight=5.0)
    assert weighted.atom_divergence < free.atom_divergence


def test_dev_is_taken_from_train(pud: CorpusCounts) -> None:
    (result,) = split(pud, dev=50)
    partition(result, 1000)
    assert len(result.dev) == 50
    (share,) = split(pud, dev=0.1)
    assert len(share.dev) == round(0.1 * (len(share.train) + len(share.dev)))


def test_efforts_and_time(pud: CorpusCounts) -> None:
    fast, default = split(pud, effort="fast")[0], split(pud)[0]
    assert len(fast.trajectory) < len(default.trajectory)
    assert default.compound_divergence - default.atom_divergence >= fast.compound_divergence - fast.atom_divergence
    (short,) = split(pud, effort="thorough", seconds=0.0)
    assert len(short.trajectory) < 20


def test_saved_split_comes_back_and_goes_on(pud: CorpusCounts, tmp_path: Path) -> None:
    (result,) = split(pud, effort="fast", dev=20)
    save_split(result, tmp_path / "s")
    again = load_split(tmp_path / "s")
    assert (again.test == result.test).all()
    assert again.measured == result.measured
    assert again.windows == result.windows
    (better,) = split(pud, resume=again)
    assert better.aim.energy(better.atom_divergence, better.compound_divergence) <= result.aim.energy(
        result.atom_divergence, result.compound_divergence
    )


def test_progress_is_reported(pud: CorpusCounts) -> None:
    seen = []
    split(pud, effort="fast", report=lambda *values: seen.append(values))
    assert seen[0][0] == 1.0
    assert 0 < seen[-1][4] < 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"compound": 1.2}, "from 0 to 1"),
        ({"test_share": (0.3, 0.2)}, "window"),
        ({"discard": 1.0}, "discard"),
        ({"test_size": 5000}, "5000 cannot be taken from 1000"),
        ({"effort": "much"}, "fast, default, thorough"),
        ({"together": "speakers"}, "documents or duplicates"),
        ({"dev": 100000}, "leaves nothing"),
        ({"fixed_train": list(range(1000))}, "the sentences that can be in test have 0 of"),
    ],
)
def test_wrong_wishes_are_said(pud: CorpusCounts, options: dict[str, object], said: str) -> None:
    with pytest.raises(KontrastError, match=said):
        split(pud, **options)  # type: ignore[arg-type]


def test_sets_of_different_corpora(pud: CorpusCounts) -> None:
    whole = measure(pud, np.arange(500), np.arange(500, 1000), draws=0)
    parts = compare_sets([(pud, np.arange(200)), (pud, np.arange(200, 500))], (pud, np.arange(500, 1000)), top=3)
    assert parts.atom_divergence == pytest.approx(whole.atom_divergence, abs=1e-12)
    assert parts.compound_divergence == pytest.approx(whole.compound_divergence, abs=1e-12)
    assert len(parts.compound_contributions) == 3
    with pytest.raises(KontrastError, match="in train and in test"):
        measure(pud, [1, 2], [2, 3])


def test_ids_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "a.ids"
    for text, said in (
        ("1\nx\n", "line 2: expected a sentence number"),
        ("9\n", "not among the 5"),
        ("1\n1\n", "twice"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=said):
            read_ids(path, 5)


def test_a_split_of_another_corpus_is_not_resumed(pud: CorpusCounts) -> None:
    [found] = split(random_counts(sentences=40), effort="fast")
    with pytest.raises(KontrastError, match="the split belongs to another corpus"):
        split(pud, resume=found, effort="fast")


def test_counts_of_other_features_are_not_compared(pud: CorpusCounts, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the dog runs\na cat sleeps\n")
    other = count(tmp_path / "a.txt", features="ngram")
    with pytest.raises(KontrastError, match=r"was counted by ngram features, order 2, .* by dependency features"):
        compare_sets([(other, None)], (pud, None))
    with pytest.raises(KontrastError, match="was counted by ngram features"):
        split(pud, against=other, effort="fast")
    with pytest.raises(KontrastError, match=r"was counted by ngram features, order 3, .* order 2"):
        compare_sets([(count(tmp_path / "a.txt", features="ngram", order=3), None)], (other, None))


def test_a_weight_is_finite(pud: CorpusCounts) -> None:
    with pytest.raises(KontrastError, match="the weight of atoms must be a number from 0 on, not inf"):
        split(pud, atom_weight=float("inf"))
