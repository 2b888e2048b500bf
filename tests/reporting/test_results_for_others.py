"""Published results: what the validators of others say, the numbers of `evaluate`, and what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import Item, KontrastError, Scores, Suite, Variant
from kontrast.reporting.results_for_others import EVERY_EVAL_EVER

TEXT: dict[str, Any] = {"type": "string"}
TEXTS: dict[str, Any] = {"type": "object", "additionalProperties": TEXT}
SHARE: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}


def the(**keys: Any) -> dict[str, Any]:
    """An object with these keys, all of them needed."""
    return {"type": "object", "required": list(keys), "properties": keys}


RECORD = {
    **the(
        schema_version={"const": EVERY_EVAL_EVER},
        evaluation_id=TEXT,
        retrieved_timestamp={"type": "string", "pattern": "^[0-9]+$"},
        source_metadata=the(
            source_type={"enum": ["documentation", "evaluation_run"]},
            source_organization_name=TEXT,
            evaluator_relationship={"enum": ["first_party", "third_party", "collaborative", "other"]},
        ),
        eval_library=the(name=TEXT, version=TEXT),
        model_info=the(
            name=TEXT,
            id=TEXT,
            additional_details=the(
                deployment_type={"enum": ["self_deployed", "externally_managed", "unknown"]},
                model_availability={"enum": ["open_weights", "closed_weights", "unknown"]},
            ),
        ),
        evaluation_results={
            "type": "array",
            "items": the(
                evaluation_name=TEXT,
                source_data=the(dataset_name=TEXT, source_type={"enum": ["url", "hf_dataset", "other"]}),
                metric_config=the(lower_is_better={"const": False}, min_score={"const": 0}, max_score={"const": 1}),
                score_details=the(
                    score=SHARE,
                    details=TEXTS,
                    uncertainty=the(
                        confidence_interval=the(lower=SHARE, upper=SHARE), num_samples={"type": "integer"}
                    ),
                ),
            ),
        },
    ),
    "additionalProperties": False,
}
"""What Every Eval Ever needs of a record, as far as kontrast writes it."""


@pytest.fixture(scope="module")
def suite() -> Suite:
    return kontrast.load("demo:fr")


@pytest.fixture(scope="module")
def scores(suite: Suite) -> Scores:
    """Right in two of three items."""
    rows = [(0.0, 1.0) if number % 3 else (1.0, 0.0) for number in range(len(suite))]
    return Scores("me/mine", tuple(value for row in rows for value in row))


def record_of(folder: Path) -> dict[str, Any]:
    [path] = folder.glob("data/*/*/*/*.json")
    made: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return made


def test_a_record_of_every_eval_ever(suite: Suite, scores: Scores, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    done = kontrast.publish("demo:fr", tmp_path / "out", scores, evaluator="My Lab", relationship="first_party")
    record = record_of(tmp_path / "out")
    jsonschema.validate(record, RECORD)
    found = kontrast.evaluate(suite, scores)
    total, *groups = record["evaluation_results"]
    assert total["score_details"]["score"] == found.accuracy == pytest.approx(117 / 176)
    assert total["score_details"]["details"]["chance"] == "0.5000"
    assert total["score_details"]["uncertainty"]["confidence_interval"]["lower"] == found.interval.low
    assert [each["score_details"]["score"] for each in groups] == [group.accuracy for group in found.by[0].groups]
    assert (
        record["model_info"]["id"] == "me/mine" and record["source_metadata"]["source_organization_name"] == "My Lab"
    )
    method = (tmp_path / "out/METHOD.md").read_text("utf-8")
    assert method.strip() == kontrast.describe_method(suite, scores)
    assert "@software{kontrast" in (tmp_path / "out/CITATION.bib").read_text("utf-8")
    assert kontrast.publish("demo:fr", tmp_path / "again", scores, evaluator="My Lab").files != done.files
    same = kontrast.publish("demo:fr", tmp_path / "same", scores, evaluator="My Lab", relationship="first_party")
    assert same.files == done.files, "the same result has the same name"


@pytest.mark.slow
def test_the_real_validator(scores: Scores, tmp_path: Path) -> None:
    """The package every-eval-ever, of the version that is named, in an environment of its own."""
    python = next(
        (found for name in ("python3.12", "python3.13", "python3.14") if (found := shutil.which(name))), None
    )
    if python is None or subprocess.run([python, "--version"], capture_output=True).returncode:
        pytest.skip("every-eval-ever needs Python 3.12 or newer")
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True)
    pip = [tmp_path / "venv/bin/pip", "install", "-q", f"every-eval-ever=={EVERY_EVAL_EVER}"]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"every-eval-ever cannot be installed here: {done.stderr.strip()[-200:]}")
    kontrast.publish("demo:fr", tmp_path / "out", scores)
    paths = [path.relative_to(tmp_path / "out") for path in (tmp_path / "out").glob("data/*/*/*/*.json")]
    words = [tmp_path / "venv/bin/every_eval_ever", "validate", *paths]
    done = subprocess.run(words, cwd=tmp_path / "out", capture_output=True, text=True)
    assert done.returncode == 0 and "1 passed, 0 warning-only, 0 failed" in done.stdout, done.stdout + done.stderr


def test_the_metadata_of_a_model_card(suite: Suite, scores: Scores, tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub.repocard_data")
    yaml = pytest.importorskip("yaml")
    kontrast.publish("demo:fr", tmp_path / "out", scores)
    said = yaml.safe_load((tmp_path / "out/hub/me/mine/model-index.yaml").read_text("utf-8"))
    name, results = hub.model_index_to_eval_results(said["model-index"])
    assert name == "mine" and results[0].metric_value == kontrast.evaluate(suite, scores).accuracy
    assert (results[0].task_type, results[0].dataset_name) == ("translation", "demo-fr")
    assert results[0].dataset_args["fingerprint"] == suite.fingerprint
    assert hub.eval_results_to_model_index(name, results)[0]["results"]
    assert not list((tmp_path / "out").rglob(".eval_results")), "no benchmark of the hub"


def test_results_on_a_set_of_the_hub(scores: Scores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = pytest.importorskip("huggingface_hub")
    yaml = pytest.importorskip("yaml")
    monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)
    place = tmp_path / "hub/datasets--me--set"
    (place / "refs").mkdir(parents=True)
    (place / "refs/main").write_text("f" * 40)
    kontrast.publish("demo:fr", place / "snapshots" / ("f" * 40))
    kontrast.publish("hf://datasets/me/set", tmp_path / "out", scores)
    [path] = (tmp_path / "out/hub/me/mine/.eval_results").iterdir()
    [entry] = hub.parse_eval_result_entries(yaml.safe_load(path.read_text("utf-8")))
    assert (entry.dataset_id, entry.task_id, entry.dataset_revision) == ("me/set", "default", "f" * 40)
    assert entry.value == pytest.approx(117 / 176) and "set@ffffffff" in entry.notes
    data = record_of(tmp_path / "out")["evaluation_results"][0]["source_data"]
    assert (data["source_type"], data["hf_repo"], data["samples_number"]) == ("hf_dataset", "me/set", 176)


def test_odd_labels_reach_the_metadata(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    odd = 'a: b # "c"\x7f\x85\u2028\n- d é 🐈'
    items = (
        Item(str(n), "s", (Variant("x"), Variant("y", error=name)), tags={"phenomenon": name})
        for n, name in enumerate([odd, "other"] * 3)
    )
    suite = Suite(odd, tuple(items))
    kontrast.publish(suite, tmp_path / "out", Scores("me/mine", (0.0, 1.0) * 6))
    said = yaml.safe_load((tmp_path / "out/hub/me/mine/model-index.yaml").read_text("utf-8"))
    [result] = said["model-index"][0]["results"]
    assert result["dataset"]["name"] == odd and any(odd in metric["name"] for metric in result["metrics"])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s, out: kontrast.publish("demo:fr", out, Scores("mine", s.values)), "as OWNER/NAME=FILE"),
        (lambda s, out: kontrast.publish("demo:fr", out, s, s), "two systems have the same name"),
        (lambda s, out: kontrast.publish("demo:fr", out, s, licence="MIT"), "are for a published suite"),
        (lambda s, out: kontrast.publish("demo:fr", out, ("me/it", [s, s])), "one score file per system"),
        (lambda s, out: kontrast.publish("demo:fr", out, evaluator="me"), "are for results"),
        (lambda s, out: kontrast.publish("demo:fr", out.parent, s), "is not empty"),
    ],
)
def test_what_is_refused(call: Callable[[Scores, Path], Any], said: str, scores: Scores, tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    with pytest.raises(KontrastError, match=said):
        call(scores, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_of_this_name_is_no_model_of_the_hub(
    scores: Scores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "me/mine").mkdir(parents=True)
    with pytest.raises(KontrastError, match="OWNER/NAME=FILE"):
        kontrast.publish("demo:fr", tmp_path / "out", scores)
