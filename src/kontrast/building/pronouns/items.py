"""One pronoun item from one place: its uses, its antecedent, its contrastives, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.parallel import Document
from kontrast.building.pronouns.clues import NO_MEANING, OTHER_CASE, clues_of, stays_subject
from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.judge import load_judge
from kontrast.building.pronouns.near import doubts_near
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.rivals import near_rival, rival_of
from kontrast.building.pronouns.same import mean_the_same, stays, times_said
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.sound import foil_features
from kontrast.building.pronouns.strict import doubts_of_item
from kontrast.building.pronouns.suits import doubts_of_foil
from kontrast.building.pronouns.target import ILL_AGREED, Contrastive, target_side
from kontrast.building.pronouns.unsure import doubts_of_antecedent
from kontrast.building.pronouns.weigh import Choice, choose
from kontrast.language.alignment import Links, Span, partners, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Resolver, phrase_of
from kontrast.language.pointing import Pointer
from kontrast.suites.model import Item, Tags, Variant

__all__ = ["NO_ANTECEDENT", "NO_MEANING", "make_item", "surest"]

NO_ANTECEDENT = "no antecedent"

FURTHER = 0.87
"""A second foil may spoil an item that is sound with its surest one, so it must be surer."""
_COLLECTIVE = {
    "p": frozenset(
        "police family team group couple crew army band company staff government audience public crowd committee "
        "class gang pair bunch party majority rest press club council board folk people cattle troop enemy".split()
    ),
    "s": frozenset("data media news means series species headquarters politics physics mathematics works".split()),
}
"""Nouns that a pronoun of the other number takes up."""


def make_item(
    recipe: Recipe,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    resolver: Resolver,
    *,
    together: bool = True,
    before: tuple[int, int] | None = None,
    pointer: Pointer | None = None,
) -> tuple[Item, Choice] | str:
    """The item of a place and what was chosen, or why there is none."""
    sentence = sentences[place.line]
    tokens = sentence.tokens
    token = next((i for i, t in enumerate(tokens) if t.start <= place.source.start < t.end), None)
    if token is None:
        return "not parsed"
    subject = stays_subject(sentence, token)
    if recipe.subjects_only and not subject:
        return "no subject"
    text = document.target[place.line]
    side = target_side(recipe)
    clues = clues_of(recipe, side, document, place, sentence, token, links[place.line])
    if isinstance(clues, str):
        return clues
    antecedents = resolver.antecedents(document.name, sentences, place.line, token)
    weighed = resolver.name == "salience"
    choice = choose(
        recipe,
        side,
        document,
        place,
        sentences,
        links,
        antecedents,
        clues,
        weighed=weighed,
        before=before,
        pointer=pointer,
        token=token,
    )
    if choice is None:
        return NO_ANTECEDENT
    judge = load_judge(recipe.pair) if pointer is not None else None
    if judge and choice.opinion is None:
        return "too long to be judged"
    same = mean_the_same(recipe, side, document, place, sentence, links[place.line], choice) if together else {}
    others = side.contrast(text, place.target.start, place.target.end, is_subject=subject, together=same)
    if not others:
        return "no contrastive"
    if any(other.doubt == ILL_AGREED for other in others):
        return ILL_AGREED
    if _may_be_article(recipe, sentence, token, document, place, links[place.line]):
        return "target pronoun may be an article"
    said = times_said(recipe, side, document, place, links[place.line]) if together else 1
    scene = Scene(document, place, sentences, token, clues, choice, side, links)
    about = list(_doubts_of_item(recipe, scene))
    foils = []
    for other in others:
        doubts = [*about, *_doubts_of_foil(recipe, scene, other, said)]
        sound = judge.soundness(foil_features(recipe, scene, other, doubts)) if judge else None
        foils.append(_foil(recipe, other, [str(d) for d in doubts], sound))
    return _item(recipe, document, place, sentences, choice, _once(foils)), choice


def _doubts_of_item(recipe: Recipe, scene: Scene) -> Iterator[Doubt]:
    """What speaks against the antecedent."""
    yield from scene.choice.doubts
    yield from _other_number(recipe, scene)
    if recipe.strict:
        yield from doubts_of_item(scene) if recipe.target_language == "de" else doubts_of_antecedent(scene)


def _doubts_of_foil(recipe: Recipe, scene: Scene, other: Contrastive, said: int) -> Iterator[Doubt]:
    """What speaks for a foil."""
    choice, german = scene.choice, recipe.target_language == "de"
    if OTHER_CASE in scene.clues.signs and not other.any_case:
        yield Doubt(OTHER_CASE)
    if stays(scene.text, other, scene.place, said):
        yield Doubt("another mention stays")
    if recipe.strict:
        yield from doubts_of_foil(scene, other) if german else doubts_near(recipe, scene, other)
    others = (*choice.rivals, *choice.alike, *choice.unknown)
    near = recipe.strict and not german
    rival = (
        near_rival(recipe, others, scene.place.line, other.gender) if near else rival_of(choice.rivals, other.gender)
    )
    if rival:
        yield Doubt("{} would go with it", rival)


def surest(item: Item, least: float) -> Item | None:
    """The item without doubtful foils, or None where it is not sure enough or none is left.

    Of foils that were judged the surest is kept from ``least`` on, the others from ``FURTHER`` on, but for *es*,
    which may be said of the situation; of those that were not, all without a doubt.
    """
    if least <= 0:
        return item
    best = item.tags["confidence"]
    if best < least:
        return None

    def is_sound(foil: Variant) -> bool:
        if "confidence" not in foil.tags:
            return "doubt" not in foil.tags
        further = foil.tags["confidence"] >= max(least, FURTHER) and foil.tags.get("replacement_gender") != "Neut"
        return bool(foil.tags["confidence"] == best or further)

    kept = tuple(v for i, v in enumerate(item.variants) if i == item.correct or is_sound(v))
    if len(kept) < 2:
        return None
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


def _other_number(recipe: Recipe, scene: Scene) -> Iterator[Doubt]:
    """*they* and a singular noun, *it* and a plural one: the alignment went wrong, or another noun is meant."""
    choice = scene.choice
    if choice.source is None:
        return
    noun = scene.sentences[choice.line].tokens[choice.source]
    number = recipe.sources[scene.place.source.text.lower()]
    if (noun.tag in ("NNS", "NNPS")) != (number == "p") and noun.lemma.lower() not in _COLLECTIVE[number]:
        yield Doubt("{} has another number", noun.text)
        if number == "s" and recipe.target_language == "de":
            yield Doubt("{} are several things", noun.text)


def _foil(recipe: Recipe, other: Contrastive, doubts: Sequence[str], sound: float | None) -> Variant:
    doubt = other.doubt or next(iter(doubts), "")
    tags: Tags = {"replacement": other.replacement, "replacement_gender": recipe.genders[other.gender]}
    if sound is not None:
        tags["confidence"] = round(sound, 3)
    return Variant(other.text, error=recipe.type, tags={**tags, "doubt": doubt} if doubt else tags)


def _once(foils: Sequence[Variant]) -> list[Variant]:
    """Each text once: *ihr* becomes *ihm* in two genders, and is doubtful where either is."""
    found: dict[str, Variant] = {}
    for foil in foils:
        if foil.text not in found or _is_worse(foil, found[foil.text]):
            found[foil.text] = foil
    return list(found.values())


def _is_worse(one: Variant, other: Variant) -> bool:
    if "confidence" in one.tags:
        return bool(one.tags["confidence"] < other.tags["confidence"])
    return "doubt" in one.tags and "doubt" not in other.tags


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
    judged = all("confidence" in f.tags for f in foils)
    tags: Tags = {
        "src_pronoun": place.source.text,
        "ref_pronoun": document.target[line][place.target.start : place.target.end],
        "distance": distance,
        "intrasegmental": distance == 0,
        "corpus": f"{recipe.source_language}{recipe.target_language}",
        **_source_tags(sentences[choice.line], choice.source),
        "ref_ante_head": noun.text,
        "ref_ante_head_id": noun.index + 1,
        "ref_ante_head_lemma": noun.lemma,
        "ref_ante_head_pos": "NN",
        "ref_ante_head_morpho": f"{gender}|_|{'Pl' if recipe.sources[place.source.text.lower()] == 'p' else 'Sg'}",
        "ref_ante_head_gender": gender,
        "ref_ante_phrase": noun.text,
        "confidence": max(f.tags["confidence"] for f in foils) if judged else round(choice.confidence, 3),
        "confidence_reasons": list(choice.reasons),
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
