"""`correlate` on a test set in mt-metrics-eval's layout."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast import KontrastError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two systems, three segments, two metrics: one that agrees with people and one that does not."""
    for name, values in {
        "human-scores/en-de.mqm": (0, -5, -1, -10, -20, None),
        "metric-scores/en-de/good-refA": (0.9, 0.5, 0.8, 0.3, 0.1, 0.5),
        "metric-scores/en-de/bad-refA": (0.1, 0.5, 0.2, 0.7, 0.9, 0.5),
    }.items():
        path = tmp_path / f"wmt23/{name}.seg.score"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{'AB'[place // 3]}\t{value}\n" for place, value in enumerate(values)))
    return tmp_path / "wmt23"


def test_all_metrics_of_a_pair(root: Path) -> None:
    found = kontrast.correlate(f"{root}?pair=en-de", "mqm", resamples=100)
    accuracy = {each.metric: each.segment_accuracy for each in found.metrics}
    assert set(accuracy) == {"good-refA", "bad-refA"} and accuracy["good-refA"] == 1 > accuracy["bad-refA"]
    files = sorted((root / "metric-scores/en-de").iterdir())
    same = kontrast.correlate(files, root / "human-scores/en-de.mqm.seg.score", resamples=100)
    assert [each.segment_accuracy for each in same.metrics] == list(accuracy.values())
    assert len(kontrast.correlate(root / "metric-scores/en-de", files[0], resamples=100).metrics) == 2


def test_what_is_refused(root: Path) -> None:
    with pytest.raises(KontrastError, match="there are no judgements esa for en-de; choose from mqm"):
        kontrast.correlate(f"{root}?pair=en-de", "esa")
    with pytest.raises(KontrastError, match=r"several pairs: .*\(en-de\)"):
        kontrast.correlate(root, "mqm")
    with pytest.raises(KontrastError, match=r"expected files NAME\.seg\.score"):
        kontrast.correlate(f"{root}?pair=en-zh", "mqm")
