"""Words behind a French subject that keep its old gender and have no noun of their own: *Il est bu froid*.

The lexicon tells which words have one gender only, the annotation which of them go with a noun or with another
subject; what is left may agree with the pronoun, and is a doubt.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from kontrast.language.annotation import Sentence, Token
from kontrast.language.french import AVOIR
from kontrast.language.lexicons.french import Gender, Number, is_form, lemmas, noun_genders

__all__ = ["kept_word"]

_FIXED = frozenset(
    "été tout toute tous toutes même cher fort haut bas dur net juste court faux clair bon mauvais droit vrai "
    "soudain seul compris vu excepté passé sauf plein tel telle certain certaine quel quelle dit fait sûr "
    "exprès lourd possible impossible nécessaire ensemble mieux moins plus".split()
)
"""Adverbs, prepositions and words that are often said of nothing."""
_UP = ("conj", "xcomp", "acomp", "advcl", "parataxis", "ccomp", "advmod", "obl:mod", "dep", "cop", "aux", "aux:pass")
_WITH_NOUNS = ("amod", "acl", "acl:relcl", "det", "nmod", "appos", "fixed", "flat:name", "case", "compound", "obj")
_HOSTS = ("NOUN", "PROPN", "NUM")


def kept_word(sentence: Sentence, pronoun: int, gender: Gender, number: Number, changed: Set[int]) -> str:
    """The first such word behind the pronoun's token; ``changed`` are the starts of words that change with it."""
    tokens = sentence.tokens
    for k in range(pronoun + 1, len(tokens)):
        low = tokens[k].text.lower()
        if tokens[k].start in changed or low in _FIXED or tokens[k].pos not in ("ADJ", "VERB"):
            continue
        other: Gender = "f" if gender == "m" else "m"
        one_gender = is_form(low, gender, number) and not is_form(low, other, number)
        if one_gender and lemmas(low, "ka") and not _has_its_own(tokens, k, pronoun, gender, changed):
            return tokens[k].text
    return ""


def _has_its_own(tokens: Sequence[Token], k: int, pronoun: int, gender: Gender, changed: Set[int]) -> bool:
    """Has it a noun or another subject, or is it the participle of a perfect?"""
    if k + 1 < len(tokens) and tokens[k + 1].pos in _HOSTS:
        return True
    if tokens[k - 1].pos in ("DET", *_HOSTS):
        return True
    if _is_perfect(tokens, k) or tokens[k].morph.get("VerbForm") in ("Fin", "Inf"):
        return True
    at, seen = k, set()
    while at >= 0 and at not in seen:
        seen.add(at)
        subject = next((t for t in tokens if t.head == at and t.relation.startswith(("nsubj", "expl:subj"))), None)
        if subject is not None:
            return subject.start not in changed and subject.start != tokens[pronoun].start
        head = tokens[at].head
        if head >= 0 and tokens[head].pos in _HOSTS and tokens[at].relation in (*_WITH_NOUNS, "conj"):
            known = noun_genders(tokens[head].text.lower())
            return not known or gender in known
        if tokens[at].relation not in _UP:
            return False
        at = head
    return False


def _is_perfect(tokens: Sequence[Token], k: int) -> bool:
    """*a fermé*, *avait jamais vu*: a participle with *avoir* within the three words before it."""
    return any(t.text.lower() in AVOIR for t in tokens[max(k - 3, 0) : k]) and tokens[k].pos == "VERB"
