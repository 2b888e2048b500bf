"""What a sentence can do without is left out: an adverb, a phrase of time or manner, what *and* joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kontrast.building.checks.english import times_said
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import deletion
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import declared, declared_sets

_NOUNS = ("NOUN", "PROPN")
_ENDS = frozenset(".!?;")
_GOES_ON = (*_NOUNS, "ADJ", "ADP", "CCONJ", "NUM", "PRON", "X")
"""What may belong to a phrase before it."""
_BOUND = ("ADP", "ADV", "PART", "CCONJ", "SCONJ", "PUNCT", "NUM", "X", "")
"""Behind these an adverb or a phrase belongs to the word before, or opens its clause."""
_FEWEST = 3


@error("omission", of="words", needs="omissible", source=True)
def phrase_omission(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """An adverb, a phrase of time or manner, or a coordinated part is left out.

    The source is English, which has the counterpart once. An adverb is left out if the language declares it, it is
    inside its clause, and no conjunction or adverb is next to it. A phrase goes from a declared preposition (trotz,
    without), or a preposition of a time expression, to the noun. No following word may belong to it, and the sentence
    has no verb that needs it (declared). A coordinated part is left out with its *and* or *or*, the only one on both
    sides: an adjective next to an adjective, a noun after a preposition, or a clause with its own verb up to the end
    of the sentence.
    """
    words = declared(language).get("omissible", {})
    adverbs, prepositions, times, joined = (
        {row[0]: row[1:] for row in words.get(name, ())} for name in ("adverbs", "prepositions", "times", "joining")
    )
    before_times, paired, needy = declared_sets(language, "omissible", "before_times", "paired", "complemented")
    tokens, source = sentence.tokens, sentence.source
    low = [token.text.lower() for token in tokens]
    for i in range(1, len(tokens) - 1):
        last: int | None = None
        if low[i] in adverbs and low.count(low[i]) == 1 and times_said(source, adverbs[low[i]]) == 1:
            last = i if _is_free_adverb(tokens, i) else None
        elif tokens[i].pos == "ADP" and not needy & {token.lemma for token in tokens}:
            last = _phrase_end(tokens, i, low, source, prepositions, times if low[i] in before_times else {})
        elif low[i] in joined and not paired & set(low) and low.count(low[i]) == 1:
            last = _conjunct_end(tokens, i) if times_said(source, joined[low[i]]) == 1 else None
        if last is not None:
            first = i - 1 if low[i] in joined and low[i - 1] == "," else i
            yield candidate(sentence, deletion(sentence, first, last))


def _is_free_adverb(tokens: Sequence[Token], i: int) -> bool:
    before, behind = tokens[i - 1], tokens[i + 1]
    if tokens[i].pos != "ADV" or before.pos in _BOUND or behind.pos in ("CCONJ", "ADV", "PART") or behind.text == ",":
        return False
    alone = before.pos == "AUX" and behind.pos == "PUNCT"  # *Es ist heute.*
    return not alone and behind.tag not in ("KOKOM", "PTKVZ")


def _phrase_end(
    tokens: Sequence[Token],
    i: int,
    low: Sequence[str],
    source: str,
    prepositions: Mapping[str, Sequence[str]],
    times: Mapping[str, Sequence[str]],
) -> int | None:
    """The noun of the prepositional phrase that begins here, where nothing behind it belongs to it."""
    k = i + 1
    while k < len(tokens) - 1 and tokens[k].pos in ("DET", "ADJ", "NUM"):
        k += 1
    behind = tokens[k + 1] if k + 1 < len(tokens) else None
    if tokens[k].pos not in _NOUNS or behind is None or tokens[i - 1].pos in _BOUND:
        return None
    english = prepositions.get(low[i]) or times.get(low[k], ())
    if not english or times_said(source, english) != 1 or low.count(low[i]) > 1:
        return None
    short = len(behind.text) == 1 and behind.text.isalpha()  # im 6. Jahrhundert n. Chr.
    goes_on = short or behind.pos in _GOES_ON or behind.morph.get("Case") == "Gen" or behind.text[0] in ",-–("
    return None if goes_on or not any(t.pos == "VERB" for t in tokens) else k


def _conjunct_end(tokens: Sequence[Token], i: int) -> int | None:
    """The end of what a conjunction adds: an adjective, a noun with a preposition, a last clause."""
    before, behind, after = tokens[i - 1], tokens[i + 1], tokens[i + 2] if i + 2 < len(tokens) else None
    if after is None or not (before.text.isalpha() or before.text == ","):
        return None
    if before.pos == behind.pos == "ADJ" and before.text[-2:] == behind.text[-2:] and tokens[i - 2].text != ",":
        return i + 1 if after.pos in ("NOUN", "PUNCT") and after.text != "," and before.text != behind.text else None
    if before.pos in _NOUNS:
        last = _noun_end(tokens, i + 1)
        if last is not None and _is_governed(tokens, i - 1) and tokens[last + 1].text in _ENDS:
            return last
    opens = 1 if behind.pos == "PRON" else 0
    verbs = any(_is_finite(token) for token in tokens[:i])
    end = next((k for k in range(i, len(tokens)) if tokens[k].text in _ENDS | {",", ":", "-", "–"}), len(tokens))
    clause = verbs and _is_finite(tokens[i + 1 + opens]) and end == len(tokens) - 1 and end - i > _FEWEST
    return end - 1 if clause else None


def _noun_end(tokens: Sequence[Token], k: int) -> int | None:
    while k < len(tokens) - 1 and tokens[k].pos in ("ADP", "DET", "ADJ"):
        k += 1
    return k if tokens[k].pos in _NOUNS and k + 1 < len(tokens) else None


def _is_governed(tokens: Sequence[Token], k: int) -> bool:
    """Is the noun behind a preposition, and no part of a list?"""
    while k and tokens[k].pos in (*_NOUNS, "DET", "ADJ"):
        k -= 1
    return tokens[k].pos == "ADP"


def _is_finite(token: Token) -> bool:
    return token.tag.endswith("FIN") or (token.pos in ("VERB", "AUX") and token.morph.get("VerbForm", "") == "Fin")
