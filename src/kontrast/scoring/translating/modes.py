"""What is asked for: each sentence with its context, documents from their beginning, or whole windows of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.files import one_line
from kontrast.scoring.context import Context, Contexts
from kontrast.scoring.engine import Group, Target
from kontrast.scoring.translating.asking import Answer
from kontrast.scoring.translating.realigning import Realigned, realign
from kontrast.suites.model import Row, Suite

Ask = Callable[[Sequence[Group]], list[Answer]]
Sentences = tuple[str, ...]


class DocumentPart(msgspec.Struct, frozen=True):
    """Sentences of a document in order, from its beginning or as far back as the suite knows it."""

    sentences: Sentences


class Place(msgspec.Struct, frozen=True):
    """Where a wanted sentence stands. ``source`` is its text, which may differ from the passage's."""

    passage: int
    number: int
    source: str


class Line(msgspec.Struct, frozen=True, gc=False):
    """The translation of one wanted sentence: one line, the answer it comes from, and how it was cut out of it.

    ``before`` are the system's translations of the sentences before it, where these were made.
    """

    text: str
    answer: Answer
    how: str = ""
    before: Sentences = ()


def sentences(suite: Suite, context: Context, ask: Ask) -> tuple[list[Line], dict[int, int]]:
    """Each item's sentence with its context, and how many items have how many sentences of context.

    A model that was trained to translate the context too writes its separator: the part of the sentence is taken.
    """
    contexts = Contexts(suite, context)
    groups, parts = [], []
    for index, item in enumerate(suite.items):
        before, after, target = contexts.of(Row(item, item.best, index, item.correct))
        groups.append(_group(context, item.source, before, after, target))
        parts.append((0 if groups[-1].targets[0].prefix else len(before), len(after)))
    amounts = contexts.amounts()
    answers = ask(groups)
    lines = []
    for (before_count, after_count), answer in zip(parts, answers, strict=True):
        found, how = _own_part(answer.text, context, before_count, after_count)
        lines.append(Line(one_line(found), answer, how))
    return lines, amounts


def roll_out(passages: Sequence[DocumentPart], places: Sequence[Place], context: Context, ask: Ask) -> list[Line]:
    """Every passage from its first sentence, with the translations made so far as target context.

    Sentence n of all passages is asked for at once, so that batches stay full.
    """
    if context.span is None or context.span.next or context.side == "source" or context.control:
        raise KontrastError(
            "--own: the system's own translations are target context: use --context prev:N (or tokens:N) without "
            "--control and without --side source"
        )
    needed = [0] * len(passages)
    for place in places:
        needed[place.passage] = max(needed[place.passage], place.number + 1)
    own: list[list[Line]] = [[] for _ in passages]
    for number in range(max(needed, default=0)):
        active = [k for k, count in enumerate(needed) if number < count]
        groups = [_with_own(context, passages[k], number, passages[k].sentences[number], own[k]) for k in active]
        for k, answer in zip(active, ask(groups), strict=True):
            before = tuple(line.text for line in own[k])
            own[k].append(_line(answer, context, before))
    other = [p for p in places if passages[p.passage].sentences[p.number] != p.source]
    groups = [_with_own(context, passages[p.passage], p.number, p.source, own[p.passage][: p.number]) for p in other]
    differing = dict(zip(other, ask(groups), strict=True)) if other else {}
    return [
        _line(differing[place], context, own[place.passage][place.number].before)
        if place in differing
        else own[place.passage][place.number]
        for place in places
    ]


def windows(
    passages: Sequence[DocumentPart], places: Sequence[Place], size: int, context: Context, ask: Ask, *, ends_at: bool
) -> tuple[list[Line], list[Realigned]]:
    """Several sentences at once, cut apart again: ``size`` sentences a window, from the beginning of the passage.

    Where passages are only the context of one sentence (``ends_at``), the window ends with that sentence.
    """
    asked: dict[tuple[int, int], dict[int, str]] = {}
    where = []
    for place in places:
        start = max(0, place.number + 1 - size) if ends_at else place.number // size * size
        stop = place.number + 1 if ends_at else start + size
        inside = enumerate(passages[place.passage].sentences[start:stop], start=start)
        asked[place.passage, start] = {number: text for number, text in inside if text.strip()}
        where.append((place.passage, start))
    texts = [tuple(window.values()) for window in asked.values()]
    answers = ask([_group(context, context.scheme.joined(window), (), (), ()) for window in texts])
    cut = [realign(window, answer.text, context.scheme.mark) for window, answer in zip(texts, answers, strict=True)]
    by_start = dict(zip(asked, zip(cut, answers, strict=True), strict=True))
    lines = []
    for place, key in zip(places, where, strict=True):
        found, answer = by_start[key]
        order = list(asked[key])
        text = found.text_of(order.index(place.number), whole=ends_at) if place.number in order else ""
        lines.append(Line(one_line(text), answer, found.how))
    return lines, cut


def _with_own(context: Context, passage: DocumentPart, number: int, source: str, own: Sequence[Line]) -> Group:
    assert context.span is not None
    before, mine = passage.sentences[:number], [line.text for line in own[:number]]
    count = context.span.before(before, mine) if number else 0
    first = number - count
    history = tuple(zip(before[first:], mine[first:], strict=True))
    shown = before[first:] if context.side != "target" else ()
    return _group(context, source, shown, (), tuple(mine[first:]), history)


def _group(
    context: Context,
    sentence: str,
    before: Sentences,
    after: Sentences,
    target: Sentences,
    history: tuple[tuple[str, str], ...] = (),
) -> Group:
    if context.span is None:
        return Group(sentence, (Target(""),), sentence)
    head, own, tail = context.scheme.render(before, sentence, after)
    prefix = context.scheme.render(target, "")[0] if context.side != "source" else ""
    return Group(head + own + tail, (Target("", prefix),), sentence, (*before, *after), history)


def _line(answer: Answer, context: Context, before: Sentences) -> Line:
    text, how = _own_part(answer.text, context, 0, 0)
    return Line(one_line(text), answer, how, before)


def _own_part(text: str, context: Context, before: int, after: int) -> tuple[str, str]:
    """The part that renders the sentence, where the answer has the scheme's separator in it.

    With ``before`` sentences of context and other than so many parts it is the last one; without (also where the
    context was forced) the first: what follows is more than was asked for.
    """
    mark = context.scheme.mark
    if context.span is None or not mark or mark not in text:
        return text, ""
    parts = [part for part in text.split(mark) if part.strip()] or [""]
    if len(parts) == before + 1 + after:
        return parts[before], "separator"
    return parts[-1 if before else 0], "separators-do-not-fit"
