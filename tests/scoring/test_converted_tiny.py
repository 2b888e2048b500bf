"""The bundled model converted by CTranslate2's own converter is the same model, by every documented route."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kontrast import KontrastError, Scores, bundled, score
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines.hf import TINY
from kontrast.scoring.engines.pieces import load_pieces
from kontrast.suites.model import Suite

pytest.importorskip("torch")
converters = pytest.importorskip("ctranslate2.converters")

SPM = ["source.spm", "target.spm"]
HF = [*SPM, "vocab.json", "tokenizer_config.json"]


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("ct2") / "tiny"
    converters.TransformersConverter(str(TINY), copy_files=SPM).convert(str(out))
    return out


@pytest.fixture(scope="module")
def suite() -> Suite:
    return bundled("demo:de")


@pytest.fixture(scope="module")
def own(suite: Suite) -> Scores:
    return score(suite, "tiny", device="cpu")


def preferred(suite: Suite, scores: Scores) -> list[int]:
    values = iter(scores.values)
    rows = [[next(values) for _ in item.variants] for item in suite.items]
    return [min(range(len(row)), key=row.__getitem__) for row in rows]


def with_files(converted: Path, folder: Path, names: list[str]) -> Path:
    shutil.copytree(converted, folder)
    for name in SPM:
        (folder / name).unlink()
    for name in names:
        shutil.copy(TINY / name, folder / name)
    return folder


def test_sentencepiece_files_beside_the_model(converted: Path, suite: Suite, own: Scores) -> None:
    found = score(suite, f"ct2:{converted}", device="cpu")
    assert found.values == pytest.approx(own.values, abs=2e-3)
    assert preferred(suite, found) == preferred(suite, own), "no decision changes"
    assert found.signature is not None and found.signature.details["mark"] == ">>de<<"
    assert own.signature is not None and own.signature.details["mark"] == ">>de<<"


def test_written_pieces_that_the_target_model_does_not_know_keep_no_mark(converted: Path) -> None:
    spelled = load_pieces(str(converted), EngineOptions(target_language="de")).spelled
    assert spelled(["▁Der", "▁qqzzw", "▁Hund"]) == "Der qqzzw Hund"


def test_a_tokenizer_of_transformers_beside_the_model(
    converted: Path, suite: Suite, own: Scores, tmp_path: Path
) -> None:
    """CTranslate2's config.json stands where that of Transformers would."""
    folder = with_files(converted, tmp_path / "m", HF)
    found = score(suite, f"ct2:{folder}", device="cpu")
    assert found.values == pytest.approx(own.values, abs=2e-3)
    assert found.signature is not None and found.signature.details["mark"] == ">>de<<"


def test_the_models_own_end_token_is_not_set_twice(
    converted: Path, suite: Suite, own: Scores, tmp_path: Path
) -> None:
    for names in (SPM, HF):
        folder = with_files(converted, tmp_path / str(len(names)), names)
        settings = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**settings, "add_source_eos": True}))
        found = score(suite, f"ct2:{folder}", device="cpu")
        assert found.values == pytest.approx(own.values, abs=2e-3)


def test_a_mark_of_a_template_is_a_token(converted: Path, suite: Suite, own: Scores) -> None:
    found = score(suite, f"ct2:{converted}", device="cpu", template=">>de<< {source}")
    assert found.values == pytest.approx(own.values, abs=2e-3)
    with pytest.raises(KontrastError, match="needs a language mark first"):
        score(suite, f"ct2:{converted}", device="cpu", template="translate: {source}")
    with pytest.raises(KontrastError, match=r"--target-language es: the model needs one of its 2 languages \(de, fr"):
        score(suite, f"ct2:{converted}", device="cpu", target_language="es")


def test_language_tokens_that_sentencepiece_does_not_set_are_refused(
    converted: Path, suite: Suite, tmp_path: Path
) -> None:
    folder = with_files(converted, tmp_path / "m", SPM)
    path = folder / "shared_vocabulary.json"
    words = [word for word in json.loads(path.read_text()) if not word.startswith(">>")]
    path.write_text(json.dumps([*words, "__de__", "__fr__"]))
    from kontrast.scoring.engine import EngineOptions
    from kontrast.scoring.engines.pieces import load_pieces

    with pytest.raises(KontrastError, match=r"language tokens \(__de__, __fr__ …\)"):
        load_pieces(str(folder), EngineOptions(target_language="de"))
