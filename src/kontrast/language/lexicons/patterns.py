"""Forms by analogy with those in treebanks: ``patterns:FILE[,FILE]``, for words that no dictionary has.

A cell (part of speech and features) is filled as for other lemmas with the same ending: *nový* has *nové* where
*bílý* has *bílé*. A form is made only where at least `SUPPORT` lemmas with that ending show the cell and `CERTAIN` of
them agree, and only of lemmas whose forms in the treebanks all follow such patterns (*uvést*, *uvedla* does not); to
say how a form can be read, one lemma is enough.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from kontrast.language.lexicon import Analysis, fits, same_class
from kontrast.language.lexicons.treebank import Treebank

__all__ = ["Patterns"]

SUPPORT = 4
CERTAIN = 0.97
LONGEST = 4
"""Letters of a lemma's ending that are compared."""
INFLECTED = frozenset("ADJ DET VERB AUX NOUN PRON".split())

Change = tuple[int, str]
"""How many letters of the lemma go, and what comes in their place."""


class Patterns:
    """See `kontrast.language.lexicon.Lexicon`; knows the lemmas of its treebanks."""

    licence = "the treebanks' own"

    def __init__(self, language: str, paths: str, attested: Treebank | None = None) -> None:
        self.name, self.language = f"patterns:{paths}", language
        self._attested = attested or Treebank(language, paths)
        self._cells: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        self._changes: dict[tuple[str, str, str], Counter[Change]] = defaultdict(Counter)
        self._paradigms: dict[tuple[str, str], list[tuple[Analysis, bool]]] = {}
        self._made: dict[str, list[Analysis]] = {}
        self._regular: dict[tuple[str, str], bool] = {}
        self._commonest: dict[tuple[str, str, str], tuple[Change, int, int]] = {}
        for analysis in self._attested.entries():
            if analysis.pos in INFLECTED and analysis.features and analysis.form.isalpha():
                self._count(analysis)

    def _count(self, analysis: Analysis) -> None:
        lemma, cell = _plain(analysis.lemma), _named(analysis.features)
        change = _change(lemma, analysis.form)
        self._cells[analysis.pos][cell] = analysis.features
        for length in range(max(1, change[0]), min(LONGEST, len(lemma)) + 1):
            self._changes[analysis.pos, cell, lemma[-length:]][change] += 1

    def analyse(self, form: str) -> list[Analysis]:
        """How a form can be read: of the lemmas that the treebanks give it, and of those made so far."""
        found = list(self._attested.analyse(form))
        for lemma, pos in {(a.lemma, a.pos) for a in found}:
            found += [a for a, _ in self._paradigm(lemma, pos) if a.form == form]
        return found + self._made.get(form, [])

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        kinds = [kind for kind in self._cells if same_class(kind, pos)]
        made = [
            analysis.form
            for kind in kinds
            if self._is_regular(lemma, kind)
            for analysis, certain in self._paradigm(lemma, kind)
            if certain and fits(analysis.features, features)
        ]
        return list(dict.fromkeys(made))

    def _paradigm(self, lemma: str, pos: str) -> list[tuple[Analysis, bool]]:
        """Every cell that others with the lemma's ending show, and whether enough of them agree."""
        if (lemma, pos) not in self._paradigms:
            known = [a for a in self._attested.forms_of(lemma) if a.pos == pos]
            genders = {a.features.get("Gender", "") for a in known} if pos == "NOUN" else None
            made = []
            for cell, features in self._cells[pos].items():
                if genders is not None and features.get("Gender", "") not in genders:
                    continue  # a noun keeps its gender
                guess = self._guess(_plain(lemma), pos, cell)
                if guess is not None:
                    made.append((Analysis(guess[0], lemma, pos, features), guess[1]))
            self._paradigms[lemma, pos] = made
            for analysis, _ in made:
                self._made.setdefault(analysis.form, []).append(analysis)
        return self._paradigms[lemma, pos]

    def _is_regular(self, lemma: str, pos: str) -> bool:
        """Whether the other lemmas foretell the forms that the treebanks have of this one."""
        if (lemma, pos) not in self._regular:
            self._regular[lemma, pos] = self._foretold(lemma, pos)
        return self._regular[lemma, pos]

    def _foretold(self, lemma: str, pos: str) -> bool:
        known = [a for a in self._attested.forms_of(lemma) if a.pos == pos]
        plain = _plain(lemma)
        foretold = [
            guess[0] == a.form
            for a in known
            if (guess := self._guess(plain, pos, _named(a.features), own=_change(plain, a.form)))
        ]
        return bool(foretold) and all(foretold)

    def _guess(self, lemma: str, pos: str, cell: str, own: Change | None = None) -> tuple[str, bool] | None:
        """The form, and whether it is certain; ``own`` is the lemma's own change, which does not count."""
        doubtful: str | None = None
        for length in range(min(LONGEST, len(lemma)), 0, -1):
            found = self._most(pos, cell, lemma[-length:], own if own is not None and own[0] <= length else None)
            if found is None:
                continue
            (gone, ending), most, total = found
            form = lemma[: len(lemma) - gone] + ending
            if total >= SUPPORT:
                # An ending of one letter says little unless a longer one has been seen to go the same way.
                certain = doubtful == form or (doubtful is None and length > 1)
                return form, certain and most >= CERTAIN * total
            doubtful = doubtful or form
        return None if doubtful is None else (doubtful, False)

    def _most(self, pos: str, cell: str, ending: str, own: Change | None) -> tuple[Change, int, int] | None:
        """The commonest change of lemmas with this ending, how many have it, and how many there are."""
        counts = self._changes.get((pos, cell, ending))
        if not counts:
            return None
        if own is not None:
            counts = counts - Counter([own])
            return (*counts.most_common(1)[0], counts.total()) if counts else None
        if (pos, cell, ending) not in self._commonest:
            self._commonest[pos, cell, ending] = (*counts.most_common(1)[0], counts.total())
        return self._commonest[pos, cell, ending]


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
