"""Russian and Ukrainian by pymorphy3, Polish by Morfeusz: dictionaries that come as packages.

Both tell a word by their own tags, which are put into universal features here.
"""

from functools import lru_cache
from itertools import product
from typing import Any

from kontrast.errors import KontrastError
from kontrast.language.lexicon import Analysis, features_of, forms_with, tag_tables


def _tables(tagset: str) -> tuple[dict[str, str], dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Parts of speech, and the features that go with a part of speech and with a value."""
    tables = tag_tables(tagset)
    forms, values = ({tag: features_of(column) for tag, column in tables[s].items()} for s in ("forms", "features"))
    return tables["pos"], forms, values


_OPENCORPORA_POS, _FORMS, _OPENCORPORA = _tables("opencorpora")
_NKJP_POS, _NKJP_FORMS, _NKJP = _tables("nkjp")

Bundle = tuple[str, dict[str, str]]
"""Part of speech and features: one way to read a tag."""


class Pymorphy:
    """See `kontrast.language.lexicon.Lexicon`. Only words of the dictionary are known, none are guessed."""

    licence = "MIT; dictionaries: CC BY-SA 3.0 (OpenCorpora), LanguageTool's (Ukrainian)"

    def __init__(self, language: str) -> None:
        self.name, self.language = f"pymorphy:{language}", language
        try:
            import pymorphy3
            from pymorphy3.analyzer import ProbabilityEstimator
            from pymorphy3.units import DictionaryAnalyzer

            self._morph = pymorphy3.MorphAnalyzer(
                lang=language, units=[DictionaryAnalyzer()], probability_estimator_cls=None, result_type=None
            )
        except (ImportError, ValueError) as error:
            raise KontrastError(
                f"the lexicon 'pymorphy' needs a package: pip install pymorphy3[fast] pymorphy3-dicts-{language}"
            ) from error
        self._dictionary = self._morph.dictionary
        has_shares = self._dictionary.meta.get("P(t|w)")
        self._shares = ProbabilityEstimator(self._dictionary.path).p_t_given_w if has_shares else None
        self._parses = lru_cache(maxsize=100_000)(self._parsed)
        self._cells = lru_cache(maxsize=10_000)(self._filled)

    def _parsed(self, word: str) -> tuple[Any, ...]:
        """(word, tag, lemma, score, methods) of each reading, the usual one first.

        As pymorphy3 orders them, but a word's shares are looked up in one go, and only where there is a choice.
        """
        found = self._morph.parse(word)
        if len(found) > 1 and self._shares is not None:
            shares = dict(self._shares.items(f"{word}:"))
            if shares:
                found.sort(key=lambda parse: shares.get(f"{word}:{parse[1]}", 0), reverse=True)
        return tuple(found)

    def analyse(self, form: str) -> list[Analysis]:
        return [Analysis(form, lemma, *_opencorpora(str(tag))) for _, tag, lemma, _, _ in self._parses(form.lower())]

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        """Of the dictionary's lemma; ``е`` stands for ``ё`` too, as most texts write it."""
        found: dict[str, None] = {}
        for _, _, normal_form, _, methods in self._parses(lemma.lower()):
            if _same(normal_form, lemma):
                _, word, paradigm, place = methods[0]
                stem = self._dictionary.build_stem(self._dictionary.paradigms[paradigm], place, word)
                endings = forms_with(self._cells(paradigm), pos, features)
                found |= {ending.replace("*", stem): None for ending in endings}
        return list(found)

    def _filled(self, paradigm: int) -> tuple[Analysis, ...]:
        """What stands before and after the stem (``по*ее``) in each cell of a paradigm, which many words share."""
        cells = self._dictionary.build_paradigm_info(paradigm)
        return tuple(Analysis(f"{prefix}*{suffix}", "", *_opencorpora(str(tag))) for prefix, tag, suffix in cells)


def _same(one: str, other: str) -> bool:
    return one.replace("ё", "е").lower() == other.replace("ё", "е").lower()


@lru_cache(maxsize=10_000)
def _opencorpora(tag: str) -> Bundle:
    """The one reading of a tag (``NOUN,inan,masc sing,nomn``)."""
    grammemes = tag.replace(" ", ",").split(",")
    features = dict(_FORMS.get(grammemes[0], {}))
    for gram in grammemes:
        features |= _OPENCORPORA.get(gram, {})
    if features.get("Mood") == "Ind":
        features["VerbForm"] = "Fin"
    return "DET" if "Apro" in grammemes else _OPENCORPORA_POS.get(grammemes[0], "X"), features


class Morfeusz:
    """See `kontrast.language.lexicon.Lexicon`; SGJP's dictionary in the morfeusz2 package."""

    licence = "BSD 2-Clause (Morfeusz and SGJP)"

    def __init__(self) -> None:
        self.name, self.language = "morfeusz:pl", "pl"
        try:
            import morfeusz2
        except ImportError as error:
            raise KontrastError("the lexicon 'morfeusz' needs a package: pip install morfeusz2") from error
        self._morph = morfeusz2.Morfeusz()._morfeusz_obj
        """The library itself: its Python face also writes names and labels, which nobody reads here."""
        self._tag = lru_cache(maxsize=None)(lambda number: self._morph.getIdResolver().getTag(number))
        self._analysed = lru_cache(maxsize=100_000)(self._read)
        self._paradigm = lru_cache(maxsize=100_000)(self._made)

    def _read(self, form: str) -> tuple[Analysis, ...]:
        readings = list(self._morph.analyse(form))
        if any(each.endNode != 1 for each in readings):
            return ()  # cut in two (zrobił + em): not one word's form
        tagged = ((each.lemma.split(":")[0], self._tag(each.tagId)) for each in readings)
        return tuple(Analysis(form, lemma, *one) for lemma, tag in tagged if tag != "ign" for one in _nkjp(tag))

    def _made(self, lemma: str) -> tuple[Analysis, ...]:
        """Every form of a lemma."""
        try:
            made = self._morph.generate(lemma, None)
        except RuntimeError:
            return ()
        return tuple(Analysis(each.orth, lemma, *one) for each in made for one in _nkjp(self._tag(each.tagId)))

    def analyse(self, form: str) -> list[Analysis]:
        return list(self._analysed(form))

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        return forms_with(self._paradigm(lemma), pos, features)


@lru_cache(maxsize=10_000)
def _nkjp(tag: str) -> list[Bundle]:
    """A reading for each combination of values that the tag has with dots (``adj:pl:nom.acc:m2.f:pos``)."""
    kind, *parts = tag.split(":")
    choices = [[_NKJP.get(value, {}) for value in part.split(".")] for part in parts]
    pos, own = _NKJP_POS.get(kind, "X"), _NKJP_FORMS.get(kind, {})
    return [(pos, {k: v for part in (own, *combo) for k, v in part.items()}) for combo in product(*choices)]
