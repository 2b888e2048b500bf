"""Tense: a verb in the present or future gets the imperfect, one in the imperfect the present."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kontrast.building.errors.fr.replacing import replaced
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts
from kontrast.language.annotation import Sentence
from kontrast.language.french import AVOIR, ETRE
from kontrast.language.french_words import FrenchWord, words_of
from kontrast.language.lexicons.french import lemmas
from kontrast.language.lexicons.lefff import facts_of, lemmas_of

_SUBJECTS = frozenset("il elle ils elles on je j' tu qui cela".split())
_CLITICS = frozenset(("ne", "n'", "se", "s'"))
_WILL = re.compile(r"\bwill\b|['’]ll\b|\bshall\b|\bwo[n]['’]t\b|\bgoing to\b")
_SUBJUNCTIVE = re.compile(r"\b(?:(?:avant|pour|afin|bien|sans|jusqu['’]à ce) qu(?:e\b|['’])|quoiqu(?:e\b|['’]))")
_WHEN = frozenset(("quand", "lorsque", "lorsqu'"))
_ERROR = re.compile(r"^\W*E[A-Z0-9]{3,}\b")
"""*EINVAL Le système ne gère pas …*: what was wrong, or is."""
_NOT = frozenset("pas plus jamais rien aucun aucune guère ni que qu' personne nul nulle".split())
_OTHER = {"P": "I", "F": "I", "I": "P"}
"""Not the future for a present: *cela désactivera* translates *this turns off* too."""


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    low = [word.low for word in words]
    for i in range(1, len(words)):
        if words[i].pos not in ("VERB", "AUX") or low[i - 1] not in _SUBJECTS | _CLITICS:
            continue
        behind = low[i + 1] if i + 1 < len(words) else ""
        if behind == "-" or {"si", "s'"} & set(low[max(0, i - 4) : i]) or low[max(0, i - 2) : i] == ["-", "il"]:
            continue
        if low[i] in AVOIR | ETRE and any(lemmas(w, "k") for w in low[i + 1 : i + 4]):
            continue  # a perfect or passive: il aura fait may be right too
        if low[i].startswith("import") and low[i - 1] == "n'":
            continue  # n'importe quel
        new = _in_other_tense(low[i], _subject(low, i), behind_que=bool({"que", "qu'"} & set(low[max(0, i - 6) : i])))
        edits = replaced(sentence.text, words, i, new) if new is not None else None
        if edits is not None:
            # il a dit qu'il est, qu'il était: both are said
            reported = bool({"que", "qu'"} & set(low[max(0, i - 4) : i]))
            # n'est pas !; N'utilise aucun profil.: nobody is told
            untold = not _subject(low, i)[0].isalpha() or _subject(low, i) in _CLITICS
            # elle sera l'auteur: a future that tells of the past
            told = _is_future(low[i]) and not _WILL.search(sentence.source.lower())
            both = new is not None and _is_of_two_tenses(new)
            said = doubts(
                reported=reported,
                untold=untold,
                future_of_past=told,
                two_tenses=both,
                error_message=_ERROR.match(sentence.text) is not None,
                past_things=_is_of_past_things(words, i),
                condition=_has_condition(words),
                subjunctive_too=_may_be_subjunctive(sentence.text, words, i),
            )
            yield candidate("tense", sentence, edits, features=said)


def _has_condition(words: Sequence[FrenchWord]) -> bool:
    """*Si elle vient, il part*, *il part quand elle vient*: the verb of the other clause would not go with it."""
    for word, behind in pairwise(words):
        if word.low in _WHEN or (word.low in ("dès", "tant", "aussitôt") and behind.low in ("que", "qu'")):
            return True
        if (word.low == "si" and behind.pos not in ("ADJ", "ADV")) or (word.low, behind.low[:2]) == ("s'", "il"):
            return True
    return False


def _may_be_subjunctive(text: str, words: Sequence[FrenchWord], i: int) -> bool:
    """*avant que les images et les canaux audio ne deviennent*: the first verb behind, however far, is one."""
    if not any(code[0] == "S" for code in _codes(words[i].low)):
        return False
    if words[i - 1].low in ("ne", "n'") and not _NOT & {word.low for word in words[i + 1 : i + 7]}:
        return True  # empêche qu'un autre ne tue le processus
    opened = [found.end() for found in _SUBJUNCTIVE.finditer(text.lower(), 0, words[i].start)]
    between = (word for word in words[:i] if opened and word.start >= opened[-1])
    return bool(opened) and not any(word.pos in ("VERB", "AUX") for word in between)


def _is_of_past_things(words: Sequence[FrenchWord], i: int) -> bool:
    """*Les colonnes qui ne figuraient pas … sont ignorées*: a relative clause before a passive may be of earlier."""
    if "qui" not in [word.low for word in words[max(0, i - 3) : i]]:
        return False
    return any(one.low in ETRE and lemmas(other.low, "k") for one, other in pairwise(words[i + 1 :]))


def _codes(form: str) -> set[str]:
    """What the form can be of a verb, tense first (*P3s*)."""
    return {
        code for lemma in lemmas_of(form) for group, code, made in facts_of(lemma) if group == "v" and made == form
    }


def _is_future(form: str) -> bool:
    return {code[0] for code in _codes(form)} == {"F"}


def _is_of_two_tenses(form: str) -> bool:
    """*elle inclut*: a present that is a past historic too."""
    return {"P", "J"} <= {code[0] for code in _codes(form)}


def _subject(low: list[str], i: int) -> str:
    """The pronoun before *ne* and *se*."""
    k = i - 1
    while k > 0 and low[k] in _CLITICS:
        k -= 1
    return low[k]


def _in_other_tense(form: str, subject: str, *, behind_que: bool) -> str | None:
    """The form in another tense, where the form is of one tense, person and number only."""
    person = {"je": "1", "j'": "1", "tu": "2"}.get(subject, "3")
    own = [
        (code, lemma)
        for lemma in lemmas_of(form)
        for group, code, made in facts_of(lemma)
        if group == "v" and made == form and code[0] in "PIFJCST" and code[1] == person
    ]
    tenses = {code[0] for code, _ in own} - {"S", "T"}
    if behind_que and any(code[0] in "ST" for code, _ in own):
        return None  # bien qu'il arrive: a subjunctive
    if len(tenses) != 1 or len({lemma for _, lemma in own}) != 1:
        return None
    code, lemma = next((code, lemma) for code, lemma in own if code[0] in tenses)
    wanted = _OTHER.get(code[0])
    found = (made for group, c, made in facts_of(lemma) if group == "v" and wanted and c == wanted + code[1:])
    return next(found, None)


perturbation = Perturbation(
    name="tense",
    language="fr",
    summary="a verb gets another tense (present and imperfect, future to imperfect)",
    conditions=(
        "A finite verb right behind a subject pronoun, qui, ne or se, whose form is of one tense and one verb.",
        "Not a form that is a subjunctive too, behind que.",
        "Weak, so never chosen: one that may be the subjunctive of avant que, pour que, bien que, quoique …, however "
        "far before it; a present that is a past historic too (inclut), a verb without a subject, and any in "
        "a sentence with si, quand or lorsque, as one verb alone would not go with the other; the description of an "
        "error (EINVAL …), and a relative clause before a passive (qui ne figurent pas … sont ignorées).",
        "No perfect or passive; not behind si, and not before a hyphen (est-ce); elision is kept right.",
    ),
    examples=(
        Example("Elle habite à Paris.", "Elle habitait à Paris."),
        Example("Il viendra demain.", "Il venait demain."),
        Example("Elle habita à Paris.", None),
    ),
    function=_changed,
)
