"""German nouns of people, and of things that English has the same word for."""

from __future__ import annotations

__all__ = ["is_german_person", "is_german_thing"]

_PEOPLE = tuple(
    "minister ministerin regent herr herrn herren könig königin meister mann frau präsident präsidentin chef chefin "
    "berater beraterin freund freundin begleiter begleiterin anwalt richter wächter krieger soldat bruder vater sohn "
    "kanzler kanzlerin sprecher sprecherin leiter leiterin kapitän prinz prinzen prinzessin doktor offizier "
    "therapeut arzt ärztin polizist journalist pilot agent autor künstler lehrer schüler student fahrer bürger "
    "händler sklave diener herzog fürst ritter magier zauberer priester bischof papst kaiser botschafter direktor "
    "professor kommandant general admiral leutnant detektiv kommissar dieb mörder".split()
)
_THINGS = tuple(
    "lautsprecher treiber drucker rechner player server scanner router reiniger recorder rekorder schrauber rover "
    "zähler regler schalter wecker".split()
)


def is_german_person(lemma: str) -> bool:
    """*Kriegsherr*, *Innenminister*: *it* is none of them, whatever the source noun is taken for."""
    return lemma.lower().endswith(_PEOPLE) and not is_german_thing(lemma)


def is_german_thing(lemma: str) -> bool:
    """*Lautsprecher*, *Treiber*: no person, though English has one word for both."""
    return lemma.lower().endswith(_THINGS)
