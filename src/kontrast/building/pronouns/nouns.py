"""Target nouns before a pronoun: their gender, determiner and phrase, and the source nouns that they translate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from kontrast.building.pronouns.foils import Noun
from kontrast.language.alignment import Links, Span, partners
from kontrast.language.annotation import Sentence
from kontrast.language.german.plain import lemmas
from kontrast.language.lexicons.german_words import CONTRACTIONS, DETERMINERS
from kontrast.language.words import declared

__all__ = [
    "Found",
    "beside",
    "counterpart",
    "determiner",
    "fit_of",
    "head_of",
    "holds_clause",
    "is_apart",
    "is_denied",
    "is_preposition",
    "is_purpose",
    "namesake",
    "phrase_role",
    "tokens_of",
    "told_before",
    "told_elsewhere",
    "whole",
    "whole_names",
]


class Found(msgspec.Struct):
    """A noun at a word of a line, with its source token; ``told`` are the genders of a determiner before it."""

    line: int
    word: int
    noun: Noun
    source: int | None
    fit: str
    aligned: bool
    guessed: bool
    several: bool
    told: frozenset[str] = frozenset()


def fit_of(genders: frozenset[str], own: frozenset[str]) -> str:
    """How a noun's genders go with the pronoun's own (``NounCandidate.fit``).

    >>> fit_of(frozenset("mn"), frozenset("m"))
    'either'
    """
    if not genders:
        return "unknown"
    if genders <= own:
        return "same"
    return "either" if genders & own else "other"


def told_before(words: Sequence[Span], j: int) -> frozenset[str]:
    """The genders of the German determiner before a word; none where there is none.

    >>> from kontrast.language.alignment import spans
    >>> sorted(told_before(spans("Hinter dem Lake Tahoe"), 2))
    ['m', 'n']
    """
    low = words[j - 1].text.lower() if j else ""
    cells = DETERMINERS.get(CONTRACTIONS[low][1] if low in CONTRACTIONS else low, ())
    return frozenset(gender for gender, cell in cells if gender != "x" and cell.endswith("s"))


def told_elsewhere(found: list[Found]) -> list[Found]:
    """*UBS* without an article has the gender of *die UBS* in a sentence beside it."""
    known = {f.noun.text: f for f in found if f.noun.genders}
    for one in found:
        twin = known.get(one.noun.text)
        if not one.noun.genders and twin is not None:
            one.noun, one.fit = msgspec.structs.replace(one.noun, genders=twin.noun.genders), twin.fit
    return found


def whole_names(found: Sequence[Found], sentences: Sequence[Sentence], own: frozenset[str]) -> list[Found]:
    """*der Lake Tahoe*, *die Golden Gate Bridge*: a name that is spelt as in the source has its last word for head,
    and the gender that its article tells; no lexicon knows it.
    """
    kept: list[Found] = []
    for one in found:
        first = kept[-1] if kept else None
        last = _last_of_name(first, one, sentences[one.line]) if first is not None else None
        if first is None or last is None:
            kept.append(one)
            continue
        genders = first.told or one.noun.genders
        one.noun, one.told, one.fit, one.source = (
            msgspec.structs.replace(one.noun, genders=genders),
            genders,
            fit_of(genders, own),
            last,
        )
        kept[-1] = one
    return kept


def _last_of_name(one: Found, two: Found, sentence: Sentence) -> int | None:
    """The source token of the second of two words side by side, if they are one name there, spelt alike.

    By their spelling, as the words of a name are compounds of each other (*Golden* of *Gate*, that of *Bridge*) and
    may be linked to any of its words.
    """
    if one.line != two.line or one.word + 1 != two.word:
        return None
    tokens = sentence.tokens
    texts = {token.text for token in tokens}
    for k, (before, token) in enumerate(pairwise(tokens), start=1):
        if (before.text, token.text) == (one.noun.text, two.noun.text) and token.pos == "PROPN":
            return k if before.pos in ("PROPN", "NOUN", "ADJ") and before.text[0].isupper() else None
    same = one.source is not None and one.source == two.source and tokens[one.source].pos == "PROPN"
    return one.source if same and {one.noun.text, two.noun.text} <= texts else None


_SHORT = 4
"""Longer words are no articles or prepositions."""
_NEAR = 4
"""So many words around a noun are asked where its source may stand."""


def head_of(sentence: Sentence, noun: int) -> int:
    """*fire* in *fire wraiths* leads to *wraiths*, *ware* in *ware statistics window* to *window*."""
    token = sentence.tokens[noun]
    is_part = token.relation == "compound" and token.head > noun
    return head_of(sentence, token.head) if is_part and sentence.tokens[token.head].pos in ("NOUN", "PROPN") else noun


def namesake(sentence: Sentence, partners: Sequence[int], noun: str) -> int | None:
    """The word that a name or the end of a German compound is spelt like: *Lycosa*, *rose* for *Chamäleonrose*."""
    words, low = sentence.tokens, noun.lower()
    same = [k for k, token in enumerate(words) if token.text == noun]
    if len(same) == 1 and words[same[0]].pos == "PROPN":
        return same[0]
    behind = [k + 1 for k in partners if k + 1 < len(words) and len(words[k + 1].text) > 3]
    return next((k for k in behind if low.endswith(words[k].text.lower()) and low != words[k].text.lower()), None)


def is_apart(
    sentence: Sentence, source: Sequence[Span], target: Sequence[Span], links: Links, head: int, word: int
) -> bool:
    """Is a source noun translated by another word, and not by this one? *the item ships*: *ships* is *versandt*.

    An adjective translates no noun, and what a verb beside it is translated by is that verb's.
    """
    if sentence.tokens[head].pos != "NOUN":
        return False  # Union Chain Bridge: a name
    linked = partners(links, source, sentence.tokens[head].start, sentence.tokens[head].end)
    of_verbs = {
        j for t in sentence.tokens if t.pos == "VERB" for j in partners(links, source, t.start, t.end)
    }  # I hear your parole hearing
    verb = sentence.tokens[sentence.tokens[head].head]
    if verb.pos == "VERB" and not partners(links, source, verb.start, verb.end):
        of_verbs |= {
            j for j in linked if j < len(target) and target[j].text.islower()
        }  # closed the window: geschlossen, whatever it is linked to
    full = [j for j in linked if j < len(target) and len(target[j].text) > _SHORT and j not in of_verbs]
    return word not in linked and any(target[j].text[0].isupper() or lemmas(target[j].text) for j in full)


def whole(sentence: Sentence, source: Sequence[Span], links: Links, noun: int, word: int) -> int:
    """*box* for *Pandora* in *Pandora's box*, *thirst* in *thirst for knowledge*: the whole, where no other target
    word translates it.
    """
    token = sentence.tokens[noun]
    of = token.relation == "pobj" and token.head >= 0
    part = token.relation in ("poss", "nmod", "nmod:poss", "compound")
    head = sentence.tokens[token.head].head if of else token.head if part else -1
    if head < 0 or sentence.tokens[head].pos not in ("NOUN", "PROPN"):
        return noun
    parts = [head, *(k for k in sentence.children(head) if sentence.tokens[k].relation == "compound" and k != noun)]
    linked = {j for k in parts for j in partners(links, source, sentence.tokens[k].start, sentence.tokens[k].end)}
    return noun if linked - {word} or (of and not linked) else head


def counterpart(
    sentence: Sentence, source: Sequence[Span], links: Links, nouns: Sequence[int], number: str
) -> int | None:
    """Of several source nouns of one target noun: one in its number, linked to few other words, the last."""

    def fitness(k: int) -> tuple[bool, int, int]:
        token = sentence.tokens[k]
        own = {i for i, s in enumerate(source) if s.start < token.end and s.end > token.start}
        plural = token.tag in ("NNS", "NNPS")
        return plural == (number == "p"), -sum(i in own for i, _ in links), k

    return max(nouns, key=fitness, default=None)


def beside(sentence: Sentence, source: Sequence[Span], links: Links, j: int) -> int | None:
    """The source noun of a target noun without a link to one: the noun without a link that stands where the links of
    the words around it point to.
    """
    near = sorted((abs(b - j), i + j - b) for i, b in links if b != j and abs(b - j) <= _NEAR and i < len(source))
    if not near:
        return None
    least = near[0][0]
    places = [i for away, i in near if away == least]
    linked = {k for i, _ in links for k in tokens_of(sentence, source, [i])}
    linked |= {head_of(sentence, k) for k in linked}  # power failure: Stromausfall
    found = []
    for k, token in enumerate(sentence.tokens):
        if token.pos in ("NOUN", "PROPN") and k not in linked and token.relation not in ("compound", "flat"):
            own = next((i for i, s in enumerate(source) if s.start < token.end and s.end > token.start), None)
            if own is not None:
                found.append((min(abs(own - place) for place in places), k))
    return min(found)[1] if found and min(found)[0] <= _NEAR else None


def tokens_of(sentence: Sentence, source: Sequence[Span], linked: Sequence[int]) -> list[int]:
    inside = [source[i] for i in linked if i < len(source)]
    return [k for k, t in enumerate(sentence.tokens) if any(t.start < s.end and t.end > s.start for s in inside)]


_CLOSE = 5
"""So many words before a noun its determiner or preposition may stand."""


@lru_cache(maxsize=16)
def _phrases(language: str) -> dict[str, frozenset[str]]:
    """The words around a noun that a language declares."""
    return {name: frozenset(words) for name, words in declared(language).get("phrases", {}).items()}


def is_denied(language: str, words: Sequence[Span], j: int) -> bool:
    """*kein Wort*, *kein einziges Wort*: there is nothing that a pronoun could take up."""
    denying = _phrases(language).get("denying", frozenset())
    before = [w.text.lower() for w in words[max(j - 2, 0) : j]]
    return bool(before) and (before[-1] in denying or (before[0] in denying and before[-1].isalpha()))


def is_purpose(words: Sequence[Span], j: int) -> bool:
    """*eine Fabrik zur Herstellung*, *eine Rakete der Mace-Klasse*: what a thing is for or of, right behind it."""
    before = words[max(j - 2, 0) : j]
    if len(before) > 1 and words[j].text.endswith("-Klasse"):
        return before[1].text.lower() == "der" and before[0].text[0].isupper()
    return len(before) > 1 and before[1].text.lower() in ("zur", "zum") and before[0].text[0].isupper()


def holds_clause(words: Sequence[Span], j: int, pronoun: int) -> bool:
    """Is a pronoun in the clause that says what a German noun is? *die Begründung, dass sie …*, *die Behauptung
    chinesischer Medien, sie habe …*
    """
    low = [w.text.lower() for w in words[j : pronoun + 2]]
    if low[1:3] in ([",", "dass"], [",", "daß"], [",", "ob"]):
        return "," not in low[3:] and ":" not in low
    opens = pronoun == j + low.index(",") + 1 if "," in low else False
    return opens and low[0].endswith(tuple(_phrases("de")["said"])) and len(low) > 2 and low[-1].endswith(("e", "ei"))


def _kind(language: str, low: str) -> str:
    """Of a determiner; nothing for any other word."""
    lists = _phrases(language)
    kind = next((kind for kind in ("definite", "owned", "indefinite") if low in lists[kind]), "")
    stems = tuple(lists.get("owned_stems", ()))
    return kind or ("owned" if stems and low.startswith(stems) and len(low) < 7 else "")


def determiner(language: str, words: Sequence[Span], index: int) -> str:
    """The kind of determiner among the words before a noun."""
    if not _phrases(language):
        return "of_a_language_without_a_list"
    for word in reversed(words[max(index - _CLOSE, 0) : index]):
        low = word.text.lower()
        if kind := _kind(language, low):
            return kind
        if not low.replace("-", "").isalpha() and low not in "'’":
            break
    return "none"


def is_preposition(language: str, word: str) -> bool:
    """*en*, *de*: one that a noun or a stressed pronoun stands behind."""
    lists = _phrases(language)
    return any(word.lower() in lists.get(name, ()) for name in ("prepositions", "of"))


def phrase_role(language: str, words: Sequence[Span], index: int) -> str:
    """*oblique* behind a preposition, *of a noun* in a genitive, *predicate* behind *as*; else nothing.

    >>> from kontrast.language.alignment import spans
    >>> [phrase_role("de", spans(text), 3) for text in ("die Macht des Lichs", "er kam zur Burg", "er sah die Burg")]
    ['of_a_noun', 'oblique', '']
    """
    lists = _phrases(language)
    if not lists:
        return ""
    endings = tuple(lists.get("adjective_endings", ()))
    for j in range(index - 1, max(index - _CLOSE, -1), -1):
        low = words[j].text.lower()
        if low in lists["as"]:
            return "predicate"
        # where adjectives show their case, a genitive has an article that may be another case's: behind a noun only
        if low in lists["of"] and (not endings or (j and words[j - 1].text[0].isupper())):
            return "of_a_noun"
        if low in lists["prepositions"]:
            return "oblique"
        adjective = endings and low.endswith(endings) and words[j].text[0].islower()
        stems = tuple(lists.get("owned_stems", ()))
        if not (_kind(language, low) or low in "'’" or adjective or (stems and low.startswith(stems))):
            return ""
    return ""
