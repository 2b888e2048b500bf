"""The options of the splitting family: one name in the command, in Python and in the record."""

from __future__ import annotations

import inspect
from typing import Any

import click
import pytest

import kontrast
from kontrast.cli import kontrast as program
from kontrast.options import declared
from kontrast.splitting.options import CountOptions, ExportOptions, Filters, SentenceFilter, SplitOptions

RECORDS = {"count": (CountOptions, Filters, SentenceFilter), "split": (SplitOptions, ExportOptions)}
NOT_A_KEYWORD = {"as_json", "help"}
ARGUMENTS = {"folder": "counts"}


def _options(name: str) -> dict[str, click.Parameter]:
    command = program.get_command(click.Context(program), name)
    assert command is not None
    return {param.name: param for param in command.params if param.name and param.name not in NOT_A_KEYWORD}


@pytest.mark.parametrize("name", ["count", "split", "divergence", "generalise"])
def test_an_option_has_its_name_in_python(name: str) -> None:
    known = inspect.signature(getattr(kontrast, name)).parameters
    if name == "generalise":
        known = {**known, **dict.fromkeys(("counts", "corpus", "translation", "outputs", "alignment", "dictionary"))}  # type: ignore[dict-item]
    for own, param in _options(name).items():
        if isinstance(param, click.Option):
            assert own in known
            assert f"--{own.replace('_', '-')}" in param.opts
        else:
            assert ARGUMENTS.get(own, own) in known


@pytest.mark.parametrize("name", RECORDS)
def test_every_declared_field_is_an_option_and_a_keyword(name: str) -> None:
    fields = {field: each for record in RECORDS[name] for field, each in declared(record).items()}
    keywords, options = inspect.signature(getattr(kontrast, name)).parameters, _options(name)
    assert fields.keys() <= keywords.keys() and fields.keys() <= options.keys()
    for field, each in fields.items():
        assert keywords[field].default == each.default
        assert isinstance(options[field], click.Option)


@pytest.mark.parametrize("given", [{"efort": "fast"}, {"atom_wieght": 1}, {"nothing": 1}])
def test_a_misspelt_keyword_is_an_error(given: dict[str, Any], tmp_path: Any) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        kontrast.split(tmp_path, **given)
