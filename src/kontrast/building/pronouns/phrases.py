"""What the words before a target noun tell: its determiner, its place in the phrase, whether it is denied."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.alignment import Span

__all__ = ["determiner", "holds_clause", "is_denied", "is_preposition", "is_purpose", "phrase_role"]

_DETERMINERS = {
    "de": {
        "definite": "der die das den dem des dieser diese dieses diesen diesem jener jene jenes jenen jenem im am "
        "zum zur vom ins ans beim",
        "owned": "mein dein sein ihr unser euer",
        "indefinite": "ein eine einen einem einer eines kein keine keinen keinem keiner jeder jede jedes jeden jedem "
        "welcher welche welches welchen welchem solch solche solcher solches solchen",
    },
    "es": {
        "definite": "el la los las del al este esta estos estas ese esa esos esas aquel aquella",
        "owned": "mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra",
        "indefinite": "un una unos unas algún alguna algunos algunas ningún ninguna otro otra cada",
    },
    "fr": {
        "definite": "le la l les ce cet cette ces du au aux",
        "owned": "mon ton son ma ta sa mes tes ses notre votre nos vos leur leurs",
        "indefinite": "un une des quelques plusieurs certains certaines aucun aucune autre chaque",
    },
    "it": {
        "definite": "il lo la l i gli le questo questa questi queste quel quello quella quei quegli quelle del dello "
        "della dell dei degli delle al allo alla all ai agli alle nel nello nella nell nei nelle sul sullo sulla "
        "sull dal dalla dall",
        "owned": "mio mia tuo tua suo sua nostro nostra vostro vostra loro",
        "indefinite": "un uno una qualche alcuni alcune nessun nessuna altro altra ogni",
    },
}
_KINDS = {
    code: {word: kind for kind, words in kinds.items() for word in words.split()}
    for code, kinds in _DETERMINERS.items()
}
_DENIED = frozenset("kein keine keinen keinem keiner aucun aucune ningún ninguna nessun nessuno nessuna".split())
"""*no word*: there is nothing that a pronoun could take up."""
_SAID = tuple(
    "behauptung aussage vorwurf vorwürfe meinung ansicht begründung angabe angaben hoffnung befürchtung vermutung "
    "hinweis erklärung mitteilung meldung nachricht überzeugung idee gefühl eindruck gerücht gedanke".split()
)
"""German nouns whose clause may do without *dass*."""
_OWNED_STEMS = ("mein", "dein", "sein", "ihr", "unser", "eur")
_PREPOSITIONS = {
    "de": "in an auf mit von bei nach aus zu über unter vor hinter neben zwischen durch für gegen ohne um wegen "
    "während trotz seit bis ab laut gemäß aufgrund im am zum zur vom beim ins ans aufs fürs",
    "es": "a al en con por para sin sobre entre desde hasta hacia contra según tras bajo durante",
    "fr": "à au aux dans sur sous avec sans pour par chez vers entre depuis pendant contre en dès parmi",
    "it": "a al allo alla all ai agli alle in nel nello nella nell nei nelle con su sul sullo sulla sull per da dal "
    "dallo dalla dall tra fra senza verso",
}
_OF = {
    "de": "des der eines einer dieses dieser seines seiner ihres ihrer meines meiner deines deiner unseres unserer",
    "es": "de del",
    "fr": "de d du des",
    "it": "di del dello della dell dei degli delle d",
}
_AS = frozenset(("als", "comme", "como", "come"))
_ENDINGS = ("e", "en", "er", "es", "em")
"""Of German adjectives between a determiner and its noun."""


def is_denied(words: Sequence[Span], j: int) -> bool:
    """*kein Wort*, *kein einziges Wort*."""
    before = [w.text.lower() for w in words[max(j - 2, 0) : j]]
    return bool(before) and (before[-1] in _DENIED or (before[0] in _DENIED and before[-1].isalpha()))


def is_purpose(words: Sequence[Span], j: int) -> bool:
    """*eine Fabrik zur Herstellung*, *eine Rakete der Mace-Klasse*: what a thing is for or of, right behind it."""
    before = words[max(j - 2, 0) : j]
    if len(before) > 1 and words[j].text.endswith("-Klasse"):
        return before[1].text.lower() == "der" and before[0].text[0].isupper()
    return len(before) > 1 and before[1].text.lower() in ("zur", "zum") and before[0].text[0].isupper()


def holds_clause(words: Sequence[Span], j: int, pronoun: int) -> bool:
    """Is a pronoun in the clause that says what a German noun is? *die Begründung, dass sie …*, *die Behauptung
    chinesischer Medien, sie habe …*
    """
    low = [w.text.lower() for w in words[j : pronoun + 2]]
    if low[1:3] in ([",", "dass"], [",", "daß"], [",", "ob"]):
        return "," not in low[3:] and ":" not in low
    opens = pronoun == j + low.index(",") + 1 if "," in low else False
    return opens and low[0].endswith(_SAID) and len(low) > 2 and low[-1].endswith(("e", "ei"))


def determiner(language: str, words: Sequence[Span], index: int) -> str:
    """The kind of determiner among the five words before a noun."""
    kinds = _KINDS.get(language)
    if kinds is None:
        return "of a language without a list"
    for word in reversed(words[max(index - 5, 0) : index]):
        low = word.text.lower()
        if kind := kinds.get(low):
            return kind
        if language == "de" and low.startswith(_OWNED_STEMS) and len(low) < 7:
            return "owned"
        if not low.replace("-", "").isalpha() and low not in "'’":
            break
    return "none"


def is_preposition(language: str, word: str) -> bool:
    """*en*, *de*: one that a noun or a stressed pronoun stands behind."""
    low = word.lower()
    return low in _PREPOSITIONS.get(language, "").split() or low in _OF.get(language, "").split()


def phrase_role(language: str, words: Sequence[Span], index: int) -> str:
    """*oblique* behind a preposition, *of a noun* in a genitive, *predicate* behind *as*; else nothing.

    >>> from kontrast.language.alignment import spans
    >>> [phrase_role("de", spans(text), 3) for text in ("die Macht des Lichs", "er kam zur Burg", "er sah die Burg")]
    ['of a noun', 'oblique', '']
    """
    if language not in _PREPOSITIONS:
        return ""
    prepositions, of = _PREPOSITIONS[language].split(), _OF[language].split()
    for j in range(index - 1, max(index - 5, -1), -1):
        low = words[j].text.lower()
        if low in _AS:
            return "predicate"
        if low in of and (language != "de" or (j and words[j - 1].text[0].isupper())):
            return "of a noun"
        if low in prepositions:
            return "oblique"
        between = low in _KINDS[language] or low in "'’"
        if language == "de":
            between = (
                between or low.startswith(_OWNED_STEMS) or (low.endswith(_ENDINGS) and words[j].text[0].islower())
            )
        if not between:
            return ""
    return ""
