"""What looks wrong and may be right: the cases that are left out, each with its reason.

What the trees show of a language that declares nothing of its agreement: its subjects, its order, its elisions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from kontrast.building.agreement.forms import Forms
from kontrast.building.agreement.targets import AgreementTarget, Tree
from kontrast.errors import KontrastError
from kontrast.language.annotation import Token
from kontrast.language.words import declared

TREEBANK = re.compile(r"([a-z]{2,3})_(?:pud\b|[a-z]+-ud-)")
"""How the files of Universal Dependencies are named; names like it may mean something else."""
SAME = {("no", "nb"), ("no", "nn")}


def language_of(pair: str | None, source: str | Path, target: str | Path) -> tuple[str, str]:
    """The languages, as given or as treebanks' files are named (``es_pud-ud-test.conllu``).

    >>> language_of(None, "en_pud-ud-test.conllu", "x/es_pud-ud-test.conllu")
    ('en', 'es')
    >>> language_of("en-uk", "en_pud-ud-test.conllu", "ru_pud-ud-test.conllu")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: --pair en-uk: ru_pud-ud-test.conllu is a treebank of 'ru' according to its name
    """
    if pair is not None:
        one, dash, other = pair.partition("-")
        if not (dash and re.fullmatch(r"[a-z]{2,3}", one) and re.fullmatch(r"[a-z]{2,3}", other)):
            raise KontrastError(f"--pair: expected two languages as in en-es, found {pair!r}")
        for code, path in ((one, source), (other, target)):
            named = TREEBANK.match(Path(path).name)
            if named and named[1] != code and (named[1], code) not in SAME:
                raise KontrastError(
                    f"--pair {pair}: {Path(path).name} is a treebank of {named[1]!r} according to its name"
                )
        return one, other
    codes = [re.match(r"([a-z]{2,3})_", Path(path).name) for path in (source, target)]
    if not (codes[0] and codes[1]):
        raise KontrastError("give the languages with --pair en-es, because the file names do not begin with them")
    return codes[0][1], codes[1][1]


BARRIERS = frozenset("PUNCT VERB AUX SCONJ".split())
"""Parts of speech beyond which an adjective has no noun."""


def _reach(tree: Tree, places: range, barriers: frozenset[str]) -> Iterator[int]:
    """The places up to the first barrier; participles are none."""
    for i in places:
        if tree.words[i].pos in barriers and tree.words[i].morph.get("VerbForm") != "Part":
            return
        yield i


def _value(word: Token, feature: str, unknown: str) -> str:
    """A word's value of a feature; a name without number is one."""
    if feature == "Number" and word.pos == "PROPN":
        return word.morph.get(feature, "Sing")
    return word.morph.get(feature, unknown)


def _joined(tree: Tree) -> Iterator[tuple[str, str]]:
    """Two words that are written as one: *de* and *el* in *del*."""
    for i, (one, other) in enumerate(pairwise(tree.words)):
        if i in tree.joined and tree.joined[i] == tree.joined.get(i + 1):
            yield one.text.lower(), other.text.lower()


def _is_object_pronoun(word: Token) -> bool:
    return word.relation == "obj" and word.pos == "PRON" and "Rel" in word.morph.get("PronType", "Rel")


def _is_counted(tree: Tree, i: int) -> bool:
    """A noun with a numeral may be several whatever its form: Finnish *kaksi miestä*."""
    return any(tree.words[c].relation.startswith("nummod") for c in tree.children[i])


class Traps:
    """Each method gives the reason to leave a case out, or None."""

    def __init__(self, language: str, forms: Forms, trees: Sequence[Tree] = ()) -> None:
        self.language, self.forms = language, forms
        self.is_epicene = cache(self._is_epicene)
        self.object_pronouns = {
            word.text.lower() for tree in trees for word in tree.words if _is_object_pronoun(word)
        }
        self.joined = {pair for tree in trees for pair in _joined(tree)}
        words: dict[str, Any] = declared(language).get("agreement", {})
        self.declared = bool(words)
        words = words or dict(habits(trees))
        self.genitive_first = genitive_first(trees)
        self.quantities = frozenset(words.get("quantities", ()))
        self.contracting = frozenset(words.get("contracting", ()))
        self.articles = frozenset(words.get("contracted_articles", ()))
        self.epicene = tuple(words.get("epicene_endings", ()))
        self.elision = bool(words.get("elision", False))
        self.free_order = bool(words.get("free_order", False))
        self.pro_drop = bool(words.get("pro_drop", False))
        self.pro_drop_plural = bool(words.get("unnamed_plural", False))

    def before(self, tree: Tree, target: AgreementTarget, feature: str) -> str | None:
        word, controller = tree.words[target.word], tree.words[target.controller]
        if target.word in tree.joined or target.controller in tree.joined:
            return "the word is written together with another"
        if not word.text.replace("-", "").isalpha():
            return "not a plain word"
        if word.morph.get("Foreign") or word.morph.get("Abbr") or controller.morph.get("Foreign"):
            return "foreign word or abbreviation"
        if word.morph.get("Typo") or controller.morph.get("Typo"):
            return "misspelt in the treebank"
        if controller.lemma.lower() in self.quantities or word.lemma.lower() in self.quantities:
            return "a word of quantity"
        if feature == "Number" and not self.declared and self._may_be_quantity(tree, target):
            return "may be a quantity"
        if feature == "Gender" and self.is_epicene(controller.text, controller.lemma):
            return "the noun may have either gender"
        if feature == "Person" and self.pro_drop and controller.morph.get("Person") == "3":
            return "the pronoun may refer to another noun"
        return None

    def _may_be_quantity(self, tree: Tree, target: AgreementTarget) -> bool:
        """*a group of men*: where no such words are declared, any noun with one of the other number beside it."""
        if target.phenomenon not in ("subj_verb", "relative_verb", "predicate"):
            return False
        number = tree.words[target.controller].morph.get("Number")
        beside = (tree.words[i] for i in tree.children[target.controller])
        return any(w.relation.startswith("nmod") and w.morph.get("Number", number) != number for w in beside)

    def _is_epicene(self, form: str, lemma: str) -> bool:
        if self.epicene and lemma.lower().endswith(self.epicene):
            return True
        genders = {
            value
            for text in (form, lemma)
            for features in self.forms.features(text, "NOUN")
            for value in features.get("Gender", "").split(",")
            if value
        }
        return len(genders) > 1

    def after(self, tree: Tree, target: AgreementTarget, feature: str, form: str, value: str) -> str | None:
        word = tree.words[target.word]
        following = tree.text[word.end :].lstrip()[:1].lower()
        glued = tree.text[word.end : word.end + 1].isalpha()
        if glued or form.endswith("'"):
            return "written together with the next word"
        if tree.text[: word.start].endswith(("'", "’")) and form[:1].lower() not in "aeiouhàâéèêëîïôûœæ":
            return "the previous word is elided"
        if self.elision and target.phenomenon == "det_noun" and following in "aeiouyhàâéèêëîïôûœæ":
            return "the form depends on the next letter"
        before = tree.words[target.word - 1] if target.word else None
        declared_so = before is not None and before.text.lower() in self.contracting and form.lower() in self.articles
        if declared_so or (before is not None and (before.text.lower(), form.lower()) in self.joined):
            return "the form would be joined to the preposition"
        if value == "Plur" and self._may_be_genitive_noun(tree, target):
            return "may be a noun in the genitive"
        if target.phenomenon in ("adj_noun", "predicate") and self._agrees_nearby(tree, target, feature, value):
            return "agrees with a nearer noun"
        if target.phenomenon in ("relative_verb", "relative_pronoun"):
            # którego is masculine or neuter
            readings = self.forms.features(form, word.pos)
            values = {value, *(one for r in readings for one in r.get(feature, "").split(","))}
            if any(self._agrees_between(tree, target, feature, each) for each in values if each):
                return "agrees with a nearer noun"
        if target.phenomenon == "subj_verb" and value == "Plur" and self._may_be_object(tree, target):
            return "the subject could be the object of an unnamed subject"
        if target.phenomenon in ("subj_verb", "relative_verb") and self._has_other_subject(
            tree, target, feature, value
        ):
            return "another noun could be the subject"
        return None

    def _may_be_genitive_noun(self, tree: Tree, target: AgreementTarget) -> bool:
        """*suuren makedonialaisten armeijan*, the army of the Macedonians, where genitives stand first."""
        case = tree.words[target.word].morph.get("Case")
        before = target.phenomenon == "adj_noun" and target.word < target.controller
        return self.genitive_first and before and case == "Gen"

    def _agrees_nearby(self, tree: Tree, target: AgreementTarget, feature: str, value: str) -> bool:
        """Another noun that the changed word could belong to: no verb, comma or clause lies between."""
        word = tree.words[target.word]
        shared = [name for name in ("Gender", "Number", "Case") if name in word.morph and name != feature]
        last = max(target.word, target.controller) + 4
        left = _reach(tree, range(target.word - 1, max(-1, min(target.word, target.controller) - 4), -1), BARRIERS)
        # "blancos" cannot belong to what follows a preposition: las casas blancos de los pueblos
        right = _reach(tree, range(target.word + 1, min(len(tree.words), last)), BARRIERS | {"ADP"})
        for i in (*left, *right):
            other = tree.words[i]
            if i == target.controller or other.pos not in ("NOUN", "PROPN", "PRON"):
                continue
            same = all(other.morph.get(n, word.morph[n]) == word.morph[n] for n in shared)
            if same and _value(other, feature, value) == value:
                return True
        return False

    def _agrees_between(self, tree: Tree, target: AgreementTarget, feature: str, value: str) -> bool:
        """Another noun between the verb and its noun, or just before that, that the clause could belong to."""
        # A pronoun alone says whom the clause is about, so that a noun farther off may be meant.
        far = 6 if target.phenomenon == "relative_pronoun" else 3
        near = (
            *range(max(0, target.controller - far), target.controller),
            *range(target.controller + 1, target.word),
        )
        return any(
            _value(tree.words[i], feature, value) == value or (feature == "Number" and _is_counted(tree, i))
            for i in near
            if tree.words[i].pos in ("NOUN", "PROPN")
            or (tree.words[i].pos == "PRON" and feature in tree.words[i].morph and i < target.controller)
        )

    def _may_be_object(self, tree: Tree, target: AgreementTarget) -> bool:
        """*Dom zbudowali*, they built the house: a plural without subject, and a noun that may be accusative."""
        if not self.pro_drop_plural:
            return False
        verb, noun = tree.words[target.word], tree.words[target.controller]
        centre = verb.head if verb.relation.split(":")[0] in ("aux", "cop") else target.word
        if verb.relation.startswith(("cop", "aux")) or verb.morph.get("Voice") in ("Pass", "Mid"):
            return False
        if verb.text.lower().endswith(("ся", "сь")) or tree.child(centre, "obj", "iobj", "ccomp", "xcomp", "expl"):
            return False
        readings = self.forms.features(noun.text, noun.pos)
        return any("Acc" in r.get("Case", "Acc").split(",") for r in readings) if readings else True

    def _may_be_object_pronoun(self, tree: Tree, centre: int) -> bool:
        """Whether the clause's pronoun stands as an object elsewhere in the treebank: que does, qui does not."""
        pronoun = tree.child(centre, "nsubj")
        return pronoun is not None and tree.words[pronoun].text.lower() in self.object_pronouns

    def _has_other_subject(self, tree: Tree, target: AgreementTarget, feature: str, value: str) -> bool:
        """A bare noun of the clause with the new value: where word order is free, it would be the subject."""
        verb = tree.words[target.word]
        centre = verb.head if verb.relation.split(":")[0] in ("aux", "cop") else target.word
        first = target.controller < target.word
        # os homens que representa(m) a lei: where the pronoun may be the object, what follows may be the subject
        in_relative = target.phenomenon == "relative_verb" and self._may_be_object_pronoun(tree, centre)
        for i in tree.children[centre]:
            other = tree.words[i]
            if i == target.controller or other.pos not in ("NOUN", "PROPN", "PRON"):
                continue
            if other.relation.split(":")[0] not in ("obj", "iobj", "xcomp", "obl", "dislocated", "expl"):
                continue
            if tree.child(i, "case") is not None or _value(other, feature, value) != value:
                continue
            if self.free_order or not first or in_relative:
                readings = [other.morph, *self.forms.features(other.text, other.pos)]
                if any("Nom" in r.get("Case", "Nom").split(",") for r in readings):
                    return True
        return False


CLAUSES = frozenset("root ccomp advcl acl parataxis".split())
SUBJECTS = ("nsubj", "csubj", "expl")


UNNAMED = 0.08
"""Verbs without a subject of all finite ones from which on a pronoun may be left out. In PUD es, it, pt, pl, cs, fi
have 10 to 24%, ru 5%, sv, fr, de 1%."""
UNNAMED_PLURAL = 0.05
"""The same of third person plurals, where word order is free: *they built the house* may have the house first."""
INVERTED = 0.15
"""Subjects behind their verb of all from which on a noun before the verb need not be its subject."""
ELIDED = 0.01
"""Determiners with an apostrophe (*l'*) of all from which on their form depends on the next letter."""


def habits(trees: Sequence[Tree]) -> dict[str, bool]:
    """What a language's file declares (CONTRIBUTING.md), counted over all trees; an empty count leaves out more."""
    count: Counter[str] = Counter()
    for tree in trees:
        for i, word in enumerate(tree.words):
            relation = word.relation.split(":")[0]
            if word.pos == "DET":
                count["det"] += 1
                count["elided"] += word.text[-1:] in ("'", "’")
            elif relation == "nsubj":
                count["nsubj"] += 1
                count["behind"] += i > word.head
            elif relation in CLAUSES and _is_statement(word):
                kinds = ("verb", "plural") if word.morph.get("Number") == "Plur" else ("verb",)
                for kind in kinds:
                    count[kind] += 1
                    count[f"unnamed {kind}"] += tree.child(i, *SUBJECTS) is None
    free = count["behind"] >= INVERTED * count["nsubj"]
    return {
        "pro_drop": count["unnamed verb"] >= UNNAMED * count["verb"],
        "unnamed_plural": free and count["unnamed plural"] >= UNNAMED_PLURAL * count["plural"],
        "free_order": free,
        "elision": count["elided"] > ELIDED * count["det"],
    }


def genitive_first(trees: Iterable[Tree]) -> bool:
    """Whether most nouns in the genitive stand before the noun they belong to."""
    first = [
        i < word.head
        for tree in trees
        for i, word in enumerate(tree.words)
        if word.morph.get("Case") == "Gen" and word.pos != "DET" and word.relation.partition(":")[0] == "nmod"
    ]
    return 2 * sum(first) > len(first)


def _is_statement(word: Token) -> bool:
    """A finite verb that is no imperative."""
    form = word.morph.get("VerbForm", "Fin" if "Person" in word.morph else "")
    return word.pos == "VERB" and form == "Fin" and word.morph.get("Mood") != "Imp"
