"""Good sets give no error; the withdrawn one does; what is found in others is really there."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.suites.demo import BUNDLED


@pytest.mark.parametrize("name", list(BUNDLED))
def test_bundled_suites_are_clean(name: str) -> None:
    assert {finding.level for finding in kontrast.lint(kontrast.bundled(name))} == {"note"}


@pytest.mark.parametrize(
    "path",
    [
        "contrapro-en-de/contrapro.subset.json",
        "discevalmt-en-fr/anaphora.json",
        "discevalmt-en-fr/lexical-choice.json",
        "consistency-en-ru/lex_cohesion_dev.json",
        "distil-lingeval-en-de/polarity_particle_kein_del.mt",
    ],
)
def test_good_sets_have_no_error(data: Path, path: str) -> None:
    assert [f for f in kontrast.lint(kontrast.load(data / path)) if f.level == "error"] == []


def test_withdrawn_set(data: Path) -> None:
    findings = {f.id: f for f in kontrast.lint(kontrast.load(data / "un-en-fr" / "UN-testset-enfr.json"))}
    assert findings["annotation-not-in-text"].level == "error"
    assert findings["annotation-not-in-text"].count == 448
    assert findings["impersonal-pronoun"].count > 50


def test_faults_of_a_published_set(data: Path) -> None:
    """Two foils of the ellipsis set equal their reference, and a constant scorer is always right."""
    findings = {f.id: f for f in kontrast.lint(kontrast.load(data / "consistency-en-ru" / "ellipsis_infl.json"))}
    assert findings["contrastive-equals-reference"].items == ("255", "402")
    assert findings["correct-always-at-one-index"].level == "warning"
