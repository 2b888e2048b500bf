"""A tree that does not say a verb's tense, mood or a word's case: no foil that may differ in that as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from kontrast.building.agreement.build import AgreementSuite, build_agreement
from kontrast.building.agreement.forms import DIFFERS
from kontrast.language.lexicons.treebank import Treebank

from .made_trees import SURE, conllu

FORMS = """ser\tes\tV;IND;PRS;3;SG
ser\tson\tV;IND;PRS;3;PL
caro\tcaras\tADJ;FEM;PL
caro\tcara\tADJ;FEM;SG
"""
PAID = """La casa pagó.
La el DET Definite=Def|Gender=Fem|Number=Sing 2 det
casa casa NOUN Gender=Fem|Number=Sing 3 nsubj
pagó pagar VERB FEATURES 0 root
"""


def built(folder: Path, sentences: list[str], forms: str) -> tuple[AgreementSuite, set[str]]:
    """The suite, and the wrong words of the first sentence."""
    (folder / "en_x.conllu").write_text(conllu(*["I.\nI I PRON _ 0 root\n"] * len(sentences)))
    (folder / "xx_x.conllu").write_text(conllu(*sentences))
    (folder / "forms").write_text(forms)
    lexicon = f"unimorph:{folder / 'forms'}"
    made = build_agreement(folder / "en_x.conllu", folder / "xx_x.conllu", lexicons=[lexicon], determiners=1)
    return made, {str(v.tags["wrong"]) for item in made.suite.items if item.id == "1" for v in item.variants[1:]}


PAYING = "pagar\tpagó\tV;IND;PST;3;SG\n"


@pytest.mark.parametrize(
    ("features", "forms", "wrong"),
    [
        # the tree says the tense: only the past plural is asked for
        ("Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", "pagan PRS", None),
        ("Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", "pagan PRS,pagaron PST", "pagaron"),
        # it does not: the lexicon does
        ("Mood=Ind|Number=Sing|Person=3|VerbForm=Fin", "pagan PRS", None),
        ("Mood=Ind|Number=Sing|Person=3|VerbForm=Fin", "pagan PRS,pagaban PST;IPFV,pagaron PST", "pagaron"),
        ("Number=Sing|Person=3", "pagan PRS,pagaron PST", "pagaron"),
        ("Mood=Ind|Number=Sing|VerbForm=Fin", "pagan PRS,pagaron PST", "pagaron"),
        # a form of two tenses, of which the plural has one
        ("Mood=Ind|Number=Sing|Person=3|VerbForm=Fin", "pagan PRS,=pagó PRS", None),
        ("Mood=Ind|Number=Sing|Person=3|VerbForm=Fin", "pagaron PST,pagaron PRS,=pagó PRS", "pagaron"),
    ],
)
def test_tense_is_kept_where_only_the_lexicon_tells_it(
    tmp_path: Path, features: str, forms: str, wrong: str | None
) -> None:
    lines = []
    for each in forms.split(","):
        form, tense = each.split(" ")
        lines.append(f"pagar\t{form.lstrip('=')}\tV;IND;{tense};3;{'SG' if form[0] == '=' else 'PL'}\n")
    _, found = built(tmp_path, [PAID.replace("FEATURES", features), SURE], FORMS + PAYING + "".join(lines))
    assert found & {"pagan", "pagaron", "pagaban"} == ({wrong} if wrong else set())


def test_what_may_differ_in_more_is_counted(tmp_path: Path) -> None:
    sentence = PAID.replace("FEATURES", "Mood=Ind|Number=Sing|Person=3|VerbForm=Fin")
    forms = "pagar\tpagan\tV;IND;PRS;3;PL\npagar\tpagó\tV;IND;PRS;3;SG\n"
    made, found = built(tmp_path, [sentence, SURE], FORMS + PAYING + forms)
    assert "pagan" not in found and made.left_out[DIFFERS] == 1


CASE = """O nova domu.
O o ADP _ 3 case
nova novy ADJ Gender=Masc|Number=Sing 3 amod
domu dom NOUN NOUN 0 root
"""
NOVY = "novy\tnova\tADJ;MASC;SG;GEN\nnovy\tnova\tADJ;MASC;SG;DAT\nnovy\tnovych\tADJ;MASC;PL;GEN\n"


@pytest.mark.parametrize(
    ("noun", "made"), [("Gender=Masc|Number=Sing", False), ("Case=Gen|Gender=Masc|Number=Sing", True)]
)
def test_case_is_kept_too(tmp_path: Path, noun: str, made: bool) -> None:
    """*nova* is genitive or dative, *novych* genitive alone: sure only where the noun has the case."""
    _, found = built(tmp_path, [CASE.replace("NOUN NOUN", f"NOUN {noun}"), SURE], FORMS + NOVY)
    assert ("novych" in found) == made


VERBS = "cantar llamar tomar mirar andar".split()


def _treebank(tense: str) -> list[str]:
    """Sentences with each verb in the present and in the past, singular and plural."""
    sentences = []
    for verb in VERBS:
        stem = verb[:-2]
        for ending, number, when in (("a", "Sing", "Pres"), ("ó", "Sing", "Past"), ("an", "Plur", "Pres")):
            features = f"Mood=Ind|Number={number}|Person=3|{tense.format(when)}VerbForm=Fin"
            noun = "casa" if number == "Sing" else "casas"
            sentences += [
                f"{noun} {stem}{ending}.\n{noun} casa NOUN Gender=Fem|Number={number} 2 nsubj\n"
                f"{stem}{ending} {verb} VERB {features} 0 root\n"
            ]
    return sentences


def test_a_treebank_that_mixes_tenses_lends_no_verbs(tmp_path: Path) -> None:
    """*canta* and *cantó* are one cell where no tense is given: neither may become *cantan*."""

    def verbs(tense: str) -> set[tuple[str, str]]:
        made, _ = built(tmp_path, [*_treebank(tense), SURE], FORMS.replace("caro", "raro"))
        foils = [v for item in made.suite.items for v in item.variants[1:]]
        return {(str(v.tags["right"]), str(v.tags["wrong"])) for v in foils if v.tags["lexicon"] == "ud"}

    assert ("canta", "cantan") in verbs("Tense={}|") and ("cantó", "cantan") not in verbs("Tense={}|")
    assert not any(right.startswith("cant") for right, _ in verbs(""))


def test_cells_are_counted_once_for_each_lemma(tmp_path: Path) -> None:
    (tmp_path / "xx.conllu").write_text(conllu(*_treebank("")))
    bank = Treebank("xx", str(tmp_path / "xx.conllu"))
    features = {"Mood": "Ind", "Number": "Sing", "Person": "3", "VerbForm": "Fin"}
    assert bank.mixes("VERB", features) and bank.mixes("AUX", features)
    assert bank.mixes("VERB", {**features, "Number": "Plur"})  # not seen twice: as cells of the same features
    assert not bank.mixes("VERB", {"Number": "Sing"}) and not bank.mixes("ADJ", features)


def test_person_is_kept_too(tmp_path: Path) -> None:
    """The tree says no person: a noun has the third, *pagamos* is the first."""
    sentence = PAID.replace("FEATURES", "Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin")
    forms = "pagar\tpagamos\tV;IND;PST;1;PL\n"
    assert "pagamos" not in built(tmp_path, [sentence, SURE], FORMS + PAYING + forms)[1]
    third = "pagar\tpagaron\tV;IND;PST;3;PL\n"
    (tmp_path / "more").mkdir()
    assert "pagaron" in built(tmp_path / "more", [sentence, SURE], FORMS + PAYING + forms + third)[1]


def test_a_lemma_with_two_forms_in_a_cell_lends_neither(tmp_path: Path) -> None:
    (tmp_path / "xx.conllu").write_text(
        conllu(*(f"{f}.\n{f} grande ADJ Gender=Fem|Number=Sing 0 root\n" for f in ("gran", "grande", "grande")))
    )
    bank = Treebank("xx", str(tmp_path / "xx.conllu"))
    assert bank.mixes("ADJ", {"Gender": "Fem", "Number": "Sing"}, "grande")
    assert not bank.mixes("ADJ", {"Number": "Sing"}, "grande") and not bank.mixes("ADJ", {}, "x")
    assert not bank.mixes("DET", {"Gender": "Fem", "Number": "Sing"}, "grande")
