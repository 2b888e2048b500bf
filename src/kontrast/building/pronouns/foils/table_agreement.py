"""Words that agree with a pronoun, by the recipe: those that change with it, and those that would stay.

Spanish and Italian leave out their subjects: *Essi sono rossi. Sono usati qui*; *una volta selezionato, … spostarlo*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from kontrast.building.pronouns.recipe import AgreementRule, Recipe
from kontrast.language.alignment import Span

Edit = tuple[int, int, str]
_RELATIVE = frozenset(("che", "que", "cui"))
_BEFORE_THAT = frozenset("prima dopo fino meno antes después hasta sin para".split())
"""Before *che* or *que*: then it is no relative pronoun (*prima che sia letto*)."""
_QUOTES = frozenset("« “ \" ( '".split())
_ONCE = frozenset(("volta", "vez"))
_LIGHT = frozenset("non no ya già se si".split())
_NEUTER = frozenset("algo nada todo eso esto ello aquello qualcosa tutto ciò niente".split())
_OF_FACTS = re.compile(
    r"(?:in?tént|intent|hac|hág|haz|dec|díg|dig|sab|cre|pens|prob|far|dir|saper|creder|provar)\w*l[oa]"
)
"""Verbs whose object may be what was said: *inténtelo*."""


def agreeing(
    words: Sequence[Span], index: int, agreement: AgreementRule, feminine: bool, plural: bool, host: str = ""
) -> list[Edit]:
    """The first word behind a verb of the recipe, in the other gender where it bears an ending that changes.

    With it those passed over that agree as well (*è stata vista*). ``host`` is what the pronoun is the end of
    (*averla vista*).
    """
    endings = agreement.plural_endings if plural else agreement.endings
    for i in range(index, min(index + 4, len(words))):
        if (host if i == index else words[i].text.lower()) not in agreement.after:
            continue
        j, edits = i + 1, []
        while j < len(words) and _is_passed(words[j].text.lower(), agreement):
            if words[j].text.lower() in agreement.also:
                edits += other_ending(words[j], endings, feminine)
            j += 1
        if j >= len(words) or words[j].text.lower() in agreement.fixed:
            return edits
        if agreement.only and not re.fullmatch(agreement.only, words[j].text.lower()):
            return edits
        return edits + other_ending(words[j], endings, feminine)
    return []


def _is_passed(low: str, agreement: AgreementRule) -> bool:
    adverb = low.endswith("mente") and len(low) > 7
    return adverb or low in _QUOTES or low in agreement.over or low in agreement.also or low in agreement.after


def other_ending(word: Span, endings: Sequence[tuple[str, str]], feminine: bool) -> list[Edit]:
    """The word with the other ending, where it bears one that changes."""
    for masculine, feminine_ending in sorted(endings, key=lambda pair: -max(map(len, pair))):
        old, new = (masculine, feminine_ending) if feminine else (feminine_ending, masculine)
        if re.fullmatch(rf"\w{{2,}}{old}", word.text):
            return [(word.start, word.end, word.text.removesuffix(old) + new)]
    return []


def unnamed_subject(
    recipe: Recipe, words: Sequence[Span], pronoun: int, changed: Set[int], feminine: bool, plural: bool
) -> str:
    """The predicate of a clause without a subject that has the pronoun's old gender and does not change with it.

    ``changed`` are the starts of words that change, ``feminine`` is the gender of the foil.
    """
    rule = recipe.agreement
    if rule is None:
        return ""
    endings = rule.plural_endings if plural else rule.endings
    low = [w.text.lower() for w in words]
    for i, word in enumerate(low):
        j = i + 1
        if word not in _ONCE:
            if word not in rule.after or not _is_without_subject(recipe, low, i):
                continue
            while j < len(low) and _is_passed(low[j], rule):
                j += 1
        if j >= len(words) or j == pronoun or words[j].start in changed or low[j] in rule.fixed:
            continue
        may = len(low[j]) > 4 and (not rule.only or re.fullmatch(rule.only, low[j]))
        if may and other_ending(words[j], endings, feminine):
            return words[j].text
    return ""


def _is_without_subject(recipe: Recipe, low: Sequence[str], verb: int) -> bool:
    """Does a sign or a word that opens a clause stand before the verb, with only *not* and pronouns between?"""
    i = verb - 1
    while i >= 0 and (low[i] in _LIGHT or low[i] in recipe.targets):
        i -= 1
    if i < 0 or not low[i][0].isalnum():
        return True
    if low[i] in _RELATIVE:
        return i > 0 and low[i - 1] in _BEFORE_THAT
    return low[i] in recipe.opening


def doubled_object(words: Sequence[Span], index: int) -> str:
    """*les matamos a ellos*: *les* for an object is masculine, and would stay."""
    low = [w.text.lower() for w in words]
    is_doubled = index > 1 and low[index - 1] == "a" and low[index] in ("ellos", "ellas", "él", "ella")
    return "agreeing_word_stays" if is_doubled and {"les", "le"} & set(low[:index]) else ""


def may_be_a_fact(words: Sequence[Span], j: int, pronoun: str) -> bool:
    """*inténtelo*, *algo … te lo comes*: may it be a fact or something without a name?"""
    if pronoun not in ("lo", "la"):
        return False
    return bool(_OF_FACTS.match(words[j].text.lower())) or any(w.text.lower() in _NEUTER for w in words[:j])
