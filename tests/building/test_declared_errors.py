"""Errors from plain text for every language that declares its words; no model and no lexicon is needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kontrast
from kontrast.building.errors.registry import default_names, get
from kontrast.building.errors.run import perturb
from kontrast.errors import KontrastError
from kontrast.language.annotators.conllu import parse_conllu
from kontrast.language.words import declared, languages_declared
from kontrast.suites.error_shares import declared_kinds, kind_of_error


def test_a_source_word_is_left_untranslated(tmp_path: Path) -> None:
    """In place of its counterpart, the only word that begins alike."""
    (tmp_path / "s.en").write_text("The expensive house burned yesterday.\nThe separate partition is secure.\n")
    (tmp_path / "t.es").write_text("La casa costosa ardió ayer.\nLa otra partición está separada.\n")

    def texts(every: bool) -> set[str]:
        suite = kontrast.build_errors(
            tmp_path / "s.en", tmp_path / "t.es", "en-es", "hallucinated_copy", every=every, annotator="words"
        )
        return {variant.text for item in suite for variant in item.variants[1:]}

    assert texts(every=True) == {"La otra partition está separada.", "La otra partición está separate."}
    assert texts(every=False)


def test_a_copied_word_never_stands_behind_an_apostrophe(tmp_path: Path) -> None:
    (tmp_path / "s.en").write_text("He spends the money there.\n")
    (tmp_path / "t.it").write_text("Spende l'argento là.\n")
    with pytest.raises(KontrastError, match="no error"):
        kontrast.build_errors(
            tmp_path / "s.en", tmp_path / "t.it", "en-it", "hallucinated_copy", every=True, annotator="words"
        )


def test_a_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Galician, which kontrast does not have: its words in a folder of the user's own."""
    with pytest.raises(KontrastError, match="no errors for the language 'gl'"):
        list(perturb(["O acordo non é xusto."], "gl", annotator="words"))
    (tmp_path / "gl.toml").write_text(
        '[negation]\nwords = ["non"]\nverbs = ["é"]\n[numbers]\nrows = [["dous", "tres"]]\n'
    )
    monkeypatch.setenv("KONTRAST_WORDS", str(tmp_path))
    declared.cache_clear()
    found = {(c.type, c.text) for _, c in perturb(["O acordo non é xusto."], "gl", annotator="words")}
    assert found == {("negation", "O acordo é xusto.")}
    assert "gl" in languages_declared() and "negation" in default_names("gl") and "unit" not in default_names("gl")
    declared.cache_clear()


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            '[errors.hurry]\nkind = "sence"\nsummary = "x"\nswaps = [["cedo", "tarde"]]\n',
            "hurry",
            "has the kind 'sence'",
        ),
        (
            '[errors.hurry]\nkind = "sense"\nsummary = "x"\nswaps = [["cedo"]]\n',
            "hurry",
            r"gl\.toml: in \[errors\.hurry\]",
        ),
        ('[dates]\nmonths = ["xaneiro"]\n', "date", "expected all twelve months, found 1"),
        ('[negation]\nwords = ["non"]\n', "omission", r"'omission' needs the section \[clauses\]"),
        ('[negation]\nwords = ["non"]\n', "negaton", "did you mean negation"),
    ],
)
def test_a_file_that_would_give_nothing_is_refused(
    text: str, name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gl.toml").write_text(text)
    monkeypatch.setenv("KONTRAST_WORDS", str(tmp_path))
    for each in (declared, declared_kinds, get):
        each.cache_clear()
    with pytest.raises(KontrastError, match=message):
        get("gl", name)
    monkeypatch.undo()
    for each in (declared, declared_kinds, get):
        each.cache_clear()


def test_an_error_of_words_alone_is_a_section_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = """[errors.hurry]
kind = "sense"
summary = "Soon becomes late."
swaps = [["cedo", "tarde", "early", "soon"]]
examples = [["Chegou cedo.", "Chegou tarde."]]
"""
    (tmp_path / "gl.toml").write_text(section)
    monkeypatch.setenv("KONTRAST_WORDS", str(tmp_path))
    for each in (declared, declared_kinds, get):
        each.cache_clear()
    assert kind_of_error("hurry") == "sense" and "hurry" in default_names("gl")
    assert get("gl", "hurry").declared.examples == (("Chegou cedo.", "Chegou tarde."),)
    (tmp_path / "s.en").write_text("She came early.\nShe came in May.\n")
    (tmp_path / "t.gl").write_text("Chegou cedo.\nChegou cedo.\n")
    suite = kontrast.build_errors(tmp_path / "s.en", tmp_path / "t.gl", "en-gl", annotator="words")
    assert [[(v.text, v.error) for v in item.variants[1:]] for item in suite] == [[("Chegou tarde.", "hurry")]]
    (tmp_path / "gl.toml").write_text(section.replace("kind", "knid"))
    declared.cache_clear()
    with pytest.raises(KontrastError, match="there is no key knid"):
        declared("gl")
    monkeypatch.undo()
    for each in (declared, declared_kinds, get):
        each.cache_clear()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"sense"', '"sens"', "expected one of untranslated,"),
        ("[errors", '[opposites]\nrows = [["ADJ", "mal"]]\n[errors', "expected a list of at least 5"),
        ("errors.hurry", "errors.number", "another error of this name"),
    ],
)
def test_an_error_of_words_alone_is_refused_where_it_would_be_miscounted(
    old: str, new: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kind that has no share, a word without its replacement, the name of another error and so its kind."""
    text = '[errors.hurry]\nkind = "sense"\nsummary = "Late."\nswaps = [["cedo", "tarde"]]\n'
    monkeypatch.setenv("KONTRAST_WORDS", str(tmp_path))
    for content, expected in ((text, ""), (text.replace(old, new), told)):
        (tmp_path / "gl.toml").write_text(content)
        for each in (declared, declared_kinds, get):
            each.cache_clear()
        if expected:
            with pytest.raises(KontrastError, match=expected):
                list(perturb(["Chegou cedo."], "gl", annotator="words"))
        else:
            assert [c.text for _, c in perturb(["Chegou cedo."], "gl", annotator="words")] == ["Chegou tarde."]
    monkeypatch.undo()
    for each in (declared, declared_kinds, get):
        each.cache_clear()


def test_every_declared_language_has_the_parts_that_errors_use() -> None:
    for language in languages_declared():
        words = declared(language)
        if "dates" in words:
            assert len(words["dates"]["months"]) == 12, language
            assert all(word == word.lower() for word in words["dates"]["months"]), language
        assert json.dumps(words)


TREE = """# text = Vive en la casa de Ana.
1\tVive\tvivir\tVERB\t_\t_\t0\troot\t_\t_
2\ten\ten\tADP\t_\t_\t4\tcase\t_\t_
3\tla\tel\tDET\t_\t_\t4\tdet\t_\t_
4\tcasa\tcasa\tNOUN\t_\t_\t1\tobl\t_\t_
5\tde\tde\tADP\t_\t_\t6\tcase\t_\t_
6\tAna\tAna\tPROPN\t_\t_\t4\tnmod\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("", "", True),
        ("2\ten\ten\tADP", "2\tve\tver\tVERB", False),  # ve de Ana la casa: verse
        ("5\tde\tde", "5\tcon\tcon", False),
        ("\tnmod", "\tobl", False),
    ],
)
def test_with_a_tree_a_noun_and_its_genitive_change_places(old: str, new: str, found: bool) -> None:
    text = TREE.replace(old, new).replace("Vive en", f"Vive {'ve' if 'ver' in new else 'en'}")
    text = text.replace("casa de Ana", "casa con Ana") if "con" in new else text
    [sentence] = parse_conllu(text.split("\n"))
    made = [candidate.text for candidate in get("es", "word_order").function(sentence)]
    assert ("Vive en de Ana la casa." in made) == found
    assert any("de Ana la casa" in each for each in made) == found


@pytest.mark.parametrize(
    ("language", "words", "swapped"),
    [
        ("ru", "Он / живёт / в / доме Case=Loc / отца Case=Gen", "Он живёт в отца доме"),
        ("ru", "Он / вышел / из / дома Case=Gen / отца Case=Gen", None),  # the preposition governs it as well
        ("ru", "Он / живёт / в / доме Case=Loc / отцом Case=Ins", None),
        ("sv", "Han / kom / i / början Case=Nom / av / året Case=Nom", "Han kom i av året början"),
        (
            "de",
            "Er / kam / durch / die / Regeln Case=Acc / des / Senats Case=Gen",
            "Er kam durch des Senats die Regeln",
        ),
        ("de", "Er / kam / vor / den / Tagen Case=Dat / dieser / Zeit Case=Gen|Gender=Fem", None),
    ],
)
def test_what_stands_behind_a_noun_as_of_goes_before_it(language: str, words: str, swapped: str | None) -> None:
    parts = [word.split() for word in words.split(" / ")]
    forms = [part[0] for part in parts]
    nouns = [i for i, part in enumerate(parts) if len(part) > 1]
    rows = []
    for i, form in enumerate(forms):
        pos = "NOUN" if i in nouns else {1: "VERB", 2: "ADP"}.get(i, "ADP" if form == "av" else "DET")
        head = 2 if i == nouns[0] else nouns[0] + 1 if i == nouns[1] else nouns[i > nouns[0]] + 1 if i > 1 else 0
        relation = (
            "obl" if i == nouns[0] else "nmod" if i == nouns[1] else {"ADP": "case", "DET": "det"}.get(pos, "dep")
        )
        rows.append(f"{i + 1}\t{form}\t{form}\t{pos}\t_\t{(parts[i] + ['_'])[1]}\t{head}\t{relation}\t_\t_")
    [sentence] = parse_conllu([f"# text = {' '.join(forms)}", *rows, ""])
    made = [c.text for c in get(language, "word_order").function(sentence) if c.distance is not None]
    assert made == ([swapped] if swapped else [])
