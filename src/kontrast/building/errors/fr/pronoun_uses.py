"""What a French pronoun does where it stands: subject or not, impersonal or not, for a thing or for a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.french import AVOIR, ETRE
from kontrast.language.french_words import FrenchWord
from kontrast.language.lexicons.french import noun_genders
from kontrast.language.lexicons.lefff import facts_of, lemmas_of
from kontrast.language.words import lists_of, word_set

_PREPOSITIONS = word_set("fr", "pronoun_uses_prepositions")
_BEFORE_OBJECT = word_set("fr", "pronoun_uses_before_object")
"""Behind these *le*, *la*, *les* can only be objects."""
NEUTER = tuple(lists_of("fr")["pronoun_uses_neuter"])
"""Beginnings of verbs before which *le* most often stands for a clause, not for a thing."""
_OF_SENTENCES = (
    *NEUTER,
    "fass",
    *"fai fer fon fît cro crû prédi pens voul veu compren compri expliqu regrett mérit voi voy vu demand".split(),
    *"remarqu constat impos permet exig souhait".split(),
)
_BEFORE_VERB = word_set("fr", "pronoun_uses_before_verb")
"""*elle... s'est éteinte*, *puisqu'elles « fournissent » l'image*."""
_QUOTES = word_set("fr", "pronoun_uses_quotes")
"""*une « correction gamma »*: no pronoun."""
_NOT_BEHIND_SUBJECT = word_set("fr", "pronoun_uses_not_behind_subject")
_BEFORE_STRESSED = word_set("fr", "pronoun_uses_before_stressed")


def is_subject(words: Sequence[FrenchWord], i: int) -> bool:
    """Is *elle* or *elles* (*il* and *ils* always are) a subject here?"""
    if words[i].low in ("il", "ils") or (i and words[i - 1].low == "-"):
        return True
    if i and words[i - 1].low in _PREPOSITIONS:
        behind = words[i + 1] if i + 1 < len(words) else None
        # après, avant … are adverbs too: Après elles sont libres.
        loose = words[i - 1].low in ("après", "avant", "devant", "derrière") and behind is not None
        return loose and behind is not None and (behind.low in ETRE or behind.low in AVOIR or behind.pos == "VERB")
    j = i + 1
    while j < len(words) and words[j].low in _BEFORE_VERB:
        j += 1
    if (
        j >= len(words)
        or not words[j].low[0].isalpha()
        or (j > i + 1 and words[j].pos not in ("VERB", "AUX", "PRON") and not _is_verb(words[j].low))
    ):
        return False
    if words[j].low in _NOT_BEHIND_SUBJECT:
        return False
    if words[j].low in ("le", "la", "les"):
        return j + 1 < len(words) and not (words[j + 1].pos == "NOUN" and noun_genders(words[j + 1].low))
    return True


def _is_verb(form: str) -> bool:
    """Is it a form of the third person, whatever the annotation takes it for?"""
    facts = (fact for lemma in lemmas_of(form) for fact in facts_of(lemma))
    return any(group == "v" and made == form and code[1:2] == "3" for group, code, made in facts)


def is_stressed(words: Sequence[FrenchWord], i: int) -> bool:
    """Is *lui* a stressed pronoun here, not a dative?"""
    before = words[i - 1].low if i else ""
    if words[i].low != "lui":
        return True
    behind = words[i + 1].low if i + 1 < len(words) else ""
    if behind[:1].isalpha() and behind not in ("aussi", "et", "qui", "non", "seul"):
        return before in _PREPOSITIONS
    return before in _PREPOSITIONS or before in _BEFORE_STRESSED


def is_clitic(words: Sequence[FrenchWord], i: int) -> bool:
    """Are *le*, *la*, *l'*, *les* objects of a verb here, not articles?"""
    if i and words[i - 1].low == "-":
        return False
    if i + 1 >= len(words):
        return False
    behind = words[i + 1]
    if behind.low.endswith("aire") and not behind.low.endswith(("faire", "taire", "plaire", "traire")):
        return False  # le binaire
    if i + 2 < len(words) and words[i + 2].low == "-" and behind.low.endswith(("er", "ir", "re")):
        return False  # le glisser-déposer
    if behind.pos == "ADJ" or behind.low in ("premier", "premiers", "dernier", "derniers", "seul"):
        return False
    if words[i].low == "l'" and (behind.low in AVOIR or behind.low in ETRE):
        return behind.low != "es" and words[i].pos != "DET"
    if behind.low in AVOIR and words[i].low == "les":
        return True
    if behind.low in ("un", "une", "on", "autre", "air"):
        return False
    before = words[i - 1] if i else None
    if behind.low == "leur" and not (i + 2 < len(words) and words[i + 2].pos in ("VERB", "AUX", "PRON")):
        return False  # protéger le leur
    if before is not None and before.low in _BEFORE_OBJECT:
        return True
    if behind.low in ("lui", "leur", "y", "en"):
        return True
    if behind.pos in ("NOUN", "PROPN") and noun_genders(behind.low) and before is not None and before.low == "de":
        return False  # la côte de la Mer
    if behind.low in ("toucher", "dîner", "goûter", "pouvoir", "devoir", "savoir", "rire", "sourire", "souvenir"):
        return before is not None and before.low in _BEFORE_OBJECT
    if before is not None and before.low in ("à", "dans", "sur", "par", "en", "vers") and noun_genders(behind.low):
        return False  # à la mer
    if behind.low.endswith(("er", "ir", "re", "oir")) and (behind.pos == "VERB" or not noun_genders(behind.low)):
        return before is not None and behind.pos in ("VERB", "AUX", "NOUN")
    after_verb = before is not None and (
        before.pos in ("VERB", "AUX", "ADV") or before.low in ("de", "pour", "à", "sans")
    )
    if (
        behind.low.endswith("er")
        and after_verb
        and not (behind.pos == "NOUN" and noun_genders(behind.low))
        and behind.low not in ("dîner", "déjeuner", "goûter", "danger", "hiver")
    ):
        return True
    return words[i].pos == "PRON" and behind.pos in ("VERB", "AUX")


def is_imperative(words: Sequence[FrenchWord], i: int) -> bool:
    """Is the word an imperative with an object behind its hyphen?"""
    if i + 3 < len(words) and words[i + 3].low == "-" and words[i + 4 : i + 5]:
        # amène-le-moi, but not Montigny-le-Bretonneux
        return words[i + 4].low in ("moi", "toi", "lui", "leur", "nous", "vous", "y", "en")
    return (
        i >= 0
        and words[i].low.isalpha()
        and words[i].low not in ("ci", "là", "celui", "celle")
        and words[i].pos not in ("DET", "PROPN")
    )


def counts_nothing(words: Sequence[FrenchWord], i: int) -> bool:
    """*j'en ai une*, *prends-en un*: no noun behind it, and *en* before it in the clause."""
    behind = next((word for word in words[i + 1 :] if word.low not in _QUOTES), None)
    if (
        behind is not None
        and behind.pos in ("NOUN", "ADJ", "PROPN", "NUM", "ADV")
        and behind.low not in ("aussi", "ici")
    ):
        return False
    for j in range(i - 1, max(i - 7, -1), -1):
        if words[j].low in (",", ";", ".", "?", "!"):
            return False
        if words[j].low == "en":
            return True
    return i > 0 and words[i - 1].low == "l'"


def may_be_a_sentence(words: Sequence[FrenchWord], i: int) -> bool:
    """*le faire*, *l'avait prédit*: of a verb of doing, saying or knowing *le* may be a whole sentence."""
    return any(word.low.startswith(_OF_SENTENCES) for word in words[i + 1 : i + 4])
