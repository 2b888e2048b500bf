"""The model inside the package, read without Transformers, is the model that Transformers reads, to the bit."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kontrast import KontrastError, bundled
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines.hf import TINY, TINY_FACTS, engine_of, load
from kontrast.scoring.engines.transformer.embedded import EmbeddedEngine, MarianPieces, MarianWeights
from kontrast.scoring.engines.transformer.engine import TransformerEngine
from kontrast.scoring.translator import Decoding

pytest.importorskip("transformers")

ODD = [
    "",
    " ",
    "a</s>b",
    "<unk>",
    "x <pad> y",
    "<SEP>",
    "a <SEP> b",
    ">>de<< Hund",
    ">>de<<",
    ">>xx<< a",
    ">> a << b",
]
ODD += [
    "<s>",
    "</S>",
    "\u2028",
    "\u200d🙂",
    "한국어",
    "ﬁ ½",
    "a\tb\nc",
    "  two  blanks  ",
    "\0",
    ">>de",
    "a >>de<< b",
]


@pytest.fixture(scope="module")
def whole() -> tuple[Any, Any]:
    from kontrast.scoring.engines.transformer.loading import load_pretrained

    return load_pretrained(str(TINY))


def _options(language: str) -> EngineOptions:
    return EngineOptions(source_language="en", target_language=language)


def _groups(language: str) -> list[Group]:
    items = bundled(f"demo:{language}").items
    return [Group(item.source, tuple(Target(variant.text) for variant in item.variants)) for item in items[:120]]


def test_the_same_token_ids(whole: tuple[Any, Any]) -> None:
    own, theirs = MarianPieces(TINY), whole[1]
    items = [item for language in ("de", "fr") for item in bundled(f"demo:{language}").items]
    sources = [f">>de<< {item.source}" for item in items] + ODD
    targets = [variant.text for item in items for variant in item.variants] + ODD
    assert own(sources)["input_ids"] == theirs(sources)["input_ids"]
    assert own(text_target=targets)["input_ids"] == theirs(text_target=targets)["input_ids"]
    bare = {"text_target": targets, "add_special_tokens": False}
    assert own(**bare)["input_ids"] == theirs(**bare)["input_ids"]
    # texts in which nothing special is written out do not ask Transformers
    fresh = MarianPieces(TINY)
    plain = [text for text in targets if not any(mark in text for mark in ("</s>", "<pad>", "<unk>"))]
    assert len(plain) > len(targets) - 5
    assert fresh(text_target=plain)["input_ids"] == theirs(text_target=plain)["input_ids"]
    assert "_whole" not in vars(fresh)
    assert own.get_vocab() == theirs.get_vocab()
    assert [own.convert_ids_to_tokens(n) for n in range(4003)] == [
        theirs.convert_ids_to_tokens(n) for n in range(4003)
    ]
    names = ("bos", "eos", "pad", "unk", "cls", "mask", "sep")
    assert all(getattr(own, f"{n}_token_id", None) == getattr(theirs, f"{n}_token_id", None) for n in names)


def test_the_same_weights(whole: tuple[Any, Any]) -> None:
    import torch

    own, theirs = MarianWeights(TINY), whole[0]
    assert torch.equal(own.model.encoder.embed_positions.weight, theirs.model.encoder.embed_positions.weight)
    stored = theirs.state_dict()
    assert all(torch.equal(weight, stored[name]) for name, weight in own._weights.items())


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_same_scores_and_fingerprint(whole: tuple[Any, Any], language: str) -> None:
    import torch

    options, groups = _options(language), _groups(language)
    own, theirs = load("kontrast-tiny", options), engine_of(*whole, options, "kontrast-tiny", TINY)
    assert isinstance(own, EmbeddedEngine)
    assert isinstance(theirs, TransformerEngine)
    assert own.facts() == theirs.facts(), "run tools/tiny_facts.py"
    assert own.identify() == theirs.identify()
    assert (own.details, own.supports) == (theirs.details, theirs.supports)
    for engine in (own, theirs):
        engine.prepare(groups)
    assert own.supports.sharing
    tasks = [theirs.read(groups)[number] for number in (0, 50, 119)]
    with torch.inference_mode():
        assert own.plain(tasks) == pytest.approx(theirs.plain(tasks), abs=1e-4)
    assert dict(own.score(groups)) == dict(theirs.score(groups))


def test_a_translation_is_that_of_transformers(whole: tuple[Any, Any]) -> None:
    options, groups = _options("de"), _groups("de")[:4]
    own, theirs = load("kontrast-tiny", options), engine_of(*whole, options, "kontrast-tiny", TINY)
    assert isinstance(own, EmbeddedEngine)
    assert isinstance(theirs, TransformerEngine)
    assert dict(own.translate(groups, Decoding())) == dict(theirs.translate(groups, Decoding()))


def test_what_is_not_shared_or_not_single_precision_is_read_by_transformers() -> None:
    import msgspec

    for change in ({"share": False}, {"dtype": "bfloat16"}):
        engine = load("kontrast-tiny", msgspec.structs.replace(_options("de"), **change))
        assert not isinstance(engine, EmbeddedEngine)


def test_scoring_does_not_import_transformers() -> None:
    code = (
        "import sys, kontrast; from kontrast import Item, Suite, Variant\n"
        "item = Item('1', 'A dog sleeps.', (Variant('Ein Hund schläft.'), Variant('Ein Hund schlafen.')))\n"
        "print(len(kontrast.score(Suite('s', (item,), 'en', 'de'), 'tiny').values))\n"
        "print([name for name in ('transformers', 'torch._dynamo', 'sympy', 'sacremoses') if name in sys.modules])\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split("\n")[:2] == ["2", "[]"]


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "vocab.json", "source.spm"])
def test_a_damaged_file_is_one_line(tmp_path: Path, file: str) -> None:
    folder = tmp_path / "kontrast-tiny"
    shutil.copytree(TINY, folder)
    (folder / file).write_bytes((folder / file).read_bytes()[:700])
    with pytest.raises(KontrastError, match=r"^--model kontrast-tiny: cannot be loaded \([^\n]+\)$"):
        EmbeddedEngine(folder, TINY_FACTS, _options("de"), "kontrast-tiny")
