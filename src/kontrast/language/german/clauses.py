"""The clauses of a German sentence with their subjects: which nominal agrees with the verb and fits best."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.german.phrases import Nominal
from kontrast.language.german.segments import Clause, segment
from kontrast.language.german.verbs import finite_codes

__all__ = ["Clause", "find_clauses"]

_VERBAL = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP"))
_TIMES = frozenset(
    "Abend Morgen Mittag Nachmittag Vormittag Nacht Woche Monat Jahr Sommer Winter Herbst Frühjahr Frühling Ende "
    "Anfang Mitte Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Mal".split()
)
_SURE = frozenset(("ich", "du", "er", "wir", "man", "wer"))


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
        if previous is not None and _rather_shared(clause, previous, words):
            clause.subject = None
        if clause.subject is None and previous is not None and _may_share(clause, previous, tags):
            clause.shared = previous.shared or previous
            owner = clause.shared.subject
            if owner is None or not _agrees(owner, clause, [owner], words):
                clause.shared = None
        previous = clause
    return clauses


def _rather_shared(clause: Clause, previous: Clause, words: Sequence[str]) -> bool:
    """*dass das Netz schlecht sei und die Wahl nicht beeinflusse*: the verb agrees with the first subject too."""
    owner = (previous.shared or previous).subject
    return (
        clause.conjoined
        and clause.opener >= 0
        and clause.opener == previous.opener
        and clause.subject is not None
        and clause.subject.has("a")
        and owner is not None
        and _agrees(owner, clause, [owner], words)
    )


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
        if words[nominal.head] in _TIMES and nominal.determiner < 0:
            score -= 6  # Heute Abend läuft es
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
