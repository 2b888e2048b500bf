"""One pronoun item from one place: its uses, its antecedent, its contrastives, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.building.checks.judge import FoilJudge, load_judges
from kontrast.building.corpus import Document
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.antecedents import Choice, choose
from kontrast.building.pronouns.candidates import NounCandidate, candidates
from kontrast.building.pronouns.features import Scene, foil_features
from kontrast.building.pronouns.foils import ILL_AGREED, Contrastive, target_side
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.reference import NO_MEANING, Clues, clues_of, mean_the_same, stays_subject
from kontrast.language.alignment import Links, Span, partners, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Resolver, phrase_of
from kontrast.language.pointing import Pointed
from kontrast.suites.model import Item, Tags, Variant

__all__ = ["NO_ANTECEDENT", "NO_MEANING", "WEIGHED", "Prepared", "make_item", "prepare", "surest"]

NO_ANTECEDENT = "no antecedent"
WEIGHED = "salience"
"""The resolver that gives all nouns, to be weighed; the others give their choice."""
SPOILING = (
    "form_doubtful", "other_mention_stays", "noun_has_gender_too", "es_predicate_noun",
    "es_of_situation", "owned_by_its_pronoun", "source_in_another_number",
)  # fmt: skip
"""Without a judge, a foil with one of these features is less sure."""
_SPOILT = 0.6

FURTHER = 0.87
"""A second foil may spoil an item that is sound with its surest one, so it must be surer."""


class Prepared(msgspec.Struct, frozen=True):
    """A place with all that is known before anybody is asked what its source pronoun, at ``token``, means."""

    place: PronounPlace
    token: int
    subject: bool
    clues: Clues
    salience: dict[tuple[int, int], float]
    found: list[NounCandidate]


def prepare(
    recipe: Recipe,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    resolver: Resolver,
) -> Prepared | str:
    """What is known of a place, or why it can give no item, whatever is said of its pronoun."""
    sentence = sentences[place.line]
    token = next((i for i, t in enumerate(sentence.tokens) if t.start <= place.source.start < t.end), None)
    if token is None:
        return "not parsed"
    subject = stays_subject(sentence, token)
    if recipe.subjects_only and not subject:
        return "no subject"
    side = target_side(recipe)
    clues = clues_of(recipe, side, document, place, sentence, token)
    if isinstance(clues, str):
        return clues
    antecedents = resolver.antecedents(document.name, sentences, place.line, token)
    salience = {(a.sentence, a.token): a.score for a in antecedents}
    found = candidates(recipe, side, document, place, sentences, links, salience)
    if resolver.name != WEIGHED:
        found = [c for c in found if c.source is not None and (c.line, c.source) in salience]
    if _is_hopeless(found):
        return NO_ANTECEDENT
    if _may_be_article(recipe, sentence, token, document, place, links[place.line]):
        return "the target pronoun may be an article"
    return Prepared(place, token, subject, clues, salience, found)


def _is_hopeless(found: Sequence[NounCandidate]) -> bool:
    """Has no noun the pronoun's gender, whatever is said of the source pronoun?"""
    return not any(c.fits for c in found)


def make_item(
    recipe: Recipe,
    document: Document,
    known: Prepared,
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    *,
    weighed: bool = True,
    together: bool = True,
    before: tuple[int, int] | None = None,
    asked: bool = False,
    pointed: Pointed | None = None,
) -> tuple[Item, Choice] | str:
    """The item of a place and what was chosen, or why there is none; see `choose` for the options."""
    place = known.place
    choice = choose(
        recipe,
        place,
        sentences,
        known.found,
        known.salience,
        known.clues,
        weighed=weighed,
        before=before,
        asked=asked,
        pointed=pointed,
    )
    if choice is None:
        return NO_ANTECEDENT
    judge = load_judges("pronouns").get(recipe.pair) if asked else None
    if judge and pointed is None:
        return "the sentence is too long to judge"
    side, text = target_side(recipe), document.target[place.line]
    own = sentences[place.line], links[place.line]
    same = mean_the_same(recipe, side, document, place, *own, choice.line, choice.noun) if together else {}
    others = side.contrast(text, place.target.start, place.target.end, is_subject=known.subject, together=same)
    if not others:
        return "no contrastive"
    if any(other.problem == ILL_AGREED for other in others):
        return ILL_AGREED
    scene = Scene(document, place, sentences, known.token, known.clues, choice, side, links)
    foils = [_foil(recipe, scene, other, judge) for other in others]
    return _item(recipe, document, place, sentences, choice, _once(foils)), choice


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

    def is_sound(foil: Variant) -> bool:
        further = foil.tags["confidence"] >= max(least, FURTHER) and foil.tags.get("replacement_gender") != "Neut"
        return bool(foil.tags["confidence"] == best or further)

    kept = tuple(v for i, v in enumerate(item.variants) if i == item.correct or is_sound(v))
    return Item(**{**{f: getattr(item, f) for f in item.__struct_fields__}, "variants": kept})


def _may_be_article(
    recipe: Recipe, sentence: Sentence, token: int, document: Document, place: PronounPlace, links: Links
) -> bool:
    """Forms that are articles too (*la*, *los*): the source pronoun's verb must follow, or be the word they end."""
    source, target = spans(document.source[place.line]), spans(document.target[place.line])
    if target[place.word].text.lower() not in recipe.determiners:
        return False
    head = sentence.tokens[token].head
    if head < 0:
        return True
    verb = sentence.tokens[head]
    found = partners(links, source, verb.start, verb.end)
    if not any(place.word < j <= place.word + 2 for j in found):
        return True
    if any(
        sentence.tokens[k].pos in ("NOUN", "PROPN", "ADJ") for k in _linked(sentence, source, links, place.word + 1)
    ):
        return True
    following = target[place.word + 1].text.lower() if place.word + 1 < len(target) else ""
    return following.endswith(tuple(ending for ending in recipe.noun_endings if len(ending) > 2))  # la velocidad


def _linked(sentence: Sentence, source: Sequence[Span], links: Links, word: int) -> list[int]:
    """The source tokens that a target word is aligned to."""
    inside = [source[i] for i, j in links if j == word and i < len(source)]
    return [k for k, t in enumerate(sentence.tokens) if any(t.start < s.end and t.end > s.start for s in inside)]


def _foil(recipe: Recipe, scene: Scene, other: Contrastive, judge: FoilJudge | None) -> Variant:
    features = foil_features(recipe, scene, other)
    if judge is not None:
        sure, reasons = judge.confidence(features), judge.reasons(features)
    else:
        reasons = [name for name in SPOILING if features.get(name)]
        sure = scene.choice.confidence * (_SPOILT if reasons else 1.0)
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


def _item(
    recipe: Recipe,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    choice: Choice,
    foils: Sequence[Variant],
) -> Item:
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
        **_source_tags(sentences[choice.line], choice.source),
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
