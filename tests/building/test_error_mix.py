"""How many of each error a suite keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.building.errors.mix import MOST, quotas
from kontrast.building.errors.registry import GENERAL, languages, names_of
from kontrast.errors import KontrastError
from kontrast.suites.error_shares import real_shares


def test_every_error_has_a_share_and_none_is_above_the_limit() -> None:
    for language in languages():
        names = list(dict.fromkeys((*names_of(language), *GENERAL)))
        assert sum(real_shares(names).values()) == pytest.approx(1)
        counts = {name: 10 + 37 * n for n, name in enumerate(names)}
        for mix in ("real", "even"):
            kept = quotas(counts, mix)
            assert all(1 <= kept[name] <= counts[name] for name in counts)
            assert max(kept.values()) <= max(MOST, 1 / len(names)) * sum(kept.values()) + 1


def test_a_mix_keeps_less_of_what_is_common(tmp_path: Path) -> None:
    source = [f"Mr Smith has {n} dogs and she does not laugh." for n in range(13, 60)]
    target = [f"Herr Smith hat {n} Hunde und sie lacht nicht." for n in range(13, 60)]
    (tmp_path / "t.en").write_text("\n".join([*source, "The old woman laughs."]) + "\n")
    (tmp_path / "t.de").write_text("\n".join([*target, "Die alte Frau lacht."]) + "\n")
    both = tmp_path / "t.en", tmp_path / "t.de", "en-de", "all"
    every = kontrast.write_errors(tmp_path / "all.jsonl", *both)
    even = kontrast.write_errors(tmp_path / "even.jsonl", *both, mix="even")
    assert every.errors.keys() == even.errors.keys() and max(even.errors.values()) < max(every.errors.values())
    suite = kontrast.load(tmp_path / "even.jsonl")
    assert suite.extra["mix"] == "even" and len(suite) == even.items
    assert kontrast.build_errors(*both, mix="even") == suite
    with pytest.raises(KontrastError, match="--mix"):
        kontrast.build_errors(*both, mix="none")
