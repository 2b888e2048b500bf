"""A split is valid by default: no bare sentences, a share of compounds, lengths alike; what differs is reported."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from kontrast.cli import kontrast
from kontrast.errors import KontrastError
from kontrast.splitting.corpus_counts import CorpusCounts, load_counts, save_counts
from kontrast.splitting.count_corpus import count
from kontrast.splitting.measured_divergence import SideDifference, compare_sets, measure, side_difference, warnings_of
from kontrast.splitting.split_corpus import split
from kontrast.splitting.split_files import load_split, save_split

from .conftest import counts_of, random_counts


def mixed_counts(bare: int = 200) -> CorpusCounts:
    """Sentences with compounds, and between them some without any."""
    rng = np.random.default_rng(5)
    atoms, compounds = [], []
    for i in range(1200):
        if i % 6 == 0 and i // 6 < bare:
            atoms.append([int(rng.integers(5))])
            compounds.append([])
            continue
        words = np.minimum(rng.zipf(1.4, rng.integers(2, 14)), 60).tolist()
        atoms.append(words)
        compounds.append([a * 61 + b for a, b in pairwise(words)])
    return counts_of(atoms, compounds)


def test_sentences_without_compounds_take_no_part() -> None:
    counts = mixed_counts()
    (result,) = split(counts)
    bare = np.flatnonzero(np.diff(counts.compounds.indptr) == 0)
    assert result.featureless.tolist() == bare.tolist()
    used = np.concatenate([result.train, result.test, result.discarded])
    assert not np.isin(bare, used).any()
    assert len(used) + len(bare) == counts.sentences
    assert len(result.discarded) <= 0.25 * (counts.sentences - len(bare))


def test_they_go_to_train_or_anywhere_when_asked() -> None:
    counts = mixed_counts()
    bare = np.flatnonzero(np.diff(counts.compounds.indptr) == 0)
    (trained,) = split(counts, featureless="train")
    assert np.isin(bare, trained.train).all()
    assert not len(trained.featureless)
    (anywhere,) = split(counts, featureless="anywhere", length_ratio="open", share_of="sentences")
    assert not len(anywhere.featureless)
    assert np.isin(bare, np.concatenate([anywhere.train, anywhere.test, anywhere.discarded])).all()
    with pytest.raises(KontrastError, match="expected nowhere, train or anywhere"):
        split(counts, featureless="test")


@pytest.mark.parametrize("share_of", ["compounds", "sentences", "tokens"])
def test_share_is_of_what_is_asked_and_all_three_are_reported(share_of: str) -> None:
    counts = random_counts(1500)
    (result,) = split(counts, share_of=share_of, test_share=(0.12, 0.15))
    kept = np.concatenate([result.train, result.test])
    mass = counts.compounds.mass()
    expected = {
        "compounds": mass[result.test].sum() / mass[kept].sum(),
        "sentences": len(result.test) / len(kept),
        "tokens": counts.lengths[result.test].sum() / counts.lengths[kept].sum(),
    }
    for name, value in expected.items():
        assert getattr(result, f"test_share_{name}") == pytest.approx(value)
    assert 0.12 <= expected[share_of] <= 0.15
    assert result.test_share == pytest.approx(expected[share_of])
    assert mass[result.discarded].sum() <= 0.25 * mass.sum() + 1e-9 or share_of != "compounds"


def test_lengths_are_alike_unless_opened() -> None:
    counts = random_counts(1500)
    (default,) = split(counts, share_of="sentences", discard=0.4)
    assert 0.8 <= default.length_ratio <= 1.25
    assert default.length_ratio == pytest.approx(default.measured.difference.length_ratio)
    (opened,) = split(counts, share_of="sentences", discard=0.4, length_ratio="open")
    assert opened.length_ratio < 0.8
    assert any("times as long as train's" in note for note in opened.notes)


def test_default_split_of_a_treebank_is_one_to_publish(data: Path) -> None:
    """The whole of EWT at target 1: what an independent reader found wrong with the default."""
    counts = count(data / "ud" / "en_ewt-all.conllu.gz")
    (result,) = split(counts)
    difference = result.measured.difference
    assert len(result.featureless) == 1349
    assert difference.test_featureless == difference.train_featureless == 0
    assert 0.1 <= result.test_share_compounds <= 0.2
    assert 0.8 <= result.length_ratio <= 1.25
    assert difference.duplicates < result.measured.random_difference.duplicates
    assert result.atom_divergence + abs(1 - result.compound_divergence) < 0.137  # greedy with moves, no windows


def test_json_has_the_keys_of_the_contract(tmp_path: Path) -> None:
    counts = mixed_counts()
    (result,) = split(counts, effort="fast")
    save_split(result, tmp_path / "s")
    stored = json.loads((tmp_path / "s" / "split.json").read_text())
    for key in ("atom_divergence", "compound_divergence", "test_share_compounds", "test_share_sentences",
                "test_share_tokens", "length_ratio"):  # fmt: skip
        assert stored[key] == getattr(result, key)
    assert stored["featureless"] == len(result.featureless) == 200
    assert stored["measured"]["random_difference"]["length_ratio"] == pytest.approx(1, abs=0.1)
    assert (tmp_path / "s" / "featureless.ids").read_text().split() == [str(i) for i in result.featureless]
    again = load_split(tmp_path / "s")
    assert (again.featureless == result.featureless).all()
    assert (again.discarded == result.discarded).all()


def test_differences_are_those_of_a_plain_computation() -> None:
    counts = mixed_counts()
    rng = np.random.default_rng(1)
    order = rng.permutation(counts.sentences)
    train, test = order[:700], order[700:900]
    found = side_difference(counts, train, test)
    lengths = counts.lengths
    assert found.length_ratio == pytest.approx(lengths[test].mean() / lengths[train].mean())
    gaps = [abs((lengths[train] <= x).mean() - (lengths[test] <= x).mean()) for x in range(20)]
    assert found.length_distance == pytest.approx(max(gaps))
    texts = set(counts.texts[train].tolist())
    assert found.duplicates == pytest.approx(np.mean([t in texts for t in counts.texts[test].tolist()]))
    measured = measure(counts, train, test, draws=2)
    assert measured.difference == found
    assert measured.random_difference is not None


def test_each_difference_has_its_warning() -> None:
    same = SideDifference(1.0, 0.02, 0.03, 0.1, 0.1, 0.2)
    assert warnings_of(same, same) == []
    for changes, said in (
        ({"length_ratio": 1.6}, "1.60 times as long"),
        ({"length_distance": 0.5}, "distributed differently"),
        ({"test_featureless": 0.5}, "50% of test sentences have no compound"),
        ({"duplicates": 0.2}, "20.0% of test sentences are also in train"),
        ({"document_divergence": 0.6}, "from different documents"),
    ):
        (warning,) = warnings_of(SideDifference(**{**dict_of(same), **changes}), same)
        assert said in warning


def dict_of(difference: SideDifference) -> dict[str, float]:
    return {name: getattr(difference, name) for name in difference.__struct_fields__}


def test_fixed_sentences_stay_in_train_also_with_dev() -> None:
    counts = random_counts(900)
    fixed = list(range(0, 900, 3))
    (result,) = split(counts, fixed_train=fixed, dev=100)
    assert len(result.dev) == 100
    assert set(fixed) <= set(result.train.tolist())
    with pytest.raises(KontrastError, match="that are not fixed"):
        split(counts, fixed_train=list(range(800)), dev=200, discard=0.0)


def test_dev_takes_no_atom_of_test_from_train() -> None:
    rng = np.random.default_rng(3)
    atoms = [[*np.minimum(rng.zipf(1.3, 4), 400).tolist()] for _ in range(900)]
    counts = counts_of(atoms, [[a * 401 + b for a, b in pairwise(r)] for r in atoms])
    (result,) = split(counts, no_unseen_atoms=True, dev=150, discard=0.3)
    assert len(result.dev) == 150
    assert measure(counts, result.train, result.test, draws=0).unseen_atoms == 0
    (careless,) = split(counts, dev=150, discard=0.3)
    assert careless.measured.unseen_atoms > 0


def test_dev_keeps_groups_whole() -> None:
    counts = random_counts(900)
    (result,) = split(counts, together="duplicates", dev=90)
    texts = [set(counts.texts[side].tolist()) for side in (result.train, result.dev, result.test)]
    assert not texts[0] & texts[1]
    assert not texts[1] & texts[2]


def test_several_seeds_are_several_splits() -> None:
    counts = random_counts(600)
    results = split(counts, compound=[0.3, 0.4], seed=[1, 2, 3], effort="fast")
    assert [(r.aim.compound, r.seed) for r in results] == [(c, s) for c in (0.3, 0.4) for s in (1, 2, 3)]
    (alone,) = split(counts, compound=0.4, seed=2, effort="fast")
    assert (alone.test == results[4].test).all()
    assert results[3].test.tolist() != results[4].test.tolist()


def test_test_against_another_corpus() -> None:
    """Train is another corpus: sentences here go to test or nowhere, and its counts are those of train."""
    both = random_counts(1200)
    web, news = random_counts(800, seed=1), random_counts(400, seed=2)
    (result,) = split(news, against=web, compound=1.0, test_size=80)
    assert len(result.train) == 0
    assert len(result.test) == 80
    assert len(result.test) + len(result.discarded) == news.sentences
    (near,) = split(news, against=web, compound=0.0, test_size=80)
    assert near.compound_divergence < result.compound_divergence
    assert result.against
    with pytest.raises(KontrastError, match="train is another corpus"):
        split(both, against=web, dev=10)


def test_sizes_that_cannot_be_had_are_refused_before_the_search() -> None:
    counts = random_counts(900)
    with pytest.raises(KontrastError, match=r"a test share of at least 0\.1 is not possible.*fixed in train"):
        split(counts, fixed_train=list(range(860)))
    with pytest.raises(KontrastError, match="a test side of 300 sentences is not possible"):
        split(counts, fixed_train=list(range(700)), test_size=300)
    with pytest.raises(KontrastError, match="a length ratio of 20:30 is not possible"):
        split(counts, length_ratio=(20, 30))
    with pytest.raises(KontrastError, match="no compounds"):
        split(counts_of([[1], [2]], [[], []]))
    with pytest.raises(KontrastError, match="expected one of compounds, sentences, tokens"):
        split(counts, share_of="words")


def test_a_length_split_makes_test_longer() -> None:
    """Counts of length: no window by default, and a window above 1 chooses the direction."""
    counts = random_counts(900)
    shape = counts_of([[0, 1]] * 900, [[int(n)] for n in counts.lengths])
    shape = msgspec.structs.replace(shape, lengths=counts.lengths, about={"features": "length"})
    (any_length,) = split(shape, discard=0.0)
    assert any_length.windows.length_ratio is None
    (longer,) = split(shape, discard=0.0, length_ratio=(1.2, 5.0))
    assert longer.length_ratio >= 1.2
    assert longer.compound_divergence > 0.9


def test_command_with_several_seeds_and_another_corpus(tmp_path: Path) -> None:
    save_counts(random_counts(600), tmp_path / "c")
    save_counts(random_counts(400, seed=9), tmp_path / "web")
    runner = CliRunner()
    done = runner.invoke(
        kontrast,
        ["split", str(tmp_path / "c"), "--seed", "1,2", "--compound", ".3,.4", "--effort", "fast", "--out",
         str(tmp_path / "s")],
        catch_exceptions=False,
    )  # fmt: skip
    assert done.exit_code == 0
    assert "spread over 2 seeds" in done.stdout
    assert "random" in done.stdout
    stored = json.loads((tmp_path / "s" / "compound-0.4" / "seed-2" / "split.json").read_text())
    assert (stored["seed"], stored["aim"]["compound"]) == (2, 0.4)
    done = runner.invoke(
        kontrast,
        ["split", str(tmp_path / "c"), "--against", str(tmp_path / "web"), "--test-size", "60", "--effort", "fast",
         "--out", str(tmp_path / "t"), "--json"],
        catch_exceptions=False,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert (found["test"], found["train"]) == (60, 0)
    counts, web = load_counts(tmp_path / "c"), load_counts(tmp_path / "web")
    test = np.array((tmp_path / "t" / "test.ids").read_text().split(), np.int64)
    again = compare_sets([(web, None)], (counts, test))
    assert found["compound_divergence"] == again.compound_divergence
    assert found["test_share_sentences"] == 0.1
