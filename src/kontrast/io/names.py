"""Names that come from data and become file names: plain ones only, so that nothing is written elsewhere."""

import re

from kontrast.errors import KontrastError

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_LONGEST = 200
_SPECIAL = frozenset('/\\:*?"<>|')


def file_name(text: str) -> str:
    """The text where it is a plain file name, else an error: no folder, no leading dot, nothing unprintable."""
    plain = text and not text.startswith(".") and text.isprintable() and not set(text) & _SPECIAL
    if not plain or len(text.encode()) > _LONGEST or text != text.strip():
        raise KontrastError(f"expected a plain file name, found {text[:60]!r}")
    return text


def plain_name(text: str) -> str:
    """A plain file name made from any text, for names that need not be the text itself."""
    kept = "".join(c if c.isprintable() and c not in _SPECIAL else "-" for c in text).strip(".- ")
    return kept.encode()[:_LONGEST].decode(errors="ignore").strip(".- ") or "unnamed"


def is_language(text: str) -> bool:
    """Does it look like a code of a language: ``en``, ``pt-BR``, ``zh_Hant``?"""
    return len(text) <= 20 and _LANGUAGE.fullmatch(text) is not None


def language_code(text: str) -> str:
    """The text where it is a language's code, else an error."""
    if not is_language(text):
        raise KontrastError(f"expected the code of a language such as en or pt-BR, found {text[:60]!r}")
    return text


def without_region(language: str) -> str:
    """
    >>> without_region("pt-BR"), without_region("zh_Hant"), without_region("de")
    ('pt', 'zh', 'de')
    """
    return re.split("[-_]", language)[0]
