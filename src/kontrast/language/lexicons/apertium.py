"""Apertium's analysers and generators as a lexicon, run as programs: ``apertium:spa``.

A language pair's package (Debian's apertium-eng-spa and others, GPL) brings both automata. Generation needs the
language's own tags: those of every word analysed so far are remembered, and a lemma is tried with each that fits.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.language.lexicon import Analysis, fits, same_class

__all__ = ["Apertium"]

FOLDER = Path("/usr/share/apertium")

_POS = {
    "n": "NOUN", "np": "PROPN", "adj": "ADJ", "det": "DET", "predet": "DET", "vblex": "VERB", "vbser": "AUX",
    "vbhaver": "AUX", "vbmod": "AUX", "vaux": "AUX", "vbaux": "AUX", "vbdo": "AUX", "vbsint": "VERB", "prn": "PRON",
    "adv": "ADV", "preadv": "ADV", "pr": "ADP", "cnjcoo": "CCONJ", "cnjsub": "SCONJ", "num": "NUM", "rel": "PRON",
}  # fmt: skip
_TAGS = {
    "sg": {"Number": "Sing"}, "pl": {"Number": "Plur"}, "sp": {"Number": "Sing,Plur"}, "du": {"Number": "Dual"},
    "m": {"Gender": "Masc"}, "f": {"Gender": "Fem"}, "nt": {"Gender": "Neut"}, "mf": {"Gender": "Masc,Fem"},
    "ut": {"Gender": "Com"}, "un": {"Gender": "Com,Neut"}, "mfn": {"Gender": "Masc,Fem,Neut"},
    "mn": {"Gender": "Masc,Neut"}, "fn": {"Gender": "Fem,Neut"},
    "ma": {"Gender": "Masc", "Animacy": "Anim"}, "mi": {"Gender": "Masc", "Animacy": "Inan"},
    "p1": {"Person": "1"}, "p2": {"Person": "2"}, "p3": {"Person": "3"},
    "nom": {"Case": "Nom"}, "acc": {"Case": "Acc"}, "gen": {"Case": "Gen"}, "dat": {"Case": "Dat"},
    "loc": {"Case": "Loc"}, "ins": {"Case": "Ins"}, "voc": {"Case": "Voc"},
    "pri": {"Tense": "Pres", "Mood": "Ind", "VerbForm": "Fin"},
    "pii": {"Tense": "Imp", "Mood": "Ind", "VerbForm": "Fin"},
    "ifi": {"Tense": "Past", "Mood": "Ind", "VerbForm": "Fin"},
    "fti": {"Tense": "Fut", "Mood": "Ind", "VerbForm": "Fin"},
    "pmp": {"Tense": "Pqp", "Mood": "Ind", "VerbForm": "Fin"},
    "cni": {"Mood": "Cnd", "VerbForm": "Fin"},
    "prs": {"Tense": "Pres", "Mood": "Sub", "VerbForm": "Fin"},
    "pis": {"Tense": "Imp", "Mood": "Sub", "VerbForm": "Fin"},
    "fts": {"Tense": "Fut", "Mood": "Sub", "VerbForm": "Fin"},
    "imp": {"Mood": "Imp", "VerbForm": "Fin"},
    "pres": {"Tense": "Pres", "Mood": "Ind", "VerbForm": "Fin"},
    "past": {"Tense": "Past", "Mood": "Ind", "VerbForm": "Fin"},
    "inf": {"VerbForm": "Inf"}, "ger": {"VerbForm": "Ger"}, "pp": {"VerbForm": "Part"}, "supn": {"VerbForm": "Sup"},
    "comp": {"Degree": "Cmp"}, "sup": {"Degree": "Sup"}, "sint": {}, "pst": {"Degree": "Pos"},
    "ind": {"Definite": "Ind"}, "def": {"Definite": "Def"},
    "sta": {"Declension": "Strong"}, "vei": {"Declension": "Weak"},
    "pasv": {"Voice": "Pass"}, "actv": {"Voice": "Act"}, "midv": {"Voice": "Mid"},
}  # fmt: skip
_UNIT = re.compile(r"\^((?:\\.|[^$\\])*)\$")
_LONGEST = 120
"""Seconds that the program may take for one batch."""


class Apertium:
    """See `kontrast.language.lexicon.Lexicon`. ``code`` is Apertium's name of the language: spa, ita, por, swe …

    `learn` reads the words of a text in one go; without it each unknown word starts the program once.
    """

    licence = "GPL (run as a program)"

    def __init__(self, language: str, code: str) -> None:
        self.name, self.language = f"apertium:{code}", language
        if not re.fullmatch(r"[a-z]{2,3}(_[A-Za-z0-9]+)?", code):
            raise KontrastError(f"the lexicon apertium:{code}: expected Apertium's code of a language, such as spa")
        if shutil.which("lt-proc") is None:
            raise KontrastError("the lexicon 'apertium' needs lttoolbox and a pair: apt-get install apertium-eng-spa")
        self._analyser = _automaton(f"{code}-*.automorf.bin", code)
        # Some packages only translate from the language: then the words that were read are all the forms there are.
        self._generator = _automaton(f"*-{code}.autogen.bin", code) if _has(f"*-{code}.autogen.bin") else None
        self._readings: dict[str, list[Analysis]] = {}
        self._templates: dict[str, set[str]] = {}
        self._paradigms: dict[str, list[Analysis]] = {}

    def learn(self, forms: Iterable[str]) -> None:
        """Know these words, all forms of their lemmas that the tags of these words can make, and how those read."""
        self._analyse(forms)
        lemmas = {(a.lemma, a.pos) for readings in self._readings.values() for a in readings}
        made = self._generate(sorted(lemmas))
        self._analyse(made)

    def analyse(self, form: str) -> list[Analysis]:
        if form not in self._readings:
            self._analyse([form])
        return self._readings[form]

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        if lemma not in self._paradigms:
            self._generate([(lemma, kind) for kind in self._templates if same_class(kind, pos)])
        found = (a for a in self._paradigms.get(lemma, ()) if same_class(a.pos, pos) and fits(a.features, features))
        return list(dict.fromkeys(a.form for a in found))

    def _analyse(self, forms: Iterable[str]) -> None:
        new = [form for form in dict.fromkeys(forms) if form not in self._readings]
        # A full stop behind each word keeps two of them from being read as one.
        answers = _run("-a", self._analyser, [f"{_escaped(form)} ." for form in new])
        for form, answer in zip(new, answers, strict=True):
            self._readings[form] = []
            unit = _UNIT.match(answer)
            for reading in re.split(r"(?<!\\)/", unit[1])[1:] if unit else ():
                if reading.startswith("*") or "+" in reading:
                    continue  # unknown, or a verb with its clitics
                lemma, _, tags = reading.partition("<")
                pos, features = _universal(f"<{tags}")
                self._templates.setdefault(pos, set()).add(f"<{tags}")
                analysis = Analysis(form, lemma.replace("\\", ""), pos, features)
                self._readings[form].append(analysis)
                if self._generator is None:
                    self._paradigms.setdefault(analysis.lemma, []).append(analysis)

    def _generate(self, lemmas: Iterable[tuple[str, str]]) -> list[str]:
        if self._generator is None:
            return []
        asked = [(lemma, pos, tags) for lemma, pos in lemmas for tags in sorted(self._templates.get(pos, ()))]
        answers = _run("-g", self._generator, [f"^{_escaped(lemma)}{tags}$" for lemma, _, tags in asked])
        made = []
        for (lemma, pos, tags), form in zip(asked, answers, strict=True):
            known = self._paradigms.setdefault(lemma, [])
            # '#' marks what cannot be generated, '/' several forms, '~' what a later step would change.
            if form and not re.search(r"[#@/~\\ ]", form):
                known.append(Analysis(form, lemma, pos, _universal(tags)[1]))
                made.append(form)
        return made


def _run(mode: str, automaton: Path, lines: list[str]) -> list[str]:
    """A line out for each line in."""
    if not lines:
        return []
    try:
        done = subprocess.run(
            ["lt-proc", mode, str(automaton)],
            input="".join(f"{line}\n" for line in lines).encode(),
            capture_output=True,
            timeout=_LONGEST,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise KontrastError(f"lt-proc {mode} {automaton.name} failed ({error})") from error
    found = done.stdout.decode("utf-8", "replace").split("\n")
    if len(found) < len(lines):
        raise KontrastError(f"lt-proc {mode} {automaton.name}: expected {len(lines)} lines, found {len(found)}")
    return found[: len(lines)]


def _has(pattern: str) -> bool:
    return any(FOLDER.glob(f"*/{pattern}"))


def _automaton(pattern: str, code: str) -> Path:
    found = sorted(FOLDER.glob(f"*/{pattern}"), key=lambda path: (len(path.name), path.name))
    if not found:
        raise KontrastError(
            f"the lexicon apertium:{code}: no package of that language is installed "
            f"(apt-cache search apertium-{code.split('_')[0]})"
        )
    return found[0]


def _escaped(text: str) -> str:
    return re.sub(r"([\\^$/<>@\[\]{}])", r"\\\1", text)


@lru_cache(maxsize=10_000)
def _universal(template: str) -> tuple[str, dict[str, str]]:
    """
    >>> _universal("<adj><mf><pl>")
    ('ADJ', {'Gender': 'Masc,Fem', 'Number': 'Plur'})
    """
    tags = template.strip("<>").split("><")
    features: dict[str, str] = {}
    for tag in tags[1:]:
        features |= _TAGS.get(tag, {})
    return _POS.get(tags[0], "X"), features
