"""Is a text in the language that it should be in? By its commonest words; enough to refuse a wrong file early."""

from collections.abc import Iterable

from kontrast.io.words import words

_COMMON_TEXT = {
    "de": "der das und ist nicht ein eine einen den dem des zu von mit für auf sich es er sie wir ich dass im "
    "wird bei als auch nach wie hat aus sind haben werden war über einer zum zur noch wenn nur oder aber "
    "vor kein bis mehr durch ",
    "en": "the of and to in is that it for was on are as with be this have from or had by not but what all were "
    "when we there can an your which their said if do will each about how up out them then she he you they i a ",
    "es": "el la los las de del que y en un una es no se por con para su sus al lo como más pero o le ya este esta "
    "sí porque cuando muy sin sobre ser son también hay está fue ha me mi te si yo ",
    "fr": "le la les de des un une et est pas ne que qui dans pour sur avec il elle ils elles ce cette je vous "
    "nous se en au aux du son sa ses leur mais ou où par plus être a ont sont ",
    "it": "il lo la i gli le di del della dei delle che e in un una è non si per con da dal nel nella al alla ma "
    "come più sono ho ha mi ti ci questo questa anche se o su ne era essere suo sua perché ",
}
_SHARED_TEXT = {
    "de": "die in was will an all so hat war am a i e o me te ci per da un y la le",
    "fr": "on a an as or if but i y me te si mi in per da tu lo es no des son un una e o al ma di non su come fu",
}
"""Words of these languages that are common in others."""
_COMMON, _SHARED = (
    {code: frozenset(text.split()) for code, text in texts.items()} for texts in (_COMMON_TEXT, _SHARED_TEXT)
)
_THREE = 3
_ENOUGH = 30
"""Fewer words tell nothing."""
_SURELY = 1.4
"""Another language's commonest words must be so many times as frequent as the right one's."""


def looks_like(language: str, lines: Iterable[str]) -> bool:
    """Does at least a twelfth of the words belong to the language's commonest? True where that cannot be told."""
    if language not in _COMMON:
        return True
    found = [word for line in lines for word in words(line) if word.isalpha()]
    return len(found) < _ENOUGH or _share(language, found) * 12 >= 1


def other_language(language: str, lines: Iterable[str]) -> str | None:
    """The language that a text is rather in, None where it is the one named or that cannot be told."""
    found = [word for line in lines for word in words(line) if word.isalpha()]
    if language not in _COMMON or len(found) < _ENOUGH:
        return None
    shares = {code: _share(code, found) for code in _COMMON}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] * 12 >= 1 and shares[best] > _SURELY * shares[language] else None


def is_foreign(language: str, line: str) -> bool:
    """Has a line three of the commonest words of another language, and none of its own? False where that is not told.

    >>> is_foreign("de", "Read the manual page, for details see Abschnitt 7 on the left.")
    True
    >>> is_foreign("de", "Was will man an Bord?"), is_foreign("de", "Der Film heißt To be or not to be.")
    (False, False)
    """
    if language not in _COMMON:
        return False
    found = {word for word in words(line) if word.isalpha()} - _SHARED.get(language, frozenset())
    if found & _COMMON[language]:
        return False
    return any(len(found & common) >= _THREE for code, common in _COMMON.items() if code != language)


def _share(language: str, found: list[str]) -> float:
    common = _COMMON[language]
    return sum(word in common for word in found) / len(found)
