"""Where a source pronoun became a target pronoun: by the alignment, and by what else may explain it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

import msgspec

from kontrast.building.corpus import Document
from kontrast.building.pronouns.foils import Form, target_side
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import is_pleonastic

__all__ = [
    "COREFERENT",
    "OF_PEOPLE",
    "OTHER_PRONOUNS",
    "OWNERS",
    "PronounPlace",
    "another_place",
    "belongs_to_people",
    "has_people",
    "is_polite",
    "pairs_left",
    "places",
    "rivals_of",
    "texts",
]

_PRONOUNS = frozenset("i you he she we they him her us them this that these those it".split())
"""Where another of these is linked to the target pronoun too, that one may be meant."""
_SEVERAL = frozenset(("they", "them"))
_SPEAKERS = frozenset(("i", "you", "we", "us"))
_PEOPLE = {
    "er": ("he",), "ihn": ("him",), "ihm": ("him",), "sie": ("she", "her", "they", "them"), "ihr": ("her",),
    "il": ("he",), "elle": ("she",), "ils": (), "elles": (), "él": ("he", "him"), "ella": ("she", "her"),
}  # fmt: skip
"""Source pronouns of people that a target form translates more often than *it*."""
_SAME_PERSON = {**dict.fromkeys(("er", "ihm"), ("he", "him")), "ihr": ("she", "her")}
"""Who is an object here is often a subject in the source, and the reverse."""
_CASES = {"he": ("ihm", "ihn"), "him": ("er",)}
"""Target forms of the same person in a case that the source does not have."""
OF_PEOPLE = ("he", "she", "him", "her", "his", "they", "them", "their")
OWNERS = frozenset("my your his our their its mine yours hers theirs".split())
OTHER_PRONOUNS = _PRONOUNS | OWNERS
COREFERENT = {"s": frozenset(("it", "its", "itself")), "p": frozenset(("they", "them", "their", "themselves"))}
"""Source words that mean the same thing in one sentence, by number."""


class PronounPlace(msgspec.Struct, frozen=True):
    """A source pronoun and the target pronoun it is aligned to."""

    line: int
    source: Span
    target: Form
    word: int
    """The number of the target word."""
    linked: bool = True
    """By the alignment; else both are the only ones of their sentences."""


def texts(document: Document, line: int) -> tuple[str, str]:
    return document.source[line], document.target[line]


def places(recipe: Recipe, document: Document, line: int, links: Links) -> Iterator[PronounPlace]:
    """The places of a line; each target pronoun once."""
    source, target = spans(document.source[line]), spans(document.target[line])
    barred = [_barred(patterns, text) for patterns, text in zip(recipe.blocked, texts(document, line), strict=True)]
    side = target_side(recipe)
    taken: set[int] = set()
    for i, word in enumerate(source):
        number = recipe.sources.get(word.text.lower())
        if number is None or _is_short_for(word, source) or any(a <= word.start < b for a, b in barred[0]):
            continue
        # As the French set's makers did, the pronoun may stand one word beside its link.
        near = sorted({j + step for a, j in links if a == i for step in (0, -1, 1)})
        if not recipe.subjects_only:  # er or sie stands for a thing; es may stand for nothing
            near.sort(key=lambda j: 0 <= j < len(target) and target[j].text.lower() == "es")
        for j in near:
            if not 0 <= j < len(target) or j in taken or any(a <= target[j].start < b for a, b in barred[1]):
                continue
            if is_polite(target, j):
                continue
            rivals = rivals_of(target[j].text)
            if any(b == j and a != i and source[a].text.lower() in rivals for a, b in links if a < len(source)):
                continue
            form = side.form(document.target[line], target, j)
            exact = (i, j) in links
            if form is None or form.number not in (None, number) or not (exact or recipe.subjects_only):
                continue
            if belongs_to_people(source, target, j, links):
                continue
            taken.add(j)
            yield PronounPlace(line, word, form, j)
            break


def _is_short_for(word: Span, source: Sequence[Span]) -> bool:
    """*IT company*: capitals among small letters are no pronoun."""
    return len(word.text) > 1 and word.text.isupper() and any(w.text.islower() for w in source)


def rivals_of(form: str) -> frozenset[str]:
    """Source pronouns that a target pronoun may translate instead; in small letters *sie* is never *you*."""
    return _PRONOUNS - _SPEAKERS - {"it"} if form in ("er", "sie", "es", "ihn", "ihm") else _PRONOUNS


def is_polite(target: Sequence[Span], j: int) -> bool:
    """*Sie* with a capital inside a sentence."""
    polite = target[j].text in ("Sie", "Ihr", "Ihnen", "Ihm", "Ihn")
    return polite and j > 0 and target[j - 1].text[0].isalnum()


def _barred(patterns: Sequence[re.Pattern[str]], text: str) -> list[tuple[int, int]]:
    return [match.span() for pattern in patterns for match in pattern.finditer(text)]


def has_people(source: Sequence[Span], form: str, own: frozenset[str]) -> bool:
    """Has the source a pronoun of people, none of its ``own``, that this target form translates?"""
    low = form.lower()
    people = _SAME_PERSON.get(low) or _PEOPLE.get(low, OF_PEOPLE)
    return any(word.text.lower() in people and word.text.lower() not in own for word in source)


def belongs_to_people(source: Sequence[Span], target: Sequence[Span], j: int, links: Links) -> bool:
    """Are there as many *he* in the source as *er* in the target? Then none is left for *it*.

    *them* that is aligned to another word of the target is not counted, nor *he* that is *ihm* or *ihn* there.
    """
    people = _PEOPLE.get(target[j].text.lower(), ())
    if not people:
        return False
    same = {form for form, words in _PEOPLE.items() if set(words) & set(people)}
    elsewhere = {i for i, b in links if b != j and b < len(target) and target[b].text.lower() not in same}
    own = {i for i, b in links if b == j}
    left = [
        w.text.lower()
        for i, w in enumerate(source)
        if i not in elsewhere
        or (w.text.lower() not in _SEVERAL and not _is_other_case(w.text, target, i, links, own))
    ]
    rivals = sum(word in people for word in left)
    return rivals > 0 and sum(word.text.lower() in same for word in target) <= rivals


def _is_other_case(word: str, target: Sequence[Span], i: int, links: Links, own: Set[int]) -> bool:
    """*he* beside *hinter ihm*: the target has the man in another case, and *er* is left for *it*."""
    forms = _CASES.get(word.lower(), ())
    return i not in own and any(a == i and b < len(target) and target[b].text.lower() in forms for a, b in links)


_POINTING = frozenset("das dies diese dieser dieses diesen diesem was hier".split())
_INSTEAD = ("dar", "dav", "dam", "dab", "daz", "daf", "dag", "dad", "dah", "hier")
"""*davon*, *darauf*, *hiermit*: what *it* became where it became no pronoun."""


def pairs_left(
    recipe: Recipe, document: Document, line: int, links: Links, found: Sequence[PronounPlace]
) -> Iterator[PronounPlace]:
    """Pairs without a link: each source pronoun that is left, with the nearest target pronoun that is left.

    *when it comes out, … with it*, *wenn er herauskommt, … mit ihm*. Near is where the links of the words around the
    source pronoun point to.
    """
    source, target = spans(document.source[line]), spans(document.target[line])
    barred = [_barred(patterns, text) for patterns, text in zip(recipe.blocked, texts(document, line), strict=True)]
    done = {place.source.start for place in found}
    own = [
        i
        for i, word in enumerate(source)
        if word.text.lower() in recipe.sources
        and word.start not in done
        and not _is_short_for(word, source)
        and not any(a <= word.start < b for a, b in barred[0])
        and not _became_another(target, [j for k, j in links if k == i])
    ]
    free = [word for i, word in enumerate(source) if not any(a == i and j < len(target) for a, j in links)]
    left = {
        j: form
        for j, form in (_left(recipe, document, line, links, {place.word for place in found}) if own else ())
        if target[j].text.lower() not in recipe.determiners
        and not has_people(free, target[j].text, frozenset(recipe.sources))
        and not any(a <= form.start < b for a, b in barred[1])
    }
    near = sorted(
        (abs(j - _pointed_at(i, links, len(source), len(target))), i, j)
        for i in own
        for j, form in left.items()
        if form.number in (None, recipe.sources[source[i].text.lower()])
    )
    for _, i, j in near:
        if i in own and j in left:
            own.remove(i)
            yield PronounPlace(line, source[i], left.pop(j), j, linked=False)


def _pointed_at(i: int, links: Links, source: int, target: int) -> float:
    """Where in the target a source word without a link is to be expected: by its nearest neighbours with one."""
    near = sorted((abs(a - i), b + i - a) for a, b in links)
    return (
        sum(b for away, b in near if away == near[0][0]) / sum(away == near[0][0] for away, _ in near)
        if near
        else i * target / source
    )


def another_place(
    recipe: Recipe,
    document: Document,
    place: PronounPlace,
    sentence: Sentence,
    links: Links,
    found: Sequence[PronounPlace],
) -> PronounPlace | None:
    """*approve it*, linked to *sie* of *dass sie ihn verabschieden*: the only other one with a gender to change."""
    token = next((k for k, t in enumerate(sentence.tokens) if t.start <= place.source.start < t.end), None)
    if (
        recipe.target_language != "de"
        or token is None
        or is_pleonastic(sentence, token)
        or _is_judged(sentence, token)
    ):
        return None
    taken = {p.word for p in found if p.line == place.line}
    left = [(j, f) for j, f in _left(recipe, document, place.line, links, taken) if f.gender != "n"]
    if len(left) != 1:
        return None
    j, form = left[0]
    return msgspec.structs.replace(place, target=form, word=j, linked=False)


def _is_judged(sentence: Sentence, token: int) -> bool:
    """*it would be enough to …*: beside *es*, any other pronoun of the sentence is someone else."""
    head = sentence.tokens[token].head
    subject = sentence.tokens[token].relation.startswith("nsubj")
    return subject and head >= 0 and sentence.tokens[head].lemma.lower() in ("be", "'s")


def _left(recipe: Recipe, document: Document, line: int, links: Links, taken: set[int]) -> Iterator[tuple[int, Form]]:
    """The target pronouns that no source pronoun is linked to, that are no people and that mean something."""
    text = document.target[line]
    source, target = spans(document.source[line]), spans(text)
    side = target_side(recipe)
    for j, word in enumerate(target):
        form = side.form(text, target, j)
        if form is None or j in taken or is_polite(target, j) or belongs_to_people(source, target, j, links):
            continue
        rivals = rivals_of(word.text)
        if any(b == j and a < len(source) and source[a].text.lower() in rivals for a, b in links):
            continue
        uses = {side.use(text, form.start, is_subject=subject).kind for subject in (True, False)}
        if uses - {"empty", "absent"} and not side.is_possessive(text, form.start):
            yield j, form


def _became_another(target: Sequence[Span], linked: Sequence[int]) -> bool:
    """Is the source pronoun linked to *das* or *davon*?"""
    words = [target[j].text.lower() for j in linked if j < len(target)]
    return any(word in _POINTING or word.startswith(_INSTEAD) for word in words)
