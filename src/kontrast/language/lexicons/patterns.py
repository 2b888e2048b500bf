"""Forms by analogy with those in treebanks: ``patterns:FILE[,FILE]``, for words that no dictionary has.

A cell (part of speech and features) is filled as for other lemmas with the same ending: *nový* has *nové* where
*bílý* has *bílé*. A form is made only where at least `SUPPORT` lemmas with that ending show the cell and `CERTAIN` of
them agree, and only of lemmas whose forms in the treebanks all follow such patterns (*uvést*, *uvedla* does not); to
say how a form can be read, one lemma is enough.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter

from kontrast.language.lexicon import Analysis, forms_with, same_class
from kontrast.language.lexicons.treebank import Treebank

__all__ = ["Patterns"]

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


class Patterns:
    """See `kontrast.language.lexicon.Lexicon`; knows the lemmas of its treebanks."""

    licence = "the treebanks' own"

    def __init__(self, language: str, paths: str, attested: Treebank | None = None) -> None:
        self.name, self.language = f"patterns:{paths}", language
        self._attested = attested or Treebank(language, paths)
        self._cells: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        self._changes: dict[tuple[str, str], dict[str, Counter[Change]]] = defaultdict(lambda: defaultdict(Counter))
        self._paradigms: dict[tuple[str, str], list[tuple[Analysis, bool]]] = {}
        self._read: dict[tuple[str, str], dict[str, list[Analysis]]] = {}
        self._guesses: dict[tuple[str, str], list[Guess]] = {}
        self._made: dict[str, list[Analysis]] = {}
        self._regular: dict[tuple[str, str], bool] = {}
        self._commonest: dict[tuple[str, str], dict[str, Commonest]] = {}
        for analysis in self._attested.entries():
            if analysis.pos in INFLECTED and analysis.features and analysis.form.isalpha():
                self._count(analysis)

    def _count(self, analysis: Analysis) -> None:
        lemma, cell = _plain(analysis.lemma), _named(analysis.features)
        change = _change(lemma, analysis.form)
        self._cells[analysis.pos][cell] = analysis.features
        for length in range(max(1, change[0]), min(LONGEST, len(lemma)) + 1):
            self._changes[analysis.pos, lemma[-length:]][cell][change] += 1

    def analyse(self, form: str) -> list[Analysis]:
        """How a form can be read: of the lemmas that the treebanks give it, and of those made so far."""
        found = list(self._attested.analyse(form))
        for lemma, pos in {(a.lemma, a.pos) for a in found}:
            found += self._by_form(lemma, pos).get(form, ())
        return found + self._made.get(form, [])

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        certain = (
            analysis
            for kind in self._cells
            if same_class(kind, pos) and self._is_regular(lemma, kind)
            for analysis, sure in self._paradigm(lemma, kind)
            if sure
        )
        return forms_with(certain, None, features)

    def _paradigm(self, lemma: str, pos: str) -> list[tuple[Analysis, bool]]:
        """Every cell that others with the lemma's ending show, and whether enough of them agree."""
        if (lemma, pos) not in self._paradigms:
            known = [a for a in self._attested.forms_of(lemma) if a.pos == pos]
            genders = {a.features.get("Gender", "") for a in known} if pos == "NOUN" else None
            plain = _plain(lemma)
            # A noun keeps its gender.
            made = [
                (Analysis(plain[: len(plain) - gone] + ending, lemma, pos, features), certain)
                for features, gone, ending, certain in self._guessed(plain[-LONGEST:], pos)
                if genders is None or features.get("Gender", "") in genders
            ]
            self._paradigms[lemma, pos] = made
            for analysis, _ in made:
                self._made.setdefault(analysis.form, []).append(analysis)
        return self._paradigms[lemma, pos]

    def _by_form(self, lemma: str, pos: str) -> dict[str, list[Analysis]]:
        if (lemma, pos) not in self._read:
            found: dict[str, list[Analysis]] = {}
            for analysis, _ in self._paradigm(lemma, pos):
                found.setdefault(analysis.form, []).append(analysis)
            self._read[lemma, pos] = found
        return self._read[lemma, pos]

    def _guessed(self, tail: str, pos: str) -> list[Guess]:
        """What becomes of every lemma that ends in these letters, cell by cell."""
        if (tail, pos) not in self._guesses:
            tables = [self._table(pos, tail[i:]) for i in range(len(tail))]
            self._guesses[tail, pos] = [
                (features, gone, ending, certain)
                for cell, features in self._cells[pos].items()
                for (gone, ending), certain in _guess(tail, [table.get(cell) for table in tables])
            ]
        return self._guesses[tail, pos]

    def _is_regular(self, lemma: str, pos: str) -> bool:
        """Whether the other lemmas foretell the forms that the treebanks have of this one."""
        if (lemma, pos) not in self._regular:
            self._regular[lemma, pos] = self._foretold(lemma, pos)
        return self._regular[lemma, pos]

    def _foretold(self, lemma: str, pos: str) -> bool:
        known = [a for a in self._attested.forms_of(lemma) if a.pos == pos]
        plain = _plain(lemma)
        tail = plain[-LONGEST:]
        foretold = [
            plain[: len(plain) - gone] + ending == a.form
            for a in known
            for (gone, ending), _ in _guess(tail, self._without(tail, pos, a.features, _change(plain, a.form)))
        ]
        return bool(foretold) and all(foretold)

    def _table(self, pos: str, ending: str) -> dict[str, Commonest]:
        """For each cell what lemmas with this ending mostly do."""
        if (pos, ending) not in self._commonest:
            cells = self._changes.get((pos, ending), {})
            self._commonest[pos, ending] = {cell: _most(counts) for cell, counts in cells.items()}
        return self._commonest[pos, ending]

    def _without(self, tail: str, pos: str, features: dict[str, str], own: Change) -> list[Commonest | None]:
        """What other lemmas do, from the longest ending to the shortest: the lemma's own change does not count."""
        cell = _named(features)
        found: list[Commonest | None] = []
        for i in range(len(tail)):
            counts = self._changes.get((pos, tail[i:]), {}).get(cell)
            if counts and own[0] <= len(tail) - i:
                counts = counts - Counter([own])
            found.append(_most(counts) if counts else None)
        return found


def _most(counts: Counter[Change]) -> Commonest:
    return (*max(counts.items(), key=itemgetter(1)), counts.total())


def _guess(tail: str, found: Sequence[Commonest | None]) -> Iterator[tuple[Change, bool]]:
    """The change of a lemma that ends so, and whether it is certain, from the longest ending to the shortest."""
    doubtful: Change | None = None
    for i, commonest in enumerate(found):
        if commonest is None:
            continue
        change, most, total = commonest
        if total >= SUPPORT:
            # An ending of one letter says little unless a longer one has been seen to go the same way.
            certain = len(tail) - i > 1 if doubtful is None else _same(doubtful, change, tail)
            yield change, certain and most >= CERTAIN * total
            return
        doubtful = doubtful or change
    if doubtful is not None:
        yield doubtful, False


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
    pairs = zip(lemma, form.lower(), strict=False)
    shared = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(lemma), len(form)))
    return len(lemma) - shared, form.lower()[shared:]


def _named(features: dict[str, str]) -> str:
    return "|".join(f"{name}={features[name]}" for name in sorted(features))
