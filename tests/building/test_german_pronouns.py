"""German pronoun_gender: forms, cases, chains, and ContraPro's own contrastives."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.foils import target_side
from kontrast.cli import main
from kontrast.language import annotators
from kontrast.language.alignment import spans
from kontrast.language.annotation import Sentence

PERTURBATION = get("de", "pronoun_gender")


def texts(before: str) -> set[str]:
    return {c.text for c in candidates_of(PERTURBATION, Sentence(before, ())) if not c.plain}


@pytest.mark.parametrize("example", PERTURBATION.declared.examples)
def test_declared_examples(example: tuple[str, ...]) -> None:
    assert example[1] in texts(example[0]) if example[1:] else texts(example[0]) == set()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Ich sehe sie.", {"Ich sehe ihn.", "Ich sehe es."}),
        ("Sie ist alt.", {"Er ist alt.", "Es ist alt."}),
        ("Dann geben wir ihm Wasser.", {"Dann geben wir ihr Wasser."}),
        ("Ich weiß, wo es ist.", {"Ich weiß, wo sie ist.", "Ich weiß, wo er ist."}),
        ("Wir versuchen, es zu lesen.", {"Wir versuchen, sie zu lesen.", "Wir versuchen, ihn zu lesen."}),
        ("Sie können gehen.", set()),
    ],
)
def test_case_and_number(before: str, after: set[str]) -> None:
    assert texts(before) == after


@pytest.mark.parametrize(
    "before",
    [
        "Es gibt Regen.",
        "Es ist schön, dass du kommst.",
        "Es war Flint, der den Chef einstellte.",
        "Wie geht es dir?",
        "Er weiß es.",
        "Sagen Sie es nicht.",
        "Sie lacht.",
    ],
)
def test_what_the_clause_does_not_tell_is_not_sure(before: str) -> None:
    [sentence] = annotators.get("de").annotate([before])
    found = candidates_of(PERTURBATION, sentence)
    pronoun = next((before.index(word) for word in (" es ", " sie ") if word in before), -1) + 1
    assert not any(c.edits[0].start == pronoun and c.is_sure for c in found)


@pytest.mark.parametrize(
    "before",
    [
        "Er geht, weil sie keine Hilfe erhalten.",
        "Sie laden alles auf.",
        "Heute seien sie da.",
        "Würdet ihr mitgehen?",
    ],
)
def test_they_and_you_stay(before: str) -> None:
    assert all(c.edits[0].old.lower() == "er" for c in candidates_of(PERTURBATION, Sentence(before, ())))


@pytest.mark.parametrize(
    "before", ["SIE LACHT.", "DIE FIRMA SAGT, SIE WERDE IHRE KUNDEN SCHÜTZEN.", "WIR SAHEN IHN."]
)
def test_a_sentence_in_capitals_stays(before: str) -> None:
    assert not candidates_of(PERTURBATION, Sentence(before, ()))
    assert candidates_of(PERTURBATION, Sentence(f"{before} Ich sah IHN.", ()))  # one word in capitals
    side = target_side(load_recipe("en-de"))
    word = next(w for w in spans(before) if w.text in ("SIE", "IHN"))
    for subject in (True, False):
        assert not side.contrast(before, word.start, word.end, is_subject=subject, together={})
        assert side.use(before, word.start, is_subject=subject) == "absent"


def test_pronouns_of_one_clause_are_no_chain() -> None:
    found = candidates_of(PERTURBATION, Sentence("Er sieht ihn.", ()))
    assert not [c for c in found if c.chain and not c.plain]


def test_contrapro(data: Path) -> None:
    folder = data / "contrapro-en-de"
    rows = [line.split(" <SEP> ")[-1] for line in (folder / "rows.context1.de").read_text("utf-8").split("\n")]
    starts = [int(n) for n in (folder / "group_starts.txt").read_text().split()]
    groups = list(itertools.pairwise(starts))[::6]
    hits = sum(set(rows[a + 1 : b]) <= texts(rows[a]) for a, b in groups)
    assert hits >= 0.93 * len(groups)


def test_plain_candidates_know_their_repaired_form() -> None:
    found = candidates_of(PERTURBATION, Sentence("Wir sollten es behalten.", ()))
    assert ("Wir sollten er behalten.", "Wir sollten ihn behalten.") in {(c.text, c.repaired) for c in found}


def test_repair_and_deep_lint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = (Variant("Wir sollten es behalten."), Variant("Wir sollten er behalten.", error="pronoun"))
    suite = Suite("plain", (Item("1", "We should keep it.", pair),), source_language="en", target_language="de")
    kontrast.save(suite, tmp_path / "plain.jsonl")
    with pytest.raises(SystemExit) as stop:
        main(["lint", str(tmp_path / "plain.jsonl"), "--deep", "--strict"])
    assert stop.value.code == 1 and "second-error" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main(["convert", str(tmp_path / "plain.jsonl"), str(tmp_path / "repaired.jsonl"), "--repair"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == "1\tWir sollten er behalten.\tWir sollten ihn behalten.\n"
    assert kontrast.load(tmp_path / "repaired.jsonl").items[0].variants[1].text == "Wir sollten ihn behalten."
