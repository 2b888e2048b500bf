"""Analyses in the report: by themselves where the score files allow it, else from what the commands printed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.analysis.test_context import planted, with_tokens
from tests.analysis.test_cues import model

import kontrast
from kontrast import KontrastError
from kontrast.analysis.means import mean_of
from kontrast.cli import main
from kontrast.judging.clusters import Clusters
from kontrast.reporting.analysis import artefact_sections


def test_context_and_items_come_by_themselves(tmp_path: Path) -> None:
    suite = planted(30)
    names = ("none", "prev:1,both,sep", "prev:1,both,sep,random-1", "prev:2,both,sep")
    for i, context in enumerate(names):
        kontrast.write_scores(with_tokens(suite, context, i), tmp_path / f"{i}.scores")
    made = kontrast.report(suite, *(tmp_path / f"{i}.scores" for i in range(4)), resamples=200)
    titles = [section.title for section in made.sections]
    assert sum(title.startswith("Does") for title in titles) == 2
    assert "How informative the items are" in titles
    one = kontrast.report(suite, tmp_path / "0.scores", resamples=200)
    assert not any(s.title.startswith(("Does", "How informative")) for s in one.sections)


def test_results_of_commands_become_sections(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = planted(12)
    kontrast.save(suite, tmp_path / "planted.jsonl")
    suite = kontrast.load(tmp_path / "planted.jsonl")
    kontrast.write_scores(with_tokens(suite, "none", 1), tmp_path / "a.scores")
    found = kontrast.cues(suite, model("antecedent"), context="prev:1", side="source")
    (tmp_path / "cues.json").write_bytes(msgspec.json.encode(found))
    (tmp_path / "artefacts.json").write_bytes(msgspec.json.encode(kontrast.artefacts(suite)))
    with pytest.raises(SystemExit) as stop:
        files = [str(tmp_path / name) for name in ("planted.jsonl", "a.scores")]
        also = ["--also", str(tmp_path / "cues.json"), "--also", str(tmp_path / "artefacts.json")]
        main(["report", *files, *also, "--out", str(tmp_path / "r.html")])
    assert stop.value.code == 0, capsys.readouterr().err
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "Which words of the context" in page and "without the source" in page and '<mark class="for named"' in page
    with pytest.raises(KontrastError, match="is about planted, not about demo-fr"):
        row = kontrast.Scores("x", tuple(float(i % 3) for i in range(kontrast.load("demo:fr").row_count)))
        kontrast.report("demo:fr", row, also=[found])
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(KontrastError, match="expected the --json output of context"):
        kontrast.report(suite, tmp_path / "a.scores", also=[tmp_path / "bad.json"])


def test_artefacts_name_their_clusters_and_method() -> None:
    found = kontrast.artefacts("demo:fr")
    first = next(iter(artefact_sections(found)))
    assert (found.cluster, found.clusters) == ("document", 22) and first.table is not None
    assert "95% intervals: jackknife over 22 documents (t)" in first.table.caption


def test_a_mean_that_two_documents_make_decides_nothing() -> None:
    """As for the difference of two systems: clusters count by how much of what is not 0 they have."""
    documents = Clusters((("document", np.arange(80) // 10),), 80)
    everywhere = np.tile([0.5, 1.5], 40) + np.arange(80) // 10 / 10
    spread = mean_of(everywhere, documents)
    few = mean_of(np.where(np.arange(80) < 20, everywhere, 0.0), documents)
    assert spread is not None and spread.above() and spread.undecided is None
    assert few is not None and not few.above() and "count as 2.3 documents of 8, too few" in (few.undecided or "")
