"""How likely a foil is sound: the judge's arithmetic, what it is told, what is kept by it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.parallel import Document
from kontrast.building.pronouns import build_pronouns, items, load_recipe
from kontrast.building.pronouns import judge as judging
from kontrast.building.pronouns.contrast import Contrastive
from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.items import surest
from kontrast.building.pronouns.judge import FoilJudge, load_judge
from kontrast.building.pronouns.pipeline import Tools, find_in_documents
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.sound import foil_features
from kontrast.language.aligners.fast_align import train
from kontrast.language.pointing import encoder_place
from kontrast.suites.formats import load
from kontrast.suites.model import Item, Variant

PAIRS = ("en-de", "en-fr", "en-es", "en-it")
needs_encoder = pytest.mark.skipif(encoder_place() is None, reason="the encoder is not here: python tools/encoder.py")


def test_weights_and_trees_count_alike() -> None:
    judge = FoilJudge("nothing", {"a": 2.0}, 0.5, [["a", 1.0, -0.5, ["b", 0.0, 9.0, -9.0]]])
    assert judge.soundness({}) == pytest.approx((0.5 + 0.5) / 2)
    assert judge.soundness({"a": 1.5}) == pytest.approx((0.9526 + 0.9999) / 2, abs=1e-4)
    assert judge.soundness({"a": 1.5, "b": 1.0}) == pytest.approx((0.9526 + 0.0002) / 2, abs=1e-4)
    assert judge.soundness({"a": 1e6}) <= 1
    assert judge.soundness({"unheard of": 1.0}) == judge.soundness({})


@pytest.mark.parametrize("pair", PAIRS)
def test_every_pair_has_a_judge_that_holds_doubts_against_a_foil(pair: str) -> None:
    judge = load_judge(pair)
    assert judge is not None and judge.learnt_from and judge.trees
    told = [weight for name, weight in judge.weights.items() if name.startswith("doubt: ")]
    assert told and sum(weight < 0 for weight in told) > len(told) / 2
    assert judge.weights["pointed"] > 0


def test_what_counts_as_an_error_is_a_doubt_that_is_told() -> None:
    """A kind that is renamed in one place only would never be found."""
    told = "".join(p.read_text("utf-8") for p in Path(judging.__file__).parent.glob("*.py") if p.name != "judge.py")
    kinds = [name.removeprefix("doubt: ") for name in judging._ERRORS if name.startswith("doubt: ")]
    assert kinds and all(f'Doubt("{kind}"' in told for kind in kinds)


@pytest.mark.parametrize("error", ["doubt: another mention stays", "target use predicate, neutral"])
def test_a_second_error_and_an_es_that_says_what_something_is_cap_a_foil(error: str) -> None:
    own = FoilJudge("", {"always": 3.0}, 3.0)
    assert own.soundness({"always": 1.0}) > 0.9
    assert own.soundness({"always": 1.0, error: 1.0}) < 0.5


def item(*foils: dict[str, object], confidence: float) -> Item:
    variants = [Variant("Er ist alt."), *(Variant(f"{k}", tags=tags) for k, tags in enumerate(foils))]
    return Item(id="1", source="It is old.", variants=tuple(variants), tags={"confidence": confidence})


@pytest.mark.parametrize(
    ("foils", "least", "kept"),
    [
        ([{"confidence": 0.9}, {"confidence": 0.7, "doubt": "es may be an event"}], 0.8, ["0"]),
        ([{"confidence": 0.9, "doubt": "es may be an event"}, {"confidence": 0.88}], 0.8, ["0", "1"]),
        ([{"confidence": 0.82}, {"confidence": 0.81}], 0.8, ["0"]),
        ([{"confidence": 0.95}, {"confidence": 0.9}], 0.92, ["0"]),
        ([{"confidence": 0.7}, {"confidence": 0.6}], 0.8, None),
        ([{"confidence": 0.7, "doubt": "es may be an event"}], 0.0, ["0"]),
        ([{}, {"doubt": "Haus would go with it"}], 0.8, ["0"]),
    ],
)
def test_a_judged_foil_is_kept_by_its_confidence_and_another_without_a_doubt(
    foils: list[dict[str, object]], least: float, kept: list[str] | None
) -> None:
    best = max([float(str(f.get("confidence", 0.9))) for f in foils])
    found = surest(item(*foils, confidence=best), least)
    assert (found and [v.text for v in found.variants[1:]]) == kept


def told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pairs: list[tuple[str, str]]
) -> dict[str, dict[str, float]]:
    """What the judge is told of the foils of the last line, by their gender."""
    found: dict[str, dict[str, float]] = {}

    def kept(recipe: Recipe, scene: Scene, other: Contrastive, doubts: list[Doubt]) -> dict[str, float]:
        found[other.gender] = foil_features(recipe, scene, other, doubts)
        return found[other.gender]

    monkeypatch.setattr(items, "foil_features", kept)
    folder = tmp_path / "alignment"
    train(pairs * 20, folder)
    source, target = zip(*pairs, strict=True)
    tools = Tools(load_recipe("en-de"), alignment=str(folder), encoder=encoder_place())
    list(find_in_documents([Document("d", source, target)], tools))
    return found


@needs_encoder
def test_what_is_said_of_the_noun_is_held_against_a_foil(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pairs = [("The whale is a great sight.", "Der Wal ist eine große Attraktion."), ("I saw it.", "Ich sah ihn.")]
    found = told(monkeypatch, tmp_path, pairs)
    assert found["f"]["rival is equated with it"] == 1
    assert "rival is equated with it" not in found["n"]
    assert found["n"]["to n, object"] == 1 and found["f"]["from ihn"] == 1


@needs_encoder
def test_items_are_kept_by_what_the_judge_says(tmp_path: Path) -> None:
    place = tmp_path / "documents"
    place.mkdir()
    for path in sorted(Path(str(kontrast.bundled_corpus())).rglob("*.en")):
        for language in ("en", "de"):
            text = path.with_suffix(f".{language}").read_text("utf-8")
            (place / path.name).with_suffix(f".{language}").write_text(text, "utf-8")
    made = {}
    for least in (0.0, None, 0.9):
        out = tmp_path / f"{least}.jsonl"
        build_pronouns("en-de", place, out, format="native", min_confidence=least)
        made[least] = load(out).items
    assert len(made[0.0]) > len(made[None]) >= len(made[0.9]) > 0
    for one in made[0.0]:
        assert one.tags["confidence"] == max(v.tags["confidence"] for v in one.variants[1:])
    for least in (None, 0.9):
        foils = [v for one in made[least] for v in one.variants[1:]]
        assert all(v.tags["confidence"] >= (least or load_recipe("en-de").soundness) for v in foils)


def test_the_digest_knows_what_caps_a_foil(monkeypatch: pytest.MonkeyPatch) -> None:
    own = FoilJudge("", {"always": 3.0}, 3.0)
    before = own.digest
    monkeypatch.setattr(judging, "_SITUATION", 0.5)
    assert own.digest != before
