"""Score a suite: plan, look into the store, let the engine do the rest, put everything back into rows."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import progress
from kontrast.record import Record
from kontrast.scoring.context import Context
from kontrast.scoring.engine import Engine, EngineOptions, Group, SuiteEngine
from kontrast.scoring.engines import load_engine
from kontrast.scoring.plan import Plan, make_plan
from kontrast.scoring.store import Entry, Store
from kontrast.scoring.trained import with_trained_scheme
from kontrast.suites.model import Scores, Signature, Suite, TokenScores

__all__ = ["Preview", "Run", "preview", "score", "score_plan"]

_COMMIT_SECONDS = 0.5
Found = dict[tuple[int, int], TokenScores]


class Run(msgspec.Struct, frozen=True):
    """What a run did: rows of the suite, distinct targets, how many came from the store, what sharing saved."""

    rows: int
    groups: int
    targets: int
    stored: int
    scored: int
    seconds: float
    saved: str = ""

    def __str__(self) -> str:
        rate = f", {self.scored / self.seconds:,.0f} targets/s" if self.scored and self.seconds > 0 else ""
        parts = [
            f"{self.rows:,} rows: {self.targets:,} distinct targets of {self.groups:,} sources",
            f"{self.stored:,} from the store, {self.scored:,} scored in {self.seconds:.1f} s{rate}",
        ]
        if self.scored and self.saved:
            parts.append(f"run instead of pair by pair: {self.saved}")
        return "; ".join(parts)


class Preview(Record, frozen=True):
    """What would be scored; ``shown`` are the first groups as the model would read them."""

    rows: int
    groups: int
    targets: int
    context: str
    shown: tuple[Group, ...]


def preview(
    suite: Suite,
    model: str | None = None,
    *,
    options: EngineOptions | None = None,
    context: Context | None = None,
    show: int = 3,
) -> Preview:
    """Render a suite without scoring it. With a ``model``, its prompt or language mark is in what is shown."""
    context = with_trained_scheme(context or Context(), model)
    plan = make_plan(suite, context)
    shown = plan.groups[:show]
    if model is not None:
        engine = load_engine(model, _with_languages(options or EngineOptions(), suite))
        if not isinstance(engine, SuiteEngine):
            shown = [msgspec.structs.replace(group, source=engine.render(group)) for group in shown]
            engine.close()
    return Preview(len(plan.places), len(plan.groups), plan.target_count, str(context), tuple(shown))


def score(
    suite: Suite,
    model: str | Engine | SuiteEngine,
    *,
    options: EngineOptions | None = None,
    context: Context | None = None,
    store: Store | None = None,
    system: str | None = None,
    verbose: bool = False,
) -> Scores:
    """Score every row of a suite: negative log-probability, lower is better, with tokens and signature.

    Languages that the options leave open are the suite's. Without a ``store`` nothing is kept.

    >>> import tempfile
    >>> from kontrast.suites.model import Item, Variant
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> made_elsewhere = Path(tempfile.mkdtemp()) / "s.scores"
    >>> _ = made_elsewhere.write_text("1.5\\n2.5\\n")
    >>> score(suite, f"file:{made_elsewhere}").values
    (1.5, 2.5)
    """
    context = with_trained_scheme(context or Context(), model if isinstance(model, str) else None)
    options = _with_languages(options or EngineOptions(), suite)
    engine = load_engine(model, options) if isinstance(model, str) else model
    if isinstance(engine, SuiteEngine):
        return _score_suite(engine, suite, context, system)
    try:
        plan = make_plan(suite, context)
        _check(engine, plan)
        tokens, run = score_plan(engine, plan, store if engine.supports.store else None)
    finally:
        engine.close()
    if verbose:
        print(f"kontrast: {run}", file=sys.stderr)
    sign = -1.0 if engine.supports.lower_is_better else 1.0
    label = _label(engine)
    return Scores(
        system=system or label,
        values=tuple(sign * sum(row.logprobs) for row in tokens),
        lower_is_better=engine.supports.lower_is_better,
        signature=Signature(
            suite=suite.name,
            fingerprint=suite.fingerprint,
            engine=engine.name,
            model=label,
            context=str(context),
            details={**engine.details, "weights": engine.fingerprint[:8]},
        ),
        tokens=tuple(tokens) if engine.supports.tokens else None,
    )


def _score_suite(engine: SuiteEngine, suite: Suite, context: Context, system: str | None) -> Scores:
    if context.span is not None:
        raise KontrastError(f"{engine.name} takes no rendered context; leave --context out")
    scores = engine.score_suite(suite)
    return msgspec.structs.replace(scores, system=system or scores.system)


def score_plan(engine: Engine, plan: Plan, store: Store | None) -> tuple[list[TokenScores], Run]:
    """The scores of a plan's rows in order. What is finished is in the store, whatever happens next."""
    entries = [[Entry(text, t.prefix, t.text) for t in group.targets] for group, text in _rendered(engine, plan)]
    found: Found = {}
    if store is not None:
        store.use(engine.name, _label(engine), engine.fingerprint)
        known = store.find([entry for group in entries for entry in group])
        found = {(i, j): known[e] for i, group in enumerate(entries) for j, e in enumerate(group) if e in known}
    todo = _missing(plan.groups, found)
    stored, start = len(found), time.perf_counter()
    if todo:
        engine.prepare([group for _, _, group in todo])
        with progress("scoring", plan.target_count) as advance:
            advance(stored)
            for finished in _batches(engine, todo):
                found.update(finished)
                if store is not None:
                    store.add((entries[i][j], scores) for (i, j), scores in finished.items())
                advance(len(finished))
    run = Run(
        rows=len(plan.places),
        groups=len(plan.groups),
        targets=plan.target_count,
        stored=stored,
        scored=plan.target_count - stored,
        seconds=time.perf_counter() - start,
        saved=str(getattr(engine, "work", "")),
    )
    return [found[place] for place in plan.places], run


def _label(engine: Engine) -> str:
    """A model's name: as the user wrote it, but only the last part of a path on this machine."""
    path = Path(engine.model)
    return path.resolve().name if path.exists() else engine.model


def _rendered(engine: Engine, plan: Plan) -> Iterator[tuple[Group, str]]:
    for group in plan.groups:
        yield group, engine.render(group)


def _missing(groups: Sequence[Group], found: Found) -> list[tuple[int, list[int], Group]]:
    """Groups with only those targets that are not found yet: (index, indices of their targets, group)."""
    todo = []
    for i, group in enumerate(groups):
        left = [j for j in range(len(group.targets)) if (i, j) not in found]
        if left:
            targets = tuple(group.targets[j] for j in left)
            todo.append((i, left, msgspec.structs.replace(group, targets=targets)))
    return todo


def _batches(engine: Engine, todo: list[tuple[int, list[int], Group]]) -> Iterator[Found]:
    """Finished targets, a few at a time, so that the store is written twice a second and not for every group."""
    pending: Found = {}
    last = time.perf_counter()
    for k, scores in engine.score([group for _, _, group in todo]):
        i, targets, group = todo[k]
        if len(scores) != len(group.targets):
            raise KontrastError(f"{engine.name}:{engine.model} gave {len(scores)} scores for {len(targets)} targets")
        pending.update({(i, j): row for j, row in zip(targets, scores, strict=True)})
        if time.perf_counter() - last > _COMMIT_SECONDS:
            yield pending
            pending, last = {}, time.perf_counter()
    if pending:
        yield pending


def _with_languages(options: EngineOptions, suite: Suite) -> EngineOptions:
    return msgspec.structs.replace(
        options,
        source_language=options.source_language or suite.source_language,
        target_language=options.target_language or suite.target_language,
    )


def _check(engine: Engine, plan: Plan) -> None:
    if not engine.supports.prefix and any(target.prefix for group in plan.groups for target in group.targets):
        raise KontrastError(
            f"{engine.name} cannot force a target prefix: use --side source, or --score-context to score it too"
        )
