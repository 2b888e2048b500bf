"""Another word in a word's place, in the same form: its opposite, or another small word.

Where a noun's gender changes, its determiner and adjectives go with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from kontrast.building.checks.english import said_in, times_said
from kontrast.building.errors.general.agreement import fitting_readings
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import like, replaced_word
from kontrast.language import lexicons
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Lexicon, fits, same_class
from kontrast.language.words import declared

Edits = list[tuple[int, int, str]]
_CLASSES = ("NOUN", "VERB", "ADJ", "ADV")


def in_place(sentence: Sentence, i: int, lemma: str, lexicon: Lexicon) -> Edits | None:
    """The edits that put the word with this lemma in the place of token ``i``; None where its form is not sure."""
    token = sentence.tokens[i]
    if token.pos not in _CLASSES:
        return None
    if token.pos == "NOUN":
        return _noun(sentence, i, lemma, lexicon)
    if token.pos == "ADV":
        same = any(a.pos == "ADV" for a in lexicon.analyse(lemma)) or not lexicon.analyse(lemma)
        return [_edit(token, lemma)] if same and lemma.islower() else None
    form = _form(token, lemma, lexicon)
    if token.pos == "ADJ" and any(a.pos == "VERB" for a in lexicon.analyse(lemma)):
        return None  # a participle: *hoch*, *angegangen*
    if form is None or (token.pos == "VERB" and not _fits_as_verb(sentence, i, lemma, form, lexicon)):
        return None
    return [_edit(token, form)]


def _edit(token: Token, form: str) -> tuple[int, int, str]:
    return token.start, token.end, form if form[:1].isupper() else like(token.text, form)


def _form(token: Token, lemma: str, lexicon: Lexicon) -> str | None:
    """The one form of the lemma that stands in all the cells that the token may be in."""
    cells = fitting_readings(lexicon, token)
    found = [lexicon.generate(lemma, token.pos, **_plain(a.features)) for a in cells]
    forms = set.intersection(*map(set, found)) if found else set()
    return min(forms, key=len, default=None)


def _plain(features: Mapping[str, str]) -> dict[str, str]:
    """One value of each feature; a noun's own gender is no part of its cell."""
    return {name: value.split(",")[0] for name, value in features.items()}


def _fits_as_verb(sentence: Sentence, i: int, lemma: str, form: str, lexicon: Lexicon) -> bool:
    """No particle that would stand apart, or is left behind."""
    parted = any(sentence.tokens[c].relation == "compound:prt" for c in sentence.children(i))
    joined = bool(lexicon.generate(lemma, "VERB", VerbForm="Inf", PartType="Inf"))
    finite = any(a.features.get("VerbForm") == "Fin" for a in lexicon.analyse(form))
    return not parted and not (joined and finite)


def _noun(sentence: Sentence, i: int, lemma: str, lexicon: Lexicon) -> Edits | None:
    token = sentence.tokens[i]
    number, cases = token.morph.get("Number", ""), token.morph.get("Case", "")
    readings = [a for a in lexicon.analyse(lemma) if a.pos == "NOUN" and a.lemma == lemma]
    named = i + 1 < len(sentence.tokens) and sentence.tokens[i + 1].pos in ("NOUN", "PROPN")  # ein Schwarzes Loch
    if not number or "," in number or not readings or named:
        return None
    cells = [{"Number": number, **({"Case": case} if case else {})} for case in cases.split(",")]
    found = [lexicon.generate(lemma, "NOUN", **cell) for cell in cells]
    form = min(set.intersection(*map(set, found)), key=len, default=None)
    old, new = token.morph.get("Gender", ""), readings[0].features.get("Gender", "")
    if form is None or "," in new:
        return None
    before = [] if old == new else _agreeing(sentence, i, cells, old, new, lexicon)
    return None if before is None else [*before, _edit(token, form)]


def _agreeing(
    sentence: Sentence, i: int, cells: list[dict[str, str]], old: str, new: str, lexicon: Lexicon
) -> Edits | None:
    """The edits of the determiner and the adjectives before a noun; None where one has no sure form, or a pronoun
    behind it has its gender."""
    tokens = sentence.tokens
    edits: Edits = []
    if any(t.pos == "PRON" and (not t.morph or t.morph.get("Gender", old) == old) for t in tokens[i + 1 :]):
        return None
    k = i - 1
    while k >= 0 and tokens[k].pos in ("ADJ", "DET"):
        form = _gendered(tokens[k], cells, old, new, lexicon)
        if form is None:
            return None
        if form != tokens[k].text:
            edits.append((tokens[k].start, tokens[k].end, form))
        if tokens[k].pos == "DET":
            break
        k -= 1
    contracted = k >= 0 and tokens[k].tag == "APPRART"  # im, zur: a preposition with an article in it
    return None if contracted and cells[0]["Number"] == "Sing" else edits


def _gendered(token: Token, cells: list[dict[str, str]], old: str, new: str, lexicon: Lexicon) -> str | None:
    """A determiner or adjective in the other gender: one form for all the cells that it may be in."""
    readings = [a for a in lexicon.analyse(token.text.lower()) if same_class(a.pos, token.pos)]
    found: list[set[str]] = []
    for cell in cells:
        told = {**cell, **({"Gender": old} if old else {})}
        fitting = [a for a in readings if fits(a.features, told)]
        found += [
            set(lexicon.generate(a.lemma, a.pos, **_plain({**a.features, **cell, "Gender": new}))) for a in fitting
        ]
    forms = set.intersection(*found) if found else set()
    return like(token.text, min(forms)) if len(forms) == 1 else None


_ENDINGS = ("", *"s es d ed ing r er st est ly".split())


class Opposite(NamedTuple):
    """The other word, and the English words of both."""

    word: str
    english: frozenset[str]
    of_other: frozenset[str]


@error("sense", of="words", needs="opposites", source=True)
def opposite(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A word becomes its opposite: small for big, close for open.

    The source is English, which has a counterpart of the word and none of its opposite. The language declares the
    noun, verb or adjective and its opposite. The word occurs once, and the opposite has the same form.
    """
    pairs = _pairs(language)
    if not pairs or language not in lexicons.DEFAULTS:
        return
    lexicon = lexicons.lexicon(language)
    said = _english(sentence.source)
    lemmas = [token.lemma for token in sentence.tokens]
    for i, token in enumerate(sentence.tokens) if said else ():
        found = pairs.get((token.lemma, token.pos))
        if found is None or found.word in lemmas or lemmas.count(token.lemma) > 1:
            continue
        if not said & found.english or said & found.of_other:
            continue
        edits = in_place(sentence, i, found.word, lexicon)
        if edits is not None:
            yield candidate(sentence, edits, words=(token.text,))


@lru_cache
def _pairs(language: str) -> dict[tuple[str, str], Opposite]:
    """By word and class; each row has a class, two words and the English of either."""
    found = {}
    for kind, one, other, *english in declared(language).get("opposites", {}).get("rows", ()):
        of_one, of_other = (frozenset(words.split()) for words in english)
        found[one, kind] = Opposite(other, of_one, of_other)
        found[other, kind] = Opposite(one, of_other, of_one)
    return found


@lru_cache(maxsize=1000)
def _english(source: str) -> frozenset[str]:
    """The words of a source, as they stand and without what may be an ending."""
    words = said_in(source)
    bare = {word.removesuffix(ending) for word in words for ending in _ENDINGS}
    return frozenset(
        bare | {f"{word[:-3]}e" for word in words if word.endswith("ing")} | {f"{w[:-2]}e" for w in words}
    )


_DEGREES = ("ADV", "PART")


@error("sense", of="words", needs="small_words", source=True)
def function_word(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A function word becomes another one with another meaning: after for before, few for many.

    The source is English, which has the counterpart of the word once and no counterpart of the new word. The language
    declares the adverb, quantifier, preposition or conjunction and its replacement. The word occurs once, and the new
    word governs the same case. Adverbs next to another adverb, and words next to a word of an idiom (noch, so, pas),
    are left out.
    """
    words = declared(language).get("small_words", {})
    yield from swapped(sentence, words.get("swaps", ()), words.get("fixed", ()), words.get("correlated", ()))


def swapped(
    sentence: Sentence, swaps: Sequence[Sequence[str]], fixed: Sequence[str], correlated: Sequence[str] = ()
) -> Iterator[Candidate]:
    """Each row has a word, its class (empty: any), the new word and the English that the source must have once."""
    tokens, low = sentence.tokens, [token.text.lower() for token in sentence.tokens]
    english = {(word, pos): said for word, pos, _, *said in swaps}
    for word, pos, new, *said in swaps:
        if low.count(word) != 1 or new in low or (said and times_said(sentence.source, said) != 1):
            continue
        i = low.index(word)
        token, before = tokens[i], tokens[max(i - 1, 0)]
        behind = tokens[i + 1] if i + 1 < len(tokens) else token
        idiom = any(t.text.lower() in fixed for t in (before, behind))
        # wenn …, dann; non seulement …, mais
        paired = token.pos in ("SCONJ", "CCONJ") and not set(correlated).isdisjoint(low)
        bound = pos not in ("", token.pos) or (pos and _is_bound(token, before, behind))
        if not (idiom or paired or bound or times_said(sentence.source, english.get((new, pos), ()))):
            yield candidate(sentence, [replaced_word(token, new)])


def _is_bound(token: Token, before: Token, behind: Token) -> bool:
    """Would a word beside it not go with the new one: *sehr oft*, *fast alle*, *alle guten*, *er stellt ihr nach*?"""
    if token.pos == "ADV":
        return before.pos in _DEGREES or behind.pos in _DEGREES
    if token.pos == "DET":
        return behind.pos != "NOUN" or before.pos in (*_DEGREES, "PRON")
    # assiégèrent la ville, mais furent repoussés: the subject is that of the clause before
    return behind is token or behind.pos in ("PUNCT", "SCONJ") or (token.pos == "CCONJ" and behind.is_finite)
