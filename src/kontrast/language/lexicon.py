"""What a lexicon knows of words, whoever made it. Back ends are in ``kontrast.language.lexicons``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import msgspec

from kontrast.io.toml_input import read_toml

_CLASS = {"AUX": "VERB", "PROPN": "NOUN"}


class Analysis(msgspec.Struct, frozen=True, gc=False):
    """One way to read a form: ``pos`` and ``features`` are universal ones ({"Case": "Dat", "Number": "Plur"}).

    Beyond these there is ``Declension`` (Strong, Weak, Mixed) of German adjectives and nominalised adjectives.
    """

    form: str
    lemma: str
    pos: str
    features: dict[str, str] = {}


class Lexicon(Protocol):
    """Analyses forms and generates them; ``licence`` is that of its data."""

    name: str
    language: str
    licence: str

    def analyse(self, form: str) -> list[Analysis]:
        """The ways to read a form, the usual ones first; none for an unknown word."""
        ...

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        """The forms of a lemma that have these features (those not named may be any), the usual one first."""
        ...


@lru_cache
def tag_tables(tagset: str) -> dict[str, dict[str, str]]:
    """How the tags of a tagset are universal ones: the sections of ``data/tags/TAGSET.toml``."""
    return read_toml(Path(__file__).resolve().parents[1] / "data" / "tags" / f"{tagset}.toml")


@lru_cache(maxsize=20_000)
def features_of(column: str) -> dict[str, str]:
    """The features in a column of CoNLL-U.

    >>> features_of("Case=Dat|Number=Plur"), features_of("_")
    ({'Case': 'Dat', 'Number': 'Plur'}, {})
    """
    return dict(feature.split("=", 1) for feature in column.split("|") if "=" in feature)


def fits(features: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """Does a word with these features have all those wanted? A feature may list several values."""
    for name, value in wanted.items():
        found = features.get(name, "")
        if found != value and ("," not in found or value not in found.split(",")):
            return False
    return True


def same_class(pos: str, wanted: str | None) -> bool:
    """Does a part of speech serve for the one wanted? Auxiliaries are verbs and names are nouns to a lexicon."""
    return wanted is None or pos == wanted or _CLASS.get(pos, pos) == _CLASS.get(wanted, wanted)


def forms_with(analyses: Iterable[Analysis], pos: str | None, features: Mapping[str, str]) -> list[str]:
    """The forms of those that serve for this part of speech and have these features, in their order, each once."""
    # As `same_class` and `fits` say; written out because a suite asks a million times.
    kind = None if pos is None else _CLASS.get(pos, pos)
    wanted = tuple(features.items())
    found: dict[str, None] = {}
    for analysis in analyses:
        if kind is not None and analysis.pos != kind and _CLASS.get(analysis.pos) != kind:
            continue
        own = analysis.features
        for name, value in wanted:
            has = own.get(name, "")
            if has != value and ("," not in has or value not in has.split(",")):
                break
        else:
            found[analysis.form] = None
    return list(found)


def inflect(lexicon: Lexicon, form: str, pos: str | None = None, /, **changes: str) -> list[str]:
    """The form with some features changed and all others unchanged, for each of its analyses; never the form itself.

    >>> from kontrast.language.lexicons import lexicon
    >>> inflect(lexicon("de"), "Hauses", Number="Plur"), inflect(lexicon("de"), "kamen", Number="Sing", Person="3")
    (['Häuser'], ['kam'])
    """
    readings = [a for a in lexicon.analyse(form) if same_class(a.pos, pos)]
    found = (lexicon.generate(a.lemma, a.pos, **one) for a in readings for one in _variants(a.features | changes))
    return list(dict.fromkeys(new for forms in found for new in forms if new != form))


def _variants(features: Mapping[str, str]) -> Iterable[dict[str, str]]:
    """A request per value where a feature lists several."""
    several = next((name for name, value in features.items() if "," in value), None)
    if several is None:
        return [dict(features)]
    return [one for value in features[several].split(",") for one in _variants({**features, several: value})]
