"""Pronoun suites from documents: the bundled corpus in every pair, real tools, resumption, bad input."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.corpus import parallel_documents
from kontrast.building.pronouns import build_pronouns, load_recipe, pipeline
from kontrast.building.pronouns.build import _allowed, select
from kontrast.building.pronouns.foils import contrastives
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.language import annotators, resolvers
from kontrast.language.aligners.fast_align import FastAlign, train
from kontrast.language.coreference import is_pleonastic
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import split
from kontrast.language.resolvers.salience import Salience

CORPUS = Path(str(kontrast.bundled_corpus()))


@pytest.fixture(scope="module")
def alignment(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """Trained once on real text: the few sentences of the bundled corpus alone would not do."""
    folder = tmp_path_factory.mktemp("alignment")
    rows = [
        (data / "contrapro-en-de" / f"rows.context1.{code}").read_text("utf-8").split("\n") for code in ("en", "de")
    ]
    pairs = [(a, b) for a, b in zip(*rows, strict=True) if a][::9]
    train(pairs, folder / "en-de")
    french = data / "large-contrastive-en-fr"
    rows = [(french / f"OpenSubs.current.{side}").read_text("utf-8").split("\n") for side in ("src", "trg")]
    train([pair for pair in zip(*rows, strict=True) if pair[0]][::4], folder / "en-fr")
    return folder


@pytest.mark.parametrize("pair", ["en-de", "en-fr"])
def test_bundled_corpus_becomes_a_suite(pair: str, alignment: Path, tmp_path: Path) -> None:
    out = tmp_path / "suite.json"
    built = build_pronouns(pair, CORPUS, out, alignment=alignment / pair, jobs=1)
    suite = kontrast.load(out)
    assert len(suite.items) == built.items >= 5
    assert suite.target_language == pair[3:]
    assert not (tmp_path / "suite.json.work").exists()
    for item in suite.items:
        assert len(item.variants) in ((2, 3) if pair == "en-de" else (2,))
        assert item.tags["confidence"] >= 0.5 and item.tags["needs_context"] is (item.tags["distance"] > 0)
        assert item.tags["ref_pronoun"].lower() in load_recipe(pair).targets
        for variant in item.variants[1:]:
            assert variant.tags["replacement"] in variant.text != item.best.text
    assert [f for f in kontrast.lint(suite) if f.level == "error"] == []


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "expected"),
    [
        ("en-de", "Ich sehe ihn.", "ihn", {"Ich sehe sie.", "Ich sehe es."}),
        ("en-fr", "Elle est belle.", "Elle", {"Il est beau."}),
        ("en-es", "La puerta no la abro.", "la", {"La puerta no lo abro."}),
        ("en-es", "Ella es muy bonita.", "Ella", {"Él es muy bonito."}),
        ("en-it", "Essa è molto bella.", "Essa", {"Esso è molto bello."}),
    ],
)
def test_contrastives_of_every_recipe(pair: str, text: str, pronoun: str, expected: set[str]) -> None:
    start = text.rindex(pronoun)
    assert {c.text for c in contrastives(load_recipe(pair), text, start, start + len(pronoun))} == expected


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("It is raining.", True),
        ("It seems that she left.", True),
        ("It is hard to say.", True),
        ("It was him who called.", True),
        ("It is on the table.", False),
        ("I bought it yesterday.", False),
        ("It takes an hour to get there.", True),
        ("We can make it easier to return to work.", True),
        ("It was announced that the bridge will close.", True),
        ("When it comes to money, she is careful.", True),
    ],
)
def test_it_that_stands_for_nothing(text: str, empty: bool) -> None:
    sentence = next(annotators.get("en").annotate([text]))
    place = next(i for i, t in enumerate(sentence.tokens) if t.text.lower() == "it")
    assert is_pleonastic(sentence, place) is empty


def test_salience_prefers_the_subject_in_the_same_number() -> None:
    sentences = list(annotators.get("en").annotate(["The lamp stood beside the two chairs.", "It was very old."]))
    best = Salience().antecedents("", sentences, 1, 0)[0]
    assert sentences[best.sentence].tokens[best.token].text == "lamp"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Es gibt viele Bücher.", "empty"),
        ("Wir fragten, um was es sich handelte.", "empty"),
        ("Es sind nur noch ein paar Tage.", "empty"),
        ("Es regnet seit gestern.", "empty"),
        ("Es dauert eine Stunde.", "empty"),
        ("Wie geht es dir?", "empty"),
        ("Es ist schön, dass du kommst.", "empty"),
        ("Das macht es leichter, zu gehen.", "empty"),
        ("Heute ist es wolkig.", "empty"),
        ("Das ist es wert.", "empty"),
        ("Es war ein Fehler.", "predicate"),
        ("Ich weiß es nicht.", "sentence"),
        ("Es wurde 1905 gebaut.", "thing"),
        ("Ich habe es gestern gekauft.", "thing"),
        ("Wir glauben, dass es im Keller liegt.", "open"),
    ],
)
def test_what_german_es_stands_for(text: str, kind: str) -> None:
    words = split(text)
    assert use_of_es(words, next(i for i, w in enumerate(words) if w.low == "es")) == kind


@pytest.mark.parametrize(
    ("text", "pronoun", "expected"),
    [
        ("Das Buch liegt da, aber ihm gehört es.", "es", {"Das Buch liegt da, aber ihm gehört er."}),
        ("Mir gefällt es.", "es", {"Mir gefällt er.", "Mir gefällt sie."}),
        (
            "Dadurch wird sie zur Liste hinzugefügt.",
            "sie",
            {f"Dadurch wird {w} zur Liste hinzugefügt." for w in ("er", "es")},
        ),
        ("Es fliegt, bis es keinen Treibstoff mehr hat.", "es", {"Es fliegt, bis er keinen Treibstoff mehr hat."}),
        ("Sie haben Recht.", "Sie", set()),
    ],
)
def test_case_and_person_come_from_the_german_clause(text: str, pronoun: str, expected: set[str]) -> None:
    start = text.rindex(pronoun)
    found = {c.text for c in contrastives(load_recipe("en-de"), text, start, start + len(pronoun), True)}
    assert found >= expected and bool(found) is bool(expected)


def test_mentions_of_one_thing_change_together() -> None:
    text = "Als sie 1820 öffnete, war sie die längste und zeigte ihre Größe."
    recipe = load_recipe("en-de")
    first, second, owner = text.index("sie"), text.rindex("sie"), text.index("ihre")
    together = {second: True, owner: False}
    found = {c.text for c in contrastives(recipe, text, first, first + 3, True, together)}
    assert "Als er 1820 öffnete, war er die längste und zeigte seine Größe." in found
    alone = {c.text for c in contrastives(recipe, text, first, first + 3, True)}
    assert "Als er 1820 öffnete, war sie die längste und zeigte ihre Größe." in alone


@pytest.mark.parametrize("form", ["json", "conllu"])
def test_given_coreference(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"chains.{form}"
    if form == "json":
        path.write_text('{"d": [[[0, 0, 8], [1, 0, 2]]]}')
    else:
        rows = ["# newdoc id = d", "# text = The lamp stood near a chair."]
        words = "The lamp stood near a chair .".split()
        marks = {"The": "Entity=(e1-object-1", "lamp": "Entity=e1)", "a": "Entity=(e2", "chair": "Entity=e2)"}
        rows += ["\t".join([str(i), w, *"_" * 7, marks.get(w, "_")]) for i, w in enumerate(words, start=1)]
        rows += ["", "# text = It was old."]
        marks = {"It": "Entity=(e1)"}
        rows += ["\t".join([str(i), w, *"_" * 7, marks.get(w, "_")]) for i, w in enumerate("It was old .".split(), 1)]
        path.write_text("\n".join([*rows, ""]))
    sentences = list(annotators.get("en").annotate(["The lamp stood near a chair.", "It was old."]))
    [only] = resolvers.get("given", path).antecedents("d", sentences, 1, 0)
    assert sentences[only.sentence].tokens[only.token].text == "lamp"
    assert resolvers.get("given", path).antecedents("other", sentences, 1, 0) == []


def test_alignment_is_kept_and_found_again(alignment: Path) -> None:
    pairs = [("It is a good idea.", "Es ist eine gute Idee.")]
    first, second = (list(FastAlign(alignment / "en-de").align(pairs)) for _ in range(2))
    assert first == second
    assert (0, 0) in first[0] and (4, 4) in first[0]


def test_selection_takes_different_sentences_first() -> None:
    pair = (kontrast.Variant("Er ist alt."), kontrast.Variant("Sie ist alt."))
    other = (kontrast.Variant("Er ist neu."), kontrast.Variant("Sie ist neu."))
    tags = {"ref_pronoun": "er", "distance": 1}
    items = [kontrast.Item(str(i), "It", pair if i < 5 else other, tags=tags, document=f"d{i}.de") for i in range(6)]
    assert 5 in select(items, per_pronoun=2)[1]
    assert len(select(items, per_pronoun=4)[1]) == 4
    left_out: Counter[str] = Counter()
    barred = frozenset({"d1", "d2.de"})
    assert [i.id for i in _allowed(items, left_out, barred=barred)] == ["0", "3", "4", "5"]
    assert left_out == {"in a document of --leave-out": 2}


def test_goes_on_after_a_kill(alignment: Path, tmp_path: Path) -> None:
    documents = tmp_path / "documents" / "2000"
    documents.mkdir(parents=True)
    text = {code: (CORPUS / "2021" / f"2021_01_lamp.{code}").read_text("utf-8") * 12 for code in ("en", "de")}
    for number in range(16):
        for code in ("en", "de"):
            (documents / f"2000_{number}_0.{code}").write_text(text[code], "utf-8")
    out = tmp_path / "suite.json"
    arguments = [
        "--pair",
        "en-de",
        "--documents",
        str(tmp_path / "documents"),
        "--alignment",
        str(alignment / "en-de"),
        "--min-confidence",
        "0.5",
        "--second-opinion",
        "none",
    ]
    command = [sys.executable, "-m", "kontrast", "build", "pronouns", *arguments, "--jobs", "1", "--out", str(out)]
    journal = tmp_path / "suite.json.work" / "manifest"
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if journal.exists() and journal.read_text("utf-8").count("\n") >= 3:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.02)
    process.wait()
    assert process.returncode == -signal.SIGKILL and not out.exists()
    before = journal.read_text("utf-8").count("\n")
    assert before >= 3
    other = subprocess.run([*command, "--single"], capture_output=True, text=True)
    assert other.returncode == 2 and "with other options" in other.stderr and "Traceback" not in other.stderr
    subprocess.run(command, check=True, capture_output=True)
    assert not journal.parent.exists()
    resumed = json.loads(out.read_text("utf-8"))
    whole = tmp_path / "whole.json"
    given = {"alignment": alignment / "en-de", "min_confidence": 0.5, "second_opinion": "none", "jobs": 2}
    made = kontrast.build_pronouns("en-de", tmp_path / "documents", whole, **given)
    assert resumed == json.loads(whole.read_text("utf-8")) and made.items == kontrast.load(out).items


def test_what_is_left_out_is_counted_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Items found are those kept and those left out, by each reason; where none is kept nothing is written."""
    out = tmp_path / "suite.json"
    given: dict[str, Any] = {"pair": "en-de", "documents": CORPUS}
    options: dict[str, Any] = {"context_needed": True, "per_pronoun": 2, "leave_out": ["2021_01_lamp"]}
    options |= {"min_confidence": 0.6}
    made = kontrast.write_pronouns(out, **given, **options)
    reasons = ("not sure", "antecedent in the same sentence", "in a document of --leave-out", "more than asked for")
    numbers = [sum(n for told, n in made.left_out.items() if told.startswith(reason)) for reason in reasons]
    assert min(numbers) > 0 and made.found == made.items + sum(numbers)
    assert "--leave-out" not in capsys.readouterr().err
    before = out.read_bytes()
    with pytest.raises(KontrastError, match=r"gives no item \(\d+ not sure enough, .*\d+ no antecedent"):
        kontrast.write_pronouns(out, **given, min_confidence=1.0)
    with pytest.raises(KontrastError, match="; a lower --min-confidence keeps more items, which a person must read"):
        kontrast.write_pronouns(out, **given, min_confidence=1.0)
    assert out.read_bytes() == before and not (tmp_path / "suite.json.work").exists()
    kontrast.write_pronouns(out, **given, leave_out=["2021_1_lamp"])
    assert "--leave-out: of its 1 names 1 are no documents here: 2021_1_lamp" in capsys.readouterr().err
    kontrast.write_pronouns(out, **given, leave_out=["2021/2021_01_lamp.en", "lamp"])
    assert "--leave-out: of its 2 names 1 are no documents here: lamp" in capsys.readouterr().err


def test_no_input_is_written_over(tmp_path: Path) -> None:
    for code in ("en", "de"):
        (tmp_path / f"lamp.{code}").write_bytes((CORPUS / "2021" / f"2021_01_lamp.{code}").read_bytes())
    before = (tmp_path / "lamp.de").read_bytes()
    with pytest.raises(KontrastError, match="is one of the files that are read"):
        kontrast.write_pronouns(tmp_path / "lamp.de", pair="en-de", documents=tmp_path)
    assert (tmp_path / "lamp.de").read_bytes() == before


def test_a_document_stands_once(tmp_path: Path) -> None:
    """Items name their document; with two of that name their context would be either's."""
    for year in ("2021", "2022"):
        (tmp_path / year).mkdir()
        for code in ("en", "de"):
            (tmp_path / year / f"2021_01_lamp.{code}").write_bytes(
                (CORPUS / "2021" / f"2021_01_lamp.{code}").read_bytes()
            )
    with pytest.raises(KontrastError, match="expected each document once, found 2021_01_lamp again"):
        kontrast.build_pronouns("en-de", tmp_path)


def test_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.toml").write_text("pair = 3")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "x.en").write_text("It is.\nIt was.\n")
    (tmp_path / "d" / "x.de").write_text("Es ist.\n")
    for arguments, expected in (
        (["--pair", "en-xx", "--documents", "d"], "there is no recipe"),
        (["--pair", str(tmp_path / "bad.toml"), "--documents", "d"], "in [pair]: expected text, got"),
        (["--pair", "en-de", "--documents", str(tmp_path / "no")], "expected a folder of documents"),
        (["--pair", "en-de", "--documents", str(tmp_path / "d")], "has 1 lines"),
        (["--pair", "en-fr", "--documents", str(tmp_path / "d")], "has no document"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(["build", "pronouns", *arguments, "--out", str(tmp_path / "out.json")])
        assert stop.value.code == 2
        assert expected in capsys.readouterr().err
    with pytest.raises(KontrastError):
        load_recipe("nothing")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('contrast = "table"', 'contrast = "guesses"', "invalid enum value 'guesses'"),
        ('contrast = "table"', 'contrast = "pronoun_gender"', "exists only for de and fr"),
        ("max_distance = 5", "max_distence = 5", "did you mean max_distance?"),
        ('lo = ["la"]', 'lo = ["lla"]', "'lla' in [swaps] is not one of [targets]"),
        ('gender = "m"', 'gender = "x"', "invalid enum value 'x'"),
        ("number = ", "numbr = ", "there is no key numbr"),
        ('pair = "en-es"', 'pair = "english"', "is not two language codes"),
        ('m = "Masc"', "", "gender 'm' of a target has no name in [genders]"),
    ],
)
def test_a_recipe_is_validated(old: str, new: str, expected: str, tmp_path: Path) -> None:
    text = (Path(kontrast.__file__).parent / "data" / "recipes" / "en-es.toml").read_text("utf-8")
    assert old in text
    path = tmp_path / "my.toml"
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(KontrastError) as error:
        load_recipe(str(path))
    assert expected in str(error.value) and "my.toml" in str(error.value)


def test_documents_in_one_language_and_blank_lines_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(CORPUS, tmp_path / "documents")
    for name in ("alone.en", "lonely.de"):
        (tmp_path / "documents" / "2021" / name).write_text("It is here.\n")
    for code in ("en", "de"):
        path = tmp_path / "documents" / "2021" / f"2021_01_lamp.{code}"
        path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    kontrast.write_pronouns(tmp_path / "suite.json", pair="en-de", documents=tmp_path / "documents")
    told = capsys.readouterr().err
    assert "documents in only one language are left out: alone.en, lonely.de (2 in all)" in told
    assert "1 blank lines count as sentences" in told
    kontrast.write_pronouns(tmp_path / "suite.json", pair="en-de", documents=CORPUS)
    assert "only one language" not in capsys.readouterr().err


def test_a_number_of_items_is_drawn_in_equal_shares(tmp_path: Path) -> None:
    given: dict[str, Any] = {"pair": "en-de", "documents": CORPUS, "second_opinion": "none", "min_confidence": 0.3}
    first, again, many = (tmp_path / f"{name}.jsonl" for name in ("first", "again", "many"))
    for out in (first, again):
        built = kontrast.write_pronouns(out, **given, items=6)
        assert built.items == 6 and not built.short
    items = kontrast.load(first).items
    assert items == kontrast.load(again).items
    assert Counter(i.tags["ref_ante_head_gender"] for i in items) == {"Masc": 2, "Fem": 2, "Neut": 2}
    assert not any(i.tags["intrasegmental"] for i in items)  # a fifth of two
    built = kontrast.write_pronouns(many, **given, items=3000)
    drawn = Counter(i.tags["ref_ante_head_gender"] for i in kontrast.load(many).items)
    assert built.short == {f"{gender} Sg": 1000 - drawn[gender] for gender in ("Masc", "Fem", "Neut")}
    with pytest.raises(KontrastError, match="leave out --per-pronoun and --per-cell"):
        kontrast.write_pronouns(many, **given, items=6, per_cell=2)


def test_pronouns_of_a_gender_that_is_full_are_passed_over_without_a_change(
    tmp_path: Path, alignment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = load_recipe("en-de")
    tools = pipeline.Tools(recipe, alignment=str(alignment / "en-de"))
    documents = list(pipeline.composed_documents(CORPUS, "en", "de"))
    whole = [found.items for found in pipeline.find_in_documents(documents, tools)]
    for full in ("m", "f", "fn"):
        barred = {recipe.genders[letter] for letter in full}

        def others(items: list[kontrast.Item], barred: set[str] = barred) -> list[kontrast.Item]:
            return [item for item in items if item.tags["ref_ante_head_gender"] not in barred]

        some = list(pipeline.find_in_documents(documents, tools, frozenset(full)))
        assert sum(found.left_out[pipeline.ENOUGH] for found in some) > 5
        assert [others(found.items) for found in some] == [others(items) for items in whole]
    given: dict[str, Any] = {"pair": "en-de", "documents": CORPUS, "second_opinion": "none", "min_confidence": 0.3}
    monkeypatch.setattr(pipeline, "_CANDIDATES", 2)
    short = kontrast.write_pronouns(tmp_path / "short.jsonl", **given, items=9)
    monkeypatch.setattr(pipeline, "_without", lambda _full, every: every)
    kontrast.write_pronouns(tmp_path / "long.jsonl", **given, items=9)
    assert short.left_out[pipeline.ENOUGH] > 0
    assert kontrast.load(tmp_path / "short.jsonl").items == kontrast.load(tmp_path / "long.jsonl").items


def test_documents_of_an_archive_come_in_an_order_by_the_seed(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "de-en.txt.zip", "w") as archive:
        names = [f"en/2000/{k}/{k}.xml.gz\tde/2000/{k}/{k}.xml.gz\n" * 2 for k in range(200)]
        archive.writestr("a.ids", "".join(names))
        for code in ("en", "de"):
            archive.writestr(f"a.{code}", "".join(f"{k} one\n{k} two\n" for k in range(200)))
    plain, *drawn = (
        list(parallel_documents(tmp_path / "de-en.txt.zip", "en", "de", seed)) for seed in (None, 1, 1, 2)
    )
    assert [document.source for document in plain] == [(f"{k} one", f"{k} two") for k in range(200)]
    assert drawn[0] == drawn[1] != drawn[2] != plain
    assert all(sorted(some, key=plain.index) == plain for some in drawn)


def test_a_model_moves_the_confidence_of_foils(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds likelier than the reference, beside the sentence before, is less sure, and may be left out."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    how: dict[str, Any] = {"second_opinion": "none", "min_confidence": 0.5}
    corpus = kontrast.bundled_corpus()
    plain = kontrast.build_pronouns("en-de", corpus, **how)
    built = kontrast.write_pronouns(tmp_path / "judged.jsonl", "en-de", corpus, judge="tiny", **how)
    judged = kontrast.load(tmp_path / "judged.jsonl")
    sure = {(item.id, foil.text): foil.tags["confidence"] for item in plain.items for foil in item.variants[1:]}
    assert built.items == len(judged.items) == len(plain.items) - built.left_out["left out by --judge tiny"]
    for item in judged.items:
        assert item.tags["confidence"] == max(foil.tags["confidence"] for foil in item.variants[1:])
        for foil in item.variants[1:]:
            assert (foil.tags["margin"] > 0) == (foil.tags["confidence"] > sure[item.id, foil.text])
    assert sorted(path.name for path in tmp_path.iterdir() if "judged" in path.name) == ["judged.jsonl"]
