"""Prompt and source templates: the one place that knows their fields, for every engine.

``{source}``, ``{context}``, ``{source_language}``, ``{target_language}`` and, where the model reads its target in the
same text, ``{target}``. ``{{`` and ``}}`` are braces. Anything else in braces is refused before the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import decode
from kontrast.io.toml_input import read_toml
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.languages import language_name, own_mark, require_code, split_mark

FIELDS = ("source", "context", "source_language", "target_language", "target")
_PIECES = re.compile(r"(\{\{|\}\}|\{[^{}]*\}|[{}])")
Pieces = tuple[tuple[str, str], ...]


class Template(msgspec.Struct, frozen=True):
    """A template taken apart: what is given before the target, and what closes it. Pieces are (text, field)."""

    name: str
    text: str
    given: Pieces
    closing: Pieces = ()
    has_target: bool = False

    def render(self, group: Group, options: EngineOptions) -> str:
        r"""What the model reads before the target. Without ``{context}``, ``{source}`` has the context too.

        >>> group = Group("Hi. It rains.", (), sentence="It rains.", context=("Hi.",))
        >>> options = EngineOptions(source_language="en", target_language="de")
        >>> parse_template("{source_language}: {source}\n{target_language}: ").render(group, options)
        'English: Hi. It rains.\nGerman: '
        >>> parse_template("({context}) {source} = {target}.").render(group, options)
        '(Hi.) It rains. = '
        """
        return self._fill(self.given, group, options)

    def prompt(self, group: Group, options: EngineOptions) -> str:
        """The examples with their translations, each closed, then what the model reads before the target."""
        closing = self.close(group, options) or "\n"
        shown = (self.render(Group(source, (), source), options) + t + closing for source, t in options.examples)
        return "".join(shown) + self.render(group, options)

    def close(self, group: Group, options: EngineOptions) -> str:
        """What stands after ``{target}``."""
        return self._fill(self.closing, group, options)

    def uses(self, field: str) -> bool:
        return any(field == name for _, name in self.given + self.closing)

    def check_languages(self, options: EngineOptions) -> None:
        """Refuse a template that names a language which nobody has given."""
        for field in ("source_language", "target_language"):
            if self.uses(field) and getattr(options, field) is None:
                raise KontrastError(f"the template contains {{{field}}}: give --{field.replace('_', '-')} CODE")

    def _fill(self, pieces: Pieces, group: Group, options: EngineOptions) -> str:
        values = {
            "": "",
            "source": (group.sentence or group.source) if self.uses("context") else group.source,
            "context": "\n".join(group.context),
            "source_language": language_name(options.source_language),
            "target_language": language_name(options.target_language),
        }
        return "".join(text + values[field] for text, field in pieces)


def parse_template(text: str, *, name: str = "own", target: bool = True) -> Template:
    """Take a template apart. ``target`` says whether the model reads its target in the same text.

    >>> parse_template("{sorce}")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: --template: {sorce} is not a field; expected {source}, {context}, \
{source_language}, {target_language}, {target} ({{ and }} for braces)
    >>> parse_template("{{x}} {source}").given
    (('{x} ', 'source'),)
    """
    fields = FIELDS if target else FIELDS[:-1]
    literal, pieces, closing = "", [], None
    for piece in _PIECES.split(text):
        if piece in ("{{", "}}"):
            literal += piece[0]
        elif piece[:1] not in ("{", "}"):
            literal += piece
        elif (field := piece[1:-1]) not in fields or piece in "{}":
            raise KontrastError(
                f"--template: {piece} is not a field; expected {', '.join(f'{{{f}}}' for f in fields)} "
                "({{ and }} for braces)"
            )
        elif field != "target":
            pieces.append((literal, field))
            literal = ""
        elif closing is not None:
            raise KontrastError("--template: expected {target} once, found it twice")
        else:
            closing, pieces, literal = [*pieces, (literal, "")], [], ""
    pieces.append((literal, ""))
    given, closing = (pieces, []) if closing is None else (closing, pieces)
    made = Template(name, text, _tight(given), _tight(closing), has_target=bool(closing))
    if not any(field == "source" for _, field in made.given):
        raise KontrastError("--template: expected {source}" + (" before {target}" if made.uses("source") else ""))
    return made


def prompt_texts(part: str) -> dict[str, Any]:
    """What models are asked, from ``data/prompts.toml``."""
    return dict(read_toml(Path(__file__).parents[1] / "data" / "prompts.toml")[part])


def conversation(turns: Iterable[tuple[str, str]], question: str, system: str = "") -> list[dict[str, str]]:
    """Messages of a chat: what was asked and answered before, and the question.

    >>> [message["role"] for message in conversation([("a", "b")], "c", "Be brief.")]
    ['system', 'user', 'assistant', 'user']
    """
    said = [("system", system)] if system else []
    for asked, answer in turns:
        said += [("user", asked), ("assistant", answer)]
    return [{"role": role, "content": content} for role, content in (*said, ("user", question))]


def fill(text: str, values: Mapping[str, str]) -> str:
    """A question with its fields filled in; anything else in braces is refused.

    >>> fill("{source} {{x}}", {"source": "It rains."})
    'It rains. {x}'
    """
    made = ""
    for piece in _PIECES.split(text):
        if piece in ("{{", "}}"):
            made += piece[0]
        elif piece[:1] not in ("{", "}"):
            made += piece
        elif piece[1:-1] not in values or piece in "{}":
            known = ", ".join(f"{{{field}}}" for field in values)
            raise KontrastError(f"--template: {piece} is not a field; expected {known} ({{{{ and }}}} for braces)")
        else:
            made += values[piece[1:-1]]
    return made


def source_template(text: str | None, options: EngineOptions) -> Template:
    """The template of a model that reads its source alone; the source itself where none is given."""
    made = parse_template("{source}" if text is None else text, target=False)
    made.check_languages(options)
    return made


def marked_template(options: EngineOptions, vocabulary: Iterable[str]) -> tuple[Template, str]:
    """The template of a Marian model, and the language mark that it begins with.

    Where the vocabulary has marks (``>>de<<``) it begins with that of the target language, or with one that the
    user's own template has.
    """
    mark, marks = own_mark(vocabulary, options.target_language)
    given = options.template
    if given is None and marks:
        given = escape(mark or require_code(options.target_language, marks, "--target-language")) + " {source}"
    used = split_mark(given or "")[0]
    if marks and used not in marks.values():
        raise KontrastError(f"--template: the model needs a language mark first ({next(iter(marks.values()))} …)")
    return source_template(given, options), used


def escape(text: str) -> str:
    """A text that stands for itself in a template.

    >>> escape("{a}")
    '{{a}}'
    """
    return text.replace("{", "{{").replace("}", "}}")


def template_text(given: str | None) -> str | None:
    r"""What ``--template`` means: ``@FILE`` is the file's text as it is, else ``\n`` in it is a new line.

    >>> template_text(r"{source}\n= ")
    '{source}\n= '
    """
    if given is None or not given:
        return None
    if given.startswith("@"):
        return files.read_text(given[1:])
    return given.replace("\\n", "\n")


def read_examples(given: str | Path | Sequence[tuple[str, str]], shots: int | None) -> tuple[tuple[str, str], ...]:
    """Pairs of source and translation from a file: with a tab, or JSON lines with ``source`` and ``target``."""
    if not isinstance(given, str | Path):
        pairs = list(given)
    else:
        pairs = [_pair(given, n, line) for n, line in enumerate(files.read_lines(given), start=1) if line.strip()]
    if shots is not None and shots > len(pairs):
        raise KontrastError(f"--shots {shots}: --examples has only {len(pairs)}")
    if not pairs:
        raise KontrastError("--examples: expected at least one example, found none")
    return tuple(pairs if shots is None else pairs[:shots])


class _Example(msgspec.Struct):
    source: str
    target: str


def _pair(path: str | Path, number: int, line: str) -> tuple[str, str]:
    if line.startswith("{"):
        found = decode(msgspec.json.Decoder(_Example), line, path, number, "source and target")
        return found.source, found.target
    parts = line.split("\t")
    if len(parts) != 2 or not all(part.strip() for part in parts):
        raise InputError(path, f"expected SOURCE TAB TRANSLATION, found {len(parts)} columns", line=number)
    return parts[0].strip(), parts[1].strip()


def _tight(pieces: list[tuple[str, str]]) -> Pieces:
    return tuple(piece for piece in pieces if piece != ("", ""))
