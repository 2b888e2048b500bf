"""`kontrast score --until decided`: what is to be decided, step by step, and the test on the whole."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from kontrast.defaults import ALPHA, SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import ScoresLike, as_single
from kontrast.judging.compare import compare
from kontrast.judging.decisions import decisions_of
from kontrast.judging.gate import GateConfig, gate, has_gate, read_gate
from kontrast.judging.sequential import (
    ON_THE_WAY,
    SequentialTest,
    difference_rules,
    gate_rules,
    overall,
)
from kontrast.judging.signatures import check_suite
from kontrast.judging.verdicts import judge, verdicts_of
from kontrast.judging.wording import points_text
from kontrast.suites.model import Outcome, Scores, Stopped, StoppedRule, Suite


def until_decided(
    suite: Suite,
    until: str,
    config: str | Path | GateConfig | None = None,
    against: ScoresLike | None = None,
    seed: int = SEED,
) -> UntilDecided:
    """The question: the gate of a file, or a comparison with one system's scores."""
    if until != "decided":
        raise KontrastError(f"--until {until}: expected decided")
    if against is None and config is None:
        raise KontrastError("--until decided: give --config FILE with a [gate], or --against BASELINE.scores")
    if against is not None and config is not None and (isinstance(config, GateConfig) or has_gate(config)):
        raise KontrastError(
            "--until decided: --against and the [gate] of --config cannot be used together; give one of them"
        )
    rules = None
    if against is None:
        assert config is not None
        rules = read_gate(config)
        if (rule := rules.baseline) is not None:
            if isinstance(rule.scores, list) and len(rule.scores) > 1:
                raise KontrastError(
                    "--until decided: [gate.baseline] has several runs, but the test does not model their "
                    "variance; give one run, or score the whole suite"
                )
            folder = Path() if isinstance(config, GateConfig) else Path(config).parent
            against = folder / (rule.scores if isinstance(rule.scores, str) else rule.scores[0])
    baseline = None
    if against is not None:
        [baseline] = as_single(suite, [against], maximize=rules.maximize if rules else None)
        check_suite(suite, baseline)
    return UntilDecided(suite, rules, baseline, seed)


class UntilDecided:
    """See `kontrast.scoring.run.Until`; `stopped` is the result."""

    def __init__(self, suite: Suite, config: GateConfig | None, baseline: Scores | None, seed: int) -> None:
        self.suite, self.config, self.baseline = suite, config, baseline
        asked = config or GateConfig()
        self._how = {"ties": asked.ties, "epsilon": asked.epsilon}
        self._decisions = decisions_of(suite, asked.unit)
        known = None
        if baseline is not None:
            known = judge(suite, baseline, unit=asked.unit, ties=asked.ties, epsilon=asked.epsilon).credit
        if config is None:
            assert known is not None
            rules = difference_rules(self._decisions, known)
        else:
            rules = gate_rules(config, self._decisions, known)
        alpha = ALPHA if config is None or config.baseline is None else config.baseline.alpha
        self.test = SequentialTest(self._decisions, rules, alpha=alpha, seed=seed)
        starts = np.cumsum([0, *(len(item.variants) for item in suite.items)]).tolist()
        self.steps = [[row for i in step for row in range(starts[i], starts[i + 1])] for step in self.test.steps()]
        self._found: list[StoppedRule] = []
        self._clusters = 0

    def decided(self, step: int, values: dict[int, float]) -> bool:
        filled = np.zeros(self.suite.row_count)
        filled[list(values)] = list(values.values())
        judged = verdicts_of(self._decisions, filled, ties=self._how["ties"], epsilon=self._how["epsilon"])  # type: ignore[arg-type]
        self._clusters = self.test.scored(step)
        self._found = self.test.look(judged, self._clusters)
        over = overall(self._found) != "not decided"
        if over or step == len(self.steps) - 1:
            self._found = self.test.look(judged, self._clusters, intervals=True)
        return over

    def stopped(self, scores: Scores) -> Stopped:
        """What was decided, on the way or on the whole suite."""
        test, outcome, told = self.test, overall(self._found), ""
        whole = len(scores.values) == self.suite.row_count
        if outcome == "not decided" and whole:
            outcome, told = self._on_the_whole(scores)
        return Stopped(
            outcome,
            len(scores.values),
            self.suite.row_count,
            test.cluster,
            self._clusters,
            test.all_clusters,
            test.alpha,
            test.seed,
            tuple(self._found),
            told,
        )

    def _on_the_whole(self, scores: Scores) -> tuple[Outcome, str]:
        """The ordinary test, at what is left of alpha."""
        left = self.test.alpha * (1 - ON_THE_WAY)
        if self.config is None:
            assert self.baseline is not None
            row = compare(self.suite, [self.baseline, scores], alpha=left, level=1 - left).total[0]
            told = f"{points_text(row.difference, row.items)} points (p = {row.p:.3g}, level {left:g})"
            if not row.significant:
                return "not decided", told
            return ("better" if row.difference > 0 else "worse"), told
        config = self.config
        if config.baseline is not None:
            config = msgspec.structs.replace(config, baseline=msgspec.structs.replace(config.baseline, alpha=left))
        found = gate(self.suite, scores, config, self.baseline, level=1 - left)
        told = "; ".join(f"{check.on}: {check.message}" for check in found.checks if not check.passed)
        return ("failed" if found.failed else "passed" if found.passed else "not decided"), told
