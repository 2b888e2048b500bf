"""An option has one name: that of its keyword in Python is among its spellings on the command line."""

from __future__ import annotations

import inspect

import click
import pytest

import kontrast
from kontrast.cli import kontrast as cli

FUNCTIONS = {
    name: getattr(kontrast, name)
    for name in (
        *("artefacts", "check", "compare", "context", "cues", "evaluate", "items", "memory", "metrics", "report"),
        *("score", "shorten", "translate", "count", "split", "lint"),
    )
}
COMMAND_ONLY = {
    "as_json": "prints",
    "as_list": "prints",
    "every": "prints",
    "figures": "save_figures",
    "dry_run": "preview",
    "show": "preview",
    "tokens": "preview",
    "style": "evaluate_original",
}
"""Options that the function of the same name does not take, and what they belong to."""


def _command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_options_have_the_names_of_keywords(name: str) -> None:
    from kontrast.testsets.originals import original_options

    known = {*inspect.signature(FUNCTIONS[name]).parameters, *COMMAND_ONLY}
    known |= set(original_options()) if name == "evaluate" else set()
    known |= {"out"} if name in ("score", "report") else set()  # written by write_scores and save_report
    for each in _command(name).params:
        if isinstance(each, click.Option) and each.expose_value and each.name not in COMMAND_ONLY:
            assert each.name in known, each.opts
            spelled = {spelling.lstrip("-").replace("-", "_") for spelling in each.opts}
            assert each.name in spelled, each.opts
