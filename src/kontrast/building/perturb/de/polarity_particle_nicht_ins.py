"""Polarity: *nicht* is inserted where it would stand (*stürzt ins Minus* → *stürzt nicht ins Minus*)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.german_clauses import Clause, find_clauses
from kontrast.language.german_nominals import Nominal, find_nominals
from kontrast.language.lexicons.german import readings

PATTERNS = Path(__file__).resolve().parents[3] / "data" / "models" / "de.negation.txt"
_NEGATIVE = frozenset(
    "nicht kein keine keinen keinem keiner keines nie niemals niemand niemandem niemanden nichts kaum weder "
    "nirgends keineswegs keinesfalls nur bloß sondern".split(" ")
)
_CLUSTER = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP", "PTKZU", "PTKVZ"))
_FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN"))
_INTENSIFIERS = frozenset(("sehr", "so", "ganz", "besonders", "ziemlich", "zu", "völlig", "wirklich", "allzu"))
_MODAL_ADVERBS = frozenset(("wahrscheinlich", "natürlich", "angeblich", "vermutlich", "offensichtlich", "eigentlich"))
_AFTER_NICHT = frozenset(("gerne", "gern", "immer", "je", "etwas", "zusammen", "wieder", "oben", "sehr", "nun"))
_COPULAS = frozenset(("sein", "werden", "bleiben", "scheinen"))
_DEFINITE = frozenset(("der", "die", "das", "den", "dem", "des"))


@lru_cache(maxsize=1)
def _patterns() -> frozenset[tuple[str, str]]:
    """Pairs of tags between which nicht stood in a corpus (``tools/german_negation.py``)."""
    lines = PATTERNS.read_text(encoding="utf-8").splitlines()
    return frozenset((a, b) for a, b, _ in (line.split() for line in lines if not line.startswith("#")))


def coarse(tag: str) -> str:
    """Tags that matter alike for the place of nicht: APPRART as APPR, finite verbs, nouns, determiners."""
    if tag.endswith("FIN"):
        return "FIN"
    if tag in ("NN", "NE"):
        return "N"
    if tag in ("PPOSAT", "PDAT", "PIAT"):
        return "ART"
    return {"APPRART": "APPR", "VAINF": "VVINF", "VAPP": "VVPP", "VMINF": "VVINF", "PAV": "ADV"}.get(tag, tag)


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    words = [t.text for t in sentence.tokens]
    tags = [t.tag for t in sentence.tokens]
    nominals = find_nominals(words, tags)
    for clause in find_clauses(words, tags, nominals):
        if clause.subject is None or any(words[i].lower() in _NEGATIVE for i in clause.tokens):
            continue
        slot = _slot(clause, nominals, words, tags)
        if (
            slot is None
            or not 0 < slot < len(words)
            or (coarse(tags[slot - 1]), coarse(tags[slot])) not in _patterns()
        ):
            continue
        if tags[slot] == "$(":
            continue
        if tags[slot].startswith("$"):
            at = sentence.tokens[slot - 1].end
            edit = (at, at, " nicht")
        else:
            at = sentence.tokens[slot].start
            edit = (at, at, "nicht ")
        yield candidate("polarity_particle_nicht_ins", sentence, [edit])


def _slot(clause: Clause, nominals: list[Nominal], words: list[str], tags: list[str]) -> int | None:
    """The index of the token before which nicht belongs: before the verbs at the clause's end, or before a predicate
    or prepositional phrase that stands there; after a definite object where nothing follows."""
    tokens = sorted(i for i in clause.tokens if not tags[i].startswith("$"))
    last = tokens[-1]
    if last + 1 >= len(words):
        return None
    edge = last + 1
    while edge - 1 in tokens and (tags[edge - 1] in _CLUSTER or (clause.opener >= 0 and edge - 1 == clause.verb)):
        edge -= 1
    bracket = edge <= last
    if not bracket and (clause.opener >= 0 or not tags[edge].startswith("$")):
        return None
    first = next(i for i in tokens if tags[i] != "KON")
    if first == clause.verb and words[-1] != "?":
        return None  # sagte er; imperatives
    if not bracket and any(clause.verb < i < edge and tags[i] == "$," for i in clause.tokens):
        return None  # what follows the comma is an aside
    if edge - 1 == clause.verb and not bracket:
        start = clause.subject.start if clause.subject is not None else edge
        second = all(start <= i for i in tokens if tags[i] != "KON")
        return edge if second and tags[edge - 2] not in _CLUSTER else None
    before = edge - 1
    if before not in tokens or (before <= clause.verb and clause.opener < 0):
        return None
    if tags[before] == "ADJD":
        return _before_adjective(before, clause, words, tags)
    nominal = next((n for n in nominals if n.head == before), None)
    if nominal is None:
        free = words[before] not in _AFTER_NICHT and tags[before - 1] not in ("APPR", "KON")
        return edge if bracket and free and tags[before] in ("ADV", "PRF", "PPER", "PAV") else None
    if nominal.preposition >= 0:
        left = nominal.preposition - 1
        if tags[left] in ("NN", "NE", "CARD", "KON", "PIS") or (left < clause.verb and clause.opener < 0):
            return None  # an attribute, a range, one of several
        return _before_adjective(left, clause, words, tags) if tags[left] == "ADJD" else nominal.preposition
    if nominal is clause.subject and clause.opener < 0 and nominal.start < clause.verb:
        return None
    lemmas = {r.lemma for r in readings(words[clause.verb].lower()) if r.pos == "V"}
    if lemmas & _COPULAS and not bracket:
        return None
    sure = nominal.pronoun or (nominal.determiner >= 0 and words[nominal.determiner].lower() in _DEFINITE)
    return edge if sure and not nominal.genitive else None


def _before_adjective(at: int, clause: Clause, words: list[str], tags: list[str]) -> int | None:
    """Before an adjective and what intensifies it; not within a measure (zwei Wochen lang) or a coordination."""
    if words[at].endswith("lich") and words[at] in _MODAL_ADVERBS:
        return None
    while at - 1 != clause.verb and words[at - 1] in _INTENSIFIERS:
        at -= 1
    return None if tags[at - 1] in ("KON", "NN", "CARD", "$,") or words[at - 1] in _AFTER_NICHT else at


perturbation = Perturbation(
    name="polarity_particle_nicht_ins",
    language="de",
    summary="the negation particle nicht is inserted",
    conditions=(
        "The clause has a subject and no negation yet.",
        "nicht goes before the verbs at the clause's end, before an adjective or prepositional phrase that stands "
        "there, or after a definite object or pronoun that ends the clause; indefinite nouns want kein.",
        "It must stand between two parts of speech between which it was seen in a corpus (UD German GSD).",
    ),
    examples=(
        Example("Die Börse stürzt ins Minus.", "Die Börse stürzt nicht ins Minus."),
        Example("Er hat den Plan gesehen.", "Er hat den Plan nicht gesehen."),
        Example("Das gefällt niemandem.", None),
    ),
    function=_negated,
)
