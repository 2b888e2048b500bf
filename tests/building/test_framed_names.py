"""Names replaced by others of the document, and misspelt: only where the source holds them."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.building.errors.build import NEARBY
from kontrast.errors import KontrastError

LEE = ("Mr Lee sang.", "Cantó el señor Lee.")
POE = ("Mr Poe sang yesterday.", "Ayer cantó el señor Poe.")
FILLER = ("It rains a lot.", "Llueve mucho y hace frío.")


def foils(
    folder: Path, pairs: list[tuple[str, str]], language: str = "es", type_name: str = "name", every: bool = True
) -> set[str]:
    (folder / "s.en").write_text("".join(f"{a}\n" for a, _ in pairs))
    (folder / "t.xx").write_text("".join(f"{b}\n" for _, b in pairs))
    try:
        suite = kontrast.build_errors(
            folder / "s.en", folder / "t.xx", f"en-{language}", type_name, annotator="words", every=every
        )
    except KontrastError as error:
        assert "gives no error" in str(error)
        return set()
    return {variant.text for item in suite.items for variant in item.variants[1:]}


def test_a_person_gives_way_to_another_of_the_document(tmp_path: Path) -> None:
    expected = {"Cantó el señor Poe.", "Ayer cantó el señor Lee."}
    assert foils(tmp_path, [LEE, POE]) == expected == foils(tmp_path, [LEE, POE], every=False)


@pytest.mark.parametrize(
    ("language", "pairs", "expected"),
    [
        (
            "de",
            [
                ("Today Mr Smith came.", "Heute kam Herr Smith."),
                ("President Obama spoke.", "Präsident Obama sprach."),
            ],
            {"Heute kam Herr Obama.", "Präsident Smith sprach."},
        ),
        (
            "ru",
            [
                ("Mr. Johnson came today.", "Сегодня пришёл мистер Джонсон."),
                ("It was Dr. Wheeler.", "Это был доктор Уиллер."),
                ("You are the king of Moscow.", "Вы здесь король Москвы."),  # in the genitive: no name of his
                ("They saw President Obama.", "Они видели президента Обаму."),  # in the accusative
            ],
            {"Сегодня пришёл мистер Уиллер.", "Это был доктор Джонсон."},
        ),
        (
            "pt",
            [("Mr Lee said it.", "O Sr. Lee disse isso."), ("King Pedro said it.", "O rei Pedro disse isso.")],
            {"O Sr. Pedro disse isso.", "O rei Lee disse isso."},
        ),
        (
            "cs",
            [("Mr Osborne said it.", "Pan Osborne to řekl."), ("Mr Lee went.", "Pan Lee odešel.")],
            {"Pan Lee to řekl.", "Pan Osborne odešel."},
        ),
    ],
)
def test_titles(tmp_path: Path, language: str, pairs: list[tuple[str, str]], expected: set[str]) -> None:
    assert foils(tmp_path, pairs, language) == expected


@pytest.mark.parametrize(
    "pairs",
    [
        [LEE, ("Mr Lee and Mr Poe; Mr Poe spoke.", "El señor Lee y el señor Poe; habló el señor Poe.")],
        [LEE, ("He saw Mr Wu.", "Vio al señor Wu.")],  # too short for a name
        [LEE, ("Mr Paul von der Heide sang.", "Cantó el señor Paul von der Heide.")],  # half of it
        [LEE, ("Mrs May spoke.", "Habló la señora May.")],
        [LEE, ("The man spoke.", "Habló el señor Poe.")],
        [LEE, *[FILLER] * NEARBY, POE],  # too far away
    ],
)
def test_no_other_name_fits(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    assert foils(tmp_path, pairs) == set()


def test_a_name_is_misspelt_where_the_source_spells_it(tmp_path: Path) -> None:
    pairs = [("Yesterday Kesha sang.", "Ayer cantó Kesha.")]
    made = foils(tmp_path, pairs, type_name="transliteration", every=False)
    assert len(made) == 1 and made <= {"Ayer cantó Kseha.", "Ayer cantó Kehsa.", "Ayer cantó Kesah."}
    for source, text in [("Yesterday she sang.", "Ayer cantó Kesha."), ("The Director sang.", "Cantó el Director.")]:
        assert foils(tmp_path, [(source, text)], type_name="transliteration") == set()
