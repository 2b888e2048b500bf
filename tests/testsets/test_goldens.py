"""Made goldens: small suites of our own sentences, and what their originals' scripts print for them.

The texts were written by hand from the facts about each script, so that a clone alone proves what it prints byte for
byte; tests/reporting/test_originals.py compares with what the scripts themselves printed where that is at hand.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kontrast import extract
from kontrast.cli.evaluate import command
from kontrast.suites.testset import testsets

FOLDER = Path(__file__).parent / "golden"
CASES = [
    pytest.param(path.parent, case, id=f"{path.parent.name}-{case['prints']}")
    for path in sorted(FOLDER.glob("*/cases.json"))
    for case in json.loads(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("folder", "case"), CASES)
def test_prints_what_the_original_prints(folder: Path, case: dict[str, str]) -> None:
    options = [option.replace("GOLDEN", str(folder)) for option in case["options"]]
    args = [str(folder / case["suite"]), str(folder / case["scores"]), "--style", "original", *options]
    done = CliRunner().invoke(command, args, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert done.stdout == (folder / case["prints"]).read_text(encoding="utf-8")


def test_every_original_has_a_golden() -> None:
    having = {path.parent.name for path in FOLDER.glob("*/cases.json")}
    homes = {found[0].name for each in testsets().values() if (found := each.own_original()) is not None}
    assert having == {name.replace("-", "_") for name in homes}


def lines(path: Path, *texts: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """The document of ContraPro's golden; the French one is the same, a line per sentence, with blanks around."""
    english = ("It is my hat and it fits.", "Now it glows.", "They fell.", "It fell too.")
    german = ("Er ist mein Hut und er passt.", "Jetzt leuchtet sie.", "Sie fielen.", "Es fiel auch.")
    lines(tmp_path / "1990" / "1990_1_1.en", *english)
    lines(tmp_path / "1990" / "1990_1_1.de", *german)
    lines(tmp_path / "1990" / "1990_1_1.fr", *(f" {text} " for text in german))
    return tmp_path


def test_contrapro_layout(documents: Path, tmp_path: Path) -> None:
    suite = FOLDER / "contrapro/suite.json"
    extract(suite, tmp_path / "out", documents=documents, context=2, style="original")
    read = {path.name: path.read_text(encoding="utf-8").split("\n")[:-1] for path in (tmp_path / "out").iterdir()}
    assert set(read) == {"suite.text.en", "suite.text.de", "suite.context.en", "suite.context.de"}
    hat, glow, fell, too = "It is my hat and it fits.", "Now it glows.", "They fell.", "It fell too."
    assert read["suite.text.en"] == [hat] * 3 + [glow] * 3 + [fell] * 2 + [too] * 3
    assert read["suite.text.de"][:4] == [
        "Er ist mein Hut und er passt.",
        "Sie ist mein Hut und sie passt.",
        "Es ist mein Hut und es passt.",
        "Jetzt leuchtet sie.",
    ]
    assert read["suite.context.en"] == ["", ""] * 3 + ["", hat] * 3 + [hat, glow] * 2 + [glow, fell] * 3


def test_contrapro_context_as_json_without_contrastives(documents: Path, tmp_path: Path) -> None:
    suite = FOLDER / "contrapro/suite.json"
    more = {"context_json": True, "contrastives": False}
    extract(suite, tmp_path / "out", documents=documents, context=2, style="contrapro", **more)  # type: ignore[arg-type]
    found = (tmp_path / "out" / "suite.context.en").read_text(encoding="utf-8")
    first = '   {\n      "1":"",\n      "2":""\n   }'
    assert found.startswith(f"[\n{first},\n{first},\n   {{\n")  # each object as often as it has sentences
    contexts = json.loads(found)
    assert len(contexts) == 8 and contexts[2] == contexts[3] == {"1": "", "2": "It is my hat and it fits."}
    assert (tmp_path / "out" / "suite.text.en").read_text(encoding="utf-8").count("\n") == 4


def test_large_en_fr_layout(documents: Path, tmp_path: Path) -> None:
    """Segments from 0, two rows an item, stripped, and all context blank where there is not enough."""
    entries = json.loads((FOLDER / "contrapro/suite.json").read_text(encoding="utf-8"))
    for entry in entries:
        entry["segment id"] -= 1
        entry["document id"] = "1990_1_1.fr"
    (tmp_path / "set.json").write_text(json.dumps(entries), encoding="utf-8")
    extract(tmp_path / "set.json", tmp_path / "out", documents=documents, context=2, style="original")
    read = {path.name: path.read_text(encoding="utf-8").split("\n")[:-1] for path in (tmp_path / "out").iterdir()}
    assert set(read) == {f"set.{kind}.{side}" for kind in ("current", "context") for side in ("src", "trg")}
    assert read["set.current.trg"][:3] == [
        "Er ist mein Hut und er passt.",
        "Sie ist mein Hut und sie passt.",
        "Jetzt leuchtet sie.",
    ]
    hat, glow, fell = "It is my hat and it fits.", "Now it glows.", "They fell."
    assert read["set.context.src"] == [""] * 8 + [hat, glow] * 2 + [glow, fell] * 2


@pytest.mark.parametrize(("name", "prefix"), [("anaphora", "anaphora"), ("lexical-choice", "lexical_choice")])
def test_discevalmt_layout(tmp_path: Path, name: str, prefix: str) -> None:
    extract(FOLDER / f"discevalmt/{name}.json", tmp_path / "out", style="original")
    read = {path.name: path.read_text(encoding="utf-8").split("\n")[:-1] for path in (tmp_path / "out").iterdir()}
    kinds = ("current.en", "current.fr", "prev.en", "prev.fr")
    assert set(read) == {f"{prefix}.{kind}" for kind in kinds} and {len(texts) for texts in read.values()} == {8}
    if name == "anaphora":  # block 2 before block 10
        assert read["anaphora.current.fr"][:3] == ["Il va bien.", "Elle va bien.", "Elles vont bien."]
        assert read["anaphora.prev.fr"][2:5] == ["Les robes sont là."] * 2 + ["La lampe est neuve."]


def test_lingeval97_layout(tmp_path: Path) -> None:
    extract(FOLDER / "lingeval97/suite.json", tmp_path / "out", style="original")
    english, german = (
        (tmp_path / "out" / f"suite.{x}").read_text(encoding="utf-8").split("\n") for x in ("en", "de")
    )
    assert english[:4] == ["The old lamp is bright."] * 3 + ["Olga does not like the clear broth."]
    assert german[:3] == ["Die alte Lampe ist hell.", "Der alte Lampe ist hell.", "Die alte Lampe sind hell."]
