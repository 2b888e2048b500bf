"""Forms by analogy with those in treebanks: ``patterns:FILE[,FILE]``, for words that no dictionary has.

A cell (part of speech and features) is filled as for other lemmas with the same ending: *nový* has *nové* where
*bílý* has *bílé*. A form is made only where at least `SUPPORT` lemmas with that ending show the cell and `CERTAIN` of
them agree, and only of lemmas whose forms in the treebanks all follow such patterns (*uvést*, *uvedla* does not); to
say how a form can be read, one lemma is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from kontrast.language.lexicon import Analysis, fits, same_class
from kontrast.language.lexicons.store import shared_length
from kontrast.language.lexicons.treebank import Treebank

SUPPORT = 4
CERTAIN = 0.97
LONGEST = 4
"""Letters of a lemma's ending that are compared."""
INFLECTED = frozenset("ADJ DET VERB AUX NOUN PRON".split())

Change = tuple[int, str]
"""How many letters of the lemma go, and what comes in their place."""
Commonest = tuple[Change, int, int]
"""The commonest change of lemmas with an ending, how many have it, and how many there are."""
Guess = tuple[dict[str, str], int, str, bool]
"""A cell's features, the change that fills it, and whether that is certain."""


class Ending(NamedTuple):
    """What becomes of lemmas that end alike: every guess, and the cells (place and features) by their change."""

    guesses: list[Guess]
    cells: dict[Change, list[tuple[int, dict[str, str]]]]


class Paradigm(NamedTuple):
    """The forms of a lemma, not written out; of a noun only those of its genders."""

    number: int
    lemma: str
    pos: str
    plain: str
    genders: frozenset[str] | None
    ending: Ending

    def has(self, features: dict[str, str]) -> bool:
        return self.genders is None or features.get("Gender", "") in self.genders


class Patterns:
    """See `kontrast.language.lexicon.Lexicon`; knows the lemmas of its treebanks."""

    licence = "the treebanks' own"

    def __init__(self, language: str, paths: str, attested: Treebank | None = None) -> None:
        self.name, self.language = f"patterns:{paths}", language
        self._attested = attested or Treebank(language, paths)
        self._numbers: dict[tuple[tuple[str, str], ...], int] = {}
        """Cells by their features: a number is looked up faster."""
        self._cells: dict[str, dict[int, dict[str, str]]] = defaultdict(dict)
        self._changes: dict[tuple[str, str], dict[int, dict[Change, int]]] = defaultdict(dict)
        self._paradigms: dict[tuple[str, str], Paradigm] = {}
        self._by_stem: dict[str, list[Paradigm]] = defaultdict(list)
        self._read: dict[str, tuple[int, list[Analysis]]] = {}
        """The readings of forms, and how many paradigms there were then."""
        self._endings: dict[tuple[str, str], Ending] = {}
        self._regular: dict[tuple[str, str], bool] = {}
        self._commonest: dict[tuple[str, str], dict[int, Commonest]] = {}
        for analysis in self._attested.entries():
            if analysis.pos in INFLECTED and analysis.features and analysis.form.isalpha():
                self._count(analysis)

    def _count(self, analysis: Analysis) -> None:
        lemma = _plain(analysis.lemma)
        cell = self._numbers.setdefault(tuple(sorted(analysis.features.items())), len(self._numbers))
        change = _change(lemma, analysis.form)
        self._cells[analysis.pos][cell] = analysis.features
        for length in range(max(1, change[0]), min(LONGEST, len(lemma)) + 1):
            counts = self._changes[analysis.pos, lemma[-length:]].setdefault(cell, {})
            counts[change] = counts.get(change, 0) + 1

    def analyse(self, form: str) -> list[Analysis]:
        """How a form can be read: of the lemmas that the treebanks give it, and of those made so far."""
        then, readings = self._read.get(form, (-1, []))
        if then == len(self._paradigms):
            return readings
        attested = self._attested.analyse(form)
        lemmas = dict.fromkeys((a.lemma, a.pos) for a in attested)
        first = [self._paradigm(lemma, pos).number for lemma, pos in lemmas]
        found: list[tuple[int, int, Paradigm, dict[str, str]]] = []
        for kept in range(len(form) + 1):
            ending = form[kept:]
            for paradigm in self._by_stem.get(form[:kept], ()):
                cells = paradigm.ending.cells.get((len(paradigm.plain) - kept, ending))
                if cells:
                    number = paradigm.number
                    rank = first.index(number) if number in first else len(first) + number
                    found += [(rank, place, paradigm, own) for place, own in cells if paradigm.has(own)]
        found.sort(key=itemgetter(0, 1))
        readings = [*attested, *(Analysis(form, made.lemma, made.pos, features) for _, _, made, features in found)]
        self._read[form] = len(self._paradigms), readings
        return readings

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        found: dict[str, None] = {}
        for kind in self._cells:
            if same_class(kind, pos) and self._is_regular(lemma, kind):
                paradigm = self._paradigm(lemma, kind)
                plain = paradigm.plain
                for own, gone, ending, certain in paradigm.ending.guesses:
                    if certain and fits(own, features) and paradigm.has(own):
                        found[plain[: len(plain) - gone] + ending] = None
        return list(found)

    def mixes(self, pos: str, features: Mapping[str, str], lemma: str = "") -> bool:
        """As `Treebank.mixes`."""
        return self._attested.mixes(pos, features, lemma)

    def _paradigm(self, lemma: str, pos: str) -> Paradigm:
        """Every cell that others with the lemma's ending show, and whether enough of them agree."""
        if (lemma, pos) not in self._paradigms:
            known = [a for a in self._attested.forms_of(lemma) if a.pos == pos]
            # A noun keeps its gender.
            genders = frozenset(a.features.get("Gender", "") for a in known) if pos == "NOUN" else None
            plain = _plain(lemma)
            ending = self._ending(plain[-LONGEST:], pos)
            made = Paradigm(len(self._paradigms), lemma, pos, plain, genders, ending)
            self._paradigms[lemma, pos] = made
            for gone in {gone for gone, _ in ending.cells}:
                self._by_stem[plain[: len(plain) - gone]].append(made)
        return self._paradigms[lemma, pos]

    def _ending(self, tail: str, pos: str) -> Ending:
        """What becomes of every lemma that ends in these letters, cell by cell."""
        if (tail, pos) not in self._endings:
            tables = [self._table(pos, tail[i:]) for i in range(len(tail))]
            shown = set().union(*tables)
            guesses: list[Guess] = []
            cells: dict[Change, list[tuple[int, dict[str, str]]]] = {}
            for cell, features in self._cells[pos].items():
                guess = _guess(tail, [table.get(cell) for table in tables]) if cell in shown else None
                if guess is not None:
                    change, certain = guess
                    cells.setdefault(change, []).append((len(guesses), features))
                    guesses.append((features, *change, certain))
            self._endings[tail, pos] = Ending(guesses, cells)
        return self._endings[tail, pos]

    def _is_regular(self, lemma: str, pos: str) -> bool:
        """Whether the other lemmas foretell the forms that the treebanks have of this one."""
        if (lemma, pos) not in self._regular:
            self._regular[lemma, pos] = self._foretold(lemma, pos)
        return self._regular[lemma, pos]

    def _foretold(self, lemma: str, pos: str) -> bool:
        known = [a for a in self._attested.forms_of(lemma) if a.pos == pos]
        plain = _plain(lemma)
        tail = plain[-LONGEST:]
        some = False
        for a in known:
            guess = _guess(tail, self._without(tail, pos, a.features, _change(plain, a.form)))
            if guess is not None:
                (gone, ending), _ = guess
                if plain[: len(plain) - gone] + ending != a.form:
                    return False
                some = True
        return some

    def _table(self, pos: str, ending: str) -> dict[int, Commonest]:
        """For each cell what lemmas with this ending mostly do."""
        if (pos, ending) not in self._commonest:
            cells = self._changes.get((pos, ending), {})
            self._commonest[pos, ending] = {cell: _most(counts) for cell, counts in cells.items()}
        return self._commonest[pos, ending]

    def _without(self, tail: str, pos: str, features: dict[str, str], own: Change) -> list[Commonest | None]:
        """What other lemmas do, from the longest ending to the shortest: the lemma's own change does not count."""
        cell = self._numbers.get(tuple(sorted(features.items())), -1)
        found: list[Commonest | None] = []
        for i in range(len(tail)):
            counts = self._changes.get((pos, tail[i:]), {}).get(cell)
            if counts and own in counts and own[0] <= len(tail) - i:
                counts = {change: count - (change == own) for change, count in counts.items()}
            found.append(_most(counts) if counts and any(counts.values()) else None)
        return found


def _most(counts: dict[Change, int]) -> Commonest:
    return (*max(counts.items(), key=itemgetter(1)), sum(counts.values()))


def _guess(tail: str, found: Sequence[Commonest | None]) -> tuple[Change, bool] | None:
    """The change of a lemma that ends so, and whether it is certain, from the longest ending to the shortest."""
    doubtful: Change | None = None
    for i, commonest in enumerate(found):
        if commonest is None:
            continue
        change, most, total = commonest
        if total >= SUPPORT:
            # An ending of one letter says little unless a longer one has been seen to go the same way.
            certain = len(tail) - i > 1 if doubtful is None else _same(doubtful, change, tail)
            return change, certain and most >= CERTAIN * total
        doubtful = doubtful or change
    return None if doubtful is None else (doubtful, False)


def _same(one: Change, other: Change, tail: str) -> bool:
    """Whether both changes make the same of a word that ends so."""
    return tail[: len(tail) - one[0]] + one[1] == tail[: len(tail) - other[0]] + other[1]


def _plain(lemma: str) -> str:
    """Without the marks between the parts of a compound that some treebanks write (``maailman#laajuinen``)."""
    return lemma.lower().replace("#", "")


def _change(lemma: str, form: str) -> Change:
    """
    >>> _change("nový", "nové")
    (1, 'é')
    """
    form = form.lower()
    shared = shared_length(lemma, form)
    return len(lemma) - shared, form[shared:]
