"""Treebanks as a lexicon: the forms that stand in them with lemma, part of speech, features and how often.

``ud:FILE[,FILE]`` for any language. A reading under 2% of a form's occurrences is annotation noise and is left out:
one mistagged word in 700 would make a common form ambiguous. A form is known only in the readings that trees show.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import open_lines
from kontrast.language.lexicon import Analysis, forms_with

__all__ = ["Treebank"]

NOISE = 0.02
LEFT_OUT = frozenset("PUNCT SYM X NUM _".split())

Reading = tuple[str, str, str]
"""Lemma, part of speech, features as they stand."""


class Treebank:
    """See `kontrast.language.lexicon.Lexicon`.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "es.conllu"
    >>> _ = path.write_text("1\\tLas\\tel\\tDET\\t_\\tGender=Fem|Number=Plur\\t2\\tdet\\t_\\t_\\n"
    ...                     "2\\tcasas\\tcasa\\tNOUN\\t_\\tGender=Fem|Number=Plur\\t0\\troot\\t_\\t_\\n\\n")
    >>> Treebank("es", str(path)).analyse("casas")[0].features
    {'Gender': 'Fem', 'Number': 'Plur'}
    """

    licence = "the treebanks' own"

    def __init__(self, language: str, paths: str) -> None:
        self.name, self.language = f"ud:{paths}", language
        counts: dict[str, Counter[Reading]] = defaultdict(Counter)
        for path in paths.split(","):
            for form, reading in _words(path):
                counts[form][reading] += 1
        if not counts:
            raise InputError(paths, "expected words in CoNLL-U, found none")
        self._readings: dict[str, list[Analysis]] = {}
        by_lemma: dict[str, list[tuple[int, Analysis]]] = defaultdict(list)
        for form, readings in counts.items():
            least = NOISE * readings.total()
            for (lemma, pos, features), count in readings.most_common():
                if count < least:
                    continue
                analysis = Analysis(form, lemma, pos, _features(features))
                self._readings.setdefault(form, []).append(analysis)
                by_lemma[lemma].append((-count, analysis))
        self._forms = {lemma: [a for _, a in sorted(found, key=lambda x: x[0])] for lemma, found in by_lemma.items()}

    def analyse(self, form: str) -> list[Analysis]:
        return self._readings.get(form, [])

    def forms_of(self, lemma: str) -> list[Analysis]:
        """Every form of a lemma with its reading, the commonest first."""
        return self._forms.get(lemma, [])

    def entries(self) -> Iterator[Analysis]:
        """Every form of every lemma."""
        return (analysis for found in self._forms.values() for analysis in found)

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        return forms_with(self._forms.get(lemma, ()), pos, features)


def _words(path: str) -> Iterator[tuple[str, Reading]]:
    """Forms in lower case (but for names) with their reading."""
    if not Path(path).exists():
        raise KontrastError(f"the lexicon ud:{path}: there is no such file")
    for number, line in enumerate(open_lines(path), start=1):
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 10:
            raise InputError(path, f"expected 10 tab-separated CoNLL-U fields, found {len(fields)}", line=number)
        if fields[0].isdigit() and fields[3] not in LEFT_OUT and "Typo=Yes" not in fields[5]:
            form = fields[1] if fields[3] == "PROPN" else fields[1].lower()
            # Without a lemma a word has no other forms: the form stands for it.
            yield form, (fields[2] if fields[2] != "_" else form, fields[3], fields[5])


@lru_cache(maxsize=20_000)
def _features(column: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in column.split("|") if "=" in part)
