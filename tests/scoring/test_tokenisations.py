"""Other cuts of the same texts: they are the same texts, and what turns round is counted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("torch")

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.errors import KontrastError
from kontrast.flows.tokenisations import _parts, cutting_rule, other_cut, shifts
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine

from .models import make

TARGETS = (Target("Die Katze saß auf der Matte."), Target("Der Katze saß auf der Matte."))
GROUP = Group("The cat sat on the mat.", TARGETS)
OPTIONS = EngineOptions(source_language="en", target_language="de", device="cpu")


@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("name", ["marian", "llama"])
def test_cuts_are_the_same_text_and_cost_what_a_plain_pass_says(name: str, share: bool, tmp_path: Path) -> None:
    options = msgspec.structs.replace(OPTIONS, share=share)
    engine: Any = load_engine(f"hf:{make(name, tmp_path / name)}", options)
    [task] = engine.read([GROUP])
    parts = _parts(engine.tokenizer)
    rule = cutting_rule(task.paths, parts, random.Random("1 0"))
    assert rule, "at least one token is cut"
    names = {number: word for word, number in engine.tokenizer.get_vocab().items()}
    for path in task.paths:
        other = other_cut(path, rule)
        assert "".join(map(names.get, other.labels)) == "".join(map(names.get, path.labels))  # type: ignore[arg-type]
        assert other.inputs[other.forced :] == other.labels[:-1] and other.forced == path.forced
    [(_, rows)] = list(shifts(engine, [GROUP], 2, seed=1))
    import torch

    paths = [task.paths[0], other_cut(task.paths[0], rule)]
    with torch.inference_mode():
        sums = [sum(engine.plain([msgspec.structs.replace(task, paths=[path])])) for path in paths]
    assert rows[0][0] == pytest.approx(sums[1] - sums[0], abs=1e-3)


def test_flips_are_told_and_signed(capsys: pytest.CaptureFixture[str]) -> None:
    suite = kontrast.load("demo:fr?limit=20")
    made = kontrast.score(suite, "tiny", tokenisations=2)
    plain = kontrast.score(suite, "tiny")
    assert made.values == plain.values, "the scores are those of the usual cut"
    assert made.signature is not None
    turned, _, rest = made.signature.details["flips"].partition("/")
    assert rest == "20x2" and 0 <= int(turned) <= 20
    assert f"{turned} of 20 in at least one" in capsys.readouterr().err


def test_what_has_no_tokens_to_cut_is_refused(tmp_path: Path) -> None:
    suite = Suite("s", (Item("1", "x", (Variant("a"), Variant("b"))),), "en", "de")
    (tmp_path / "s.scores").write_text("1\n2\n")
    with pytest.raises(KontrastError, match="only hf: models"):
        kontrast.score(suite, f"file:{tmp_path / 's.scores'}", tokenisations=2)
