"""What is asked for: each sentence with its context, documents from their beginning, or whole windows of them.

Each distinct question is asked once, the store first; all answers are cleaned and counted.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.files import one_line
from kontrast.progress import progress, rate, say
from kontrast.scoring.cluster import texts_of
from kontrast.scoring.context import Context, Contexts
from kontrast.scoring.engine import Engine, Group, Target
from kontrast.scoring.messages import label_of, saying_what_is_kept, whole_takes
from kontrast.scoring.store import Store, StoreKey, portions
from kontrast.scoring.tables import full_fingerprint
from kontrast.scoring.translating.cleaning import clean
from kontrast.scoring.translating.realigning import Realigned, realign
from kontrast.scoring.translator import Decoding, Translation, translator_of
from kontrast.suites.model import Row, Suite


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What is kept of what the model said, and the rules that removed the rest."""

    text: str
    said: Translation
    removed: tuple[str, ...] = ()


class Asking:
    """One engine, one search, one store. Calls may depend on earlier answers, as the rounds of a rollout do."""

    def __init__(self, engine: Engine, decoding: Decoding, store: Store | None, *, cleaning: bool) -> None:
        self.engine, self.translator, self.decoding, self.cleaning = engine, translator_of(engine), decoding, cleaning
        self.store = store if engine.supports.store else None
        identity = self.translator.identify_translator(decoding)
        self.fingerprint = full_fingerprint(identity)
        if self.store is not None:
            self.fingerprint = self.store.use(f"{engine.name}-translate", label_of(engine), identity)
        self.removed: Counter[str] = Counter()
        self.asked = self.stored = self.questions = 0
        self.seconds = 0.0

    def __call__(self, groups: Sequence[Group]) -> list[Answer]:
        """An answer for each group; a sentence without words is not asked about."""
        distinct: dict[Group, int] = {}
        for group in groups:
            if group.sentence.strip():
                distinct.setdefault(group, len(distinct))
        if any(target.prefix for group in distinct for target in group.targets) and not self.engine.supports.prefix:
            raise KontrastError(
                f"{self.engine.name} does not support a forced beginning of a translation; use --side source"
            )
        self.questions += len(groups)
        said = self._said(list(distinct))
        blank = Answer("", Translation(""))
        kept = [self._kept(answer, group) for group, answer in zip(distinct, said, strict=True)]
        return [kept[distinct[group]] if group in distinct else blank for group in groups]

    def __str__(self) -> str:
        pace = f", {rate(self.asked, self.seconds, 'sentences')}" if self.asked else ""
        made = f"{self.asked:,} translated in {self.seconds:.1f} s{pace}"
        return f"{self.questions:,} sentences: {self.stored:,} from the store, {made}"

    def _kept(self, said: Translation, group: Group) -> Answer:
        text, removed = clean(said.text, group.sentence) if self.cleaning else (said.text, ())
        self.removed.update(removed)
        return Answer(text, said, removed)

    def _said(self, groups: list[Group]) -> list[Translation]:
        """From the store or from the model; what is finished is stored, whatever happens next."""
        texts = texts_of(self.translator, "question", groups)
        entries = [
            StoreKey(text, "".join(target.prefix for target in group.targets), "")
            for group, text in zip(groups, texts, strict=True)
        ]
        digest = hashlib.blake2b(msgspec.msgpack.encode(groups), digest_size=8).digest()
        known = self.store.find(entries, Translation) if self.store is not None else {}
        found = {i: known[entry][0] for i, entry in enumerate(entries) if entry in known}
        # Rows of another plan are taken as they are; the rest is cut into batches as if none of it were stored.
        todo = [i for i, entry in enumerate(entries) if entry not in known or known[entry][1] == digest]
        self.stored += len(found)
        self.asked += len(groups) - len(found)
        if len(found) < len(groups):
            began = time.perf_counter()
            status = getattr(self.engine, "status", None)
            with (
                saying_what_is_kept(found, len(groups), "sentences", stored=self.store is not None),
                progress("translating", len(groups), "sentences", status) as advance,
            ):
                advance(len(found))
                done = {k for k, i in enumerate(todo) if i in found}
                made = self.translator.translate([groups[i] for i in todo], self.decoding, done)
                for finished in portions({k: each} for k, each in made if k not in done):
                    if self.store is not None:
                        self.store.add(((entries[todo[k]], each) for k, each in finished.items()), digest)
                    found.update({todo[k]: each for k, each in finished.items()})
                    advance(len(finished))
            self.seconds += time.perf_counter() - began
        missing = [i for i in range(len(groups)) if i not in found]
        if missing:
            sentence = groups[missing[0]].sentence[:60]
            raise KontrastError(f"{self.engine.name}:{label_of(self.engine)} gave no translation of {sentence!r}")
        return [found[i] for i in range(len(groups))]

    def tell(self, times: float | None = None) -> None:
        """What was done, on standard error; of a trial also what the whole, so many times as large, would take."""
        whole = ""
        if times is not None and self.asked:
            whole = "; " + whole_takes(self.seconds * (self.asked + self.stored) / self.asked, times)
        say(f"{self}{whole}")


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
    passages: Sequence[DocumentPart],
    places: Sequence[Place],
    size: int,
    context: Context,
    ask: Ask,
    *,
    ends_at: bool,
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
