"""Where *nicht* stands in a clause: before the verbs at its end, a predicate or a prepositional phrase."""

from __future__ import annotations

from kontrast.building.perturb.de.speech import SAYING
from kontrast.language.german.clauses import Clause
from kontrast.language.german.nominals import Nominal
from kontrast.language.lexicons.german import readings
from kontrast.language.lexicons.german_words import CLOSED, word_lists

__all__ = ["LISTS", "is_participle", "lemmas_of", "slot_of"]

LISTS = {name: frozenset(words) for name, words in word_lists("de.lists.txt").items() if name.startswith("nicht_")}
_DEGREES, _MODAL_ADVERBS = LISTS["nicht_degree"], LISTS["nicht_modal"]
_AFTER_NICHT, _WHITHER = LISTS["nicht_before"], LISTS["nicht_whither"]
_CLUSTER = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP", "PTKZU", "PTKVZ"))
_WITH_INFINITIVE = frozenset(("lassen", "sehen", "hören", "helfen", "gehen", "lernen", "bleiben", "fühlen", "kommen"))
_ATTRIBUTED = frozenset(("NN", "NE", "CARD", "KON", "PIS", "ART", "PIAT", "PPOSAT", "PDAT", "TRUNC"))
_COMPLEMENTS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT", "KOUI", "KON", "APPR"))
_COPULAS = frozenset(("sein", "werden", "bleiben", "scheinen"))
_DEFINITE = frozenset(("der", "die", "das", "den", "dem", "des"))


def slot_of(clause: Clause, nominals: list[Nominal], words: list[str], tags: list[str]) -> int | None:
    """The index of the token before which nicht belongs: before the verbs at the clause's end, or before a predicate
    or prepositional phrase that stands there; after a definite object where nothing follows."""
    tokens = sorted(i for i in clause.tokens if not tags[i].startswith("$"))
    last = tokens[-1]
    if last + 1 >= len(words):
        return None
    edge = last + 1
    while edge - 1 in tokens and (
        tags[edge - 1] in _CLUSTER
        or (clause.opener >= 0 and edge - 1 == clause.verb)
        or (edge <= last and tags[edge - 1] == "ADJD" and is_participle(words[edge - 1]))
    ):
        edge -= 1
    bracket = edge <= last
    if (not bracket and (clause.opener >= 0 or not tags[edge].startswith("$"))) or not _is_plain(
        clause, tokens, edge, words, tags
    ):
        return None
    if edge - 1 == clause.verb and not bracket:
        start = clause.subject.start if clause.subject is not None else edge
        if lemmas_of(clause, words) & (_COPULAS | {"haben"}) or tags[clause.verb] == "VMFIN":
            return None  # …, ist, wenn
        second = all(start <= i for i in tokens if tags[i] != "KON")
        return edge if second and tags[edge - 2] not in _CLUSTER else None
    before = edge - 1
    if before not in tokens or (before <= clause.verb and clause.opener < 0):
        return None
    if tags[before] == "ADJD":
        return _before_adjective(before, clause, words, tags)
    nominal = next((n for n in nominals if n.head == before), None)
    if nominal is None:
        return _about_adverb(clause, tokens, edge, words, tags) if bracket else None
    return _about_nominal(clause, nominal, edge, last, words, tags)


def _is_plain(clause: Clause, tokens: list[int], edge: int, words: list[str], tags: list[str]) -> bool:
    """Is this a clause whose end is what it seems: no aside, no comparison, no imperative, nothing said after it?"""
    last = tokens[-1]
    if clause.opener >= 0 and any(tags[i] == "PTKVZ" for i in range(clause.verb + 1, last + 1)):
        return False  # what looked like a relative pronoun is an article: , die Adern treten hervor
    if _before_speech(clause, edge, words, tags) or any(tags[i] == "KOKOM" for i in tokens):
        return False  # schneller als die Produktion
    bare = any(tags[i] in ("VVINF", "VVPP") for i in range(edge, last + 1)) and "PTKZU" not in tags[edge : last + 1]
    if (
        bare
        and clause.opener < 0
        and tags[clause.verb] == "VVFIN"
        and not lemmas_of(clause, words) & _WITH_INFINITIVE
    ):
        return False  # no verb that has an infinitive or participle
    first = next(i for i in tokens if tags[i] != "KON")
    if first == clause.verb or words[first].lower() == "wie":
        return False  # sagte er; imperatives; questions; wie kommt das?
    if clause.conjoined and clause.verb == last and is_participle(words[last]):
        return False  # haben Rauch bemerkt und die Feuerwehr alarmiert
    if clause.opener > 0 and words[clause.opener] == "als" and tags[clause.opener - 1] != "$,":
        return False  # mehr als er selbst bekommt
    aside = any(clause.verb < i < edge and tags[i] == "$," for i in clause.tokens)
    return edge <= last or not aside


def lemmas_of(clause: Clause, words: list[str]) -> set[str]:
    return {r.lemma for r in readings(words[clause.verb].lower()) if r.pos == "V"}


def _about_adverb(clause: Clause, tokens: list[int], edge: int, words: list[str], tags: list[str]) -> int | None:
    """After an adverb or pronoun before the verbs at the end; before a direction or what stands for a phrase."""
    before = edge - 1
    if words[before] in _AFTER_NICHT or tags[before - 1] in ("APPR", "KON") or words[before - 1] in _DEGREES:
        return None
    copula = bool(lemmas_of(clause, words) & _COPULAS) and clause.lexical < 0
    if words[edge] == "gewesen" or (tags[before] == "ADV" and (words[before] not in CLOSED or copula)):
        return None  # bankrott war, zurück wären
    if words[before] in _WHITHER:
        return _unless_bound(before, tokens, words)
    if tags[before - 1] == "ADJD":
        return None  # hart daran gearbeitet
    if tags[before] == "PAV" and words[before] not in _MODAL_ADVERBS:
        return _unless_bound(before, tokens, words) if tags[before - 1] not in ("NN", "NE") else None
    return edge if tags[before] in ("ADV", "PRF", "PPER", "PAV") else None


def _about_nominal(
    clause: Clause, nominal: Nominal, edge: int, last: int, words: list[str], tags: list[str]
) -> int | None:
    """Before a prepositional phrase, after a definite object or pronoun."""
    if nominal.preposition >= 0:
        left = nominal.preposition - 1
        if tags[left] in _ATTRIBUTED or (left < clause.verb and clause.opener < 0):
            return None  # an attribute, a range, one of several
        if words[left] in _AFTER_NICHT or words[left] in _MODAL_ADVERBS:
            return None
        return _before_adjective(left, clause, words, tags) if tags[left] == "ADJD" else nominal.preposition
    if nominal.start and tags[nominal.start - 1] in ("NN", "NE", "ADJA", "PIS", "CARD", "PIAT"):
        return None  # zum Präsidenten der Studierenden
    if nominal is clause.subject and clause.opener < 0 and nominal.start < clause.verb:
        return None
    if lemmas_of(clause, words) & _COPULAS and clause.lexical < 0:
        return None  # dass sie die Richtige ist
    if any(words[i] in ("sein", "werden", "bleiben") for i in range(edge, last + 1)):
        return None  # das Richtige zu sein
    sure = (nominal.pronoun and tags[nominal.head] != "PIS") or (
        nominal.determiner >= 0 and words[nominal.determiner].lower() in _DEFINITE
    )
    return edge if sure and not nominal.genitive else None


def _unless_bound(at: int, tokens: list[int], words: list[str]) -> int | None:
    """This place, where the word before it is in the clause and does not belong to the next."""
    return at if at - 1 in tokens and words[at - 1] not in _AFTER_NICHT else None


def _before_speech(clause: Clause, edge: int, words: list[str], tags: list[str]) -> bool:
    """*Ich schätze, es ist …*: what is said follows without a conjunction, so nicht would break it."""
    if edge + 1 >= len(words) or tags[edge] != "$," or clause.opener >= 0 or tags[edge + 1] in _COMPLEMENTS:
        return False
    return edge - 1 == clause.verb or bool(lemmas_of(clause, words) & SAYING)


def is_participle(word: str) -> bool:
    return any(r.pos == "V" and "2" in r.codes for r in readings(word))


def _before_adjective(at: int, clause: Clause, words: list[str], tags: list[str]) -> int | None:
    """Before an adjective and what intensifies it; not within a measure (zwei Wochen lang) or a coordination."""
    if words[at] in _MODAL_ADVERBS:
        return None
    while at - 1 != clause.verb and words[at - 1] in _DEGREES:
        at -= 1
    bound = tags[at - 1] in ("KON", "NN", "CARD", "$,", "ADJD", "PIS", "PIAT", "KOKOM")
    return None if bound or words[at - 1] in _AFTER_NICHT else at
