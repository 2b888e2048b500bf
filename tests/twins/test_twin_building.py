"""Twins of building: the function gives what the command prints or writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kontrast

from .making import Command, agree, calls, twin

CALLS = calls(
    {
        "languages": ("languages --pair en-es", lambda: kontrast.languages("en-es")),
    }
)


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(name: str, command: Command) -> None:
    agree(command, *CALLS[name])


@twin("perturb", "build errors")
def test_perturb_and_build_take_files(command: Command) -> None:
    lines = command("perturb --lang de --types polarity_particle_nicht_del --train text.de text.de")
    printed = [json.loads(line)["text"] for line in lines.splitlines()]
    found = kontrast.perturb("text.de", "de", "polarity_particle_nicht_del", train="text.de")
    assert [candidate.text for _, candidate in found] == printed == ["Die Frau lacht."]
    command("build errors text.en text.de --types polarity_particle_nicht_del --out errors.jsonl")
    assert kontrast.build_errors("text.en", "text.de", types="polarity_particle_nicht_del") == kontrast.load(
        "errors.jsonl"
    )


@twin("build alignment")
def test_alignment_is_the_function(command: Command) -> None:
    pytest.importorskip("systran_align")
    printed = command("build alignment text.en text.de --out cli.alignment --json")
    made = kontrast.build_alignment("text.en", "text.de", "api.alignment")
    assert msgspec.to_builtins(made) == json.loads(printed) and made.pairs == 2


@twin("build metrics-it")
def test_candidates_for_metrics_are_the_function(command: Command) -> None:
    pytest.importorskip("systran_align")
    Path("lamp.en").write_text("I bought a lamp.\nIt is broken.\n")
    Path("lamp.de").write_text("Ich habe eine Lampe gekauft.\nSie ist kaputt.\n")
    printed = command("build metrics-it lamp.en lamp.de --out cli.it --json")
    named = command("build metrics-it --source lamp.en --reference lamp.de --out cli.it --json")
    assert named == printed
    made = kontrast.build_metrics_it("lamp.en", "lamp.de")
    assert json.loads(msgspec.json.encode(made.candidates)) == json.loads(printed)
    assert [candidate.pronoun for candidate in made.candidates] == ["Sie"]
    kontrast.save_metrics_it(made, "api.it")
    files = {path.name: path.read_bytes() for path in Path("cli.it").iterdir()}
    assert files and files == {path.name: path.read_bytes() for path in Path("api.it").iterdir()}


@twin("build marked")
def test_marked_errors_are_the_function(command: Command) -> None:
    ratings = str(kontrast.bundled_ratings())
    told = json.loads(command(["build", "marked", ratings, "--pair", "en-de", "--out", "cli.marked.jsonl", "--json"]))
    made = kontrast.write_marked("api.marked.jsonl", ratings, pair="en-de")
    assert {**made.to_dict(), "out": "cli.marked.jsonl"} == told
    suite = kontrast.load("cli.marked.jsonl")
    assert suite.items == kontrast.build_marked(ratings, pair="en-de").items and len(suite) == made.items > 5


@twin("build agreement")
def test_agreement_suite_is_the_function(command: Command) -> None:
    Path("t.en.conllu").write_text(_tree("1", "dogs bark", "dog NOUN nsubj Plur 2", "bark VERB root Plur 0"))
    Path("t.es.conllu").write_text(
        _tree("1", "perros ladran", "perro NOUN nsubj Plur 2", "ladrar VERB root Plur 0")
        + _tree("2", "perro ladra", "perro NOUN nsubj Sing 2", "ladrar VERB root Sing 0")
    )
    options = "t.en.conllu t.es.conllu --pair en-es --lexicon ud:t.es.conllu"
    printed = command(["build", "agreement", *options.split(), "--out", "agreement.jsonl", "--json"])
    named = ["--source", "t.en.conllu", "--target", "t.es.conllu", *options.split()[2:]]
    assert command(["build", "agreement", *named, "--out", "agreement.jsonl", "--json"]) == printed
    made = kontrast.build_agreement("t.en.conllu", "t.es.conllu", "en-es", lexicons=["ud:t.es.conllu"])
    assert made.suite == kontrast.load("agreement.jsonl")
    told = json.loads(printed)
    assert (told["items"], told["phenomena"]) == (len(made.suite), made.phenomena) and told["items"] == 1


def _tree(name: str, text: str, *words: str) -> str:
    lines = [f"# sent_id = {name}", f"# text = {text}"]
    for n, (form, word) in enumerate(zip(text.split(), words, strict=True), start=1):
        lemma, pos, relation, number, head = word.split()
        features = f"Number={number}" + ("|Person=3|VerbForm=Fin|Mood=Ind|Tense=Pres" if pos == "VERB" else "")
        lines.append(f"{n}\t{form}\t{lemma}\t{pos}\t_\t{features}\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


@twin("build errors")
def test_written_errors_are_counted_as_the_command_says(command: Command) -> None:
    printed = command("build errors text.en text.de --types all --out counted.json --json")
    made = kontrast.write_errors("counted.json", "text.en", "text.de", types="all")
    assert made.to_dict() == json.loads(printed) and made.rows > made.items
    assert sum(made.errors.values()) == made.rows - made.items


def test_errors_of_every_language_are_counted(tmp_path: Path) -> None:
    (tmp_path / "t.en").write_text("Mr Smith met Anna.\nMr Jones left.\n")
    (tmp_path / "t.es").write_text("El señor Smith conoció a Anna.\nEl señor Jones se fue.\n")
    made = kontrast.write_errors(tmp_path / "n.jsonl", tmp_path / "t.en", tmp_path / "t.es", "en-es", "name")
    assert made.errors == {"name": 2}


@twin("build pronouns")
@pytest.mark.parametrize("pair", ["en-de", "en-es", "en-it"])
def test_pronouns_are_those_of_the_function(pair: str, command: Command) -> None:
    """The two small recipes have no documents of their own here: a few made ones, aligned word by word."""
    pytest.importorskip("systran_align")
    documents = str(kontrast.bundled_corpus()) if pair == "en-de" else _documents(pair)
    Path("barred.txt").write_text("2001/none\n")
    options = ["--min-confidence", "0", "--jobs", "1", "--leave-out", "barred.txt"]
    line = ["build", "pronouns", "--pair", pair, "--documents", documents, *options, "--out"]
    told = json.loads(command([*line, f"cli.{pair}.jsonl", "--json"]))
    how: dict[str, Any] = {"min_confidence": 0, "leave_out": "barred.txt"}
    made = kontrast.write_pronouns(f"api.{pair}.jsonl", pair, documents, **how)
    assert {**made.to_dict(), "out": f"cli.{pair}.jsonl"} == told
    suite = kontrast.load(f"api.{pair}.jsonl")
    assert len(suite) == made.items == sum(n for _, n in made.by[0].cells) > 0
    assert kontrast.load(f"cli.{pair}.jsonl").items == suite.items
    assert kontrast.build_pronouns(pair, documents, **how).items == suite.items


def _documents(pair: str) -> str:
    """Twenty times the same short document: a masculine and a feminine thing, each taken up by a pronoun."""
    language = pair[3:]
    lines = {
        "en": ["I bought the book.", "It is new.", "I bought the table.", "It is new."],
        "es": ["Compré el libro.", "Él es nuevo.", "Compré la mesa.", "Ella es nueva."],
        "it": ["Ho comprato il libro.", "Esso è nuovo.", "Ho comprato la tavola.", "Essa è nuova."],
    }
    folder = Path(f"documents.{pair}/2001")
    folder.mkdir(parents=True)
    for number in range(20):
        for code in ("en", language):
            (folder / f"{number}.{code}").write_text("".join(f"{line}\n" for line in lines[code]))
    return str(folder.parent)
