"""Words of a Spanish or Italian foil that keep the old gender though they may say something of what is meant.

No lexicon tells adjectives here, so a word counts by its ending and by what it is aligned to; one that has a noun of
its own beside it is explained: *las dejó juntas*, but not *las dejó en las cajas juntas*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kontrast.building.pronouns.phrases import is_preposition
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.target import Contrastive, Noun, likely_genders
from kontrast.language.alignment import Span, spans
from kontrast.language.annotation import Token

__all__ = ["kept_word"]

_ENDINGS = {
    "es": {"ms": "o", "fs": "a", "mp": "os", "fp": "as"},
    "it": {"ms": "o", "fs": "a", "mp": "i", "fp": "e"},
}
_STEMS = {
    "es": re.compile(
        r"\w{2,}[aií]d|\w*(?:abiert|cubiert|muert|vist|puest|escrit|rot|vuelt|suelt|impres|hech|dich|desiert|despiert)"
        r"|junt|sol|list|llen|vací|viv|limpi|suci|enter|complet|sec|propi|mism|tod|amb|fij|bonit|segur|oscur|clar|rar"
        r"|buen|mal|nuev|viej|enferm|content|quiet|cercan|perfect|intact|primer|últim|únic|peligros|valios|frí|segund"
        r"|tercer|ningun|algun|un|otr|much|poc|vari|cuánt|cuant|tant|aquell|est|es|ciert|estupend|hermos|antigu"
    ),
    "it": re.compile(
        r"\w{2,}[aiu]t|\w*(?:pres|mess|chius|apert|copert|mort|vist|tes|acces|scritt|lett|rott|fatt|dett|post|chiest)"
        r"|\w*(?:vint|pers|cors|volt|scelt|tolt|sciolt|strett|corrett|dott|unt|est|uccis|mezz|rimast|spes|spint|cott)"
        r"|sol|vuot|pien|inter|viv|pront|compless|oscur|scur|chiar|nuov|vecch|vecchi|buon|stess|tutt|alcun|nessun"
        r"|ciascun|ognun|qualcun|un|altr|molt|poch|prim|ultim|unic|intatt|attiv|inattiv|lung|lungh|larg|fredd|cald"
        r"|quest|quell|second|terz|cert|tant|sporc|pericolos|prezios|entramb|ambedu|ricc|sicur|sepolt|liber|antic"
    ),
}
"""Beginnings of words that agree: participles, and adjectives that are often said of an object."""
_NEVER = {
    "es": "como para sobre cuando cuándo cómo ahora hasta contra pero sino fuera nada cerca nunca luego dentro "
    "debajo abajo arriba apenas entonces cuanto tanto mucho poco bajo solo sólo cualquiera además menos demás "
    "más antes después mientras atrás detrás través veces vez cada todavía medio lado modo caso momento "
    "cambio embargo todo algo ello ellos ellas ella esto eso aquello día días horas puntos pasos junto debido "
    "respecto salvo excepto según incluso primero tanto quizá quizás pronto rápido demasiado largo alto mismo "
    "recto",
    "it": "come che quando dove ora ancora sempre solo anche dopo sotto sopra contro dentro spesso presso verso "
    "subito dietro meno ogni qui così poi noi voi lui lei oggi quasi forse fuori prima molto poco tanto tutto "
    "niente nulla volta volte modo caso tempo mezzo punto posto esso essa essi esse questo quello ciò mai "
    "ieri due tre cinque sette nove dieci venti altrimenti davanti avanti infatti inoltre appena troppo "
    "quanto proprio attraverso vicino durante mediante oltre entro perché mentre finché anziché giorni stato "
    "certo lontano piano piuttosto e ed",
}
_PERFECT = {
    "es": "he has ha hemos habéis han había habías habíamos habían habré habrás habrá habremos habrán habría "
    "habrían haya hayas hayamos hayan hubo hubiera hubieran hubiese haber habiendo hubieras hubiéramos",
    "it": "ho hai ha abbiamo avete hanno avevo avevi aveva avevamo avevano avrò avrai avrà avremo avranno avrei "
    "avresti avrebbe avrebbero abbia abbiano avessi avesse avessero aver avere avendo ebbe ebbero avevate "
    "avrete",
}
"""Behind these a participle stays as it is; with an Italian *lo* before them it was changed already."""
_LIGHT = frozenset(
    "no non ya già se si me te le les nos mi ti ci vi ne muy más più molto tan così también anche".split()
)
_HELPING = frozenset(
    "estaba estabas estaban está están estás estoy estamos puede puedes pueden podía debe debes deben voy vas va van "
    "quiere quieres quiero tiene tienes tengo sta stai stanno stava stavano può puoi possono deve devi devono vuole "
    "vuoi voglio si se ci vi".split()
)
"""Behind *la* or *los* these tell a pronoun from an article."""
_OF_OTHERS = frozenset(
    "soy eres somos sois estoy estás estamos estáis seas seamos estés fueras estuvieras fuiste estabas eras sei "
    "siamo siete sarai saremo fossi eri eravamo".split()
)
"""Behind these a word is said of me or you."""
_NOUNS = ("NOUN", "PROPN")
_REACH = 4
"""So many words back a determiner is looked for."""


def kept_word(recipe: Recipe, scene: Scene, other: Contrastive) -> str:
    """The first word that keeps the old gender and may belong to what the pronoun means; nothing where none does."""
    words, after = spans(scene.text), spans(other.text)
    if len(words) != len(after) or recipe.target_language not in _ENDINGS:
        return ""
    return next(_Kept(recipe, scene, words, [a.text for a in after]).found(), "")


class _Kept:
    def __init__(self, recipe: Recipe, scene: Scene, words: Sequence[Span], after: Sequence[str]) -> None:
        self.recipe, self.scene, self.words, self.after = recipe, scene, words, after
        self.low = [w.text.lower() for w in words]
        self.gender = scene.place.target.gender
        self.plural = recipe.sources[scene.place.source.text.lower()] == "p"
        self.language = recipe.target_language
        self.never = frozenset(_NEVER[self.language].split())
        self.perfect = frozenset(_PERFECT[self.language].split())
        self.barred = [m.span() for pattern in recipe.blocked[1] for m in pattern.finditer(scene.text)]
        changed = [j for j, w in enumerate(words) if w.text != after[j]]
        self.counted = any(j < scene.place.word and self.low[j] in self._counting() for j in changed)

    def _counting(self) -> set[str]:
        return {form for pair in self.recipe.counting for form in pair}

    def found(self) -> Iterator[str]:
        for j, word in enumerate(self.words):
            if j == self.scene.place.word or self.after[j] != word.text or self._is_barred(word):
                continue
            if self._is_mention(j) or self._agrees(j):
                yield word.text

    def _is_barred(self, word: Span) -> bool:
        return any(a <= word.start < b for a, b in self.barred)

    def _is_mention(self, j: int) -> bool:
        """*uno de ellos … lo estabas quitando*, *restituiscimelo*: another pronoun in the old gender."""
        low, form = self.low[j], self.recipe.targets.get(self.low[j])
        linked = self._linked(j)
        if form is None:
            at_end = re.fullmatch(r"\w{2,}[aeinrsz](l[oaie]|l[oa]s)", low)
            form = self.recipe.targets.get(at_end[1]) if at_end else None
            verbal = any(t.pos in ("VERB", "AUX") for t in linked) and not any(t.pos in _NOUNS for t in linked)
            return verbal and form is not None and self._is_old(form.gender, form.number) and j > self._first()
        if not self._is_old(form.gender, form.number) or j <= self._first():
            return False
        if low not in self.recipe.determiners:
            return True
        following = self._linked(j + 1)
        in_number = any((t.tag in ("NNS", "NNPS")) == self.plural for t in following if t.pos in _NOUNS)
        if self.language == "es" and self._is_at_odds(j + 1) and not in_number:
            return True
        verbal = any(t.pos in ("VERB", "AUX") for t in following) or self._opens_a_verb(j + 1)
        return verbal and not any(t.pos in (*_NOUNS, "ADJ", "NUM") for t in following)

    def _is_at_odds(self, j: int) -> bool:
        """*los pulpas*, *la cambio*: has the word behind an article an ending of the other gender?"""
        low = self.low[j] if j < len(self.low) else ""
        other = _ENDINGS["es"][("f" if self.gender == "m" else "m") + ("p" if self.plural else "s")]
        likely = likely_genders(self.recipe, Noun(low, j, low, frozenset()))
        return low.endswith(other) and len(low) > 3 and not low.endswith(("ma", "mas")) and self.gender not in likely

    def _opens_a_verb(self, j: int) -> bool:
        low = self.low[j] if j < len(self.low) else ""
        return low in self.perfect or low in self.recipe.targets or low in _HELPING

    def _is_old(self, gender: str, number: str | None) -> bool:
        return gender == self.gender and (self.counted or number == ("p" if self.plural else "s"))

    def _first(self) -> int:
        """Where the antecedent stands, if it is in this sentence: what comes before it is not said of the pronoun."""
        choice = self.scene.choice
        return choice.noun.index if choice.line == self.scene.place.line else -1

    def _agrees(self, j: int) -> bool:
        low = self.low[j]
        numbers = "sp" if self.counted else "p" if self.plural else "s"
        endings = [_ENDINGS[self.language][self.gender + number] for number in numbers]
        stem = next((low[: -len(e)] for e in endings if low.endswith(e)), "")
        if len(stem) < 2 or low in self.never or low in self.recipe.determiners or self._is_explained(j):
            return False
        linked = self._linked(j)
        if self.language == "it" and low.endswith(("are", "ere", "ire", "rre")):  # farle guarire
            return False
        known = _STEMS[self.language].fullmatch(stem) is not None
        if any(t.pos in _NOUNS for t in linked):
            return False
        if j < self.scene.place.word:
            near = j >= self.scene.place.word - 2 and low in {f for p in self._pairs() for f in p}
            return near or (known and self.scene.choice.line != self.scene.place.line and self._is_fronted(j))
        said = any(t.pos == "ADJ" or t.tag == "VBN" or t.relation in ("acomp", "oprd") for t in linked)
        return known or said or self._is_predicate(j)

    def _is_predicate(self, j: int) -> bool:
        """*sono scesi*: is it behind a form of *be*?"""
        i, rule = j - 1, self.recipe.agreement
        while i >= 0 and (self.low[i] in _LIGHT or self.low[i].endswith("mente")):
            i -= 1
        return rule is not None and i >= 0 and self.low[i] in rule.after and len(self.low[j]) > 3

    def _pairs(self) -> list[tuple[str, str]]:
        return [*self.recipe.counting, *self.recipe.floating]

    def _is_fronted(self, j: int) -> bool:
        """*Una vez leída, …*, *Rotas, …*: before the pronoun, at the beginning or behind a sign."""
        return j == 0 or not self.low[j - 1][0].isalnum() or self.low[j - 1] in ("vez", "volta")

    def _is_explained(self, j: int) -> bool:
        """Has it a noun of its own, or is it the participle of a perfect?"""
        if j + 1 < len(self.low) and self._is_noun(j + 1) and self._fits(j + 1, j):
            return True  # nuevas armas
        i = j - 1
        while i >= 0 and self._is_passed(i):
            i -= 1
        if i < 0:
            return False
        if (self.counted or not self.plural) and is_preposition(self.language, self.low[i]) and i == j - 1:
            return True  # de nuevo, por completo
        if self.low[i] in _OF_OTHERS:
            return True
        if self.low[i] in self.perfect and i < j:
            return (
                not any(self.low[k] in self.recipe.targets for k in range(max(i - 1, 0), i)) or self.language == "es"
            )
        if self._is_noun(i):
            return self._fits(i, j)
        if i == j - 1 and (self.low[i] in self.recipe.determiners or self.low[i] in self.recipe.adjectives):
            return self.low[j] not in {f for p in self._pairs() for f in p}
        if self.low[i] in ("y", "e", "o", "ed", "u", ",") and i > 1:  # una caja abierta y rota
            return self.after[i - 1] == self.words[i - 1].text and self._is_explained_noun(i - 1, j)
        return False

    def _is_explained_noun(self, i: int, j: int) -> bool:
        if self._is_noun(i):
            return self._fits(i, j)
        return self.low[i][-1:] == self.low[j][-1:] and self._is_explained(i)

    def _is_passed(self, i: int) -> bool:
        """Adverbs, and a verb like *be* with the participle *been* behind it."""
        low, rule = self.low[i], self.recipe.agreement
        if low in _LIGHT or (low.endswith("mente") and len(low) > 7):
            return True
        return rule is not None and (low in rule.after or low in rule.over or low in rule.also)

    def _is_noun(self, i: int) -> bool:
        """Aligned to a noun, or behind a determiner."""
        if i < 0 or not self.low[i][0].isalpha() or self.low[i] in self.never or self.low[i] in self.recipe.targets:
            return False
        linked = self._linked(i)
        if any(t.pos in _NOUNS for t in linked):
            return True
        before = self.low[i - 1] if i else ""
        verbal = any(t.pos in ("VERB", "AUX") for t in linked)
        return before in self.recipe.determiners and not (verbal and before in self.recipe.targets)

    def _fits(self, noun: int, j: int) -> bool:
        """May a word agree with this noun: *en la cueva … muertas* may not?"""
        if self.language == "es" and self.low[noun].endswith("s") != self.low[j].endswith("s"):
            return False
        before = self.low[noun - 1] if noun else ""
        told = self.recipe.determiners.get(before)
        likely = told or likely_genders(self.recipe, Noun(self.low[noun], noun, self.low[noun], frozenset()))
        return self.gender in likely

    def _linked(self, j: int) -> list[Token]:
        """The source words that a target word is aligned to."""
        scene = self.scene
        line = scene.place.line
        source = spans(scene.document.source[line])
        inside = [source[i] for i, b in scene.links[line] if b == j and i < len(source)]
        return [t for t in scene.sentence.tokens if any(t.start < s.end and t.end > s.start for s in inside)]
