"""German clauses: the tokens of each, what opens it, and its finite verb.

A stack of clauses is kept while reading from left to right. A subordinator or relative pronoun opens one, a comma
closes one that has its verb, a second finite verb starts a new one after the last comma or conjunction.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.language.german.phrases import Nominal
from kontrast.language.words import word_set

FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN"))
OPENERS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT"))
_DASHES = word_set("de", "segments_dashes")
_NOMINAL = frozenset(("NN", "NE", "ADJA", "CARD", "ART", "PPOSAT", "PDAT", "PIAT"))


class Clause(msgspec.Struct):
    """Tokens of a clause in order, its finite verb, and what was found in it."""

    tokens: list[int]
    verb: int = -1
    opener: int = -1
    """The subordinator or relative pronoun, -1 in a main clause."""
    conjoined: bool = False
    """Begins with a conjunction: its subject may be left out."""
    infinitive: bool = False
    aside: bool = False
    """In brackets."""
    subject: Nominal | None = None
    shared: Clause | None = None
    """The clause whose subject it shares."""
    certain: bool = False
    """No other nominal could be the subject."""
    lexical: int = -1
    """The participle or infinitive that goes with an auxiliary."""
    particle: int = -1
    codes: frozenset[str] = frozenset()


def segment(words: Sequence[str], tags: Sequence[str]) -> list[Clause]:
    reading = _Reading(words, tags)
    for i in range(len(tags)):
        reading.take(i)
    return [*reading.done, *reversed(reading.stack)]


class _Reading:
    """The clauses that are open, the innermost last, and those that are done."""

    def __init__(self, words: Sequence[str], tags: Sequence[str]) -> None:
        self.words, self.tags = words, tags
        self.stack = [Clause([])]
        self.done: list[Clause] = []

    def take(self, i: int) -> None:
        """Put a token into the clause it belongs to."""
        tag = self.tags[i]
        if self._ends_sentence(i):
            self._end(i)
        elif tag in OPENERS and _opens(self.words, self.tags, i):
            self._open(i)
        elif tag == "KOUI" and _zu_follows(self.tags, i):
            self.stack.append(Clause([i], opener=i, infinitive=True))
        elif tag == "$,":
            if self._comma_closes(i):
                self._close()
            self.stack[-1].tokens.append(i)
        elif self.words[i] == "(" and ")" in self.words[i + 1 :]:
            self.stack.append(Clause([i], aside=True))
        elif self.words[i] == ")" and self._in_brackets():
            self._close_brackets(i)
        elif self._dash_closes(i):
            self._close()
            self.stack[-1].tokens.append(i)
        elif tag in FINITE:
            self._take_verb(i)
        else:
            self.stack[-1].tokens.append(i)

    def _ends_sentence(self, i: int) -> bool:
        return self.tags[i] == "$." and self.words[i] not in ("...", "…")

    def _in_brackets(self) -> bool:
        return any(clause.aside for clause in self.stack)

    def _comma_closes(self, i: int) -> bool:
        """It closes a subordinate clause that has its verb, or an infinitive with *zu*."""
        top = self.stack[-1]
        if len(self.stack) == 1 or top.verb >= 0:
            return len(self.stack) > 1
        before_verb = i + 1 < len(self.tags) and self.tags[i + 1] in FINITE
        return (top.infinitive or before_verb) and _has_zu(top, self.tags)

    def _dash_closes(self, i: int) -> bool:
        top = self.stack[-1]
        return self.words[i] in _DASHES and len(self.stack) > 1 and top.verb >= 0 and not top.aside

    def _close(self) -> None:
        self.done.append(self.stack.pop())
        if not self.stack:
            self.stack.append(Clause([]))

    def _end(self, i: int) -> None:
        """A sentence's end closes all clauses, unless it is in brackets."""
        self.stack[-1].tokens.append(i)
        if not self._in_brackets():
            while len(self.stack) > 1:
                self._close()
            self._close()

    def _open(self, i: int) -> None:
        """A subordinate clause; a preposition before its opener belongs to it."""
        above = self.stack[-1].tokens
        clause = Clause([], opener=i)
        if i and self.tags[i - 1] in ("APPR", "KOUI") and above and above[-1] == i - 1:
            clause.tokens.append(above.pop())
        clause.tokens.append(i)
        self.stack.append(clause)

    def _close_brackets(self, i: int) -> None:
        while not self.stack[-1].aside:
            self._close()
        self.stack[-1].tokens.append(i)
        self._close()

    def _take_verb(self, i: int) -> None:
        stack = self.stack
        while stack[-1].infinitive and len(stack) > 1 and _has_zu(stack[-1], self.tags):
            self.done.append(stack.pop())
        top = stack[-1]
        if top.verb < 0:
            top.verb = i
            top.tokens.append(i)
            return
        # A second verb: a new clause begins after the last boundary that follows the first verb.
        cut = _last_boundary(top, self.words, self.tags)
        if cut is None or top.tokens[cut] < top.verb:
            below = stack[-2] if len(stack) > 1 else None
            if below is not None and below.verb < 0:
                self.done.append(stack.pop())
                below.verb = i
                below.tokens.append(i)
                return
            cut = len(top.tokens)
        taken = top.tokens[cut:]
        conjoined = bool(taken) and self.tags[taken[0]] == "KON"
        rest = Clause([*taken, i], verb=i, opener=top.opener if conjoined else -1, conjoined=conjoined)
        del top.tokens[cut:]
        self.done.append(stack.pop())
        stack.append(rest)


def _last_boundary(clause: Clause, words: Sequence[str], tags: Sequence[str]) -> int | None:
    """The place of the last comma or conjunction; between two nouns only where there is no other."""
    joining = None
    for k in range(len(clause.tokens) - 1, -1, -1):
        i = clause.tokens[k]
        if i < clause.verb:
            break
        if tags[i] not in ("$,", "KON", "$(") or words[i] == "/":
            continue
        if tags[i] == "KON" and tags[i - 1] in _NOMINAL and tags[i + 1] in _NOMINAL:
            joining = k if joining is None else joining
            continue
        return k
    return joining


def _opens(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """Does this word open a subordinate clause here? Questions (*Wer kommt?*) and *als*-phrases do not."""
    if tags[i] in ("PWS", "PWAV", "PWAT"):
        # In a direct question the finite verb comes second.
        if i == 0 or tags[i - 1] in ("$.", "$(", "KON"):
            return not (i + 1 < len(tags) and tags[i + 1] in FINITE)
        return True
    if tags[i] == "KOUS":
        return any(t in FINITE for t in tags[i + 1 :])
    return True


def _zu_follows(tags: Sequence[str], i: int) -> bool:
    return any(t in ("PTKZU", "VVIZU") for t in tags[i + 1 : i + 25])


def _has_zu(clause: Clause, tags: Sequence[str]) -> bool:
    return any(tags[k] in ("PTKZU", "VVIZU") for k in clause.tokens)
