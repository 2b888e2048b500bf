"""Treebanks as a lexicon: the forms that stand in them with lemma, part of speech, features and how often.

``ud:FILE[,FILE]`` for any language. A reading under 2% of a form's occurrences is annotation noise and is left out:
one mistagged word in 700 would make a common form ambiguous. A form is known only in the readings that trees show.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io.conllu import read_blocks
from kontrast.language.lexicon import Analysis, features_of, forms_with

NOISE = 0.02
MIXED = 0.12
"""Lemmas with several forms in a cell, of those seen there twice, from which on the trees leave something unsaid. In
ten treebanks of PUD up to 10% (slips of annotators), without Tense 30 to 76%, without Mood 17 to 38%."""
SEEN = 5
LEFT_OUT = frozenset("PUNCT SYM X NUM _".split())

Reading = tuple[str, str, str]
"""Lemma, part of speech, features as they stand."""
Cell = tuple[str, ...] | tuple[tuple[str, str], ...]
"""Names of features, or features."""


class Treebank:
    """See `kontrast.language.lexicon.Lexicon`."""

    licence = "the treebanks' own"

    def __init__(self, language: str, paths: str, rows: Iterable[Sequence[str]] | None = None) -> None:
        """``rows`` are the files' rows of words, where they have been read already."""
        self.name, self.language = f"ud:{paths}", language
        if rows is None:
            if missing := next((path for path in paths.split(",") if not Path(path).exists()), None):
                raise KontrastError(f"the lexicon ud:{missing}: there is no such file")
            rows = (row for path in paths.split(",") for block in read_blocks(path) for row in block.rows)
        counts: dict[str, list[tuple[Reading, int]]] = defaultdict(list)
        for (form, reading), count in Counter(_words(rows)).items():
            counts[form].append((reading, count))
        if not counts:
            raise InputError(paths, "expected words in CoNLL-U, found none")
        self._readings: dict[str, list[Analysis]] = {}
        by_lemma: dict[str, list[tuple[int, Analysis]]] = defaultdict(list)
        for form, readings in counts.items():
            least = NOISE * sum(count for _, count in readings)
            readings.sort(key=itemgetter(1), reverse=True)
            kept = self._readings[form] = []
            for (lemma, pos, features), count in readings:
                if count >= least:
                    analysis = Analysis(form, lemma, pos, features_of(features))
                    kept.append(analysis)
                    by_lemma[lemma].append((-count, analysis))
        self._counted = by_lemma
        self._seen: dict[tuple[str, Cell], tuple[int, int]] = {}
        self._forms = {lemma: [a for _, a in sorted(found, key=itemgetter(0))] for lemma, found in by_lemma.items()}

    def analyse(self, form: str) -> list[Analysis]:
        return self._readings.get(form, [])

    def forms_of(self, lemma: str) -> list[Analysis]:
        """Every form of a lemma with its reading, the commonest first."""
        return self._forms.get(lemma, [])

    def entries(self) -> Iterator[Analysis]:
        """Every form of every lemma."""
        return (analysis for found in self._forms.values() for analysis in found)

    def mixes(self, pos: str, features: Mapping[str, str], lemma: str = "") -> bool:
        """Whether this lemma has, or lemmas often have, several forms with just these features.

        As verbs do where no tense is given. Looked at for verbs and adjectives alone: an article may have several
        forms for other reasons (*la*, *l'*).
        """
        if pos not in ("VERB", "AUX", "ADJ"):
            return False
        if self._has_several(lemma, features):
            return True
        if not self._seen:
            self._count_cells()
        kind = "VERB" if pos == "AUX" else pos
        own, names = (self._seen.get((kind, key), (0, 0)) for key in (_cell(features), tuple(sorted(features))))
        several, seen = own if own[1] >= SEEN else names
        least = 2 if own[1] >= SEEN else 3  # one lemma may be two words: Czech stalo, stálo
        return several >= least and seen >= SEEN and several >= MIXED * seen

    def _has_several(self, lemma: str, features: Mapping[str, str]) -> bool:
        """*había* and *ha* as one past, *gran* and *grande*."""
        counts: dict[str, int] = {}
        for count, analysis in self._counted.get(lemma, ()):
            if analysis.features == features:
                counts[analysis.form] = counts.get(analysis.form, 0) - count
        if len(counts) < 2:
            return False
        least = NOISE * sum(counts.values())
        return sum(count >= least for count in counts.values()) > 1

    def _count_cells(self) -> None:
        """For each cell, and for all with features of these names: lemmas with several forms, lemmas seen twice."""
        for lemma, found in self._counted.items():
            cells: dict[tuple[str, Cell, Cell], Counter[str]] = defaultdict(Counter)
            for count, a in found:
                kind = "VERB" if a.pos == "AUX" else a.pos
                if lemma != a.form and kind in ("VERB", "ADJ"):
                    cells[kind, _cell(a.features), tuple(sorted(a.features))][a.form] -= count
            for (kind, *keys), forms in cells.items():
                for key in keys:
                    several, seen = self._seen.get((kind, key), (0, 0))
                    more = forms.total() > 1
                    self._seen[kind, key] = several + (more and len(forms) > 1), seen + more

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        return forms_with(self._forms.get(lemma, ()), pos, features)


def _words(rows: Iterable[Sequence[str]]) -> Iterator[tuple[str, Reading]]:
    """Forms in lower case (but for names) with their reading."""
    for fields in rows:
        if fields[0].isdigit() and fields[3] not in LEFT_OUT and "Typo=Yes" not in fields[5]:
            form = fields[1] if fields[3] == "PROPN" else fields[1].lower()
            # Without a lemma a word has no other forms: the form stands for it.
            yield form, (fields[2] if fields[2] != "_" else form, fields[3], fields[5])


def _cell(features: Mapping[str, str]) -> Cell:
    return tuple(sorted(features.items()))
