"""Verbs: the other auxiliary, the other tense, the indicative for the subjunctive, no agreement."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.fr.small_words import replaced
from kontrast.building.errors.spec import Candidate, candidate, doubts, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.french_words import AVOIR, ETRE, FILLERS, PERSONS, FrenchWord, words_of
from kontrast.language.lexicons.lefff import facts_of, forms_of, lemmas, lemmas_of, read_as
from kontrast.language.words import lists_of, word_set

_ETRE = dict(map(str.split, lists_of("fr")["auxiliaries"]))
_AVOIR = {avoir: etre for etre, avoir in _ETRE.items()}
_WITH_ETRE = word_set("fr", "verbs_with_etre")
_WITH_AVOIR = word_set("fr", "verbs_with_avoir")
_BETWEEN = FILLERS - {"soit", "comme"}


@error("grammar")
def auxiliary(sentence: Sentence) -> Iterator[Candidate]:
    """The auxiliary of the perfect changes from être to avoir, or the reverse.

    être becomes avoir with verbs that never have an object (aller, venir, arriver, naître …). avoir becomes être with
    verbs that have no passive (être, pouvoir, durer, participer …). Elision stays correct. Reflexive verbs do not
    change.

    - Elle est arrivée hier. → Elle a arrivée hier.
    - Il a été malade. → Il est été malade.
    """
    words = words_of(sentence)
    for i, word in enumerate(words):
        table, verbs = (_ETRE, _WITH_ETRE) if word.low in _ETRE else (_AVOIR, _WITH_AVOIR)
        if word.low not in table or (i and words[i - 1].low in ("s'", "se", "me", "m'", "te", "t'", "y", "à", "-")):
            continue
        k = i + 1
        while k < len(words) and words[k].low in _BETWEEN and k < i + 3:
            k += 1
        if k >= len(words) or not lemmas(words[k].low, "k") & verbs or words[k].low == "parti":
            continue
        edits = replaced(sentence.text, words, i, table[word.low])
        if edits is not None:
            yield candidate(sentence, edits, distance=k - i - 1)


_SUBJECTS = word_set("fr", "verbs_subjects")
_CLITICS = word_set("fr", "verbs_clitics")
_WILL = re.compile(r"\bwill\b|['’]ll\b|\bshall\b|\bwo[n]['’]t\b|\bgoing to\b")
_OTHER = {"P": "I", "F": "I", "I": "P"}
"""Not the future for a present: *cela désactivera* translates *this turns off* too."""


@error("sense")
def tense(sentence: Sentence) -> Iterator[Candidate]:
    """A verb gets another tense (present and imperfect, future to imperfect).

    The finite verb directly follows a subject pronoun, qui, ne or se. Its form belongs to one tense of one verb.
    Forms after que that can be a subjunctive are left out. A future has a low confidence if the source does not have
    will. Perfects and passives do not change, nor do verbs after si or before a hyphen (est-ce). Elision stays
    correct.

    - Elle habite à Paris. → Elle habitait à Paris.
    - Il viendra demain. → Il venait demain.
    """
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
            said = doubts(future_of_past=_is_future(low[i]) and not _WILL.search(sentence.source.lower()))
            yield candidate(sentence, edits, features=said)


def _is_future(form: str) -> bool:
    return {code[0] for code, _ in read_as(form)} == {"F"}


def _subject(low: list[str], i: int) -> str:
    """The pronoun before *ne* and *se*."""
    k = i - 1
    while k > 0 and low[k] in _CLITICS:
        k -= 1
    return low[k]


def _in_other_tense(form: str, subject: str, *, behind_que: bool) -> str | None:
    """The form in another tense, where the form is of one tense, person and number only."""
    person = PERSONS.get(subject, "3")
    own = [(code, lemma) for code, lemma in read_as(form) if code[0] in "PIFJCST" and code[1] == person]
    tenses = {code[0] for code, _ in own} - {"S", "T"}
    if behind_que and any(code[0] in "ST" for code, _ in own):
        return None  # bien qu'il arrive: a subjunctive
    if len(tenses) != 1 or len({lemma for _, lemma in own}) != 1:
        return None
    code, lemma = next((code, lemma) for code, lemma in own if code[0] in tenses)
    return next(iter(forms_of(lemma, _OTHER.get(code[0], "") + code[1:])), None)


_BEFORE = word_set("fr", "before_subjunctive")


@error("grammar")
def subjunctive(sentence: Sentence) -> Iterator[Candidate]:
    """The indicative replaces a subjunctive.

    The verb follows bien que, pour que, avant que, sans que, il faut que, vouloir que … Its form can only be a
    subjunctive (soit, ait, puisse). Person, number and present tense do not change; elision stays correct.

    - Bien qu'il soit tard, elle travaille. → Bien qu'il est tard, elle travaille.
    - Il faut que tu fasses vite. → Il faut que tu fais vite.
    """
    words = words_of(sentence)
    for i in range(1, len(words)):
        triggered = words[i].low in ("que", "qu'") and words[i - 1].low in _BEFORE
        if not triggered and words[i].low not in ("quoique", "quoiqu'"):
            continue
        for k in range(i + 1, min(i + 9, len(words))):
            if words[k].low in (",", ";", ".", "que", "qu'", "qui"):
                break
            person = next((PERSONS[w.low] for w in words[i + 1 : k] if w.low in PERSONS), "3")
            if new := _indicative(words[k].low, person):
                if edits := replaced(sentence.text, words, k, new):
                    yield candidate(sentence, edits, distance=k - i - 1)
                break


def _indicative(form: str, person: str) -> str | None:
    """The present indicative of a form that is a subjunctive and nothing else."""
    own = read_as(form, "van")
    if not own or any(code[0] not in "SY" for code, _ in own):
        return None
    code, lemma = next(((c, entry) for c, entry in own if c[0] == "S" and c[1] == person), own[0])
    return next((made for made in forms_of(lemma, "P" + code[1:]) if made != form), None)


_OPEN = word_set("fr", "participle_agreement_open")
"""Words beside which the gender or number is not in the sentence, or not of the subject."""
_ARTICLES = word_set("fr", "participle_agreement_articles")


@error("grammar")
def participle_agreement(sentence: Sentence) -> Iterator[Candidate]:
    """A feminine or plural participle after être becomes masculine singular.

    The past participle is in Lefff and follows a form of être, or été. Sentences with je, tu, on, nous, vous, a name,
    a reflexive pronoun or a relative pronoun nearby are left out, because the gender or number may be unknown.
    Participles that do not agree with their subject in the text (les traductions sont écrits) are left out.

    - Les lettres sont arrivées. → Les lettres sont arrivé.
    - La maison a été vendue. → La maison a été vendu.
    """
    words = words_of(sentence)
    for i, word in enumerate(words):
        if word.low not in ETRE and word.low != "été":
            continue
        before = [w.low for w in words[max(0, i - 5) : i]]
        if _OPEN & set(before) or _is_behind_name(sentence, words, i):
            continue
        k = i + 1
        while k < len(words) and k < i + 3 and (words[k].low in FILLERS or words[k].low == "été"):
            k += 1
        new = _masculine(words[k].low) if k < len(words) and words[k].pos in ("VERB", "ADJ") else None
        if new is not None:
            token = Token(sentence.text[words[k].start : words[k].end], words[k].start, words[k].end)
            yield candidate(sentence, [replaced_word(token, new)], distance=k - i - 1)


_GENDERED = word_set("fr", "participle_agreement_pronouns")


def _is_behind_name(sentence: Sentence, words: list[FrenchWord], i: int) -> bool:
    """*McGee est allée*: a word with a capital, and no article before it, whose gender the sentence may not tell."""
    k = i - 1
    while k > 0 and (words[k].low in AVOIR or words[k].low in FILLERS or words[k].low in ("ne", "n'")):
        k -= 1
    if k < 0:
        return True
    capital = sentence.text[words[k].start].isupper() and words[k].low not in _GENDERED
    article = k > 0 and words[k - 1].low in _ARTICLES
    return words[k].pos == "PROPN" or (capital and not article)


def _masculine(form: str) -> str | None:
    """The masculine singular of a participle that is feminine or plural beyond doubt."""
    for lemma in lemmas_of(form):
        cells = {code[1:]: made for group, code, made in facts_of(lemma) if group == "v" and code.startswith("K")}
        if form in cells.values() and cells.get("ms") not in (None, form) and cells.get("mp") != cells.get("ms"):
            return cells["ms"]
    return None
