"""Negative prefixes of adjectives: impossible for possible, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.errors.fr.elision import replaced
from kontrast.building.errors.spec import Candidate, candidate, doubts
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord, words_of

_PREFIXED = {
    "im": "possible probable parfait patient prévisible précis",
    "in": "capable visible stable utile juste suffisant efficace acceptable complet correct direct égal dépendant "
    "compatible compétent connu habituel habité exact",
    "il": "légal lisible limité logique légitime",
    "ir": "régulier responsable rationnel réversible",
}
_POSITIVE = {prefix + stem: stem for prefix, stems in _PREFIXED.items() for stem in stems.split()}
_NEGATIVE = {stem: whole for whole, stem in _POSITIVE.items()}
_ENDINGS = ("", "s", "e", "es", "te", "tes", "le", "les", "ère", "ères", "aux", "lle", "lles")
_CHANGED = {"et": ("ète", "ètes"), "er": ("ère", "ères"), "al": ("aux",)}
_POSSESSIVES = frozenset("mon ton son notre votre leur".split())
_BOUND = frozenset(
    (form, word) for form in ("connu", "connue", "connus", "connues") for word in ("pour", "sous", "comme")
)
_NOUNS = ("logique", "patient", "exact", "correct", "direct", "légitime")
_NOMINAL = frozenset("de d' la le les un une des du au en cette ce ces".split())
"""Before these words they are nouns."""
_TERMS = ("logique", "régul", "ration")
"""Adjectives that make a term with the noun before them: *volume logique*."""
_PREPOSITIONS = frozenset("dans par vers sur sous avec chez depuis à".split())
"""Right behind these an adjective is a name or a noun: *incluses dans stable*."""
_ARTICLES = frozenset("le la l' les un une des ce cet cette ces".split())
_ONLY = frozenset(("seulement", "uniquement"))
_QUOTES = frozenset(("«", "“", '"', "'", "‘", "`"))
_IDIOMS = frozenset("que plus moins si aussi dès aussitôt tout mieux".split())


def polarity_affix(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    if any(word.low == "?" for word in words):
        return
    for i, word in enumerate(words):
        near = {w.low for w in words[max(0, i - 4) : i]}
        if word.pos != "ADJ" or (word.low.startswith("possible") and _IDIOMS & near) or "pas" in near:
            continue
        behind = words[i + 1].low if i + 1 < len(words) else ""
        before = words[i - 1].low if i else ""
        if before in _POSSESSIVES or word.low in ("juste", "égal") or word.low.startswith("responsable"):
            continue  # notre possible; juste is an adverb too; ça m'est égal; in charge of something
        if "ou" in near or (before in _NOMINAL and word.low.startswith(_NOUNS)):
            continue  # masquer ou rendre visible; jeux de logique
        if word.low in ("complète", "complètes") and behind in _ARTICLES:
            continue  # Readline complète les mots: a verb
        if before in ("peu", "guère", "non"):
            continue  # peu improbable, non instable
        if before == "qui" or "→" in near:
            continue  # qui complète: a verb; Édition → Copier visible: a label
        if behind == "-" or (word.low.startswith("limité") and behind == "par"):
            continue  # stable-backports
        if word.low.startswith("possibles") and {"tous", "toutes"} & near:
            continue
        if before == "ou" or behind == "ou" or (word.low.startswith("égal") and behind in ("à", "au", "aux")):
            continue  # supérieures ou égales à
        if before in ("expression", "expressions") or (i and sentence.text[word.start].isupper()):
            continue  # a term, a name
        if (before == "temps" and word.low == "utile") or word.low == "égaux":
            continue  # en temps utile; des égaux
        if (word.low, behind) in _BOUND:
            continue
        if word.low.startswith("indépendant") and behind not in ("de", "d'", "du", "des"):
            continue  # a freelance is no dependant
        new = _other(word.low)
        edits = replaced(sentence.text, words, i, new) if new is not None else None
        if edits is not None:
            # Impossible de partir.: the other is not said so
            opens = i == 0 or before in (":", "comme", ",")
            opening = opens and (behind in ("de", "d'") or (word.low, behind) == ("impossible", "pour"))
            # limité à dix; les modes visible et invisible
            bound = word.low.startswith("limité") and (behind in ("à", "au", "aux") or bool({"que", "qu'"} & near))
            # compatible Tandberg: a term
            named = i + 1 < len(words) and sentence.text[words[i + 1].start].isupper()
            bound = bound or (word.low.startswith("compatible") and named)
            paired = new in {w.low for w in words[max(0, i - 2) : i + 3]}
            # il n'est possible de voir qu'une page; possible seulement pour; la commande « complete »
            limited = bool({"ne", "n'"} & near) or bool(_ONLY & {before, behind})
            quoted = before in _QUOTES or (before, behind) == ("(", ")")
            yield candidate(
                "polarity_affix",
                sentence,
                edits,
                features=doubts(
                    opens_without_verb=opening,
                    behind_preposition=before in _PREPOSITIONS,
                    term=_is_term(words, i),
                    bound=bound,
                    paired=paired,
                    limited=limited,
                    quoted=quoted,
                ),
            )


def _is_term(words: Sequence[FrenchWord], i: int) -> bool:
    """Does the adjective make a term or an idiom with the noun before it, whose opposite is odd rather than wrong?

    *volume logique*, *quantité de lumière efficace*, *la meilleure manière possible*, *avec un reste possible*.
    """
    if not i or words[i - 1].pos not in ("NOUN", "PROPN", "ADJ"):
        return False
    if words[i].low.startswith("possible"):
        return True
    noun, of = words[i - 1], words[i - 2].low if i > 1 else ""
    measured = of in ("de", "d'") and noun.low not in ("manière", "façon") and words[i].low.startswith("efficace")
    return noun.pos != "ADJ" and (measured or words[i].low.startswith(_TERMS))


def _other(form: str) -> str | None:
    """
    >>> _other("impossibles"), _other("légale"), _other("grand")
    ('possibles', 'illégale', None)
    """
    if form.startswith(("complex", "incomplex")):
        return None
    for table in (_POSITIVE, _NEGATIVE):
        for word, other in table.items():
            changed = _CHANGED.get(word[-2:], ())
            if (form.startswith(word) and form[len(word) :] in _ENDINGS) or (
                form.startswith(word[:-2]) and form[len(word) - 2 :] in changed
            ):
                prefix = len(word) - len(other)
                return form[prefix:] if prefix > 0 else other[: len(other) - len(word)] + form
    return None
