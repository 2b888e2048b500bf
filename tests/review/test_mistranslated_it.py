"""The set of mistranslated *it* made again: candidates, review in the app, and the set's own files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast.building.errors.run import as_record
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.review.entries import Texts
from kontrast.review.index import Filter
from kontrast.review.session import open_review

Serve = Callable[..., Any]
Enter = Callable[..., Any]

SOURCE = ["We saw a lamp.", "It was old.", "It was red, and it was dear.", "Bye."]
REFERENCE = ["Wir sahen eine Lampe.", "Sie war alt.", "Sie war rot, und sie war teuer.", "Tschüss."]
SECOND = ["Wir haben eine Lampe gesehen.", "Alt war sie.", "Rot war sie und teuer.", "Ade."]
CANDIDATES = [
    {"line": 2, "pair": [0, 0], "pronoun": "Sie", "wrong": ["Er war alt.", "Es war alt."], "distance": 1},
    {"line": 3, "pair": [0, 0], "pronoun": "Sie", "wrong": ["Er war rot, und sie war teuer."], "distance": 2},
    {"line": 3, "pair": [4, 5], "pronoun": "sie", "wrong": ["Sie war rot, und er war teuer."]},
]


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, Texts]:
    names = "newstest2021.en-de.src.en", "newstest2021.en-de.ref.ref-A.de", "newstest2021.en-de.ref.ref-B.de"
    for name, lines in zip(names, (SOURCE, REFERENCE, SECOND), strict=True):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    found = [
        {**c, "source": SOURCE[c["line"] - 1], "reference": REFERENCE[c["line"] - 1], "antecedent": "a lamp"}  # type: ignore[operator]
        for c in CANDIDATES
    ]
    folder = tmp_path / "candidates"
    folder.mkdir()
    (folder / "candidates.jsonl").write_text("".join(json.dumps(c) + "\n" for c in found), "utf-8")
    (folder / "pro_errors.json").write_text("[]")
    return folder, Texts(*(tmp_path / name for name in names))


def test_its_files(made: tuple[Path, Texts], tmp_path: Path) -> None:
    folder, texts = made
    review = open_review(folder, source_text=texts.source, reference=texts.reference, second=texts.second)
    assert review.store.index.keys == ["2.0-0", "3.0-0", "3.4-5"] and review.languages == ("en", "de")
    anna = review.store.annotator("Anna")
    card = review.card(1, anna, Filter())
    assert ("It", "aligned") in card["source"] and ("a lamp", "antecedent") in card["context"][0]["source"]
    review.decide(0, anna, "accept", text="Es war alt.")
    review.decide(1, anna, "accept")
    review.decide(2, anna, "accept")
    with pytest.raises(kontrast.KontrastError, match="two candidates of line 3 are accepted with different texts"):
        kontrast.export_review(review, tmp_path / "out", "pro-errors")
    review.decide(1, anna, "accept", text="Er war rot, und er war teuer.")
    review.decide(2, anna, "reject", reason="in the other")
    kontrast.export_review(review, tmp_path / "out", "pro-errors")
    review.close()
    suite = kontrast.load(tmp_path / "out")
    assert [item.variants[1].text for item in suite.items] == ["Es war alt.", "Er war rot, und er war teuer."]
    assert [item.references[0].text for item in suite.items] == SECOND[1:3]
    (index,) = (tmp_path / "out/error_indices").iterdir()
    assert index.read_text() == "1\n2\n"
    entries = json.loads((tmp_path / "out/pro_errors.json").read_text("utf-8"))
    texts_only = (
        "wrong translation, correct translation, context, reference, reference context, source, source context"
    )
    assert set(entries[0]) == set(texts_only.split(", "))


def test_candidates_of_perturb(tmp_path: Path) -> None:
    found = list(kontrast.perturb(["Sie lacht nicht.", "Die Frau schläft."], "de", every=True))
    path = tmp_path / "found.jsonl"
    path.write_text("".join(json.dumps(as_record(*each), default=list) + "\n" for each in found), "utf-8")
    (tmp_path / "src.en").write_text("She does not laugh.\nThe woman sleeps.\n", "utf-8")
    review = open_review(path, pair="en-de", source_text=tmp_path / "src.en")
    entries = [entry for _, entry in review.store.entries()]
    assert len(entries) == len(found) > 2
    assert {entry.item.best.text for entry in entries} == {"Sie lacht nicht.", "Die Frau schläft."}
    assert {entry.item.source for entry in entries} == {"She does not laugh.", "The woman sleeps."}
    assert review.languages == ("en", "de")
    review.close()


@pytest.mark.slow
def test_the_set_for_reference_a(serve: Serve, enter: Enter, data: Path, tmp_path: Path) -> None:
    """Candidates by `build metrics-it`, those of the set and ten others decided by keyboard; the published files."""
    home = data / "pro-mistranslations-en-de"
    source, a, b = (
        home / "sources/newstest2021.en-de.src.en",
        home / "references/newstest2021.en-de.ref.ref-A.de",
        home / "references/newstest2021.en-de.ref.ref-B.de",
    )
    built = kontrast.build_metrics_it(source, a, second=b)
    kontrast.save_metrics_it(built, tmp_path / "it")
    found = built.candidates
    reference = a.read_text("utf-8").splitlines()
    published = (home / "perturbed_refs/corrupted_news2021_refA.de").read_text("utf-8").splitlines()
    indices = {int(n) for n in (home / "error_indices/idx_errors_news2021_refA.txt").read_text().split()}
    assert len(indices) == 11 and indices <= {candidate.line - 1 for candidate in found}

    review = open_review(
        tmp_path / "it", source_text=source, reference=a, second=b, order="file", store=tmp_path / "it.sqlite"
    )
    others = [n for n, entry in review.store.entries() if (entry.item.segment or 0) - 1 not in indices]
    for number in others[10:]:
        review.decide(number, review.store.annotator("Anna"), "reject", reason="not this phenomenon")
    review.close()

    texts = ["--source-text", source, "--reference", a, "--second", b]
    server = serve(tmp_path / "it", *texts, "--order", "file", "--store", tmp_path / "it.sqlite")
    page = enter(server)
    hands = {"accepted": 0, "form": 0, "edited": 0, "rejected": 0}
    done: set[int] = set()
    for n in range(len(others[10:]), len(found)):
        page.locator(".count", has_text=f"{n} of {len(found)} decided").wait_for()
        line = int(page.locator(".id").inner_text().split(".")[0]) - 1
        wanted = published[line]
        if line not in indices or line in done:
            page.keyboard.press("r")
            page.keyboard.press("3")
            hands["rejected"] += 1
            continue
        candidate = page.locator("dd.candidate")
        if candidate.count() and candidate.inner_text() == wanted:
            page.keyboard.press("a")
            hands["accepted"] += 1
        else:
            page.keyboard.press("f")
            page.locator("#panel .forms, #panel .note:not(:has-text('Looking'))").first.wait_for()
            key = page.locator(".id").inner_text()
            forms = page.request.get(server.address + f"api/forms?key={key}", headers={"x-annotator": "Anna"}).json()
            place = next((i for i, form in enumerate(forms) if form["text"] == wanted), None)
            if place is not None:
                page.keyboard.press(str(place + 1))
                hands["form"] += 1
            else:
                page.keyboard.press("e")
                page.locator("#panel textarea").fill(wanted)
                page.keyboard.press("Enter")
                hands["edited"] += 1
        done.add(line)
    page.get_by_text("All decided").wait_for()
    # The language layer proposes even the lines that change two pronouns, or a possessive with one.
    assert done == indices and hands == {
        "accepted": 7,
        "form": 4,
        "edited": 0,
        "rejected": len(found) - 11 - len(others[10:]),
    }
    server.kill()

    arguments = [*map(str, texts), "--store", str(tmp_path / "it.sqlite"), "--export", str(tmp_path / "out")]
    with pytest.raises(SystemExit) as stop:
        main(["review", str(tmp_path / "it"), *arguments, "--to", "pro-errors"])
    assert stop.value.code == 0
    (perturbed,) = (tmp_path / "out/perturbed_refs").iterdir()
    assert perturbed.read_text("utf-8").splitlines() == published != reference
    (index,) = (tmp_path / "out/error_indices").iterdir()
    assert {int(n) for n in index.read_text().split()} == indices
    theirs = {e["wrong translation"]: e for e in json.loads((home / "pro_errors.json").read_text("utf-8"))}
    for ours in json.loads((tmp_path / "out/pro_errors.json").read_text("utf-8")):
        assert theirs[ours["wrong translation"]] == ours
    for form in ("out", "out/pro_errors.json"):
        with pytest.raises(SystemExit) as stop:
            main(["metrics", str(tmp_path / form), "--metric", "chrF"])
        assert stop.value.code in (0, None)


def test_files_in_the_wrong_order_are_refused(tmp_path: Path) -> None:
    """And no candidates of them are reported as found: none."""
    english, german = tmp_path / "text.en", tmp_path / "text.de"
    english.write_text("We saw a lamp in the house of the man.\nIt was old and it was on the table.\n" * 5, "utf-8")
    german.write_text("Wir sahen eine Lampe im Haus des Mannes.\nSie war alt und stand auf dem Tisch.\n" * 5, "utf-8")
    assert kontrast.build_metrics_it(english, german, second=german).candidates
    for first, second, more in ((german, english, None), (english, english, None), (english, german, english)):
        with pytest.raises(KontrastError, match="looks like"):
            kontrast.build_metrics_it(first, second, second=more)
