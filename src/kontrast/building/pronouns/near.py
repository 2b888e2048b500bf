"""Why a foil of a French, Spanish or Italian item may be right: what else is near, by the words themselves.

These are doubts, no repairs: such a foil is left out by default. ``rivals`` asks the ranker's candidates; here every
noun of the sentence counts, whether or not the ranker holds it for possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.kept import kept_word
from kontrast.building.pronouns.phrases import is_denied, is_preposition
from kontrast.building.pronouns.places import COREFERENT
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.target import Contrastive, Noun, likely_genders
from kontrast.language.alignment import spans
from kontrast.language.annotation import Token
from kontrast.language.resolvers.salience import binds, cannot_be_meant, is_person

__all__ = ["doubts_near"]

_STRESSED = frozenset(("eux", "lui"))
"""French pronouns that change with a subject and are none."""
_KINDS = frozenset(
    "country city town village kingdom empire state nation island republic province region colony continent planet "
    "moon star company firm party team band group organization organisation union league church school university "
    "place area land river mountain sea lake ship station capital world dynasty tribe people civilization".split()
)
"""What a name is: *la Jordanie … le pays … il*."""
_AT_LARGE = frozenset("say call have tell teach think believe know want speak name sell make do get claim".split())
"""What people do whom *they* names without a noun before it: *in Kyoto they have …*."""
_AT_HAND = frozenset("here there ready over done gone true fine okay ok enough back time late early".split())
"""Said of what the speaker points to, or of the whole situation: *is it ready?*"""
_OF_ONE_SEX = frozenset(
    "woman girl lady mother sister daughter wife queen princess nun witch aunt grandmother "
    "man boy gentleman father brother son husband king prince guy monk lord uncle".split()
)
_FOLK = frozenset("guard elf pirate rebel enemy slave vampire zombie".split())
"""People who are not always taken for such: *it* may be an enemy."""
_EACH = {
    "m": re.compile(r"\b(?:l['’]un|les uns|chacun|eux-mêmes|lui-même|ceux|celui)\b", re.IGNORECASE),
    "f": re.compile(r"\b(?:l['’]une|les unes|chacune|elles?-mêmes?|celles?)\b", re.IGNORECASE),
}
"""French words that agree with what is meant from afar: *se couvrir l'un l'autre*."""
_FRENCH_MENTIONS = {"ms": ("le", "il"), "fs": ("la", "elle"), "mp": ("eux", "ils", "il"), "fp": ("elles", "elle")}
_FRENCH_DETERMINERS = frozenset(
    "le la l les un une ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs".split()
)
_OF = ("de", "di", "d")
_OF_THE = frozenset("del della dello dell dei degli delle du des".split())
_OPENING = {
    "fr": "si s quand lorsque lorsqu comme après avant bien puisque tant pour afin en dès tandis",
    "es": "si cuando después mientras antes como aunque para al tras una",
    "it": "se quando dopo mentre poiché prima appena per nel una sebbene benché",
}
"""Words that open a clause before the main one."""


def doubts_near(recipe: Recipe, scene: Scene, other: Contrastive) -> Iterator[Doubt]:
    """Why a foil may be right, or changes a pronoun that means another thing."""
    if taken := _taken(recipe, scene, other):
        yield taken
    if word := _stays(recipe, scene, other):
        yield Doubt("{} may go with it", word)
    if noun := next(_that_suit(recipe, scene, other.gender), ""):
        yield Doubt("{} would go with it", noun)
    if noun := _in_its_phrase(recipe, scene, other.gender):
        yield Doubt("{} is in its phrase and would go with it", noun)
    if noun := _by_another_name(recipe, scene, other.gender):
        yield Doubt("{} may be the same thing", noun)
    if other.gender == "m" and _is_at_large(recipe, scene):
        yield Doubt("people at large may be meant")
    if _is_at_hand(scene):
        yield Doubt("something at hand may be meant")
    if scene.side.knows_nouns and _may_be_either(recipe, scene, other.gender):
        yield Doubt("{} may be people of the other sex", scene.choice.noun.text)


def _may_be_either(recipe: Recipe, scene: Scene, gender: str) -> bool:
    """*les gardes … elles*, *ces personnes … ils*: people whose French noun does not tell their sex."""
    choice = scene.choice
    if choice.source is None or recipe.sources[scene.place.source.text.lower()] != "p":
        return False
    token = scene.sentences[choice.line].tokens[choice.source]
    lemma = token.lemma.lower()
    if lemma in _OF_ONE_SEX or not (is_person(token) or lemma in _FOLK):
        return False
    return gender == "m" or choice.noun.text.lower().endswith("es")


def _taken(recipe: Recipe, scene: Scene, other: Contrastive) -> Doubt | None:
    """*ils profiteront des jeux, … mourront à cause d'eux*: another pronoun changes that may mean a nearer noun."""
    place, side = scene.place, scene.side
    words = spans(scene.text)
    after = [w.text.lower() for w in spans(other.text)]
    own = [w.text.lower() for w in words]
    same = COREFERENT[recipe.sources[place.source.text.lower()]]
    if side.knows_nouns and own.count("le") > after.count("le"):  # si vous le désirez
        sources = [_linked(scene, place.line, j) for j, low in enumerate(own) if low == "le"]
        if any(not any(t.text.lower() in same for t in tokens) for tokens in sources):
            return Doubt("{} may mean something else", "le")
    for j in range(place.word + 1, len(words)):
        form = side.form(scene.text, words, j)
        mention = own[j] in _STRESSED or (form is not None and form.gender == place.target.gender)
        if not mention or own.count(own[j]) <= after.count(own[j]):
            continue
        for noun, linked in _nouns(recipe, scene, place.line, place.word + 1, j):
            plural = recipe.sources[place.source.text.lower()] == "p"
            known = side.knows_nouns and bool(noun.genders)
            alike = known or any(t.pos == "NOUN" and (t.tag == "NNS") == plural for t in linked)
            if alike and likely_genders(recipe, noun) & set(place.target.gender):
                return Doubt("{} may be another noun", words[j].text)
    return None


def _stays(recipe: Recipe, scene: Scene, other: Contrastive) -> str:
    """*lo aggiunge e lo rende attivo*, *como cualquier otro*: a word beside the pronoun that keeps the old gender."""
    if not scene.side.knows_nouns:
        return kept_word(recipe, scene, other)
    found = _EACH["f" if other.gender == "m" else "m"].search(scene.text, scene.place.target.end)
    return found.group() if found and found.group() in other.text else _french_mention(recipe, scene, other)


def _french_mention(recipe: Recipe, scene: Scene, other: Contrastive) -> str:
    """*il n'affecte que la ville qui le produit*: another pronoun for *it* that keeps the old gender."""
    number = recipe.sources[scene.place.source.text.lower()]
    behind = [w for w in spans(scene.text) if w.start > scene.place.target.start]
    after = spans(other.text)
    made = after[len(after) - len(behind) :]
    forms = _FRENCH_MENTIONS[("f" if other.gender == "m" else "m") + number]
    for k, (old, new) in enumerate(zip(behind, made, strict=True)):
        if old.text.lower() not in forms or new.text != old.text:
            continue
        at = scene.place.word + 1 + k
        linked = _linked(scene, scene.place.line, at)
        if any(t.text.lower() in COREFERENT[number] for t in linked) or _takes_it(scene, at + 1, number):
            return old.text
    return ""


def _takes_it(scene: Scene, word: int, number: str) -> bool:
    """Is a target word a verb whose source has another *it* for its object?"""
    tokens = scene.sentence.tokens
    verbs = {tokens.index(t) for t in _linked(scene, scene.place.line, word) if t.pos == "VERB"}
    objects = [
        t for k, t in enumerate(tokens) if k != scene.token and t.head in verbs and t.relation in ("dobj", "obj")
    ]
    return any(t.text.lower() in COREFERENT[number] for t in objects)


def _linked(scene: Scene, line: int, word: int) -> list[Token]:
    """The source words that a target word is aligned to."""
    source = spans(scene.document.source[line])
    inside = [source[i] for i, b in scene.links[line] if b == word and i < len(source)]
    tokens = scene.sentences[line].tokens
    return [t for t in tokens if any(t.start < s.end and t.end > s.start for s in inside)]


def _nouns(recipe: Recipe, scene: Scene, line: int, start: int, end: int) -> Iterator[tuple[Noun, list[Token]]]:
    """The target nouns in the pronoun's number among these words of a line, with the source words of each."""
    text = scene.document.target[line]
    words = spans(text)
    number = recipe.sources[scene.place.source.text.lower()]
    for j in range(start, end):
        noun = scene.side.noun(text, words, j, number)
        if noun is not None and not is_denied(words, j):
            yield noun, _linked(scene, line, j)


def _that_suit(recipe: Recipe, scene: Scene, gender: str) -> Iterator[str]:
    """Nouns of the foil's gender that stand as near as the antecedent: from its sentence on to the pronoun, and
    behind the pronoun where its clause comes first.
    """
    place, words = scene.place, spans(scene.text)
    lows = [w.text.lower() for w in words]
    fronted = lows and lows[0] in _OPENING.get(recipe.target_language, "").split()
    comma = next((j for j, low in enumerate(lows) if low == "," and j > place.word), None)
    ranges = [(line, 0, len(spans(scene.document.target[line]))) for line in range(scene.choice.line, place.line)]
    ranges.append((place.line, 0, place.word))
    if fronted and comma is not None and "," not in lows[: place.word]:
        ranges.append((place.line, comma + 1, len(words)))
    plural = recipe.sources[place.source.text.lower()] == "p"
    for line, start, end in ranges:
        for noun, linked in _nouns(recipe, scene, line, start, end):
            nouns = [t for t in linked if t.pos in ("NOUN", "PROPN")]
            if not nouns and not _is_noun_by_place(recipe, scene, line, noun, linked):
                continue
            if noun.lemma == scene.choice.noun.lemma or gender not in likely_genders(recipe, noun):
                continue
            if nouns and not any(_may_be_meant(scene, line, t, plural) for t in nouns):
                continue
            if nouns and not noun.genders and all((t.tag in ("NNS", "NNPS")) != plural for t in nouns):
                continue
            yield noun.text


def _is_noun_by_place(recipe: Recipe, scene: Scene, line: int, noun: Noun, linked: Sequence[Token]) -> bool:
    """Is a word that no source noun is linked to one: by the lexicon, behind an article, *con clave principal*?"""
    if scene.side.knows_nouns:
        return bool(noun.genders)
    if any(t.pos in ("VERB", "AUX", "PRON") for t in linked):
        return False
    before = spans(scene.document.target[line])[noun.index - 1].text if noun.index else ""
    behind = is_preposition(recipe.target_language, before)
    return bool(noun.genders) or (behind and any(t.pos == "ADJ" for t in linked))


def _may_be_meant(scene: Scene, line: int, token: Token, plural: bool) -> bool:
    """May a source noun be what the pronoun means, as far as grammar tells?"""
    words = scene.sentences[line].tokens
    at = words.index(token)
    if cannot_be_meant(scene.sentences[line], at, plural, None):
        return False
    return line != scene.place.line or not binds(words, at, scene.token, over_phrases=False)


def _in_its_phrase(recipe: Recipe, scene: Scene, gender: str) -> str:
    """*a lump of flesh … from it*, *un trozo de carne … de ella*: what the antecedent is made of, or part of.

    A bare noun of a compound (*profils de couleurs*, *color profiles*) is not meant.
    """
    line, at = scene.choice.line, scene.choice.noun.index
    words = [w.text.lower() for w in spans(scene.document.target[line])]
    plural = recipe.sources[scene.place.source.text.lower()] == "p"
    for noun, linked in _nouns(recipe, scene, line, at + 2, min(at + 5, len(words))):
        between = words[at + 1 : noun.index]
        nouns = [t for t in linked if t.pos in ("NOUN", "PROPN")]
        if nouns and all((t.tag in ("NNS", "NNPS")) != plural for t in nouns):
            continue
        if between[0] not in _OF and between[0] not in _OF_THE:
            continue
        bare = between[0] in _OF and all(low in "'’" for low in between[1:])
        light = all(low in recipe.determiners or low in _FRENCH_DETERMINERS or low in "'’" for low in between[1:])
        known = bool(noun.genders) or not scene.side.knows_nouns
        if light and known and gender in likely_genders(recipe, noun) and (not bare or _has_of(scene, noun)):
            return noun.text
    return ""


def _has_of(scene: Scene, noun: Noun) -> bool:
    """Does its source noun stand behind *of*?"""
    tokens = scene.sentences[scene.choice.line].tokens
    linked = _linked(scene, scene.choice.line, noun.index)
    return any(t.head >= 0 and tokens[t.head].text.lower() == "of" for t in linked)


def _by_another_name(recipe: Recipe, scene: Scene, gender: str) -> str:
    """*la Jordanie* for *le pays*: one thing under two names, of which the foil suits the other."""
    choice = scene.choice
    if choice.source is None or recipe.sources[scene.place.source.text.lower()] == "p":
        return ""
    own = scene.sentences[choice.line].tokens[choice.source]
    for rival in (*choice.rivals, *choice.alike, *choice.unknown):
        if rival.source is None or gender not in likely_genders(recipe, rival.noun):
            continue
        token = scene.sentences[rival.line].tokens[rival.source]
        named = token.pos == "PROPN" and rival.text.isalpha() and not is_person(token) and own.lemma.lower() in _KINDS
        if named or (own.pos == "PROPN" and token.lemma.lower() in _KINDS):
            return rival.text
    return ""


def _is_at_large(recipe: Recipe, scene: Scene) -> bool:
    """*In Kyoto they have a charm*: *ils* may be people whom no noun names; not where the antecedent is people."""
    tokens, choice = scene.sentence.tokens, scene.choice
    if scene.place.source.text.lower() != "they" or scene.clues.role != "subject":
        return False
    noun = scene.sentences[choice.line].tokens[choice.source] if choice.source is not None else None
    if noun is not None and is_person(noun):
        return False
    head = tokens[scene.token].head
    return head >= 0 and tokens[head].lemma.lower() in _AT_LARGE


def _is_at_hand(scene: Scene) -> bool:
    """*I told you it was here*, where the noun is in another sentence."""
    tokens, head = scene.sentence.tokens, scene.sentence.tokens[scene.token].head
    if scene.place.source.text.lower() != "it" or scene.choice.line == scene.place.line or head < 0:
        return False
    near = [t for t in tokens if t.head == head and t.relation in ("advmod", "acomp", "attr", "prt")]
    return (
        scene.clues.role == "subject"
        and tokens[head].lemma.lower() == "be"
        and any(t.text.lower() in _AT_HAND for t in near)
    )
