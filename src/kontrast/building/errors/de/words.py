"""Within a word: two segments of a compound change places, or two letters of a rare name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, candidate, flags
from kontrast.building.errors.text import letters_swapped, opens_sentence
from kontrast.language.annotation import Sentence, Token
from kontrast.language.english_words import is_ordinary
from kontrast.language.lexicons.german import adjective_lemma, attested, compound_head, readings, verb_forms
from kontrast.language.lexicons.german_compounds import holds_nouns, is_noun, split_compound
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
        second = parts[1].lower()
        stem = second.endswith("e") and any("i" in r.codes for r in readings(second + "n") if r.pos == "V")
        said = flags(
            no_noun=not all(is_noun(part) for part in parts[:2]),
            name=bool(re.search(rf"\b{parts[0]}{parts[1]}", sentence.source, re.IGNORECASE)),
            action=stem or second.removesuffix("s").endswith("ung"),
        )
        edits = [(token.start, token.end, new)]
        yield candidate("compound", sentence, edits, words=(word,), unseen=(word,), features=said)


_ENDINGS = (
    "ung",
    "ieren",
    "isch",
    "ische",
    "ischen",
    "heit",
    "keit",
    "in",
    "innen",
    "ant",
    "anten",
    "iere",
    "cke",
    "es",
    "en",
    "ens",
    "er",
    "um",
    "tes",
    "hin",
)
_QUOTES = '([„»"'


def transliteration(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if not _is_rare_name(token) or re.match(r"[./_]\w", sentence.text[token.end :]):
            continue
        said = _name_features(sentence, i)
        for new in letters_swapped(token.text):
            moved = ("genitive_moved",) if token.text.endswith("s") and not new.endswith("s") else ()
            edits = [(token.start, token.end, new)]
            words = (token.text,)
            yield candidate("transliteration", sentence, edits, words=words, unseen=words, features=(*said, *moved))


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
    tokens, name = sentence.tokens, sentence.tokens[i].text
    forms = {name, name.removesuffix("s")}
    inside = set(re.findall(r"(?<![.!?:] )(?<!^)\b[^\W\d_]+", sentence.source))
    around = " ".join((sentence.source, *(source for source, _ in sentence.nearby)))
    before, after = tokens[max(0, i - 1) : i], tokens[i + 1 : i + 2]
    said = flags(
        no_source=not sentence.source.strip(),
        capital_in_source=bool(forms & inside),
        small_around=bool({form.lower() for form in forms} & set(re.findall(r"\w+", around))),
        english_word=any(is_ordinary(form) for form in forms),
        opens=opens_sentence(sentence, i),
        beside_name=any(t.pos == "PROPN" and t.text[:1].isupper() for t in (*before, *after)),
        quoted=sum(sentence.text[: tokens[i].start].count(sign) for sign in _QUOTES) > 0,
        long=len(name) > 12,
    )
    placed = any(t.pos in ("PROPN", "ADP", "VERB", "AUX", "PRON", "SCONJ") and t.tag != "APPRART" for t in before)
    against = {"small_around", "english_word", "quoted", "long", "opens"}
    said += flags(
        clear=placed and not against & set(said), as_noun=any(t.pos in ("DET", "ADJ", "NUM") for t in before)
    )
    return said + flags(
        behind_noun=any(t.pos == "NOUN" for t in before),
        umlaut=any(letter in name.lower() for letter in "äöüß"),
        german_ending=name.lower().endswith(_ENDINGS),
        as_in_source=bool(forms & set(re.findall(r"\w+", sentence.source))),
    )
