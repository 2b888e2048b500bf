"""What the general errors need of a lexicon: another form of a word, one that does not fit in its place."""

from __future__ import annotations

from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Analysis, Lexicon, same_class

_FIXED = ("Case", "Number", "Gender", "Person", "Tense", "Mood", "VerbForm", "Degree", "Definite", "Polarity")
"""Features in which a reading must not contradict the annotation."""


def readings_of(lexicon: Lexicon, word: str, pos: str) -> list[Analysis]:
    """The word's readings as this part of speech; a capital that may be due to the sentence start is ignored."""
    found = [a for a in lexicon.analyse(word) if same_class(a.pos, pos)]
    if found or not word[:1].isupper():
        return found
    return [a for a in lexicon.analyse(word[:1].lower() + word[1:]) if same_class(a.pos, pos)]


def changed_forms(lexicon: Lexicon, token: Token, **changes: str) -> list[str]:
    """The usual forms of a word with some features changed, none of which can be read as the word was before.

    Only readings of the lexicon that agree with the annotation count, and forms of one word each: what the lexicon
    writes in two (kommt an) cannot stand in the word's place.
    """
    readings = [a for a in readings_of(lexicon, token.text, token.pos) if _agree(a.features, token.morph)]
    # The reading of the annotator's lemma, where it is one of several.
    readings = [a for a in readings if a.lemma == token.lemma] or readings
    kept = {name: token.morph[name] for name in changes if name in token.morph}
    found: dict[str, None] = {}
    for reading in readings:
        made = lexicon.generate(reading.lemma, reading.pos, **_single(reading.features) | changes)
        form = next((form for form in made if " " not in form), token.text)
        if form.lower() != token.text.lower():
            found[form] = None
    return [form for form in found if not _reads_as(lexicon, form, token, kept)]


def _agree(features: dict[str, str], morph: dict[str, str]) -> bool:
    return all(
        set(features[name].split(",")) & set(morph[name].split(","))
        for name in _FIXED
        if name in features and name in morph
    )


def _single(features: dict[str, str]) -> dict[str, str]:
    """Features that name one value; those with several are left open."""
    return {name: value for name, value in features.items() if "," not in value}


def _reads_as(lexicon: Lexicon, form: str, token: Token, kept: dict[str, str]) -> bool:
    """Can the new form also have the features that were to be changed, all others as annotated?"""
    wanted = {
        name: value for name, value in token.morph.items() if name in ("Case", "Number", "Gender", "Person")
    } | kept
    return any(_agree(a.features, wanted) for a in readings_of(lexicon, form, token.pos))


def elided(sentence: Sentence, token: Token, new: str) -> bool:
    """Whether the word before is elided and the new form begins with a consonant (n'est, n'sont)."""
    return sentence.text[: token.start].endswith(("'", "’")) and new[:1].lower() not in "aeiouyhàâéèêëîïôûœæ"
