"""The wrong form: it exists, differs in one feature, and cannot be read as right beside its controller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec

from kontrast.building.agreement.readings import (
    FIXED,
    KEPT,
    Features,
    Shared,
    Told,
    compatible,
    has_person,
    same_values,
    shared_values,
    some_agree,
    values_told,
)
from kontrast.building.errors.text import like
from kontrast.language.annotation import Token
from kontrast.language.lexicon import Analysis, Lexicon, fits, same_class
from kontrast.language.lexicons.patterns import Patterns
from kontrast.language.lexicons.treebank import Treebank

VALUES = {"Number": ("Sing", "Plur"), "Gender": ("Masc", "Fem", "Neut", "Com"), "Person": ("1", "2", "3")}

UNSAID = frozenset("Tense Mood VerbForm Aspect Voice Case Definite Degree Polarity Person".split())
"""What a wrong form may differ in too where the tree does not say it and a lexicon tells it."""

SAID = UNSAID - {"Case"}

CASE, FREE = frozenset(("Case",)), KEPT - FIXED

NONE = "there is no other form, or the other form can be right"
DIFFERS = "the tree does not show which other features the form has"


class WrongForm(NamedTuple):
    """A wrong form, the value it now has, and the kind of lexicon that has it."""

    text: str
    value: str
    lexicon: str


class _Candidate(msgspec.Struct, gc=False):
    """A form that a lexicon has with the features wanted; whether it may be the wrong one, once that is known."""

    text: str
    lexicon: Lexicon
    serves: bool | None = None
    mixed: bool | None = None


P = ParamSpec("P")
R = TypeVar("R")


def once(method: Callable[Concatenate[Forms, P], R]) -> Callable[Concatenate[Forms, P], R]:
    """Remembers what a method gave for the same words and features."""

    @wraps(method)
    def asked(self: Forms, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if args and isinstance(args[0], Patterns) and method.__name__ != "_generate":
            return method(self, *args, **kwargs)  # patterns grow
        key = (method.__name__, *map(_key, args))
        if key not in self.memory:
            self.memory[key] = method(self, *args, **kwargs)
        found: R = self.memory[key]
        return found

    return asked


def _key(value: Any) -> object:
    if isinstance(value, Token):
        return value.text, value.lemma, value.pos, *value.morph.items()
    return tuple(value.items()) if isinstance(value, Mapping) else value


class Forms:
    """Other forms of a treebank's words, from dictionaries, or for words that these lack from treebanks."""

    def __init__(self, dictionaries: Iterable[Lexicon], treebanks: Iterable[Lexicon] = ()) -> None:
        self.dictionaries, self.treebanks = tuple(dictionaries), tuple(treebanks)
        self._all = (*self.dictionaries, *self.treebanks)
        self._telling = tuple(each for each in self._all if not isinstance(each, Patterns))
        self.memory: dict[tuple[object, ...], Any] = {}

    def wrong(self, word: Token, controller: Token, feature: str, phenomenon: str) -> WrongForm | str:
        """The first form that is wrong for certain, in this feature alone; or the reason that there is none."""
        right = word.morph[feature]
        word_features = {name: v for name, v in word.morph.items() if name in KEPT}
        if feature == "Number" and "Gender" in controller.morph:
            # A plural often has no gender; the singular has its noun's.
            word_features["Gender"] = controller.morph["Gender"]
        reason = NONE
        for value in VALUES[feature]:
            if value == right:
                continue
            wanted = {**word_features, feature: value}
            for each in self._forms(word, wanted):
                form = each.text
                if each.serves is None:
                    differs = form != word.text.lower() and self._has(form, word.pos, wanted, feature)
                    each.serves = differs and self._keeps_tense(word, form)
                if not each.serves or self.reads_as_right(form, word, controller, phenomenon):
                    continue
                if each.mixed is None:
                    each.mixed = self._mixes(each.lexicon, word, form, {feature: value})
                if not each.mixed and self._keeps_the_rest(word, controller, form, {feature: value}, phenomenon):
                    return WrongForm(like(word.text, form), value, each.lexicon.name.partition(":")[0])
                reason = DIFFERS
        return reason

    def _forms(self, word: Token, wanted: Features) -> list[_Candidate]:
        """The usual form first: of the lexicon's readings of this word, those that the tree confirms."""
        if "Clitic" in word.morph:
            return []
        key = ("_forms", _key(word), _key(wanted))
        found: list[_Candidate] = self.memory.get(key, [])
        if not found:  # one that was not found may be later: patterns grow
            found = self.memory[key] = self._asked(word, wanted)
        return found

    def _asked(self, word: Token, wanted: Features) -> list[_Candidate]:
        # Only values of one feature can be asked for.
        asked = {name: value for name, value in wanted.items() if "," not in value}
        for lexicon in self._all:
            made: dict[str, None] = {}
            for reading in self._confirmed(lexicon, word):
                # What the tree does not say, as the reading has it.
                said = {k: v for k, v in reading.features.items() if k in SAID and k not in word.morph and v}
                found = self._cell(lexicon, reading, {**said, **asked})
                made.update(dict.fromkeys(form.lower() for form in found[:2] if " " not in form))
                if found and not said:
                    break
            if made:
                return [_Candidate(form, lexicon) for form in made]
        return []

    def _cell(self, lexicon: Lexicon, reading: Analysis, asked: Features) -> list[str]:
        """The forms with these features, or with those of them that the reading has at all."""
        own = {k: v for k, v in asked.items() if k in reading.features}
        for names in (asked, own) if len(own) < len(asked) else (asked,):
            found = self._generate(lexicon, reading.lemma, reading.pos, names)
            if not found and "Gender" in names and names.get("Number") == "Plur":
                names = {k: v for k, v in names.items() if k != "Gender"}
                found = self._generate(lexicon, reading.lemma, reading.pos, names)
            if found:
                return found
        return []

    @once
    def _generate(self, lexicon: Lexicon, lemma: str, pos: str, features: Features) -> list[str]:
        return lexicon.generate(lemma, pos, **features)

    @once
    def _confirmed(self, lexicon: Lexicon, word: Token) -> list[Analysis]:
        """A lexicon's readings of a word that its tree allows; those of the tree's lemma where there are any."""
        readings = [
            reading
            for reading in self.readings(lexicon, word.text)
            if same_class(reading.pos, word.pos) and compatible(reading.features, word.morph)
        ]
        lemma = word.lemma.lower()
        return [reading for reading in readings if reading.lemma.lower() == lemma] or readings

    def _has(self, form: str, pos: str, wanted: Features, feature: str) -> bool:
        """Whether the form has the new value with everything else as it was."""
        new = {feature: wanted[feature]}
        return any(fits(r, new) and "Clitic" not in r and compatible(r, wanted) for r in self.features(form, pos))

    def _keeps_tense(self, word: Token, form: str) -> bool:
        """Whether a dictionary that knows both forms has them in one tense and mood, whatever the tree says."""
        old, new = self._tenses(word, form)
        return not old or bool(old & new)

    def _tenses(self, word: Token, form: str) -> tuple[set[Told], set[Told]]:
        """Tenses and moods of both forms in the first dictionary that knows both."""
        for lexicon in self.dictionaries:
            old, new = self._tenses_of(lexicon, word.text, word.pos), self._tenses_of(lexicon, form, word.pos)
            if old and new:
                return old, new
        return set(), set()

    @once
    def _tenses_of(self, lexicon: Lexicon, form: str, pos: str) -> set[Told]:
        readings = (r for r in self.readings(lexicon, form) if same_class(r.pos, pos))
        return values_told(readings, ("Tense", "Mood", "VerbForm"))

    def _mixes(self, lexicon: Lexicon, word: Token, form: str, change: Features) -> bool:
        """Whether the treebank that lends the form has several forms of one word for the old features, or the new."""
        if not isinstance(lexicon, Treebank | Patterns):
            return False
        old, told = self._tenses(word, form)
        if old and old == told:
            return False  # a dictionary says that they are of one tense
        new = {**word.morph, **change}
        return any(lexicon.mixes(word.pos, each, word.lemma) for each in (word.morph, new))

    def _keeps_the_rest(self, word: Token, controller: Token, form: str, change: Features, phenomenon: str) -> bool:
        """Whether the new form has each value that a lexicon gives the old one, of what the tree does not say."""
        unsaid = UNSAID.difference(word.morph)
        for lexicon in self._telling:
            if all(unsaid.isdisjoint(self._features_told(lexicon, each)) for each in (form, word.text)):
                continue
            features = dict(word.morph)
            if phenomenon in ("det_noun", "adj_noun") and "Case" in controller.morph:
                features.setdefault("Case", controller.morph["Case"])
            if controller.pos in ("NOUN", "PROPN"):
                features.setdefault("Person", "3")
            if not self._tells_no_more(lexicon, msgspec.structs.replace(word, morph=features), form, change):
                return False
        return True

    @once
    def _features_told(self, lexicon: Lexicon, form: str) -> frozenset[str]:
        """The names of all features in a form's readings."""
        return frozenset(name for reading in self.readings(lexicon, form) for name in reading.features)

    @once
    def _tells_no_more(self, lexicon: Lexicon, word: Token, form: str, change: Features) -> bool:
        old = [r for r in self._confirmed(lexicon, word) if change.keys() <= r.features.keys()]
        lemmas, wanted = {reading.lemma for reading in old}, {**word.morph, **change}
        readings = [r for r in self.readings(lexicon, form) if r.lemma in lemmas and same_class(r.pos, word.pos)]
        new = [r for r in readings if compatible(r.features, wanted)]
        names = {name for r in (*old, *new) for name in r.features}
        if new and has_person(old) != has_person(new):
            return False  # a present beside a past that shows no person
        if readings and not new and not isinstance(lexicon, Treebank):
            return False  # another person; a treebank does not have every reading
        told = sorted(UNSAID.intersection(names).difference(word.morph))
        if not told or not new:
            return True
        have, had = values_told(new, told), values_told(old, told)
        silent = ("",) * len(told)
        if silent in had:
            had = {silent}  # it is as the tree has it: an adjective, not the participle of that form
        return all(each in have or any(same_values(each, other, told) for other in have) for each in had)

    def reads_as_right(self, form: str, word: Token, controller: Token, phenomenon: str) -> bool:
        """Whether some reading of the new form, all else as it was, agrees with some reading of the controller."""
        of_word, shared = self._read_unchanged(form, word)
        if phenomenon in ("relative_verb", "relative_pronoun"):
            # The noun's case is that of its own clause.
            of_controller = [controller.morph, *self.features(controller.text, controller.pos)]
            of_controller = [c for c in of_controller if compatible(c, controller.morph, CASE)]
            return any(compatible(a, b, FREE) for a in of_word for b in of_controller)
        return some_agree(shared, self._controllers(controller, phenomenon in ("det_noun", "adj_noun")))

    @once
    def _read_unchanged(self, form: str, word: Token) -> tuple[list[Features], frozenset[Shared]]:
        """The readings of the new form that have all else as it was, and what agreement looks at of them."""
        # Another mood may be right too: "sie habe" in German.
        mood = word.morph.get("Mood")
        fixed, moods = FIXED if mood == "Imp" else FIXED - {"Mood"}, (mood, "Sub", "Ind", None)
        found = [r for r in self.features(form, word.pos) if r.get("Mood") in moods]
        found = [r for r in found if compatible(r, word.morph, fixed)]
        return found, shared_values(found)

    @once
    def _controllers(self, controller: Token, in_phrase: bool) -> frozenset[Shared]:
        """What a word could agree with: any reading of the noun in its phrase, the nominatives of a subject."""
        of_controller = [controller.morph, *self.features(controller.text, controller.pos)]
        if not in_phrase:
            of_controller = [c for c in of_controller if "Nom" in c.get("Case", "Nom").split(",")]
            # A name is as many as the tree says: no dictionary makes several of "Davis".
            kept = ("Person", "Number") if controller.pos == "PROPN" else ("Person",)
            own = {k: v for k, v in controller.morph.items() if k in kept}
            of_controller = [{**c, **own} for c in of_controller]
        return shared_values(of_controller)

    @once
    def features(self, form: str, pos: str) -> list[Features]:
        """How a form can be read as this part of speech: in all dictionaries, or else by analogy."""
        found = [r for each in self.dictionaries for r in self.readings(each, form) if same_class(r.pos, pos)]
        for each in self.treebanks:
            if not (found and isinstance(each, Patterns) and self.dictionaries):
                found += [r for r in self.readings(each, form) if same_class(r.pos, pos)]
        # Lexicons give one object to all readings with the same features.
        return list({id(reading.features): reading.features for reading in found}.values())

    @once
    def readings(self, lexicon: Lexicon, form: str) -> list[Analysis]:
        """A lexicon's readings of a form in lower case, or as it stands."""
        return lexicon.analyse(form.lower()) or lexicon.analyse(form)
