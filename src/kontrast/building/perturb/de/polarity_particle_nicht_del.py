"""Polarity: the particle *nicht* is taken out, which turns the sentence's meaning round."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.negation import (
    NEGATIVE,
    asks_yes_or_no,
    companions,
    corrected,
    is_fragment,
    part_around,
)
from kontrast.building.perturb.de.verb_uses import between_signs
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import deletion
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_PUNCTUATION = frozenset(".,;:!?…)–—-\"“”»«'")
_BEFORE_END = frozenset(("oder", "aber", "und", "wenn", "ob", "warum", "wieso", "falls", "doch", "wohl", "bitte"))
"""With these before it and nothing after it nicht stands for a whole clause (kommst du oder nicht?)."""
_INFINITIVES = frozenset(("PTKZU", "VVIZU", "VVINF", "VAINF", "VMINF"))


def _deleted(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text not in ("nicht", "Nicht", "NICHT"):
            continue
        unclear = _keeps_or_breaks(sentence, i)
        first, last = companions(sentence, i)
        yield candidate(
            "polarity_particle_nicht_del", sentence, deletion(sentence, i), weak=unclear or (first, last) != (i, i)
        )
        if not unclear and (first, last) != (i, i):
            yield candidate("polarity_particle_nicht_del", sentence, deletion(sentence, first, last))


def _keeps_or_breaks(sentence: Sentence, i: int) -> bool:
    """Does the sentence keep its meaning without nicht, or break?"""
    words = [t.text.lower() for t in sentence.tokens]
    before = words[i - 1] if i else ""
    after = words[i + 1] if i + 1 < len(words) else "."
    ends = after in _PUNCTUATION
    return (
        before == "oder"
        or words[-2:] == ["oder", "?"]
        or (ends and before in _BEFORE_END)
        or (before in _PUNCTUATION and after in ("wahr", "?"))
        or (before == "wenn" and after in ("gar", "sogar", "gleich"))
        or (after == "etwa" and words[i + 2 : i + 3] == [","])
        or words[i + 2 : i + 3] in (["geringste"], ["geringsten"], ["mindeste"], ["leiseste"])
        or (ends and before in ("wer", "was", "wen", "welche", "welcher"))
        or after in ("zuletzt", "umhin", "alles", "minder", "anders")
        or words[i + 1 : i + 3] == ["ganz", "so"]
        or _is_neither(words, i)
        or (after == "so" and not {"wie", "dass", "daß"} & set(words[i + 1 :]))  # nicht so genau
        or (after.isalpha() and len(after) > 3 and after in words[:i])  # schmale und nicht schmale
        or after in ("nur", "irgend", "gerade")
        or (not i and after == "zu")
        or _is_one_of_two(sentence, i)
        or before.startswith("irgend")
        or (before in ("doch", "und", "aber", "jedoch") and _opens_phrase(sentence, i + 1))
        or (before == "," and after == "zu")
        or bool({"je", "jemals", "irgendwelche", "irgendeine", "irgendein"} & set(words[i + 1 :]))
        or (before == "," and _verbless(sentence, i))
        or (ends and _is_elliptical(sentence, i))
        or (before in _PUNCTUATION and "nicht" in words[:i] and before != ".")
        or corrected(sentence, i)
        or asks_yes_or_no(sentence, i)
        or is_fragment(sentence, i)
        or _pleonastic(sentence, i)
        or _with_brauchen(sentence, i)
    )


def _is_neither(words: list[str], i: int) -> bool:
    """*nicht für die einen, noch für die anderen*: noch would be left without it."""
    return any(words[k : k + 2] == [",", "noch"] for k in range(i + 1, len(words)))


def _is_one_of_two(sentence: Sentence, i: int) -> bool:
    """*was kein anderer nicht auch täte*, *Nur im Moment gerade nicht.*: a second negation, or no verb at all."""
    chunk = between_signs(sentence, i)
    if any(sentence.tokens[k].text.lower() in NEGATIVE for k in chunk if k != i):
        return True
    if not any(sentence.tokens[k].pos in ("VERB", "AUX") for k in chunk):
        return True  # Bitte nicht, Sir
    ends = i + 1 == len(sentence.tokens) or sentence.tokens[i + 1].pos == "PUNCT"
    part = part_around(sentence, i)
    return ends and not any(k in part for k in finite_verbs(sentence))


def _opens_phrase(sentence: Sentence, i: int) -> bool:
    """*doch nicht der Krieg*: what is set against something else."""
    return i < len(sentence.tokens) and sentence.tokens[i].pos in (
        "DET",
        "NOUN",
        "PROPN",
        "PRON",
        "ADP",
        "ADV",
        "ADJ",
    )


def _verbless(sentence: Sentence, i: int) -> bool:
    """*Es ist die Wahl, nicht der Film*: what follows is no clause."""
    for token in sentence.tokens[i + 1 :]:
        if token.pos in ("VERB", "AUX"):
            return False
        if token.pos == "PUNCT" and token.text in ".,;:!?":
            return True
    return True


def _is_elliptical(sentence: Sentence, i: int) -> bool:
    """*Er kann klettern, sie nicht*: what stands before it, up to a sign, has no verb."""
    first = i
    while first and sentence.tokens[first - 1].pos not in ("PUNCT", "CCONJ"):
        first -= 1
    return first > 0 and not any(t.pos in ("VERB", "AUX") for t in sentence.tokens[first:i])


def _pleonastic(sentence: Sentence, i: int) -> bool:
    """*bevor er nicht kommt* says what *bevor er kommt* says."""
    while i > 0 and sentence.tokens[i - 1].text not in (",", ".", ":", ";", "!", "?"):
        i -= 1
    return sentence.tokens[i].text.lower() in ("bevor", "bis", "ehe")


def _with_brauchen(sentence: Sentence, i: int) -> bool:
    """*braucht nicht zu kommen*: the verb takes an infinitive only where it is negated."""
    part = [sentence.tokens[k] for k in part_around(sentence, i)]
    return any(t.tag in _INFINITIVES or t.morph.get("VerbForm") == "Inf" for t in part) and any(
        r.lemma == "brauchen" for t in part for r in readings(t.text.lower()) if r.pos == "V"
    )


perturbation = Perturbation(
    name="polarity_particle_nicht_del",
    language="de",
    summary="the negation particle nicht is deleted",
    conditions=(
        "Every nicht that is a word of its own is taken out, one at a time, with the blank before it.",
        "What makes one negation with it goes too: gar nicht, noch nicht, nicht mehr, nicht einmal.",
        "At the sentence start the next word gets the capital.",
        "Weak, so never chosen: nicht without its companion; before sondern; oder nicht, wenn nicht, nicht wahr, "
        "nicht zuletzt; in questions with the verb first, after bevor and bis, with brauchen and an infinitive, in "
        "fragments.",
    ),
    examples=(
        Example("Das Programm erfüllt seine Funktion nicht.", "Das Programm erfüllt seine Funktion."),
        Example("Nicht alle waren dafür.", "Alle waren dafür."),
        Example("Die Spuren waren nicht mehr zu sehen.", "Die Spuren waren zu sehen."),
        Example("Er sagt nichts.", None),
    ),
    function=_deleted,
)
