"""A participle with être that agrees no more: it becomes masculine singular."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.french import AVOIR, ETRE, FILLERS
from kontrast.language.french_words import FrenchWord, words_of
from kontrast.language.lexicons.french import noun_genders
from kontrast.language.lexicons.lefff import facts_of, lemmas_of
from kontrast.language.words import word_set

_OPEN = word_set("fr", "participle_agreement_open")
"""Words beside which the gender or number is not in the sentence, or not of the subject."""
_ARTICLES = word_set("fr", "participle_agreement_articles")


def participle_agreement(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    for i, word in enumerate(words):
        if word.low not in ETRE and word.low != "été":
            continue
        before = [w.low for w in words[max(0, i - 5) : i]]
        if _OPEN & set(before) or _is_behind_name(sentence, words, i):
            continue
        k = i + 1
        while k < len(words) and k < i + 3 and (words[k].low in FILLERS or words[k].low == "été"):
            k += 1
        new = _masculine(words[k].low) if k < len(words) and words[k].pos in ("VERB", "ADJ") else None
        if new is not None and not _disagrees(sentence, words[k]):
            token = Token(sentence.text[words[k].start : words[k].end], words[k].start, words[k].end)
            yield candidate("participle_agreement", sentence, [replaced_word(token, new)], distance=k - i - 1)


def _is_behind_name(sentence: Sentence, words: list[FrenchWord], i: int) -> bool:
    """*McGee est allée*: a word with a capital, and no article before it, whose gender the sentence may not tell."""
    k = i - 1
    while k > 0 and (words[k].low in AVOIR or words[k].low in FILLERS or words[k].low in ("ne", "n'")):
        k -= 1
    if k < 0:
        return True
    capital = sentence.text[words[k].start].isupper() and words[k].low not in (
        "elle",
        "elles",
        "ils",
        "ceux",
        "celles",
    )
    article = k > 0 and words[k - 1].low in _ARTICLES
    return words[k].pos == "PROPN" or (capital and not article)


def _disagrees(sentence: Sentence, participle: FrenchWord) -> bool:
    """*les traductions sont écrits*: the participle is not of its subject's gender as the text stands."""
    at = next((k for k, t in enumerate(sentence.tokens) if t.start == participle.start), None)
    subjects = [] if at is None else [c for c in sentence.children(at) if sentence.tokens[c].relation[:5] == "nsubj"]
    if len(subjects) != 1 or sentence.tokens[subjects[0]].pos != "NOUN":
        return False
    joined = any(sentence.tokens[c].relation == "conj" for c in sentence.children(subjects[0]))
    genders = noun_genders(sentence.tokens[subjects[0]].text.lower())
    own = {
        code[1]
        for lemma in lemmas_of(participle.low)
        for group, code, made in facts_of(lemma)
        if group == "v" and code.startswith("K") and made == participle.low
    }
    return not joined and len(genders) == 1 and bool(own) and not own & set(genders)


def _masculine(form: str) -> str | None:
    """The masculine singular of a participle that is feminine or plural beyond doubt."""
    for lemma in lemmas_of(form):
        cells = {code[1:]: made for group, code, made in facts_of(lemma) if group == "v" and code.startswith("K")}
        if form in cells.values() and cells.get("ms") not in (None, form) and cells.get("mp") != cells.get("ms"):
            # Lefff has inclu beside incluse: the masculine is inclus, which the plural is too
            odd = cells.get("fs", "").endswith("se") and not cells["ms"].endswith("s")
            return cells["ms"] if lemmas_of(cells["ms"]) and not odd else None
    return None
