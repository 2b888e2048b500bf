"""`kontrast score --tokenisations N`: how many decisions another cut of the same texts would turn round."""

import sys

import msgspec
import numpy as np

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.judging.decisions import decisions_of
from kontrast.judging.verdicts import larger_is_better, verdicts_of
from kontrast.progress import progress
from kontrast.scoring.context import Context
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines import load_engine
from kontrast.scoring.plan import make_plan
from kontrast.scoring.telling import with_languages
from kontrast.scoring.trained import with_trained_scheme
from kontrast.suites.model import Scores, Suite


class Flips(msgspec.Struct, frozen=True):
    """Of ``decisions``, how many turn round in each of several cuts, and how many in any of them."""

    decisions: int
    each: tuple[int, ...]
    any: int
    accuracies: tuple[float, ...]
    items: tuple[str, ...] = ()

    def __str__(self) -> str:
        mean = sum(self.each) / len(self.each) / max(1, self.decisions)
        low, high = min(self.accuracies), max(self.accuracies)
        return (
            f"other tokenisations ({len(self.each)}): {mean:.1%} of the decisions change on average, "
            f"{self.any:,} of {self.decisions:,} in at least one; accuracy between {low:.1%} and {high:.1%}"
        )


def with_flips(
    suite: Suite, model: object, made: Scores, options: EngineOptions, context: Context, count: int, seed: int
) -> Scores:
    """The scores with ``flips`` in their signature; the result is told."""
    found = flips_of(suite, model, made, options, context, count, seed)
    print(f"kontrast: {found}", file=sys.stderr)
    for item in found.items[:5]:
        print(f"kontrast: decision changes with another tokenisation: item {item}", file=sys.stderr)
    assert made.signature is not None
    details = {**made.signature.details, "flips": f"{found.any}/{found.decisions}x{count}"}
    return msgspec.structs.replace(made, signature=msgspec.structs.replace(made.signature, details=details))


def flips_of(
    suite: Suite,
    model: object,
    scores: Scores,
    options: EngineOptions,
    context: Context,
    count: int,
    seed: int = SEED,
) -> Flips:
    """Score the same texts in ``count`` other cuts; the model is loaded once more."""
    from kontrast.scoring.engines.transformer.engine import TransformerEngine

    if not isinstance(model, str) or not (model == "tiny" or model.startswith("hf:")) or "masked" in options.extra:
        raise KontrastError("--tokenisations: only hf: models support other tokens of the same text")
    engine = load_engine(model, with_languages(options, suite))
    assert isinstance(engine, TransformerEngine)
    from kontrast.scoring.engines.transformer.cuts import shifts

    plan = make_plan(suite, with_trained_scheme(context, model))
    added: dict[tuple[int, int], list[float]] = {}
    with progress("other cuts", len(plan.groups)) as advance:
        for index, rows in shifts(engine, plan.groups, count, seed):
            added |= {(index, place): values for place, values in enumerate(rows)}
            advance(1)
    decisions = decisions_of(suite)
    base = larger_is_better(scores)
    usual = verdicts_of(decisions, base).credit
    credits = [
        verdicts_of(decisions, base + np.array([added[place][cut] for place in plan.places])).credit
        for cut in range(count)
    ]
    turned = np.array([np.abs(own - usual) > 1e-9 for own in credits])
    items = tuple(suite.items[int(decisions.item[i])].id for i in np.flatnonzero(turned.any(axis=0)))
    return Flips(
        len(decisions),
        tuple(int(own.sum()) for own in turned),
        int(turned.any(axis=0).sum()),
        tuple(float(own.mean()) for own in (usual, *credits)),
        items,
    )
