"""One default for each option that several commands share."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from kontrast.cli import kontrast
from kontrast.defaults import LEVEL, RESAMPLES, SEED


def commands(group: click.Command = kontrast, path: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    if not isinstance(group, click.Group):
        yield path, group
        return
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield from commands(found, f"{path} {name}".strip())


def defaults(option: str) -> dict[str, object]:
    return {
        path: parameter.default
        for path, command in commands()
        for parameter in command.params
        if isinstance(parameter, click.Option) and option in parameter.opts
    }


@pytest.mark.parametrize(("option", "value", "least"), [("--seed", SEED, 10), ("--level", LEVEL, 3)])
def test_one_default(option: str, value: object, least: int) -> None:
    found = defaults(option)
    assert len(found) >= least and {str(each) for each in found.values()} == {str(value)}, found


def test_one_default_for_resamples_of_decisions() -> None:
    found = defaults("--resamples")
    # Corpus metrics such as BLEU are resampled as sacreBLEU does it, 1,000 times.
    assert found.pop("generalise") == 1000
    assert {"compare", "report", "metrics"} <= found.keys() and set(found.values()) == {RESAMPLES}, found
