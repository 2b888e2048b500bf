"""Which language token a code means, and that every engine sets it, names it in the signature, or refuses."""

from __future__ import annotations

import pytest

from kontrast import score
from kontrast.errors import KontrastError
from kontrast.scoring.languages import language_name, match_code
from kontrast.suites.model import Item, Suite, Variant

from .marian_files import write_npz
from .models import make

NLLB = "zho_Hans zho_Hant yue_Hant srp_Cyrl por_Latn nob_Latn nno_Latn spa_Latn azj_Latn tgl_Latn fil_Latn".split()
MBART = "pt_XX zh_CN en_XX de_DE es_XX".split()
MARIAN = "pt pt_BR pt_PT es_419 es zho_Hans zho_Hant srp_Latn srp_Cyrl nob nno".split()
M2M = "pt zh sr no es de".split()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("zh", ("zho_Hans", "zh_CN", "zho_Hans", "zh")),
        ("zh-HK", ("zho_Hant", None, "zho_Hant", None)),
        ("zh-Hant-MO", ("zho_Hant", None, "zho_Hant", None)),
        ("zh-SG", ("zho_Hans", None, "zho_Hans", "zh")),
        ("sr", ("srp_Cyrl", None, "srp_Cyrl", "sr")),
        ("sr-Latn", (None, None, "srp_Latn", None)),
        ("sr_Latn_RS", (None, None, "srp_Latn", None)),
        ("pt-PT", ("por_Latn", "pt_XX", "pt_PT", "pt")),
        ("pt-BR", ("por_Latn", "pt_XX", "pt_BR", "pt")),
        ("pt-AO", ("por_Latn", "pt_XX", "pt", "pt")),
        ("nb", ("nob_Latn", None, "nob", None)),
        ("nn-NO", ("nno_Latn", None, "nno", None)),
        ("no", (None, None, None, "no")),
        ("es-419", ("spa_Latn", "es_XX", "es_419", "es")),
        ("es-MX", ("spa_Latn", "es_XX", "es", "es")),
        ("de-AT", (None, None, None, "de")),
        ("yue", ("yue_Hant", None, None, None)),
        ("tl", ("tgl_Latn", None, None, None)),
        ("az", ("azj_Latn", None, None, None)),
    ],
)
def test_codes(code: str, expected: tuple[str | None, ...]) -> None:
    assert tuple(match_code(code, known) for known in (NLLB, MBART, MARIAN, M2M)) == expected


def test_names_for_prompts() -> None:
    said = [language_name(code) for code in ("no", "nb-NO", "zh-HK", "am", "hau", "sr-Latn")]
    chinese, serbian = "Traditional Chinese", "Serbian in Latin script"
    assert said == ["Norwegian", "Norwegian Bokmål", chinese, "Amharic", "Hausa", serbian]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One model in three forms, with marks for varieties; only ``pt`` and ``pt_BR`` are of one language."""
    pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("marked")
    make("marian-varieties", folder / "hf")
    found = {"hf": f"hf:{folder / 'hf'}"}
    try:
        from ctranslate2.converters import TransformersConverter

        TransformersConverter(str(folder / "hf"), copy_files=["source.spm", "target.spm"]).convert(
            str(folder / "ct2")
        )
        found["ct2"] = f"ct2:{folder / 'ct2'}"
    except ImportError:
        pass
    try:
        import _pymarian  # noqa: F401

        write_npz(folder / "hf", folder / "marian")
        found["marian"] = f"marian:{folder / 'marian' / 'model.npz'}"
    except ImportError:
        pass
    return found


def suite(target: str) -> Suite:
    item = Item("1", "The cat was tired.", (Variant("Die Katze war müde."), Variant("Der Katze war müde.")))
    return Suite("s", (item,), "en", target)


@pytest.mark.parametrize("engine", ["hf", "ct2", "marian"])
def test_every_engine_sets_the_mark(models: dict[str, str], engine: str) -> None:
    if engine not in models:
        pytest.skip(f"{engine} is not installed")
    found = {}
    for code, mark in (("pt-BR", ">>pt_BR<<"), ("pt-PT", ">>pt<<"), ("zh-TW", ">>zho_Hant<<"), ("nb", ">>nob<<")):
        scores = score(suite(code), models[engine], device="cpu", threads=1)
        assert scores.signature is not None and scores.signature.details["mark"] == mark
        found[mark] = scores.values
        by_hand = score(suite(code), models[engine], device="cpu", threads=1, template=mark + " {source}")
        assert by_hand.values == scores.values
    assert len(set(found.values())) == len(found), "each mark gives other numbers"
    for code, near in (("sr-Latn", "srp_Cyrl"), ("zh-CN", "zho_Hant"), ("no", "nob, nno"), ("de", "pt")):
        with pytest.raises(KontrastError, match=f"{code}: .*{near}"):
            score(suite(code), models[engine], device="cpu", threads=1)
    with pytest.raises(KontrastError, match="is missing: the model"):
        score(suite(""), models[engine], device="cpu", threads=1)
