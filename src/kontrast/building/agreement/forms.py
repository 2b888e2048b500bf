"""The wrong form: it exists, differs in one feature, and cannot be read as right beside its controller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kontrast.building.agreement.trees import Word
from kontrast.language.lexicon import Analysis, Lexicon, same_class

__all__ = ["Forms"]

FIXED = tuple(
    "Tense Mood VerbForm Polarity Degree Definite Voice Aspect Case Person Poss Variant PronType Number[psor]".split()
)
"""What must not change beside the one feature."""

SHARED = ("Number", "Gender", "Case", "Person")
"""What a word and its controller have to share to be read as agreeing."""

VALUES = {"Number": ("Sing", "Plur"), "Gender": ("Masc", "Fem", "Neut", "Com"), "Person": ("1", "2", "3")}

Features = Mapping[str, str]


class Forms:
    """Other forms of a treebank's words, from one lexicon or several (the first that has one decides)."""

    def __init__(self, lexicons: Iterable[Lexicon]) -> None:
        self.lexicons = tuple(lexicons)

    def wrong(self, word: Word, controller: Word, feature: str, phenomenon: str) -> tuple[str, str] | None:
        """(the form, the value it now has), or None where there is none that is wrong for certain."""
        right = word.features[feature]
        for value in VALUES[feature]:
            if value == right:
                continue
            word_features = {name: v for name, v in word.features.items() if name in (*FIXED, "Number", "Gender")}
            if feature == "Number" and "Gender" in controller.features:
                # A plural often has no gender; the singular has its noun's.
                word_features["Gender"] = controller.features["Gender"]
            wanted = {**word_features, feature: value}
            for form in self._forms(word, wanted):
                if form == word.form.lower() or not self._has(form, word.pos, wanted, feature):
                    continue
                if not self.reads_as_right(form, word, controller, phenomenon):
                    return _like(form, word.form), value
        return None

    def _forms(self, word: Word, wanted: Features) -> Iterator[str]:
        """The usual form first: of the lexicon's readings of this word, those that the tree confirms."""
        if "Clitic" in word.features:
            return
        for lexicon in self.lexicons:
            for reading in self._readings(lexicon, word.form):
                if not same_class(reading.pos, word.pos) or not _compatible(reading.features, word.features):
                    continue
                # Only features that this lexicon tells apart can be asked for.
                asked = {name: value for name, value in wanted.items() if "," not in value}
                for names in (asked, {k: v for k, v in asked.items() if k in reading.features}):
                    found = lexicon.generate(reading.lemma, reading.pos, **names)
                    if not found and "Gender" in names and names.get("Number") == "Plur":
                        plural = {k: v for k, v in names.items() if k != "Gender"}
                        found = lexicon.generate(reading.lemma, reading.pos, **plural)
                    if found:
                        yield from (form.lower() for form in found[:2] if " " not in form)
                        return

    def _has(self, form: str, pos: str, wanted: Features, feature: str) -> bool:
        """Whether the form has the new value with everything else as it was."""
        return any(
            wanted[feature] in r.get(feature, "").split(",") and "Clitic" not in r and _compatible(r, wanted)
            for r in self.features(form, pos)
        )

    def reads_as_right(self, form: str, word: Word, controller: Word, phenomenon: str) -> bool:
        """Whether some reading of the new form, all else as it was, agrees with some reading of the controller."""
        of_word = [r for r in self.features(form, word.pos) if _compatible(r, word.features, FIXED)]
        of_controller = [controller.features, *self.features(controller.form, controller.pos)]
        if phenomenon != "det_noun" and phenomenon != "adj_noun":
            of_controller = [c for c in of_controller if "Nom" in c.get("Case", "Nom").split(",")]
            own = {k: v for k, v in controller.features.items() if k in ("Person",)}
            of_controller = [{**c, **own} for c in of_controller]
        return any(_agree(a, b) for a in of_word for b in of_controller)

    def features(self, form: str, pos: str) -> list[Features]:
        """How a form can be read as this part of speech, in all lexicons."""
        found = (reading for lexicon in self.lexicons for reading in self._readings(lexicon, form))
        return [reading.features for reading in found if same_class(reading.pos, pos)]

    def _readings(self, lexicon: Lexicon, form: str) -> list[Analysis]:
        return lexicon.analyse(form.lower()) or lexicon.analyse(form)


def _values(features: Features, name: str) -> set[str]:
    return set(features[name].split(",")) if features.get(name) else set()


def _compatible(reading: Features, features: Features, names: Iterable[str] = (*FIXED, "Number", "Gender")) -> bool:
    """No feature that both have contradicts."""
    for name in names:
        ours, theirs = _values(reading, name), _values(features, name)
        if ours and theirs and not ours & theirs:
            return False
    return True


def _agree(a: Features, b: Features) -> bool:
    return _compatible(a, b, SHARED)


def _like(form: str, model: str) -> str:
    if model.isupper() and len(model) > 1:
        return form.upper()
    return form[:1].upper() + form[1:] if model[:1].isupper() else form
