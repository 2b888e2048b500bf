"""Prompts for language models behind a server: templates by name, and where the scored text begins and ends."""

from __future__ import annotations

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.template import Template, parse_template
from kontrast.scoring.trie import opening_of

TEMPLATES = {
    "label": "{source_language}: {source}\n{target_language}: {target}\n",
    "translate": "Translate from {source_language} to {target_language}.\n\n{source}\n\nTranslation: {target}\n",
    "question": 'How do you say "{source}" in {target_language}?\nYou say: {target}\n',
}


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
        return opening_of(self.given)


def make_prompt(template: Template, group: Group, target: Target, options: EngineOptions) -> Prompt:
    """A group's source and one target in a template; the target's forced prefix is given, not scored.

    >>> group = Group("A dog. It ran.", (Target("Er lief."),), sentence="It ran.", context=("A dog.",))
    >>> template = parse_template("({context}) {source} => {target}.")
    >>> make_prompt(template, group, group.targets[0], EngineOptions())
    Prompt(given='(A dog.) It ran. => ', scored='Er lief.', end='.')
    """
    return Prompt(template.prompt(group, options) + target.prefix, target.text, template.close(group, options))


def templates(asked: str | None) -> tuple[Template, ...]:
    """Templates from ``--template``: names (``label,question``), or one written out.

    >>> [template.name for template in templates("label,question")]
    ['label', 'question']
    >>> templates("{source} = {target}")[0].name
    'own'
    """
    if not asked:
        asked = "label"
    if "{" in asked:
        return (parse_template(asked),)
    unknown = [name for name in asked.split(",") if name not in TEMPLATES]
    if unknown:
        raise KontrastError(
            f"--template {unknown[0]}: expected names among {', '.join(TEMPLATES)}, or a text with {{source}}"
        )
    return tuple(parse_template(TEMPLATES[name], name=name) for name in dict.fromkeys(asked.split(",")))
