"""FlexAttention over the trie, run eagerly here: the numbers of the dense mask, and no block left out that counts."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast.scoring.engines import load_engine
from kontrast.scoring.trie import TokenPath, Trie, ancestors, build_trie, walk_times

from .models import DECODER_ONLY, ENCODER_DECODERS, make
from .test_transformers import GROUPS, OPTIONS

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
flex = pytest.importorskip("kontrast.scoring.engines.transformer.flex")

WITHOUT_DISTANCES = [name for name in ENCODER_DECODERS if name not in ("t5", "mt5")]


@st.composite
def tries(draw: st.DrawFn) -> Trie:
    rows = draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=9), min_size=1, max_size=9))
    return build_trie([TokenPath(tuple(row), (row[-1],)) for row in rows])


@given(tries())
def test_times_of_the_walk_are_the_ancestors(trie: Trie) -> None:
    entered, left = (np.array(times) for times in walk_times(trie))
    sees = (entered[None, :] <= entered[:, None]) & (entered[:, None] < left[None, :])
    assert (sees == ancestors(trie)).all()
    assert sorted(entered) == list(range(len(trie)))


def _dense(sight: Any) -> Any:
    queries, keys = torch.arange(len(sight.time))[:, None], torch.arange(len(sight.entered))[None, :]
    return sight.sees(0, 0, queries, keys)


@settings(deadline=None, max_examples=30)
@given(st.lists(tries(), min_size=1, max_size=60), st.lists(st.integers(1, 40), min_size=60, max_size=60))
def test_every_pair_that_sees_each_other_is_in_a_block(found: list[Trie], lengths: list[int]) -> None:
    batch = flex.flat_tries(found, "cpu")
    source = flex.flat_sources([[1] * length for length in lengths[: len(found)]], "cpu")
    for sight in (
        flex.Sight(batch.entered, batch.entered, batch.left),
        flex.Sight(batch.number, source.number, source.number + 1),
    ):
        computed = sight.blocks().to_dense()[0, 0].bool()
        wide = computed.repeat_interleave(flex.BLOCK, 0).repeat_interleave(flex.BLOCK, 1)
        dense = _dense(sight)
        assert not (dense & ~wide[: dense.shape[0], : dense.shape[1]]).any()


def test_blocks_of_other_groups_are_left_out() -> None:
    """Eight prompts of 512 tokens with variants: nearly all of the square is nobody's."""
    found = [build_trie([TokenPath((*range(512), 600 + k, *range(20)), (0,)) for k in range(4)]) for _ in range(8)]
    batch = flex.flat_tries(found, "cpu")
    blocks = flex.Sight(batch.entered, batch.entered, batch.left).blocks()
    assert blocks.sparsity() > 80


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize("name", [*WITHOUT_DISTANCES, *DECODER_ONLY])
def test_numbers_are_those_of_the_dense_mask(name: str, tmp_path: Path) -> None:
    engine: Any = load_engine(f"hf:{make(name, tmp_path)}", OPTIONS)
    tasks = engine._tasks(GROUPS)
    with torch.inference_mode():
        dense, flat = engine.kind.shared(tasks), engine.kind.flat(tasks)
    assert flat == pytest.approx(dense, abs=1e-5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a compiler")
def test_compiled_kernel_uses_the_blocks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The compiled kernel for processors skips blocks as the one for CUDA does; eagerly they are not looked at."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    chance = random.Random(1)
    found = [
        build_trie([TokenPath((*range(200), *(chance.randrange(9) for _ in range(30))), (0,)) for _ in range(3)])
        for _ in range(3)
    ]
    batch = flex.flat_tries(found, "cpu")
    rows = torch.randn(3 * len(batch.tokens) * 2, 16, generator=torch.Generator().manual_seed(1))
    own = batch.within()
    eager = own.attend(rows, rows, 2, 0.25)
    compiled = torch.compile(flex.kernel("cpu"), dynamic=True)
    monkeypatch.setattr(flex, "kernel", lambda device: compiled)
    with torch.inference_mode():
        assert (own.attend(rows, rows, 2, 0.25) - eager).abs().max() < 1e-5


def test_the_route_comes_first_on_cuda_alone(tmp_path: Path) -> None:
    engine: Any = load_engine(f"hf:{make('llama', tmp_path)}", OPTIONS)
    here = [route.run for route in engine.kind.routes("")]
    engine.kind.place = msgspec.structs.replace(engine.kind.place, device="cuda:0")
    there = [route.run for route in engine.kind.routes("")]
    assert there == [engine.kind.flat, *here] and engine.kind.flat not in here
