"""Words that agree with a French subject far from it, by the annotation: the reference's own, and those that stay."""

from __future__ import annotations

from collections.abc import Sequence, Set

from kontrast.language.annotation import Sentence, Token
from kontrast.language.french import AVOIR, ETRE
from kontrast.language.lexicons.french import Gender, Number, is_form, lemmas, noun_genders
from kontrast.language.lexicons.lefff import lemmas_of
from kontrast.language.words import word_set

_FIXED = word_set("fr", "agreement_fixed")
"""Adverbs, prepositions and words that are often said of nothing."""
_UP = ("conj", "xcomp", "acomp", "advcl", "parataxis", "ccomp", "advmod", "obl:mod", "dep", "cop", "aux", "aux:pass")
_WITH_NOUNS = ("amod", "acl", "acl:relcl", "det", "nmod", "appos", "fixed", "flat:name", "case", "compound", "obj")
_ENDINGS = {"m": ("é", "ant", "if", "el"), "f": ("ée", "ante", "ive", "elle", "euse")}
"""Of words that are misspelt: *raffraichissante*."""
_STOPS = frozenset(".;:!?…")


def is_ill_agreed(sentence: Sentence, pronoun: int, gender: Gender, number: Number) -> bool:
    """*Elle est utilisé*: is a participle of the reference in another gender or number than its subject?"""
    tokens = sentence.tokens
    verb = tokens[pronoun].head
    if verb < 0 or not tokens[pronoun].relation.startswith("nsubj") or not lemmas(tokens[verb].text.lower(), "k"):
        return False
    passive = any(t.head == verb and t.text.lower() in ETRE | {"été"} for t in tokens)
    return passive and tokens[verb].pos != "NOUN" and not is_form(tokens[verb].text.lower(), gender, number)


def kept_word(sentence: Sentence, pronoun: int, gender: Gender, number: Number, changed: Set[int]) -> int | None:
    """The first word that agrees with a subject and does not change, from the sign before the pronoun's clause on.

    ``pronoun`` is the subject's token, ``changed`` are the starts of words that change with it.
    """
    tokens = sentence.tokens
    first = max((k + 1 for k in range(pronoun) if tokens[k].text in _STOPS), default=0)
    for k, token in enumerate(tokens):
        if k < first or k == pronoun or token.start in changed or token.text.lower() in _FIXED:
            continue
        before = tokens[k - 1].text.lower() if k else ""
        joined = k > 1 and before in ("et", "ou") and tokens[k - 2].start in changed  # défaits et sujets à
        if (token.pos not in ("ADJ", "VERB", "ADV") and not joined) or before == "en":  # en glissant
            continue
        if _is_of(token, gender, number) and not _has_its_own(tokens, k, pronoun, gender, changed):
            return k
    return None


def _is_of(token: Token, gender: Gender, number: Number) -> bool:
    """Has it this gender and number only, by the lexicon, or by its ending where that does not know it?"""
    low = token.text.lower()
    other: Gender = "f" if gender == "m" else "m"
    if lemmas_of(low):
        return bool(lemmas(low, "ka")) and is_form(low, gender, number) and not is_form(low, other, number)
    return low.endswith(tuple(end + ("s" if number == "p" else "") for end in _ENDINGS[gender]))


def _has_its_own(tokens: Sequence[Token], k: int, pronoun: int, gender: Gender, changed: Set[int]) -> bool:
    """Has it a noun or another subject, or is it the participle of a perfect?"""
    if k + 1 < len(tokens) and _is_host(tokens[k + 1]):
        return True
    if k and (tokens[k - 1].pos == "DET" or _is_host(tokens[k - 1])):
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
        if head >= 0 and _is_host(tokens[head]) and tokens[at].relation in (*_WITH_NOUNS, "conj"):
            known = noun_genders(tokens[head].text.lower())
            return not known or gender in known
        if tokens[at].relation not in _UP:
            return False
        at = head
    return False


def _is_host(token: Token) -> bool:
    return token.pos in ("NOUN", "PROPN", "NUM") and not is_adverb(token.text)


def is_adverb(text: str) -> bool:
    """*Somptueusement*, which the annotator takes for a noun where it opens a sentence."""
    return text.lower().endswith("ment") and len(text) > 6 and not noun_genders(text.lower())


def _is_perfect(tokens: Sequence[Token], k: int) -> bool:
    """*a fermé*, *avait jamais vu*: a participle with *avoir* within the three words before it; not *a été fermé*."""
    near = [t.text.lower() for t in tokens[max(k - 3, 0) : k]]
    return "été" not in near and any(low in AVOIR for low in near) and tokens[k].pos == "VERB"
