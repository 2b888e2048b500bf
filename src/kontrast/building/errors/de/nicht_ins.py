"""Polarity: *nicht* is inserted where it would stand (*stürzt ins Minus* → *stürzt nicht ins Minus*)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kontrast.building.errors.de.grammar import LISTS, NEGATIVE
from kontrast.building.errors.spec import Candidate, candidate, flags
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.german.clauses import Clause, find_clauses
from kontrast.language.german.nominals import Nominal, find_nominals
from kontrast.language.lexicons.german import readings
from kontrast.language.words import word_set

_CLUSTER = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP", "PTKZU", "PTKVZ"))
_ATTRIBUTED = frozenset(("NN", "NE", "CARD", "KON", "PIS", "ART", "PIAT", "PPOSAT", "PDAT", "TRUNC"))
_COPULAS = word_set("de", "nicht_ins_copulas")
_DEFINITE = word_set("de", "nicht_ins_definite")


def place_of_nicht(clause: Clause, nominals: list[Nominal], words: list[str], tags: list[str]) -> int | None:
    """The index of the token before which nicht belongs: before the verbs at the clause's end, or before a predicate
    or prepositional phrase that stands there; after a definite object where nothing follows."""
    tokens = sorted(i for i in clause.tokens if not tags[i].startswith("$"))
    last = tokens[-1]
    edge = last + 1
    if edge >= len(words):
        return None
    while edge - 1 in tokens and (tags[edge - 1] in _CLUSTER or (clause.opener >= 0 and edge - 1 == clause.verb)):
        edge -= 1
    bracket = edge <= last
    if not bracket and (clause.opener >= 0 or not tags[edge].startswith("$")):
        return None
    if edge - 1 == clause.verb and not bracket:
        copula = lemmas_of(clause, words) & (_COPULAS | {"haben"}) or tags[clause.verb] == "VMFIN"
        return None if copula or tags[edge - 2] in _CLUSTER else edge
    before = edge - 1
    if before not in tokens or (before <= clause.verb and clause.opener < 0):
        return None
    if tags[before] == "ADJD":
        return _before_adjective(before, clause, words, tags)
    nominal = next((n for n in nominals if n.head == before), None)
    if nominal is not None:
        return _about_nominal(clause, nominal, edge, words, tags)
    return _about_adverb(tokens, edge, words, tags) if bracket else None


def lemmas_of(clause: Clause, words: list[str]) -> set[str]:
    return {r.lemma for r in readings(words[clause.verb].lower()) if r.pos == "V"}


def _about_adverb(tokens: list[int], edge: int, words: list[str], tags: list[str]) -> int | None:
    """After an adverb or pronoun before the verbs at the end; before a direction or what stands for a phrase."""
    before = edge - 1
    if words[before] in LISTS["nicht_before"] or tags[before - 1] in ("APPR", "KON", "ADJD"):
        return None
    if words[before] in LISTS["nicht_whither"] or (
        tags[before] == "PAV" and words[before] not in LISTS["nicht_modal"]
    ):
        return before if before - 1 in tokens and words[before - 1] not in LISTS["nicht_before"] else None
    return edge if tags[before] in ("ADV", "PRF", "PPER", "PAV") else None


def _about_nominal(clause: Clause, nominal: Nominal, edge: int, words: list[str], tags: list[str]) -> int | None:
    """Before a prepositional phrase, after a definite object or pronoun."""
    if nominal.preposition >= 0:
        left = nominal.preposition - 1
        if tags[left] in _ATTRIBUTED or (left < clause.verb and clause.opener < 0):
            return None  # an attribute, a range, one of several
        return _before_adjective(left, clause, words, tags) if tags[left] == "ADJD" else nominal.preposition
    if nominal.start and tags[nominal.start - 1] in ("NN", "NE", "ADJA", "PIS", "CARD", "PIAT"):
        return None  # zum Präsidenten der Studierenden
    if lemmas_of(clause, words) & _COPULAS and clause.lexical < 0:
        return None  # dass sie die Richtige ist
    definite = nominal.determiner >= 0 and words[nominal.determiner].lower() in _DEFINITE
    sure = (nominal.pronoun and tags[nominal.head] != "PIS") or definite
    return edge if sure and not nominal.genitive else None


def _before_adjective(at: int, clause: Clause, words: list[str], tags: list[str]) -> int | None:
    """Before an adjective and what intensifies it; not within a measure (zwei Wochen lang) or a coordination."""
    if words[at] in LISTS["nicht_modal"]:
        return None
    while at - 1 != clause.verb and words[at - 1] in LISTS["nicht_degree"]:
        at -= 1
    bound = tags[at - 1] in ("KON", "NN", "CARD", "$,", "ADJD", "PIS", "PIAT", "KOKOM")
    return None if bound or words[at - 1] in LISTS["nicht_before"] else at


PATTERNS = Path(__file__).resolve().parents[3] / "data" / "models" / "de.negation.txt"
_NO_MORE = NEGATIVE | LISTS["nicht_never"]
_STTS = frozenset(("VVFIN", "VAFIN", "VMFIN", "ART", "PPER"))
_NEAR = 4


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


def polarity_particle_nicht_ins(sentence: Sentence) -> Iterator[Candidate]:
    if not any(t.tag in _STTS for t in sentence.tokens):
        # Trees without STTS tags (UD German PUD): the default back end has them.
        sentence = next(annotators.get("de", "rules").annotate([sentence.text]))
    words = [t.text for t in sentence.tokens]
    tags = [t.tag for t in sentence.tokens]
    nominals = find_nominals(words, tags)
    for clause in find_clauses(words, tags, nominals):
        if clause.subject is None or any(words[i].lower() in _NO_MORE for i in clause.tokens):
            continue
        place = place_of_nicht(clause, nominals, words, tags)
        if place is None or not 0 < place < len(words):
            continue
        if (coarse(tags[place - 1]), coarse(tags[place])) not in _patterns() or tags[place - 1].startswith("APPR"):
            continue
        sign = tags[place].startswith("$")
        at = sentence.tokens[place - 1].end if sign else sentence.tokens[place].start
        edit = (at, at, " nicht" if sign else "nicht ")
        said = _clause_features(clause, place, words, tags)
        yield candidate("polarity_particle_nicht_ins", sentence, [edit], features=said)


def _clause_features(clause: Clause, place: int, words: list[str], tags: list[str]) -> tuple[str, ...]:
    """How the clause opens, what stands about the place, and how the sentence ends."""
    inside = [i for i in sorted(clause.tokens) if i < place]
    first = next((i for i in sorted(clause.tokens) if tags[i] != "KON"), clause.verb)
    openers = {words[first].lower(), words[clause.opener].lower() if clause.opener >= 0 else ""}
    sign = tags[place].startswith("$")
    return flags(
        question=next((w for w in words[place:] if w in (".", "?", "!")), "") == "?",
        at_sign=sign,
        before_colon=sign and words[place] in ":(",
        bound_opener=bool(openers & LISTS["open_without_negation"]),
        resists=any(words[i].lower() in LISTS["resists_negation"] for i in inside[-_NEAR:]),
        before_since=words[place].lower() in ("seit", "um", "bis", "zu", "als"),
        behind_adverb=tags[place - 1] in ("ADV", "ADJD", "PAV"),
    )
