"""Prompts for language models behind a server: templates by name, the scored text, how much the template matters.

A translation is asked for as a chat with examples and earlier sentences as turns, or as the completion of a prompt.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.template import Template, conversation, parse_template, prompt_texts
from kontrast.scoring.translator import Decoding
from kontrast.scoring.trie import opening_of
from kontrast.suites.model import TokenScores

TEMPLATES = prompt_texts("template")
ASKED, WITH_CONTEXT, SENTENCES = prompt_texts("translate").values()


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


class Spread(msgspec.Struct):
    """Collected over groups: variance of the contrasts between templates, and how often the best variant differs."""

    names: tuple[str, ...]
    groups: int = 0
    disagreed: int = 0
    with_mean: dict[str, int] = msgspec.field(default_factory=dict)
    variances: list[float] = msgspec.field(default_factory=list)

    def add(self, totals: Sequence[Sequence[float]]) -> None:
        """Totals by template and target of one group. Each is taken from its template's mean: contrasts, not levels.

        >>> spread = Spread(("a", "b"))
        >>> spread.add([[-1.0, -3.0], [-4.0, -2.0]])
        >>> spread.disagreed, spread.variances
        (1, [1.0, 1.0])
        """
        if len(totals) < 2 or len(totals[0]) < 2:
            return
        centred = [[value - statistics.fmean(row) for value in row] for row in totals]
        self.variances += [statistics.pvariance(column) for column in zip(*centred, strict=True)]
        best = [max(range(len(row)), key=row.__getitem__) for row in totals]
        means = [statistics.fmean(column) for column in zip(*totals, strict=True)]
        overall = max(range(len(means)), key=means.__getitem__)
        self.groups += 1
        self.disagreed += len(set(best)) > 1
        for name, choice in zip(self.names, best, strict=True):
            self.with_mean[name] = self.with_mean.get(name, 0) + (choice == overall)

    @property
    def variance(self) -> float:
        """Mean variance between templates of a variant's log-probability, relative to its group."""
        return statistics.fmean(self.variances) if self.variances else 0.0

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {self.with_mean.get(name, 0) / max(self.groups, 1):.1%}" for name in self.names)
        return (
            f"templates: variance of a variant's contrast between them {self.variance:.3g} (standard deviation "
            f"{self.variance**0.5:.3g}); best variant differs in {self.disagreed} of {self.groups} groups; "
            f"agreement with the mean: {shares}"
        )


def mean_of(rows: Sequence[TokenScores]) -> TokenScores:
    """Mean over templates, token by token where all cut the target alike, else of the totals.

    >>> mean_of([TokenScores(("a", "b"), (-1.0, -2.0)), TokenScores(("a", "b"), (-3.0, -2.0))])
    TokenScores(tokens=('a', 'b'), logprobs=(-2.0, -2.0))
    """
    if len(rows) == 1:
        return rows[0]
    if len({row.tokens for row in rows}) == 1:
        columns = zip(*(row.logprobs for row in rows), strict=True)
        return TokenScores(rows[0].tokens, tuple(statistics.fmean(column) for column in columns))
    return TokenScores(("".join(rows[0].tokens),), (statistics.fmean(sum(row.logprobs) for row in rows),))


def messages(group: Group, options: EngineOptions, template: Template | None, system: str) -> list[dict[str, str]]:
    """The conversation: examples, earlier sentences with the system's translations, the sentence itself."""

    def question(source: Group) -> str:
        chosen = template or parse_template(WITH_CONTEXT if source.context else ASKED)
        return chosen.render(source, options).rstrip()

    turns = [(question(Group(source, (), source)), target) for source, target in (*options.examples, *group.history)]
    bare = msgspec.structs.replace(group, source=group.sentence, context=()) if group.history else group
    return conversation(turns, question(bare), system)


def prompt_of(group: Group, options: EngineOptions, template: Template) -> str:
    """The text that a completion goes on from: examples, the source, the forced beginning."""
    return opening_of(template.prompt(group, options) + "".join(target.prefix for target in group.targets[:1]))


def search_fields(decoding: Decoding) -> dict[str, Any]:
    """The search in the words of the protocol; a server has no beams."""
    if (decoding.beams or 1) > 1 or decoding.length_penalty is not None:
        raise KontrastError("--beams and --length-penalty: the OpenAI protocol does not have them; leave them out")
    asked: dict[str, Any] = {"temperature": decoding.temperature, "max_tokens": decoding.max_length}
    if decoding.samples:
        asked |= {"seed": decoding.seed}
        asked |= {"top_p": decoding.top_p} if decoding.top_p is not None else {}
        asked |= {"top_k": decoding.top_k} if decoding.top_k is not None else {}
    if decoding.repetition_penalty is not None:
        asked["repetition_penalty"] = decoding.repetition_penalty
    return asked
