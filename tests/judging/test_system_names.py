"""Systems by short names, and translations beside scores."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast import KontrastError, Scores, Signature
from kontrast.judging.systems import named
from kontrast.suites.scores import write_scores


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    suite = kontrast.load("demo:fr")
    for name, step, context in (("plain", 7, "none"), ("context", 5, "prev:1,both,sep")):
        values = tuple(float((step * i) % 11) for i in range(suite.row_count))
        signature = Signature(suite.name, suite.fingerprint, "hf", "kontrast-tiny", context)
        write_scores(Scores("kontrast-tiny", values, signature=signature), f"{name}.scores")
    Path("out.fr").write_text("".join(f"{item.best.text}\n" for item in suite))


def test_two_systems_of_one_name_are_called_by_their_files() -> None:
    found = kontrast.compare("demo:fr", "plain.scores", "context.scores", "new=plain.scores", baseline="plain")
    assert found.systems == ("plain", "context", "new") and [row.a for row in found.total] == ["plain", "plain"]
    assert kontrast.compare("demo:fr", "plain.scores", "out.fr").systems == ("kontrast-tiny", "out.fr")


def test_a_system_is_found_by_the_part_of_its_name_that_no_other_has() -> None:
    names = ["tiny (none)", "tiny (prev:1,both,sep)", "Helsinki-NLP/opus-mt"]
    assert [named(names, given) for given in ("none", "prev:1", "opus-mt", "tiny (none)")] == [
        *names[:2],
        *names[::-2],
    ]
    assert named(["base", "new"], "runs/base.scores") == "base"
    with pytest.raises(KontrastError, match="there is no system 'tiny' among these"):
        named(names, "tiny")


def test_translations_stand_beside_scores_by_their_text_file() -> None:
    kontrast.check("demo:fr", "out.fr", items="out.verdicts")
    by_text = kontrast.compare("demo:fr", "plain.scores", "out.fr").total[0]
    by_verdicts = kontrast.compare("demo:fr", "plain.scores", "out.verdicts").total[0]
    assert by_text == by_verdicts and by_text.accuracy_b == 1.0
    assert kontrast.report("demo:fr", "plain.scores", "out.fr", resamples=200).systems == ("kontrast-tiny", "out.fr")
    assert kontrast.evaluate("demo:fr", "out.fr").verdict.startswith("out.fr writes the right form in 100.0% of")


def test_a_file_that_is_neither_says_so() -> None:
    Path("few.fr").write_text("Une phrase.\nUne autre.\n")
    with pytest.raises(KontrastError, match=r"neither scores .*352 rows.* nor translations .*176 items.*'Une phrase"):
        kontrast.compare("demo:fr", "plain.scores", "few.fr")
