"""French *il* that stands for nothing: *il faut*, *il y a*, *il est cinq heures*. For errors and `lint` alike.

What may follow it is declared in ``data/words/fr.toml``, ``impersonal_phrases`` and ``impersonal_patterns``.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from kontrast.language.french_words import AVOIR, CLITICS, ETRE, FrenchWord
from kontrast.language.words import lists_of

_ASKED = frozenset((("s'", "agi"), ("se", "fai"), ("se", "peu"), ("se", "pou"), ("se", "pas")))


def is_impersonal(words: Sequence[FrenchWord], i: int) -> bool:
    """*il y a*, *il faut*, *s'il te plaît*, *il est rare que*: an *il* that stands for nothing."""
    if words[i].low != "il":
        return False
    if i > 1 and words[i - 1].low == "-":
        return _is_inverted(words, i)
    before = [w.low for w in words[max(i - 6, 0) : i]]
    following = [w.low for w in words[i + 1 : i + 12]]
    if i > 1 and before[-1] == "t'" and "y" in before:
        return True  # y a-t'il
    if i > 1 and before[-1] == "heure" and before[-2] in ("quelle", "l'") and set(following[:2]) & ETRE:
        return True  # quelle heure il était
    if before[-1:] == ["s'"] and {"plaît", "plait"} & set(following[:4]):
        return True
    plain = [word for word in following if word not in ("n'", "ne")]
    if any(_pattern("phrase").match(_text(each)) for each in (following, plain)):
        return True
    first = next((k for k, word in enumerate(following) if word not in CLITICS), len(following))
    return _is_group(following[:first], following[first:])


def _is_group(clitics: Sequence[str], rest: Sequence[str]) -> bool:
    """Do the clitics, the verb and what follows it say something of nothing?"""
    text = f"{_text(clitics)}| {_text(rest)}"
    return not _pattern("compared").search(text) and bool(_pattern("group").match(text))


def _is_inverted(words: Sequence[FrenchWord], i: int) -> bool:
    """*faut-il*, *y a-t-il*, *s'agit-il*, *que s'est-il passé*, *est-il vrai que*."""
    verb = i - 4 if words[i - 2].low == "t" and i > 3 else i - 2
    low = words[verb].low
    before = words[verb - 1].low if verb else ""
    if before == "y" or (before, low[:3]) in _ASKED or low in lists_of("fr")["impersonal_phrases"]:
        return True
    rest = [low, *(w.low for w in words[i + 1 : i + 6])]
    return low in AVOIR | ETRE and _is_group([before] if before in CLITICS else [], rest)


def _text(words: Iterable[str]) -> str:
    return "".join(f"{word} " for word in words)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """One of the declared patterns; a name in braces stands for a pattern above it, or for the words of a list."""
    lists = lists_of("fr")
    parts = {key.removeprefix("impersonal_"): "|".join(map(re.escape, words)) for key, words in lists.items()}
    parts["clitics"] = "|".join(map(re.escape, sorted(CLITICS)))
    for row in lists["impersonal_patterns"]:
        key, _, pattern = row.partition(": ")
        made = re.sub(r"\{([a-z_]+)\}", lambda found: f"(?:{parts[found[1]]})", pattern)
        parts[key] = f"{parts[key]}|{made}" if key in parts else made
    return re.compile(parts[name])
