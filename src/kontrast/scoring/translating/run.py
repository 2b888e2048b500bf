"""Translate a suite: choose the mode, ask, and say what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import say
from kontrast.scoring import canary
from kontrast.scoring.cluster import engine_for
from kontrast.scoring.context import Context, with_trained_scheme
from kontrast.scoring.engine import Engine, EngineOptions, SuiteEngine
from kontrast.scoring.messages import amounts, label_of, say_context, with_languages
from kontrast.scoring.options import Translate
from kontrast.scoring.store import Store
from kontrast.scoring.translating import cleaning
from kontrast.scoring.translating.modes import Asking, DocumentPart, Line, Place, roll_out, sentences, windows
from kontrast.scoring.translating.result import Translations
from kontrast.scoring.translator import Decoding
from kontrast.suites.model import Item, Signature, Suite

DocumentOf = Callable[[Item], tuple[Sequence[str], int]]
"""The lines of an item's document, and the item's place among them."""
_SHOWN = 5


def translate(
    suite: Suite,
    model: str | Engine,
    how: Translate,
    *,
    options: EngineOptions,
    context: Context,
    document_of: DocumentOf | None = None,
    store: Store | None = None,
    times: float | None = None,
    verbose: bool = False,
) -> Translations:
    """One translation per item. ``own`` rolls documents out, ``window`` translates so many sentences at once.

    Documents are those that ``document_of`` gives, else what the items know of the sentences before them. ``clean``
    removes what a prompted model says around a translation (None: where the engine is prompted). In a trial,
    ``times`` is how many times as large the whole suite is.
    """
    own, window, clean = how["own"], how["window"], how["clean"]
    decoding = Decoding(**{name: how[name] for name in Decoding.__struct_fields__})  # type: ignore[literal-required]
    decoding.check()
    context = with_trained_scheme(context, model if isinstance(model, str) else None)
    engine = engine_for(model, with_languages(options, suite), how["on"], how["workers"])
    if isinstance(engine, SuiteEngine):
        raise KontrastError(f"--model {engine.name}: {engine.name} scores and does not translate")
    cleaned = engine.supports.prompted if clean is None else clean
    kept = context if not own else msgspec.structs.replace(context, own=True)
    try:
        if suite.row_count >= canary.LONG:
            canary.warn(engine, suite, decoding)
        ask = Asking(engine, decoding, store, cleaning=cleaned)
        found: dict[int, int] = {}
        aligned: Counter[str] = Counter()
        if window is not None:
            if own or context.span is not None:
                raise KontrastError("--window also translates the context; leave out --context and --own")
            passages, places = _passages(suite, document_of)
            lines, cut = windows(passages, places, window, context, ask, ends_at=document_of is None)
            aligned.update(each.how for each in cut)
            aligned.update({"merged": sum(c.merged for c in cut), "empty": sum(c.empty for c in cut)})
        elif own:
            passages, places = _passages(suite, document_of)
            say_context(engine, context, {})
            lines = roll_out(passages, places, context, ask)
        else:
            lines, found = sentences(suite, context, ask)
            say_context(engine, context, found)
        aligned.update(line.how for line in lines if line.how and window is None)
    finally:
        engine.close()
    if verbose:
        ask.tell(times)
    details = {**engine.details, **amounts(context, found), "weights": ask.fingerprint[:8]}
    if window is not None:
        details["window"] = f"{window},{context.scheme_name or 'space'}"
    if own or window is not None:
        details["from"] = "documents" if document_of is not None else "items"
    if cleaned:
        details["clean"] = f"v{cleaning.VERSION}"
    copies = sum(bool(i.source.strip()) and i.source == line.text for i, line in zip(suite.items, lines, strict=True))
    if 2 * copies > len(lines):
        say(
            f"warning: {copies:,} of {len(lines):,} translations are equal to their source: check the target language"
        )
    made = _result(suite, lines, how["system"] or label_of(engine), own)
    signature = Signature(
        suite=suite.name,
        fingerprint=suite.fingerprint,
        engine=engine.name,
        model=label_of(engine),
        context=str(kept),
        details=details,
    )
    counts = {name: number for name, number in sorted(aligned.items()) if number}
    made = msgspec.structs.replace(
        made, signature=signature, removed=dict(sorted(ask.removed.items())), aligned=counts
    )
    _warn(made)
    return made


def _passages(suite: Suite, document_of: DocumentOf | None) -> tuple[list[DocumentPart], list[Place]]:
    """Documents as they are, each once; without documents, every item with what stands before it."""
    if document_of is None:
        if not any(item.source_context for item in suite.items):
            raise KontrastError(f"{suite.name} has no source context: give --documents DIR")
        passages = [DocumentPart((*(item.source_context or ()), item.source)) for item in suite.items]
        return passages, [Place(k, len(p.sentences) - 1, p.sentences[-1]) for k, p in enumerate(passages)]
    known: dict[str, int] = {}
    found: list[DocumentPart] = []
    places = []
    for item in suite.items:
        lines, number = document_of(item)
        document = item.document or item.id
        if document not in known:
            known[document] = len(found)
            found.append(DocumentPart(tuple(lines)))
        places.append(Place(known[document], number, item.source))
    return found, places


def _result(suite: Suite, lines: Sequence[Line], system: str, own: bool) -> Translations:
    def having(rule: str) -> tuple[str, ...]:
        return tuple(item.id for item, line in zip(suite.items, lines, strict=True) if rule in line.answer.removed)

    return Translations(
        system=system,
        texts=tuple(line.text for line in lines),
        signature=Signature(),
        items=tuple(item.id for item in suite.items),
        cut=tuple(item.id for item, line in zip(suite.items, lines, strict=True) if line.answer.said.cut),
        refused=having(cleaning.REFUSED),
        unsure=having(cleaning.UNSURE),
        said=tuple(line.answer.said.text for line in lines),
        before=tuple(line.before for line in lines) if own else (),
    )


def _warn(made: Translations) -> None:
    """What the reader of the file must know: translations cut off, refused, doubtful or blank; what was removed."""
    blank = [item for item, text in zip(made.items, made.texts, strict=True) if not text and item not in made.refused]
    for items, what in (
        (made.cut, "were cut off at the length limit{}: raise --max-length"),
        (made.refused, "are blank, because the model refused to translate{}"),
        (made.unsure, "may contain more than a translation{}: see --details, or change the prompt (--template)"),
        (blank, "are blank{}"),
    ):
        if items:
            some = ", ".join(items[:_SHOWN]) + (" …" if len(items) > _SHOWN else "")
            say(f"warning: {len(items):,} translations " + what.format(f" ({some})"))
    removed = {rule: count for rule, count in made.removed.items() if rule not in (cleaning.REFUSED, cleaning.UNSURE)}
    if removed:
        told = ", ".join(f"{rule} {count:,}" for rule, count in removed.items())
        say(f"removed around translations: {told}")
    if made.aligned:
        say("cut apart: " + ", ".join(f"{how} {count:,}" for how, count in made.aligned.items()))
