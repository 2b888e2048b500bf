"""Parts of words: un- is taken off or put on where it makes an opposite, two segments of a compound change places."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import LISTS, NEGATIVE, clause_around
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import adjective_lemma, comparative_lemma, readings
from kontrast.language.lexicons.german_compounds import holds_nouns, split_compound
from kontrast.language.lexicons.german_words import CLOSED

_NOUN_ENDINGS = ("heit", "keit", "heiten", "keiten")


def is_opposite(word: str) -> bool:
    """Is the word its base with un-, and the opposite of it?

    >>> is_opposite("unabhängigen"), is_opposite("Unfall"), is_opposite("unter"), is_opposite("Unglück")
    (True, False, False, True)
    """
    low = word.lower()
    if not low.startswith("un") or len(low) < 6:
        return False
    base, stop = low[2:], LISTS["un_no_opposite"]
    if CLOSED.get(low, frozenset()) - {"ADV"} or base in stop:
        return False
    if any(base.startswith(beginning) for beginning in stop if len(beginning) > 3):
        return False
    return _is_word(base) or (word[0].isupper() and _is_word(base.capitalize()))


def _is_word(form: str) -> bool:
    """Is this an adjective, participle, noun or adverb in any of its forms?"""
    known = readings(form) or adjective_lemma(form) or comparative_lemma(form)
    return bool(known) or bool(CLOSED.get(form, frozenset()) & {"ADV", "CARD"})


def is_unclear(word: str) -> bool:
    """Is this word with un- the opposite of its base only in a rare meaning, or in none?

    >>> is_unclear("unbedingt"), is_unclear("unklar")
    (True, False)
    """
    base = word.lower()[2:]
    return base in LISTS["un_unclear"] or adjective_lemma(base) in LISTS["un_unclear"]


def is_clear(word: str) -> bool:
    """Is un- before this word its opposite in all its meanings?

    >>> is_clear("wichtigsten"), is_clear("Zufriedenheit"), is_clear("tragbares")
    (True, True, False)
    """
    low = word.lower()
    return bool({low, adjective_lemma(low), comparative_lemma(low)} & LISTS["un_clear"])


def has_opposite(word: str, tag: str) -> bool:
    """Is there an opposite with un- of this adjective or noun?

    >>> has_opposite("sicher", "ADJD"), has_opposite("Fall", "NN"), has_opposite("groß", "ADJD")
    (True, False, False)
    """
    low = word.lower()
    lemma = adjective_lemma(low) or comparative_lemma(low) or low
    if low.startswith("un") or len(low) < 4 or {low, lemma} & (LISTS["un_no_opposite"] | LISTS["no_un"]):
        return False
    if tag == "NN":
        known = any(r.pos == "N" for r in readings("Un" + low))
        return known and (low.endswith(_NOUN_ENDINGS) or low.removesuffix("s") in LISTS["un_nouns"])
    if tag == "ADJA":
        return adjective_lemma("un" + low) is not None
    return any(r.pos == "A" and "p" in r.codes for r in readings("un" + low))


@error("negation")
def polarity_affix_del(sentence: Sentence) -> Iterator[Candidate]:
    """The negating prefix un- is deleted.

    The word is an adjective, participle, adverb or noun with un-. The rest is also a word and keeps the capital
    letter. Words in which un- does not mean the opposite are left out: Unfall, Unkosten, Unwetter, Unmenge …

    - Der Ausgang ist unsicher. → Der Ausgang ist sicher.
    - Es herrscht Unklarheit darüber. → Es herrscht Klarheit darüber.
    - Das Unternehmen hatte einen Unfall. → (nothing)
    """
    for token in sentence.tokens:
        if is_opposite(token.text):
            said = flags(unclear=is_unclear(token.text))
            edits = [(token.start, token.end, like(token.text, token.text[2:]))]
            yield candidate(sentence, edits, words=(token.text,), features=said)


_TAGS = {"ADJ": "ADJA", "NOUN": "NN"}
_COPULAS = frozenset(("sein", "bleiben", "scheinen"))


@error("negation")
def polarity_affix_ins(sentence: Sentence) -> Iterator[Candidate]:
    """The negating prefix un- is inserted.

    The word is an adjective, a noun in -heit or -keit, or a noun of a short list. Its opposite with un- is in the
    lexicon. Words in which un- does not mean the opposite are left out (heimlich, bedingt, gut, rund, Fall, Kosten).

    - Der Ausgang ist sicher. → Der Ausgang ist unsicher.
    - Die abhängigen Staaten schwiegen. → Die unabhängigen Staaten schwiegen.
    """
    for i, token in enumerate(sentence.tokens):
        tag = token.tag if token.tag in ("ADJA", "ADJD", "NN") else _TAGS.get(token.pos, "")
        if not tag or not has_opposite(token.text, tag):
            continue
        low, after = token.text.lower(), sentence.tokens[i + 1].pos if i + 1 < len(sentence.tokens) else ""
        new = like(token.text, "un" + low)
        clause = (sentence.tokens[k].text.lower() for k in clause_around(sentence, i))
        adverb = tag == "ADJD" and not any(r.lemma in _COPULAS for word in clause for r in readings(word))
        before = sentence.tokens[i - 1] if i else None
        said = flags(
            clear=is_clear(token.text),
            behind_negation=before is not None and before.text.lower() in NEGATIVE | LISTS["before_un"],
            in_phrase=before is not None and before.pos == "ADP" and (tag != "ADJA" or after != "NOUN"),
        )
        said += doubts(comment=adverb and low in LISTS["comment"])
        edits = [(token.start, token.end, new)]
        yield candidate(sentence, edits, words=(token.text,), features=said)


@error("sense")
def compound(sentence: Sentence) -> Iterator[Candidate]:
    """The first two segments of a compound are swapped.

    The noun has at least three segments, each of them a word. Linking elements (-s-, -n-, -es-) belong to the segment
    before them. Prefixes and particles do not count as segments: Verbrauch, Fortbildung and Ausgang are not split.
    The error is made only with --types compound, because some results can be read as correct (Münzwurfspiel,
    Wurfmünzspiel). With --train, the new compound does not occur in the training text.

    - Der Finanzmarktbericht liegt vor. → Der Marktfinanzbericht liegt vor.
    """
    for token in sentence.tokens:
        word = token.text
        if not (token.tag in ("NN", "NE") or token.pos in ("NOUN", "PROPN")) or len(word) < 12 or not word.isalpha():
            continue
        parts = split_compound(word)
        if len(parts) < 3:
            continue
        if any(holds_nouns(part) for part in parts[:2]):
            continue  # a segment that was not cut, but might be: Prostatakrebs|früh|erkennung
        new = parts[1].capitalize() + parts[0].lower() + "".join(parts[2:])
        edits = [(token.start, token.end, new)]
        yield candidate(sentence, edits, words=(word,), unseen=(word,))
