"""Other forms for a candidate: those that came with it, and what language tools make of the same reference."""

from __future__ import annotations

from functools import lru_cache

from kontrast.errors import KontrastError
from kontrast.language.lexicons import DEFAULTS, lexicon
from kontrast.review.entries import ReviewEntry
from kontrast.review.marks import changed

MOST = 9
"""A key each."""


def other_forms(entry: ReviewEntry, language: str | None) -> list[str]:
    """Texts in the candidate's place, likelier ones first.

    What came with the candidate and the item's other variants; then the same error made anew by the language's
    perturbation; then the changed word in its other inflected forms.
    """
    item = entry.item
    found = list(entry.forms)
    found += [v.text for i, v in enumerate(item.variants) if i not in (item.correct, entry.variant)]
    if language and entry.candidate is not None:
        found += _perturbed(language, item.best.text, _types(entry))
        found += _inflected(language, item.best.text, entry.candidate)
    taken = {item.best.text, entry.candidate}
    return [text for text in dict.fromkeys(found) if text not in taken][:MOST]


def warm(language: str | None) -> None:
    """Load what other forms need."""
    if language:
        _perturbed(language, "Er lacht.", ("pronoun_gender",))
        _inflected(language, "Er lacht.", "Sie lacht.")


def _types(entry: ReviewEntry) -> tuple[str, ...]:
    """The perturbations that make errors of this kind."""
    name = entry.phenomenon
    return ("pronoun_gender",) if "pronoun" in name else (name,)


@lru_cache(maxsize=512)
def _perturbed(language: str, reference: str, types: tuple[str, ...]) -> tuple[str, ...]:
    from kontrast.building.errors.registry import names_of
    from kontrast.building.errors.run import perturb

    known = [name for name in types if name in names_of(language)]
    if not known:
        return ()
    try:
        found = [candidate for _, candidate in perturb([reference], language, known, every=True)]
    except (KontrastError, ImportError):  # the language's extra is not installed
        return ()
    return tuple(candidate.text for candidate in found if not candidate.plain)


@lru_cache(maxsize=512)
def _inflected(language: str, reference: str, candidate: str) -> tuple[str, ...]:
    """The candidate with its one changed word in other forms of the reference's word."""
    if language not in DEFAULTS:
        return ()
    old, new = changed(reference, candidate)
    words = [text for text, kind in old if kind == "changed"], [text for text, kind in new if kind == "changed"]
    if len(words[0]) != 1 or len(words[1]) != 1 or " " in words[0][0]:
        return ()
    try:
        book = lexicon(language)
        lemmas = dict.fromkeys((a.lemma, a.pos) for a in book.analyse(words[0][0]))
        made = dict.fromkeys(form for lemma, pos in lemmas for form in book.generate(lemma, pos))
    except KontrastError:
        return ()
    parts = [text if kind != "changed" else None for text, kind in new]
    return tuple("".join(form if part is None else part for part in parts) for form in made)
