"""Places where *kein* is grammatical, but the sentence is hardly turned round: no candidate that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.perturb.de.grammar import RELATIVES, finite_verbs
from kontrast.building.perturb.de.verb_uses import between_signs
from kontrast.language.annotation import Sentence

__all__ = ["is_label", "is_unlikely"]

_STOPS = frozenset((",", ".", ";", ":", "!", "?", "–"))
_NOMINAL = frozenset(("NOUN", "PROPN", "ADJ", "DET", "NUM"))
_SOON = frozenset("bald demnächst gleich plötzlich endlich schließlich erneut wieder nochmals einmal".split())
_PARTICLES = frozenset("ja doch halt eben mal ruhig eigens extra wärmstens dringend unbedingt besonders".split())
_BUT = frozenset("jedoch aber allerdings dann auch sogar zudem".split())
_MOSTLY = frozenset("ausschließlich fast beinahe nahezu".split())
_SOME = frozenset("etwas was mehr alles viel vieles einiges".split())


def is_unlikely(sentence: Sentence, i: int) -> bool:
    """Is the article at the place in a clause, phrase or idiom that *kein* does not turn round?"""
    return (
        _is_aim(sentence, i)
        or _is_beside_particle(sentence, i)
        or _is_one_of_more(sentence, i)
        or _is_told_which(sentence, i)
        or _is_compared(sentence, i)
        or _is_apposed(sentence, i)
        or _is_one_of_two(sentence, i)
        or sentence.tokens[sentence.tokens[i].head].text == "Vermögen"  # kein kleines Vermögen: a large one
    )


def _is_one_of_two(sentence: Sentence, i: int) -> bool:
    """*Ein Spieler nutzt …; der andere …*, *mehr, als man von einer Station erwartet*, *ein ziemlich großer*, *Eine
    Sache, die …, ist*: not said with kein."""
    tokens = sentence.tokens
    after = [t.text.lower() for t in tokens[i + 1 :]]
    if any(after[k : k + 2] in (["der", "andere"], ["die", "andere"], ["das", "andere"]) for k in range(len(after))):
        return True
    first = tokens[between_signs(sentence, i)[0]].text.lower()
    pointed = i == 0 and tokens[tokens[i].head].text in ("Sache", "Möglichkeit", "Frage", "Methode")
    each = any(t.text.lower().startswith("jede") for t in tokens[:i])  # jedem … einen: keinem … einen
    return each or first == "als" or after[:1] in (["ziemlich"], ["recht"]) or pointed


def _is_aim(sentence: Sentence, i: int) -> bool:
    """*versuchte, keine Karawane auszurauben*, *möglich, kein Bild zu laden*: it is done, with none."""
    chunk, finite = between_signs(sentence, i), set(finite_verbs(sentence))
    if sentence.tokens[chunk[0]].text.lower() == "bis":
        return True  # bis wir keinen Arzt finden
    to = next((k for k in chunk if k > i and sentence.tokens[k].tag in ("PTKZU", "VVIZU")), None)
    return to is not None and not any(k in finite for k in chunk if k < to)


def _is_beside_particle(sentence: Sentence, i: int) -> bool:
    """*bald kein Arzt*, *muss ja kein Lager sein*, *keine Torte statt eines Kuchens*: they go with what is so."""
    near = {sentence.tokens[k].text.lower() for k in between_signs(sentence, i)}
    return bool(near & (_MOSTLY | _SOON | _PARTICLES | {"statt", "anstatt", "anstelle"}))


def _is_one_of_more(sentence: Sentence, i: int) -> bool:
    """*keinen freundlichen Editor und eine Shell*, *keine Liste, mehrere Muster*, *keinen Wert angeben oder das Feld
    freilassen*, *kein Ganzes: eine Zelle*: half of what is joined would be denied, or what is said again."""
    tokens, finite = sentence.tokens, set(finite_verbs(sentence))
    last = next((k for k in range(i, len(tokens)) if tokens[k].text in _STOPS), len(tokens)) - 1
    for k in range(tokens[i].head + 1, last):
        if tokens[k].pos == "CCONJ" and k + 1 not in finite and tokens[k + 1].pos != "ADV":
            return True
    if i and tokens[i - 1].text.lower() in ("und", "oder", "sowie", "weniger", ")"):
        return True  # das Buch, die Liste, und ein Heft; mehr oder weniger ein Ganzes
    sign = tokens[last + 1].text if last + 1 < len(tokens) else ""
    after = tokens[last + 2] if last + 2 < len(tokens) else None
    if sign in (":", "–", "-") and after is not None:
        return True
    listed = sign == "," and after is not None and after.pos in _NOMINAL and not after.tag.startswith("PREL")
    return listed and not any(k in finite for k in between_signs(sentence, last + 2))


def _is_told_which(sentence: Sentence, i: int) -> bool:
    """*keinem Dritten (dem Server)*, *keinen Stein, den Sie jedoch …*: what is said of it needs one."""
    tokens, head = sentence.tokens, sentence.tokens[i].head
    after = tokens[head + 1 : head + 3]
    if len(after) < 2:
        return False
    if after[0].text == "(":
        return after[1].pos in ("DET", "PROPN")
    if after[0].text != "," or after[1].tag not in ("PRELS", "PRELAT"):
        return False
    return any(tokens[k].text.lower() in _BUT for k in between_signs(sentence, head + 2))


def _is_compared(sentence: Sentence, i: int) -> bool:
    """*etwas über kein Tier*, *Noch praktischer ist kein Knopf*: with nichts or nicht these are said."""
    words = [t.text.lower() for t in sentence.tokens[:i]]
    if len(words) > 1 and sentence.tokens[i - 1].pos == "ADP" and words[-2] in _SOME:
        return True
    return words[:1] == ["noch"] and len(words) > 1 and words[1].endswith("er")


def _is_apposed(sentence: Sentence, i: int) -> bool:
    """*ratmenu, ein Programm*, *von einem Konto auf ein anderes*: said by the way, or one of two."""
    chunk, finite = between_signs(sentence, i), set(finite_verbs(sentence))
    if any(sentence.tokens[k].text.lower().startswith("andere") for k in chunk if k > i + 1):
        return True
    return i > 0 and sentence.tokens[i - 1].text == "," and not any(k in finite for k in chunk)


def is_label(sentence: Sentence, verbs: Sequence[int], part: Sequence[int]) -> bool:
    """*Ein Helm, der den Kopf bedeckt.*: has the sentence no verb but those of clauses behind its phrase?"""
    tokens = sentence.tokens
    opened = 0
    for k in part:
        before = [t.text for t in tokens[max(0, k - 2) : k]]
        behind = before[-1:] == [","] or (before[:1] == [","] and tokens[k - 1].pos == "ADP")
        relative = behind and tokens[k].text in RELATIVES
        opened += relative or tokens[k].tag == "KOUS" or (before[-1:] == [","] and tokens[k].text in ("als", "wie"))
        opened += before == [",", "genau"] and tokens[k].text == "wie"
    return len(verbs) <= opened
