"""What is known of a foil, as named numbers: the features that ``judge`` weighs.

What the rules doubt are features among others, so that a doubt weighs as much as it turned out to mean.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from kontrast.building.pronouns.clues import is_neutral, neutral_gender
from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.phrases import phrase_role
from kontrast.building.pronouns.places import is_polite
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.target import Contrastive, likely_genders
from kontrast.building.pronouns.weigh import Rival
from kontrast.language.alignment import spans
from kontrast.language.annotation import Token
from kontrast.language.pointing import window
from kontrast.language.resolvers.salience import is_person, role_of

__all__ = ["foil_features"]

_LEAST = 1e-4
_PREDICATE = frozenset(("predicate of a noun", "phrase predicate"))
_FEW = 12
"""A sentence of so many words is short."""
_PASSIVE = re.compile(r"es w(?:ird|urde|ürde)n?\b", re.IGNORECASE)
"""*Es wurde vor Produkten gewarnt*"""
_SPOKEN = re.compile(
    r"\b(?:I|me|my|mine|we|us|our)\b|['’](?:s|re|ll|ve|d|m)\b|n['’]t\b|\?|!|\.\.\.|…"
    r"|\b(?:oh|yeah|okay|ok|hey|well|gonna)\b",
    re.IGNORECASE,
)
"""Signs of dialogue, where *es* is often let pass for whatever is talked about."""


def foil_features(recipe: Recipe, scene: Scene, other: Contrastive, doubts: Iterable[Doubt]) -> dict[str, float]:
    """What is known of a foil, by name; all are 0 where they are missing."""
    features = {"always": 1.0, **_of_antecedent(recipe, scene), **_of_foil(recipe, scene, other)}
    for name, value in _register(scene):
        features |= {name: value, f"to {other.gender}, {name}": value}
    for doubt in doubts:
        features[f"doubt: {doubt.kind}"] = 1.0
    return {name: value for name, value in features.items() if value}


def _register(scene: Scene) -> Iterator[tuple[str, float]]:
    """How much the sentences around are like dialogue, and how short they are."""
    line = scene.place.line
    texts = [s.text for s in scene.sentences[: line + 1]]
    texts = texts[window(texts, line) :]
    text = " ".join(texts)
    words = max(len(text.split()), 1)
    yield "spoken", min(10 * len(_SPOKEN.findall(text)) / words, 3.0)
    yield "short sentences", max(0.0, 1 - words / len(texts) / 20)


def _of_antecedent(recipe: Recipe, scene: Scene) -> dict[str, float]:
    choice, place = scene.choice, scene.place
    form = scene.text[place.target.start : place.target.end].lower()
    kind = "neutral" if is_neutral(recipe, place) else "gendered"
    features = {
        "confidence": _odds(choice.confidence),
        f"from {form}": 1.0,
        f"{min(place.line - choice.line, 3)} before": 1.0,
        "a short sentence": float(len(spans(scene.text)) <= _FEW),
        "words": math.log1p(len(spans(scene.text))) - 3,
        "lengths differ": abs(math.log((len(scene.text) + 10) / (len(scene.sentence.text) + 10))),
        "source noun unknown": float(choice.source is None),
        f"role {scene.clues.role}": 1.0,
        "alike": max((_log(r.share) for r in choice.alike), default=_log(0)),
        "alike, nearer": float(any(_place(r) > (choice.line, choice.noun.index) for r in choice.alike)),
        "people are named": float(scene.clues.people),
        "es opens a passive": float(
            bool(_PASSIVE.match(scene.text[place.target.start :])) and place.target.start < 3
        ),
    }
    target = spans(scene.document.target[choice.line])
    if phrase := phrase_role(recipe.target_language, target, choice.noun.index):
        features[f"noun {phrase}"] = 1.0
    for use, side in zip(scene.clues.uses, ("target", "source"), strict=True):
        features[f"{side} use {use.kind}, {kind}"] = float(use.kind != "thing")
        features[f"{side} use {use.kind}, {kind}, first word"] = float(use.kind != "thing" and scene.clues.opens)
    for sign in scene.clues.signs:
        features[sign] = 1.0
    if choice.source is not None:
        token = scene.sentences[choice.line].tokens[choice.source]
        features[f"noun is {role_of(token)}"] = 1.0
        features["noun is a name"] = float(token.pos == "PROPN")
        features["noun is a person"] = float(is_person(token))
    if choice.opinion is not None:
        opinion = choice.opinion
        features |= {
            "pointed": _log(choice.pointed),
            "pointed surely": float(choice.pointed > 0.9),
            "pointed, given its gender": _odds(choice.given_gender),
            "alike, pointed": max((_log(r.pointed) for r in choice.alike), default=_log(0)),
            f"nothing is pointed at, {kind}": _log(opinion.nothing),
            f"an event is pointed at, {kind}": _log(opinion.event),
            f"it points elsewhere, {kind}": _log(opinion.elsewhere),
        }
    return features


def _of_foil(recipe: Recipe, scene: Scene, other: Contrastive) -> dict[str, float]:
    choice, place, gender = scene.choice, scene.place, other.gender
    role = "object" if scene.clues.role == "object" else "other"
    suiting = list(_suiting(recipe, scene, gender))
    known = [r for r in suiting if r.genders]
    near = [r for r in known if place.line - r.line <= 1]
    features = {
        f"to {gender}": 1.0,
        f"to {gender}, {role}": 1.0,
        f"to {gender}, noun in the sentence": float(choice.line == place.line),
        "rival": max((_log(r.share) for r in known), default=_log(0)),
        "rival, all": _log(sum(r.share for r in known)),
        "rival, gender unknown": max((_log(r.share) for r in suiting if not r.genders), default=_log(0)),
        "rivals near": math.log1p(len({r.noun.lemma for r in near})),
        "rival in the sentence": float(any(r.line == place.line for r in near)),
        "rival nearer": float(any(_place(r) > (choice.line, choice.noun.index) for r in near)),
        "rival is an argument": float(any(_role(scene, r) in ("subject", "object", "root") for r in near)),
        "rival in its role": float(any(_role(scene, r) == scene.clues.role for r in near)),
        "rival is what it is": float(any(_PREDICATE & r.signs and place.line - r.line <= 2 for r in known)),
        "rival names the same thing": float(any(r.same for r in suiting)),
        "rival is equated with it": float(any(_is_equated(scene, r) for r in suiting)),
        "the same form stays": float(_stays(scene, other)),
        "noun may have its gender": float(gender in choice.noun.genders),
        "words changed": float(min(_changed(scene.text, other.text) - 1, 3)),
        "form is doubtful": float(bool(other.doubt) and not other.doubt.startswith("es ")),
        "case by the source": float(not other.any_case),
        "case is open": float(not other.any_case and recipe.target_language == "de" and len(scene.cases) > 1),
    }
    if other.doubt.startswith("es "):
        features[f"doubt: {other.doubt}"] = 1.0
    opinion = choice.opinion
    if opinion is not None:
        several = [
            share
            for (line, k), share in opinion.nouns.items()
            if scene.sentences[line].tokens[k].tag in ("NNS", "NNPS") and place.line - line <= 2
        ]
        features |= {
            "rival, pointed": max((_log(r.pointed) for r in suiting if not r.same), default=_log(0)),
            "rival, pointed in all": _log(sum(r.pointed for r in suiting if not r.same)),
            "several, pointed": max(map(_log, several), default=_log(0)) if gender == "f" else 0.0,
        }
        if gender == neutral_gender(recipe):
            features |= {
                "to neutral, nothing": _log(opinion.nothing),
                "to neutral, event": _log(opinion.event),
                "to neutral, elsewhere": _log(opinion.elsewhere),
                "to neutral, none": _log(opinion.nothing + opinion.event + opinion.elsewhere),
            }
    return features


def _suiting(recipe: Recipe, scene: Scene, gender: str) -> Iterator[Rival]:
    """The other nouns that may have the foil's gender; no people for *it*."""
    choice = scene.choice
    single = recipe.sources[scene.place.source.text.lower()] == "s"
    for rival in (*choice.rivals, *choice.alike, *choice.unknown):
        token = scene.sentences[rival.line].tokens[rival.source] if rival.source is not None else None
        if single and token is not None and is_person(token):
            continue
        if rival.noun.lemma != choice.noun.lemma and gender in likely_genders(recipe, rival.noun):
            yield rival


def _place(rival: Rival) -> tuple[int, int]:
    return rival.line, rival.noun.index


def _role(scene: Scene, rival: Rival) -> str:
    return role_of(scene.sentences[rival.line].tokens[rival.source]) if rival.source is not None else ""


def _is_equated(scene: Scene, rival: Rival) -> bool:
    """*fish is one of the two foods*, *that thing is a door*: both nouns of a sentence with *be*."""
    choice = scene.choice
    if choice.source is None or rival.source is None or choice.line != rival.line:
        return False
    words = scene.sentences[choice.line].tokens
    paths = [_path(words, k) for k in (choice.source, rival.source)]
    for one, other in (paths, paths[::-1]):
        for k in set(one) & set(other):
            if words[k].lemma.lower() not in ("be", "become", "remain"):
                continue
            tops = [words[path[path.index(k) - 1]].relation if path.index(k) else "" for path in (one, other)]
            if tops[0].startswith("nsubj") and tops[1] in ("attr", "acomp"):
                return True
    return False


def _path(words: Sequence[Token], k: int) -> list[int]:
    """A token and all that it depends on."""
    found = [k]
    while words[found[-1]].head >= 0 and words[found[-1]].head not in found:
        found.append(words[found[-1]].head)
    return found


def _stays(scene: Scene, other: Contrastive) -> bool:
    """Is the pronoun's form in the sentence once more, and stays as it was?"""
    form = scene.text[scene.place.target.start : scene.place.target.end].lower()
    words, made = spans(scene.text), spans(other.text)
    return len(words) == len(made) and any(
        a.text.lower() == form and b.text == a.text and not is_polite(words, j)
        for j, (a, b) in enumerate(zip(words, made, strict=True))
    )


def _changed(one: str, two: str) -> int:
    a, b = ([w.text for w in spans(text)] for text in (one, two))
    return sum(x != y for x, y in zip(a, b, strict=False)) if len(a) == len(b) else 2


def _log(share: float) -> float:
    """From 0 for what is not at all likely to 4.6 for what is sure."""
    return math.log(max(share, _LEAST) / _LEAST) / 2


def _odds(share: float) -> float:
    share = min(max(share, 0.01), 0.99)
    return math.log(share / (1 - share)) / 2
