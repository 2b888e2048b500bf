"""Within a word: two segments of a compound change places, or two letters of a rare name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, candidate, flags
from kontrast.building.errors.text import letters_swapped, opens_sentence
from kontrast.language.annotation import Sentence, Token
from kontrast.language.english_words import is_ordinary
from kontrast.language.lexicons.german import adjective_lemma, attested, compound_head, readings, verb_forms
from kontrast.language.lexicons.german_compounds import holds_nouns, split_compound
from kontrast.language.lexicons.german_words import CLOSED


def compound(sentence: Sentence) -> Iterator[Candidate]:
    for token in sentence.tokens:
        word = token.text
        if not (token.tag in ("NN", "NE") or token.pos in ("NOUN", "PROPN")) or len(word) < 12 or not word.isalpha():
            continue
        parts = split_compound(word)
        if len(parts) < 3 or parts[0].lower() == parts[1].lower() or not word[1:].islower():
            continue
        if any(holds_nouns(part) for part in parts[:2]):
            continue  # a segment that was not cut, but might be: Prostatakrebs|früh|erkennung
        new = parts[1].capitalize() + parts[0].lower() + "".join(parts[2:])
        if attested(new):
            continue
        edits = [(token.start, token.end, new)]
        yield candidate("compound", sentence, edits, words=(word,), unseen=(word,))


_BEFORE_NAMES = ("PROPN", "ADP", "VERB", "AUX", "PRON", "SCONJ")


def transliteration(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if not _is_rare_name(token) or re.match(r"[./_]\w", sentence.text[token.end :]):
            continue
        said = _name_features(sentence, i)
        for new in letters_swapped(token.text):
            edits = [(token.start, token.end, new)]
            words = (token.text,)
            yield candidate("transliteration", sentence, edits, words=words, unseen=words, features=said)


def _is_rare_name(token: Token) -> bool:
    """Is it tagged as a name, of five letters or more, and no word that the lexicon has or that is made of one?"""
    name, low = token.text, token.text.lower()
    if not (token.tag in ("NE", "NNP") or token.pos == "PROPN") or len(name) < 5 or not name.isalpha():
        return False
    if not name[0].isupper() or not name[1:].islower() or low in CLOSED:
        return False
    known = readings(name) or readings(low) or compound_head(name) or adjective_lemma(low)
    return not known and not verb_forms(low + "en") and not verb_forms(low[:-1] + "en")


def _name_features(sentence: Sentence, i: int) -> tuple[str, ...]:
    """Whether it may be a common noun or a word of an interface: how it stands, and what the source says."""
    name, before = sentence.tokens[i].text, sentence.tokens[i - 1] if i else None
    forms = {name, name.removesuffix("s")}
    around = " ".join((sentence.source, *(source for source, _ in sentence.nearby)))
    said = flags(
        no_source=not sentence.source.strip(),
        small_around=bool({form.lower() for form in forms} & set(re.findall(r"\w+", around))),
        english_word=any(is_ordinary(form) for form in forms),
        opens=opens_sentence(sentence, i),
        long=len(name) > 12,
        as_noun=before is not None and before.pos in ("DET", "ADJ", "NUM"),
        umlaut=any(letter in name.lower() for letter in "äöüß"),
    )
    placed = before is not None and before.pos in _BEFORE_NAMES and before.tag != "APPRART"
    return said + flags(clear=placed and not {"small_around", "english_word", "long", "opens"} & set(said))
