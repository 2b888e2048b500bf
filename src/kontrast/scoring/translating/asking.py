"""Ask a model for translations: each distinct question once, the store first, all answers cleaned and counted."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.progress import progress, rate, say
from kontrast.scoring.decoding import Decoding
from kontrast.scoring.engine import Engine, Group
from kontrast.scoring.store import Store, StoreKey, portions
from kontrast.scoring.tables import full_fingerprint
from kontrast.scoring.telling import label_of, saying_what_is_kept, whole_takes
from kontrast.scoring.translating.cleaning import clean
from kontrast.scoring.translator import Translation, Translator


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What is kept of what the model said, and the rules that removed the rest."""

    text: str
    said: Translation
    removed: tuple[str, ...] = ()


class Asking:
    """One engine, one search, one store. Calls may depend on earlier answers, as the rounds of a rollout do."""

    def __init__(self, engine: Engine, decoding: Decoding, store: Store | None, *, cleaning: bool) -> None:
        if not isinstance(engine, Translator):
            raise KontrastError(f"--model {engine.name}: this engine scores and does not translate")
        self.engine, self.translator, self.decoding, self.cleaning = engine, engine, decoding, cleaning
        self.store = store if engine.supports.store else None
        identity = engine.identify_translator(decoding)
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
        if not self.cleaning:
            return Answer(said.text, said)
        text, removed = clean(said.text, group.sentence)
        self.removed.update(removed)
        return Answer(text, said, removed)

    def _said(self, groups: list[Group]) -> list[Translation]:
        """From the store or from the model; what is finished is stored, whatever happens next."""
        at_once = getattr(self.translator, "questions", None)
        texts = at_once(groups) if at_once else map(self.translator.question, groups)
        entries = [
            StoreKey(text, "".join(target.prefix for target in group.targets), "")
            for group, text in zip(groups, texts, strict=True)
        ]
        digest = hashlib.blake2b(msgspec.msgpack.encode(groups), digest_size=8).digest()
        known = self.store.find(entries, Translation) if self.store is not None else {}
        found = {i: known[entry].value for i, entry in enumerate(entries) if entry in known}
        # Rows of another plan are taken as they are; the rest is cut into batches as if none of it were stored.
        todo = [i for i, entry in enumerate(entries) if entry not in known or known[entry].plan == digest]
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
                for finished in portions(self._finished([groups[i] for i in todo], done)):
                    if self.store is not None:
                        self.store.add(((entries[todo[k]], made) for k, made in finished.items()), digest)
                    found.update({todo[k]: made for k, made in finished.items()})
                    advance(len(finished))
            self.seconds += time.perf_counter() - began
        missing = [i for i in range(len(groups)) if i not in found]
        if missing:
            sentence = groups[missing[0]].sentence[:60]
            raise KontrastError(f"{self.engine.name}:{label_of(self.engine)} gave no translation of {sentence!r}")
        return [found[i] for i in range(len(groups))]

    def _finished(self, groups: list[Group], done: set[int]) -> Iterator[dict[int, Translation]]:
        """Translations of what is not done yet, as they come."""
        for k, made in self.translator.translate(groups, self.decoding, done):
            if k not in done:
                yield {k: made}

    def tell(self, times: float | None = None) -> None:
        """What was done, on standard error; of a trial also what the whole, so many times as large, would take."""
        whole = ""
        if times is not None and self.asked:
            whole = "; " + whole_takes(self.seconds * (self.asked + self.stored) / self.asked, times)
        say(f"{self}{whole}")
