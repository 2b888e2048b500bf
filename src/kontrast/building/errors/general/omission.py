"""Omission in any language: a clause between commas, or a prepositional phrase where there is a tree, is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.general.bound_phrases import PhraseWords, is_bound, phrase_words, subtree
from kontrast.building.errors.general.safe_omissions import is_safe_clause, is_safe_phrase
from kontrast.building.errors.general.saying_little import is_given_condition
from kontrast.building.errors.spec import Candidate, Perturbation, candidate, doubts
from kontrast.building.errors.text import deletion
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import declared

_PART = re.compile(r",\s+([^,;:()«»„”“\"—–]+)(?=([,.!?])(?:\W|$))")
_SHORTEST, _LONGEST = 3, 15
_FIRST = 4
"""Words before a clause that stands in the middle: Ramses, who had no supplies, went back."""


_SAYING_LITTLE = frozenset(
    (
        *("sans aucun doute", "sans doute", "par exemple", "sans problème", "avec plaisir", "avec succès"),
        *("sans cesse", "malgré tout", "après tout", "avant tout"),
    )
)
_PAIRED = frozenset(("soit", "ni", "tantôt"))
"""*qui peut soit la sauver, | soit la perdre*: one alone is left."""


def perturbation(language: str) -> Perturbation:
    words_of = declared(language).get("clauses", {})
    function_words = frozenset(words_of.get("function_words", ()))
    own = phrase_words(words_of)

    def opens_clause(words: list[str]) -> bool:
        return words[0] in own.openers or (words[0] in function_words and words[1] in own.openers)

    def ends_with_it(text: str, start: int, end: int) -> bool:
        """Whether the clause surely ends at the comma: it is behind the first words, and there are no more commas."""
        before, after = text[:start].split(), re.findall(r"\w+", text[end:].lower())
        if text.count(",") > 2 or len(before) > _FIRST or len(after) < 2:
            return False
        return after[0] not in own.openers | own.joining | function_words

    def shortened(sentence: Sentence) -> Iterator[Candidate]:
        for found in _PART.finditer(sentence.text):
            words = re.findall(r"\w+", found[1].lower())
            if not (_SHORTEST <= len(words) <= _LONGEST) or not opens_clause(words) or _is_number(sentence, found):
                continue
            if found[2] == "," and not ends_with_it(sentence.text, found.start(), found.end() + 1):
                continue
            # The comma behind goes too: The man, who came, left.
            end = found.end() + (found[2] == "," or _ends_abbreviation(sentence.text, found.start(), found.end()))
            rest = re.findall(r"\w+", sentence.text[: found.start()] + sentence.text[end:])
            torn = any(words.count(word) % 2 and word in rest for word in _PAIRED)
            torn = torn or sentence.text[end:].startswith("..")
            said = doubts(
                torn=torn,
                given_condition=is_given_condition(words),
                main=_is_main(sentence.text[: found.start()], words, own),
                no_verb_stays=not _has_verb(sentence, found.start(), end),
                unsafe_clause=bool(own.negating) and not is_safe_clause(sentence.text, found.start(), found[2], own),
            )
            yield candidate("omission", sentence, [(found.start(), end, "")], features=said)
        yield from _phrases(sentence, own)

    return Perturbation(
        name="omission",
        language=language,
        summary="a clause or a prepositional phrase is left out",
        conditions=(
            "A part from a comma to the end that begins with a declared word (who, because …), or between the only "
            "two commas behind the first four words.",
            "With a tree: an adverbial of two to eight words with a preposition, no clause; where the language "
            "declares them, with a preposition that verbs do not ask for (pendant, depuis, avec).",
            "Weak, so never chosen: a phrase that its verb or participle needs (utilisé avec, est déjà dans), half "
            "of a pair (depuis … vers; avec lequel … avec), "
            "one before a relative clause, a colon or a sign, one that celui takes up or "
            "whose comma would part verb and object, and one that says nothing new (dans cet exercice, avec la "
            "souris, or a word whose family the rest has).",
            "Weak too, in French: a place right behind a verb without an object (rentrer chez eux) and what follows "
            "a participle of a noun (stockés dans la base); a phrase before a noun, an adjective or a preposition "
            "that may belong to it (votre guerre | contre …), one whose noun a pronoun behind may mean (en sortir), "
            "alors … behind a condition, and a condition that is understood (s'il y en a).",
            "Chosen in French only at the end of a statement: a phrase behind no colon or bracket, beside no "
            "negation or conjunction, that the source has too (a cognate, or a phrase at its end); a clause behind "
            "the only comma and no condition.",
        ),
        examples=(),
        function=shortened,
    )


def _is_main(before: str, words: list[str], own: PhraseWords) -> bool:
    """*Si vous fermez la page, | alors elle sera perdue*: is it the main clause of a sentence that opens with si?"""
    return words[0] in own.resuming and bool(own.conditions & set(re.findall(r"\w+", before.lower())))


def _has_verb(sentence: Sentence, start: int, end: int) -> bool:
    """*Par exemple, si …*: is there a verb in what is left?"""
    kept = [t for t in sentence.tokens if t.end <= start or t.start >= end]
    verbs = [t for t in kept if t.pos in ("VERB", "AUX")]
    told = any(t.morph.get("VerbForm") for t in sentence.tokens)
    return not any(t.pos for t in kept) or any(not told or t.morph.get("VerbForm") == "Fin" for t in verbs)


def _is_number(sentence: Sentence, found: re.Match[str]) -> bool:
    """A comma within a number, or an ordinal (12. října)."""
    after = sentence.text[found.end() + 1 :].strip()
    return sentence.text[found.end() - 1].isdigit() and (after[:1].isdigit() or after[:1].islower())


def _phrases(sentence: Sentence, words: PhraseWords) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.relation.split(":")[0] != "obl" or token.relation == "obl:agent" or i == 0:
            continue
        if not any(sentence.tokens[c].relation == "case" for c in sentence.children(i)):
            continue
        inside = subtree(sentence, i)
        first, last = min(inside), max(inside)
        low = [sentence.tokens[k].text.lower() for k in sorted(inside)]
        if words.adjuncts and low[0] not in words.adjuncts:
            continue
        if any(_is_clausal(sentence.tokens[k], words.openers) for k in inside):
            continue
        whole = first > 0 and 2 <= len(inside) <= 8 and last - first + 1 == len(inside)
        if whole and not _is_wanted(sentence, i, first, last, words):
            said = doubts(
                bound=is_bound(sentence, i, first, last, words),
                unsafe_phrase=bool(words.negating) and not is_safe_phrase(sentence, i, first, last, words),
            )
            [(start, end, new)] = deletion(sentence, first, last)
            end += _ends_abbreviation(sentence.text, start, end)
            yield candidate("omission", sentence, [(start, end, new)], features=said)


def _ends_abbreviation(text: str, start: int, end: int) -> bool:
    """*avant J.-C., quand on vint.*: what is left ends in a stop already, so that the last one goes."""
    return text[:start].endswith(".") and text[end:].rstrip() == "."


def _is_wanted(sentence: Sentence, i: int, first: int, last: int, words: PhraseWords) -> bool:
    """*se trouve dans*, *reste dans*; *qu'avec*; *dans les Collines Ocres*: what is left would be broken."""
    tokens = sentence.tokens
    verb = tokens[tokens[i].head] if tokens[i].head >= 0 else None
    if verb is not None and verb.lemma in words.complemented:
        return True
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    before = tokens[first - 1].text.lower()
    inside = [t.text.lower() for t in tokens[first : last + 1]]
    if any(text.startswith("-") for text in inside):
        return True  # avec dpkg -a: a command
    if after is not None and after.text == ":" and "deux" in inside:
        return True  # dans deux buts : d'abord …
    if " ".join(inside) in _SAYING_LITTLE or " ".join(inside[:2]) in _SAYING_LITTLE:
        return True
    following = tokens[last + 2] if last + 2 < len(tokens) else None
    named = following is not None and (following.text[:1].isupper() or following.text in ("«", "“", "„", '"'))
    if after is not None and after.text == "," and named:
        return True  # dans l'Annexe E, Administrivia; dans la Section 2, « Bases »
    if after is not None and after.text.lower() in ("à", "au", "aux") and tokens[last].text.lower() == "ici":
        return True  # d'ici | à 2015
    quoted = after is not None and after.text in ("-", "«", "“", "(")
    if before in ("(", "«", "“") or quoted or _is_glued(after, tokens[last]):
        return True  # dans le presse|-papiers; dans Section 3, « Bases »
    return before in ("que", "qu'", "qu’", "jusque", "jusqu'", "jusqu’", ",") or (
        after is not None and after.text[:1].isupper()
    )


def _is_glued(after: Token | None, last: Token) -> bool:
    return after is not None and after.start == last.end and after.text[:1] not in ".,;:!?)…"


def _is_clausal(token: Token, openers: frozenset[str]) -> bool:
    """A relative pronoun or a finite verb: with it a clause would lose its beginning."""
    relative = token.morph.get("PronType") == "Rel" or token.text.lower() in openers
    return relative or token.morph.get("VerbForm") == "Fin"
