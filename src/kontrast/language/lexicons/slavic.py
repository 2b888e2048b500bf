"""Russian and Ukrainian by pymorphy3, Polish by Morfeusz: dictionaries that come as packages.

Both tell a word by their own tags, which are put into universal features here.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any

from kontrast.errors import KontrastError
from kontrast.language.lexicon import Analysis, features_of, same_class, tag_tables


def _tables(tagset: str) -> tuple[dict[str, str], dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Parts of speech, and the features that go with a part of speech and with a value."""
    tables = tag_tables(tagset)
    forms, values = ({tag: features_of(column) for tag, column in tables[s].items()} for s in ("forms", "features"))
    return tables["pos"], forms, values


_OPENCORPORA_POS, _FORMS, _OPENCORPORA = _tables("opencorpora")
_NKJP_POS, _NKJP_FORMS, _NKJP = _tables("nkjp")

Feature = tuple[str, str]
Bundle = tuple[str, dict[str, str]]
"""Part of speech and features: one way to read a tag."""


class _Serving(dict[str, bool]):
    """Whether a tag can be read with these features; each is looked into once."""

    def __init__(self, read: Callable[[str], list[Bundle]], pos: str | None, wanted: tuple[Feature, ...]) -> None:
        self._read, self._pos, self._wanted = read, pos, frozenset(wanted)

    def __missing__(self, tag: str) -> bool:
        found = False
        for kind, features in _sets(self._read, tag):
            if self._wanted <= features and same_class(kind, self._pos):
                found = True
                break
        self[tag] = found
        return found


@lru_cache(maxsize=10_000)
def _sets(read: Callable[[str], list[Bundle]], tag: str) -> list[tuple[str, frozenset[Feature]]]:
    return [(kind, frozenset(features.items())) for kind, features in read(tag)]


@lru_cache(maxsize=10_000)
def _serving(read: Callable[[str], list[Bundle]], pos: str | None, wanted: tuple[Feature, ...]) -> _Serving:
    return _Serving(read, pos, wanted)


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

    @lru_cache(maxsize=100_000)  # noqa: B019 - a lexicon lives as long as the program
    def _parses(self, word: str) -> tuple[Any, ...]:
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
        return [
            Analysis(form, lemma, *reading)
            for _, tag, lemma, _, _ in self._parses(form.lower())
            for reading in _opencorpora(str(tag))
        ]

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        """Of the dictionary's lemma; ``е`` stands for ``ё`` too, as most texts write it."""
        wanted = tuple(features.items())
        return list(
            dict.fromkeys(
                prefix + stem + suffix
                for stem, paradigm in self._stems(lemma.lower())
                for prefix, suffix in self._filled(paradigm, pos, wanted)
            )
        )

    @lru_cache(maxsize=100_000)  # noqa: B019
    def _filled(self, paradigm: int, pos: str | None, wanted: tuple[Feature, ...]) -> tuple[tuple[str, str], ...]:
        """The cells of a paradigm that have these features: many words share it."""
        serving = _serving(_opencorpora, pos, wanted)
        return tuple((prefix, suffix) for prefix, suffix, tag in self._cells(paradigm) if serving[tag])

    @lru_cache(maxsize=100_000)  # noqa: B019
    def _stems(self, lemma: str) -> tuple[tuple[str, int], ...]:
        """The stem and the number of the paradigm of each word with this lemma."""
        found = []
        for _, _, normal_form, _, methods in self._parses(lemma):
            if _same(normal_form, lemma):
                _, word, paradigm, place = methods[0]
                rules = self._dictionary.paradigms[paradigm]
                found.append((self._dictionary.build_stem(rules, place, word), paradigm))
        return tuple(found)

    @lru_cache(maxsize=10_000)  # noqa: B019
    def _cells(self, paradigm: int) -> tuple[tuple[str, str, str], ...]:
        """What stands before and after the stem, and the tag."""
        cells = self._dictionary.build_paradigm_info(paradigm)
        return tuple((prefix, suffix, str(tag)) for prefix, tag, suffix in cells)


def _same(one: str, other: str) -> bool:
    return one.replace("ё", "е").lower() == other.replace("ё", "е").lower()


@lru_cache(maxsize=10_000)
def _opencorpora(tag: str) -> list[Bundle]:
    """The one reading of a tag (``NOUN,inan,masc sing,nomn``)."""
    grammemes = tag.replace(" ", ",").split(",")
    features = dict(_FORMS.get(grammemes[0], {}))
    for gram in grammemes:
        features |= _OPENCORPORA.get(gram, {})
    if features.get("Mood") == "Ind":
        features["VerbForm"] = "Fin"
    return [("DET" if "Apro" in grammemes else _OPENCORPORA_POS.get(grammemes[0], "X"), features)]


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
        self._tags: dict[int, str] = {}

    def _tag(self, reading: Any) -> str:
        number = reading.tagId
        tag = self._tags.get(number)
        if tag is None:
            tag = self._tags[number] = reading.getTag(self._morph)
        return tag

    @lru_cache(maxsize=100_000)  # noqa: B019
    def _analysed(self, form: str) -> tuple[tuple[str, str], ...]:
        readings = self._morph.analyse(form)
        found = [(i.startNode, i.endNode, i.lemma, self._tag(i)) for i in readings]
        # A form that is cut in two (zrobił + em) is not one word's.
        whole = all(end == 1 for _, end, _, _ in found)
        return tuple((lemma, tag) for start, _, lemma, tag in found if start == 0) if whole else ()

    @lru_cache(maxsize=100_000)  # noqa: B019
    def _generated(self, lemma: str) -> tuple[tuple[str, str], ...]:
        """Every form of a lemma with its tag."""
        try:
            made = self._morph.generate(lemma, None)
        except RuntimeError:
            return ()
        return tuple((i.orth, self._tag(i)) for i in made)

    def analyse(self, form: str) -> list[Analysis]:
        return [
            Analysis(form, lemma.split(":")[0], *reading)
            for lemma, tag in self._analysed(form)
            if tag != "ign"
            for reading in _nkjp(tag)
        ]

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        serving = _serving(_nkjp, pos, tuple(features.items()))
        return list(dict.fromkeys(form for form, tag in self._generated(lemma) if serving[tag]))


@lru_cache(maxsize=10_000)
def _nkjp(tag: str) -> list[Bundle]:
    """A reading for each combination of values that the tag has with dots (``adj:pl:nom.acc:m2.f:pos``)."""
    kind, *parts = tag.split(":")
    choices = [[_NKJP.get(value, {}) for value in part.split(".")] for part in parts]
    return [
        (
            _NKJP_POS.get(kind, "X"),
            {k: v for part in ({**_NKJP_FORMS.get(kind, {})}, *combo) for k, v in part.items()},
        )
        for combo in product(*choices)
    ]
