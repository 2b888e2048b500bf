"""Languages by their codes: what a user writes, what a tokenizer calls them, what a prompt says."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import KontrastError

_FILE = Path(__file__).parents[1] / "data" / "languages.tsv"
"""Code, code of three letters, script (as in NLLB), English name."""
_ROWS = {line.split("\t")[0]: line.split("\t") for line in _FILE.read_text("utf-8").splitlines()[1:]}
_SHORT = {row[1]: code for code, row in _ROWS.items()} | {
    "ara": "ar", "aze": "az", "cmn": "zh", "fas": "fa", "iw": "he", "lav": "lv", "mon": "mn", "msa": "ms",
    "nep": "ne", "pus": "ps", "sqi": "sq", "swa": "sw", "uzb": "uz",
}  # fmt: skip
_CHINESE = {"CN": "Hans", "SG": "Hans", "HK": "Hant", "MO": "Hant", "TW": "Hant"}
_VARIETIES = {
    "pt-BR": "Brazilian Portuguese",
    "pt-PT": "European Portuguese",
    "sr-Latn": "Serbian in Latin script",
    "zh-Hans": "Simplified Chinese",
    "zh-Hant": "Traditional Chinese",
}
_MARK = re.compile(r"(>>\S+?<<)\s*(.*)", re.DOTALL)


class _Code(NamedTuple):
    """A code taken apart; empty: not said."""

    language: str
    script: str = ""
    region: str = ""
    variant: str = ""


def language_name(code: str | None) -> str:
    """The English name for a prompt; a code that is not in the table stands for itself.

    >>> language_name("de"), language_name("en-GB"), language_name("zh-TW"), language_name("no")
    ('German', 'English', 'Traditional Chinese', 'Norwegian')
    """
    if code is None:
        return ""
    parts = _parse(code)
    row = _ROWS.get(parts.language)
    known = (_VARIETIES.get(f"{parts.language}-{kind}") for kind in (parts.script, parts.region))
    return next(filter(None, known), None) or (row[3] if row else code)


def match_code(code: str, known: Iterable[str]) -> str | None:
    """Which of a tokenizer's ``known`` codes is meant: the one that says most of what the code says.

    None where there is none, where several would do, and where there is only another script or region.

    >>> match_code("de", ["eng_Latn", "deu_Latn"]), match_code("fr", ["en_XX", "fr_XX"]), match_code("de", ["de"])
    ('deu_Latn', 'fr_XX', 'de')
    >>> match_code("pt-BR", ["pt", "pt_BR"]), match_code("zh-TW", ["zho_Hans", "zho_Hant"])
    ('pt_BR', 'zho_Hant')
    >>> match_code("sr-Latn", ["srp_Cyrl"]), match_code("pt-BR", ["pt_PT"]), match_code("pt", ["pt_BR", "pt_PT"])
    (None, None, None)
    """
    known = list(known)
    for same in (code, code.replace("-", "_")):
        if same in known:
            return same
    wanted = _parse(code)
    fitting = [(name, parts) for name in known if _fits(parts := _parse(name), wanted)]
    said = [each for each in fitting if each[1].region == wanted.region]
    said = said or [each for each in fitting if not (wanted.region and each[1].region)]
    if len({(parts.region, parts.variant) for _, parts in said}) != 1:
        return None
    # several spellings of the same: as written here, then with the script, then the shortest
    first = (wanted.language, "_".join(filter(None, (wanted.language, wanted.region))))
    return min(said, key=lambda each: (each[0] not in first, not each[1].script, len(each[0])))[0]


def near_codes(code: str | None, known: Iterable[str]) -> list[str]:
    """The known codes of the same language; those of Norwegian are near each other.

    >>> near_codes("pt-BR", ["de", "pt_PT", "por_Latn"]), near_codes("no", ["nob_Latn", "nno_Latn"])
    (['pt_PT', 'por_Latn'], ['nob_Latn', 'nno_Latn'])
    """
    return [name for name in known if code and _kin(name) == _kin(code)]


def require_code(language: str | None, known: Collection[str], option: str) -> str:
    """`match_code`, or an error that names what is near."""
    found = match_code(language, known) if language else None
    if found is None:
        near = near_codes(language, known) or list(known)
        some = ", ".join(near[:8]) + (" …" if len(known) > len(near[:8]) else "")
        raise KontrastError(
            f"{option} {language or 'is missing'}: the model needs one of its {len(known)} languages ({some})"
        )
    return found


def other_pair(model: tuple[str | None, str | None], wanted: tuple[str | None, str | None]) -> bool:
    """Whether a model of one language pair is used for another; codes of several languages are not judged.

    >>> other_pair(("fr", "en"), ("en", "fr")), other_pair(("eng", "fra"), ("en", "fr-CA"))
    (True, False)
    >>> other_pair(("en", "ROMANCE"), ("en", "fr")), other_pair(("en", "cat_oci_spa"), ("en", "es"))
    (False, False)
    >>> other_pair(("en", "de"), ("en", None))
    False
    """
    sides = [(_parse(own), _kin(own), _kin(asked)) for own, asked in zip(model, wanted, strict=True) if own and asked]
    return any(code.language in _ROWS and not code.variant and own != asked for code, own, asked in sides)


def _kin(code: str) -> str:
    language = _parse(code).language
    return "no" if language in ("nb", "nn") else language


def own_mark(vocabulary: Iterable[str], language: str | None) -> tuple[str | None, dict[str, str]]:
    """Marian's mark for a target language, if the vocabulary has such marks, and all marks by their code.

    >>> own_mark([">>de<<", ">>pt_BR<<", "a"], "pt-BR")
    ('>>pt_BR<<', {'de': '>>de<<', 'pt_BR': '>>pt_BR<<'})
    """
    marks = {token[2:-2]: token for token in vocabulary if token.startswith(">>") and token.endswith("<<")}
    found = match_code(language, marks) if language else None
    return (marks[found] if found else None), marks


def split_mark(text: str) -> tuple[str, str]:
    """A language mark that a text begins with, and the rest.

    >>> split_mark(">>de<< A dog."), split_mark("A dog.")
    (('>>de<<', 'A dog.'), ('', 'A dog.'))
    """
    found = _MARK.fullmatch(text)
    return (found[1], found[2]) if found else ("", text)


def _parse(code: str) -> _Code:
    """``zh-TW``, ``zho_Hant``, ``pt_BR``, ``en_XX`` in parts; what Chinese is written in where is known."""
    first, *rest = re.split("[-_]", code)
    language = _SHORT.get(first.lower(), first.lower())
    script = next((part.title() for part in rest if len(part) == 4 and part.isalpha()), "")
    region = next((part.upper() for part in rest if re.fullmatch("[A-Za-z]{2}|[0-9]{3}", part)), "")
    variant = "-".join(part.lower() for part in rest if part.title() != script and part.upper() != region)
    if language == "zh" and not script:
        script = _CHINESE.get(region, "")
    return _Code(language, script, "" if region == "XX" else region, variant)


def _fits(known: _Code, wanted: _Code) -> bool:
    """Whether a known code is the wanted one or more general; a script that is not said is the usual one."""
    row = _ROWS.get(wanted.language)
    usual = row[2] if row else ""
    return (
        known.language == wanted.language
        and (known.script or usual) == (wanted.script or usual or known.script)
        and (not wanted.region or known.region in ("", wanted.region))
        and known.variant in ("", wanted.variant)
    )
