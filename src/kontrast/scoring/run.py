"""Score a suite: plan, look into the store, let the engine do the rest, put everything back into rows."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import progress, rate, say
from kontrast.record import Record
from kontrast.scoring import canary, messages
from kontrast.scoring.cluster import engine_for, texts_of
from kontrast.scoring.context import Context, with_trained_scheme
from kontrast.scoring.doubts import token_doubts
from kontrast.scoring.engine import Engine, EngineOptions, Group, SuiteEngine
from kontrast.scoring.engines import engine_package, load_engine
from kontrast.scoring.engines.openai.choosing import UNREAD
from kontrast.scoring.plan import Plan, make_plan, refuse_not_finite
from kontrast.scoring.store import Store, StoreKey, portions
from kontrast.scoring.tables import full_fingerprint
from kontrast.suites.description import left_out, refuse_undecided
from kontrast.suites.model import Scores, Signature, Suite, TokenScores
from kontrast.suites.scores import position_bias

CERTAIN = 1e-3
"""Rounding may lift the log-probability of a target that is certain so far above zero."""
Place = tuple[int, int]
Found = dict[Place, TokenScores]


class Until(Protocol):
    """Scores a suite step by step, until something is decided."""

    @property
    def steps(self) -> Sequence[Sequence[int]]:
        """Rows, in the order in which they are scored; every row once."""
        ...

    def decided(self, step: int, values: dict[int, float]) -> bool:
        """Is it decided after this step? ``values`` has the log-probability of every row scored so far."""
        ...


class ScoringRun(msgspec.Struct, frozen=True):
    """What a run did: rows of the suite, distinct targets, how many came from the store."""

    rows: int
    groups: int
    targets: int
    stored: int
    scored: int
    seconds: float
    times: float | None = None
    """In a trial: how many times as many rows the whole suite has."""

    def __str__(self) -> str:
        pace = f", {rate(self.scored, self.seconds, 'targets')}" if self.scored else ""
        parts = [
            f"{self.rows:,} rows: {self.targets:,} distinct targets of {self.groups:,} sources",
            f"{self.stored:,} from the store, {self.scored:,} scored in {self.seconds:.1f} s{pace}",
        ]
        if self.scored and self.times is not None:
            parts.append(messages.whole_takes(self.seconds * self.targets / self.scored, self.times))
        return "; ".join(parts)


class Preview(Record, frozen=True):
    """What would be scored; ``shown`` are the first groups as the model would read them.

    ``tokens`` has, for each of them, the tokens of the source and of each target, where the engine knows them.
    """

    rows: int
    groups: int
    targets: int
    context: str
    shown: tuple[Group, ...]
    tokens: tuple[tuple[list[str], ...], ...] = ()


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
    engine = None if model is None else load_engine(model, messages.with_languages(options or EngineOptions(), suite))
    if engine is None or isinstance(engine, SuiteEngine):
        plan, shown, tokens = make_plan(suite, context), None, []
    else:
        plan = make_plan(suite, context, apart=engine.supports.rivals)
        messages.say_context(engine, context, plan.amounts)
        shown = [msgspec.structs.replace(group, source=engine.render(group)) for group in plan.groups[:show]]
        tokens = [cut for group in shown if (cut := _cut(engine, group)) is not None]
        engine.close()
    counts = (len(plan.places), len(plan.groups), plan.target_count)
    return Preview(*counts, str(context), tuple(plan.groups[:show] if shown is None else shown), tuple(tokens))


def _cut(engine: Engine, group: Group) -> tuple[list[str], ...] | None:
    """A rendered group as tokens: its source, then each target with its prefix."""
    source = engine.cut(group.source)
    targets = [engine.cut(target.prefix + target.text, "target") for target in group.targets]
    return None if source is None else (source, *(target for target in targets if target is not None))


def score(
    suite: Suite,
    model: str | Engine | SuiteEngine,
    *,
    options: EngineOptions | None = None,
    context: Context | None = None,
    store: Store | None = None,
    verbose: bool = False,
    cluster: tuple[str | None, int | None] = (None, None),
    times: float | None = None,
    until: Until | None = None,
) -> Scores:
    """Score every row of a suite: negative log-probability, lower is better, with tokens and signature.

    Languages that the options leave open are the suite's. Without a ``store`` nothing is kept. ``cluster`` names
    a Ray cluster (``ray`` for this machine, ``ray:ADDRESS``) and how many engines share the work there. In a trial,
    ``times`` is how many times as large the whole suite is. With ``until`` only the rows that it needs are scored,
    and only these have a value.
    """
    refuse_undecided(suite)
    for note in left_out(suite):
        say(f"warning: {note}")
    context = with_trained_scheme(context or Context(), model if isinstance(model, str) else None)
    options = messages.with_languages(options or EngineOptions(), suite)
    engine = engine_for(model, options, *cluster)
    if isinstance(engine, SuiteEngine):
        if until is not None:
            raise KontrastError(f"--until decided: {engine.name} scores a suite as a whole")
        return _score_suite(engine, suite, context, engine_package(model))
    try:
        plan = make_plan(suite, context, apart=engine.supports.rivals)
        _check(engine, plan, suite)
        messages.say_context(engine, context, plan.amounts)
        if plan.target_count >= canary.LONG:
            canary.warn(engine, suite)
        tokens, run, fingerprint = score_plan(engine, plan, store if engine.supports.store else None, until)
        if len(tokens) < len(plan.places):
            assert until is not None
            done = [row for step in until.steps for row in step][: len(tokens)]
            plan = plan.part(sorted(done))
    finally:
        engine.close()
    if verbose:
        say(str(msgspec.structs.replace(run, times=times)))
    counted = {}
    if "mode" in engine.details:  # answers to questions
        counted = messages.votes(plan, tokens, int(engine.details.get("samples", 1)), pairs=engine.supports.rivals)
    sign = -1.0 if engine.supports.lower_is_better else 1.0
    label = messages.label_of(engine)
    made = Scores(
        system=label,
        values=tuple(sign * sum(row.logprobs) for row in tokens),
        lower_is_better=engine.supports.lower_is_better,
        signature=Signature(
            suite=suite.name,
            fingerprint=suite.fingerprint,
            engine=engine.name,
            model=label,
            context=str(context),
            details={
                **engine.details,
                **engine_package(model),
                **messages.amounts(context, plan.amounts),
                **counted,
                "weights": fingerprint[:8],
            },
        ),
        tokens=tuple(tokens) if engine.supports.tokens else None,
        unread=tuple(row.tokens.count(UNREAD) for row in tokens) if "unread" in counted else None,
    )
    if told := position_bias(made):
        say(f"warning: {told}")
    for doubt in token_doubts(suite, made):
        say(f"warning: {doubt}")
    return made


def _score_suite(engine: SuiteEngine, suite: Suite, context: Context, package: dict[str, str]) -> Scores:
    if context.span is not None:
        raise KontrastError(f"{engine.name} does not support context; leave out --context")
    scores = engine.score_suite(suite)
    if len(scores.values) != suite.row_count:
        raise KontrastError(f"{engine.name} gave {len(scores.values)} scores for {suite.row_count} rows")
    refuse_not_finite(suite, engine.name, scores.values)
    scores = msgspec.structs.replace(scores, values=tuple(map(float, scores.values)))  # written as Python writes them
    if package and scores.signature is not None:
        signature = msgspec.structs.replace(scores.signature, details={**scores.signature.details, **package})
        scores = msgspec.structs.replace(scores, signature=signature)
    return scores


def score_plan(
    engine: Engine, plan: Plan, store: Store | None, until: Until | None = None
) -> tuple[list[TokenScores], ScoringRun, str]:
    """The scores of a plan's rows in order, what was done, and the model's fingerprint.

    What is finished is in the store, whatever happens next. Rows that other plans have stored are taken as they are;
    the rest is cut into batches as if none of it were stored, so that a run that goes on after a stop gives the same
    bytes as one that was never stopped. With ``until`` only the rows of the steps that were needed come back.
    """
    identity = engine.identify()
    texts = texts_of(engine, "render", plan.groups)
    rows_of = zip(plan.groups, texts, strict=True)
    entries = [[StoreKey(text, t.prefix, t.text) for t in group.targets] for group, text in rows_of]
    found: Found = {}
    elsewhere: set[Place] = set()
    fingerprint, digest = full_fingerprint(identity), plan.digest
    if until is not None:  # other batches than those of the whole plan
        digest = hashlib.blake2b(digest + msgspec.msgpack.encode(until.steps), digest_size=8).digest()
    if store is not None:
        fingerprint = store.use(engine.name, messages.label_of(engine), identity)
        known = store.find([entry for group in entries for entry in group], TokenScores)
        kept = {(i, j): known[e] for i, group in enumerate(entries) for j, e in enumerate(group) if e in known}
        found = {place: row for place, (row, _) in kept.items()}
        elsewhere = {place for place, (_, made_in) in kept.items() if made_in != digest}
    stored, start = len(found), time.perf_counter()
    steps = [range(len(plan.places))] if until is None else until.steps
    rows: list[int] = []
    todo = _missing(plan.groups, elsewhere)
    groups = [group for _, _, group in todo]
    if stored < plan.target_count:
        engine.prepare(groups)
    with (
        messages.saying_what_is_kept(found, plan.target_count, "targets", stored=store is not None),
        progress("scoring", plan.target_count, status=getattr(engine, "status", None)) as advance,
    ):
        advance(stored)
        for number, step in enumerate(steps):
            rows += step
            own = {plan.places[row][0] for row in step}
            wanted = [each for each in todo if each[0] in own]
            if len(wanted) < len(todo):  # else the very list that was prepared: engines keep what they made of it
                groups = [group for _, _, group in wanted]
            if any((i, j) not in found for i, targets, _ in wanted for j in targets):
                for finished in portions(_finished(engine, plan, wanted, groups, found)):
                    if store is not None:
                        store.add(((entries[i][j], scores) for (i, j), scores in finished.items()), digest)
                    found.update(finished)
                    advance(len(finished))
            if until is not None and until.decided(number, {r: sum(found[plan.places[r]].logprobs) for r in rows}):
                break
    run = ScoringRun(
        rows=len(rows),
        groups=len({plan.places[row][0] for row in rows}),
        targets=len({plan.places[row] for row in rows}),
        stored=stored,
        scored=len(found) - stored,
        seconds=time.perf_counter() - start,
    )
    return [found[plan.places[row]] for row in sorted(rows)], run, fingerprint


def _missing(groups: Sequence[Group], found: set[Place]) -> list[tuple[int, list[int], Group]]:
    """Groups with only those targets that are not found yet: (index, indices of their targets, group)."""
    todo = []
    for i, group in enumerate(groups):
        left = [j for j in range(len(group.targets)) if (i, j) not in found]
        if left:
            targets = tuple(group.targets[j] for j in left)
            todo.append((i, left, msgspec.structs.replace(group, targets=targets)))
    return todo


def _finished(
    engine: Engine, plan: Plan, todo: list[tuple[int, list[int], Group]], groups: list[Group], found: Found
) -> Iterator[Found]:
    """Targets that were not found before, group by group, as the engine finishes them."""
    done = {k for k, (i, targets, _) in enumerate(todo) if all((i, j) in found for j in targets)}
    for k, scores in engine.score(groups, done):
        i, targets, _ = todo[k]
        if len(scores) != len(targets):
            raise KontrastError(f"{_full(engine)} gave {len(scores)} scores for {len(targets)} targets")
        rows = {(i, j): row for j, row in zip(targets, scores, strict=True) if (i, j) not in found}
        yield {place: _checked(row, engine, plan, place) for place, row in rows.items()}


def _checked(row: TokenScores, engine: Engine, plan: Plan, place: Place) -> TokenScores:
    """The row, if it holds finite numbers; an error with the row's name otherwise."""
    if not row.logprobs or len(row.tokens) != len(row.logprobs):
        raise KontrastError(
            f"{plan.name(place)}: {_full(engine)} gave {len(row.logprobs)} log-probabilities for "
            f"{len(row.tokens)} tokens"
        )
    if not math.isfinite(sum(row.logprobs)):
        wrong = next((k for k, value in enumerate(row.logprobs) if not math.isfinite(value)), 0)
        raise KontrastError(
            f"{plan.name(place)}: {_full(engine)} gave {row.logprobs[wrong]} for {row.tokens[wrong][:40]!r}; "
            "expected a finite number"
        )
    if engine.supports.tokens and (total := sum(row.logprobs)) > CERTAIN:
        raise KontrastError(
            f"{plan.name(place)}: {_full(engine)} gave a log-probability of {total:.3g}, a probability above 1; "
            "if a token joins the end of the prompt and the target, end --template with a blank or a new line"
        )
    return row


def _full(engine: Engine) -> str:
    return f"{engine.name}:{messages.label_of(engine)}"


def _check(engine: Engine, plan: Plan, suite: Suite) -> None:
    bare = bool(plan.groups) and not any(group.source for group in plan.groups)
    # A decoder-only model reads a prompt, all others a source apart from its target.
    translates = engine.name == "marian" or (engine.name in ("hf", "ct2") and "prompt" not in engine.details)
    if bare and not suite.extra.get("sources_removed") and translates:
        raise KontrastError(f"the suite has no sources: {_full(engine)} needs a source; use a decoder-only model")
    if not engine.supports.prefix and any(target.prefix for group in plan.groups for target in group.targets):
        raise KontrastError(
            f"{engine.name} cannot force a target prefix: use --side source, or --score-context, which also scores it"
        )
