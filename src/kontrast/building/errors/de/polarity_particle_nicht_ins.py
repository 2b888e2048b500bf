"""Polarity: *nicht* is inserted where it would stand (*stürzt ins Minus* → *stürzt nicht ins Minus*)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kontrast.building.errors.de.grammar import NEGATIVE
from kontrast.building.errors.de.nicht_place import lemmas_of, place_of_nicht
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.german.clauses import Clause, find_clauses
from kontrast.language.german.nominals import find_nominals
from kontrast.language.words import lists_of

PATTERNS = Path(__file__).resolve().parents[3] / "data" / "models" / "de.negation.txt"
_LISTS = {name: frozenset(words) for name, words in lists_of("de").items()}
_NO_MORE = NEGATIVE | _LISTS["nicht_never"]
_STTS = frozenset(("VVFIN", "VAFIN", "VMFIN", "ART", "PPER"))
_NEAR = 4
_INDEFINITE = frozenset(("ein", "eine", "einen", "einem"))


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
    """How the clause opens, what it has before the place, and how its sentence ends."""
    inside = [i for i in sorted(clause.tokens) if i < place]
    first = next((i for i in sorted(clause.tokens) if tags[i] != "KON"), clause.verb)
    start = clause.subject.start if clause.subject is not None else -1
    said = flags(
        verb_first=first == clause.verb,
        question=next((w for w in words[place:] if w in (".", "?", "!")), "") == "?",
        indefinite_object=any(words[i].lower() in _INDEFINITE and i != start for i in inside),
        conjoined=clause.conjoined,
        aside=clause.aside,
        joined=any(tags[i] == "KON" for i in inside),
        at_sign=tags[place].startswith("$"),
        foreign="FM" in (tags[place], tags[place - 1]),
    )
    opener = words[clause.opener].lower() if clause.opener >= 0 else ""
    lemmas = lemmas_of(clause, words)
    return said + flags(
        bound_opener=opener in _LISTS["open_without_negation"]
        or words[first].lower() in _LISTS["open_without_negation"],
        relative=tags[clause.opener] in ("PRELS", "PRELAT") if clause.opener >= 0 else False,
        conditional=opener in ("wenn", "falls"),
        resists=any(words[i].lower() in _LISTS["resists_negation"] for i in inside[-_NEAR:]),
        before_colon=tags[place].startswith("$") and words[place] in ":(",
        before_since=words[place].lower() in ("seit", "um", "bis", "zu", "als"),
        behind_genitive=place > 1 and tags[place - 1] == "NN" and words[place - 2].lower() in ("des", "der"),
        says=bool(lemmas & _LISTS["said"]),
        is_copula=bool(lemmas & {"sein", "werden", "bleiben"}),
        modal=tags[clause.verb] == "VMFIN",
        behind_adverb=tags[place - 1] in ("ADV", "ADJD", "PAV"),
        behind_noun=tags[place - 1] in ("NN", "NE"),
    )


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
