"""The clauses of a German sentence: the tokens of each, what opens it, its finite verb and its subject.

A stack of clauses is kept while reading from left to right. A subordinator or relative pronoun opens one, a comma
closes one that has its verb, a second finite verb starts a new one after the last comma or conjunction.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.language.german.nominals import Nominal
from kontrast.language.lexicons.german import readings
from kontrast.language.words import word_set

FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN"))
OPENERS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT"))
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
        if tag == "$." and self.words[i] not in ("...", "…"):
            self._end(i)
        elif tag in OPENERS:
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
        elif tag in FINITE:
            self._take_verb(i)
        else:
            self.stack[-1].tokens.append(i)

    def _in_brackets(self) -> bool:
        return any(clause.aside for clause in self.stack)

    def _comma_closes(self, i: int) -> bool:
        """It closes a subordinate clause that has its verb, or an infinitive with *zu*."""
        top = self.stack[-1]
        if len(self.stack) == 1 or top.verb >= 0:
            return len(self.stack) > 1
        before_verb = i + 1 < len(self.tags) and self.tags[i + 1] in FINITE
        return (top.infinitive or before_verb) and _has_zu(top, self.tags)

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
        if tags[i] not in ("$,", "KON", "$("):
            continue
        if tags[i] == "KON" and tags[i - 1] in _NOMINAL and tags[i + 1] in _NOMINAL:
            joining = k if joining is None else joining
            continue
        return k
    return joining


def _zu_follows(tags: Sequence[str], i: int) -> bool:
    return any(t in ("PTKZU", "VVIZU") for t in tags[i + 1 : i + 25])


def _has_zu(clause: Clause, tags: Sequence[str]) -> bool:
    return any(tags[k] in ("PTKZU", "VVIZU") for k in clause.tokens)


_VERBAL = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP"))
_TIMES = word_set("de", "clauses_times")
_SURE = word_set("de", "clauses_sure")


def find_clauses(words: Sequence[str], tags: Sequence[str], nominals: Sequence[Nominal]) -> list[Clause]:
    """The clauses that have a finite verb, with their subjects, in the order of their verbs."""
    clauses = [c for c in segment(words, tags) if c.verb >= 0]
    clauses.sort(key=lambda c: c.verb)
    by_head = {n.head: n for n in nominals}
    previous: Clause | None = None
    for clause in clauses:
        clause.codes = finite_codes(words[clause.verb])
        _complete(clause, words, tags)
        inside = [by_head[i] for i in clause.tokens if i in by_head]
        clause.subject = _subject(clause, inside, words, tags)
        if clause.subject is None and previous is not None and _may_share(clause, previous, tags):
            clause.shared = previous.shared or previous
            owner = clause.shared.subject
            if owner is None or not _agrees(owner, clause, [owner], words):
                clause.shared = None
        previous = clause
    return clauses


def _may_share(clause: Clause, previous: Clause, tags: Sequence[str]) -> bool:
    """Can the subject be left out: the verb first after a conjunction or another main clause (*sie kam, sah und
    siegte*), or at the end as in the clause before?"""
    first = next((i for i in clause.tokens if tags[i] not in ("KON", "$,", "$(", "ADV")), -1)
    if clause.conjoined:
        return clause.opener >= 0 or first == clause.verb
    return clause.opener < 0 and previous.opener < 0 and first == clause.verb and not clause.aside


def _complete(clause: Clause, words: Sequence[str], tags: Sequence[str]) -> None:
    """Find the lexical verb of an auxiliary or modal, and a separated particle."""
    after = [i for i in clause.tokens if i > clause.verb]
    others = [i for i in clause.tokens if tags[i] in _VERBAL and not (i and tags[i - 1] == "PTKZU")]
    if tags[clause.verb] != "VVFIN" and others:
        wanted = "INF" if tags[clause.verb] == "VMFIN" else "PP"
        fitting = [i for i in others if tags[i].endswith(wanted)] or others
        clause.lexical = next((i for i in reversed(fitting) if tags[i].startswith("VV")), fitting[-1])
    if clause.opener < 0 or clause.conjoined:
        clause.particle = next((i for i in after if tags[i] == "PTKVZ"), -1)


def _subject(
    clause: Clause, nominals: Sequence[Nominal], words: Sequence[str], tags: Sequence[str]
) -> Nominal | None:
    """The nominal that agrees with the verb and stands best for a subject."""
    shares = clause.conjoined and not any(
        i < clause.verb and tags[i] not in ("KON", "$,", "$(") for i in clause.tokens
    )
    fitting = [
        n
        for n in nominals
        if n.preposition < 0
        and _agrees(n, clause, nominals, words)
        # und warten Sie
        and (not shares or _is_sure(n, words) or (tags[n.head] == "PPER" and n.head == clause.verb + 1))
    ]
    best: Nominal | None = None
    best_score = -1
    for place, nominal in enumerate(fitting):
        score = (10 if _is_sure(nominal, words) else 0) + (3 if place == 0 else 0)
        if words[nominal.head] in _TIMES and nominal.determiner < 0:
            score -= 6  # Heute Abend läuft es
        if score > best_score:
            best, best_score = nominal, score
    clause.certain = len(fitting) == 1 or best_score >= 10
    return best


def _is_sure(nominal: Nominal, words: Sequence[str]) -> bool:
    """Nominative by its form: *er*, *der Mann*."""
    if nominal.pronoun:
        return words[nominal.head].lower() in _SURE
    return nominal.determiner >= 0 and all(c[1] == "n" for c in nominal.cells)


def _agrees(nominal: Nominal, clause: Clause, nominals: Sequence[Nominal], words: Sequence[str]) -> bool:
    if not nominal.has("n"):
        return False
    numbers = {c[2] for c in nominal.cells if c[1] == "n"}
    if nominal.joined:
        numbers = {"p"} | (numbers if nominal.pronoun or nominal.either else set())
    else:
        position = nominals.index(nominal)
        if position and nominals[position - 1].joined and nominals[position - 1].preposition < 0:
            return False
    return any(code[1] == nominal.person and code[2] in numbers for code in clause.codes) or (
        nominal.joined and any(code[2] == "p" for code in clause.codes)
    )


_NONFINITE = {"VVINF": "VVFIN", "VVPP": "VVFIN", "VAINF": "VAFIN", "VMINF": "VMFIN", "VVIMP": "VVFIN"}


def repair_tags(words: Sequence[str], tags: list[str]) -> None:
    """A clause without a finite verb has one that the tagger took for another form: *Experten befürchten, …*.

    So has a request (*Klicken Sie*); *ein* behind an article is an adjective.
    """
    for i in range(len(words) - 1):
        opens = i == 0 or words[i - 1] in (".", "!", "?", ":", "»", "„", "“")
        if opens and words[i + 1] == "Sie" and tags[i] in ("NN", "NE", "FM") and words[i].endswith("n"):
            tags[i] = "VVFIN"  # Klicken Sie
        elif tags[i] == tags[i + 1] == "ART" and words[i + 1].startswith("ein"):
            tags[i + 1] = "ADJA"  # auf der einen Seite
    for clause in segment(words, tags):
        if clause.verb >= 0 or clause.infinitive:
            continue
        others = [i for i in clause.tokens if tags[i] in _NONFINITE and tags[i - 1 : i] != ["PTKZU"]]
        verbal = [
            i for i in others if any(len(c) == 3 for r in readings(words[i].lower()) for c in r.codes if r.pos == "V")
        ]
        behind = [i for i in verbal[:1] if tags[i - 1] in ("NN", "NE", "PPER", "PIS")]
        for i in verbal[-1:] if clause.opener >= 0 else behind:
            tags[i] = _NONFINITE[tags[i]]


def finite_codes(word: str) -> frozenset[str]:
    """Person, number and tense that a finite form can be; guessed from its ending where the word is unknown.

    >>> sorted(finite_codes("ging")), sorted(finite_codes("klickten"))
    (['t1s', 't3s'], ['t1p', 't3p'])
    """
    low = word.lower()
    found = frozenset(c for r in readings(low) if r.pos == "V" for c in r.codes if len(c) == 3)
    if found:
        return found
    for ending, codes in (
        ("test", ("t2s",)), ("tet", ("t2p",)), ("ten", ("t1p", "t3p")), ("te", ("t1s", "t3s")), ("st", ("p2s",)),
        ("t", ("p3s", "p2p")), ("n", ("p1p", "p3p")), ("e", ("p1s", "k3s")),
    ):  # fmt: skip
        if low.endswith(ending):
            return frozenset(codes)
    return frozenset(("t3s",))
