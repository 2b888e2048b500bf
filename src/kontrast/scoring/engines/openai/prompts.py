"""Prompts for language models: templates with named fields, and where in them the scored text begins and ends."""

from __future__ import annotations

import re

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import Group, Target
from kontrast.scoring.languages import language_name

__all__ = ["TEMPLATES", "Prompt", "Template", "templates"]

TEMPLATES = {
    "label": "{source_language}: {source}\n{target_language}: {target}\n",
    "translate": "Translate from {source_language} to {target_language}.\n\n{source}\n\nTranslation: {target}\n",
    "question": 'How do you say "{source}" in {target_language}?\nYou say: {target}\n',
}

FIELDS = ("source", "context", "source_language", "target_language", "target")


class Prompt(msgspec.Struct, frozen=True, gc=False):
    """What is read (``given``), what is scored (``scored``), and the end that closes it."""

    given: str
    scored: str
    end: str = ""

    @property
    def whole(self) -> str:
        return self.given + self.scored + self.end

    @property
    def opening(self) -> str:
        """The given text without blanks at its end: those belong to the first scored token of most tokenizers."""
        return self.given.rstrip(" ")


class Template(msgspec.Struct, frozen=True):
    """A template by name; fields are {source}, {context}, {source_language}, {target_language} and {target}.

    Without {context} in it, {source} has the context too. What follows {target} closes it and is scored.
    """

    name: str
    text: str

    def fill(self, group: Group, target: Target, source_language: str, target_language: str) -> Prompt:
        """Put a group's source and one target in; the target's forced prefix is given, not scored.

        >>> group = Group("A dog. It ran.", (Target("Er lief."),), sentence="It ran.", context=("A dog.",))
        >>> Template("t", "({context}) {source} => {target}.").fill(group, group.targets[0], "en", "de")
        Prompt(given='(A dog.) It ran. => ', scored='Er lief.', end='.')
        """
        before, _, after = self.text.partition("{target}")
        sentence = group.sentence or group.source
        fields = {
            "source": sentence if "{context}" in self.text else group.source,
            "context": "\n".join(group.context),
            "source_language": language_name(source_language),
            "target_language": language_name(target_language),
        }
        given, end = (re.sub(r"\{(\w+)\}", lambda m: fields[m[1]], part) for part in (before, after))
        return Prompt(given + target.prefix, target.text, end)


def templates(asked: str | None) -> tuple[Template, ...]:
    r"""Templates from ``--template``: names (``label,question``), or one written out; ``\n`` is a new line.

    >>> [template.name for template in templates("label,question")]
    ['label', 'question']
    >>> templates(r"{source}\n= {target}")[0].text
    '{source}\n= {target}'
    """
    if not asked:
        return (Template("label", TEMPLATES["label"]),)
    if "{" not in asked:
        unknown = [name for name in asked.split(",") if name not in TEMPLATES]
        if unknown:
            raise KontrastError(
                f"--template {unknown[0]}: expected names among {', '.join(TEMPLATES)}, or a text with {{source}}"
            )
        return tuple(Template(name, TEMPLATES[name]) for name in dict.fromkeys(asked.split(",")))
    text = asked.replace("\\n", "\n")
    wrong = [field for field in re.findall(r"\{(\w*)\}", text) if field not in FIELDS]
    if wrong or "{source}" not in text:
        what = f"unknown field {{{wrong[0]}}}" if wrong else "no field {source}"
        raise KontrastError(f"--template: {what}; fields are {', '.join(f'{{{field}}}' for field in FIELDS)}")
    return (Template("own", text if "{target}" in text else text + " {target}"),)
