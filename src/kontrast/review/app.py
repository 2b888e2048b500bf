"""The web application: pages, and the questions that they ask. Every answer is JSON; every text is only text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import resources
from typing import Any
from urllib.parse import parse_qs, unquote

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kontrast.errors import KontrastError
from kontrast.reporting.render.html import style_sheet
from kontrast.review.guard import Guard, Keys, network_of
from kontrast.review.index import ORDERS, STATUS, Filter
from kontrast.review.marks import around, changed
from kontrast.review.other_forms import other_forms
from kontrast.review.session import PAGE, Review
from kontrast.review.store import ConflictError, Verb

SHOWN = ("", "wrong", "right", "flip", "any", "all")
VIEWS = ("items", "agreement", "adjudicate", "author", "export", "explore")
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}

Answer = Callable[[Review, Request, Any], Any]


class Decided(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends when a key is pressed."""

    key: str
    verb: Verb
    seen: int | None = None
    text: str | None = None
    reason: str = ""
    note: str = ""
    seconds: float | None = None


class _Name(msgspec.Struct):
    name: str


def application(session: Review, keys: Keys, hosts: list[str], *, any_address: bool = False) -> Starlette:
    """The application for a session; ``hosts`` are the names that the server answers to."""
    from kontrast.review import routes

    answers: list[Route] = [
        *(json_route(*route) for route in _ROUTES),
        *(json_route(*route) for route in routes.ROUTES),
        *(Route(path, function) for path, function in routes.DOWNLOADS.items()),
    ]
    pages = [Route(path, _page) for path in ("/", *(f"/{view}" for view in VIEWS), "/item/{key:path}")]
    app = Starlette(
        routes=[
            *answers,
            *pages,
            Route("/login", _login, methods=["POST"]),
            Route("/static/{name}", _static),
        ],
        middleware=[Middleware(Guard, keys=keys, hosts=hosts, any_address=any_address)],
    )
    app.state.session, app.state.keys, app.state.turns = session, keys, {}
    return app


def json_route(path: str, answer: Answer, body: type | None = None) -> Route:
    """A question and its answer: errors that the user can do something about become a message."""

    async def respond(request: Request) -> Response:
        session: Review = request.app.state.session
        try:
            sent = msgspec.json.decode(await request.body(), type=body) if body else None
            found = await run_in_threadpool(answer, session, request, sent)
            return _json(found)
        except ConflictError as conflict:
            return _json({"error": str(conflict), "current": conflict.current}, 409)
        except KontrastError as error:
            return _json({"error": str(error)}, 422)
        except msgspec.DecodeError as error:
            return _json({"error": f"the request is not valid: {error}"}, 400)

    return Route(f"/api/{path}", respond, methods=["POST" if body else "GET"])


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def asked(request: Request) -> Filter:
    """The filter that an address names."""
    query = request.query_params
    given: dict[str, Any] = {name: value for name, value in query.items() if value}
    given |= {"phenomenon": query.getlist("phenomenon"), "search": query.get("search", "")[:200]}
    try:
        chosen = msgspec.convert(given, Filter, strict=False)
    except msgspec.ValidationError as error:
        raise KontrastError(f"a filter value is not a number ({error})") from error
    if chosen.order not in ORDERS or chosen.status not in ("", "decided", *STATUS):
        raise KontrastError(f"there is no order {chosen.order!r} or no status {chosen.status!r}")
    if chosen.show not in SHOWN or chosen.sort not in ("", "worst", "best") or min(chosen.a, chosen.b) < 0:
        raise KontrastError("unknown filter value: reload the page")
    return chosen


def reader_of(session: Review, request: Request) -> int:
    """The annotator who asks: whose link it is, else the name that the page sends."""
    keys: Keys = request.app.state.keys
    name = keys.name(request.scope["review_cookie"]) or unquote(request.headers.get("x-annotator", ""))
    if not name:
        raise KontrastError("enter your name first")
    return session.store.annotator(name)


def _about(session: Review, request: Request, _: Any) -> Any:
    keys: Keys = request.app.state.keys
    bound = keys.name(request.scope["review_cookie"])
    name = bound or unquote(request.headers.get("x-annotator", ""))
    reader = session.store.annotator(name) if name else None
    return session.about(reader) | {
        "bound": bound,
        "annotator": name,
        "views": {"systems": session.explored.systems if session.explored else []},
        "stale": session.stale,
    }


def _card(session: Review, request: Request, _: Any) -> Any:
    reader, chosen = reader_of(session, request), asked(request)
    key = request.query_params.get("key")
    number = session.number(key) if key else session.first(reader, chosen)
    if number is None:
        return {"empty": True, "counts": session.store.index.counts(reader), "stale": session.stale}
    card = session.card(number, reader, chosen) | {"stale": session.stale}
    if session.explored:
        card["scores"] = session.explored.of(number, session.store.entry(number))
    return card


def _decide(session: Review, request: Request, sent: Decided) -> Any:
    reader, number = reader_of(session, request), session.number(sent.key)
    said = msgspec.structs.asdict(sent)
    made = session.decide(number, reader, said.pop("verb"), **{k: v for k, v in said.items() if k != "key"})
    chosen = asked(request)
    place = session.place(number, reader, chosen)
    following = place["waiting"]
    after = session.card(session.number(following), reader, chosen) if following else None
    return {"decision": made, "card": after, "counts": place["counts"], "seconds_left": place["seconds_left"]}


def _undo(session: Review, request: Request, _: Any) -> Any:
    reader = reader_of(session, request)
    undone = session.store.undo(reader)
    if undone is None:
        raise KontrastError("there is nothing to undo")
    return {"card": session.card(undone[0], reader, asked(request))}


def _forms(session: Review, request: Request, _: Any) -> Any:
    entry = session.store.entry(session.number(request.query_params.get("key", "")))
    made = other_forms(entry, session.languages[1])
    return [{"text": text, "pieces": changed(entry.item.best.text, text)[1]} for text in made]


def _items(session: Review, request: Request, _: Any) -> Any:
    """A page of the list: short rows."""
    reader, chosen = reader_of(session, request), asked(request)
    page = _page_number(request.query_params.get("page", ""))
    view = session.view(chosen, reader)
    shown = view[page * PAGE : (page + 1) * PAGE]
    own = session.store.index.of(reader)
    rows = [
        {
            "key": entry.key,
            "phenomenon": entry.phenomenon,
            "source": entry.item.source,
            "text": around(entry.item.best.text, entry.candidate),
            "status": STATUS[own[number]],
            "systems": session.explored.row(number) if session.explored else [],
        }
        for number, entry in session.store.entries(shown)
    ]
    return {"rows": rows, "total": len(view), "page": page, "pages": -(-len(view) // PAGE)}


def _page_number(text: str) -> int:
    if text and not (text.removeprefix("-").isdecimal() and len(text) < 10):
        raise KontrastError(f"page: expected a number, found {text[:20]!r}")
    return max(0, int(text or 0))


def _charts(session: Review, request: Request, _: Any) -> Any:
    reader, chosen = reader_of(session, request), asked(request)
    if not session.explored or not session.explored.verdicts:
        raise KontrastError("no scores are loaded: start with --scores FILE")
    # All phenomena stay in the chart, whichever is chosen: it is the way from one to the next.
    every = msgspec.structs.replace(chosen, phenomenon=())
    return session.explored.charts(session.store.view(every, reader), chosen)


def _enter(session: Review, request: Request, sent: _Name) -> Any:
    return {"name": session.store.name(session.store.annotator(sent.name))}


def _reread(session: Review, request: Request, _: Any) -> Any:
    changes = session.refresh()
    return {"message": str(changes)}


_ROUTES: tuple[tuple[Any, ...], ...] = (
    ("about", _about),
    ("card", _card),
    ("items", _items),
    ("charts", _charts),
    ("forms", _forms),
    ("decide", _decide, Decided),
    ("undo", _undo, dict),
    ("annotator", _enter, _Name),
    ("reread", _reread, dict),
)


async def _page(request: Request) -> Response:
    keys: Keys = request.app.state.keys
    token = request.query_params.get("token")
    if token is not None and (cookie := keys.enter(token)):
        return _entered(request, cookie, request.url.path)
    if keys.knows(request.scope["review_cookie"]):
        return Response(_part("index.html"), media_type="text/html")
    page = "password.html" if keys.password is not None else "locked.html"
    return Response(_part(page), 401, media_type="text/html")


async def _login(request: Request) -> Response:
    body = (await request.body())[:2000].decode("utf-8", "replace")
    password = parse_qs(body).get("password", [""])[0]
    keys: Keys = request.app.state.keys
    sender = request.client.host if request.client else "?"
    turns: dict[str, asyncio.Lock] = request.app.state.turns
    async with turns.setdefault(network_of(sender), asyncio.Lock()):  # many passwords at once wait for each other
        await asyncio.sleep(keys.wait(sender))
        cookie = keys.login(password, sender)
    if cookie is None:
        return Response(
            _part("password.html").replace("<!--wrong", "<").replace("wrong-->", ">"), 401, None, "text/html"
        )
    return _entered(request, cookie, "/")


def _entered(request: Request, cookie: str, path: str) -> Response:
    answer = RedirectResponse(path, 303)
    answer.set_cookie(request.app.state.keys.cookie, cookie, httponly=True, samesite="lax", max_age=90 * 86400)
    return answer


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    ending = name.rpartition(".")[2]
    try:
        if name == "style.css":
            text = style_sheet()
        elif ending in TYPES and "/" not in name and not name.startswith("."):
            text = _part(name)
        else:
            return Response("not found", 404)
    except FileNotFoundError:
        return Response("not found", 404)
    return Response(text, media_type=TYPES[ending], headers={"cache-control": "no-cache"})


def _part(name: str) -> str:
    return resources.files(__package__).joinpath("page", name).read_text("utf-8")
