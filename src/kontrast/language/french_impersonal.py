"""French *il* that stands for nothing: *il faut*, *il y a*, *il est cinq heures*. For errors and `lint` alike."""

from collections.abc import Sequence

from kontrast.language.french_words import AVOIR, CLITICS, ETRE, IMPERSONAL, FrenchWord
from kontrast.language.words import word_set

_OF_PEOPLE = word_set("fr", "impersonal_of_people")
"""Between *il est* and *de* or *que* these say something of a person or thing, other words of what follows."""
_ASKED = frozenset((("s'", "agi"), ("se", "fai"), ("se", "peu"), ("se", "pou"), ("se", "pas")))
_BETWEEN = word_set("fr", "impersonal_between")
_ADVERBS = word_set("fr", "impersonal_adverbs")
_FOR_WHOM = word_set("fr", "impersonal_for_whom")
"""*il est courant pour les …*: what is so follows with *de*."""
_DUTIES = word_set("fr", "impersonal_duties")
_WENT = word_set("fr", "impersonal_went")
_COMPARING = word_set("fr", "impersonal_comparing")
_EMPTY = tuple(word_set("fr", "impersonal_stems"))
"""*il vous faut*, *il ressort de*, *il conviendrait de*."""
_EXISTING = word_set("fr", "impersonal_existing")
"""*il existe des …*; not *il n'existe plus*, *qu'il existe vraiment*."""
_LATER = word_set("fr", "impersonal_later")
_MODALS = word_set("fr", "impersonal_modals")
_TIMES = word_set("fr", "impersonal_times")
_THERE = word_set("fr", "impersonal_there")


def is_impersonal(words: Sequence[FrenchWord], i: int) -> bool:
    """*il y a*, *il faut*, *s'il te plaît*, *il est rare que*: an *il* that stands for nothing."""
    if words[i].low != "il":
        return False
    if i > 1 and words[i - 1].low == "-":
        return _is_inverted(words, i)
    if i > 1 and words[i - 1].low == "t'" and "y" in {w.low for w in words[max(i - 6, 0) : i]}:
        return True  # y a-t'il
    following = [w.low for w in words[i + 1 : i + 12]]
    if i > 1 and words[i - 1].low == "heure" and words[i - 2].low in ("quelle", "l'") and set(following[:2]) & ETRE:
        return True  # quelle heure il était
    plain = [word for word in following if word not in ("n'", "ne")]
    if i and words[i - 1].low == "s'" and {"plaît", "plait"} & set(following[:4]):
        return True
    if plain[:1] == ["y"] and any(word in AVOIR or word in ("avoir", "en") for word in plain[1:3]):
        return True
    short = [f[1:] if f[:1] == ["ne"] else f for f in (following, plain)]
    if any(tuple(f[: len(p)]) == p for p in IMPERSONAL for f in (following, plain, *short)):
        return True
    if plain[:1] == ["en"] and {"ainsi", "rien", "autrement"} & set(plain[2:6]) and plain[1] in ETRE | _WENT:
        return True  # il n'en sera pas ainsi, il en va autrement
    rest = _without(following, CLITICS)
    if not rest:
        return False
    clitics = set(following[: len(following) - len(rest)])  # il semble vous apprécier: vous is the infinitive's
    compared = bool(_COMPARING & set(rest[1:3])) and bool({"que", "qu'"} & set(rest[3:5]))  # si grand qu'il
    return not compared and _is_empty_group(rest[0], _without(rest[1:], _BETWEEN), clitics)


def _without(words: Sequence[str], left_out: frozenset[str]) -> list[str]:
    """The words behind those that may stand before them."""
    rest = list(words)
    while rest and rest[0] in left_out:
        rest.pop(0)
    return rest


def _is_empty_group(verb: str, rest: Sequence[str], clitics: set[str]) -> bool:
    """The verb behind *il* and its clitics, and what follows."""
    reflexive = bool(clitics & {"se", "s'"})
    rest = _without_adverbs(rest)  # il est extrêmement rare que
    if len(rest) > 3 and rest[1] in ("et", "ou"):
        rest = [rest[0], *rest[3:]]  # difficile et périlleux de
    if verb.startswith(("devien", "deven", "devin")):
        return _after_etre(rest, reflexive=False)  # il devient possible de
    if verb.startswith("rest") and clitics - {"ne", "n'", "se", "s'", "y", "en", "le", "l'"}:
        return True  # il ne nous reste plus d'or
    if reflexive and verb.startswith("avèr"):
        return _after_etre(rest, reflexive=False)  # il s'avère judicieux de
    if verb.startswith("sembl") and clitics - {"ne", "n'", "se", "s'", "y", "en"}:
        return not (rest and rest[0] in _OF_PEOPLE - {"un", "une"})  # il me semble une bonne idée de
    if verb in ETRE and (rest[:1] == ["mieux"] or list(rest[:2]) == ["de", "coutume"]):
        return True
    if verb in ETRE and rest[:1] in (["de"], ["du"]) and _DUTIES & set(rest[1:3]):
        return True  # il est de la responsabilité de l'appelant de
    if verb.startswith("exist"):
        return "en" in clitics or (bool(rest) and (rest[0] in _EXISTING or rest[0].isdigit()))
    if verb.startswith(_EMPTY) or (
        verb.startswith(("import", "appara", "arriv", "sembl", "paraî", "parai", "paru"))
        and rest[:1]
        and _opens_clause(rest)
    ):
        return True
    if verb.startswith("arriv") and {"que", "qu'"} & set(rest[:6]):
        return True  # il arrive en effet assez souvent que
    if verb in _MODALS and _LATER & set(rest[:3]):
        return True
    if verb in _MODALS and list(rest[:2]) in (["y", "avoir"], ["s'", "agir"]):
        return True
    if verb in _MODALS and rest[:1] == ["être"]:  # il peut être utile de
        return _after_etre(_without(rest[1:], _BETWEEN), reflexive)
    if reflexive and verb.startswith("pass"):
        return True
    if verb in AVOIR:
        return _after_avoir(rest, clitics)
    if verb in ETRE and rest[:1] == ["devenu"]:
        rest = rest[1:]  # il est devenu évident que
    return verb in ETRE and _after_etre(rest, reflexive)


def _after_avoir(rest: Sequence[str], clitics: set[str]) -> bool:
    if rest[:1] == ["fallu"] or (rest[:1] and rest[0].startswith(("neigé", "gelé"))):
        return True
    if rest[:1] == ["plu"]:  # il a plu au public: that is plaire
        return not clitics & {"lui", "leur", "me", "m'", "te", "t'", "nous", "vous"} and rest[1:2] not in (
            ["à"],
            ["au"],
            ["aux"],
        )
    return rest[:1] == ["été"] and len(rest) > 2 and rest[1] not in _OF_PEOPLE and _opens_clause(rest[2:])


def _after_etre(rest: Sequence[str], reflexive: bool) -> bool:
    if reflexive:  # il s'est passé, il s'est agi
        return rest[:1] in (["passé"], ["agi"], ["produit"], ["avéré"])
    if set(rest[:2]) & _TIMES or (rest[:2] and rest[0] in ("grand", "presque", "environ") and set(rest[:3]) & _TIMES):
        return True
    if rest[:1] in (["arrivé"], ["resté"], ["survenu"], ["advenu"], ["venu"]):
        return bool(rest[1:2]) and rest[1] in _THERE and rest[0] != "resté"
    if rest[1:2] == ["pour"] and rest[0] in _FOR_WHOM:
        return True
    return len(rest) > 1 and rest[0] not in _OF_PEOPLE and _opens_clause(rest[1:])


def _opens_clause(rest: Sequence[str]) -> bool:
    """*que …*, or *de* with an infinitive, before or behind adverbs (*recommandé ici de plutôt prendre*)."""
    if rest[:1] == [","] and "," in rest[1:]:
        rest = rest[rest.index(",", 1) + 1 :]  # conseillé, dans ce cas, de partir
    if rest[:1] and rest[0] in ("que", "qu'"):
        return True
    rest = _without_adverbs(rest)
    behind = _without(_without_adverbs(rest[1:]), CLITICS | {"la", "les", "pas", "ne"})
    return rest[:1] in (["de"], ["d'"]) and bool(behind) and behind[0].endswith(("er", "ir", "re", "oir"))


def _without_adverbs(words: Sequence[str]) -> list[str]:
    rest = list(words)
    while rest and (rest[0].endswith("ment") or rest[0] in _ADVERBS | _BETWEEN):
        rest = rest[2:] if rest[0] == "peut" else rest[1:]  # peut être
    return rest


def _is_inverted(words: Sequence[FrenchWord], i: int) -> bool:
    """*faut-il*, *y a-t-il*, *s'agit-il*, *que s'est-il passé*, *est-il vrai que*."""
    verb = i - 2
    if words[verb].low == "t" and verb > 1:
        verb -= 2
    low = words[verb].low
    before = words[verb - 1].low if verb else ""
    if (low,) in IMPERSONAL or before == "y" or (before, low[:3]) in _ASKED:
        return True
    rest = _without([w.low for w in words[i + 1 : i + 6]], _BETWEEN)
    if low in AVOIR:
        return _after_avoir(rest, {before})
    return low in ETRE and _after_etre(rest, before == "s'")
