"""Known answers on every bundled and shared suite: references 100%, foils 0%, a constant at chance, an oracle 100%.

By the default tie policy a tie gets its share, so that a constant scorer is at chance. The originals' scripts have
tie rules of their own (`TIES`), which `--style original` keeps: docs/originals.md.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast import GateConfig, KontrastError, Scores, Signature, Suite
from kontrast.judging.check import judge_translations
from kontrast.judging.records import TiePolicy

SHARED = Path(__file__).resolve().parents[2] / "shared"

BUNDLED = ("demo:de", "demo:fr")
SETS = (
    "cocoa-mt/formality-control.test.en-de.en",
    "cocoa-mt/formality-control.test.en-ja?formality=informal",
    "consistency-en-ru/deixis_dev.json",
    "consistency-en-ru/ellipsis_infl.json",
    "consistency-en-ru/lex_cohesion_dev.json",
    "contrapro-en-de",
    "contrapro-en-de/contrapro.subset.json",
    "ctxpro/auxiliary.opensubtitles.en-de.test.json",
    "ctxpro/mini.formality.opensubtitles.en-de.test.json",
    "demetr-x-en/base_id33_empty.json",
    "demetr-x-en/base_id35_reference.json",
    "demetr-x-en/critical_id10_numbers_replaced.json",
    "demetr-x-en/critical_id11_gender.json",
    "demetr-x-en/critical_id8_negation.json",
    "demetr-x-en/major_id17_tense.json",
    "demetr-x-en/minor_id26_misspelled.json",
    "demetr-x-en/minor_id32_first_lower.json",
    "dfki-testsuite/en-de.items.json",
    "discevalmt-en-fr/anaphora.json",
    "discevalmt-en-fr/lexical-choice.json",
    "distil-lingeval-en-de",
    "gate/FR_2_variants.tsv",
    "gate/FR_4_variants.tsv",
    "gate/FR_4_variants.tsv?right=mm",
    "gate/IT_2_variants.tsv?right=m",
    "gate/IT_4_variants.tsv",
    "hw-tsc/Challenge_Set_for_WMT22_Metric_by_HW-TSC.TSV",
    "large-contrastive-en-fr",
    "mittens/mittens_dataset_v5.head.csv.gz",
    "mt-geneval/geneval-context-wikiprofessions-original-test.en_de.de",
    "mt-geneval/geneval-context-wikiprofessions-original-test.en_es.es",
    "mt-geneval/geneval-context-wikiprofessions-original-test.en_fr.fr",
    "mt-geneval/geneval-sentences-feminine-test.en_de.de",
    "mt-geneval/geneval-sentences-feminine-test.en_es.es",
    "mt-geneval/geneval-sentences-feminine-test.en_fr.fr",
    "mucow/ro-en.mucow.scoring.json",
    "mucow/tr-en.mucow.scoring.json",
    "pro-mistranslations-en-de",
    "pro-mistranslations-en-de/pro_errors.json",
    "scat",
    "un-en-fr/UN-testset-enfr.json",
    "wmt25-challenge/SSA-MTE.en-amh",
    "wmt25-challenge/SSA-MTE.en-hau.src.txt",
    "wmt25-challenge/condrift.en-ja",
    "wmt25-challenge/condrift.ja-zh?right=1",
    "wmt25-challenge/mslc-a.ja-zh_CN",
    "wmt25-challenge/mslc-b1.ja-zh_CN",
)
NO_SUITES = ("esa", "lingeval97-baselines", "mqm", "parcorfull-discomt", "ud")
"""Judgements, scores, treebanks and annotated texts."""
SAMPLE = 150
"""Items taken, evenly, of a large suite; `test_whole_suites` (slow) takes all."""

TIES: dict[str, TiePolicy] = {
    "consistency": "first",
    "contrapro": "wrong",
    "contrawsd": "wrong",
    "discevalmt": "wrong",
    "distil-lingeval": "right",
    "lingeval97": "wrong",
    "mucow": "wrong",
}
"""What each original's script counts a tie as."""


@cache
def whole(name: str) -> Suite:
    path: str | Path = name if name in BUNDLED else SHARED / "data" / name
    if isinstance(path, Path) and not path.parent.exists():
        pytest.skip("the shared real data is not beside this checkout")
    return kontrast.load(path)


@pytest.fixture(params=[*BUNDLED, *SETS], scope="module")
def suite(request: pytest.FixtureRequest) -> Suite:
    """A suite, or an even sample of its items."""
    return sample(whole(request.param))


def sample(suite: Suite) -> Suite:
    return msgspec.structs.replace(suite, items=suite.items[:: max(1, len(suite.items) // SAMPLE)])


def test_every_folder_is_known(data: Path) -> None:
    read = {name.split("/")[0] for name in SETS}
    assert {path.name for path in data.iterdir() if path.is_dir()} == {*read, *NO_SUITES}


def made(system: str, values: list[float]) -> Scores:
    """Scores in the order of rows: with a signature, so that no original's own order of scores is meant."""
    return Scores(system, tuple(values), signature=Signature())


def oracle(suite: Suite) -> Scores:
    return made("oracle", [float(row.variant_index != row.item.correct) for row in suite.rows()])


def fooled(suite: Suite) -> Scores:
    return made("fooled", [float(row.variant_index == row.item.correct) for row in suite.rows()])


def constant(suite: Suite) -> Scores:
    return made("constant", [1.0] * suite.row_count)


def decides(suite: Suite) -> Suite:
    if all(len(item.variants) < 2 for item in suite.items):
        with pytest.raises(KontrastError, match="no item with two variants"):
            kontrast.evaluate(suite, oracle(suite))
        pytest.skip("scores decide nothing in a suite of one variant per item, and the command says so")
    return suite


def test_scores(suite: Suite) -> None:
    suite = decides(suite)
    assert kontrast.evaluate(suite, oracle(suite)).accuracy == 1
    assert kontrast.evaluate(suite, fooled(suite)).accuracy == 0
    at_chance = kontrast.evaluate(suite, constant(suite))
    assert at_chance.accuracy == pytest.approx(at_chance.chance)
    assert 0 < at_chance.chance <= 0.5


def test_comparison_and_gate(suite: Suite) -> None:
    suite = decides(suite)
    chance = kontrast.evaluate(suite, constant(suite)).chance
    differences = kontrast.compare(suite, constant(suite), oracle(suite), fooled(suite), resamples=200).total
    assert [d.difference for d in differences] == [pytest.approx(1 - chance), pytest.approx(-chance), -1]
    assert kontrast.gate(suite, oracle(suite), GateConfig(accuracy=1.0)).passed
    failed = kontrast.gate(suite, fooled(suite), GateConfig(accuracy=0.01))
    assert not failed.passed and failed.checks[0].value == 0 and failed.checks[0].items


def test_translations(suite: Suite) -> None:
    """References and foils as translations: right and never right, wherever words decide anything."""
    check_translations(suite)


def check_translations(suite: Suite) -> None:
    references = [item.best.text for item in suite.items]
    foils = [next((v.text for i, v in enumerate(item.variants) if i != item.correct), "") for item in suite.items]
    try:
        found = kontrast.check(suite, references, align="whole")
    except KontrastError as error:
        undecided = ("minor_id32_first_lower", "mittens", "condrift.en-ja")
        assert "words decide no item" in str(error) and suite.name.startswith(undecided)
    else:
        assert (found.accuracy, found.right) == (1, found.total - found.undecidable)
        assert kontrast.check(suite, foils, align="whole").right == 0
        written = judge_translations(suite, references, align="whole")
        assert kontrast.evaluate(suite, written).accuracy == 1
        assert kontrast.evaluate(suite, judge_translations(suite, foils, align="whole")).accuracy == 0
    if any(len(item.variants) > 1 for item in suite.items):
        nearer = kontrast.check(suite, references, align="whole", by_distance=True)
        wrong = [i for i, outcome in enumerate(nearer.outcomes) if outcome == "wrong"]
        assert not wrong, [suite.items[i].id for i in wrong[:5]]
        assert kontrast.check(suite, foils, align="whole", by_distance=True).right == 0


def test_metrics(suite: Suite, tmp_path: Path) -> None:
    suite = decides(suite)
    if suite.name == "base_id35_reference":
        with pytest.raises(KontrastError, match="no item tests a metric"):
            kontrast.metrics(suite, ["chrF"])
        return
    answers = {}
    for scores in (oracle(suite), fooled(suite), constant(suite)):
        kontrast.write_scores(scores, tmp_path / scores.system)
        result = kontrast.metrics(suite, [f"file:{tmp_path / scores.system}"])
        answers[scores.system] = result.metrics[0].evaluation
    assert (answers["oracle"].accuracy, answers["fooled"].accuracy) == (1, 0)
    assert answers["constant"].accuracy == pytest.approx(answers["constant"].chance)


def printed(text: str) -> float:
    """The total of what an original prints, as a share."""
    total = r"^total : \d+ \d+ ([\d.e-]+)|^Total accuracy: +([\d.]+)|precision = \S+ = ([\d.]+)"
    if found := re.search(total, text, re.M):
        return float(next(group for group in found.groups() if group))
    found = re.search(r"^Accuracy: ([\d.]+)", text)
    assert found, text[:200]
    return float(found[1]) / 100


@pytest.mark.parametrize("name", [name for name in SETS if "ctxpro" not in name and "demetr" not in name])
def test_originals(name: str) -> None:
    suite = whole(name)
    if suite.style not in TIES:
        pytest.skip("no original script belongs to this set")
    suite = suite if suite.style == "discevalmt" else sample(suite)  # whose script counts in blocks of four
    assert printed(kontrast.evaluate_original(suite, oracle(suite))) == 1
    alone = sum(len(item.variants) < 2 for item in suite.items)
    counted = len(suite.items) - alone
    for scores in (fooled(suite), constant(suite)):
        right = kontrast.evaluate(suite, scores, ties=TIES[suite.style]).right
        # The scripts of ContraWSD and MuCoW count an item without any rival as right.
        share = (right + alone) / (counted + alone)
        assert printed(kontrast.evaluate_original(suite, scores)) == pytest.approx(share, abs=0.001)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BUNDLED, *SETS])
def test_whole_suites(name: str) -> None:
    check_translations(whole(name))
