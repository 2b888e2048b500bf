"""French: il, elle, ils, elles by the perturbation, with the words that agree; nouns by lexicon and annotator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from kontrast.building.errors.registry import get
from kontrast.building.errors.spec import Candidate
from kontrast.building.pronouns.foils import ILL_AGREED, Contrastive, Form, Noun, noun_role, plain_form
from kontrast.building.pronouns.foils.french_agreement import is_adverb, is_ill_agreed, kept_word
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language import annotators
from kontrast.language.alignment import Span
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Use
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import words_of
from kontrast.language.lexicons.french import Gender, Number, agreeing, noun_genders
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
_OF_NOUNS = re.compile(r"\s+(?:des|du|de (?:la|ces?|cette|ses|vos|nos|leurs|mes|tes))\b|\s+de l['’]")
_INVERTED = re.compile(r".+-(ils?|elles?)", re.IGNORECASE)
"""*doivent-elles*: one word of the alignment."""
_PRONOUNS = word_set("fr", "french_pronouns")


@lru_cache(maxsize=4_000)
def _annotated(text: str) -> Sentence:
    return next(annotators.get("fr").annotate([text]))


class French:
    """Subjects of the third person."""

    knows_nouns = True
    possessives: frozenset[str] = frozenset()

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    def form(self, text: str, words: Sequence[Span], index: int) -> Form | None:
        word = words[index]
        if (inverted := _INVERTED.fullmatch(word.text)) is not None:
            word = Span(inverted[1], word.start + inverted.start(1), word.end)
        return plain_form(self._recipe, word)

    def use(self, text: str, start: int, *, is_subject: bool) -> Use:
        words = words_of(_annotated(text))
        i = next((k for k, word in enumerate(words) if word.start == start), None)
        if i is None:
            return Use("absent", "no French pronoun")
        return Use("absent", "impersonal il") if is_impersonal(words, i) else Use()

    def is_possessive(self, text: str, start: int) -> bool:
        return False

    def cases(self, text: str, start: int) -> tuple[str, ...]:
        return ()

    def genders(self, noun: Noun) -> frozenset[str]:
        return noun.genders

    def case_differs(self, text: str, start: int, *, is_subject: bool) -> bool:
        return False

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

    def is_one_clause(self, words: Sequence[Span], noun: int, pronoun: int) -> bool:
        return False  # la voiture est-elle prête

    def contrast(
        self, text: str, start: int, end: int, *, is_subject: bool | None, together: Mapping[int, bool | None]
    ) -> list[Contrastive]:
        found = [c for c in get("fr", "pronoun_gender").function(_annotated(text)) if not c.plain]
        fitting = [c for c in found if self._replacement(c, start) is not None]
        chains = [c for c in fitting if c.chain and _only(c, {start, *together}) and not _has_a_noun(text, c)]
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


def _has_a_noun(text: str, candidate: Candidate) -> bool:
    """*l'un des buts est qu'il doit …*: does it change an *un* that has a noun of its own?"""
    return any(e.old.lower() in ("un", "une") and _OF_NOUNS.match(text, e.end) for e in candidate.edits)


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
    text = sentence.text
    for first, last, new in sorted(edits, reverse=True):
        text = text[:first] + new + text[last:]
    return text, STAYS if word else ""
