"""Quality from sufficient statistics against sacreBLEU, the generalisation score, tasks, exports, the commands."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path
from urllib.parse import urlparse

import numpy as np
import pytest
import sacrebleu.metrics
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast.cli import kontrast
from kontrast.errors import InputError, KontrastError
from kontrast.flows.splitting import divergence
from kontrast.splitting.corpus_counts import CorpusCounts
from kontrast.splitting.genbench import PreparationStrategy, load_task
from kontrast.splitting.generalisation import METRICS, SystemOutput, generalise, read_output, statistics
from kontrast.splitting.split_corpus import split
from kontrast.splitting.split_files import export_split

from .conftest import random_counts

SENTENCE = st.lists(st.sampled_from(["the", "cat", "sat", "mat", "on", "a", "dog", "."]), max_size=9).map(" ".join)
PAIRS = st.lists(st.tuples(SENTENCE, SENTENCE.filter(bool)), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(PAIRS, st.sampled_from(sorted(METRICS)), st.integers(0, 1000))
def test_scores_are_sacrebleus_also_of_samples(pairs: list[tuple[str, str]], metric: str, seed: int) -> None:
    predictions, references = (list(side) for side in zip(*pairs, strict=True))
    kind, options = METRICS[metric]
    made, official = statistics(metric, predictions, references), getattr(sacrebleu.metrics, kind)(**options)
    assert made.total() == pytest.approx(official.corpus_score(predictions, [references]).score, abs=1e-9)
    picks = np.random.default_rng(seed).integers(0, len(pairs), len(pairs))
    weights = np.bincount(picks, minlength=len(pairs)).astype(float)[None]
    sample = official.corpus_score([predictions[i] for i in picks], [[references[i] for i in picks]]).score
    assert made.resampled(weights)[0] == pytest.approx(sample, abs=1e-9)


REFERENCES = tuple(f"the cat number {i} sat on the mat of {i * 7}" for i in range(30))
WORSE = tuple(line.replace("cat", "dog").replace("mat", "rug") for line in REFERENCES)


def test_ratio_interval_slope_and_seeds() -> None:
    runs = [
        SystemOutput(0.0, REFERENCES, REFERENCES),
        SystemOutput(0.5, WORSE[:15] + REFERENCES[15:], REFERENCES),
        SystemOutput(1.0, WORSE, REFERENCES),
        SystemOutput(1.0, WORSE[:20] + REFERENCES[20:], REFERENCES),
    ]
    result = generalise(runs, resamples=200)
    chrf = result.metrics[0]
    assert chrf.metric == "chrF2++"
    assert "nw:2" in chrf.signature
    assert "nw:0" in result.metrics[1].signature
    assert [level.runs for level in chrf.levels] == [1, 1, 2]
    assert chrf.levels[0].score == pytest.approx(100)
    assert result.low <= result.score <= result.high < 1
    assert result.score == pytest.approx(chrf.levels[2].score / chrf.levels[0].score)
    assert chrf.slope_high < 0
    alone = generalise([runs[0], runs[2]], resamples=200)
    assert alone.high - alone.low < result.high - result.low  # seeds that disagree widen the interval


def test_metrics_from_files_and_what_is_missing() -> None:
    runs = [SystemOutput(0.0, values=(0.8, 0.6), name="comet"), SystemOutput(1.0, values=(0.5, 0.2), name="comet")]
    assert generalise(runs, resamples=20).score == pytest.approx(0.5)
    with pytest.raises(KontrastError, match="two divergences"):
        generalise(runs[:1])
    with pytest.raises(KontrastError, match="no predictions at divergence 1"):
        generalise([SystemOutput(0.0, REFERENCES, REFERENCES), runs[1]])


def test_files_of_unequal_length_are_said(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a\nb\n")
    (tmp_path / "out").write_text("a\n")
    with pytest.raises(InputError, match=r"out: has 1 lines, but .*ref has 2"):
        read_output(0.0, tmp_path / "ref", tmp_path / "out")


def test_the_published_calls_work_in_the_same_shape(tmp_path: Path) -> None:
    for level, name in (("0", "comdiv0.0_en_de"), ("1", "comdiv1.0_en_de")):
        place = tmp_path / name
        place.mkdir()
        for side in ("train", "test"):
            record = {"input": f"the {side} {level}", "target": f"das {side} {level}"}
            (place / f"{side}.jsonl").write_text(json.dumps(record) + "\n")
    task = load_task("europarl_dbca_splits", tmp_path)
    data = task.comdiv1_de.get_prepared_datasets(PreparationStrategy.FINETUNING)
    assert data["test"] == [{"input": "the test 1", "target": "das test 1"}]
    hard = task.comdiv1_de.evaluate_predictions(predictions=["das rest 1"], gold=data["test"])
    easy = task.comdiv0_de.evaluate_predictions(predictions=[{"target": "das test 0"}], gold=["das test 0"])
    assert easy["hf_chrf__score"] == pytest.approx(100)
    assert hard.hf_chrf__score != hard.chrf2pp
    assert hard / easy == pytest.approx(hard["chrf2pp"] / 100)
    counts = np.array([[2, 4, 10]]), np.array([[1, 2, 5]])
    assert task.comdiv1_de.divergence(*counts, 0.5) == 0.0
    with pytest.raises(InputError, match=r"expected train\.jsonl"):
        task.comdiv1_fi.get_prepared_datasets()
    with pytest.raises(AttributeError, match="comdiv0_de"):
        _ = task.comdiv2_de


def test_exports_of_a_parallel_treebank(pud: CorpusCounts, data: Path, tmp_path: Path) -> None:
    corpora = {lang: data / "ud" / f"{lang}_pud-ud-test.conllu" for lang in ("en", "de", "fr", "fi")}
    (result,) = split(pud, effort="fast", dev=30)
    hashes = export_split(result, corpora, tmp_path, formats=("lines", "hf", "genbench", "chat"), name="PUD splits")
    lines = {lang: (tmp_path / f"test.{lang}").read_text("utf-8").splitlines() for lang in corpora}
    assert {len(side) for side in lines.values()} == {len(result.test)}
    task = load_task(tmp_path / "genbench")
    records = task.comdiv1_fi.get_prepared_datasets()["test"]
    assert records[3] == {"input": lines["en"][3], "target": lines["fi"][3]}
    assert (tmp_path / "hf" / "en_de" / "dev.jsonl").exists()
    assert "config_name: en_fr" in (tmp_path / "hf" / "README.md").read_text()
    config = json.loads((tmp_path / "genbench" / "comdiv1_de" / "config.jsonnet").read_text())
    assert config["has_validation_set"] is True
    for side, file in (("train", "train"), ("test", "test"), ("validation", "dev")):
        place = urlparse(config["data_source"][side])
        assert place.scheme == "file"
        assert Path(place.path) == tmp_path / "genbench" / "comdiv1_de" / f"{file}.jsonl"
        assert Path(place.path).exists()
    (metric,) = config["evaluation_metrics"]
    assert len(metric["git_commit_sha"]) == 40
    assert isinstance(metric["best_score"], float)
    assert all(isinstance(value, str) for value in metric["compute_extra_kwargs"].values())
    for file, name in (("__init__.py", "PudSplits"), ("comdiv1_de/task.py", "PudSplitsComdiv1De")):
        tree = ast.parse((tmp_path / "genbench" / file).read_text())
        assert [node.name for node in tree.body if isinstance(node, ast.ClassDef)] == [name]
    chat = (tmp_path / "chat" / "en-fi.test.jsonl").read_text("utf-8").splitlines()
    user, answer = json.loads(chat[3])["messages"]
    assert user == {"role": "user", "content": f"Translate this from English to Finnish:\n{lines['en'][3]}"}
    assert answer == {"role": "assistant", "content": lines["fi"][3]}
    assert "eval card" in (tmp_path / "genbench" / "comdiv1_de" / "doc.md").read_text()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["files"]["test.de"] == hashes["test.de"]
    assert hashes["test.de"] == hashlib.sha256((tmp_path / "test.de").read_bytes()).hexdigest()
    with pytest.raises(InputError, match="has 2 sentences, but the split has 1000"):
        (tmp_path / "short").write_text("a\nb\n")
        export_split(result, {"en": tmp_path / "short"}, tmp_path)


def test_genbench_takes_its_configuration_and_its_task(tmp_path: Path) -> None:
    """Where genbench is installed: its own reader of configurations, its own loader of data, its own scoring."""
    task_config = pytest.importorskip("genbench.task_config")
    texts = {lang: [f"{lang} sentence {i}" for i in range(900)] for lang in ("en", "de")}
    for lang, text in texts.items():
        (tmp_path / lang).write_text("\n".join(text) + "\n")
    (result,) = split(random_counts(900), compound=0.4, effort="fast", dev=20)
    export_split(result, {lang: tmp_path / lang for lang in texts}, tmp_path / "out", formats=("genbench",))
    path = tmp_path / "out" / "genbench" / "comdiv0_4_de" / "config.jsonnet"
    config = task_config.TaskConfig.from_jsonnet(jsonnet_path=path)
    assert config.data_source.test.endswith("comdiv0_4_de/test.jsonl")
    assert config.evaluation_metrics[0].compute_extra_kwargs == {"word_order": "2"}


def run(*args: object) -> str:
    done = CliRunner().invoke(kontrast, [str(a) for a in args], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_commands_from_treebank_to_score(data: Path, tmp_path: Path) -> None:
    ud = data / "ud"
    counts, out = tmp_path / "counts", tmp_path / "splits"
    summary = json.loads(run("count", ud / "en_pud-ud-test.conllu", "--out", counts, "--json"))
    assert summary["sentences"] == 1000
    export = [f"--export={lang}={ud / f'{lang}_pud-ud-test.conllu'}" for lang in ("en", "de")]
    run("split", counts, "--compound", "0,1", "--test-share", ".1:.2", "--discard", ".25", "--seed", "1",
        "--effort", "fast", "--out", out, *export, "--report", tmp_path / "report.html")  # fmt: skip
    hard = out / "compound-1"
    stored = json.loads((hard / "split.json").read_text())
    measured = json.loads(
        run("divergence", counts, "--train", hard / "train.ids", "--test", hard / "test.ids", "--json")
    )
    for key in ("atom_divergence", "compound_divergence"):
        assert stored[key] == measured[key]
    assert "floor" in run(
        "divergence", counts, "--train", hard / "train.ids", "--test", hard / "test.ids", "--top", 3
    )
    easy = out / "compound-0"
    score = run("generalise", "--at", 0, easy / "test.de", easy / "test.de", "--at", 1, hard / "test.de",
                hard / "test.en", "--resamples", 50, "--report", tmp_path / "score.html")  # fmt: skip
    assert "generalisation score (chrF2++): 0." in score
    for name in ("report.html", "score.html"):
        html = (tmp_path / name).read_text("utf-8")
        assert html.count("<svg") >= 2
        assert 'src="http' not in html
        assert "<script" not in html


def test_what_has_no_ratio_and_no_interval(tmp_path: Path) -> None:
    def values(first: float, last: float) -> list[SystemOutput]:
        return [SystemOutput(0.0, values=(first,) * 3, name="m"), SystemOutput(1.0, values=(last,) * 3, name="m")]

    for first, last in ((0.8, -0.5), (-0.5, 0.4), (0.0, 0.4)):
        assert np.isnan(generalise(values(first, last), resamples=5).score)
    for name, lines in (("low", "0.8\n0.8\n"), ("high", "-0.5\n-0.5\n"), ("odd", "0.1\nnan\n")):
        (tmp_path / name).write_text(lines)
    asked = ["generalise", "--values", 0, "m", tmp_path / "low", "--values", 1, "m"]
    assert "ratio not defined (a score is negative" in run(*asked, tmp_path / "high", "--report", tmp_path / "r.html")
    assert "not defined" in (tmp_path / "r.html").read_text("utf-8")
    with pytest.raises(InputError, match="line 2: expected a finite number, found nan"):
        run(*asked, tmp_path / "odd")
    with pytest.raises(KontrastError, match="the level of an interval is between 0 and 1"):
        run(*asked, tmp_path / "high", "--level", 95)
    with pytest.raises(KontrastError, match="at least one resample"):
        run(*asked, tmp_path / "high", "--resamples", 0)
    easy, hard = SystemOutput(0.0, REFERENCES, REFERENCES), SystemOutput(1.0, WORSE, REFERENCES, name="w")
    (tmp_path / "many").write_text("0.1\n0.2\n0.3\n")
    with pytest.raises(KontrastError, match="m is given twice at divergence 1"):
        run(*asked, tmp_path / "many", "--values", 1, "m", tmp_path / "many")
    with pytest.raises(KontrastError, match="w is given twice at divergence 1"):
        generalise([easy, hard, hard])
    with pytest.raises(KontrastError, match="from 0 to 1, not 5"):
        generalise([easy, SystemOutput(5.0, WORSE, REFERENCES)])


def test_the_score_is_in_the_report(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("\n".join(REFERENCES) + "\n")
    (tmp_path / "worse").write_text("\n".join(WORSE) + "\n")
    asked = ["--at", 0, tmp_path / "ref", tmp_path / "ref", "--at", 1, tmp_path / "ref", tmp_path / "worse"]
    printed = run("generalise", *asked, "--resamples", 20, "--report", tmp_path / "r.html")
    score = printed.rpartition("score (chrF2++): ")[2].split()[0]
    assert 0 < float(score) < 1
    assert f'<span class="big">{score}</span>' in (tmp_path / "r.html").read_text("utf-8")


def test_a_side_without_features_has_no_divergence(tmp_path: Path) -> None:
    full, bare = '{"atoms": {"a": 1, "b": 1}, "compounds": {"ab": 1}}\n', '{"atoms": {}, "compounds": {}}\n'
    (tmp_path / "c.jsonl").write_text(full * 4 + bare)
    run("count", tmp_path / "c.jsonl", "--out", tmp_path / "c")
    for name, ids in (("two", "0\n1\n"), ("bare", "4\n"), ("empty", "")):
        (tmp_path / name).write_text(ids)
    for name in ("bare", "empty"):
        with pytest.raises(KontrastError, match="test has no atoms"):
            run("divergence", tmp_path / "c", "--train", tmp_path / "two", "--test", tmp_path / name)
    for ids, told in (([0, 0], "given twice"), ([-1], "from 0 to 4, not -1")):
        with pytest.raises(KontrastError, match=told):
            divergence(tmp_path / "c", ids, [2])
    with pytest.raises(KontrastError, match="--seed: a number occurs twice"):
        run("split", tmp_path / "c", "--seed", "1,1", "--out", tmp_path / "s")


def test_a_missing_set_is_one_line(data: Path, tmp_path: Path) -> None:
    run("count", data / "ud" / "en_pud-ud-test.conllu", "--out", tmp_path / "c")
    with pytest.raises(KontrastError, match="give --train FILE and --test FILE"):
        run("divergence", tmp_path / "c")
    with pytest.raises(InputError, match="written by `kontrast count`"):
        run("split", tmp_path, "--out", tmp_path / "s")
