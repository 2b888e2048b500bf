"""What is known of a foil, as named numbers that the judge weighs.

A name is an identifier that never changes with the wording of a message: weights are stored by it. What a form may
have wrong (``foils.PROBLEMS``) is among them, so that each weighs as much as it turned out to mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from kontrast.building.pronouns.align import COREFERENT, OTHER_PRONOUNS, is_polite
from kontrast.building.pronouns.antecedents import Choice, Rival
from kontrast.building.pronouns.foils import Contrastive, likely_genders
from kontrast.building.pronouns.noun_phrases import phrase_role
from kontrast.building.pronouns.reference import is_neutral, neutral_gender
from kontrast.building.pronouns.scene import Scene
from kontrast.language.alignment import spans
from kontrast.language.resolvers.salience import is_person, role_of

_LEAST = 1e-4
_OF_RANKER = (
    "owned_by_its_pronoun", "source_in_another_number", "not_aligned",
    "none_a_pronoun_stands_before_every_noun", "none_an_unnamed_one_is_in_its_sentence_p",
    "none_an_unnamed_one_is_in_its_sentence_s", "said_again", "gender_open",
)  # fmt: skip
"""Features of the ranker that say something about a foil too."""


def foil_features(scene: Scene, choice: Choice, other: Contrastive) -> dict[str, float]:
    """What is known of a foil, by name; all are 0 where they are missing."""
    features = {"always": 1.0, **_of_antecedent(scene, choice), **_of_foil(scene, choice, other)}
    if other.problem:
        features[other.problem] = 1.0
        features["form_doubtful"] = float(not other.problem.startswith("es_"))
    return {name: value for name, value in features.items() if value}


def _of_antecedent(scene: Scene, choice: Choice) -> dict[str, float]:
    recipe, place = scene.recipe, scene.place
    form = scene.text[place.target.start : place.target.end].lower()
    kind = "neutral" if is_neutral(recipe, place) else "gendered"
    features = {
        "antecedent": _odds(choice.confidence),
        f"from_{form}": 1.0,
        f"distance_{min(place.line - choice.line, 3)}": 1.0,
        "source_noun_unknown": float(choice.source is None),
        f"role_{scene.clues.role}": 1.0,
        "alike": max((_log(r.share) for r in choice.alike), default=_log(0)),
    }
    target = spans(scene.document.target[choice.line])
    if phrase := phrase_role(recipe.target_language, target, choice.noun.index):
        features[f"noun_{phrase}"] = 1.0
    for use, side in zip(scene.clues.uses, ("target", "source"), strict=True):
        features[f"{side}_use_{use}_{kind}"] = float(use != "thing")
    for sign in (*scene.clues.signs, *(name for name in _OF_RANKER if name in choice.signs)):
        features[sign] = 1.0
    if choice.source is not None:
        token = scene.sentences[choice.line].tokens[choice.source]
        features[f"noun_is_{role_of(token)}"] = 1.0
        features["noun_is_name"] = float(token.pos == "PROPN")
        features["noun_is_person"] = float(is_person(token))
    if choice.opinion is not None:
        opinion = choice.opinion
        features |= {
            "pointed": _log(choice.pointed),
            "pointed_given_gender": _odds(choice.given_gender),
            "alike_pointed": max((_log(r.pointed) for r in choice.alike), default=_log(0)),
            f"pointed_nothing_{kind}": _log(opinion.nothing),
            f"pointed_event_{kind}": _log(opinion.event),
            f"pointed_elsewhere_{kind}": _log(opinion.elsewhere),
        }
    return features


def _of_foil(scene: Scene, choice: Choice, other: Contrastive) -> dict[str, float]:
    place, gender = scene.place, other.gender
    suiting = list(_suiting(scene, choice, gender))
    known = [r for r in suiting if r.genders]
    near = [r for r in known if place.line - r.line <= 1]
    features = {
        f"to_{gender}": 1.0,
        f"to_{gender}_same_sentence": float(choice.line == place.line),
        "rival": max((_log(r.share) for r in known), default=_log(0)),
        "rival_nearer": float(any(_place(r) > (choice.line, choice.noun.index) for r in near)),
        "rival_joined": float(any(_is_joined(scene, choice, r) for r in known)),
        "other_mention_stays": float(_mention_stays(scene, other)),
        "noun_has_gender_too": float(gender in choice.noun.genders or gender in scene.side.genders(choice.noun)),
    }
    opinion = choice.opinion
    if opinion is not None:
        pointed = max((r.pointed for r in suiting if not r.same), default=0.0)
        features["rival_pointed"] = _log(pointed)
        if gender == neutral_gender(scene.recipe):
            features |= {
                "to_neutral_nothing": _log(opinion.nothing),
                "to_neutral_event": _log(opinion.event),
                "to_neutral_elsewhere": _log(opinion.elsewhere),
                "to_neutral_none": _log(opinion.nothing + opinion.event + opinion.elsewhere),
            }
    return features


def _suiting(scene: Scene, choice: Choice, gender: str) -> Iterator[Rival]:
    """The other nouns that may have the foil's gender; no people for *it*."""
    recipe = scene.recipe
    single = recipe.sources[scene.place.source.text.lower()] == "s"
    for rival in (*choice.rivals, *choice.alike, *choice.unknown):
        token = scene.sentences[rival.line].tokens[rival.source] if rival.source is not None else None
        if single and token is not None and is_person(token):
            continue
        if rival.noun.lemma != choice.noun.lemma and gender in likely_genders(recipe, rival.noun):
            yield rival


def _place(rival: Rival) -> tuple[int, int]:
    return rival.line, rival.noun.index


def _is_joined(scene: Scene, choice: Choice, rival: Rival) -> bool:
    """*the service and the program*: what is said of one may be said of both."""
    if choice.source is None or rival.source is None or choice.line != rival.line:
        return False
    words = scene.sentences[choice.line].tokens
    first, last = sorted((choice.source, rival.source))
    return words[last].relation in ("conj", "appos") and words[last].head == first


def _mention_stays(scene: Scene, other: Contrastive) -> bool:
    """Does a pronoun of the old gender stay that the source has *it* for, or nobody else?"""
    text, line = scene.text, scene.place.line
    source, target, made = spans(scene.document.source[line]), spans(text), spans(other.text)
    if len(target) != len(made):
        return False
    own = COREFERENT[scene.recipe.sources[scene.place.source.text.lower()]]
    others = any(word.text.lower() in OTHER_PRONOUNS - own for word in source)
    for j, (word, now) in enumerate(zip(target, made, strict=True)):
        form = scene.side.form(text, target, j) if now.text == word.text else None
        if form is None or j == scene.place.word or is_polite(target, j) or other.gender in form.gender:
            continue
        if not set(form.gender) & set(scene.place.target.gender):
            continue
        linked = {source[i].text.lower() for i, b in scene.links[line] if b == j and i < len(source)}
        if not (linked & own or (not others and not linked & OTHER_PRONOUNS)):
            continue
        if linked & own or scene.side.use(text, form.start, is_subject=True) not in ("empty", "absent"):
            return True
    return False


def _log(share: float) -> float:
    """From 0 for what is not at all likely to 4.6 for what is sure."""
    return math.log(max(share, _LEAST) / _LEAST) / 2


def _odds(share: float) -> float:
    share = min(max(share, 0.01), 0.99)
    return math.log(share / (1 - share)) / 2
