"""The errors: each declaration's own examples, the contract of the output, bad input, the page."""

from __future__ import annotations

import gzip
import json
import runpy
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast.building.errors.de import LINGEVAL97
from kontrast.building.errors.registry import known_names, languages, listed
from kontrast.building.errors.run import candidates_of, perturb, perturb_file
from kontrast.building.errors.spec import Perturbation
from kontrast.cli import kontrast as cli
from kontrast.language import annotators

DOCS = Path(__file__).resolve().parents[2] / "docs"
GERMAN = listed("de", known_names("de"))


def run(*args: str, text: str | None = None) -> tuple[int, str, str]:
    """Exit status, output and errors of the command as a person sees them."""
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-m", "kontrast", *args], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("perturbation", GERMAN, ids=[p.name for p in GERMAN])
def test_a_declaration_keeps_its_examples(perturbation: Perturbation) -> None:
    for before, *after in perturbation.declared.examples:
        sentence = next(annotators.get("de").annotate([before]))
        found = [c.text for c in candidates_of(perturbation, sentence)]
        assert after[0] in found if after else found == [], (before, found)


def test_the_thirteen_come_in_the_order_of_lingeval97() -> None:
    assert tuple(p.name for p in GERMAN if p.name in LINGEVAL97) == LINGEVAL97


def test_the_pages_are_up_to_date() -> None:
    made = runpy.run_path(str(DOCS.parent / "tools" / "error_pages.py"))["pages"]()
    assert [path.stem for path in made] == [f"errors-{language}" for language in languages()]
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, "run `python tools/error_pages.py`"


def test_edits_are_offsets_of_the_line_and_make_the_text() -> None:
    text = "„Die Prager Börse stürzt, und das ist kein Unglück“, sagte Filip Drápal am 18. Dezember."
    found = list(perturb([text], "de", every=True))
    assert {c.type for _, c in found} >= {"np_agreement", "subj_verb_agreement", "polarity_affix_del", "date"}
    for _, c in found:
        made, cursor = "", 0
        for edit in c.edits:
            assert text[edit.start : edit.end] == edit.old
            made += text[cursor : edit.start] + edit.new
            cursor = edit.end
        assert made + text[cursor:] == c.text != text


@pytest.mark.parametrize(
    ("text", "type_name", "never"),
    [
        ("Der See ist tief.", "np_agreement", "Die See ist tief."),
        ("Wir warten auf den Lehrer.", "np_agreement", "Wir warten auf die Lehrer."),
        ("Der Lehrer und seine Frau lachen.", "np_agreement", "Die Lehrer und seine Frau lachen."),
        ("Die Kinder lachen.", "np_agreement", "Der Kinder lachen."),
        ("Sie glaubt der Frau.", "np_agreement", "Sie glaubt die Frau."),
        ("Wir wissen, dass sie lacht.", "subj_verb_agreement", "Wir wissen, dass sie lachen."),
        ("Ich sagte es.", "tense", "Ich sagte es."),
        ("Das Fenster ist geöffnet.", "auxiliary", "Das Fenster hat geöffnet."),
        ("Wir sind geschwommen.", "auxiliary", "Wir haben geschwommen."),
        ("Das Unternehmen wächst.", "polarity_affix_del", "Das Ternehmen wächst."),
        ("Unserer Ansicht nach stimmt das.", "polarity_affix_del", "Serer Ansicht nach stimmt das."),
        ("Der Benzinverbrauch sinkt.", "compound", "Der Verbbenzinrauch sinkt."),
        ("Die Lehrerfortbildung ist gut.", "compound", "Die Fortlehrerbildung ist gut."),
        ("Der Tourismusminister lacht.", "compound", "Der Ismustourminister lacht."),
        ("Die Prostatakrebsfrüherkennung hilft.", "compound", "Die Frühprostatakrebserkennung hilft."),
        ("Er kommt um 19 Uhr.", "number", "Er kommt um 29 Uhr."),
        ("Er blieb bis 1998.", "number", "Er blieb bis 2998."),
        ("Er kam am 24.12.2008.", "number", "Er kam am 34.12.2008."),
        ("In zwei oder drei Jahren.", "number", "In drei oder drei Jahren."),
        ("Sie bekam 1 Jahr.", "number", "Sie bekam 2 Jahr."),
        ("Er kam am 31. Oktober.", "date", "Er kam am 31. November."),
        ("Er kam am Montag, nicht am Dienstag.", "date", "Er kam am Dienstag, nicht am Dienstag."),
        ("Bitte beachten Sie den Hinweis.", "tense", "Bitte beachteten Sie den Hinweis."),
        ("Beachten Sie, dass es regnet.", "tense", "Beachteten Sie, dass es regnet."),
        ("Nur bis er Sie lesen hört.", "formality", "Nur bis er du liest hört."),
        ("Klicken Sie auf „Konto löschen“.", "formality", "Klicken du auf „Konto löschst“."),
        ("Gib mir das, hast du gehört?", "formality", "Gib mir das, haben Sie gehört?"),
    ],
)
def test_never_a_candidate_that_is_still_correct_or_no_error(text: str, type_name: str, never: str) -> None:
    assert never not in [c.text for _, c in perturb([text], "de", [type_name], every=True)]


@pytest.mark.parametrize(
    ("text", "type_name", "wanted"),
    [
        ("Er kam und ging.", "subj_verb_agreement", "Er kam und gingen."),
        ("Das Buch, das er liest, gefällt mir.", "subj_verb_agreement", "Das Buch, das er lesen, gefällt mir."),
        ("Zwei Millionen Menschen leben hier.", "subj_verb_agreement", "Zwei Millionen Menschen lebt hier."),
        ("Wer Brot holt und es isst, wird satt.", "subj_verb_agreement", "Wer Brot holt und es essen, wird satt."),
        ("Der Lehrer lacht.", "np_agreement", "Die Lehrer lacht."),
        ("Das bestätigt die Familie.", "np_agreement", "Das bestätigt den Familie."),
        ("Er steht auf der einen Seite.", "np_agreement", "Er steht auf dem einen Seite."),
        ("Das in Bonn ansässige Haus wächst.", "np_agreement", "Der in Bonn ansässige Haus wächst."),
        ("Hopf, der junge Dirigent, lacht.", "np_agreement", "Hopf, das junge Dirigent, lacht."),
        ("Sie ist angekommen.", "auxiliary", "Sie hat angekommen."),
        ("Er muss gehen.", "subj_verb_agreement", "Er müssen gehen."),
        ("Er lässt ihn gehen.", "subj_verb_agreement", "Er lassen ihn gehen."),
        ("Das Krankenhausdach brennt.", "compound", "Das Hauskrankendach brennt."),
        ("Der Datenschutzbericht liegt vor.", "compound", "Der Schutzdatenbericht liegt vor."),
        ("Der Bundestagswahlkampf beginnt.", "compound", "Der Tagsbundeswahlkampf beginnt."),
        ("Er blieb bis 1998.", "number", "Er blieb bis 1997."),
        ("Er kommt um 8 Uhr.", "number", "Er kommt um 9 Uhr."),
        ("Er kam am Samstag.", "date", "Er kam am Sonntag."),
        ("Wie sicher sind Sie sich?", "formality", "Wie sicher bist du dir?"),
        ("Heute fühlst du dich gut.", "formality", "Heute fühlen Sie sich gut."),
        ("Ich liebe dich, wenn du lachst.", "formality", "Ich liebe Sie, wenn Sie lachen."),
        ("Ihr Hund bellt, wenn Sie lachen.", "formality", "Dein Hund bellt, wenn du lachst."),
        ("Versuchst du, dich zu erinnern?", "formality", "Versuchen Sie, sich zu erinnern?"),
    ],
)
def test_what_must_be_found(text: str, type_name: str, wanted: str) -> None:
    assert wanted in [c.text for _, c in perturb([text], "de", [type_name], every=True)]


def test_one_candidate_per_type_is_chosen_by_the_seed() -> None:
    lines = ["Die Frau sieht das Haus und den Garten."] * 5
    first = list(perturb(lines, "de", seed=1))
    assert first == list(perturb(lines, "de", seed=1))
    assert len(first) == len({(n, c.type) for n, c in first})
    assert any(list(perturb(lines, "de", seed=s)) != first for s in range(2, 6))


def test_frequency_is_the_smaller_of_subject_and_verb_and_unseen_words_are_required(tmp_path: Path) -> None:
    train = tmp_path / "train.gz"
    train.write_bytes(gzip.compress("Börse Börse Börse stürzt Finanzmarktbericht\n".encode()))
    text = "Die Börse stürzt, sagt der Finanzmarktbericht.\n"
    asked = ("perturb", "--lang", "de", "--all", "--types", "subj_verb_agreement,compound")
    status, out, _ = run(*asked, "--train", str(train), "-", text=text)
    found = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [c["frequency"] for c in found if c["text"].startswith("Die Börse stürzen")] == [1]
    assert not [c for c in found if c["type"] == "compound"]
    status, out, _ = run(*asked, "-", text=text)
    assert '"compound"' in out


def test_the_command_prints_the_contract() -> None:
    status, out, _ = run(
        "perturb", "--lang", "de", "--types", "np_agreement", "--all", "-", text="\nDie Frau lacht.\n"
    )
    first = json.loads(out.splitlines()[0])
    assert status == 0
    assert 0.5 < first.pop("confidence") <= 1
    assert isinstance(first.pop("reasons", []), list)
    assert first == {
        "line": 1,
        "type": "np_agreement",
        "text": "Der Frau lacht.",
        "edits": [{"start": 0, "end": 3, "old": "Die", "new": "Der"}],
        "distance": 1,
    }


@pytest.mark.parametrize(
    ("args", "text", "said"),
    [
        (("--lang", "xx", "-"), "x", "'xx'"),
        (("--lang", "de", "--types", "nonsense", "-"), "x", "there is no error 'nonsense'"),
        (
            ("--lang", "de", "-"),
            "This is not a German text at all, as everyone can see.\n" * 9,
            "does not look like 'de'",
        ),
        (("--lang", "de", "/nowhere/at/all"), None, "cannot be opened"),
        (
            ("--lang", "de", "--annotator", "de_core_none_lg", "-"),
            "Die Frau.",
            "the spaCy pipeline 'de_core_none_lg' is not installed",
        ),
    ],
)
def test_bad_input_is_one_line(args: tuple[str, ...], text: str | None, said: str) -> None:
    status, out, err = run("perturb", *args, text=text)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_capitals_and_endless_lines_give_nothing_and_are_said() -> None:
    status, out, err = run("perturb", "--lang", "de", "-", text="DIE FRAU LACHT NICHT.\n" + "das " * 3000 + "\n\n")
    assert (status, out) == (0, "")
    assert "2 lines gave no candidate" in err


def test_list_names_and_explains_them() -> None:
    result = CliRunner().invoke(cli, ["perturb", "--lang", "de", "--list"])
    assert all(p.name in result.output and p.declared.summary in result.output for p in GERMAN)


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from('Die Frau der nicht kein un,.;:„“"-0123 ist hat\t\x00ß(Ä'), max_size=120))
def test_any_text_gives_candidates_that_differ_from_it(text: str) -> None:
    line = text.replace("\n", " ")
    for _, c in perturb([line], "de", every=True):
        assert c.text != line


def test_decomposed_letters_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "text.de"
    file.write_text(unicodedata.normalize("NFD", "Die Bürgermeisterin lächelt nicht, weil sie müde ist.\n"), "utf-8")
    list(perturb_file(file, "de"))
    assert "1 lines have accents as separate characters" in capsys.readouterr().err
