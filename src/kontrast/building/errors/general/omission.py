"""Left out or added in any language: clauses, phrases and adjectives; a phrase said twice."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from kontrast.building.checks.english import said_in
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import deletion
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import declared, declared_sets

_PART = re.compile(r",\s+([^,;:()«»„”“\"—–]+)(?=([,.!?])(?:\W|$))")
_SHORTEST, _LONGEST = 3, 15
_FIRST = 4
"""Words before a clause that stands in the middle: Ramses, who had no supplies, went back."""
_FEWEST, _MOST = 2, 8
"""Words of a phrase."""
_NOMINAL = frozenset(("NOUN", "PROPN", "ADJ", "NUM", "X", "ADP"))
_STOPS = frozenset(".!;")


class _Words(NamedTuple):
    """What a language declares of its clauses; none where it declares nothing."""

    openers: frozenset[str]
    function_words: frozenset[str]
    adjuncts: frozenset[str]
    """Prepositions of adverbials."""
    complemented: frozenset[str]
    """Verbs that want to be told where, or are odd with nothing behind them."""
    relatives: frozenset[str]
    joining: frozenset[str]


@error("omission", of="words", needs="clauses")
def omission(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A clause or a prepositional phrase is left out.

    The clause begins with a declared word (who, because …). It goes from a comma to the end, or is between the only
    two commas after the first four words. The rest has a verb. With a tree, the phrase is an adverbial of two to
    eight words with a preposition and is not a clause. If the language declares prepositions that verbs do not govern
    (pendant, depuis, avec), it has one of them. Phrases of a verb that needs them (declared), in brackets or quotes,
    or before a hyphen are left out. A phrase has a low confidence if a following noun, adjective, preposition or
    relative clause may belong to it. A clause has a low confidence if the rest has no verb.
    """
    words = _Words(*declared_sets(language, "clauses", *_Words._fields))
    yield from _clauses(sentence, words)
    yield from _phrases(sentence, words)


def _clauses(sentence: Sentence, own: _Words) -> Iterator[Candidate]:
    text = sentence.text
    for found in _PART.finditer(text):
        said = re.findall(r"\w+", found[1].lower())
        if not _SHORTEST <= len(said) <= _LONGEST:
            continue
        if said[0] not in own.openers and not (said[0] in own.function_words and said[1] in own.openers):
            continue
        if found[2] == "," and not _ends_at_comma(text, found.start(), found.end() + 1, own):
            continue
        # The comma behind goes too: The man, who came, left.
        end = found.end() + (found[2] == ",")
        features = doubts(no_verb_stays=not _has_verb(sentence, found.start(), end))
        yield candidate(sentence, [(found.start(), end, "")], features=(*features, "clause"))


def _ends_at_comma(text: str, start: int, end: int, own: _Words) -> bool:
    """Whether the clause surely ends at the comma: it is behind the first words, and there are no more commas."""
    before, after = text[:start].split(), re.findall(r"\w+", text[end:].lower())
    if text.count(",") > 2 or len(before) > _FIRST or len(after) < 2:
        return False
    return after[0] not in own.openers | own.joining | own.function_words


def _has_verb(sentence: Sentence, start: int, end: int) -> bool:
    """*Par exemple, si …*: is there a verb in what is left?"""
    kept = [t for t in sentence.tokens if t.end <= start or t.start >= end]
    verbs = [t for t in kept if t.pos in ("VERB", "AUX")]
    told = any(t.morph.get("VerbForm") for t in sentence.tokens)
    return not any(t.pos for t in kept) or any(not told or t.morph.get("VerbForm") == "Fin" for t in verbs)


def _phrases(sentence: Sentence, own: _Words) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if token.relation.split(":")[0] != "obl" or token.relation == "obl:agent" or i == 0:
            continue
        inside = sorted(subtree(sentence, i))
        first, last = inside[0], inside[-1]
        whole = first > 0 and _FEWEST <= len(inside) <= _MOST and last - first + 1 == len(inside)
        if not whole or not any(tokens[c].relation == "case" for c in sentence.children(i)):
            continue
        if own.adjuncts and tokens[first].text.lower() not in own.adjuncts:
            continue
        verb = tokens[token.head].lemma if token.head >= 0 else ""
        if verb in own.complemented or any(_is_clausal(tokens[k], own.openers) for k in inside):
            continue
        if _is_enclosed(sentence, first, last):
            continue
        features = _around(sentence, first, last, own)
        yield candidate(sentence, deletion(sentence, first, last), features=features)


def _around(sentence: Sentence, first: int, last: int, own: _Words) -> tuple[str, ...]:
    """Whether what follows may belong to the phrase, and whether it ends the sentence."""
    after = sentence.tokens[last + 1] if last + 1 < len(sentence.tokens) else None
    goes_on = after is not None and (after.morph.get("PronType") == "Rel" or after.text.lower() in own.relatives)
    torn = goes_on or (after is not None and after.pos in _NOMINAL)
    return doubts(torn=torn) + flags(last=after is None or after.text in _STOPS, short=last - first < _SHORTEST)


def _is_enclosed(sentence: Sentence, first: int, last: int) -> bool:
    """*(dans X)*, *dans le presse|-papiers*, *dans la Section 2, « Bases »*: what is left would be broken."""
    tokens, text = sentence.tokens, sentence.text
    before, behind = tokens[first - 1].text.lower(), text[tokens[last].end :]
    titled = re.match(r",? ?[\"“«„(A-ZÀ-Ý]|\s?[-–(«“]", behind) is not None
    opened = before in ("(", "«", "“", ",") or before.rstrip("'’e") in ("qu", "jusqu")
    command = any(t.text.startswith("-") for t in tokens[first : last + 1])  # avec dpkg -a
    return titled or opened or command


def _is_clausal(token: Token, openers: frozenset[str]) -> bool:
    """A relative pronoun or a finite verb: with it a clause would lose its beginning."""
    relative = token.morph.get("PronType") == "Rel" or token.text.lower() in openers
    return relative or token.morph.get("VerbForm") == "Fin"


def subtree(sentence: Sentence, root: int) -> set[int]:
    """The word and all that depends on it."""
    found, left = set(), [root]
    while left:
        at = left.pop()
        if at not in found:
            found.add(at)
            left += sentence.children(at)
    return found


@error("addition", of="words", needs="additions")
def added_adjective(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A noun with a determiner gets an adjective that the source does not have; the language declares them."""
    words = declared(language).get("additions", {})
    adjectives: list[list[str]] = words.get("adjectives", [])
    weak: dict[str, str] = dict(words.get("endings", ()))
    tokens, said = sentence.tokens, said_in(sentence.source)
    for i in range(1, len(tokens)):
        noun, before = tokens[i], tokens[i - 1]
        cell = f"{before.text.lower()} {noun.morph.get('Number', '')}"
        ending = weak.get(cell) or weak.get(f"{cell} {noun.morph.get('Gender', '')}")
        named = i + 1 < len(tokens) and (tokens[i + 1].pos == "PROPN" or "-" in noun.text)
        if noun.pos != "NOUN" or before.pos != "DET" or ending is None or named:
            continue
        for adjective, *english in _drawn(adjectives, noun.text):
            if not said & set(english) and adjective not in sentence.text.lower():
                yield candidate(sentence, [(noun.start, noun.start, f"{adjective}{ending} ")])
                break


def _drawn(adjectives: list[list[str]], noun: str) -> list[list[str]]:
    """The adjectives, beginning at another for each noun."""
    start = zlib.crc32(noun.encode()) % max(len(adjectives), 1)
    return [*adjectives[start:], *adjectives[:start]]


_BEFORE = ("DET", "ADP")
_SHORTEST_ADJECTIVE = 4


@error("omission", of="words", needs="phrases.needed_adjectives")
def adjective_omission(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """An adjective between a determiner or preposition and its noun is left out.

    The language declares which adjectives a noun needs. Nouns that occur twice are left out.
    """
    needed = tuple(declared(language).get("phrases", {}).get("needed_adjectives", ()))
    tokens = sentence.tokens
    for i in range(1, len(tokens) - 1) if needed else ():
        before, token, noun = tokens[i - 1 : i + 2]
        if token.pos != "ADJ" or before.pos not in _BEFORE or noun.pos != "NOUN" or before.end + 1 != token.start:
            continue
        plain = token.text.isalpha() and token.text.islower() and len(token.text) >= _SHORTEST_ADJECTIVE
        if not plain or "end" in token.text[-5:] or token.text.startswith(needed):
            continue
        if [t.lemma for t in tokens].count(noun.lemma) == 1:
            yield candidate(sentence, deletion(sentence, i))


@error("addition", of="words", needs="clauses.function_words")
def addition(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A preposition or article and the word after it are repeated."""
    [openers] = declared_sets(language, "clauses", "function_words")
    tokens, text = sentence.tokens, sentence.text
    for i in range(len(tokens) - 1):
        one, other = tokens[i], tokens[i + 1]
        if one.text in openers and other.text.isalpha() and len(other.text) > 3 and one.end + 1 == other.start:
            phrase = text[one.start : other.end]
            if other.text.lower() not in openers and not text[other.end : other.end + 1].isalnum():
                yield candidate(sentence, [(other.end, other.end, f" {phrase}")])
