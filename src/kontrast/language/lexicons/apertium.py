"""Apertium's analysers and generators as a lexicon, run as programs: ``apertium:spa``.

A language pair's package (Debian's apertium-eng-spa and others, GPL) brings both automata. Generation needs the
language's own tags: those of every word analysed so far are remembered, and a lemma is tried with each that fits.

lttoolbox's ``lt-proc`` as a program that stays open: an automaton is loaded once, not for every word.
"""

import re
import select
import shutil
import subprocess
import weakref
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.language.lexicon import Analysis, features_of, fits, forms_with, same_class, tag_tables

FOLDER = Path("/usr/share/apertium")
PROBED = 20
"""Words of which a generator must make one."""

_POS = tag_tables("apertium")["pos"]
_TAGS = {tag: features_of(features) for tag, features in tag_tables("apertium")["features"].items()}
_UNIT = re.compile(r"\^((?:\\.|[^$\\])*)\$")
_BETWEEN = re.compile(r"(?<!\\)/")
_NO_FORM = re.compile(r"[#@/~\\ ]")
"""'#' marks what cannot be generated, '/' several forms, '~' what a later step would change."""
_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "\\^$/<>@[]{}"})


class Apertium:
    """See `kontrast.language.lexicon.Lexicon`. ``code`` is Apertium's name of the language: spa, ita, por, swe …

    `learn` reads the words of a text in one go, so that all their tags are known before anything is generated.
    """

    licence = "GPL (run as a program)"

    def __init__(self, language: str, code: str) -> None:
        self.name, self.language = f"apertium:{code}", language
        if not re.fullmatch(r"[a-z]{2,3}(_[A-Za-z0-9]+)?", code):
            raise KontrastError(f"the lexicon apertium:{code}: expected Apertium's code of a language, such as spa")
        if shutil.which("lt-proc") is None:
            raise KontrastError("the lexicon 'apertium' needs lttoolbox and a pair: apt-get install apertium-eng-spa")
        self._analyser = Transducer("-a", _automaton(f"{code}-*.automorf.bin", code))
        # Some packages only translate from the language: then the words that were read are all the forms there are.
        generators = f"*-{code}.autogen.bin"
        able = any(FOLDER.glob(f"*/{generators}"))
        self._generator = Transducer("-g", _automaton(generators, code)) if able else None
        self._readings: dict[str, list[Analysis]] = {}
        self._templates: dict[str, set[str]] = {}
        self._paradigms: dict[str, list[Analysis]] = {}
        self._made: dict[tuple[str, str], str] = {}
        self._fits: dict[tuple[object, ...], list[str]] = {}
        self._learnt = False

    def learn(self, forms: Iterable[str]) -> None:
        """Know these words, and generate from now on with the tags that they have."""
        self._analyse(forms)
        self._learnt = True
        self._refuse_mute_generator()

    def _refuse_mute_generator(self) -> None:
        """One that makes none of the words that the analyser knows would only cost foils, without a word."""
        known = [a for readings in self._readings.values() for a in readings if a.pos in ("NOUN", "VERB", "ADJ")]
        if self._generator is None or len(known) < PROBED:
            return
        if not any(self.generate(a.lemma, a.pos, **a.features) for a in known[:PROBED]):
            raise KontrastError(
                f"the lexicon {self.name}: {self._generator.automaton} generates none of {PROBED} words that the "
                f"analyser knows: the file may be incomplete"
            )

    def analyse(self, form: str) -> list[Analysis]:
        if form not in self._readings:
            self._analyse([form])
        return self._readings[form]

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        if self._generator is None:
            return forms_with(self._paradigms.get(lemma, ()), pos, features)
        asked = [(lemma, tags) for tags in self._fitting(pos, features)]
        made = self._generate(asked)
        return list(dict.fromkeys(form for one in asked if (form := made[one])))

    def _fitting(self, pos: str | None, features: dict[str, str]) -> list[str]:
        """The tags known so far that have these features."""
        key = (pos, sum(map(len, self._templates.values())), *features.items())
        if key not in self._fits:
            self._fits[key] = [
                tags
                for kind, templates in self._templates.items()
                if same_class(kind, pos)
                for tags in sorted(templates)
                if fits(_universal(tags)[1], features)
            ]
        return self._fits[key]

    def _analyse(self, forms: Iterable[str]) -> None:
        new = [form for form in dict.fromkeys(forms) if form not in self._readings]
        # A full stop behind each word keeps two of them from being read as one.
        answers = self._analyser.ask([f"{_escaped(form)} ." for form in new])
        for form, answer in zip(new, answers, strict=True):
            self._readings[form] = []
            unit = _UNIT.match(answer)
            for reading in _BETWEEN.split(unit[1])[1:] if unit else ():
                if reading.startswith("*") or "+" in reading:
                    continue  # unknown, or a verb with its clitics
                lemma, _, tags = reading.partition("<")
                pos, features = _universal(f"<{tags}")
                if not self._learnt:
                    self._templates.setdefault(pos, set()).add(f"<{tags}")
                analysis = Analysis(form, lemma.replace("\\", ""), pos, features)
                self._readings[form].append(analysis)
                if self._generator is None:
                    self._paradigms.setdefault(analysis.lemma, []).append(analysis)

    def _generate(self, asked: list[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """The form of each lemma and tags, empty where there is none."""
        new = [one for one in asked if one not in self._made]
        if new and self._generator is not None:
            answers = self._generator.ask([f"^{_escaped(lemma)}{tags}$" for lemma, tags in new])
            for one, form in zip(new, answers, strict=True):
                self._made[one] = "" if _NO_FORM.search(form) else form
        return self._made


def _automaton(pattern: str, code: str) -> Path:
    found = sorted(FOLDER.glob(f"*/{pattern}"), key=lambda path: (len(path.name), path.name))
    if not found:
        raise KontrastError(
            f"the lexicon apertium:{code}: no package of that language is installed "
            f"(apt-cache search apertium-{code.split('_')[0]})"
        )
    return found[0]


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


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


LONGEST = 120
"""Seconds that the program may take for one batch."""
SOON = 5
"""Seconds after which a program that has not answered yet is asked again on its own: is its automaton broken?"""
BATCH = 32_000
"""Bytes that are written before the answer is read: fewer than a pipe holds, so that writing never waits."""


class Transducer:
    """A line out for each line in. The program starts with the first question and ends with this object."""

    def __init__(self, mode: str, automaton: Path) -> None:
        self.mode, self.automaton = mode, automaton
        self._command = ["lt-proc", "-z", mode, str(automaton)]
        self._process: subprocess.Popen[bytes] | None = None
        self._answered = False

    def ask(self, lines: list[str]) -> list[str]:
        found: list[str] = []
        batch: list[bytes] = []
        size = 0
        for line in lines:
            raw = line.replace("\0", " ").encode() + b"\n"
            if batch and size + len(raw) > BATCH:
                found += self._answer(batch)
                batch, size = [], 0
            batch.append(raw)
            size += len(raw)
        return found + self._answer(batch) if batch else found

    def _answer(self, batch: list[bytes]) -> list[str]:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        answer = b""
        try:
            process.stdin.write(b"".join(batch) + b"\0")
            process.stdin.flush()
            while not answer.endswith(b"\0"):
                if not select.select([process.stdout], [], [], SOON if not self._answered else LONGEST)[0]:
                    if self._answered or self._is_broken():
                        raise self._failed("no answer: the file may be incomplete")
                    self._answered = True
                    continue
                part = process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
                if not part:
                    raise self._failed("the program ended")
                answer += part
        except OSError as error:
            raise self._failed(str(error)) from error
        self._answered = True
        found = answer[:-1].decode("utf-8", "replace").split("\n")
        if len(found) < len(batch):
            raise self._failed(f"expected {len(batch)} lines, found {len(found)}")
        return found[: len(batch)]

    def _is_broken(self) -> bool:
        """Whether the program gives no answer either where its input ends: with half a file it says nothing."""
        try:
            done = subprocess.run(
                self._command, input=b"a\n\0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=LONGEST
            )
        except (OSError, subprocess.TimeoutExpired):
            return True
        return b"\0" not in done.stdout

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            except OSError as error:
                raise self._failed(str(error)) from error
            weakref.finalize(self, _end, self._process)
        return self._process

    def _failed(self, why: str) -> KontrastError:
        return KontrastError(f"lt-proc {self.mode} {self.automaton.name} failed ({why})")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()
