"""What a French pronoun may mean that the nouns of its sentence give no gender."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord
from kontrast.language.lexicons.french import noun_genders
from kontrast.language.lexicons.lefff import facts_of, lemmas_of

__all__ = ["is_of_person", "is_said_before", "may_be_named"]

_PERSONS = frozenset("he him his himself she her hers herself".split())
_DATIVES = {"lui": ("il", "elle"), "leur": ("ils", "elles")}


def is_of_person(sentence: Sentence, start: int, gender: str) -> bool:
    """*un docteur … en voir un*: has the last noun of this gender, not *le docteur*, a form for the other too?"""
    there = [t for t in sentence.tokens if t.end <= start]
    nouns = (
        t.text.lower() for before, t in pairwise(there) if t.pos == "NOUN" and before.morph.get("Definite") != "Def"
    )
    alike = [noun for noun in nouns if gender in noun_genders(noun)]
    return bool(alike) and _has_both(alike[-1])


def _has_both(noun: str) -> bool:
    """*docteur*, *doctoresse*; *photographe* of either gender."""
    entries = (facts_of(lemma) for lemma in lemmas_of(noun))
    of_noun = ({code[0] for group, code, _ in facts if group == "n"} for facts in entries)
    return any({"m", "f"} <= genders for genders in of_noun)


def may_be_named(sentence: Sentence, start: int) -> bool:
    """*le lancement de KMouth …, vous pouvez le configurer*: a name before without an article, of no known gender.

    Not one that a noun or a quotation mark introduces (*le processeur PTBatcher*), nor where the source has a person.
    """
    if _has_person(sentence):
        return False
    there = [t for t in sentence.tokens if t.end <= start]
    for before, token in zip((None, *there), there, strict=False):
        introduced = before is not None and before.pos not in ("ADP", "VERB", "AUX", "CCONJ", "SCONJ", "PRON")
        if token.pos == "PROPN" and token.text[0].isupper() and not introduced and not lemmas_of(token.text.lower()):
            return True
    return False


def is_said_before(sentence: Sentence, words: Sequence[FrenchWord], i: int) -> bool:
    """*Si vous lui donnez un nom, il le lit*: *lui* before all nouns means a thing of the text before."""
    first = next((k for k in range(i) if words[k].pos in ("NOUN", "PROPN")), i)
    datives = (word for word in words[:first] if word.pos == "PRON")
    return not _has_person(sentence) and any(words[i].low in _DATIVES.get(word.low, ()) for word in datives)


def _has_person(sentence: Sentence) -> bool:
    """Does *he* or *she* in the source tell the gender?"""
    return bool(_PERSONS & set(sentence.source.lower().split()))
