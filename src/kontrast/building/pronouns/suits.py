"""Why a foil of a German item may be right: another noun suits it, or *es* is said of a situation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kontrast.building.perturb.de.pronoun_mentions import mentions_in
from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.equated import maker, what_it_is
from kontrast.building.pronouns.meant import joined_noun
from kontrast.building.pronouns.people import is_german_person
from kontrast.building.pronouns.places import COREFERENT, OF_PEOPLE, OTHER_PRONOUNS, is_polite
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.strict import behind
from kontrast.building.pronouns.target import Contrastive
from kontrast.building.pronouns.weigh import Rival
from kontrast.language.alignment import spans
from kontrast.language.german.es import may_be_event, use_of_es
from kontrast.language.german.plain import (
    BEING,
    OPENERS,
    PlainWord,
    clause,
    is_adjective,
    lemmas,
    may_be_verb,
    opens,
    persons,
    split,
)
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import CLOSED
from kontrast.language.resolvers.salience import is_person, role_of

__all__ = ["doubts_of_foil"]

_SUITS = 0.1
"""A near noun of the foil's gender suits it from this share of the antecedent's weight, wherever it stands."""
_SUITS_BARE = 0.05
"""… behind a preposition that has swallowed its article, in the pronoun's own sentence, from this one …"""
_SUITS_AS_ARGUMENT = 0.02
"""… and a subject or an object from this one."""
_PHRASE = 4
"""So many words apart stand nouns that are joined."""
_JOINING = frozenset(("und", "oder", "bzw", "sowie"))
_SOME = frozenset(("etwas", "bisschen"))
_NAMING = frozenset("klassifizieren bezeichnen einstufen gelten ansehen betrachten einordnen nennen".split())
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
_CONCEDING = frozenset(("obwohl", "obgleich", "während", "auch", "da", "weil"))
_POINTING = frozenset(("das", "dies", "es"))
_NEUTER = frozenset("das dem des im vom zum ins am beim ans etwas nichts alles vieles".split())
"""Before these an adjective with a capital is a neuter noun: *das Böse*."""


def doubts_of_foil(scene: Scene, other: Contrastive) -> Iterator[Doubt]:
    """Why a foil may be right: another noun of its gender, or *es* for a situation."""
    if noun := what_it_is(scene, other.gender):
        yield Doubt("{} is what it is", noun)
    if other.gender == "f" and (noun := joined_noun(scene, "and")):
        yield Doubt("{} and it would go with it", noun)
    for rival in scene.choice.rivals:
        if other.gender not in rival.genders:
            continue
        if _suits(scene, rival):
            yield Doubt("{} would go with it", rival.text)
        if _is_joined(scene, rival):
            yield Doubt("{} is joined with it", rival.text)
    words = split(scene.text)
    i = next((k for k, w in enumerate(words) if w.start == scene.place.target.start), None)
    if i is None:
        return
    if _may_be(scene.choice.noun.lemma, other.gender):
        yield Doubt("{} has that gender too", scene.choice.noun.text)
    if noun := _named_as(words, i, other.gender):
        yield Doubt("{} is what it is", noun)
    if _is_beside_mention(scene, other):
        yield Doubt("{} stands in one clause with it", scene.choice.noun.text)
    people = any(w.text.lower() in OF_PEOPLE for w in spans(scene.document.source[scene.place.line]))
    made, old = [w.text for w in split(other.text)], min(scene.place.target.gender)
    left = not people and {old, other.gender} != {"m", "n"} and _dative_stays(words, made, i, old)
    if left or _mention_stays(scene, other):
        yield Doubt("another mention stays")
    if word := _owner_stays(scene.text, words, other, min(scene.place.target.gender)):
        yield Doubt("{} may mean the same and stays", word)
    if noun := next(behind(scene, words, i, frozenset(other.gender)), ""):
        yield Doubt("{} behind it would go with it", noun)
    if (words[i].low == "es" and _another_stays(split(other.text))) or _is_es_before(words, i):
        yield Doubt("another es stays, which may mean the same")
    if name := maker(scene):
        yield Doubt("{}, a name, would go with it", name)
    if other.gender == "f" and (noun := _several(scene)):
        yield Doubt("{}, several things, would go with it", noun)
    if other.gender == "n":
        yield from _situation(scene, other, words, i)


def _may_be(lemma: str, gender: str) -> bool:
    """*der* or *das Terminal*; but a *Messer* is rarely one who measures."""
    return any(r.pos == "N" and not r.rare and r.feature == gender and "ns" in r.codes for r in usual_readings(lemma))


def _named_as(words: Sequence[PlainWord], i: int, gender: str) -> str:
    """*Sie wurde als Planet klassifiziert*: a noun of the foil's gender that says what it is."""
    start, end = clause(words, i)
    inside = words[start : end + 1]
    first = next((w for w in words[1:4] if w.text[0].isupper()), None)
    if words[0].low == "als" and start > 2 and first is not None:
        return first.text  # Als großer Kreuzer, der …, wird er
    if not any(lemmas(w.low) & _NAMING or w.low == "bekannt" for w in inside):
        return ""
    for k, word in enumerate(inside[:-1]):
        noun = next((w.text for w in inside[k + 1 : k + 4] if w.text[0].isupper()), "") if word.low == "als" else ""
        if noun and any(r.pos == "N" and r.feature == gender for r in usual_readings(noun)):
            return noun
    return ""


def _dative_stays(words: Sequence[PlainWord], made: Sequence[str], main: int, old: str) -> bool:
    """*Sie ist gut, hat aber den Nachteil, dass ihr die Munition ausgeht*: a dative of the old gender that stays."""
    form = "ihr" if old == "f" else "ihm"
    return any(
        m.case == "dat" and m.word.low == form and k != main and made[k : k + 1] == [m.word.text]
        for m in mentions_in(words)
        for k in (words.index(m.word),)
    )


def _is_beside_mention(scene: Scene, other: Contrastive) -> bool:
    """*Sein Kern verleiht ihm Gewicht, so dass er …*: is a pronoun that changes along in the antecedent's clause?"""
    noun, target, made = scene.choice.noun.index, spans(scene.text), spans(other.text)
    if scene.choice.line != scene.place.line or len(target) != len(made):
        return False
    changed = (j for j, (old, new) in enumerate(zip(target, made, strict=True)) if old.text != new.text and j > noun)
    personal = (j for j in changed if target[j].text.lower() not in scene.side.possessives)
    return any(scene.side.is_one_clause(target, noun, j) for j in personal)


def _owner_stays(text: str, words: Sequence[PlainWord], other: Contrastive, gender: str) -> str:
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


def _mention_stays(scene: Scene, other: Contrastive) -> bool:
    """*Er ist an; benutze diesen Gegenstand, um sie abzuschalten*: a pronoun of *it* or of nobody else stays."""
    text, line = scene.text, scene.place.line
    words = split(text)
    source, target, made = spans(scene.document.source[line]), spans(text), spans(other.text)
    if len(target) != len(made):
        return False
    their = COREFERENT["p"] if _is_pair(scene) else frozenset[str]()  # goggles: Brille, them: sie
    people = any(word.text.lower() in OF_PEOPLE for word in source)
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


def _is_joined_verb(words: Sequence[PlainWord], k: int) -> bool:
    """*und warfen*: the subject is that of the verb before."""
    return words[k - 1].low in ("und", "oder") and may_be_verb(words, k)


def _is_one(verb: PlainWord) -> bool:
    """A verb of the third person singular alone."""
    return "3s" in persons(verb.low) and "3p" not in persons(verb.low)


def _is_pair(scene: Scene) -> bool:
    """*a pair of goggles*, *scissors*: one thing in German that English may call *them*."""
    choice = scene.choice
    token = scene.sentences[choice.line].tokens[choice.source] if choice.source is not None else None
    return token is not None and (token.tag == "NNS" or token.lemma.lower() == "pair")


def _situation(scene: Scene, other: Contrastive, words: Sequence[PlainWord], i: int) -> Iterator[Doubt]:
    """*es* takes up what has no noun, or another gender."""
    if noun := _neuter_adjective(scene):
        yield Doubt("{}, an adjective, would go with it", noun)
    if _is_pointed_at(scene):
        yield Doubt("es may be what is pointed at")
    made = split(other.text)
    at = next((k for k, w in enumerate(made) if w.start >= words[i].start and w.low == "es"), None)
    if at is None:
        return
    if any(w.low == "es" for w in words):
        yield Doubt("another es is in the sentence")
    if use_of_es(made, at, is_object=scene.is_object).kind != "thing":
        yield Doubt("es may be said of a situation")
    if may_be_event(made, at, is_object=scene.is_object):
        yield Doubt("es may be an event")


def _several(scene: Scene) -> str:
    """*Tränke den Lumpen … Stöcke … zünde ihn an*: as an object, *sie* may be several things."""
    if not scene.is_object:
        return ""
    for sentence in scene.sentences[max(scene.place.line - 1, 0) : scene.place.line + 1]:
        for token in sentence.tokens:
            if token.tag == "NNS" and not is_person(token):
                return token.text
    return ""


def _another_stays(words: Sequence[PlainWord]) -> bool:
    """*wo ich ihn mir leisten kann, möchte ich es dir zahlen*; but not *es gibt*."""
    return any(w.low == "es" and use_of_es(words, j).kind != "empty" for j, w in enumerate(words))


def _is_es_before(words: Sequence[PlainWord], i: int) -> bool:
    """*Obwohl es nahrhaft ist, ist er nicht lecker*: a clause opens with *es* for what the next one calls *er*."""
    start, _ = clause(words, i)
    if words[i].low == "es" or i != start + 1 or start < 4 or words[start - 1].low != ",":
        return False
    first, last = clause(words, start - 2)
    opening = first == 0 and words[0].low in _CONCEDING and words[1].low == "es" and words[last].low in BEING
    return opening and use_of_es(words, 1).kind in ("thing", "open")


def _suits(scene: Scene, rival: Rival) -> bool:
    away = scene.place.line - rival.line
    if is_german_person(rival.noun.lemma):
        return False
    if rival.share > _SUITS or (not away and rival.share > _SUITS_BARE and _is_bare(scene, rival)):
        return True
    role = role_of(scene.sentences[rival.line].tokens[rival.source]) if rival.source is not None else ""
    return away <= 1 and role in ("subject", "object", "root") and rival.share > _SUITS_AS_ARGUMENT


def _is_bare(scene: Scene, rival: Rival) -> bool:
    """*bringt das Regelwerk zur Anwendung: ohne sie*: a noun that says what is done."""
    before = spans(scene.text)[rival.noun.index - 1].text.lower() if rival.noun.index else ""
    return before in ("zur", "zum", "in", "unter", "außer", "ins")


def _is_joined(scene: Scene, rival: Rival) -> bool:
    """*die Anwendung oder der Dienst*, and then *die Anwendung … sie*: what is said of one may be said of both."""
    if scene.place.line - rival.line > 1:
        return False
    target, lemma = spans(scene.document.target[rival.line]), scene.choice.noun.lemma
    at = rival.noun.index
    for j in range(max(at - _PHRASE, 0), min(at + _PHRASE + 1, len(target))):
        first, last = sorted((j, at))
        between = [w.text.lower() for w in target[first + 1 : last]]
        if not _JOINING & set(between) or not all(low.isalpha() for low in between):
            continue
        noun = scene.side.noun(scene.document.target[rival.line], target, j, "s")
        if noun is not None and noun.lemma == lemma:
            return True
    return False


def _is_pointed_at(scene: Scene) -> bool:
    """*Das muss der Schlüssel sein. … es*, *etwas Feuerkraft … es*: taken up without its gender."""
    choice = scene.choice
    if choice.line == scene.place.line:
        return False
    words = split(scene.document.target[choice.line])
    start = spans(scene.document.target[choice.line])[choice.noun.index].start
    i = next((k for k, w in enumerate(words) if w.start == start), None)
    if i is None:
        return False
    if any(w.low in _SOME for w in words[max(i - 2, 0) : i]):
        return True
    first, last = clause(words, i)
    inside = [w.low for w in words[first : last + 1]]
    pointing = any(
        low in _POINTING and (may_be_verb(words, first + k + 1) or (k and may_be_verb(words, first + k - 1)))
        for k, low in enumerate(inside[:-1])
    )
    return pointing and bool(set(inside) & (BEING | {"sein"}))


def _neuter_adjective(scene: Scene) -> str:
    """*eine Wolke des Bösen*: a noun made of an adjective."""
    for line in (scene.place.line, scene.place.line - 1):
        if line < 0:
            continue
        words = split(scene.document.target[line])
        if line == scene.place.line:
            words = [w for w in words if w.start < scene.place.target.start]
        for before, word in pairwise(words):
            made = word.text[0].isupper() and word.low.endswith(("e", "en", "es", "em")) and is_adjective(word.low)
            if made and before.low in _NEUTER:
                return word.text
    return ""
