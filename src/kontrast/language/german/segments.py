"""German clauses: the tokens of each, what opens it, and its finite verb.

A stack of clauses is kept while reading from left to right. A subordinator or relative pronoun opens one, a comma
closes one that has its verb, a second finite verb starts a new one after the last comma or conjunction.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.language.german.phrases import Nominal

__all__ = ["FINITE", "OPENERS", "Clause", "segment"]

FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN"))
OPENERS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT"))
_DASHES = frozenset(("-", "–", "—", "--"))
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
    done: list[Clause] = []
    stack = [Clause([])]

    def close() -> None:
        done.append(stack.pop())
        if not stack:
            stack.append(Clause([]))

    for i, tag in enumerate(tags):
        top = stack[-1]
        if tag == "$." and words[i] not in ("...", "…"):
            top.tokens.append(i)
            if not any(clause.aside for clause in stack):
                while len(stack) > 1:
                    close()
                close()
        elif tag in OPENERS and _opens(words, tags, i, top):
            clause = Clause([], opener=i)
            if i and tags[i - 1] in ("APPR", "KOUI") and top.tokens and top.tokens[-1] == i - 1:
                clause.tokens.append(top.tokens.pop())
            clause.tokens.append(i)
            stack.append(clause)
        elif tag == "KOUI" and _zu_follows(tags, i):
            stack.append(Clause([i], opener=i, infinitive=True))
        elif tag == "$,":
            before_verb = i + 1 < len(tags) and tags[i + 1] in FINITE
            if len(stack) > 1 and (top.verb >= 0 or ((top.infinitive or before_verb) and _has_zu(top, tags))):
                close()
            stack[-1].tokens.append(i)
        elif words[i] == "(" and ")" in words[i + 1 :]:
            stack.append(Clause([i], aside=True))
        elif words[i] == ")" and any(clause.aside for clause in stack):
            while not stack[-1].aside:
                close()
            stack[-1].tokens.append(i)
            close()
        elif words[i] in _DASHES and len(stack) > 1 and top.verb >= 0 and not top.aside:
            close()
            stack[-1].tokens.append(i)
        elif tag in FINITE:
            _take_verb(stack, done, i, words, tags)
        else:
            top.tokens.append(i)
    while stack:
        done.append(stack.pop())
    return done


def _take_verb(stack: list[Clause], done: list[Clause], i: int, words: Sequence[str], tags: Sequence[str]) -> None:
    while stack[-1].infinitive and len(stack) > 1 and _has_zu(stack[-1], tags):
        done.append(stack.pop())
    top = stack[-1]
    if top.verb < 0:
        top.verb = i
        top.tokens.append(i)
        return
    # A second verb: a new clause begins after the last boundary that follows the first verb.
    cut = _last_boundary(top, words, tags)
    if cut is None or top.tokens[cut] < top.verb:
        below = stack[-2] if len(stack) > 1 else None
        if below is not None and below.verb < 0:
            done.append(stack.pop())
            below.verb = i
            below.tokens.append(i)
            return
        cut = len(top.tokens)
    taken = top.tokens[cut:]
    conjoined = bool(taken) and tags[taken[0]] == "KON"
    rest = Clause([*taken, i], verb=i, opener=top.opener if conjoined else -1, conjoined=conjoined)
    del top.tokens[cut:]
    done.append(stack.pop())
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


def _opens(words: Sequence[str], tags: Sequence[str], i: int, top: Clause) -> bool:
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
