"""Polarity: *nicht* is inserted where it would stand (*stürzt ins Minus* → *stürzt nicht ins Minus*)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kontrast.building.perturb.de.negation import NEGATIVE, asks_yes_or_no
from kontrast.building.perturb.de.nicht_doubts import is_odd
from kontrast.building.perturb.de.nicht_slot import LISTS, is_participle, lemmas_of, slot_of
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.german.clauses import Clause, find_clauses
from kontrast.language.german.nominals import find_nominals
from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.lexicons.german_words import CLOSED, PREPOSITION_CASES

PATTERNS = Path(__file__).resolve().parents[3] / "data" / "models" / "de.negation.txt"
_NO_MORE = NEGATIVE | LISTS["nicht_never"]
_STTS = frozenset(("VVFIN", "VAFIN", "VMFIN", "ART", "PPER"))
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
        slot = slot_of(clause, nominals, words, tags)
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
    if clause.verb and words[clause.verb - 1] == "," and is_participle(words[clause.verb].lower()):
        return True  # ein Damm, errichtet von
    adverbs = (words[i].lower() for i in sorted(clause.tokens) if i < slot and tags[i] == "ADV")
    if any(word not in _LOOSE for word in adverbs) or words[slot] == "um" or words[slot - 1] in ("weniger", "mehr"):
        return True  # endlich, irgendwo, ausschließlich …: nicht has another place or sense beside them
    if clause.verb and words[clause.verb - 1].lower() in ("beim", "zum", "im", "vom", "am"):
        return True  # beim lesen
    if words[slot - 1] in ("zurück", "hinauf", "hinunter", "her", "weiter") and tags[slot] in ("APPR", "APPRART"):
        return True
    if tags[slot] == "ADJD" and lemmas_of(clause, words) & SAYING:
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
