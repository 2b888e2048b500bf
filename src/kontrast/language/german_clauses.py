"""German clauses: each finite verb with the tokens of its clause and its subject.

A stack of clauses is kept while reading from left to right. A subordinator or relative pronoun opens one, a comma
closes one that has its verb, a second finite verb starts a new one after the last comma or conjunction.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.language.german_phrases import Nominal
from kontrast.language.lexicons.german import readings

__all__ = ["Clause", "find_clauses", "finite_codes", "repair_finite"]

FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN"))
_OPENERS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT"))
_VERBAL = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP"))
_NONFINITE = {"VVINF": "VVFIN", "VVPP": "VVFIN", "VAINF": "VAFIN", "VMINF": "VMFIN", "VVIMP": "VVFIN"}
_FINITE_TO_INFINITIVE = {"VVFIN": "VVINF", "VAFIN": "VAINF", "VMFIN": "VMINF"}
_NOMINAL = frozenset(("NN", "NE", "ADJA", "CARD", "ART", "PPOSAT", "PDAT", "PIAT"))
_CLAUSE_STARTS = frozenset(("die", "der", "das", "den", "dem", "denen", "was", "wie", "wo", "so"))
_SURE = frozenset(("ich", "du", "er", "wir", "man", "wer"))


class Clause(msgspec.Struct):
    """Tokens of a clause in order, its finite verb, and what was found in it."""

    tokens: list[int]
    verb: int = -1
    opener: int = -1
    """The subordinator or relative pronoun, -1 in a main clause."""
    conjoined: bool = False
    """Begins with a conjunction: its subject may be left out."""
    infinitive: bool = False
    subject: Nominal | None = None
    shared: Clause | None = None
    """The clause whose subject it shares."""
    certain: bool = False
    """No other nominal could be the subject."""
    lexical: int = -1
    """The participle or infinitive that goes with an auxiliary."""
    particle: int = -1
    codes: frozenset[str] = frozenset()


def find_clauses(words: Sequence[str], tags: Sequence[str], nominals: Sequence[Nominal]) -> list[Clause]:
    """The clauses that have a finite verb, with their subjects, in the order of their verbs."""
    clauses = [c for c in _segment(words, tags) if c.verb >= 0]
    clauses.sort(key=lambda c: c.verb)
    by_head = {n.head: n for n in nominals}
    previous: Clause | None = None
    for clause in clauses:
        clause.codes = finite_codes(words[clause.verb])
        _complete(clause, words, tags)
        inside = [by_head[i] for i in clause.tokens if i in by_head]
        clause.subject = _subject(clause, inside, words, tags)
        if clause.subject is None and previous is not None and _may_share(clause, tags):
            clause.shared = previous.shared or previous
            owner = clause.shared.subject
            if owner is None or not _agrees(owner, clause, [owner], words):
                clause.shared = None
        previous = clause
    return clauses


def _may_share(clause: Clause, tags: Sequence[str]) -> bool:
    """Can the subject be left out: after a conjunction, the verb first, or at the end as in the clause before?"""
    first = next((i for i in clause.tokens if tags[i] not in ("KON", "$,", "$(", "ADV")), -1)
    return clause.conjoined and (clause.opener >= 0 or first == clause.verb)


def repair_finite(words: Sequence[str], tags: list[str]) -> None:
    """A clause without a finite verb has one that was taken for an infinitive: *Experten befürchten, …*."""
    _after_auxiliary(words, tags)
    start, part, opener, finite = 0, 0, -1, False
    for i, tag in enumerate(tags):
        if tag in FINITE:
            finite = True
        elif tag in _OPENERS:
            opener, finite = i, False
        elif tag in ("$,", "$."):
            last = i - 1
            if not finite and last > start and tags[last] in _NONFINITE and _can_be_finite(words[last]):
                main = opener < 0 and tags[last - 1] in ("NN", "NE") and tags[last] == "VVINF"
                if (
                    words[part].lower() in _CLAUSE_STARTS
                    and tags[last] in ("VAINF", "VMINF")
                    and tags[last - 1] in _VERBAL
                ):
                    # , die Forscher entdeckt haben: taken for an article, it opens a clause.
                    main = True
                    if tags[part] == "ART":
                        tags[part] = "PRELS"
                if tags[last - 1] != "PTKZU" and (main or (opener >= 0 and tags[opener] in ("KOUS", "PRELS"))):
                    tags[last] = _NONFINITE[tags[last]]
                    finite = True
            if finite or tag == "$.":
                start, opener, finite = i + 1, -1, False
            part = i + 1
    for clause in _segment(words, tags):
        if clause.verb >= 0 or clause.infinitive:
            continue
        verbal = [
            i
            for i in clause.tokens
            if tags[i] in _NONFINITE and not (i and tags[i - 1] == "PTKZU") and _can_be_finite(words[i])
        ]
        if not verbal:
            continue
        if clause.opener >= 0 and tags[clause.opener] != "PWAV":
            tags[verbal[-1]] = _NONFINITE[tags[verbal[-1]]]
        elif (
            clause.opener < 0 and verbal[0] > clause.tokens[0] and tags[verbal[0] - 1] in ("NN", "NE", "PPER", "PIS")
        ):
            tags[verbal[0]] = _NONFINITE[tags[verbal[0]]]


def _after_auxiliary(words: Sequence[str], tags: list[str]) -> None:
    """After zu, and at the end of a main clause that has its auxiliary, stands no finite verb."""
    auxiliary = False
    for i, tag in enumerate(tags):
        if tag in _FINITE_TO_INFINITIVE and i and tags[i - 1] == "PTKZU":
            tags[i] = _FINITE_TO_INFINITIVE[tag]
        elif tag == "VVFIN" and auxiliary and (i + 1 == len(tags) or tags[i + 1].startswith("$")):
            codes = {code for r in readings(words[i].lower()) if r.pos == "V" for code in r.codes}
            if codes & {"2", "i"}:
                tags[i] = "VVPP" if "2" in codes else "VVINF"
        elif tag in ("VAFIN", "VMFIN"):
            auxiliary = True
        elif tag in ("$,", "$.", "KON") or tag in _OPENERS or tag == "VVFIN":
            auxiliary = False


def _can_be_finite(word: str) -> bool:
    return any(r.pos == "V" and any(len(code) == 3 for code in r.codes) for r in readings(word.lower()))


def _segment(words: Sequence[str], tags: Sequence[str]) -> list[Clause]:
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
            while len(stack) > 1:
                close()
            close()
        elif tag in _OPENERS and _opens(words, tags, i, top):
            clause = Clause([], opener=i)
            if i and tags[i - 1] in ("APPR", "KOUI") and top.tokens and top.tokens[-1] == i - 1:
                clause.tokens.append(top.tokens.pop())
            clause.tokens.append(i)
            stack.append(clause)
        elif tag == "KOUI" and _zu_follows(tags, i):
            stack.append(Clause([i], opener=i, infinitive=True))
        elif tag == "$,":
            if len(stack) > 1 and (top.verb >= 0 or (top.infinitive and _has_zu(top, tags))):
                close()
            stack[-1].tokens.append(i)
        elif tag in FINITE:
            _take_verb(stack, done, i, tags)
        else:
            top.tokens.append(i)
    while stack:
        done.append(stack.pop())
    return done


def _take_verb(stack: list[Clause], done: list[Clause], i: int, tags: Sequence[str]) -> None:
    while stack[-1].infinitive and len(stack) > 1 and _has_zu(stack[-1], tags):
        done.append(stack.pop())
    top = stack[-1]
    if top.verb < 0:
        top.verb = i
        top.tokens.append(i)
        return
    # A second verb: a new clause begins after the last boundary that follows the first verb.
    cut = _last_boundary(top, tags)
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


def _last_boundary(clause: Clause, tags: Sequence[str]) -> int | None:
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
    best: Nominal | None = None
    best_score = -1
    rivals = 0
    verb = clause.verb
    inverted = clause.conjoined and not any(i < verb and tags[i] not in ("KON", "$,", "$(") for i in clause.tokens)
    first = True
    for nominal in nominals:
        if nominal.preposition >= 0 or nominal.inside or not _agrees(nominal, clause, nominals, words):
            continue
        if nominal.genitive and not nominal.pronoun and _only_attribute(nominal):
            continue
        low = words[nominal.head].lower()
        sure = (nominal.pronoun and low in _SURE) or (
            not nominal.pronoun and nominal.determiner >= 0 and all(c[1] == "n" for c in nominal.cells)
        )
        if (
            inverted
            and not sure
            and not (nominal.pronoun and tags[nominal.head] == "PPER" and nominal.head == verb + 1)
        ):
            continue
        score = 10 if sure else 0
        if nominal.pronoun and tags[nominal.head] == "PPER":
            score += 3 if low != "es" else 1
        if tags[nominal.head] == "PRELS" and nominal.head == clause.opener:
            score += 4
        if first:
            score += 3
        if nominal.start > verb and not any(verb < n.head < nominal.start for n in nominals):
            score += 2
        if nominal.head < verb and clause.opener < 0:
            score += 2
        if nominal.genitive:
            score -= 4
        if tags[nominal.head] == "NE" and nominal.head and tags[nominal.head - 1] == "NN":
            score -= 5
        first = False
        rivals += 1
        if score > best_score:
            best, best_score = nominal, score
    clause.certain = rivals == 1 or best_score >= 10
    return best


def _only_attribute(nominal: Nominal) -> bool:
    return not nominal.has("n")


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
