"""Sets in languages that they were not written for: the layout is all that a reader knows."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import kontrast
from kontrast import Scores, Signature, Suite
from kontrast.judging.check import original_lines

FORMALITY = {
    "hi": ("क्या [F]आप[/F] आ रहे [F]हैं[/F]", "क्या [F]तुम[/F] आ रहे [F]हो[/F]"),
    "ko": ("지금 [F]있으세요[/F]", "지금 [F]있어[/F]"),
    "nl": ("[F]Hebt u[/F] tijd", "[F]Heb je[/F] tijd"),
    "pt": ("[F]O senhor[/F] tem tempo", "[F]Você[/F] tem tempo"),
    "ru": ("У [F]вас[/F] есть время", "У [F]тебя[/F] есть время"),
    "zh": ("[F]您[/F]有时间吗", "[F]你[/F]有时间吗"),
}


def known_answers(suite: Suite) -> None:
    rows = list(suite.rows())
    for expected, numbers in (
        (1.0, [float(row.variant_index != row.item.correct) for row in rows]),
        (0.0, [float(row.variant_index == row.item.correct) for row in rows]),
        (None, [1.0] * len(rows)),
    ):
        found = kontrast.evaluate(suite, Scores("made", tuple(numbers), signature=Signature()))
        assert found.accuracy == pytest.approx(found.chance if expected is None else expected)


@pytest.mark.parametrize("behind", [True, False], ids=["IWSLT", "CoCoA-MT"])
@pytest.mark.parametrize("language", FORMALITY)
def test_formality(language: str, behind: bool, tmp_path: Path) -> None:
    """With the language behind the names of files, and without it and by domain."""
    name = f"formality-control.test.{'' if behind else 'call_center.'}en-{language}"
    texts = {"": "Do you have time"} | dict(zip((".formal", ".informal"), FORMALITY[language], strict=True))
    for kind, text in texts.items():
        plain = text.replace("[F]", "").replace("[/F]", "")
        code = f".{language if kind else 'en'}" if behind else ""
        (tmp_path / f"{name}{kind}{code}").write_text(f"{plain}\n", "utf-8")
        if kind:
            (tmp_path / f"{name}{kind}.annotated{code}").write_text(f"{text}\n", "utf-8")
    for asked in ("formal", "informal"):
        suite = kontrast.load(f"{tmp_path}/{name}?formality={asked}")
        assert (suite.source_language, suite.target_language) == ("en", language)
        known_answers(suite)
        for place, outcome in ((0, "right"), (1, "wrong")):
            checked = kontrast.check(suite, [suite.items[0].variants[place].text], style="original")
            assert checked.outcomes == (outcome,)
        formal = (asked == "formal") == (place == 0)
        expected = f"Formal Acc: {float(formal):.3f}, Informal Acc: {float(not formal):.3f}"
        assert original_lines(suite, checked.outcomes) == (expected,)


def test_gate_with_three_people(tmp_path: Path) -> None:
    genders = ["".join(each) for each in product("fm", repeat=3)]
    words = {"f": ("La jefa", "la médica", "una niña"), "m": ("El jefe", "el médico", "un niño")}
    texts = [f"{words[a][0]} ve a {words[b][1]} y a {words[c][2]}." for a, b, c in genders]
    header = ["labels", "source", *genders, "kw_s", "kw_f", "kw_m", "data_split"]
    row = ["SUBJ;PROF", "The boss sees the doctor and a child.", *texts, "boss", "jefa", "jefe", "test"]
    (tmp_path / "ES_8_variants.txt").write_text("\t".join(header) + "\n" + "\t".join(row) + "\n", "utf-8")
    suite = kontrast.load(f"{tmp_path}/ES_8_variants.txt?right=mmf&only=data_split=test")
    assert (suite.target_language, len(suite.items[0].variants)) == ("es", 8)
    assert suite.items[0].best.text == "El jefe ve a el médico y a una niña."
    known_answers(suite)
    each = kontrast.load(f"{tmp_path}/ES_8_variants.txt?right=each")
    assert [item.tags["gender"] for item in each] == genders
    known_answers(each)


@pytest.mark.parametrize(
    ("name", "hypothesis", "languages"),
    [
        ("SSA-MTE.pt-vmw", "hyp1", ("pt", "vmw")),
        ("mslc-b.cs-en", "hyp-1", ("cs", "en")),
        ("made.en-pt_BR", "hyp_2", ("en", "pt")),
    ],
)
def test_wmt25(name: str, hypothesis: str, languages: tuple[str, str], tmp_path: Path) -> None:
    for kind, text in (("src", "a\nb\n"), ("ref", "c\nd\n"), (hypothesis, "e\nd\n")):
        (tmp_path / f"{name}.{kind}.txt").write_text(text)
    suite = kontrast.load(tmp_path / f"{name}.src.txt")
    assert (suite.source_language, suite.target_language) == languages
    assert [len(item.variants) for item in suite] == [2, 1] and suite.extra == {"equal_to_reference": 1}
    known_answers(suite)
