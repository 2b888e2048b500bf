"""Polarity: the prefix *un-* is put before a word that has such an opposite (*sicher* → *unsicher*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.affixes import comments, has_opposite
from kontrast.building.perturb.de.negation import asks_yes_or_no
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_COPULAS = frozenset(("sein", "bleiben", "scheinen"))
_HINDERS = frozenset(("nicht", "wie", "wenn", "kaum", "schwer", "wenig", "fast", "nahezu", "beinahe"))
_DEGREES = frozenset(("wesentlich", "erheblich"))
_DATIVES = frozenset(("mir", "dir", "ihm", "ihr", "uns", "euch", "ihnen"))


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        tag = token.tag if token.tag in ("ADJA", "ADJD", "NN") else {"ADJ": "ADJA", "NOUN": "NN"}.get(token.pos, "")
        if not tag or not has_opposite(token.text, tag) or not _fits(sentence, i):
            continue
        new = like(token.text, "un" + token.text.lower())
        if any(t.text == new for t in sentence.tokens):
            continue  # angenehm oder unangenehm
        yield candidate("polarity_affix_ins", sentence, [(token.start, token.end, new)], words=(token.text,))


def _fits(sentence: Sentence, i: int) -> bool:
    """Is this neither a verb in disguise, nor part of a phrase, nor a comment on the whole (*sicher kommt er*)?"""
    token = sentence.tokens[i]
    before = sentence.tokens[i - 1].text.lower() if i else ""
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    if before in _HINDERS or (after is not None and after.text == "gesagt"):
        return False  # so bald wie möglich, ehrlich gesagt
    if asks_yes_or_no(sentence, i) or _is_complement(sentence, i):
        return False
    if (before == "in" and token.text == "Wahrheit") or (before in _DATIVES and token.text == "schuldig"):
        return False
    if token.tag == "ADJA" and token.lemma == "möglich":
        return False  # mögliche Schäden: what cannot be is no opposite
    if (
        token.tag == "ADJD"
        and after is not None
        and after.tag in ("ADJD", "ADJA", "ADV")
        and token.text not in _DEGREES
    ):
        return False  # völlig blind: it says how much
    if token.tag == "ADJA" and _may_be_verb(token.text) and (after is None or after.pos == "CCONJ"):
        return False
    if token.tag == "ADJD" and _may_be_verb(token.text) and not _is_predicate(sentence, i):
        return False  # überlegt man
    predicate = token.tag == "ADJD" or (token.tag != "ADJA" and token.text.islower())
    return not (predicate and comments(token.text)) or _is_predicate(sentence, i)


def _is_complement(sentence: Sentence, i: int) -> bool:
    """*der Sache gerecht werden*, *klar, dass*: with un- these are not said."""
    tokens = sentence.tokens
    low = tokens[i].text.lower()
    near = {t.text.lower() for t in tokens[i + 1 : i + 4]}
    if low == "gerecht":
        return any(r.lemma == "werden" for t in tokens for r in readings(t.text.lower()) if r.pos == "V")
    follows = [t.text.lower() for t in tokens[i + 1 : i + 3]]
    return low in ("klar", "sicher", "bewusst") and (follows[:2] in ([",", "dass"], [",", "daß"]) or "dass" in near)


def _is_predicate(sentence: Sentence, i: int) -> bool:
    """Has the clause a copula, and does the adjective end it or stand before its verb?"""
    tokens = sentence.tokens
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    lemmas = {r.lemma for r in readings(after.text.lower()) if r.pos == "V"} if after is not None else set()
    if after is not None and after.pos not in ("PUNCT", "CCONJ", "SCONJ") and not lemmas & _COPULAS:
        return False
    for step in (-1, 1):
        k = i + step
        while 0 <= k < len(tokens) and abs(k - i) < 9 and tokens[k].pos not in ("PUNCT", "CCONJ", "SCONJ"):
            if any(r.pos == "V" and r.lemma in _COPULAS for r in readings(tokens[k].text.lower())):
                return True
            k += step
    return False


def _may_be_verb(word: str) -> bool:
    return any(r.pos == "V" and any(len(code) == 3 for code in r.codes) for r in readings(word.lower()))


perturbation = Perturbation(
    name="polarity_affix_ins",
    language="de",
    summary="the negating prefix un- is inserted",
    conditions=(
        "An adjective whose opposite with un- is in the lexicon, or such a noun in -heit, -keit or of a short list.",
        "Not where un- makes no opposite (heimlich, bedingt, gut, rund, Fall, Kosten), not right after nicht, "
        "wie, kaum or schwer.",
        "Adjectives that comment as adverbs (sicher, klar, genau) only as a predicate: es ist sicher.",
        "Not before another adjective, whose degree it gives (vollkommen blind), nor mögliche before a noun.",
        "The frequency is that of the word without un-.",
    ),
    examples=(
        Example("Der Ausgang ist sicher.", "Der Ausgang ist unsicher."),
        Example("Die abhängigen Staaten schwiegen.", "Die unabhängigen Staaten schwiegen."),
        Example("Das Haus ist groß.", None),
        Example("Er kommt sicher bald.", None),
    ),
    function=_negated,
)
