"""How context and sentence become one text: known concatenation schemes, and a project's own from its config."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.toml_input import from_toml, read_toml

_NAME = re.compile(r"[\w-]*")


class Scheme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A separator between sentences, or a template with the fields ``{context}`` and ``{sentence}``.

    ``joiner`` stands between the sentences of the context (default: the separator). With ``keep_empty`` the
    separator stays where there is no context, as some models were trained.

    >>> SCHEMES["sep"].render(("Hi.", "Look!"), "It rains.")
    ('Hi. <SEP> Look! <SEP> ', 'It rains.', '')
    >>> Scheme(template="[{context}] {sentence}").render(("Hi.",), "It rains.")
    ('[Hi.] ', 'It rains.', '')
    >>> SCHEMES["sep"].render((), "It rains.", after=("Yes.",))
    ('', 'It rains.', ' <SEP> Yes.')
    """

    separator: str = " "
    joiner: str | None = None
    template: str | None = None
    keep_empty: bool = False

    @property
    def mark(self) -> str:
        """The separator without blanks: a token that a model was trained with, or nothing.

        >>> SCHEMES["sep"].mark, SCHEMES["space"].mark
        ('<SEP>', '')
        """
        return "" if self.template is not None else self.separator.strip()

    def joined(self, sentences: tuple[str, ...]) -> str:
        """Several sentences as one text, none of them the current one."""
        return (self.separator if self.joiner is None else self.joiner).join(sentences)

    def render(self, before: tuple[str, ...], sentence: str, after: tuple[str, ...] = ()) -> tuple[str, str, str]:
        """(what comes before, the sentence, what comes after)."""
        joiner = self.separator if self.joiner is None else self.joiner
        if self.template is not None and (before or self.keep_empty):
            head, _, tail = self.template.partition("{sentence}")
            return head.replace("{context}", joiner.join(before)), sentence, tail
        head = joiner.join(before) + self.separator if before or self.keep_empty else ""
        tail = self.separator + joiner.join(after) if after else ""
        return head, sentence, tail


SCHEMES = {
    "space": Scheme(" "),
    "sep": Scheme(" <SEP> "),
    "sep-always": Scheme(" <SEP> ", keep_empty=True),
    "break": Scheme(" <BREAK> "),
    "brk": Scheme(" <brk> "),
    "eos": Scheme(" _eos "),
    "newline": Scheme("\n"),
}
"""``eos`` is the consistency sets' ``_eos``, ``sep`` ContraPro's rows, ``break`` and ``brk`` concatenation models."""


def load_scheme(name: str, config: str | Path | None = None) -> Scheme:
    """A preset, the table ``[context.NAME]`` of ``kontrast.toml`` (which may redefine a preset), or a separator.

    What is no plain name is the separator itself, as it is.

    >>> load_scheme("eos").separator, load_scheme(" [CTX] ").separator
    (' _eos ', ' [CTX] ')
    """
    path = Path(config) if config is not None else Path("kontrast.toml")
    if config is not None or path.exists():
        tables = read_toml(path).get("context", {})
        if name in tables:
            scheme = from_toml(path, tables[name], Scheme)
            if scheme.template is not None and "{sentence}" not in scheme.template:
                raise InputError(path, f"[context.{name}]: expected {{sentence}} in the template")
            return scheme
    if name not in SCHEMES and not _NAME.fullmatch(name):
        return Scheme(name)
    if name not in SCHEMES:
        raise KontrastError(f"--scheme {name}: expected one of {', '.join(SCHEMES)}, or [context.{name}] in {path}")
    return SCHEMES[name]
