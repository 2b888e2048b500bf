"""``file:PATH``: scores made elsewhere, one number per row of the suite."""

from __future__ import annotations

import msgspec

from kontrast.scoring.engine import EngineOptions
from kontrast.suites.model import Scores, Signature, Suite
from kontrast.suites.scores import read_scores


class ScoreFile:
    """Takes the numbers as they are; ``--option maximize=yes`` where higher is better."""

    name = "file"

    def __init__(self, path: str, maximize: bool | None) -> None:
        self.model, self.maximize = path, maximize

    def score_suite(self, suite: Suite) -> Scores:
        scores = read_scores(self.model, suite, maximize=self.maximize, tokens=True)
        if scores.signature is not None:
            return scores
        made = Signature(suite=suite.name, fingerprint=suite.fingerprint, engine="file", model=scores.system)
        return msgspec.structs.replace(scores, signature=made)


def load(name: str, options: EngineOptions) -> ScoreFile:
    """The engine for one score file."""
    options.only("file", "maximize")
    asked = options.extra.get("maximize")
    return ScoreFile(name, None if asked is None else asked in ("yes", "true", "1"))
