"""Python is the command line's twin: every command has a function, and a test that compares both."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import msgspec
import pytest

import kontrast
from kontrast.cli import COMMANDS
from kontrast.cli import kontrast as cli

from .making import TWINS


def commands(group: click.Group, before: str = "") -> Iterator[str]:
    """Every command that can be called, with the group it is in; hidden ones are not for users."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from commands(found, f"{before}{name} ")
        elif found is not None and not found.hidden:
            yield before + name


def test_every_command_has_a_twin() -> None:
    for path in Path(__file__).parent.glob("test_twin_*.py"):
        importlib.import_module(f"{__package__}.{path.stem}")
    assert set(commands(cli)) == TWINS
    assert {name.split()[0] for name in TWINS} == set(COMMANDS)


@pytest.mark.parametrize(
    "call",
    [
        lambda scores: kontrast.score("demo:fr", "command:none", contxt="prev:1"),  # type: ignore[call-arg]
        lambda scores: kontrast.preview("demo:fr", contxt="prev:1"),  # type: ignore[call-arg]
        lambda scores: kontrast.translate("demo:fr", "command:none", beam=4),  # type: ignore[call-arg]
        lambda scores: kontrast.metrics("demo:fr", "chrF", reference=[scores]),  # type: ignore[call-overload]
        lambda scores: kontrast.evaluate("demo:fr", scores, tie="wrong"),  # type: ignore[call-overload]
        lambda scores: kontrast.artefacts("demo:fr", scores, devise="cpu"),  # type: ignore[call-arg]
        lambda scores: kontrast.cues("demo:fr", "command:none", sid="source"),  # type: ignore[call-arg]
        lambda scores: kontrast.memory("demo:fr", "command:none", tread=1),  # type: ignore[call-arg]
        lambda scores: kontrast.context("demo:fr", without=scores, given=scores, sid="both"),  # type: ignore[call-arg]
        lambda scores: kontrast.build_errors(scores, scores, evry=True),
        lambda scores: kontrast.generalise([(0.0, scores, scores)], resample=3),  # type: ignore[call-overload]
    ],
)
def test_a_misspelt_option_is_refused(call: Callable[[Path], object], folder: Path) -> None:
    """Not passed over: the score of another question would look like the answer."""
    with pytest.raises(TypeError, match="argument"):
        call(folder / "a.scores")


@pytest.mark.parametrize(
    "name", ["Context", "EngineOptions", "Store", "GateConfig", "Evaluation", "Comparison", "Report"]
)
def test_records_are_importable(name: str) -> None:
    assert isinstance(getattr(kontrast, name), type)


def test_results_become_frames_and_tables(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    evaluation = kontrast.evaluate("demo:fr", folder / "a.scores", by="distance")
    frame = evaluation.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    groups = [group for breakdown in evaluation.by for group in breakdown.groups]
    assert list(frame["accuracy"])[1:] == [group.accuracy for group in groups]
    assert frame["interval_low"].notna().all()
    html = evaluation._repr_html_()
    assert html.count("<tr>") == len(groups) + 2 and f"{100 * evaluation.accuracy:.1f}%" in html
    suite = kontrast.load("demo:fr")
    assert len(suite.to_pandas()) == suite.row_count
    assert len(suite) == len(list(suite)) and suite[3:5].items == suite.items[3:5] and suite[-1] is suite.items[-1]
    assert repr(suite) == f"Suite('demo-fr', en-fr, {len(suite)} items)"
    evil = kontrast.Suite("<script>", (kontrast.Item("1", "<b>", (kontrast.Variant("a"), kontrast.Variant("b"))),))
    assert "<script>" not in evil._repr_html_() and "<b>1" not in evil._repr_html_()
    assert msgspec.json.encode(evaluation) == msgspec.json.encode(
        msgspec.convert(evaluation.to_dict(), kontrast.Evaluation)
    )
