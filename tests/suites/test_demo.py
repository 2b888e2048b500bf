"""The bundled suites and documents keep their promises."""

from __future__ import annotations

import pytest

import kontrast
from kontrast.suites.demo import BUNDLED, bundled_corpus
from kontrast.suites.documents import Documents
from kontrast.suites.extraction import differing_lines


@pytest.fixture(params=list(BUNDLED))
def suite(request: pytest.FixtureRequest) -> kontrast.Suite:
    return kontrast.load(request.param)


def test_size_and_phenomena() -> None:
    suites = [kontrast.bundled(name) for name in BUNDLED]
    assert sum(len(s.items) for s in suites) >= 400
    for s in suites:
        assert len({item.phenomenon for item in s.items}) >= 16
        assert len({item.document for item in s.items}) >= 20
        assert len({item.id for item in s.items}) == len(s.items)


def test_text_and_context_come_from_the_documents(suite: kontrast.Suite) -> None:
    first_segment = 1 if suite.target_language == "de" else 0
    for item in suite.items:
        assert item.document is not None
        assert item.segment is not None
        name = item.document.rpartition(".")[0]
        folder = bundled_corpus() / name[:4]
        at = item.segment - first_segment
        for lang, text, context in (
            ("en", item.source, item.source_context),
            (suite.target_language, item.best.text, item.target_context),
        ):
            lines = (folder / f"{name}.{lang}").read_text(encoding="utf-8").splitlines()
            assert lines[at] == text
            assert list(context or ()) == lines[max(0, at - 5) : at]


def test_pronouns_are_annotated(suite: kontrast.Suite) -> None:
    pronouns = [item for item in suite.items if item.phenomenon == "pronoun_gender"]
    assert len(pronouns) >= 60
    for item in pronouns:
        assert item.tags["ref_pronoun"] in item.best.text.lower()
        assert item.tags["src_pronoun"] in item.source.lower()
        assert {"distance", "ref_ante_head"} <= set(item.tags)


def test_documents_are_aligned() -> None:
    documents = sorted(bundled_corpus().glob("*/*.en"))
    assert len(documents) >= 20
    for path in documents:
        counts = {
            len(path.with_suffix(f".{lang}").read_text(encoding="utf-8").splitlines()) for lang in ("en", "de", "fr")
        }
        assert len(counts) == 1
        assert 8 <= counts.pop() <= 15


def test_unknown_name() -> None:
    with pytest.raises(kontrast.KontrastError, match="demo:de, demo:fr"):
        kontrast.load("demo:xx")


@pytest.mark.parametrize("name", ["demo:de", "demo:fr"])
def test_items_stand_where_they_say_in_the_bundled_documents(name: str) -> None:
    suite = kontrast.load(name)
    assert suite.target_language is not None and suite.segment_base is not None
    documents = Documents(bundled_corpus(), "en", suite.target_language)
    assert differing_lines(suite, documents, suite.segment_base) == (0, 0)
