"""Word order in any language: a preposition or article and its word change places; with a tree, two phrases."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.general.omission import subtree
from kontrast.building.errors.spec import Candidate, candidate, doubts, error
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import declared, declared_sets

_ARTICLES = frozenset(("le", "la", "les"))
_BEFORE_ARTICLES = frozenset(("tout", "toute", "tous", "toutes"))
"""French words that can stand before an article too."""
_LONGEST = 5
"""Words of a phrase that is moved."""


@error("grammar", of="words", needs="clauses.function_words")
def word_order(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A preposition or article changes places with its word, or a noun with the of-phrase after it.

    A declared preposition or article changes places with the word after it, inside the sentence. Clitics (le voir)
    and words that do not agree in the text have a low confidence and are never chosen. With a tree, if the language
    declares its preposition for of: a noun with its article after a preposition changes places with the of-phrase
    that directly follows (en la casa de Ana, en de Ana la casa). If the language declares a genitive, the same
    applies to a noun in the genitive (durch des Senats die Regeln), unless the preposition can govern the genitive.
    """
    words = declared(language).get("clauses", {})
    function_words, genitive = declared_sets(language, "clauses", "function_words", "genitive")
    by_case, bare = bool(words.get("genitive_case", False)), bool(words.get("bare_nouns", False))
    tokens = sentence.tokens
    for i in range(1, len(tokens) - 1):
        one, other = tokens[i], tokens[i + 1]
        if one.text not in function_words or not other.text.isalpha() or other.text.lower() in function_words:
            continue
        if one.end + 1 != other.start or not tokens[i - 1].text.isalpha() or len(other.text) < 4:
            continue
        edits = [(one.start, one.end, other.text), (other.start, other.end, like("x", one.text))]
        yield candidate(sentence, edits, features=doubts(other_error=_is_other_error(one, other)))
    for first, middle, last in _with_attribute(sentence, genitive, by_case, bare):
        noun = sentence.text[tokens[first].start : tokens[middle].end]
        phrase = sentence.text[tokens[middle + 1].start : tokens[last].end]
        edit = (tokens[first].start, tokens[last].end, f"{phrase} {noun}")
        yield candidate(sentence, [edit], distance=last - middle)


def _is_other_error(one: Token, other: Token) -> bool:
    """*le voir*: a clitic; *la toute dernière*: right as *toute la dernière*; *des titre*: wrong already."""
    clitic = one.pos == "PRON" or (one.text in _ARTICLES and other.morph.get("VerbForm") == "Inf")
    numbers = {token.morph["Number"] for token in (one, other) if "Number" in token.morph}
    disagree = len(numbers) > 1 and one.pos in ("DET", "ADP") and other.pos in ("NOUN", "ADJ")
    return clitic or disagree or other.text.lower() in _BEFORE_ARTICLES


def _with_attribute(
    sentence: Sentence, genitive: frozenset[str], by_case: bool, bare: bool
) -> Iterator[tuple[int, int, int]]:
    """First and last word of a noun (with its article, if not ``bare``), and the last of what follows it as *of*."""
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        noun = token.head
        if token.relation.split(":")[0] != "nmod" or not 1 <= noun < i or tokens[noun].pos != "NOUN":
            continue
        inside = subtree(sentence, i)
        whole = min(inside) == noun + 1 and max(inside) - noun == len(inside) <= _LONGEST
        of = tokens[noun + 1].text in genitive
        if not whole or not (of or (by_case and _is_genitive(sentence, noun, i))):
            continue
        has_article = tokens[noun - 1].pos == "DET" and tokens[noun - 1].head == noun
        first = noun - 1 if has_article else noun
        opens = tokens[first].text.isalpha() and (has_article or bare) and first > 1
        if opens and tokens[first - 1].pos == "ADP" and tokens[first - 1].text.isalpha():
            yield first, noun, max(inside)


def _is_genitive(sentence: Sentence, noun: int, attribute: int) -> bool:
    """A noun in the genitive without a preposition (*в доме отца*), which that of the other noun does not govern."""
    tokens = sentence.tokens
    one, other = tokens[noun].morph, tokens[attribute].morph
    if other.get("Case") != "Gen" or tokens[attribute].pos != "NOUN" or tokens[noun + 1].pos == "ADP":
        return False
    # do instrukcji treści, включая жителей группы, vor der Zeit: read as the preposition's own
    case, gender = one.get("Case"), other.get("Gender")
    return not (
        case == "Gen"
        or (case == "Acc" and other.get("Animacy", "Inan") != "Inan")
        or (case in ("Dat", "Loc") and (gender == "Fem" or tokens[noun].text[-1] == tokens[attribute].text[-1]))
    )
