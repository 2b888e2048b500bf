"""Which pronoun items are taken, how many, and what is counted of the others."""

from __future__ import annotations

import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.corpus import parallel_documents
from kontrast.building.pronouns.build import _allowed, select
from kontrast.errors import KontrastError

CORPUS = Path(str(kontrast.bundled_corpus()))


def test_selection_takes_different_sentences_first() -> None:
    pair = (kontrast.Variant("Er ist alt."), kontrast.Variant("Sie ist alt."))
    other = (kontrast.Variant("Er ist neu."), kontrast.Variant("Sie ist neu."))
    tags = {"ref_pronoun": "er", "distance": 1}
    items = [kontrast.Item(str(i), "It", pair if i < 5 else other, tags=tags, document=f"d{i}.de") for i in range(6)]
    assert 5 in select(items, per_pronoun=2)[1]
    assert len(select(items, per_pronoun=4)[1]) == 4
    left_out: Counter[str] = Counter()
    barred = frozenset({"d1", "d2.de"})
    assert [i.id for i in _allowed(items, left_out, barred=barred)] == ["0", "3", "4", "5"]
    assert left_out == {"in a document of --leave-out": 2}


def test_what_is_left_out_is_counted_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Items found are those kept and those left out, by each reason; where none is kept nothing is written."""
    out = tmp_path / "suite.json"
    given: dict[str, Any] = {"pair": "en-de", "documents": CORPUS}
    options: dict[str, Any] = {"context_needed": True, "per_pronoun": 2, "leave_out": ["2021_01_lamp"]}
    options |= {"min_confidence": 0.6}
    made = kontrast.write_pronouns(out, **given, **options)
    reasons = ("not sure", "antecedent in the same sentence", "in a document of --leave-out", "more than requested")
    numbers = [sum(n for told, n in made.left_out.items() if told.startswith(reason)) for reason in reasons]
    assert min(numbers) > 0 and made.found == made.items + sum(numbers)
    assert "--leave-out" not in capsys.readouterr().err
    before = out.read_bytes()
    with pytest.raises(KontrastError, match=r"gives no item \(\d+ not sure enough, .*\d+ no antecedent"):
        kontrast.write_pronouns(out, **given, min_confidence=1.0)
    with pytest.raises(KontrastError, match="; a lower --min-confidence keeps more items, which a person must read"):
        kontrast.write_pronouns(out, **given, min_confidence=1.0)
    assert out.read_bytes() == before and not (tmp_path / "suite.json.work").exists()
    kontrast.write_pronouns(out, **given, leave_out=["2021_1_lamp"])
    assert "--leave-out: 1 of its 1 names are not documents of the folder: 2021_1_lamp" in capsys.readouterr().err
    kontrast.write_pronouns(out, **given, leave_out=["2021/2021_01_lamp.en", "lamp"])
    assert "--leave-out: 1 of its 2 names are not documents of the folder: lamp" in capsys.readouterr().err


def test_a_number_of_items_is_drawn_in_equal_shares(tmp_path: Path) -> None:
    given: dict[str, Any] = {"pair": "en-de", "documents": CORPUS, "second_opinion": "none", "min_confidence": 0.3}
    first, again, many = (tmp_path / f"{name}.jsonl" for name in ("first", "again", "many"))
    for out in (first, again):
        built = kontrast.write_pronouns(out, **given, items=6)
        assert built.items == 6 and not built.short
    items = kontrast.load(first).items
    assert items == kontrast.load(again).items
    assert Counter(i.tags["ref_ante_head_gender"] for i in items) == {"Masc": 2, "Fem": 2, "Neut": 2}
    assert not any(i.tags["intrasegmental"] for i in items)  # a fifth of two
    built = kontrast.write_pronouns(many, **given, items=3000)
    drawn = Counter(i.tags["ref_ante_head_gender"] for i in kontrast.load(many).items)
    assert built.short == {f"{gender} Sg": 1000 - drawn[gender] for gender in ("Masc", "Fem", "Neut")}
    with pytest.raises(KontrastError, match="leave out --per-pronoun and --per-cell"):
        kontrast.write_pronouns(many, **given, items=6, per_cell=2)


def test_documents_of_an_archive_come_in_an_order_by_the_seed(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "de-en.txt.zip", "w") as archive:
        names = [f"en/2000/{k}/{k}.xml.gz\tde/2000/{k}/{k}.xml.gz\n" * 2 for k in range(200)]
        archive.writestr("a.ids", "".join(names))
        for code in ("en", "de"):
            archive.writestr(f"a.{code}", "".join(f"{k} one\n{k} two\n" for k in range(200)))
    plain, *drawn = (
        list(parallel_documents(tmp_path / "de-en.txt.zip", "en", "de", seed)) for seed in (None, 1, 1, 2)
    )
    assert [document.source for document in plain] == [(f"{k} one", f"{k} two") for k in range(200)]
    assert drawn[0] == drawn[1] != drawn[2] != plain
    assert all(sorted(some, key=plain.index) == plain for some in drawn)
