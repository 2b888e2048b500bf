"""Twins of splitting: the function gives what the command prints or writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kontrast

from .making import Command, agree, calls, twin


class Out:
    """Counts beside the folder that the command names."""

    def __init__(self, out: str, counts: kontrast.CorpusCounts) -> None:
        self.out, self.counts = out, counts

    def to_dict(self) -> dict[str, Any]:
        return {"out": self.out, **self.counts.to_dict()}


CALLS = calls(
    {
        "count": (
            "count trees.conllu --out new.counts --relations nsubj --min-tokens 2 --no-duplicates",
            lambda: Out(
                "new.counts", kontrast.count("trees.conllu", relations=["nsubj"], min_tokens=2, no_duplicates=True)
            ),
        ),
        "count with a function": (
            "count trees.conllu --out own.counts --features features.py:words",
            lambda: Out("own.counts", kontrast.count("trees.conllu", features="features.py:words")),
        ),
        "divergence": (
            "divergence counts --train train.ids --test test.ids --top 2",
            lambda: kontrast.divergence("counts", "train.ids", "test.ids", top=2),
        ),
        "divergence of two corpora": (
            "divergence counts --against counts --pretraining counts",
            lambda: kontrast.divergence("counts", against="counts", pretraining=["counts"]),
        ),
        "generalise": (
            "generalise --at 0 ref.txt low.txt --at 1 ref.txt high.txt --resamples 20",
            lambda: kontrast.generalise([(0.0, "ref.txt", "low.txt"), (1.0, "ref.txt", "high.txt")], resamples=20),
        ),
        "generalise by length": (
            "generalise --at 0 ref.txt low.txt --at 1 ref.txt high.txt --resamples 20"
            " --by length --metric chrF2,BLEU",
            lambda: kontrast.generalise(
                [(0.0, "ref.txt", "low.txt"), (1.0, "ref.txt", "high.txt")],
                metrics="chrF2,BLEU",
                resamples=20,
                by="length",
            ),
        ),
        "generalise over compounds": (
            "generalise --compounds one.split --counts counts --corpus trees.conllu --translation plain.de"
            " --output plain.out --alignment plain.links",
            lambda: kontrast.generalise(
                compounds="one.split",
                counts="counts",
                corpus="trees.conllu",
                translation="plain.de",
                outputs=["plain.out"],
                alignment="plain.links",
            ),
        ),
    }
)


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(name: str, command: Command) -> None:
    agree(command, *CALLS[name])


@twin("split")
def test_split_writes_what_the_function_gives(command: Command) -> None:
    options = "--compound .5,1 --test-share .2:.4 --effort fast --fixed-train fixed.ids --length-ratio open"
    Path("fixed.ids").write_text("0\n")
    Path("plain.txt").write_text("".join(f"sentence {i}\n" for i in range(60)))
    printed = command(["split", "counts", *options.split(), "--export", "en=plain.txt", "--out", "cli", "--json"])
    made = kontrast.split(
        "counts", "api", compound=[0.5, 1], test_share=(0.2, 0.4), effort="fast", fixed_train=[0],
        length_ratio="open", export={"en": "plain.txt"},
    )  # fmt: skip
    timed = {"seconds", "cpu_seconds"}
    shown = [{k: v for k, v in each.items() if k not in timed} for each in json.loads(printed)["splits"]]
    assert [{k: v for k, v in each.to_dict().items() if k not in timed} for each in made] == shown
    files = sorted(path.relative_to("cli") for path in Path("cli").rglob("*") if path.is_file())
    assert Path("compound-0.5/train.en") in files
    assert files == sorted(path.relative_to("api") for path in Path("api").rglob("*") if path.is_file())
    for file in files:
        if file.name not in ("split.json", "manifest.json"):
            assert (Path("cli") / file).read_bytes() == (Path("api") / file).read_bytes()
    with pytest.raises(kontrast.KontrastError, match=r"--test-share: expected two numbers"):
        kontrast.split("counts", test_share="few")


def test_compounds_do_not_go_with_other_questions(command: Command) -> None:
    with pytest.raises(kontrast.KontrastError, match="--compounds cannot be used with --at"):
        kontrast.generalise([(0.0, "ref.txt", "low.txt")], compounds="one.split")  # type: ignore[call-overload]
    with pytest.raises(kontrast.KontrastError, match="--corpus requires --compounds"):
        kontrast.generalise([(0.0, "ref.txt", "low.txt")], corpus="trees.conllu")  # type: ignore[call-overload]
    with pytest.raises(kontrast.KontrastError, match="--compounds needs --counts"):
        kontrast.generalise(compounds="one.split")  # type: ignore[call-overload]
