"""French: il, elle, ils, elles by the perturbation, with the words that agree; nouns by lexicon and annotator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from kontrast.building.errors.registry import get
from kontrast.building.errors.spec import Candidate
from kontrast.building.pronouns.foils import (
    ILL_AGREED,
    Contrastive,
    Form,
    Noun,
    TargetSide,
    noun_role,
    plain_form,
    replaced,
)
from kontrast.language import annotators
from kontrast.language.alignment import Span
from kontrast.language.annotation import Sentence, Token
from kontrast.language.coreference import Use
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import AVOIR, ETRE, words_of
from kontrast.language.lexicons.lefff import Gender, Number, agreeing, is_form, lemmas, lemmas_of, noun_genders
from kontrast.language.words import word_set

STAYS = "agreeing_word_stays"
_NUMBER = {"s": "Sing", "p": "Plur"}
_GENDER = {"Masc": "m", "Fem": "f"}
_SUBJECTS: dict[str, tuple[Gender, Number]] = {
    "il": ("m", "s"),
    "elle": ("f", "s"),
    "ils": ("m", "p"),
    "elles": ("f", "p"),
}
_INVERTED = re.compile(r".+-(ils?|elles?)", re.IGNORECASE)
"""*doivent-elles*: one word of the alignment."""
_PRONOUNS = word_set("fr", "french_pronouns")


@lru_cache(maxsize=4_000)
def _annotated(text: str) -> Sentence:
    return next(annotators.get("fr").annotate([text]))


class French(TargetSide):
    """Subjects of the third person."""

    def form(self, text: str, words: Sequence[Span], index: int) -> Form | None:
        word = words[index]
        if (inverted := _INVERTED.fullmatch(word.text)) is not None:
            word = Span(inverted[1], word.start + inverted.start(1), word.end)
        return plain_form(self._recipe, word)

    def use(self, text: str, start: int, *, is_subject: bool) -> Use:
        words = words_of(_annotated(text))
        i = next((k for k, word in enumerate(words) if word.start == start), None)
        return "absent" if i is None or is_impersonal(words, i) else "thing"

    def noun(self, text: str, words: Sequence[Span], index: int, number: str) -> Noun | None:
        span = words[index]
        token = next((t for t in _annotated(text).tokens if t.start < span.end and t.end > span.start), None)
        if token is None or token.pos not in ("NOUN", "PROPN") or not span.text[0].isalpha():
            return None
        if span.text.lower() in self._recipe.no_nouns or is_adverb(span.text):
            return None
        if token.morph.get("Number", _NUMBER[number]) != _NUMBER[number]:
            return None
        known = frozenset(noun_genders(span.text))
        told = frozenset(g for g in (_GENDER.get(token.morph.get("Gender", "")),) if g)
        role = noun_role(token.relation)
        if not known and token.pos == "PROPN":
            return Noun(span.text, index, span.text, frozenset(), role)
        return Noun(span.text, index, token.lemma or span.text.lower(), (known & told) or known, role)

    def contrast(
        self, text: str, start: int, end: int, *, is_subject: bool | None, together: Mapping[int, bool | None]
    ) -> list[Contrastive]:
        found = [c for c in get("fr", "pronoun_gender").function(_annotated(text)) if not c.plain]
        fitting = [c for c in found if self._replacement(c, start) is not None]
        chains = [c for c in fitting if c.chain and _only(c, {start, *together})]
        chosen = (chains or [c for c in fitting if not c.chain])[:1]
        made = []
        for candidate in chosen:
            new = self._replacement(candidate, start)
            assert new is not None
            foil, problem = _completed(_annotated(text), candidate, start)
            if "’" in text and "'" not in text:
                foil = foil.replace("'", "’")
            made += [Contrastive(foil, new, gender, problem) for gender in self._recipe.targets[new.lower()].gender]
        return made

    def _replacement(self, candidate: Candidate, start: int) -> str | None:
        """The pronoun that stands here now; elision may have widened the edit to the left (s'il, si elle)."""
        for edit in candidate.edits:
            if edit.start <= start < edit.end and (match := self._recipe.target_pattern.search(edit.new)):
                return match.group()
        return None


def _only(candidate: Candidate, places: Set[int]) -> bool:
    """Does a chain change no pronoun but these?"""
    pronouns = [e for e in candidate.edits if e.old.lower().replace("’", "'").split("'")[-1].strip() in _PRONOUNS]
    return all(any(edit.start <= place < edit.end for place in places) for edit in pronouns)


def _completed(sentence: Sentence, candidate: Candidate, start: int) -> tuple[str, str]:
    """The foil with words that agree from afar because they are joined to one that changes; and its problem: a
    participle of the reference that does not agree, or a word that stays.
    """
    tokens = sentence.tokens
    pronoun = next((k for k, t in enumerate(tokens) if t.start <= start < t.end), None)
    low = tokens[pronoun].text.lower().lstrip("-") if pronoun is not None else ""
    if pronoun is None or low not in _SUBJECTS:
        return candidate.text, ""
    gender, number = _SUBJECTS[low]
    if is_ill_agreed(sentence, pronoun, gender, number):
        return candidate.text, ILL_AGREED
    edits = [(e.start, e.end, e.new) for e in candidate.edits]
    while True:
        changed = {t.start for t in tokens if any(a <= t.start < b for a, b, _ in edits)}
        kept = kept_word(sentence, pronoun, gender, number, changed)
        word = tokens[kept] if kept is not None else None
        new = agreeing(word.text.lower(), "f" if gender == "m" else "m", number, "ka") if word else None
        if word is None or new is None or word.relation != "conj" or tokens[word.head].start not in changed:
            break
        edits.append((word.start, word.end, new))
    return replaced(sentence.text, edits), STAYS if word else ""


_FIXED = word_set("fr", "agreement_fixed")
"""Adverbs, prepositions and words that are often said of nothing."""
_UP = ("conj", "xcomp", "acomp", "advcl", "parataxis", "ccomp", "advmod", "obl:mod", "dep", "cop", "aux", "aux:pass")
_WITH_NOUNS = ("amod", "acl", "acl:relcl", "det", "nmod", "appos", "fixed", "flat:name", "case", "compound", "obj")
_ENDINGS = {"m": ("é", "ant", "if", "el"), "f": ("ée", "ante", "ive", "elle", "euse")}
"""Of words that the lexicon does not know."""
_STOPS = frozenset(".;:!?…")


def is_ill_agreed(sentence: Sentence, pronoun: int, gender: Gender, number: Number) -> bool:
    """*Elle est utilisé*: is a participle of the reference in another gender or number than its subject?"""
    tokens = sentence.tokens
    verb = tokens[pronoun].head
    if verb < 0 or not tokens[pronoun].relation.startswith("nsubj") or not lemmas(tokens[verb].text.lower(), "k"):
        return False
    passive = any(t.head == verb and t.text.lower() in ETRE | {"été"} for t in tokens)
    return passive and tokens[verb].pos != "NOUN" and not is_form(tokens[verb].text.lower(), gender, number)


def kept_word(sentence: Sentence, pronoun: int, gender: Gender, number: Number, changed: Set[int]) -> int | None:
    """The first word that agrees with a subject and does not change, from the sign before the pronoun's clause on.

    ``pronoun`` is the subject's token, ``changed`` are the starts of words that change with it.
    """
    tokens = sentence.tokens
    first = max((k + 1 for k in range(pronoun) if tokens[k].text in _STOPS), default=0)
    for k, token in enumerate(tokens):
        if k < first or k == pronoun or token.start in changed or token.text.lower() in _FIXED:
            continue
        before = tokens[k - 1].text.lower() if k else ""
        joined = k > 1 and before in ("et", "ou") and tokens[k - 2].start in changed  # défaits et sujets à
        if (token.pos not in ("ADJ", "VERB", "ADV") and not joined) or before == "en":  # en glissant
            continue
        if _is_of(token, gender, number) and not _has_its_own(tokens, k, pronoun, gender, changed):
            return k
    return None


def _is_of(token: Token, gender: Gender, number: Number) -> bool:
    """Has it this gender and number only, by the lexicon, or by its ending where that does not know it?"""
    low = token.text.lower()
    other: Gender = "f" if gender == "m" else "m"
    if lemmas_of(low):
        return bool(lemmas(low, "ka")) and is_form(low, gender, number) and not is_form(low, other, number)
    return low.endswith(tuple(end + ("s" if number == "p" else "") for end in _ENDINGS[gender]))


def _has_its_own(tokens: Sequence[Token], k: int, pronoun: int, gender: Gender, changed: Set[int]) -> bool:
    """Has it a noun or another subject, or is it the participle of a perfect?"""
    if k + 1 < len(tokens) and _is_host(tokens[k + 1]):
        return True
    if k and (tokens[k - 1].pos == "DET" or _is_host(tokens[k - 1])):
        return True
    if _is_perfect(tokens, k) or tokens[k].morph.get("VerbForm") in ("Fin", "Inf"):
        return True
    at, seen = k, set()
    while at >= 0 and at not in seen:
        seen.add(at)
        subject = next((t for t in tokens if t.head == at and t.relation.startswith(("nsubj", "expl:subj"))), None)
        if subject is not None:
            return subject.start not in changed and subject.start != tokens[pronoun].start
        head = tokens[at].head
        if head >= 0 and _is_host(tokens[head]) and tokens[at].relation in (*_WITH_NOUNS, "conj"):
            known = noun_genders(tokens[head].text.lower())
            return not known or gender in known
        if tokens[at].relation not in _UP:
            return False
        at = head
    return False


def _is_host(token: Token) -> bool:
    return token.pos in ("NOUN", "PROPN", "NUM") and not is_adverb(token.text)


def is_adverb(text: str) -> bool:
    """*Somptueusement*, which the annotator takes for a noun where it opens a sentence."""
    return text.lower().endswith("ment") and len(text) > 6 and not noun_genders(text.lower())


def _is_perfect(tokens: Sequence[Token], k: int) -> bool:
    """*a fermé*, *avait jamais vu*: a participle with *avoir* within the three words before it; not *a été fermé*."""
    near = [t.text.lower() for t in tokens[max(k - 3, 0) : k]]
    return "été" not in near and any(low in AVOIR for low in near) and tokens[k].pos == "VERB"
