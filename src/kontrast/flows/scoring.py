"""Score a suite from files or records: its documents' context, the engine's options, the store.

What is kept of earlier runs: look into the store, export it, forget parts of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import msgspec

from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite, part_of, times_longer
from kontrast.options import keywords, part
from kontrast.record import Record
from kontrast.scoring.context import Context, parse_context, sides_of
from kontrast.scoring.engine import Engine, EngineOptions, SuiteEngine
from kontrast.scoring.options import Score, Translate, asked
from kontrast.scoring.run import Preview
from kontrast.scoring.schemes import Scheme, load_scheme
from kontrast.scoring.store import ModelUse, Pruned, Store, open_existing
from kontrast.scoring.template import read_examples
from kontrast.suites.model import Scores, Signature, Suite

if TYPE_CHECKING:
    from kontrast.flows.until import UntilDecided

S = TypeVar("S", Signature, Signature | None)


@keywords(Score)
def score(
    suite: SuiteLike, model: str | Engine | SuiteEngine, *, verbose: bool = False, **options: Unpack[Score]
) -> Scores:
    """Score every row of a suite, as `kontrast score` does: negative log-probability, lower is better.

    ``context`` is ``"prev:1"`` and the like, or a `Context`. ``store`` is a `Store`, its file, or True for the one
    that the command uses; without it scores are not stored. With ``own`` the target context is the model's own
    translation: documents are first translated from their beginning (see `kontrast.translate`). ``on`` is ``"ray"``
    or ``"ray:ADDRESS"``, where ``workers`` engines share the work. ``limit`` scores this number of items, for a first
    trial: the items of ``SUITE?limit=N``. ``until="decided"`` scores documents in random order until the gate in
    ``config``, or the comparison ``against`` other scores, is decided (``.stopped`` of the scores). ``tokenisations``
    reports how many decisions change in this number of other tokenisations (``flips`` in the signature). All other
    options have the same names as in the command.

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

    how = asked(Score, options, score)
    whole = as_suite(suite, how["format"])
    chosen = part_of(whole, how["limit"], how["seed"])
    loaded, context, engine_options = prepared(chosen, how)
    steps = _steps(chosen, how)
    with opened_store(how["store"]) as store:
        if how["own"]:
            context = _rolled_out(chosen, model, context, store, verbose, how)
        made = room.score(
            loaded,
            model,
            options=engine_options,
            context=context,
            store=store,
            verbose=verbose,
            cluster=(how["on"], how["workers"]),
            times=times_longer(whole, chosen),
            until=steps,
        )
    named = {"system": how["system"] or made.system, "signature": signed_for(chosen, loaded, made.signature)}
    made = msgspec.structs.replace(made, **named)
    if how["tokenisations"] is not None:
        if len(made.values) != chosen.row_count:
            raise KontrastError("--tokenisations cannot be combined with --until")
        from kontrast.flows.tokenisations import with_flips

        made = with_flips(loaded, model, made, engine_options, context, how["tokenisations"], how["seed"])
    return made if steps is None else msgspec.structs.replace(made, stopped=steps.stopped(made))


def _steps(suite: Suite, how: Score) -> UntilDecided | None:
    if how["until"] is None:
        if how["against"] is not None:
            raise KontrastError("--against needs --until decided; to compare complete scores use kontrast compare")
        return None
    from kontrast.flows.until import until_decided

    return until_decided(suite, how["until"], how["config"], how["against"], how["seed"])


def signed_for(suite: Suite, read: Suite, signature: S) -> S:
    """The signature of the suite as the user names it; the text that documents added to it is a part of its own."""
    if signature is None or read is suite:
        return signature
    details = {**signature.details, "documents": read.fingerprint[:8]}
    return msgspec.structs.replace(signature, fingerprint=suite.fingerprint, details=details)


@keywords(Score)
def preview(suite: SuiteLike, model: str | None = None, *, show: int = 3, **options: Unpack[Score]) -> Preview:
    """Show the input of the model without scoring, as `kontrast score --dry-run` does.

    >>> import kontrast
    >>> kontrast.preview("demo:fr", context="prev:1", side="source").context
    'prev:1,source,space'
    """
    from kontrast.scoring import run as room

    how = asked(Score, options, preview)
    loaded = part_of(as_suite(suite, how["format"]), how["limit"], how["seed"])
    loaded, context, engine_options = prepared(loaded, how)
    return room.preview(loaded, model, options=engine_options, context=context, show=show)


def prepared(suite: Suite, how: Score) -> tuple[Suite, Context, EngineOptions]:
    """The suite with its documents' context, how that is rendered, and the engine's options.

    Where nobody says which side, and the suite has context of the source alone (a table's), it is the source's.
    """
    context, options = asked_context(how), asked_options(how)
    if how["documents"]:
        suite = _with_documents(suite, how["documents"], options, context)
    said = isinstance(how["context"], Context) or how["side"] or how["own_output"] or how["own"]
    if context.span is not None and not said and context.side == "both" and sides_of(suite) == {"source"}:
        print(f"kontrast: {suite.name} has no target context: --side source is used", file=sys.stderr)
        context = msgspec.structs.replace(context, side="source")
    return suite, context, options


def asked_context(how: Score | Translate) -> Context:
    """What `--context` and its companions mean."""
    if isinstance(how["context"], Context):
        return how["context"]
    scheme = how["scheme"]
    own_output = how.get("own_output")
    named = isinstance(scheme, str)
    return parse_context(
        how["context"] or "none",
        side=how["side"],
        scheme=scheme if isinstance(scheme, Scheme) else load_scheme(scheme or "space", how["config"]),
        scheme_name=scheme if named else ("own" if scheme is not None else ""),
        control=how["control"],
        seed=how["seed"],
        outputs=str(own_output) if own_output else None,
        scored=bool(how.get("score_context")),
    )


def asked_options(how: Score | Translate) -> EngineOptions:
    """The engine's options as a record."""
    given: dict[str, Any] = {name: how[name] for name in EngineOptions.__struct_fields__}  # type: ignore[literal-required]
    extra = dict(how["extra"])
    for name in ("mode", "max_tokens", "samples"):
        if "mode" in how and (value := how.get(name)) is not None:
            extra[name] = str(value)
    if how["shots"] is not None and how["examples"] is None:
        raise KontrastError(f"--shots {how['shots']}: there are no examples; give --examples FILE")
    examples = () if how["examples"] is None else read_examples(how["examples"], how["shots"])
    return EngineOptions(**given | {"extra": extra, "examples": examples})


def _with_documents(suite: Suite, folder: str | Path, options: EngineOptions, context: Context) -> Suite:
    from kontrast.suites.extraction import with_documents

    if context.span is None:
        raise KontrastError("--documents needs --context prev:N")
    pair = options.source_language, options.target_language
    return with_documents(suite, folder, context.span, *pair, check=context.side != "source")


def _rolled_out(
    suite: Suite,
    model: str | Engine | SuiteEngine,
    context: Context,
    store: Store | None,
    verbose: bool,
    how: Score,
) -> Context:
    """The context with the system's own translations as its target side."""
    from kontrast.flows.translation import translate

    if not isinstance(model, str):
        raise KontrastError("score(own=True): give the model by its name, ENGINE:NAME")
    if context.outputs or context.scored:
        raise KontrastError("--own produces the system's output itself; leave out --own-output and --score-context")
    same = {**how, "context": context, "store": store, "limit": None, "side": None, "seed": None, "system": None}
    made = translate(suite, model, verbose=verbose, **part(Translate, same))
    search = {key: made.signature.details[key] for key in ("beams", "max") if key in made.signature.details}
    told = "+".join(f"{key}{value}" for key, value in search.items())
    return msgspec.structs.replace(context, own=True, made=made.before, rollout=told)


@contextmanager
def opened_store(store: Store | str | Path | bool | None) -> Iterator[Store | None]:
    """The store that is given, at a place, or (True) where the commands keep theirs."""
    if store is None or store is False or isinstance(store, Store):
        yield store or None
        return
    opened = Store(None if store is True else store)
    try:
        yield opened
    finally:
        opened.close()


class StoreInfo(Record, frozen=True):
    """The path of the store, its size, and the rows of each model."""

    path: str
    bytes: int
    models: list[ModelUse]


def store_info(store: Store | str | Path | None = None) -> StoreInfo:
    """The number of rows of each model, as `kontrast store info` shows it.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.store_info(kontrast.Store(Path(tempfile.mkdtemp()) / "scores.sqlite")).models
    []
    """
    opened = _open(store)
    return StoreInfo(str(opened.path), opened.path.stat().st_size, opened.info())


def store_export(store: Store | str | Path | None = None, *, model: str | None = None) -> Iterator[dict[str, Any]]:
    """Every stored row, or those of one model, as `kontrast store export` writes them.

    >>> import tempfile
    >>> import kontrast
    >>> store = kontrast.Store(Path(tempfile.mkdtemp()) / "scores.sqlite")
    >>> [(row["model"], row["target"]) for row in kontrast.store_export(store)]
    []
    """
    return _holding(store, model).export(model)


def store_prune(
    store: Store | str | Path | None = None, *, model: str | None = None, unused: float | None = None
) -> Pruned:
    """Delete the rows of a model, or rows that were not used for some days, as `kontrast store prune` does.

    >>> import tempfile
    >>> import kontrast
    >>> store = kontrast.Store(Path(tempfile.mkdtemp()) / "scores.sqlite")
    >>> kontrast.store_prune(store, unused=90).rows
    0
    """
    return _holding(store, model).prune(model=model, unused_days=unused)


def _open(store: Store | str | Path | None) -> Store:
    return store if isinstance(store, Store) else open_existing(store)


def _holding(store: Store | str | Path | None, model: str | None) -> Store:
    """The store, which must know the model if one is named."""
    opened = _open(store)
    known = opened.info()
    if model is not None and not any(m.name == model or m.fingerprint.startswith(model) for m in known):
        there = ", ".join(dict.fromkeys(m.name for m in known)) or "none"
        raise KontrastError(f"{opened.path} has no model {model!r}; it has {there}")
    return opened
