"""DWDSmor (Nolda and Middell), finite-state morphology of German: analysis and generation, compounds included.

GPL-2.0, so never installed with kontrast: ``pip install dwdsmor`` with Python 3.12 or later (its open edition knows a
sample of the DWDS dictionary; ``dwdsmor-dwds`` the whole, for those who were given access).
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

from kontrast.errors import KontrastError
from kontrast.language.lexicon import Analysis, features_of, fits, same_class, tag_tables

_VALUES = tag_tables("dwdsmor")
"""Parts of speech; DWDSmor's attributes, and the feature that each of their values is."""
_POS = _VALUES["pos"]
_CASES, _GENDERS, _NUMBERS = ("Nom", "Gen", "Dat", "Acc"), ("Masc", "Fem", "Neut"), ("Sg", "Pl")
_VERB = (
    *product("123", _NUMBERS, ("Pres", "Past"), ("Ind", "Subj")),
    *product(("Imp",), _NUMBERS),
    *product(("Inf",), ("NonCl", "Cl")),
    ("Part", "Pres"),
    *product(("Part",), ("Perf",), ("haben", "sein")),
)
_ADJECTIVE = tuple(
    (degree, *rest)
    for degree in ("Pos", "Comp", "Sup")
    for rest in (
        ("Pred/Adv",),
        *(
            ("Attr/Subst", *cell)
            for declension in ("St", "Wk")
            for cell in (
                *product(_GENDERS, _CASES, ("Sg",), (declension,)),
                *product(("UnmGend",), _CASES, ("Pl",), (declension,)),
            )
        ),
    )
)


class DWDSmor:
    """The installed edition of DWDSmor."""

    name = "dwdsmor"
    language = "de"
    licence = "GPL-2.0"

    def __init__(self) -> None:
        try:
            import dwdsmor
        except ImportError as error:
            raise KontrastError(
                "the lexicon 'dwdsmor' is not installed: pip install dwdsmor (GPL-2.0, Python 3.12 or later) "
                "adds word formation, imperatives and auxiliaries for German; the default 'tables' needs no package"
            ) from error
        self._analyser: Any = dwdsmor.analyzer("lemma")
        self._generator: Any = dwdsmor.generator("lemma")
        self._parse: Any = dwdsmor.traversal.Traversal.parse
        self._forms = lru_cache(maxsize=50_000)(self._made)

    def analyse(self, form: str) -> list[Analysis]:
        found = [Analysis(form, t.analysis, _POS[t.pos], _features(t)) for t in self._traversals(form)]
        # A verb that may have left its particle elsewhere is listed twice.
        return [a for i, a in enumerate(found) if a not in found[:i]]

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        found: dict[str, None] = {}
        for word, kind, genders, declined in self._lexemes(lemma):
            if not same_class(_POS[kind], pos):
                continue
            for tags in _cells(kind, genders, declined):
                specification = word + "".join(f"<{tag}>" for tag in tags)
                if fits(_features(self._parse(specification)), features):
                    found.update(dict.fromkeys(self._forms(specification)))
        return list(found)

    def _traversals(self, form: str) -> list[Any]:
        """Usual readings before those by a sentence's capital, an old or non-standard form."""
        known = [t for t in self._analyser.analyze(form) if t.pos in _POS]
        return sorted(known, key=lambda t: bool(t.charinfo or t.metainfo or t.orthinfo))

    def _lexemes(self, lemma: str) -> list[tuple[str, str, tuple[str, ...], bool]]:
        """The words with this lemma as the automaton writes them, with their genders, and whether they are declined
        like adjectives."""
        found: dict[tuple[str, str], list[Any]] = {}
        for traversal in self._traversals(lemma):
            if traversal.analysis == lemma and traversal.charinfo is None and traversal.syninfo is None:
                word = traversal.spec[: traversal.spec.index(f"<{traversal.pos}>")] + f"<{traversal.pos}>"
                found.setdefault((word, traversal.pos), []).append(traversal)
        return [
            (word, pos, tuple(dict.fromkeys(t.gender for t in group if t.gender)), any(t.inflection for t in group))
            for (word, pos), group in found.items()
        ]

    def _made(self, specification: str) -> tuple[str, ...]:
        return tuple(self._generator.transducer.generate(specification))


def _features(traversal: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for attribute, features in _VALUES.items():
        value = getattr(traversal, attribute)
        if attribute != "pos" and value in features:
            found |= features_of(features[value])
    if traversal.pos == "V" and "VerbForm" not in found:
        found["VerbForm"] = "Fin"
    if traversal.function == "Cl":
        found["PartType"] = "Inf"
    return found


def _cells(pos: str, genders: tuple[str, ...], declined: bool) -> Iterator[tuple[str, ...]]:
    """The tags that may follow a word of this part of speech, singular and nominative first."""
    if pos == "V":
        yield from _VERB
    elif pos == "ADJ":
        yield from _ADJECTIVE
    elif pos in ("NN", "NPROP"):
        declensions: tuple[tuple[str, ...], ...] = (("St",), ("Wk",)) if declined else ((),)
        for number, gender, case, declension in product(_NUMBERS, genders, _CASES, declensions):
            yield (gender, case, number, *declension)
    else:
        yield ()
