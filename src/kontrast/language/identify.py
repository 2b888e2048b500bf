"""Is a text in the language that it should be in? By its commonest words; enough to refuse a wrong file early."""

from __future__ import annotations

from collections.abc import Iterable

from kontrast.io.words import words

__all__ = ["looks_like"]

_COMMON = {
    "de": "der das und ist nicht ein eine einen den dem des zu von mit für auf sich es er sie wir ich dass im "
    "wird bei als auch nach wie hat aus sind haben werden war über einer zum zur noch wenn nur oder aber "
    "vor kein bis mehr durch ",
    "fr": "le la les de des un une et est pas ne que qui dans pour sur avec il elle ils elles ce cette je vous "
    "nous se en au aux du son sa ses leur mais ou où par plus être a ont sont ",
}


def looks_like(language: str, lines: Iterable[str]) -> bool:
    """Does at least a twelfth of the words belong to the language's commonest? True where that cannot be told.

    >>> looks_like("de", ["Das ist ein Haus und der Garten."] * 9)
    True
    >>> looks_like("de", ["This is not a house at all."] * 9)
    False
    """
    if language not in _COMMON:
        return True
    found = [word for line in lines for word in words(line) if word.isalpha()]
    common = frozenset(_COMMON[language].split())
    return len(found) < 30 or sum(word in common for word in found) * 12 >= len(found)
