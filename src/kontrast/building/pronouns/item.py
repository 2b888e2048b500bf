"""One pronoun item from one place: its uses, its antecedent, its contrastives, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.checks.judge import FoilJudge, load_judges
from kontrast.building.corpus import Document
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.antecedents import Choice, choose
from kontrast.building.pronouns.features import foil_features
from kontrast.building.pronouns.foils import ILL_AGREED, Contrastive
from kontrast.building.pronouns.reference import mean_the_same
from kontrast.building.pronouns.scene import NO_ANTECEDENT, Scene
from kontrast.language.alignment import spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import phrase_of
from kontrast.language.pointing import Pointed
from kontrast.suites.model import Item, Tags, Variant

SPOILING = (
    "form_doubtful", "other_mention_stays", "noun_has_gender_too", "es_predicate_noun",
    "es_of_situation", "owned_by_its_pronoun", "source_in_another_number",
)  # fmt: skip
"""Without a judge, a foil with one of these features is less sure."""
_SPOILT = 0.6

FURTHER = 0.97
"""A second foil may spoil an item that is sound with its surest one, so it must be surer."""


def make_item(
    scene: Scene,
    *,
    together: bool = True,
    before: tuple[int, int] | None = None,
    asked: bool = False,
    pointed: Pointed | None = None,
) -> tuple[Item, Choice] | str:
    """The item of a place and what was chosen, or why there is none; see `choose` for the options."""
    recipe, place = scene.recipe, scene.place
    choice = choose(scene, before=before, asked=asked, pointed=pointed)
    if choice is None:
        return NO_ANTECEDENT
    judge = load_judges("pronouns").get(recipe.pair) if asked else None
    if judge and pointed is None:
        return "the sentence is too long to judge"
    own = scene.sentence, scene.links[place.line], choice.line, choice.noun
    same = mean_the_same(recipe, scene.side, scene.document, place, *own) if together else {}
    others = scene.side.contrast(
        scene.text, place.target.start, place.target.end, is_subject=scene.subject, together=same
    )
    if not others:
        return "no contrastive"
    if any(other.problem == ILL_AGREED for other in others):
        return ILL_AGREED
    return _item(scene, choice, _once([_foil(scene, choice, other, judge) for other in others])), choice


def surest(item: Item, least: float) -> Item | None:
    """The item without foils that are less sure than ``least``, or None where none is left.

    A second foil may spoil an item that is sound with its surest one, so it must be surer, and is never one of the
    form that may be said of a situation.
    """
    if least <= 0:
        return item
    best = item.tags["confidence"]
    if best < least:
        return None

    def rank(i: int) -> tuple[float, bool]:
        tags = item.variants[i].tags
        return tags["confidence"], tags.get("replacement_gender") != "Neut"

    foils = [i for i in range(len(item.variants)) if i != item.correct]
    first = max(foils, key=rank)
    further = (max(least, FURTHER), True)
    kept = tuple(
        v for i, v in enumerate(item.variants) if i in (item.correct, first) or (rank(i)[1] and rank(i) >= further)
    )
    return Item(**{**{f: getattr(item, f) for f in item.__struct_fields__}, "variants": kept})


def _foil(scene: Scene, choice: Choice, other: Contrastive, judge: FoilJudge | None) -> Variant:
    recipe = scene.recipe
    features = foil_features(scene, choice, other)
    if judge is not None:
        sure, reasons = judge.confidence(features), judge.reasons(features)
    else:
        reasons = [name for name in SPOILING if features.get(name)]
        sure = choice.confidence * (_SPOILT if reasons else 1.0)
    tags: Tags = {
        "replacement": other.replacement,
        "replacement_gender": recipe.genders[other.gender],
        "confidence": round(sure, 3),
    }
    return Variant(other.text, error=recipe.type, tags={**tags, "reasons": reasons} if reasons else tags)


def _once(foils: Sequence[Variant]) -> list[Variant]:
    """Each text once: *ihr* becomes *ihm* in two genders, and is as doubtful as either."""
    found: dict[str, Variant] = {}
    for foil in foils:
        if foil.text not in found or foil.tags["confidence"] < found[foil.text].tags["confidence"]:
            found[foil.text] = foil
    return list(found.values())


def _item(scene: Scene, choice: Choice, foils: Sequence[Variant]) -> Item:
    recipe, document, place = scene.recipe, scene.document, scene.place
    line, noun = place.line, choice.noun
    distance = line - choice.line
    own = noun.genders & set(place.target.gender)
    gender = recipe.genders[min(own)]
    best = max(foils, key=lambda foil: foil.tags["confidence"])
    tags: Tags = {
        "src_pronoun": place.source.text,
        "ref_pronoun": document.target[line][place.target.start : place.target.end],
        "ref_pronoun_offset": place.target.start,
        "distance": distance,
        "intrasegmental": distance == 0,
        "corpus": f"{recipe.source_language}{recipe.target_language}",
        **_source_tags(scene.sentences[choice.line], choice.source),
        "ref_ante_head": noun.text,
        "ref_ante_head_id": noun.index + 1,
        "ref_ante_head_offset": spans(document.target[choice.line])[noun.index].start,
        "ref_ante_head_lemma": noun.lemma,
        "ref_ante_head_pos": "NN",
        "ref_ante_head_morpho": f"{gender}|_|{'Pl' if place.number(recipe) == 'p' else 'Sg'}",
        "ref_ante_head_gender": gender,
        "ref_ante_phrase": noun.text,
        "confidence": best.tags["confidence"],
        "confidence_reasons": list(best.tags.get("reasons", ())),
        "needs_context": distance > 0 and not _is_said_before(document, place, noun.text),
    }
    start = max(line - recipe.max_distance, 0)
    return Item(
        id=f"{document.name}:{line + recipe.segment_base}:{place.source.start}",
        source=document.source[line],
        variants=(Variant(document.target[line]), *foils),
        source_context=document.source[start:line],
        target_context=document.target[start:line],
        document=document.name + recipe.document_ending,
        segment=line + recipe.segment_base,
        tags=tags,
    )


def _is_said_before(document: Document, place: PronounPlace, noun: str) -> bool:
    """Is the noun in the pronoun's own sentence too, before it? *Seleccione una capa pulsando en ella*"""
    words = spans(document.target[place.line])[: place.word]
    return noun.lower() in (word.text.lower() for word in words)


def _source_tags(sentence: Sentence, token: int | None) -> Tags:
    """The antecedent in the source; all None where the target noun is aligned to no noun."""
    known = sentence.tokens[token] if token is not None else None
    return {
        "src_ante_head": known.text if known else None,
        "src_ante_head_id": token + 1 if token is not None else None,
        "src_ante_head_lemma": known.lemma if known else None,
        "src_ante_head_pos": known.tag if known else None,
        "src_ante_head_morpho": None,
        "src_ante_head_gender": None,
        "src_ante_phrase": phrase_of(sentence, token) if token is not None else None,
    }
