"""What of a German foil keeps the old gender, or changes along though it means another: a second error."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.building.perturb.de.pronoun_mentions import mentions_in
from kontrast.building.pronouns.places import COREFERENT, OF_PEOPLE, OTHER_PRONOUNS, is_polite
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.target import Contrastive
from kontrast.language.alignment import spans
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import (
    BEING,
    OPENERS,
    PlainWord,
    is_adjective,
    lemmas,
    may_be_verb,
    opens,
    persons,
    split,
)
from kontrast.language.lexicons.german_words import CLOSED

__all__ = ["another_es_stays", "is_beside_mention", "mention_stays", "owner_stays"]

_FOR = frozenset(("um", "ohne", "anstatt", "statt"))
_OWNERS = {
    "m": frozenset("seine seinen seinem seiner seines derselbe dieser dessen solcher solches seinetwegen".split()),
    "f": frozenset("ihre ihren ihrem ihrer ihres dieselbe deren ihretwegen".split()),
}
_MOST = r"\w+(?:[sß]t|tzt|zig)"
"""*größt-*, *letzt-*, *einzig-*."""
_AGREEING = {
    gender: re.compile(
        rf"(?i:\b(?:{article} (?:{_MOST}|gleich)e|{article}selbe|{one} (?:der|von)|"
        rf"{article}jenige|als {first}|als {article}(?= (?:auf|in|von|aus|bei|im|am|vom) )|{other}))\b(?! [A-ZÄÖÜ])"
        rf"|(?i:(?<=\b{own}), {article}\b)"
        rf"|(?i:\b(?:{alone}|(?:als|wie) {mine}))(?=[,.;!?]|$| (?:unter|wie|als|von|aus|vor|ist|war)\b)"
    )
    for gender, article, one, own, first, other, alone, mine in (
        ("m", "der", "einer", "er", f"{_MOST}er", "jeder andere", r"k?einer|ein \w+er", "[mds]einer"),
        ("f", "die", "eine", "sie", f"{_MOST}e", "jede andere", r"k?eine(?: \w+e)?", "(?:[mds]eine|ihre)"),
        ("n", "das", "eines", "es", "einziges", "jedes andere", r"k?eine?s|ein \w+es", "[mds]eine?s"),
    )  # als erstes: before all else
}
"""*die beste*, *eine der ältesten*, *diejenige*, *als erste*, *sie, die …*, *wie jede andere*, *eine bessere als*:
what says of the pronoun what it is."""
_THIS = {"m": "dieser", "f": "diese", "n": "dieses"}


def another_es_stays(words: Sequence[PlainWord]) -> bool:
    """*wo ich ihn mir leisten kann, möchte ich es dir zahlen*; but not *es gibt*."""
    return any(w.low == "es" and use_of_es(words, j).kind != "empty" for j, w in enumerate(words))


def mention_stays(scene: Scene, other: Contrastive) -> bool:
    """*Er ist an; benutze diesen Gegenstand, um sie abzuschalten*: a pronoun of *it* or of nobody else stays."""
    text, line = scene.text, scene.place.line
    words = split(text)
    source, target, made = spans(scene.document.source[line]), spans(text), spans(other.text)
    if len(target) != len(made):
        return False
    their = COREFERENT["p"] if _is_pair(scene) else frozenset[str]()  # goggles: Brille, them: sie
    people = any(word.text.lower() in OF_PEOPLE for word in source)
    if not people and _dative_stays(scene, words, other):
        return True
    one = {w.start for k, w in enumerate(words) if k and w.low == "sie" and _is_one(words[k - 1])}
    joined = {
        w.start
        for k, w in enumerate(words)
        if k > 1 and words[k - 2].low in ("und", "oder") and may_be_verb(words, k - 1)
    }
    for j, (word, now) in enumerate(zip(target, made, strict=True)):
        form = scene.side.form(text, target, j) if now.text == word.text and word.text.lower() != "es" else None
        if form is None or j == scene.place.word or is_polite(target, j) or other.gender in form.gender:
            continue
        linked = {source[i].text.lower() for i, b in scene.links[line] if b == j and i < len(source)}
        if not set(form.gender) & set(scene.place.target.gender):
            continue
        if linked & their:
            return True
        singular = word.start in one and not {"she", "her"} & {w.text.lower() for w in source}  # wird sie es tun
        alone = (not people or singular) and not linked & OTHER_PRONOUNS
        if alone and word.text.lower() in ("sie", "ihn") and target[j - 1].text.lower() in _FOR:
            return True  # kann sie zu lang sein, um sie zu benutzen
        if alone and word.start in joined:
            return True  # sie pflückten sie und warfen sie weg
        if (linked & COREFERENT["s"] or alone) and scene.side.use(text, word.start, is_subject=True).kind != "empty":
            return True
    return False


def _dative_stays(scene: Scene, words: Sequence[PlainWord], other: Contrastive) -> bool:
    """*Sie ist gut, hat aber den Nachteil, dass ihr die Munition ausgeht*: a dative of the old gender that stays."""
    old, made = min(scene.place.target.gender), [w.text for w in split(other.text)]
    if {old, other.gender} == {"m", "n"}:
        return False
    form = "ihr" if old == "f" else "ihm"
    datives = [m.word for m in mentions_in(words) if m.case == "dat" and m.word.low == form]
    own = scene.place.target.start
    return any(w.start != own and made[k : k + 1] == [w.text] for k, w in enumerate(words) if w in datives)


def is_beside_mention(scene: Scene, other: Contrastive) -> bool:
    """*Sein Kern verleiht ihm Gewicht, so dass er …*: is a pronoun that changes along in the antecedent's clause?"""
    noun, target, made = scene.choice.noun.index, spans(scene.text), spans(other.text)
    if scene.choice.line != scene.place.line or len(target) != len(made):
        return False
    changed = (j for j, (old, new) in enumerate(zip(target, made, strict=True)) if old.text != new.text and j > noun)
    personal = (j for j in changed if target[j].text.lower() not in scene.side.possessives)
    return any(scene.side.is_one_clause(target, noun, j) for j in personal)


def owner_stays(text: str, words: Sequence[PlainWord], other: Contrastive, gender: str) -> str:
    """*wegen seines Fahrverhaltens*, *sein eigenes Öl*, *die beste*, *sie, die*: words that keep the old gender."""
    if (found := _AGREEING[gender].search(text)) and found.group() in other.text:
        return found.group()
    made = [w.text for w in split(other.text)]
    for before, (k, word) in zip(("", *(w.low for w in words)), enumerate(words[:-1]), strict=False):
        alone = word.low == _THIS[gender] and made[k : k + 1] == [word.text] and _stands_alone(words, k)
        if (alone and before in OPENERS) or _is_pointing(words, k, gender):
            return word.text
    if {gender, other.gender} == {"m", "n"}:
        return ""
    own, bare = _OWNERS["f" if gender == "f" else "m"], "ihr" if gender == "f" else "sein"
    for k, word in enumerate(words[:-1]):
        after = words[k + 1 : k + 4]
        nouns = [n for n, w in enumerate(after) if w.text[0].isupper()]
        noun = bool(nouns) and all(w.text.isalpha() and w.low not in CLOSED for w in after[: nouns[0]])
        if made[k : k + 1] == [word.text] and (word.low in own or (word.low == bare and noun)):
            return word.text
        if gender == "f" and _is_woman(words, k):
            return word.text
    return ""


def _is_woman(words: Sequence[PlainWord], k: int) -> bool:
    """*Sie wurde Siegerin*, *arbeitet als Beraterin*: said of what is feminine; not *sagte Ministerin Weber*."""
    if not k or not words[k].text[0].isupper() or not words[k].low.endswith(("erin", "orin")):
        return False
    named = k + 1 < len(words) and words[k + 1].text[0].isupper()
    return not named and (words[k - 1].low in BEING | {"als", "und"} or "werden" in lemmas(words[k - 1].low))


def _is_pointing(words: Sequence[PlainWord], k: int, gender: str) -> bool:
    """*Die ist gut*, *Wo kommt der her?*: an article that stands for a noun, the subject of a verb beside it."""
    if words[k].low != {"m": "der", "f": "die"}.get(gender):
        return False
    after = words[k + 1]
    opening = opens(words, k) and _is_one(after) and after.text[0].islower()
    behind = k > 0 and _is_one(words[k - 1]) and may_be_verb(words, k - 1) and gender == "m"
    return opening or (behind and after.text[0].islower() and not is_adjective(after.low))


def _stands_alone(words: Sequence[PlainWord], k: int) -> bool:
    """*falls dieser noch fehlt*: no noun behind it."""
    after = words[k + 1]
    return after.text[0].islower() and not is_adjective(after.low) and not may_be_verb(words, k + 1)


def _is_one(verb: PlainWord) -> bool:
    """A verb of the third person singular alone."""
    return "3s" in persons(verb.low) and "3p" not in persons(verb.low)


def _is_pair(scene: Scene) -> bool:
    """*a pair of goggles*, *scissors*: one thing in German that English may call *them*."""
    choice = scene.choice
    token = scene.sentences[choice.line].tokens[choice.source] if choice.source is not None else None
    return token is not None and (token.tag == "NNS" or token.lemma.lower() == "pair")
