"""Places where *kein* is grammatical, but the sentence is hardly turned round: no candidate that is chosen."""

from __future__ import annotations

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.verb_uses import between_signs
from kontrast.language.annotation import Sentence

__all__ = ["is_unlikely"]

_FORMS = frozenset(("ein", "eine", "einen", "einem", "einer", "eines"))
_SOON = frozenset("bald demnächst gleich plötzlich endlich schließlich erneut wieder nochmals einmal".split())
_PARTICLES = frozenset("ja doch halt eben mal ruhig eigens extra wärmstens dringend unbedingt besonders".split())
_BUT = frozenset("jedoch aber allerdings dann auch sogar zudem".split())
_SOME = frozenset("etwas was mehr alles viel vieles einiges".split())


def is_unlikely(sentence: Sentence, i: int) -> bool:
    """Is the article at the place in a clause, phrase or idiom that *kein* does not turn round?"""
    return (
        _is_aim(sentence, i)
        or _is_beside_particle(sentence, i)
        or _goes_on_with_one(sentence, i)
        or _is_told_which(sentence, i)
        or _is_compared(sentence, i)
        or sentence.tokens[sentence.tokens[i].head].text == "Vermögen"  # kein kleines Vermögen: a large one
    )


def _is_aim(sentence: Sentence, i: int) -> bool:
    """*versuchte, keine Karawane auszurauben*, *möglich, kein Bild zu laden*: it is done, with none."""
    chunk, finite = between_signs(sentence, i), set(finite_verbs(sentence))
    to = any(sentence.tokens[k].tag in ("PTKZU", "VVIZU") for k in chunk if k > i)
    return to and not any(k in finite for k in chunk)


def _is_beside_particle(sentence: Sentence, i: int) -> bool:
    """*bald kein Arzt*, *muss ja kein Lager sein*: the words go with what is so."""
    near = {sentence.tokens[k].text.lower() for k in between_signs(sentence, i)}
    return bool(near & (_SOON | _PARTICLES))


def _goes_on_with_one(sentence: Sentence, i: int) -> bool:
    """*kein freundlicher Editor und eine Shell*: half of what is joined would be denied."""
    tokens, finite = sentence.tokens, set(finite_verbs(sentence))
    for k in range(i + 1, len(tokens) - 1):
        if k in finite or tokens[k].text in ".;:!?()":
            return False
        if tokens[k].text in ("und", "oder", "sowie", ",") and tokens[k + 1].text.lower() in _FORMS:
            return True
    return False


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
