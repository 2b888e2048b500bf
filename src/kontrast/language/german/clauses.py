"""The clauses of a German sentence with their subjects: which nominal agrees with the verb and fits best."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.german.phrases import Nominal
from kontrast.language.german.segments import Clause, segment
from kontrast.language.german.verbs import finite_codes
from kontrast.language.words import word_set

__all__ = ["Clause", "find_clauses"]

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
    """The nominal that agrees with the verb and stands best for a subject."""
    shares = clause.conjoined and not any(
        i < clause.verb and tags[i] not in ("KON", "$,", "$(") for i in clause.tokens
    )
    fitting = [
        n
        for n in nominals
        if _may_be_subject(n, clause, nominals, words)
        and (not shares or _is_sure(n, words) or _is_inverted(n, clause, tags))
    ]
    best: Nominal | None = None
    best_score = -1
    for place, nominal in enumerate(fitting):
        score = (10 if _is_sure(nominal, words) else 0) + (3 if place == 0 else 0)
        score += _by_place(nominal, clause, nominals) + _by_form(nominal, clause, words, tags)
        if score > best_score:
            best, best_score = nominal, score
    clause.certain = len(fitting) == 1 or best_score >= 10
    return best


def _may_be_subject(nominal: Nominal, clause: Clause, nominals: Sequence[Nominal], words: Sequence[str]) -> bool:
    if nominal.preposition >= 0 or nominal.inside or not _agrees(nominal, clause, nominals, words):
        return False
    return nominal.pronoun or not nominal.genitive or nominal.has("n")


def _is_sure(nominal: Nominal, words: Sequence[str]) -> bool:
    """Nominative by its form: *er*, *der Mann*."""
    if nominal.pronoun:
        return words[nominal.head].lower() in _SURE
    return nominal.determiner >= 0 and all(c[1] == "n" for c in nominal.cells)


def _is_inverted(nominal: Nominal, clause: Clause, tags: Sequence[str]) -> bool:
    """*und kommt sie*."""
    return nominal.pronoun and tags[nominal.head] == "PPER" and nominal.head == clause.verb + 1


def _by_place(nominal: Nominal, clause: Clause, nominals: Sequence[Nominal]) -> int:
    """Right behind the verb, or before it in a main clause."""
    behind = nominal.start > clause.verb and not any(clause.verb < n.head < nominal.start for n in nominals)
    before = nominal.head < clause.verb and clause.opener < 0
    return 2 * behind + 2 * before


def _by_form(nominal: Nominal, clause: Clause, words: Sequence[str], tags: Sequence[str]) -> int:
    """Pronouns rather than nouns; no genitives, times (*Heute Abend läuft es*) and names behind a noun."""
    score = 0
    if nominal.pronoun and tags[nominal.head] == "PPER":
        score += 3 if words[nominal.head].lower() != "es" else 1
    if tags[nominal.head] == "PRELS" and nominal.head == clause.opener:
        score += 4
    if nominal.genitive:
        score -= 4
    if words[nominal.head] in _TIMES and nominal.determiner < 0:
        score -= 6
    if tags[nominal.head] == "NE" and nominal.head and tags[nominal.head - 1] == "NN":
        score -= 5
    return score


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
