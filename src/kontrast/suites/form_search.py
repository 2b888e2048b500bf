"""Looking for an item's forms in a text: the correct one is there, a wrong one, both, or neither.

Words decide an item only if they tell its own variants apart: the correct variant must come out as right, and no
other. Variants that differ in order alone ("Anna called Robert." / "Robert called Anna."), or in case or punctuation,
are *undecidable by words*.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import ne
from typing import Literal

import msgspec

from kontrast.io.words import position, shared_ends, spans, unparted, words
from kontrast.suites.model import Item, Suite

Needed = dict[str, int]
"""Words, and how often a text must contain each."""
Outcome = Literal["right", "wrong", "both", "neither", "undecidable"]


class FormFound(msgspec.Struct, frozen=True, gc=False):
    """A form in a text, and the variant that it gives away."""

    form: str
    start: int
    end: int
    variant: int


class Sought(msgspec.Struct, frozen=True):
    """What is looked for: the words of each variant, or one expected run of words where there is one variant.

    ``why`` says what keeps words from deciding, where something does.
    """

    correct: int
    needs: tuple[Needed, ...]
    run: tuple[str, ...] = ()
    language: str | None = None
    why: str | None = None

    @property
    def expected(self) -> tuple[str, ...]:
        """The forms of which one makes a translation right; none where the correct variant only lacks words."""
        return (" ".join(self.run),) if self.run else _said(self.needs[self.correct])

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The forms of the other variants."""
        needs = (need for j, need in enumerate(self.needs) if j != self.correct)
        return tuple(dict.fromkeys(form for need in needs for form in _said(need)))


class Decision(msgspec.Struct, frozen=True):
    """What is decided: an item, or, where the suite's unit is the pair, its correct variant and one other."""

    item_index: int
    variant: int | None
    item: Item


def decisions(suite: Suite, items: Iterable[tuple[int, Item]] | None = None) -> Iterator[Decision]:
    """The decisions of a suite, or of some items; those with one variant too, for they may name an expected form."""
    for i, item in enumerate(suite.items) if items is None else items:
        if suite.unit != "pair" or len(item.variants) < 2:
            yield Decision(i, None, item)
            continue
        for j, variant in enumerate(item.variants):
            if j != item.correct:
                yield Decision(i, j, msgspec.structs.replace(item, variants=(item.best, variant), correct=0))


def seek(item: Item, language: str | None = None) -> Sought:
    """What to look for in translations of an item."""
    if len(item.variants) < 2:
        return _expected(item, language)
    counts = [Counter(words(variant.text, language)) for variant in item.variants]
    needs = tuple(needed_of(item, counts, language))
    why = next(filter(None, (unparted(variant.text) for variant in item.variants)), None)
    return Sought(item.correct, needs, (), language, why or _why(needs, item.correct, counts))


def _expected(item: Item, language: str | None) -> Sought:
    """The expected form as the item's own reference has it; where that is not there, nothing can be decided."""
    expected = item.tags.get("expected")
    run = tuple(words(expected, language)) if isinstance(expected, str) else ()
    text = item.best.text
    why = unparted(text)
    if not run:
        why = "no other variant and no expected form" if expected is None else "no word is expected"
    elif why is None and position(list(run), words(text, language)) is None:
        # Subtitles without accents: *arrivera* is expected where the reference has *arrivera'*.
        run = tuple(words(f"{expected}'", language))
        if position(list(run), words(text, language)) is None:
            why = "the expected form is not in the reference"
    return Sought(0, ({},), run, language, why)


def look(sought: Sought, text: str) -> tuple[Outcome, tuple[FormFound, ...]]:
    """What a text contains, whether or not words decide the item."""
    own = words(text, sought.language)
    if len(sought.needs) < 2:
        at = position(list(sought.run), own)
        if at is None:
            return "neither", ()
        found = spans(text, sought.language)
        return "right", (FormFound(sought.expected[0], found[at].start, found[at + len(sought.run) - 1].end, 0),)
    counts = Counter(own)
    there = {word for need in sought.needs for word, n in need.items() if counts[word] >= n}
    found = [word for word in spans(text, sought.language) if word.text in there] if there else []
    hits = [(j, word) for j, need in enumerate(sought.needs) for word, n in need.items() if counts[word] >= n]
    forms = (FormFound(word, at.start, at.end, j) for j, word in hits for at in found if at.text == word)
    return _outcome(sought.needs, sought.correct, counts), tuple(forms)


def _outcome(needs: tuple[Needed, ...], correct: int, counts: Counter[str]) -> Outcome:
    there = [any(counts.get(word, 0) >= n for word, n in need.items()) for need in needs]
    right, wrong = there[correct], any(found for j, found in enumerate(there) if j != correct)
    # A variant that merely lacks words is there when the others' words are not.
    if not wrong and not right and counts:
        right = not needs[correct]
        wrong = not right and any(not need for need in needs)
    if right and wrong:
        return "both"
    return "right" if right else ("wrong" if wrong else "neither")


def _why(needs: tuple[Needed, ...], correct: int, counts: list[Counter[str]]) -> str | None:
    """What keeps words from telling the variants apart, or None."""
    if any(count == counts[correct] for j, count in enumerate(counts) if j != correct):
        return "the variants have the same words"
    outcomes = [_outcome(needs, correct, count) for count in counts]
    apart = outcomes[correct] == "right" and all(
        outcome in ("wrong", "neither") for j, outcome in enumerate(outcomes) if j != correct
    )
    return None if apart else "the words that differ are in other variants too"


def _said(need: Needed) -> tuple[str, ...]:
    return tuple(word if n == 1 else f"{word} ×{n}" for word, n in need.items())


def needed(item: Item, language: str | None = None) -> list[Needed]:
    """For each variant the words that give it away: those it has more of than every other variant.

    Where two share theirs, those it has more of than some other. A variant that only lacks words needs none.
    The suite's own annotation of the form (``ref_pronoun`` and ``replacement``) wins where it is among them.
    """
    return needed_of(item, [Counter(words(variant.text, language)) for variant in item.variants], language)


def needed_of(item: Item, counts: list[Counter[str]], language: str | None = None) -> list[Needed]:
    """`needed`, where the words of each variant are counted already."""
    result = []
    for j, own in enumerate(counts):
        others = [count for i, count in enumerate(counts) if i != j]
        some = {word: n for other in others for word, n in own.items() if n > other.get(word, 0)}
        telling = {word: n for word, n in some.items() if all(n > other.get(word, 0) for other in others)} or some
        named = item.tags.get("ref_pronoun") if j == item.correct else item.variants[j].tags.get("replacement")
        if isinstance(named, str) and (marked := [word for word in words(named, language) if word in telling]):
            telling = {word: telling[word] for word in marked}
        result.append(telling)
    return result


def forms(item: Item, language: str | None = None) -> list[str]:
    """What tells each variant from the others, in lower case: ``er``, ``sie``, ``es``."""
    if isinstance(right := item.tags.get("ref_pronoun"), str):
        wrong = [variant.tags.get("replacement") for variant in item.variants]
        named = [right if j == item.correct else name for j, name in enumerate(wrong)]
        if all(isinstance(name, str) for name in named):
            return [str(name).lower() for name in named]
    texts = [v.whole for v in item.variants]
    # In Italian what an apostrophe is depends on the quotation around it: there no part is looked at alone.
    if not (language or "").lower().startswith("it"):
        found = [_words_of_part(text, language) for text in _differing(texts)]
        if len(found) == 2 and len(found[0]) == 1 == len(found[1]) and found[0] != found[1]:
            return [found[0][0], found[1][0]]
        before, after = shared_ends(found)
        if before < min(map(len, found)):  # else what comes behind the part might count
            return [" ".join(words[before : len(words) - after]) for words in found]
    found = [_words_of(text, language) for text in texts]
    before, after = shared_ends(found)
    return [" ".join(words[before : len(words) - after]) for words in found]


def _words_of(text: str, language: str | None) -> list[str]:
    return words(text, language) if text.isalpha() else [word.text for word in spans(text, language, signs=True)]


_words_of_part = lru_cache(maxsize=1 << 16)(_words_of)
"""The parts in which variants differ are few: *er*, *sie*, *es*."""


def _differing(texts: list[str]) -> list[str]:
    """The texts without what all of them begin and end with, cut at blanks: no word reaches over a blank."""
    pieces = [text.split(" ") for text in texts]
    if len(pieces) == 2 and len(pieces[0]) == len(pieces[1]):
        differ = list(map(ne, *pieces))
        if sum(differ) == 1:
            at = differ.index(True)
            return [pieces[0][at], pieces[1][at]]
    before, after = shared_ends(pieces)
    return [" ".join(piece[before : len(piece) - after]) for piece in pieces]
