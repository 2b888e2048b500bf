"""A language by its recipe alone: pronouns and their counterparts, endings that agree, determiners."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set

from kontrast.building.errors.text import like
from kontrast.building.pronouns.foils import Contrastive, Form, Noun, TargetSide, likely_genders, plain_form, replaced
from kontrast.building.pronouns.noun_phrases import is_preposition
from kontrast.building.pronouns.recipe import AgreementRule, Recipe, TargetPronoun
from kontrast.language.alignment import Span, spans

_CLITIC = TargetPronoun(gender="m", subject=False)
_VERBAL = re.compile(r"(?:r|ndo)l[oaie]s?$")
_AT_END = re.compile(r"\w{2,}[aeinrsz](l[oaie]|l[oa]s)", re.IGNORECASE)


class TableTarget(TargetSide):
    """Everything comes from the recipe."""

    knows_nouns = False

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        self._host = re.compile(recipe.enclitic_hosts, re.IGNORECASE) if recipe.enclitic_hosts else None
        self._predicative = re.compile(recipe.predicative, re.IGNORECASE) if recipe.predicative else None

    def form(self, text: str, words: Sequence[Span], index: int) -> Form | None:
        word = words[index]
        if (found := plain_form(self._recipe, word)) is not None:
            return found
        before = words[index - 1].text.lower() if index else ""
        verbal = _VERBAL.search(word.text) is not None or before in self._recipe.targets
        noun = before in self._recipe.determiners and not verbal  # un ópalo, but nel cercarlo
        if self._host is not None and not noun and (match := self._host.fullmatch(word.text)):
            low = match["pronoun"].lower()
            target = self._recipe.targets.get(low)
            if target is not None:
                return Form(word.start + match.start("pronoun"), word.end, target.gender, target.number)
        if word.text.lower() == self._recipe.elided and text[word.end : word.end + 1] in ("'", "’"):
            return self._elided(text, words, index)
        return None

    def _mention(self, text: str, words: Sequence[Span], j: int, *, aligned: bool) -> Form | None:
        """The pronoun of a word; at the end of any word that is aligned to *it* (*usalo*)."""
        found = self.form(text, words, j)
        match = _AT_END.fullmatch(words[j].text) if aligned and found is None and self._host is not None else None
        target = self._recipe.targets.get(match[1].lower()) if match else None
        if match is None or target is None:
            return found
        return Form(words[j].start + match.start(1), words[j].end, target.gender, target.number)

    def _elided(self, text: str, words: Sequence[Span], index: int) -> Form | None:
        """*l'ho vista*: the participle tells the gender."""
        agreement = self._recipe.object_agreement
        if agreement is None:
            return None
        for masculine in (True, False):
            if agreeing(words, index, agreement, masculine, plural=False):
                return Form(words[index].start, words[index].end + 1, "m" if masculine else "f", "s")
        return None

    def case_differs(self, text: str, start: int, *, is_subject: bool) -> bool:
        """A form that is an object only, for a subject (*they* → *los*), or one behind a preposition (*en ella*)."""
        words = spans(text)
        index = next((i for i, word in enumerate(words) if word.start <= start < word.end), None)
        target = self._recipe.targets.get(words[index].text.lower()) if index is not None else None
        if target is None or index is None:
            return False
        if target.subject is None:
            governed = index > 0 and is_preposition(self._recipe.target_language, words[index - 1].text)
            return is_subject and governed
        return target.subject != is_subject

    def noun(self, text: str, words: Sequence[Span], index: int, number: str) -> Noun | None:
        word = words[index].text
        low = word.lower()
        recipe = self._recipe
        if not word[0].isalpha():
            return None
        if word.isupper() and len(word) > 3:
            return Noun(word, index, low, frozenset())
        if low in recipe.determiners or low in recipe.targets or low in recipe.no_nouns or low in recipe.adjectives:
            return None
        if self._host is not None and self._host.fullmatch(word):  # practicarla
            return None
        ending = recipe.plural_ending
        if ending and low.endswith(ending) != (number == "p") and not self._is_told(words, index, number):
            return None
        gender, told = self._determined(words, index)
        gender = recipe.noun_genders.get(low, gender)
        if gender:
            return Noun(word, index, low, frozenset(gender)) if told in (None, number) else None
        if index == 0 or words[index - 1].text.lower() not in recipe.adjectives:  # por falta de, tiene hambre
            return Noun(word, index, low, frozenset())
        likely = likely_genders(recipe, Noun(word, index, low, frozenset()))
        return Noun(word, index, low, likely if len(likely) < len(recipe.genders) else frozenset())

    def _determined(self, words: Sequence[Span], index: int) -> tuple[str, str | None]:
        """The gender and number that the determiner right before it tells, or before an adjective of the recipe.

        Behind another word it is an adjective itself (*los magos sombríos*).
        """
        for j in (index - 1, index - 2):
            before = words[j].text.lower() if j >= 0 else ""
            if words[j + 1].text in ("'", "’"):  # un'isola: another gender than un
                before += "'"
            elif j == index - 2 and words[j + 1].text.lower() not in self._recipe.adjectives:
                break
            if gender := self._recipe.determiners.get(before):
                return gender, self._recipe.determiner_numbers.get(before)
        return "", None

    def _is_told(self, words: Sequence[Span], index: int, number: str) -> bool:
        """Has the word before it this number: *el virus*?"""
        return index > 0 and self._recipe.determiner_numbers.get(words[index - 1].text.lower()) == number

    def is_one_clause(self, words: Sequence[Span], noun: int, pronoun: int) -> bool:
        """For a pronoun that is a word of its own; behind an infinitive it is in another clause (*para editarlo*)."""
        if words[pronoun].text.lower() not in self._recipe.targets:  # los esfuerzos por estudiarlos
            return pronoun == noun + 2 and words[noun + 1].text.lower() in self._recipe.linking
        opening = self._recipe.opening
        return bool(opening) and not any(
            w.text.lower() in opening or not w.text[0].isalnum() for w in words[noun + 1 : pronoun]
        )

    def contrast(
        self, text: str, start: int, end: int, *, is_subject: bool | None, together: Mapping[int, bool | None]
    ) -> list[Contrastive]:
        recipe = self._recipe
        words = spans(text)
        index = next((i for i, word in enumerate(words) if word.start <= start < word.end), None)
        if index is None or (form := self.form(text, words, index)) is None:
            return []
        own = text[form.start : form.end]
        if own.lower().rstrip("'’") == recipe.elided:
            return self._with_elided(text, words, index, form)
        found = []
        for new in recipe.swaps.get(own.lower(), ()):
            target = recipe.targets[new]
            feminine = target.gender == "f"
            edits = {form.start: (form.start, form.end, like(own, new))}
            is_clitic, plural = recipe.targets[own.lower()].subject is False, form.number == "p"
            changes = self._changes(words, index, feminine, is_clitic=is_clitic, plural=plural)
            for edit in (*changes, *self._counted(words, index, feminine)):
                edits.setdefault(edit[0], edit)
            barred = [m.span() for pattern in recipe.blocked[1] for m in pattern.finditer(text)]
            if is_clitic:
                problem = self._has_predicate(words, index)
            else:
                problem = self._left_behind(words, index, changes, feminine, plural)
            for j in range(len(words)):
                if any(a <= words[j].start < b for a, b in barred):  # por lo tanto
                    continue
                if j != index and words[j].text.lower() in recipe.determiners and self._may_be_clitic(words, j, form):
                    if together.get(words[j].start) is not None:
                        problem = "other_mention_may_stay"
                    continue
                known = self._means_the_same(words, j, together) and j != index
                other = (
                    self._mention(text, words, j, aligned=together.get(words[j].start) is not None) if known else None
                )
                if other is not None and other.gender == form.gender and other.number == form.number:
                    low = text[other.start : other.end].lower()
                    swapped = next(
                        (s for s in recipe.swaps.get(low, ()) if recipe.targets[s].gender == target.gender), ""
                    )
                    if swapped:
                        old = text[other.start : other.end]
                        edits.setdefault(other.start, (other.start, other.end, like(old, swapped)))
                        clitic = recipe.targets[low].subject is False
                        more = self._changes(words, j, feminine, is_clitic=clitic, plural=plural)
                        for edit in (*more, *self._counted(words, j, feminine)):
                            edits.setdefault(edit[0], edit)
                elif j != index and self._is_another(text, words, j, form):
                    problem = "other_mention_may_stay"
            if not problem and unnamed_subject(recipe, words, index, set(edits), feminine, plural):
                problem = "agreeing_word_stays"
            found.append(Contrastive(replaced(text, list(edits.values())), like(own, new), target.gender, problem))
        return found

    def _has_predicate(self, words: Sequence[Span], index: int) -> str:
        """*le renderanno più scure*: what agrees with the object would stay."""
        near = words[index : index + 2]
        if self._predicative is not None and any(self._predicative.fullmatch(word.text) for word in near):
            return "agreeing_word_stays"
        return ""

    def _is_another(self, text: str, words: Sequence[Span], j: int, form: Form) -> bool:
        """A pronoun at the end of its verb (*trascinarla*) of the same gender and number, which stays as it is."""
        is_enclitic = self._host is not None and self._host.fullmatch(words[j].text)
        other = self.form(text, words, j) if is_enclitic else None
        return other is not None and (other.gender, other.number) == (form.gender, form.number)

    def _may_be_clitic(self, words: Sequence[Span], j: int, form: Form) -> bool:
        """An article or a pronoun: nothing here tells which."""
        other = self._recipe.targets.get(words[j].text.lower())
        return other is not None and (other.gender, other.number) == (form.gender, form.number)

    def _means_the_same(self, words: Sequence[Span], j: int, together: Mapping[int, bool | None]) -> bool:
        """A word aligned to another *it*; or one that is no article and may be aligned by its verb."""
        start = words[j].start
        if together.get(start) is not None:
            return True
        return start in together and words[j].text.lower() not in self._recipe.determiners

    def _changes(
        self, words: Sequence[Span], index: int, feminine: bool, *, is_clitic: bool, plural: bool
    ) -> list[Edit]:
        agreement = self._recipe.object_agreement if is_clitic else self._recipe.agreement
        host = self._host.fullmatch(words[index].text) if self._host is not None else None
        stem = words[index].text[: host.start("pronoun")].lower() if host else ""
        found = agreeing(words, index, agreement, feminine, plural, stem) if agreement is not None else []
        for j in range(index + 1, min(index + 5, len(words))):
            if j + 1 < len(words) and words[j + 1].text.lower() in self._recipe.determiners:  # todos los discos
                continue
            before = words[j - 1].text.lower()
            if (
                before in self._recipe.determiners or before in self._recipe.other_persons
            ):  # del mismo tamaño, noi stessi
                continue
            for pair in self._recipe.floating:  # tutti, todas
                old, new = pair if feminine else pair[::-1]
                if words[j].text.lower() == old and pair[0].endswith(("os", "i")) == plural:
                    found.append((words[j].start, words[j].end, like(words[j].text, new)))
        return found

    def _counted(self, words: Sequence[Span], index: int, feminine: bool) -> list[Edit]:
        """*una de ellas*: the word that counts them changes too; but not *quello di estrarli*."""
        back = 2 if index and words[index - 1].text.lower() in ("de", "di") else 1  # todas ellas
        if index < back or self._recipe.targets.get(words[index].text.lower(), _CLITIC).subject is False:
            return []
        word = words[index - back]
        for pair in (*self._recipe.counting, *self._recipe.floating):
            old, new = pair if feminine else pair[::-1]
            if word.text.lower() == old:
                return [(word.start, word.end, like(word.text, new))]
        return []

    def _left_behind(
        self, words: Sequence[Span], index: int, changes: Sequence[Edit], feminine: bool, plural: bool
    ) -> str:
        """*ellos son los antepasados*, *ellas son altas y delgadas*, *essi sono validi candidati*, *una de ellas está
        rota*: what may agree and would stay, or change alone.
        """
        agreement = self._recipe.agreement
        if agreement is None:
            return ""
        low = [w.text.lower() for w in words]
        changed = {start for start, _, _ in changes}
        endings = agreement.plural_endings if plural else agreement.endings
        verb = next((i for i in range(index + 1, min(index + 4, len(words))) if low[i] in agreement.after), None)
        if verb is not None and low[index - 1] in ("de", "di") and self._counted(words, index, feminine):
            return "agreeing_word_stays"
        for j in range(index + 1, len(words)):
            if low[j] in ".;:!?()":
                break
            may = words[j].start not in changed and len(low[j]) > 4 and low[j] not in self._recipe.determiners
            agrees = may and other_ending(words[j], endings, feminine)
            if verb is not None and j == verb + 1 and low[j] in self._recipe.determiners:
                return "agreeing_word_stays"
            if agrees and (
                words[j - 1].start in changed or (verb is not None and low[j - 1] in self._recipe.joining)
            ):
                return "agreeing_word_stays"
        return ""

    def _with_elided(self, text: str, words: Sequence[Span], index: int, form: Form) -> list[Contrastive]:
        agreement = self._recipe.object_agreement
        assert agreement is not None
        feminine = form.gender == "m"
        edits = agreeing(words, index, agreement, feminine, plural=False)
        gender = "f" if feminine else "m"
        return [Contrastive(replaced(text, edits), edits[0][2], gender)] if edits else []


Edit = tuple[int, int, str]
_QUOTES = frozenset("« “ \" ( '".split())


def agreeing(
    words: Sequence[Span], index: int, agreement: AgreementRule, feminine: bool, plural: bool, host: str = ""
) -> list[Edit]:
    """The first word behind a verb of the recipe, in the other gender where it bears an ending that changes.

    With it those passed over that agree as well (*è stata vista*). ``host`` is what the pronoun is the end of
    (*averla vista*).
    """
    endings = agreement.plural_endings if plural else agreement.endings
    for i in range(index, min(index + 4, len(words))):
        if (host if i == index else words[i].text.lower()) not in agreement.after:
            continue
        j, edits = i + 1, []
        while j < len(words) and _is_passed(words[j].text.lower(), agreement):
            if words[j].text.lower() in agreement.also:
                edits += other_ending(words[j], endings, feminine)
            j += 1
        if j >= len(words) or words[j].text.lower() in agreement.fixed:
            return edits
        if agreement.only and not re.fullmatch(agreement.only, words[j].text.lower()):
            return edits
        return edits + other_ending(words[j], endings, feminine)
    return []


def _is_passed(low: str, agreement: AgreementRule) -> bool:
    adverb = low.endswith("mente") and len(low) > 7
    return adverb or low in _QUOTES or low in agreement.over or low in agreement.also or low in agreement.after


def other_ending(word: Span, endings: Sequence[tuple[str, str]], feminine: bool) -> list[Edit]:
    """The word with the other ending, where it bears one that changes."""
    for masculine, feminine_ending in sorted(endings, key=lambda pair: -max(map(len, pair))):
        old, new = (masculine, feminine_ending) if feminine else (feminine_ending, masculine)
        if re.fullmatch(rf"\w{{2,}}{old}", word.text):
            return [(word.start, word.end, word.text.removesuffix(old) + new)]
    return []


def unnamed_subject(
    recipe: Recipe, words: Sequence[Span], pronoun: int, changed: Set[int], feminine: bool, plural: bool
) -> str:
    """The predicate of a clause without a subject that has the pronoun's old gender and does not change with it.

    ``changed`` are the starts of words that change, ``feminine`` is the gender of the foil.
    """
    rule = recipe.agreement
    if rule is None:
        return ""
    endings = rule.plural_endings if plural else rule.endings
    low = [w.text.lower() for w in words]
    for i, word in enumerate(low):
        j = i + 1
        if word not in recipe.once:
            if word not in rule.after or not _is_without_subject(recipe, low, i):
                continue
            while j < len(low) and _is_passed(low[j], rule):
                j += 1
        if j >= len(words) or j == pronoun or words[j].start in changed or low[j] in rule.fixed:
            continue
        may = len(low[j]) > 4 and (not rule.only or re.fullmatch(rule.only, low[j]))
        if may and other_ending(words[j], endings, feminine):
            return words[j].text
    return ""


def _is_without_subject(recipe: Recipe, low: Sequence[str], verb: int) -> bool:
    """Does a sign or a word that opens a clause stand before the verb, with only *not* and pronouns between?"""
    i = verb - 1
    while i >= 0 and (low[i] in recipe.light or low[i] in recipe.targets):
        i -= 1
    if i < 0 or not low[i][0].isalnum():
        return True
    if low[i] in recipe.relatives:
        return i > 0 and low[i - 1] in recipe.before_relatives
    return low[i] in recipe.opening
