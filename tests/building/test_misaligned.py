"""Documents whose lines do not belong together, or that are in another language, are refused before any work."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from kontrast.building.corpus import Document, parallel_documents
from kontrast.building.misalignment import refuse_misaligned, why_misaligned
from kontrast.building.pronouns import build_pronouns
from kontrast.errors import KontrastError
from kontrast.language.words import other_language

CORPUS = Path(str(resources.files("kontrast") / "data" / "corpus"))


def joined() -> Document:
    """The bundled documents as one."""
    corpus = list(parallel_documents(CORPUS, "en", "de"))
    return Document("all", tuple(s for d in corpus for s in d.source), tuple(t for d in corpus for t in d.target))


def test_good_documents_pass() -> None:
    refuse_misaligned(parallel_documents(CORPUS, "en", "de"))
    assert why_misaligned(joined()) is None


@pytest.mark.parametrize(("shift", "expected"), [(1, "1 line later"), (2, "2 lines later"), (-1, "1 line earlier")])
def test_shifted_lines_are_found(shift: int, expected: str) -> None:
    whole = joined()
    moved = ("Eine Überschrift.",) * shift + whole.target if shift > 0 else (*whole.target[-shift:], "Ende.")
    why = why_misaligned(Document("all", whole.source, moved[: len(whole.source)]))
    assert why is not None and re.match(r"from line [12] on", why) and why.endswith(expected)


def test_a_line_lost_in_the_middle() -> None:
    whole = joined()
    lost = len(whole.target) // 2
    moved = (*whole.target[:lost], *whole.target[lost + 1 :], "Ende.")
    why = why_misaligned(Document("all", whole.source, moved))
    assert why is not None
    assert abs(int(why.split()[2]) - lost) <= 3


def test_lines_of_another_text() -> None:
    whole = joined()
    turned = Document("all", whole.source, whole.target[::-1])
    assert why_misaligned(turned) == "its lines do not fit better than lines of another text"


def test_short_documents_are_looked_at_together() -> None:
    short = [
        Document(
            f"{d.name}.{i}", d.source[i : i + 4], ((*d.target[i + 1 : i + 4], "Ende."))[: len(d.source[i : i + 4])]
        )
        for d in parallel_documents(CORPUS, "en", "de")
        for i in range(0, len(d.source) - 4, 4)
    ]
    assert all(why_misaligned(d) is None for d in short)
    with pytest.raises(KontrastError, match=r"short documents, checked together .* 1 line earlier"):
        refuse_misaligned(short)


def written(folder: Path, document: Document, other: str = "de") -> Path:
    folder.mkdir(parents=True)
    (folder / f"{document.name}.en").write_text("\n".join(document.source) + "\n", "utf-8")
    (folder / f"{document.name}.{other}").write_text("\n".join(document.target) + "\n", "utf-8")
    return folder


def test_nothing_is_built_of_them(tmp_path: Path) -> None:
    whole = joined()
    out = tmp_path / "out.json"
    shifted = written(tmp_path / "shifted", Document("x", whole.source, (*whole.target[1:], "Ende.")))
    with pytest.raises(KontrastError, match=r"document x: from line 2 on .*; correct it, or add it to --leave-out"):
        build_pronouns("en-de", shifted, out)
    english = written(tmp_path / "english", Document("x", whole.source, whole.source))
    with pytest.raises(KontrastError, match=r"document x\.de looks like 'en', not 'de'"):
        build_pronouns("en-de", english, out)
    turned = written(tmp_path / "turned", Document("x", whole.target, whole.source))
    with pytest.raises(KontrastError, match=r"document x\.en looks like 'de', not 'en'"):
        build_pronouns("en-de", turned, out)
    french = written(tmp_path / "french", Document("x", whole.source, whole.target), "fr")
    with pytest.raises(KontrastError, match=r"document x\.fr looks like 'de', not 'fr'"):
        build_pronouns("en-fr", french, out)
    for name in ("y", "z", "u", "v", "w"):
        for path in (tmp_path / "english").glob("x.*"):
            (path.with_name(f"{name}{path.suffix}")).write_text(path.read_text("utf-8"), "utf-8")
    with pytest.raises(KontrastError, match=r"u\.de looks .*; x\.de looks .*; and 1 more: correct them"):
        build_pronouns("en-de", tmp_path / "english", out)
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "La llave está en la mesa, pero no la he visto porque no hay luz en la casa."),
        ("it", "La chiave è sul tavolo, ma non l'ho vista perché in casa non c'è la luce."),
        ("fr", "La clé est sur la table, mais je ne l'ai pas vue parce qu'il n'y a pas de lumière."),
        ("de", "Der Schlüssel liegt auf dem Tisch, aber ich habe ihn nicht gesehen, weil es dunkel ist."),
        ("en", "The key is on the table, but I have not seen it because there is no light in the house."),
    ],
)
def test_languages_are_told_apart(language: str, text: str) -> None:
    for other in ("de", "en", "es", "fr", "it"):
        assert other_language(other, [text] * 4) == (None if other == language else language)
