"""Further questions: agreement, adjudication, authoring, exports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast
from urllib.parse import quote

import msgspec
import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from kontrast.errors import KontrastError
from kontrast.review import drafts
from kontrast.review.app import Decided, reader_of
from kontrast.review.drafts import Draft, pasted
from kontrast.review.export import formats_for, zipped
from kontrast.review.index import FINAL
from kontrast.review.marks import changed, shown
from kontrast.review.outcome import Undecided, agreed, disputed, tally
from kontrast.review.session import Review


def _agreement(session: Review, request: Request, _: Any) -> Any:
    """Counts and coefficients only: nobody sees another reader's decision here."""
    reader_of(session, request)
    names = session.store.annotators()
    return {
        "readers": [{"name": name, "counts": session.store.index.counts(number)} for number, name in names.items()],
        "adjudicated": sum(session.store.index.counts(FINAL).values()) - session.store.index.counts(FINAL)["open"],
        "agreement": agreed(session.store) if len(names) > 1 else None,
        "disputed": len(disputed(session.store)),
    }


def _disputes(session: Review, request: Request, _: Any) -> Any:
    """The next dispute after a key, and how many there are. What a reader has not decided stays hidden from them."""
    reader = reader_of(session, request)
    own = session.store.index.of(reader)
    readers = session.store.annotators()
    differ = disputed(session.store)
    hides = own[differ] == 0 if reader in readers else np.zeros(len(differ), np.bool_)
    waiting, hidden = differ[~hides].tolist(), int(hides.sum())
    settled_count = int((session.store.index.of(FINAL) != 0).sum())
    key = request.query_params.get("key")
    wanted = session.store.index.number.get(key or "", -1)
    at = waiting.index(wanted) if wanted in waiting else 0
    answer: dict[str, Any] = {"total": len(waiting), "hidden": hidden, "settled": settled_count, "card": None}
    if waiting:
        entry = waiting[at]
        decisions = [made for a in readers if (made := session.store.current(entry, a))]
        item = session.store.entry(entry)
        keys = session.store.index.keys
        # Readers are numbered, not named: a name should not decide.
        said = [
            {"reader": i, "status": d.status, "text": d.text, "reason": d.reason, "note": d.note}
            | ({"pieces": changed(item.item.best.text, d.text)[1]} if d.text else {})
            for i, d in enumerate(decisions, start=1)
        ]
        answer |= {
            "place": at + 1,
            "said": said,
            "card": shown(item) | {"number": entry, "place": at + 1, "total": len(waiting), "own": None},
            "previous": keys[waiting[at - 1]] if at else None,
            "next": keys[waiting[at + 1]] if at + 1 < len(waiting) else None,
        }
    return answer


def _adjudicate(session: Review, request: Request, sent: Decided) -> Any:
    reader, number = reader_of(session, request), session.number(sent.key)
    if sum(bool(session.store.index.of(a)[number]) for a in session.store.annotators()) < 2:
        raise KontrastError("fewer than two annotators have decided this entry, so there is nothing to adjudicate")
    said = {k: v for k, v in msgspec.structs.asdict(sent).items() if k not in ("key", "verb")}
    return {"decision": session.decide(number, FINAL, sent.verb, made_by=reader, **said)}


def _summary(session: Review, request: Request, _: Any) -> Any:
    counts, items = tally(session.store)
    return {
        "formats": formats_for(),
        "suggested": next((s.style for s in session.headers.values() if s.style in formats_for()), "native"),
        "tally": counts,
        "items": items,
        "whole": session.texts.source is not None and session.texts.reference is not None,
        "name": session.store.get("name"),
    }


class _Kept(msgspec.Struct):
    """An item of the form; ``key`` where it changes one that is there."""

    draft: Draft
    key: str | None = None


class _Table(msgspec.Struct):
    text: str


class _Rows(msgspec.Struct):
    drafts: list[Draft]


class _Key(msgspec.Struct):
    key: str


def _form(session: Review, request: Request, _: Any) -> Any:
    return drafts.form(session, request.query_params.get("key", ""))


def _lint(session: Review, request: Request, sent: _Kept) -> Any:
    return drafts.checked(session, sent.draft, sent.key)


def _keep(session: Review, request: Request, sent: _Kept) -> Any:
    return {"keys": drafts.keep(session, [sent.draft], reader_of(session, request), sent.key)}


def _paste(session: Review, request: Request, sent: _Table) -> Any:
    return [{"draft": draft, "findings": drafts.checked(session, draft)} for draft in pasted(sent.text)]


def _add(session: Review, request: Request, sent: _Rows) -> Any:
    return {"keys": drafts.keep(session, sent.drafts, reader_of(session, request))}


def _remove(session: Review, request: Request, sent: _Key) -> Any:
    drafts.remove(session, sent.key)
    return {}


ROUTES: tuple[tuple[Any, ...], ...] = (
    ("agreement", _agreement),
    ("disputes", _disputes),
    ("adjudicate", _adjudicate, Decided),
    ("summary", _summary),
    ("form", _form),
    ("lint", _lint, _Kept),
    ("keep", _keep, _Kept),
    ("paste", _paste, _Table),
    ("add", _add, _Rows),
    ("remove", _remove, _Key),
)


async def _export(request: Request) -> Response:
    session: Review = request.app.state.session
    to = request.query_params.get("to", "native")
    undecided = request.query_params.get("undecided", "drop")
    if to not in formats_for() or undecided not in ("drop", "keep"):
        return PlainTextResponse("no such format\n", 422)
    try:
        archive, _ = await run_in_threadpool(zipped, session, to, cast(Undecided, undecided))
    except KontrastError as error:
        return PlainTextResponse(f"{error}\n", 422)
    name = quote(f"{session.store.get('name')}-reviewed.zip", safe="")
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    return Response(archive, media_type="application/zip", headers=headers)


DOWNLOADS: dict[str, Callable[[Request], Awaitable[Response]]] = {"/api/export": _export}
