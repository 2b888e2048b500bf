"""What an error is: a function from an annotated sentence to candidates, declared by ``@error``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypedDict, TypeVar, Unpack

import msgspec

from kontrast.defaults import ERROR_CONFIDENCE
from kontrast.language.annotation import Sentence, Token

Verdict = bool | str | None
"""What a source says of a candidate: whether it needs the context (None: not known), or why it is left out."""


class Edit(msgspec.Struct, frozen=True, gc=False):
    """A change of the text: characters ``start`` to ``end`` were ``old`` and become ``new``."""

    start: int
    end: int
    old: str
    new: str


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence with one error.

    ``type`` is set where the error's name is known (`run`). ``distance`` is counted in words between the two that the
    error sets at odds. ``words`` are the content words whose training frequency counts (the smallest is reported),
    ``unseen`` those that the training text must not have. ``chain`` says that all mentions of one thing were changed
    together. ``repaired`` is there on a candidate made the plain way of some published sets, with a second error that
    gives the first away: it is the text without that. ``features`` are what the error itself says of it, by stable
    names. ``confidence`` is how likely a reader takes it for a clean error of its type (None: no judge was asked),
    ``reasons`` name what speaks against it. ``needs_context`` says that the source allows it as well as the
    reference, or that only the document tells what is right (None: no source was looked at).
    """

    type: str
    text: str
    edits: tuple[Edit, ...]
    distance: int | None = None
    frequency: int | None = None
    chain: bool = False
    repaired: str | None = None
    confidence: float | None = None
    reasons: tuple[str, ...] = ()
    needs_context: bool | None = None
    words: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    features: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        return self.repaired is not None

    @property
    def is_sure(self) -> bool:
        """Is it chosen by default: sure enough, and not plain?"""
        return not self.plain and self.confidence is not None and self.confidence >= ERROR_CONFIDENCE


Maker = Callable[[Sentence], Iterator[Candidate]]


Takes = Literal["sentence", "words", "lexicon", "dictionary"]


class DeclaredError(msgspec.Struct, frozen=True):
    """What `error` declares of a function, and what its docstring says.

    The docstring has a summary, the conditions in words, and lines ``- BEFORE → AFTER`` (``(nothing)``: it gives no
    candidate), which are tests and appear in the docs. ``source`` says that it needs the source of the sentence.
    ``needs`` is the section of a language's words, or the key in it, without which a general error makes nothing.
    """

    name: str
    kind: str
    of: Takes
    needs: str
    source: bool
    function: Any
    text: str

    @property
    def summary(self) -> str:
        return " ".join(self.text.partition("\n\n")[0].split()).removesuffix(".")

    @property
    def conditions(self) -> str:
        """The paragraphs between summary and examples."""
        parts = self.text.split("\n\n")[1:]
        return "\n\n".join(" ".join(part.split()) for part in parts if not part.startswith("- "))

    @property
    def examples(self) -> tuple[tuple[str, ...], ...]:
        """A sentence and one of the candidates it must give; a sentence alone must give none."""
        rows = (line[2:].split(" → ") for line in self.text.splitlines() if line.startswith("- "))
        return tuple((before,) if after == "(nothing)" else (before, after) for before, after in rows)


Function = TypeVar("Function", bound=Callable[..., Any])


def error(
    kind: str, *, of: Takes = "sentence", needs: str = "", source: bool = False
) -> Callable[[Function], Function]:
    """Declares that a function makes the error of its name: nothing else is to be written anywhere.

    ``kind`` is one of ``[kinds]`` in ``data/mix.toml``. The function takes a sentence; that of a general error also
    the name of the ``language`` (``of="words"``), a ``lexicon``, or both with a dictionary's words.
    """

    def declare(function: Function) -> Function:
        text = inspect.getdoc(function) or ""
        told = DeclaredError(function.__name__, kind, of, needs, source, function, text)
        vars(function)["declared"] = told
        return function

    return declare


class Perturbation(msgspec.Struct, frozen=True):
    """An error of a language: what is declared of it, and the function that makes its candidates."""

    name: str
    language: str
    declared: DeclaredError
    function: Maker

    def candidates(self, sentence: Sentence) -> Iterator[Candidate]:
        """What the function makes, as candidates of this type; nothing where a source is needed and there is none."""
        if self.declared.source and not sentence.source.strip():
            return
        for made in self.function(sentence):
            yield msgspec.structs.replace(made, type=self.name)


Asked = Callable[[Candidate, Sentence, str], Verdict]
"""Asks the source of a sentence in a language about a candidate."""


class ErrorLanguage(msgspec.Struct, frozen=True):
    """What a language's module declares as ``LANGUAGE``: that of its folder here, or of another package's plug-in.

    ``named_only`` are errors made only by name, ``default`` those that `build errors` makes where none is named
    (None: all), ``published`` those of the set ``style``, in its order. ``without`` are general errors that it has
    others for. The rest is what errors and checks for any language ask of one:
    whether a foil has a second fault, whether it has a word (in small letters), the genders that a noun or name may
    have (m, f, n), the edits that set a word in a token's place (None: it cannot stand there), the reading of a
    finite verb beside its subject, and what an English source says of an error (by its name). A language that leaves
    one out is served without it.
    """

    name: str
    named_only: tuple[str, ...] = ()
    default: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    style: str | None = None
    published: tuple[str, ...] = ()
    is_misformed: Callable[[str, str], bool] | None = None
    is_word: Callable[[str], bool] | None = None
    noun_genders: Callable[[Token], set[str]] | None = None
    set_in: Callable[[Sentence, int, str], list[tuple[int, int, str]] | None] | None = None
    finite: Callable[[Token, Token], Token] | None = None
    asked: Mapping[str, Asked] = {}


def flags(**said: bool) -> tuple[str, ...]:
    """The names of what is true, as features of a candidate.

    >>> flags(companion=True, fragment=False)
    ('companion',)
    """
    return tuple(name for name, true in said.items() if true)


def doubts(**said: bool) -> tuple[str, ...]:
    """The names of what speaks against a candidate: each counts until readings tell how much.

    >>> doubts(reported=True, quoted=False)
    ('doubt.reported',)
    """
    return tuple(f"doubt.{name}" for name in flags(**said))


class Said(TypedDict, total=False):
    """What an error says of a candidate (see `Candidate`)."""

    distance: int | None
    words: tuple[str, ...]
    unseen: tuple[str, ...]
    chain: bool
    repaired: str | None
    features: tuple[str, ...]


def candidate(sentence: Sentence, edits: Iterable[tuple[int, int, str]], **said: Unpack[Said]) -> Candidate:
    """The candidate that replaces the characters from start to end by a new text, for each (start, end, new).

    >>> candidate(Sentence("Die Frau lacht.", ()), [(0, 3, "Der")], distance=1).text
    'Der Frau lacht.'
    """
    parts: list[str] = []
    made: list[Edit] = []
    cursor = 0
    for start, end, new in sorted(edits):
        parts += sentence.text[cursor:start], new
        made.append(Edit(start, end, sentence.text[start:end], new))
        cursor = end
    return Candidate("", "".join(parts) + sentence.text[cursor:], tuple(made), **said)
