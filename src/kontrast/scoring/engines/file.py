"""``file:PATH``: scores made elsewhere, one number per row of the suite."""

from __future__ import annotations

import msgspec

from kontrast.scoring.engine import EngineOptions
from kontrast.suites.model import Scores, Signature, Suite
from kontrast.suites.scores import read_scores


class ScoreFile:
    """Takes the numbers as they are; ``--option maximize=yes`` where higher is better."""

    name = "file"

    def __init__(self, path: str, options: EngineOptions) -> None:
        options.only("file", "maximize")
        self.model, self.maximize = path, options.flag("maximize") if options.extra else None

    def score_suite(self, suite: Suite) -> Scores:
        scores = read_scores(self.model, suite, maximize=self.maximize, tokens=True)
        if scores.signature is not None:
            return scores
        made = Signature(suite=suite.name, fingerprint=suite.fingerprint, engine="file", model=scores.system)
        return msgspec.structs.replace(scores, signature=made)


load = ScoreFile
