"""Formality: *tu* becomes *vous* with its verbs, pronouns and possessives, or the reverse; all of them or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.errors.fr.small_words import VOWELS, replaced
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import Edit, all_or_none, like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import CLITICS, FrenchWord, words_of
from kontrast.language.lexicons.lefff import forms_of, noun_genders, read_as
from kontrast.language.words import lists_of, word_set

_CLITICS = CLITICS | {"la", "les"}
_SUBJECTS = word_set("fr", "formality_subjects")
_PREPOSITIONS = word_set("fr", "formality_prepositions")
_SEVERAL = frozenset(lists_of("fr")["several"])
"""Who is addressed with these is more than one; or a word whose other form is not known."""
_OPENING = word_set("fr", "formality_opening")
"""Behind these a request may begin."""
_TENSES = "PIFJCST"


@error("formality")
def formality(sentence: Sentence) -> Iterator[Candidate]:
    """Tu becomes vous, or the reverse, in the whole sentence.

    Every tu or vous of the sentence changes, together with its verbs and with te, toi, ton, ta, tes or vous, votre,
    vos. The sentence does not change if a verb is not in the lexicon or can have two moods, or if the sentence has a
    request, le tien or le vôtre. vous for several people does not change: tous, messieurs, vous êtes prêts. A
    sentence with both forms of address does not change. `build errors` requires that two of the 30 surrounding lines
    have the same address and none has the other, or that the source shows it (sir, honey).

    - Tu as perdu ton livre. → Vous avez perdu votre livre.
    - Est-ce que tu ne vas pas bien ? → Est-ce que vous n'allez pas bien ?
    - Vous avez perdu votre voiture. → Tu as perdu ta voiture.
    - Vous êtes prêts. → (nothing)
    """
    words = words_of(sentence)
    lows = {word.low for word in words}
    if lows & _SEVERAL or ("tu" in lows) == ("vous" in lows):
        return
    edits = _to_polite(sentence.text, words) if "tu" in lows else _to_familiar(sentence.text, words)
    if edits:
        yield candidate(sentence, sorted(edits), chain=len(edits) > 2)


def _to_polite(text: str, words: Sequence[FrenchWord]) -> list[Edit]:
    """*tu as ton livre* → *vous avez votre livre*."""
    edits: list[Edit | None] = []
    verbs: set[int] = set()
    for i, word in enumerate(words):
        if word.low == "tu":
            edits.append(_put(text, word, "vous"))
            edits += _verb(text, words, i, "2s", "2p", verbs)
        elif word.low in ("te", "t'"):
            blank = " " if word.low == "t'" else ""
            edits.append(_put(text, word, f"vous{blank}"))
        elif word.low == "toi":
            edits.append(_put(text, word, "vous"))
        elif word.low in ("ton", "ta", "tes"):
            edits.append(_put(text, word, "vos" if word.low == "tes" else "votre"))
    return all_or_none(edits) if not _is_left(words, verbs, "2s") else []


def _to_familiar(text: str, words: Sequence[FrenchWord]) -> list[Edit]:
    """*vous avez votre livre* → *tu as ton livre*."""
    edits: list[Edit | None] = []
    verbs: set[int] = set()
    for i, word in enumerate(words):
        if word.low == "vous":
            edits += _vous(text, words, i, verbs)
        elif word.low in ("votre", "vos"):
            new = "tes" if word.low == "vos" else _possessive(words, i)
            edits.append(_put(text, word, new) if new else None)
    if not verbs or _is_left(words, verbs, "2p") or any(_has_plural(words, verb) for verb in verbs):
        return []
    return all_or_none(edits)


def _vous(text: str, words: Sequence[FrenchWord], i: int, verbs: set[int]) -> list[Edit | None]:
    word, before = words[i], words[i - 1].low if i else ""
    after = words[i + 1] if i + 1 < len(words) else None
    if before == "-":
        if words[-1].low != "?" or not _codes(words[i - 2].low, "2p"):
            return [None]
        return [_put(text, word, "tu"), *_verb(text, words, i, "2p", "2s", verbs)]
    if before in _PREPOSITIONS and not (after is not None and after.low.endswith(("er", "ir", "re", "oir"))):
        return [_put(text, word, "toi")]
    if before in ("ne", "n'") or after is None or after.low in ("qui", "que", "qu'", "et", "ou"):
        return [None]
    if before == "vous" or before in _PREPOSITIONS or any(w.low in _SUBJECTS for w in words[max(0, i - 2) : i]):
        if before != "vous" and _codes(after.low, "2p"):
            return [None]
        vowel = after.low[0] in VOWELS
        end = after.start if vowel else word.end
        return [(word.start, end, like(text[word.start : word.end], "t'" if vowel else "te"))]
    return [_put(text, word, "tu"), *_verb(text, words, i, "2p", "2s", verbs)]


def _verb(
    text: str, words: Sequence[FrenchWord], subject: int, old: str, new: str, verbs: set[int]
) -> list[Edit | None]:
    """The edits of the subject's verb, right before it with a hyphen, or behind it and its clitics."""
    at = subject - 2 if subject and words[subject - 1].low == "-" else subject + 1
    while at > subject and at < len(words) and words[at].low in _CLITICS:
        at += 1
    if not 0 <= at < len(words) or at in verbs:
        return [None]
    made = _codes(words[at].low, old)
    after_que = words[subject - 1].low in ("que", "qu'")
    tenses = [tense for tense in _TENSES if tense in made]
    if len(set(made.values())) > 1:
        return [None]  # vous saurez: savoir, or saurer
    if not tenses or (after_que and len(tenses) > 1):
        return [None]
    form = _form(words[at].low, tenses[0] + old, tenses[0] + new)
    if form is None:
        return [None]
    verbs.add(at)
    if at and words[at - 1].low in ("te", "t'", "vous", "tu", "-"):
        return [_put(text, words[at], form)]
    return [*(replaced(text, words, at, form) or (None,))]


def _codes(form: str, person: str, tenses: str = _TENSES) -> dict[str, str]:
    """For each tense in which the form is of this person, its verb."""
    return {code[0]: verb for code, verb in read_as(form) if code[1:] == person and code[0] in tenses}


def _form(form: str, old: str, new: str) -> str | None:
    """The verb's form with another code, if every verb that it may belong to has the same."""
    found = {made for code, verb in read_as(form) if code == old for made in forms_of(verb, new)[:1]}
    return found.pop() if len(found) == 1 else None


def _is_left(words: Sequence[FrenchWord], verbs: set[int], person: str) -> bool:
    """A verb of this person, or a request, that no pronoun of the sentence stands beside."""
    for i, word in enumerate(words):
        opens = i == 0 or words[i - 1].low in _OPENING
        if i not in verbs and opens and _codes(word.low, person, "PY"):
            return True
        if i in verbs or word.pos not in ("VERB", "AUX", "") or not _codes(word.low, person):
            continue
        if not any(w.low in _SUBJECTS - {"tu"} for w in words[max(0, i - 3) : i]):
            return True
    return False


def _has_plural(words: Sequence[FrenchWord], verb: int) -> bool:
    """*vous êtes prêts*: a word behind the verb, two away at most, that ends as plural adjectives do."""
    lemmas = _codes(words[verb].low, "2p").values()
    near = [word for word in words[verb + 1 : verb + 5] if word.low not in ("pas", "plus", "jamais", "très", "-")]
    return "être" in lemmas and any(w.low.endswith("s") and w.pos in ("ADJ", "VERB", "NOUN", "") for w in near)


def _possessive(words: Sequence[FrenchWord], i: int) -> str | None:
    after = words[i + 1 : i + 3]
    if after and after[0].low[0] in VOWELS.replace("h", "").replace("y", ""):
        return "ton"
    noun = next((w for w in after if w.pos == "NOUN"), None)
    genders = noun_genders(noun.low) if noun is not None else frozenset()
    if len(genders) != 1 or after[0].low[0] in "hy":
        return None
    return "ta" if "f" in genders else "ton"


def _put(text: str, word: FrenchWord, new: str) -> Edit:
    return word.start, word.end, like(text[word.start : word.end], new)
