"""Does a text agree with itself? Where it does not, an error would not be its only one: its candidates are weak."""

from __future__ import annotations

import re
from itertools import pairwise

from kontrast.building.perturb.misspelt import has_english, is_misspelt
from kontrast.language.annotation import Sentence, Token

__all__ = ["is_broken"]

_PERSONS = {"ich": "1s", "du": "2s", "er": "3s", "wir": "1p", "man": "3s"}
_TWICE = re.compile(r"\b(\w+ \w{3,}) \1\b")
"""*die Installation die Installation*."""
_MARKUP = re.compile(
    r"(?<!\S)\.(?:sp|br|PP|IP|RS|RE|TP)(?!\S)|(?<!\S)[A-ZÄÖÜÉ]?[a-zäöüßéèêà]{3,}\.[A-ZÄÖÜÉ][a-zäöüßé]{3,}"
)
"""*.sp* of manual pages; a blank lost between two sentences."""
_UNFINISHED = re.compile(r"\b(?:d\. ?h|z\. ?B|u\. ?U|bzw)\.$")
"""*…, d.h.*: the text goes on elsewhere."""
_SEIN = frozenset(
    "bin bist ist sind seid war warst waren wart sei seien seiest seist wäre wären wärst wärest sein gewesen".split()
)
_DOUBLED = {
    "de": re.compile(r"(?i)\b(und|oder|für|mit|von|bei|aus|nach|durch|ein|eine|einen|nicht|dass) \1\b"),
    "fr": re.compile(
        r"(?i)\b(pour|de|des|du|le|la|les|un|une|dans|avec|par|sur|sous|et|ou|que|qui|à|au|aux|pas) \1\b"
    ),
}
"""*pour pour que*; not *nous nous*, *en en*, *die die*, which are right."""
_BEING = frozenset(("sein", "werden", "bleiben", "heißen"))
_JOINING = frozenset(("und", "oder", "sowie", "bzw", "&", "/", "(", "noch", "samt", "nebst"))
_FRENCH = {"il": ("m", "s"), "elle": ("f", "s"), "on": ("", "s"), "ils": ("m", "p"), "elles": ("f", "p")}


def is_broken(sentence: Sentence, language: str) -> bool:
    """Is there a verb that does not agree with its subject (*die Weichsel waren*, *qu'il subissent*), a misspelt
    word, a part in English?"""
    if _MARKUP.search(sentence.text) or has_english(sentence) or is_misspelt(sentence, language):
        return True
    if language in _DOUBLED and _DOUBLED[language].search(sentence.text):
        return True
    if language == "de":
        return _is_broken_german(sentence)
    return language == "fr" and _is_broken_french(sentence)


def _is_broken_german(sentence: Sentence) -> bool:
    from kontrast.building.perturb.de.grammar import finite_verbs, subject_of
    from kontrast.language.lexicons.german import readings

    tokens = sentence.tokens
    if _TWICE.search(sentence.text) or _UNFINISHED.search(sentence.text):
        return True
    lows = [t.text.lower() for t in tokens]
    if "worden" in lows and _SEIN.isdisjoint(lows):
        return True  # wurde … worden
    if any(_is_strong(one, other) for one, other in pairwise(tokens)):
        return True
    for verb in finite_verbs(sentence):
        subject = subject_of(sentence, verb)
        found = [r for r in readings(tokens[verb].text.lower()) if r.pos == "V"]
        persons = {code[1:] for r in found for code in r.codes if len(code) == 3}
        if subject is None or not persons or abs(subject - verb) > 20:
            continue
        low = tokens[subject].text.lower()
        if tokens[subject].text == "Sie" and subject and tokens[subject - 1].text == "," and "3p" not in persons:
            return True
        near = tokens[min(subject, verb) : max(subject, verb)]
        if any(t.text in ",;:" for t in near) or any(t.text in _JOINING for t in tokens[max(0, subject - 4) : verb]):
            continue
        if low in _PERSONS and tokens[subject].pos == "PRON":
            if abs(subject - verb) == 1 and _PERSONS[low] not in persons:
                return True
        elif tokens[subject].pos == "NOUN":
            being = bool({r.lemma for r in found} & _BEING)
            if not (being and not _opens_clause(sentence, subject)) and _disagrees(sentence, subject, persons):
                return True
    return False


def _is_strong(article: Token, adjective: Token) -> bool:
    """*dem großem*, *einem Großem*: the adjective has the article's ending, which it never has beside it."""
    from kontrast.language.lexicons.german import adjective_lemma

    low = adjective.text.lower()
    after = article.text.lower() in ("dem", "einem", "im", "zum", "vom", "beim", "am", "diesem")
    return after and low.endswith("em") and adjective_lemma(low) is not None and adjective.tag in ("ADJA", "NN")


def _opens_clause(sentence: Sentence, subject: int) -> bool:
    """*dass die Weichsel … waren*: right behind what opens the clause a noun is the subject."""
    first = subject
    while first and sentence.tokens[first - 1].pos in ("DET", "ADJ"):
        first -= 1
    return first > 0 and sentence.tokens[first - 1].tag == "KOUS"


def _disagrees(sentence: Sentence, subject: int, persons: set[str]) -> bool:
    from kontrast.building.perturb.de.subj_verb_agreement import COUNTED, EITHER
    from kontrast.language.lexicons.german import noun_readings

    token = sentence.tokens[subject]
    if token.text in COUNTED or EITHER.search(token.text):
        return False  # vierzig Prozent tragen, eine Reihe von Leuten kommen
    numbers = {code[1] for r in noun_readings(token.text) for code in r.codes if code[0] == "n"}
    third = {person[1] for person in persons if person[0] == "3"}
    before = sentence.tokens[subject - 1].text.lower() if subject else ""
    article = {"das": "s", "der": "s", "ein": "s", "eine": "s", "dieser": "s", "dieses": "s"}.get(before)
    told = len(numbers) == 1 and (article is None or article in numbers)
    return (
        told and len(third) == 1 and numbers != third and not before.isdigit() and before not in ("prozent", "paar")
    )


def _is_broken_french(sentence: Sentence) -> bool:
    from kontrast.building.perturb.fr.agreement import verb_of, with_subject
    from kontrast.building.perturb.fr.pronoun_uses import is_subject
    from kontrast.language.french_words import words_of
    from kontrast.language.lexicons.lefff import facts_of, lemmas_of

    words = words_of(sentence)
    lows = {word.low for word in words}
    if "tu" in lows and lows & {"votre", "vos"}:
        return True  # tu … votre vision
    for i, word in enumerate(words):
        if word.low not in _FRENCH or not is_subject(words, i):
            continue
        gender, number = _FRENCH[word.low]
        at = verb_of(words, i)
        if at is None:
            continue
        form = words[at[0]].low
        codes = [
            c for lemma in lemmas_of(form) for group, c, made in facts_of(lemma) if group == "v" and made == form
        ]
        third = {c[2] for c in codes if len(c) == 3 and c[0] in "PIFJCST" and c[1] == "3"}
        finite = {c for c in codes if len(c) == 3 and c[0] in "PIFJCST"}
        if finite and number not in third:
            return True  # il subissent, il es
        if gender and any(new != words[k].low for k, new in with_subject(words, i, gender, number)):  # type: ignore[arg-type]
            return True
    return False
