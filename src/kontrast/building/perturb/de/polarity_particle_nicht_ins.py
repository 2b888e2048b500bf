"""Polarity: *nicht* is inserted where it would stand (*stürzt ins Minus* → *stürzt nicht ins Minus*)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kontrast.building.perturb.de.negation import NEGATIVE, asks_yes_or_no
from kontrast.building.perturb.de.nicht_doubts import is_odd
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.german.clauses import Clause, find_clauses
from kontrast.language.german.nominals import Nominal, find_nominals
from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.lexicons.german_words import CLOSED, PREPOSITION_CASES, word_lists

PATTERNS = Path(__file__).resolve().parents[3] / "data" / "models" / "de.negation.txt"
_LISTS = {name: frozenset(words) for name, words in word_lists("de.lists.txt").items() if name.startswith("nicht_")}
_NO_MORE = NEGATIVE | _LISTS["nicht_never"]
_DEGREES, _MODAL_ADVERBS = _LISTS["nicht_degree"], _LISTS["nicht_modal"]
_AFTER_NICHT, _WHITHER = _LISTS["nicht_before"], _LISTS["nicht_whither"]
_STTS = frozenset(("VVFIN", "VAFIN", "VMFIN", "ART", "PPER"))
_CLUSTER = frozenset(("VVPP", "VVINF", "VVIZU", "VAPP", "VAINF", "VMINF", "VMPP", "PTKZU", "PTKVZ"))
_WITH_INFINITIVE = frozenset(("lassen", "sehen", "hören", "helfen", "gehen", "lernen", "bleiben", "fühlen", "kommen"))
_ATTRIBUTED = frozenset(("NN", "NE", "CARD", "KON", "PIS", "ART", "PIAT", "PPOSAT", "PDAT", "TRUNC"))
_COMPLEMENTS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT", "KOUI", "KON", "APPR"))
_KEPT = frozenset(("ob", "wie", "bevor", "ehe", "bis", "je"))
"""Openers of clauses whose meaning nicht does not turn round, or that are asides."""
_HINDERS = frozenset(
    "je jemals zumindest wenigstens bereits schon etwas jemand irgendwann bald bisschen bißchen".split()
)
_OFTEN = frozenset("mehrmals unaufhörlich oft häufig ständig immer stets manchmal zuweilen gleich besser hin".split())
"""*nicht oft*, not *oft nicht*."""
_LOOSE = frozenset(
    "jedoch daher dann also heute hier jetzt nun dort da deshalb darum aber doch so gestern morgen damals danach "
    "außerdem dadurch auch selbst meist sowieso hierbei dabei damit".split()
)
"""Adverbs behind which nicht stands as without them."""
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
    if not any(t.tag in _STTS for t in sentence.tokens):
        # Trees without STTS tags (UD German PUD): the default back end has them.
        sentence = next(annotators.get("de", "rules").annotate([sentence.text]))
    words = [t.text for t in sentence.tokens]
    tags = [t.tag for t in sentence.tokens]
    nominals = find_nominals(words, tags)
    for clause in find_clauses(words, tags, nominals):
        if clause.subject is None or any(words[i].lower() in _NO_MORE for i in clause.tokens):
            continue
        if asks_yes_or_no(sentence, clause.verb) or (clause.opener >= 0 and words[clause.opener].lower() in _KEPT):
            continue
        slot = _slot(clause, nominals, words, tags)
        if (
            slot is None
            or not 0 < slot < len(words)
            or (coarse(tags[slot - 1]), coarse(tags[slot])) not in _patterns()
        ):
            continue
        if tags[slot] == "$(" or tags[slot - 1] in ("APPR", "APPRART") or _is_hindered(clause, slot, words, tags):
            continue
        if tags[slot].startswith("$"):
            at = sentence.tokens[slot - 1].end
            if sentence.text[sentence.tokens[slot].end :][:1].isalnum():
                continue  # Python-3.x
            edit = (at, at, " nicht")
        else:
            at = sentence.tokens[slot].start
            edit = (at, at, "nicht ")
        # alles wird nicht gut: not everything, or nothing
        weak = any(words[i].lower() in ("alles", "jeder", "jedes", "jede") for i in clause.tokens if i < slot)
        weak = weak or words[slot] in ("recht", "ziemlich", "eher", "einigermaßen")  # nicht recht langsam: not quite
        weak = weak or is_odd(clause, slot, words, tags)
        yield candidate("polarity_particle_nicht_ins", sentence, [edit], weak=weak)


def _is_hindered(clause: Clause, slot: int, words: list[str], tags: list[str]) -> bool:
    """*bereits … nicht*, *seit er nicht*, *etwas … nicht*: not said, or not the opposite."""
    inside = [words[i].lower() for i in sorted(clause.tokens) if i < slot]
    if clause.opener < 0 and 0 < clause.verb < 4 and words[clause.verb - 1] == ",":
        return True  # Bäh, ist das nicht eklig: said of what is
    if next((w for w in words[slot:] if w in (".", "?", "!")), "") == "?" or {"was", "jeweils", "gleichfalls"} & set(
        inside
    ):
        return True  # a question is hardly another with nicht
    if clause.opener > 1 and words[clause.opener].lower() == "als" and words[clause.opener - 2].endswith("er"):
        return True  # schneller, als er sagt
    if tags[slot] in ("APPR", "APPRART") and tags[slot - 1] == "ADV" and words[slot - 1] in ("hier", "dort", "da"):
        return True
    opener = words[clause.opener].lower() if clause.opener >= 0 else ""
    if clause.opener >= 0 and tags[clause.opener] in ("PWAV", "PWS", "PWAT"):
        return True  # wohin sie verschwunden sind
    if clause.opener > 1 and tags[clause.opener].startswith("PREL") and _is_the_most(clause.opener, words, tags):
        return True  # das wirrste Wort, das ich gehört habe
    if _HINDERS & set(inside) or opener in ("seit", "seitdem", "sobald") or inside[0].startswith("welch"):
        return True
    if tags[slot] == "$." and words[slot] == ":":
        return True  # before what is said
    if "FM" in (tags[slot], tags[slot - 1]) or words[slot - 1] in _OFTEN or words[slot] in ("besser", "hin"):
        return True
    if "weder" in words or words[slot] in ("seit", "bis", "ab") or "/" in words[slot - 1] or tags[slot - 1] == "$(":
        return True
    if clause.verb and words[clause.verb - 1] == "," and _is_participle(words[clause.verb].lower()):
        return True  # ein Damm, errichtet von
    adverbs = (words[i].lower() for i in sorted(clause.tokens) if i < slot and tags[i] == "ADV")
    if any(word not in _LOOSE for word in adverbs) or words[slot] == "um" or words[slot - 1] in ("weniger", "mehr"):
        return True  # endlich, irgendwo, ausschließlich …: nicht has another place or sense beside them
    if clause.verb and words[clause.verb - 1].lower() in ("beim", "zum", "im", "vom", "am"):
        return True  # beim lesen
    if words[slot - 1] in ("zurück", "hinauf", "hinunter", "her", "weiter") and tags[slot] in ("APPR", "APPRART"):
        return True
    if tags[slot] == "ADJD" and _lemmas(clause, words) & SAYING:
        return True  # sagt nachdenklich
    if words[slot - 1] in (",", "als") or words[slot - 1].endswith("einander") or opener == "als":
        return True  # zugleich, nicht auf; nebeneinander nicht in
    if words[slot - 1].lower() in PREPOSITION_CASES or not (_is_known(words[slot - 1]) and _is_known(words[slot])):
        return True  # über nicht irc.gnome.org; epitheton nicht ornans
    if _has_indefinite_object(clause, slot, words, tags):
        return True
    behind = range(clause.verb + 1, slot)
    joined = any(tags[i] == "KON" for i in behind)
    if tags[slot].startswith("$") and (joined or any(tags[i] in ("APPR", "APPRART") for i in behind)):
        return True  # gehört zu 70% mir und zu 40% dem Klub
    return ("oder" in inside and joined) or _has_bare_object(clause, slot, words, tags)


def _is_the_most(opener: int, words: list[str], tags: list[str]) -> bool:
    """Does the relative clause belong to a noun with a superlative?"""
    i = opener - 1
    while i > max(opener - 9, 0) and not tags[i - 1].startswith(("$", "V")):
        i -= 1
    there = (words[k].lower() for k in range(i, opener) if tags[k] in ("ADJA", "NN"))
    return any(re.fullmatch(r"(?!erst)\w{2,}ste[nmrs]?", word) for word in there)


def _is_known(word: str) -> bool:
    """A German word, a name or a sign; not one of another language."""
    low = word.lower()
    if not low.isalpha() or word[0].isupper() or low in CLOSED:
        return True
    return bool(readings(low)) or adjective_lemma(low) is not None or "zu" in low


def _has_indefinite_object(clause: Clause, slot: int, words: list[str], tags: list[str]) -> bool:
    """*eine Einheit hierhin bewegen*: what is negated there is eine."""
    subject = clause.subject.start if clause.subject is not None else -1
    return any(
        words[i].lower() in ("ein", "eine", "einen", "einem")
        and i != subject
        and tags[i - 1] not in ("APPR", "APPRART", "ADJD", "ADV", "KOKOM")
        for i in clause.tokens
        if clause.verb < i < slot or (clause.opener >= 0 and clause.opener < i < slot)
    )


def _has_bare_object(clause: Clause, slot: int, words: list[str], tags: list[str]) -> bool:
    """*weil er Jagd auf sie macht*: a noun without a determiner wants kein."""
    free = ("PPER", "PRF", "ADV", "VVFIN", "VAFIN", "VMFIN", "NN", "PTKVZ", "PRELS")
    start = clause.subject.start if clause.subject is not None else -1
    return any(
        tags[i] == "NN" and i != start and tags[i - 1] in free and i + 1 < slot and tags[i + 1] in ("APPR", "APPRART")
        for i in clause.tokens
        if 0 < i < slot and (clause.subject is None or i != clause.subject.head)
    )


def _slot(clause: Clause, nominals: list[Nominal], words: list[str], tags: list[str]) -> int | None:
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
        or (edge <= last and tags[edge - 1] == "ADJD" and _is_participle(words[edge - 1]))
    ):
        edge -= 1
    bracket = edge <= last
    if (not bracket and (clause.opener >= 0 or not tags[edge].startswith("$"))) or not _is_plain(
        clause, tokens, edge, words, tags
    ):
        return None
    if edge - 1 == clause.verb and not bracket:
        start = clause.subject.start if clause.subject is not None else edge
        if _lemmas(clause, words) & (_COPULAS | {"haben"}) or tags[clause.verb] == "VMFIN":
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
    if bare and clause.opener < 0 and tags[clause.verb] == "VVFIN" and not _lemmas(clause, words) & _WITH_INFINITIVE:
        return False  # no verb that has an infinitive or participle
    first = next(i for i in tokens if tags[i] != "KON")
    if first == clause.verb or words[first].lower() == "wie":
        return False  # sagte er; imperatives; questions; wie kommt das?
    if clause.conjoined and clause.verb == last and _is_participle(words[last]):
        return False  # haben Rauch bemerkt und die Feuerwehr alarmiert
    if clause.opener > 0 and words[clause.opener] == "als" and tags[clause.opener - 1] != "$,":
        return False  # mehr als er selbst bekommt
    aside = any(clause.verb < i < edge and tags[i] == "$," for i in clause.tokens)
    return edge <= last or not aside


def _lemmas(clause: Clause, words: list[str]) -> set[str]:
    return {r.lemma for r in readings(words[clause.verb].lower()) if r.pos == "V"}


def _about_adverb(clause: Clause, tokens: list[int], edge: int, words: list[str], tags: list[str]) -> int | None:
    """After an adverb or pronoun before the verbs at the end; before a direction or what stands for a phrase."""
    before = edge - 1
    if words[before] in _AFTER_NICHT or tags[before - 1] in ("APPR", "KON") or words[before - 1] in _DEGREES:
        return None
    copula = bool(_lemmas(clause, words) & _COPULAS) and clause.lexical < 0
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
    if _lemmas(clause, words) & _COPULAS and clause.lexical < 0:
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
    return edge - 1 == clause.verb or bool(_lemmas(clause, words) & SAYING)


def _is_participle(word: str) -> bool:
    return any(r.pos == "V" and "2" in r.codes for r in readings(word))


def _before_adjective(at: int, clause: Clause, words: list[str], tags: list[str]) -> int | None:
    """Before an adjective and what intensifies it; not within a measure (zwei Wochen lang) or a coordination."""
    if words[at] in _MODAL_ADVERBS:
        return None
    while at - 1 != clause.verb and words[at - 1] in _DEGREES:
        at -= 1
    bound = tags[at - 1] in ("KON", "NN", "CARD", "$,", "ADJD", "PIS", "PIAT", "KOKOM")
    return None if bound or words[at - 1] in _AFTER_NICHT else at


perturbation = Perturbation(
    name="polarity_particle_nicht_ins",
    language="de",
    summary="the negation particle nicht is inserted",
    conditions=(
        "The clause has a subject and no negation yet; no question with the verb first; no clause with ob, wie, bis.",
        "nicht goes before the verbs at the clause's end, before an adjective or prepositional phrase that stands "
        "there, or after a definite object or pronoun that ends the clause; indefinite nouns want kein.",
        "Not beside an adverb that may want it elsewhere (endlich, irgendwo, ausschließlich), nor where the object "
        "has ein.",
        "Not in a relative clause on a superlative (das Beste, das er gesehen hat).",
        "It must stand between two parts of speech between which it was seen in a corpus (UD German GSD).",
    ),
    examples=(
        Example("Die Börse stürzt ins Minus.", "Die Börse stürzt nicht ins Minus."),
        Example("Er hat den Plan gesehen.", "Er hat den Plan nicht gesehen."),
        Example("Das gefällt niemandem.", None),
    ),
    function=_negated,
)
