"""Names replaced by others of the document, and misspelt: only where the source holds them."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.building.errors.build import NEARBY
from kontrast.building.errors.general.name import framed_names
from kontrast.errors import KontrastError

MADRID = ("She lives in Madrid.", "Ella vive en Madrid.")
LIMA = ("He died in Lima yesterday.", "Murió en Lima ayer.")
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


def test_a_place_gives_way_to_another_of_the_document(tmp_path: Path) -> None:
    assert foils(tmp_path, [MADRID, LIMA]) == {"Ella vive en Lima.", "Murió en Madrid ayer."}


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
            "pt",
            [("I was in Corinth.", "Eu estava em Corinto."), ("We slept in Paris.", "Dormimos em Paris.")],
            {"Eu estava em Paris.", "Dormimos em Corinto."},
        ),
        (
            "cs",
            [("Mr Osborne said it.", "Pan Osborne to řekl."), ("Mr Lee went.", "Pan Lee odešel.")],
            {"Pan Lee to řekl.", "Pan Osborne odešel."},
        ),
    ],
)
def test_titles_and_cognates(tmp_path: Path, language: str, pairs: list[tuple[str, str]], expected: set[str]) -> None:
    assert foils(tmp_path, pairs, language) == expected


@pytest.mark.parametrize(
    ("language", "pairs"),
    [
        (
            "es",
            [MADRID, ("Madrid and Lima; he died in Lima.", "Madrid y Lima; murió en Lima.")],
        ),  # the other is there
        ("es", [MADRID, ("He wrote to Lima.", "Escribió en Lima.")]),  # to a person or a place
        ("es", [MADRID, ("He died in New Delhi.", "Murió en Nueva Delhi.")]),  # not the source's spelling
        ("es", [MADRID, ("He died in May.", "Murió en May.")]),
        ("es", [MADRID, ("He died in Paris, Texas.", "Murió en Paris, Texas.")]),
        ("es", [MADRID, ("He saw Mr Lee.", "Vio al señor Lee.")]),  # another kind
        ("es", [("Mr Lee spoke.", "Habló el señor Lee."), ("Mrs May spoke.", "Habló la señora May.")]),
        ("cs", [("He lives in London.", "Žije v Londonu."), ("He was in Oslo.", "Byl v Oslo.")]),  # inflected
        ("cs", [("He was in Varna.", "Byl v Varna."), ("He was in Oslo.", "Byl v Oslo.")]),  # ve Varna
        ("es", [MADRID, *[FILLER] * NEARBY, LIMA]),  # too far away
    ],
)
def test_no_other_name_fits(tmp_path: Path, language: str, pairs: list[tuple[str, str]]) -> None:
    assert foils(tmp_path, pairs, language) == set()


def test_a_place_is_weak_and_a_person_is_chosen(tmp_path: Path) -> None:
    persons = [("Mr Lee sang.", "Cantó el señor Lee."), ("Mr Poe sang.", "Ayer cantó el señor Poe.")]
    made = foils(tmp_path, [MADRID, LIMA, *persons], every=False)
    assert made == {"Cantó el señor Poe.", "Ayer cantó el señor Lee."}


def test_a_title_in_the_language_of_the_source_is_no_place(tmp_path: Path) -> None:
    assert foils(tmp_path, [MADRID, ("The narrator in Loss of Breath.", "La narradora en Loss of Breath.")]) == set()
    assert foils(tmp_path, [MADRID, ("He was editor at Tablet.", "Fue editor en Tablet.")]) == set()


def test_a_name_that_stands_twice_or_not_in_the_source_is_left_alone() -> None:
    assert framed_names("Vive en Lima y trabaja en Lima.", "He lives and works in Lima.", "es") == ()
    assert framed_names("Vive en Lima.", "He lives there.", "es") == ()
    assert framed_names("Vive en Lima.", "", "es") == ()


def test_a_name_is_misspelt_where_the_source_spells_it(tmp_path: Path) -> None:
    pairs = [("Yesterday Kesha sang.", "Ayer cantó Kesha.")]
    made = foils(tmp_path, pairs, type_name="transliteration", every=False)
    assert len(made) == 1 and made <= {"Ayer cantó Kseha.", "Ayer cantó Kehsa.", "Ayer cantó Kesah."}
    for source, text in [("Yesterday she sang.", "Ayer cantó Kesha."), ("The Director sang.", "Cantó el Director.")]:
        assert foils(tmp_path, [(source, text)], type_name="transliteration") == set()
