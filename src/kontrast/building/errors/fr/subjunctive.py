"""Subjunctive: the indicative behind bien que, pour que, il faut que and their like."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.fr.replacing import replaced
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import words_of
from kontrast.language.lexicons.lefff import facts_of, lemmas_of

_BEFORE = (
    "bien", "pour", "afin", "avant", "sans", "faut", "faudrait", "faudra", "fallait", "faille", "veut", "veulent",
    "veux", "voulait", "voulaient", "voudrait", "souhaite", "souhaitent", "exige", "exigent", "craint", "possible",
    "impossible", "important", "nécessaire", "essentiel", "préférable", "crainte", "condition",
)  # fmt: skip


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    for i in range(1, len(words)):
        triggered = words[i].low in ("que", "qu'") and words[i - 1].low in _BEFORE
        if not triggered and words[i].low not in ("quoique", "quoiqu'"):
            continue
        if i > 1 and words[i - 2].low in ("plus", "moins"):
            continue  # le plus important que j'ai vu
        for k in range(i + 1, min(i + 9, len(words))):
            if words[k].low in (",", ";", ".", "que", "qu'", "qui"):
                break
            person = {"je": "1", "j'": "1", "tu": "2"}
            new = _indicative(words[k].low, next((person[w.low] for w in words[i + 1 : k] if w.low in person), "3"))
            if new is not None:
                edits = replaced(sentence.text, words, k, new)
                if edits is not None:
                    weak = _may_be_either([w.low for w in words], i, k)
                    yield candidate(
                        "subjunctive", sentence, edits, distance=k - i - 1, features=doubts(either_mood=weak)
                    )
                break


def _may_be_either(low: list[str], i: int, k: int) -> bool:
    """*ou bien qu'aucune licence n'est*: que may go with another verb; a second que may have another mood."""
    if low[max(0, i - 2) : i] == ["ou", "bien"]:
        return True
    again = (j for j in range(k + 1, len(low) - 1) if low[j] in (",", "et", "ou", "mais"))
    return any(low[j + 1] in ("que", "qu'") for j in again)


def _indicative(form: str, person: str) -> str | None:
    """The present indicative of a form that is a subjunctive and nothing else."""
    facts = [(code, made, lemma) for lemma in lemmas_of(form) for _, code, made in facts_of(lemma)]
    own = [(code, lemma) for code, made, lemma in facts if made == form]
    if not own or any(code[0] not in "SY" for code, _ in own):
        return None
    code, lemma = next(((c, entry) for c, entry in own if c[0] == "S" and c[1] == person), own[0])
    wanted = "P" + code[1:]
    return next((made for c, made, entry in facts if entry == lemma and c == wanted and made != form), None)


perturbation = Perturbation(
    name="subjunctive",
    language="fr",
    summary="the indicative stands for a subjunctive",
    conditions=(
        "The verb stands behind bien que, pour que, avant que, sans que, il faut que, vouloir que … and its "
        "form is a subjunctive and nothing else (soit, ait, puisse).",
        "Person, number and present tense stay; elision is kept right.",
        "Weak, so never chosen: behind ou bien que, and where a second que follows.",
    ),
    examples=(
        Example("Bien qu'il soit tard, elle travaille.", "Bien qu'il est tard, elle travaille."),
        Example("Il faut que tu fasses vite.", "Il faut que tu fais vite."),
        Example("Viens avant que je parte.", "Viens avant que je pars."),
        Example("Je sais qu'il est tard.", None),
    ),
    function=_changed,
)
