"""What a French pronoun may mean that the nouns of its sentence give no gender."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kontrast.building.checks.english import of_either
from kontrast.language.annotation import Sentence
from kontrast.language.french import ETRE
from kontrast.language.french_words import FrenchWord
from kontrast.language.lexicons.french import lemmas, noun_genders
from kontrast.language.lexicons.lefff import facts_of, lemmas_of

_PERSONS = frozenset("he him his himself she her hers herself".split())
_ONE, _SEVERAL = frozenset("it its itself".split()), frozenset("they them their theirs themselves".split())
_ARTICLES = {"m": frozenset("le un ce cet du au".split()), "f": frozenset("la une cette".split())}
_OF_EITHER = frozenset("les des aux ces mes tes ses nos vos leurs".split())
_OWNED = frozenset("mes tes nos vos notre votre leur leurs".split())
_KIN = frozenset("miens tiens siens miennes tiennes siennes".split())
_ANYONE = re.compile(
    r"\b(?:(?:some|any|every)(?:one|body)|who(?:ever|m|se)?|persons?|people|users?|individuals?|authors?|others)\b"
)
_DETERMINERS = "l[ea]s?|une?|des|d[ue]|aux?|ce(?:tte|t|s)?|[mts](?:on|a|es)|[nv]o(?:tre|s)|leurs?|chaque|plusieurs"
_WITH_DETERMINER = re.compile(rf"(?:\b(?:{_DETERMINERS}) |\b[ld]['’])(\w+)")
_CODE = re.compile(r"[_(<=%]|\b[A-Z]{2,}|\w[A-Z]")
_BOTH = frozenset(
    "il elle ils elles lui eux celui celle ceux celles chacun chacune aucun aucune le la un une".split()
)
_CONDITIONS = frozenset("si s' quand lorsque lorsqu'".split())
_ADDING = frozenset("ou et pour à tous toutes par".split())
_USING = ("utilis", "emplo", "serv", "besoin")
_DATIVES = {"lui": ("il", "elle"), "leur": ("ils", "elles")}


def is_of_person(sentence: Sentence, start: int, gender: str) -> bool:
    """*un docteur … en voir un*: has the last noun of this gender, not *le docteur*, a form for the other too?"""
    there = [t for t in sentence.tokens if t.end <= start]
    nouns = (
        t.text.lower() for before, t in pairwise(there) if t.pos == "NOUN" and before.morph.get("Definite") != "Def"
    )
    alike = [noun for noun in nouns if gender in noun_genders(noun)]
    return bool(alike) and _has_both(alike[-1])


def _has_both(noun: str) -> bool:
    """*docteur*, *doctoresse*; *photographe* of either gender."""
    entries = (facts_of(lemma) for lemma in lemmas_of(noun))
    of_noun = ({code[0] for group, code, _ in facts if group == "n"} for facts in entries)
    return any({"m", "f"} <= genders for genders in of_noun)


def may_be_named(sentence: Sentence, start: int, number: str = "s") -> bool:
    """*le lancement de KMouth …, vous pouvez le configurer*: a name before without an article, of no known gender.

    Not one that a noun or a quotation mark introduces (*le processeur PTBatcher*), nor where the source has a person.
    Of several, a name with an article that does not tell: *les capacités des Pingus …, car elles …*.
    """
    if tells_person(sentence):
        return False
    there = [t for t in sentence.tokens if t.end <= start]
    for before, token in zip((None, *there), there, strict=False):
        introduced = before is not None and before.pos not in (
            "ADP",
            "VERB",
            "AUX",
            "CCONJ",
            "SCONJ",
            "PRON",
            "PUNCT",
        )
        several = before is not None and before.text.lower() in _OF_EITHER
        shouted = token.text.isupper() and len(token.text) > 1  # si MODE commence par un chiffre
        coded = "_" in token.text or sentence.text[token.end : token.end + 1] == "("  # dh_strip, strlen(3)
        unknown = token.text[0].isupper() and not lemmas_of(token.text.lower())
        named = coded or (token.pos in ("PROPN", "NOUN", "X") and (shouted or unknown))
        if named and (several if number == "p" else not introduced and not several):
            return True
    return False


def is_generic(sentence: Sentence, words: Sequence[FrenchWord], i: int) -> bool:
    """*par celui qui envoie*, *someone who sends*; *le concernant*, *concerning him or her*: whoever it is."""
    source = sentence.source.lower()
    if of_either(source) or _is_of_pair(words, i):
        return True
    behind = words[i + 1].low if i + 1 < len(words) else ""
    if words[i].low in ("chacun", "chacune") and {"nous", "vous"} & {w.low for w in words[i + 2 : i + 4]}:
        return True  # chacun de nous
    if words[i].low not in ("celui", "celle", "ceux", "celles"):
        return False
    before = words[i - 1].low if i else ""
    described = behind.endswith("ant") or bool(lemmas(behind, "k"))
    if described and before in _ADDING and re.search(r"\bthose\b", source):
        return True  # les baronnes ou celles possédant un titre
    if behind not in ("qui", "que", "qu'", "dont"):
        return False
    return (i > 0 and words[i - 1].low == "par") or _ANYONE.search(source) is not None


def _is_of_pair(words: Sequence[FrenchWord], i: int) -> bool:
    """*il ou elle*, *ceux et celles*, *il/elle*: a pair of both genders."""
    pairs = ((i - 2, i - 1, i), (i, i + 1, i + 2))
    there = (tuple(words[k].low for k in pair) for pair in pairs if pair[0] >= 0 and pair[2] < len(words))
    return any({a, b} <= _BOTH and a != b and sign in ("ou", "et", "/") for a, sign, b in there)


def is_bracketed(sentence: Sentence, end: int) -> bool:
    """*celle(s)*: an ending in brackets, which the other form does not take."""
    return re.match(r"[(·.\[]\w", sentence.text[end:]) is not None


def is_done_with(sentence: Sentence, words: Sequence[FrenchWord], i: int) -> bool:
    """*Utiliser le bouton pour le définir*: what is used is not what it is used for."""
    if tells_person(sentence) or words[i].low not in ("le", "la", "l'", "les"):
        return False
    purpose = next((k for k in range(i - 1, -1, -1) if words[k].low in ("pour", "afin")), None)
    if purpose is None or any(w.pos in ("VERB", "AUX") for w in words[purpose:i]):
        return False
    return any(w.low.startswith(_USING) for w in words[:purpose])


def is_told_before(sentence: Sentence, gender: str, number: str) -> bool:
    """Does the line before open with a noun of this gender and number, and has it none of the other gender?

    *Cette page décrit les clés.* | *Elle …*, but not *strlen() lit un champ.* | *Il …*, nor a name (the Cyclades).
    """
    _, before = sentence.nearby[0] if sentence.nearby else ("", "")
    if _CODE.search(before) or not _WITH_DETERMINER.match(before.lower()):
        return False
    found = [word for word in _WITH_DETERMINER.findall(before.lower()) if noun_genders(word)]
    if not found or noun_genders(found[0]) != {gender}:
        return False
    several = found[0].endswith(("s", "x")) and any(lemma != found[0] for lemma in lemmas_of(found[0]))
    alike = [word for word in found if word.endswith(("s", "x")) == found[0].endswith(("s", "x"))]
    return several == (number == "p") and all(gender in noun_genders(word) for word in alike)


def is_told_elsewhere(sentence: Sentence, words: Sequence[FrenchWord], i: int, gender: str) -> bool:
    """*vos navires à leurs campements … avec eux*: theirs are not they, nor is what is yours, where *leurs* is said.

    Is there no other noun before that *eux* may mean? Then only the document tells its gender.
    """
    if words[i].low not in ("eux", "elles") or not {"leur", "leurs"} & {word.low for word in words[:i]}:
        return False
    there = [t for t in sentence.tokens if t.end <= words[i].start]
    nouns = [k for k, t in enumerate(there) if t.pos == "NOUN" and gender in noun_genders(t.text.lower())]
    owned = [k for k in nouns if {t.text.lower() for t in there[max(0, k - 2) : k]} & _OWNED]
    joined = [k for k in nouns if k and there[k - 1].text.lower() in ("de", "d'", "d’")]  # convois de chariots
    return not set(nouns) - {*owned, *joined}


def is_done_by(sentence: Sentence, start: int) -> bool:
    """*Après avoir rempli une case, elle …*: a subject behind a clause without one did what that says."""
    there = [t for t in sentence.tokens if t.end <= start]
    opens = bool(there) and there[0].pos != "VERB" and any(t.morph.get("VerbForm") in ("Inf", "Part") for t in there)
    return opens and not any(t.morph.get("VerbForm") == "Fin" for t in there)


def is_presented(words: Sequence[FrenchWord], i: int) -> bool:
    """*Vu que c'est un équipement moyen, il …*: what *ce* means, whose gender is another's."""
    before = [w.low for w in words[:i]]
    return any(
        before[k] == "c'" and before[k + 1] in ETRE and before[k + 2] in ("un", "une") for k in range(len(before) - 3)
    )


def does_something(sentence: Sentence, words: Sequence[FrenchWord], i: int) -> bool:
    """*Si un bureau a été choisi, il installera les paquets*: behind a condition of a thing, who does something to
    another may be the program that is spoken of."""
    if words[0].low not in _CONDITIONS or words[i - 1].low != ",":
        return False
    place = next((k for k, t in enumerate(sentence.tokens) if t.start == words[i].start), -1)
    verb = sentence.tokens[place].head if place >= 0 else -1
    if verb < 0 or sentence.tokens[place].relation.endswith(":pass"):
        return False
    return any(sentence.tokens[k].relation.startswith("obj") for k in sentence.children(verb))


def is_taken(words: Sequence[FrenchWord], i: int, foil: str) -> bool:
    """*elle libère le tableau vers lequel il pointe*: a foil that may take up a pronoun before it.

    And *le problème est qu'il …*, which is not the problem.
    """
    said = foil in ("il", "elle", "ils", "elles") and any(word.low == foil for word in words[:i])
    return said or (i > 1 and words[i - 1].low in ("que", "qu'") and words[i - 2].low in ETRE)


def is_said_before(sentence: Sentence, words: Sequence[FrenchWord], i: int) -> bool:
    """*Si vous lui donnez un nom, il le lit*: *lui* before all nouns means a thing of the text before."""
    first = next((k for k in range(i) if words[k].pos in ("NOUN", "PROPN")), i)
    datives = (word for word in words[:first] if word.pos == "PRON")
    return not tells_person(sentence) and any(words[i].low in _DATIVES.get(word.low, ()) for word in datives)


def has_determiner(sentence: Sentence, start: int, gender: str) -> bool:
    """*depuis le presse-papiers pour la voir*: an article of this gender before, whatever its noun is taken for."""
    there = (t for t in sentence.tokens if t.end <= start and t.pos in ("DET", "ADP"))
    return any(t.text.lower() in _ARTICLES[gender] for t in there)


def is_unsaid(sentence: Sentence, number: str) -> bool:
    """Has an English source no *it* (for one) or *they* (for several), nor a person? Then it says it otherwise."""
    said = set(re.findall(r"\w+", sentence.source.lower()))
    return bool(said) and not said & ((_ONE if number == "s" else _SEVERAL) | _PERSONS)


def is_label(words: Sequence[FrenchWord], i: int) -> bool:
    """*s'il vaut aucun*, *les tiens*: an option's name, or one's people.

    *Aucun* and *chacun* mean a noun where *de* or *ne* follows, or a verb.
    """
    low, behind = words[i].low, words[i + 1] if i + 1 < len(words) else None
    if low in ("aucun", "aucune", "chacun", "chacune"):
        return behind is None or not (behind.low in ("de", "d'", "des", "ne", "n'") or behind.pos in ("VERB", "AUX"))
    return low in _KIN


def tells_person(sentence: Sentence) -> bool:
    """Does *he* or *she* in the source tell the gender?"""
    return bool(_PERSONS & set(re.findall(r"\w+", sentence.source.lower())))
