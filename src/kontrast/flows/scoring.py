"""Score a suite from files or records: its documents' context, the engine's options, the store."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, cast

import msgspec

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import ScoresLike, SuiteLike, as_suite, refuse_unknown
from kontrast.flows.trial import part_of, times_longer
from kontrast.scoring.context import Context, Control, Side, parse_context, sides_of
from kontrast.scoring.engine import Engine, EngineOptions, SuiteEngine
from kontrast.scoring.run import Preview
from kontrast.scoring.schemes import Scheme, load_scheme
from kontrast.scoring.store import Store
from kontrast.scoring.template import template_text
from kontrast.suites.model import Scores, Signature, Suite

if TYPE_CHECKING:
    from kontrast.flows.until import UntilDecided
    from kontrast.suites.documents import Documents

__all__ = [
    "Asked",
    "Scoring",
    "asked_context",
    "asked_options",
    "open_store",
    "prepared",
    "preview",
    "score",
    "signed_for",
    "told_differing",
]

_NOT_WRITTEN = ("side", "seed", "own_output", "mode", "max_tokens", "samples")
"""What is not for the translation of the context."""
S = TypeVar("S", Signature, Signature | None)


class Scoring(TypedDict, total=False):
    """How to score, under the names of `kontrast score`'s options; see docs/scoring.md."""

    side: Side | None
    scheme: str | Scheme | None
    config: str | Path | None
    seed: int
    own_output: str | Path | None
    score_context: bool
    documents: str | Path | None
    source_language: str | None
    target_language: str | None
    device: str
    dtype: str
    batch_tokens: int
    threads: int | None
    template: str | None
    share: bool
    softmax_pad: bool | None
    mode: str | None
    extra: Mapping[str, str]
    options: EngineOptions | None


class Asked(Scoring, total=False):
    """And a wrong context instead of the right one."""

    control: Control | None


class Questioning(Asked, total=False):
    """And how a prompted model is asked."""

    max_tokens: int | None
    samples: int | None
    examples: str | Path | Sequence[tuple[str, str]] | None
    shots: int | None


def score(
    suite: SuiteLike,
    model: str | Engine | SuiteEngine,
    *,
    context: str | Context | None = None,
    own: bool = False,
    store: Store | str | Path | bool | None = None,
    system: str | None = None,
    format: str | None = None,
    verbose: bool = False,
    on: str | None = None,
    workers: int | None = None,
    limit: int | None = None,
    until: str | None = None,
    against: ScoresLike | None = None,
    tokenisations: int | None = None,
    **asked: Unpack[Questioning],
) -> Scores:
    """Score every row of a suite, as `kontrast score` does: negative log-probability, lower is better.

    ``context`` is ``"prev:1"`` and the like, or a `Context`. ``store`` is a `Store`, its file, or True for the one
    that the command uses; without it nothing is kept. With ``own`` the target context is what the model itself
    writes: documents are translated from their beginning first (see `kontrast.translate`). ``on`` is ``"ray"`` or
    ``"ray:ADDRESS"``, where ``workers`` engines share the work. ``limit`` scores so many items, as a first
    trial: they are those of ``SUITE?limit=N``. ``until="decided"`` scores documents in random order until the gate
    in ``config``, or the comparison ``against`` other scores, is decided (``.stopped`` of the scores).
    ``tokenisations`` says how many decisions turn round in so many other cuts of the texts into tokens (``flips``
    in the signature). Everything else has the name of the command's option.

    >>> import tempfile
    >>> import kontrast
    >>> from kontrast import Item, Suite, Variant
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> made_elsewhere = Path(tempfile.mkdtemp()) / "s.scores"
    >>> _ = made_elsewhere.write_text("1.5\\n2.5\\n")
    >>> kontrast.score(suite, f"file:{made_elsewhere}").values
    (1.5, 2.5)
    """
    from kontrast.scoring import run as room

    refuse_unknown(asked, Questioning, score)
    whole = as_suite(suite, format)
    part = part_of(whole, limit, asked.get("seed", SEED))
    loaded, chosen, options = prepared(part, context, format, asked, own=own)
    steps = _steps(part, until, against, asked)
    opened = open_store(store)
    try:
        if own:
            chosen = _rolled_out(part, model, chosen, opened, format, verbose, (on, workers), asked)
        made = room.score(
            loaded,
            model,
            options=options,
            context=chosen,
            store=opened,
            system=system,
            verbose=verbose,
            on=on,
            workers=workers,
            times=times_longer(whole, part),
            until=steps,
        )
    finally:
        if opened is not None and opened is not store:
            opened.close()
    made = msgspec.structs.replace(made, signature=signed_for(part, loaded, made.signature))
    if tokenisations is not None:
        made = _with_flips(part, loaded, model, made, options, chosen, tokenisations, asked.get("seed", SEED))
    return made if steps is None else msgspec.structs.replace(made, stopped=steps.stopped(made))


def _with_flips(
    suite: Suite,
    read: Suite,
    model: str | Engine | SuiteEngine,
    made: Scores,
    options: EngineOptions,
    context: Context,
    count: int,
    seed: int,
) -> Scores:
    """The scores with ``flips`` in their signature; the result is told."""
    from kontrast.flows.tokenisations import flips_of

    if len(made.values) != suite.row_count:
        raise KontrastError("--tokenisations: score the whole suite, without --until")
    found = flips_of(read, model, made, options, context, count, seed)
    print(f"kontrast: {found}", file=sys.stderr)
    for item in found.items[:5]:
        print(f"kontrast: turned round by another cut: item {item}", file=sys.stderr)
    assert made.signature is not None
    details = {**made.signature.details, "flips": f"{found.any}/{found.decisions}x{count}"}
    return msgspec.structs.replace(made, signature=msgspec.structs.replace(made.signature, details=details))


def _steps(suite: Suite, until: str | None, against: ScoresLike | None, asked: Asked) -> UntilDecided | None:
    if until is None:
        if against is not None:
            raise KontrastError("--against is for --until decided; kontrast compare compares whole scores")
        return None
    from kontrast.flows.until import until_decided

    return until_decided(suite, until, asked.get("config"), against, asked.get("seed", SEED))


def signed_for(suite: Suite, read: Suite, signature: S) -> S:
    """The signature of the suite as the user names it; the text that documents added to it is a part of its own."""
    if signature is None or read is suite:
        return signature
    details = {**signature.details, "documents": read.fingerprint[:8]}
    return msgspec.structs.replace(signature, fingerprint=suite.fingerprint, details=details)


def preview(
    suite: SuiteLike,
    model: str | None = None,
    *,
    context: str | Context | None = None,
    show: int = 3,
    format: str | None = None,
    **asked: Unpack[Questioning],
) -> Preview:
    """What would be scored, as `kontrast score --dry-run` shows it.

    >>> import kontrast
    >>> kontrast.preview("demo:fr", context="prev:1", side="source").context
    'prev:1,source,space'
    """
    from kontrast.scoring import run as room

    refuse_unknown(asked, Questioning, preview)
    loaded, chosen, options = prepared(suite, context, format, asked)
    return room.preview(loaded, model, options=options, context=chosen, show=show)


def prepared(
    suite: SuiteLike, context: str | Context | None, format: str | None, asked: Asked, own: bool = False
) -> tuple[Suite, Context, EngineOptions]:
    """The suite with its documents' context, how that is rendered, and the engine's options.

    Where nobody says which side, and the suite has context of the source alone (a table's), it is the source's.
    """
    loaded = as_suite(suite, format)
    chosen = context if isinstance(context, Context) else asked_context(context or "none", asked)
    options = asked_options(asked)
    if asked.get("documents"):
        loaded = _with_documents(loaded, asked["documents"], options, chosen)
    said = isinstance(context, Context) or asked.get("side") or asked.get("own_output") or own
    if chosen.span is not None and not said and chosen.side == "both" and sides_of(loaded) == {"source"}:
        print(f"kontrast: {loaded.name} has no target context: --side source is used", file=sys.stderr)
        chosen = msgspec.structs.replace(chosen, side="source")
    return loaded, chosen, options


def asked_context(text: str, asked: Asked) -> Context:
    """What `--context` and its companions mean."""
    scheme = asked.get("scheme")
    own_output = asked.get("own_output")
    named = isinstance(scheme, str)
    return parse_context(
        text,
        side=asked.get("side"),
        scheme=scheme if isinstance(scheme, Scheme) else load_scheme(scheme or "space", asked.get("config")),
        scheme_name=scheme if named else ("own" if scheme is not None else ""),
        control=asked.get("control"),
        seed=asked.get("seed", SEED),
        outputs=str(own_output) if own_output else None,
        scored=asked.get("score_context", False),
    )


def asked_options(asked: Asked) -> EngineOptions:
    """The engine's options: those given one by one over those given as a record."""
    base = asked.get("options") or EngineOptions()
    given: dict[str, Any] = {name: asked[name] for name in base.__struct_fields__ if name in asked}  # type: ignore[literal-required]
    extra = {**base.extra, **given.pop("extra", {})}
    if str(given.get("template") or "").startswith("@"):
        given["template"] = template_text(given["template"])
    for name in ("mode", "max_tokens", "samples"):
        if (value := asked.get(name)) is not None:
            extra[name] = str(value)
    if (examples := given.pop("examples", None)) is not None:
        from kontrast.flows.translation import read_examples

        given["examples"] = read_examples(examples, cast(Questioning, asked).get("shots"))
    return msgspec.structs.replace(base, extra=extra, **given)


def _with_documents(suite: Suite, folder: str | Path | None, options: EngineOptions, context: Context) -> Suite:
    from kontrast.suites.documents import Documents
    from kontrast.suites.extraction import with_context
    from kontrast.suites.layouts import first_segment

    assert folder is not None
    if context.span is None:
        raise KontrastError("--documents: say how much context with --context prev:N")
    first = first_segment(suite, options.target_language)
    source = options.source_language or suite.source_language or "en"
    target = options.target_language or suite.target_language or ("de" if first else "fr")
    documents = Documents(folder, source, target)
    told_differing(suite, documents, first, target=context.side != "source")
    return with_context(suite, documents, context.span, first_segment=first)


def told_differing(suite: Suite, documents: Documents, first: int, *, target: bool = False) -> None:
    """Warn where sources, and with ``target`` correct variants, are not the line of their document.

    Their context is then another sentence's, or has the sentence itself.
    """
    from kontrast.suites.extraction import check_segments, check_targets

    if differing := check_segments(suite, documents, first):
        told = f"{differing} of {len(suite.items)} sources are not the line that their document has at their segment"
        print(f"kontrast: warning: {told}: is their context the right one?", file=sys.stderr)
    if target and (differing := check_targets(suite, documents, first)):
        told = f"{differing} of {len(suite.items)} correct variants are not the line of the target's document"
        print(f"kontrast: warning: {told}: is the target context the right one?", file=sys.stderr)


def _rolled_out(
    suite: SuiteLike,
    model: str | Engine | SuiteEngine,
    context: Context,
    store: Store | None,
    format: str | None,
    verbose: bool,
    where: tuple[str | None, int | None],
    asked: Asked,
) -> Context:
    """The context with the system's own translations as its target side."""
    from kontrast.flows.translation import translate

    if not isinstance(model, str):
        raise KontrastError("score(own=True): give the model by its name, ENGINE:NAME")
    if context.outputs or context.scored:
        raise KontrastError("--own makes the system's output itself: leave out --own-output and --score-context")
    known = {name: value for name, value in asked.items() if name not in _NOT_WRITTEN}
    made = translate(
        suite,
        model,
        context=context,
        own=True,
        store=store,
        format=format,
        verbose=verbose,
        on=where[0],
        workers=where[1],
        **known,  # type: ignore[arg-type]
    )
    search = {key: made.signature.details[key] for key in ("beams", "max") if key in made.signature.details}
    told = "+".join(f"{key}{value}" for key, value in search.items())
    return msgspec.structs.replace(context, own=True, made=made.before, rollout=told)


def open_store(store: Store | str | Path | bool | None) -> Store | None:
    """The store that is given, at a place, or (True) where the commands keep theirs."""
    if store is None or store is False or isinstance(store, Store):
        return store or None
    return Store(None if store is True else store)
