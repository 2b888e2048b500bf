"""Polarity: *nicht* is taken out or put in (*stürzt ins Minus* → *stürzt nicht ins Minus*), *kein* becomes *ein*."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kontrast.building.errors.de.grammar import LISTS, NEGATIVE, clause_around, companions, finite_verbs
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import Edit, deletion, replaced_word
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.german.clauses import Clause, find_clauses
from kontrast.language.german.nominals import Nominal, find_nominals
from kontrast.language.lexicons.german import readings
from kontrast.language.words import word_set

_NEAR = 4
"""Words between a negation and what it goes badly with."""


@error("negation")
def polarity_particle_nicht_del(sentence: Sentence) -> Iterator[Candidate]:
    """The negation particle nicht is deleted.

    Each word nicht is deleted, one at a time, with the blank before it. Words that belong to the same negation are
    deleted too: gar nicht, noch nicht, nicht mehr, nicht einmal. If nicht begins the sentence, the next word gets a
    capital letter.

    - Das Programm erfüllt seine Funktion nicht. → Das Programm erfüllt seine Funktion.
    - Nicht alle waren dafür. → Alle waren dafür.
    """
    for i, token in enumerate(sentence.tokens):
        if token.text not in ("nicht", "Nicht", "NICHT"):
            continue
        first, last = companions(sentence, i)
        said = negation_features(sentence, i)
        alone = (*said, "companion_left") if (first, last) != (i, i) else said
        yield candidate(sentence, deletion(sentence, i), features=alone)
        if (first, last) != (i, i):
            yield candidate(sentence, deletion(sentence, first, last), features=said)


def negation_features(sentence: Sentence, i: int) -> tuple[str, ...]:
    """What may keep a sentence from turning round without its negation: a correction, an idiom."""
    tokens, clause = sentence.tokens, clause_around(sentence, i)
    near = {tokens[k].text.lower() for k in clause if abs(k - i) <= _NEAR and k != i}
    after = tokens[i + 1].text.lower() if i + 1 < len(tokens) else ""
    opener = tokens[clause[0]].text.lower()
    return doubts(corrected=any(t.text == "sondern" for t in tokens[i:])) + flags(
        bound=after in LISTS["bound_to_nicht"],
        contrasted=i > 0 and tokens[i - 1].text.lower() in (",", "und", "aber", "jedoch", "oder", "–", "-"),
        resists=bool(near & LISTS["resists_negation"]),
        bound_opener=opener in LISTS["open_without_negation"] and opener not in ("was", "wer"),
    )


_KEIN = word_set("de", "negation_kein")


@error("negation")
def polarity_particle_kein_del(sentence: Sentence) -> Iterator[Candidate]:
    """The negative determiner kein becomes ein or is deleted.

    Every form of kein becomes the same form of ein. Before a plural or a mass noun (Geld, Wasser) it is deleted, and
    an adjective takes the strong ending. Words that belong to the same negation are deleted too: noch kein, gar kein,
    kein … mehr.

    - Das ist kein Problem. → Das ist ein Problem.
    - Sie haben keine Kinder. → Sie haben Kinder.
    """
    for i, token in enumerate(sentence.tokens):
        if token.text.lower() not in _KEIN:
            continue
        edit = replaced_word(token, token.text[1:].lower())
        head = token.head if token.relation.startswith("det") and token.head > i else None
        said = (*negation_features(sentence, i), *_noun_features(sentence.tokens[head].text if head else ""))
        better = _better(sentence, i, head, edit)
        left = ("something_left",) if better else ()
        yield candidate(sentence, [edit], features=(*said, *left))
        if better:
            yield candidate(sentence, better, features=(*said, "more_changed"))


def _noun_features(noun: str) -> tuple[str, ...]:
    return flags(
        mass=any(noun.endswith((mass, mass.lower())) for mass in LISTS["mass"] if len(mass) > 3),
        state=noun.endswith(("heit", "keit", "ung")),
    )


def _better(sentence: Sentence, i: int, head: int | None, edit: Edit) -> list[Edit] | None:
    """The edits where k- alone is not enough: no article before plurals and masses, no *noch*, *gar*, *mehr* left."""
    tokens = sentence.tokens
    first, _ = companions(sentence, i)
    more = _mehr_after(sentence, i if head is None else head)
    noun = tokens[head] if head is not None else None
    bare = noun is not None and (noun.morph.get("Number") == "Plur" or noun.text in LISTS["mass"])
    if first == i and more is None and not bare:
        return None
    edits = deletion(sentence, more) if more is not None else []
    if not bare or noun is None or head is None:
        return [*edits, edit, *([(tokens[first].start, tokens[i].start, "")] if first < i else [])]
    low = tokens[i].text.lower()
    for adjective in (t for t in tokens[i + 1 : head] if t.pos == "ADJ"):
        if adjective.text.endswith("en") and low == "keine":
            edits.append((adjective.end - 1, adjective.end, ""))  # keine guten Leute: gute Leute
    return [*edits, *deletion(sentence, first, i)]


def _mehr_after(sentence: Sentence, head: int) -> int | None:
    """The *mehr* of *kein Geld mehr*, in the same clause."""
    tokens = sentence.tokens
    verbs, finite = 0, set(finite_verbs(sentence))
    for k in range(head + 1, min(head + 6, len(tokens))):
        verbs += k in finite
        if tokens[k].pos in ("PUNCT", "CCONJ", "SCONJ") or verbs > 1:
            return None
        if tokens[k].text == "mehr":
            return k
    return None


_EIN = word_set("de", "negation_ein")


@error("negation")
def polarity_particle_kein_ins(sentence: Sentence) -> Iterator[Candidate]:
    """The indefinite article ein becomes kein; its ending does not change.

    - Das bedeutet einen Sieg. → Das bedeutet keinen Sieg.
    - Eine Partei gewann. → Keine Partei gewann.
    """
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if token.text.lower() not in _EIN or not token.relation.startswith("det") or token.head <= i:
            continue
        before = tokens[i - 1].pos if i else ""
        said = flags(
            adverbial=before == "ADP",
            genitive=token.text.lower() in ("eines", "einer") and before in ("NOUN", "PROPN", "DET"),
        )
        edits = [replaced_word(token, "k" + token.text.lower())]
        features = (*said, *negation_features(sentence, i))
        yield candidate(sentence, edits, features=features)


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
        if tags[left] in _ATTRIBUTED:
            return None  # an attribute, a range, one of several
        return _before_adjective(left, clause, words, tags) if tags[left] == "ADJD" else nominal.preposition
    if nominal.start and tags[nominal.start - 1] in ("NN", "NE", "ADJA", "PIS", "CARD", "PIAT"):
        return None  # zum Präsidenten der Studierenden
    if lemmas_of(clause, words) & _COPULAS and clause.lexical < 0:
        return None  # dass sie die Richtige ist
    definite = nominal.determiner >= 0 and words[nominal.determiner].lower() in _DEFINITE
    sure = (nominal.pronoun and tags[nominal.head] != "PIS") or definite
    return edge if sure else None


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


@error("negation")
def polarity_particle_nicht_ins(sentence: Sentence) -> Iterator[Candidate]:
    """The negation particle nicht is inserted.

    The clause has a subject and no negation yet. nicht is inserted before the verbs at the end of the clause, before
    an adjective or prepositional phrase there, or after a definite object or pronoun that ends the clause. Clauses
    with an indefinite noun are left out, because they need kein. It is inserted only between two parts of speech
    between which it occurs in a corpus (UD German GSD).

    - Die Börse stürzt ins Minus. → Die Börse stürzt nicht ins Minus.
    - Er hat den Plan gesehen. → Er hat den Plan nicht gesehen.
    """
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
        if place is None:
            continue
        if (coarse(tags[place - 1]), coarse(tags[place])) not in _patterns():
            continue
        sign = tags[place].startswith("$")
        at = sentence.tokens[place - 1].end if sign else sentence.tokens[place].start
        edit = (at, at, " nicht" if sign else "nicht ")
        said = _clause_features(clause, place, words, tags)
        yield candidate(sentence, [edit], features=said)


def _clause_features(clause: Clause, place: int, words: list[str], tags: list[str]) -> tuple[str, ...]:
    """How the clause opens, what stands about the place, and how the sentence ends."""
    inside = [i for i in sorted(clause.tokens) if i < place]
    first = next((i for i in sorted(clause.tokens) if tags[i] != "KON"), clause.verb)
    openers = {words[first].lower(), words[clause.opener].lower() if clause.opener >= 0 else ""}
    return flags(
        question=next((w for w in words[place:] if w in (".", "?", "!")), "") == "?",
        at_sign=tags[place].startswith("$"),
        bound_opener=bool(openers & LISTS["open_without_negation"]),
        resists=any(words[i].lower() in LISTS["resists_negation"] for i in inside[-_NEAR:]),
        behind_adverb=tags[place - 1] in ("ADV", "ADJD", "PAV"),
    )
