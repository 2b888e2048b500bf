"""What looks wrong and may be right: one small tree for each trap, and the foils it must not give."""

from __future__ import annotations

from pathlib import Path

import pytest

from kontrast.building.agreement.build import AgreementSuite, build_agreement
from kontrast.errors import KontrastError
from kontrast.language.lexicons.treebank import Treebank
from kontrast.language.words import declared

from .made_trees import SURE, conllu

FORMS = """ser\tes\tV;IND;PRS;3;SG
ser\tson\tV;IND;PRS;3;PL
caro\tcaras\tADJ;FEM;PL
caro\tcara\tADJ;FEM;SG
caro\tcaros\tADJ;MASC;PL
caro\tcaro\tADJ;MASC;SG
caro\tcarísimos\tADJ;SPRL;MASC;PL
nuevo\tnuevas\tADJ;FEM;PL
nuevo\tnuevos\tADJ;MASC;PL
pagar\tpaga\tV;IND;PRS;3;SG
pagar\tpagan\tV;IND;PRS;3;PL
pagar\tpago\tV;IND;PRS;1;SG
"""


def built(folder: Path, sentence: str, language: str = "es", forms: str = FORMS) -> AgreementSuite:
    """The suite of a sentence and of one that gives foils for certain."""
    english = "I.\nI I PRON _ 0 root\n"
    (folder / "en_x.conllu").write_text(conllu(english, english))
    (folder / f"{language}_x.conllu").write_text(conllu(sentence, SURE))
    (folder / "forms").write_text(forms)
    target = folder / f"{language}_x.conllu"
    return build_agreement(folder / "en_x.conllu", target, lexicons=[f"unimorph:{folder / 'forms'}"], determiners=1)


def wrong(made: AgreementSuite) -> set[str]:
    """The wrong words of the first sentence."""
    return {str(v.tags["wrong"]) for item in made.suite.items if item.id == "1" for v in item.variants[1:]}


def test_the_sure_sentence_gives_foils(tmp_path: Path) -> None:
    found = wrong(built(tmp_path, SURE))
    assert {"es", "cara", "caros"} <= found
    assert "carísimos" not in found  # another degree


TRAPS = {
    "epicene": """Las contribuyentes nuevas pagan.
Las el DET Definite=Def|Gender=Fem|Number=Plur 2 det
contribuyentes contribuyente NOUN Gender=Fem|Number=Plur 4 nsubj
nuevas nuevo ADJ Gender=Fem|Number=Plur 2 amod
pagan pagar VERB Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 0 root
""",
    "nearer noun": """Los pagos de casas caros.
Los el DET Definite=Def|Gender=Masc|Number=Plur 2 det
pagos pago NOUN Gender=Masc|Number=Plur 0 root
de de ADP _ 4 case
casas casa NOUN Gender=Fem|Number=Plur 2 nmod
caros caro ADJ Gender=Masc|Number=Plur 2 amod
""",
    "coordination": """Ana y Luis pagan.
Ana Ana PROPN Gender=Fem|Number=Sing 4 nsubj
y y CCONJ _ 3 cc
Luis Luis PROPN Gender=Masc|Number=Sing 1 conj
pagan pagar VERB Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 0 root
""",
    "numeral": """Dos casas son caras.
Dos dos NUM NumType=Card 2 nummod
casas casa NOUN Gender=Fem|Number=Plur 4 nsubj
son ser AUX Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 4 cop
caras caro ADJ Gender=Fem|Number=Plur 0 root
""",
    "quantity": """La mayoría paga.
La el DET Definite=Def|Gender=Fem|Number=Sing 2 det
mayoría mayoría NOUN Gender=Fem|Number=Sing 3 nsubj
paga pagar VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
""",
    "pro-drop": """Ella paga.
Ella él PRON Case=Nom|Gender=Fem|Number=Sing|Person=3|PronType=Prs 2 nsubj
paga pagar VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
""",
    "honorific": """Usted paga.
Usted usted PRON Case=Nom|Number=Sing|Person=2|Polite=Form|PronType=Prs 2 nsubj
paga pagar VERB Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root
""",
    "polite plural": """Vos pagáis caras.
Vos vos PRON Case=Nom|Gender=Fem|Number=Plur|Person=2|Polite=Form|PronType=Prs 3 nsubj
pagáis pagar AUX Mood=Ind|Number=Plur|Person=2|Tense=Pres|VerbForm=Fin 3 cop
caras caro ADJ Gender=Fem|Number=Plur 0 root
""",
    "noun as predicate": """El problema son casas.
El el DET Definite=Def|Gender=Masc|Number=Sing 2 det
problema problema NOUN Gender=Masc|Number=Sing 4 nsubj
son ser AUX Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 4 cop
casas casa NOUN Gender=Fem|Number=Plur 0 root
""",
}


@pytest.mark.parametrize(
    ("trap", "never"),
    [
        ("epicene", {"nuevos", "los"}),
        ("nearer noun", {"caras"}),
        ("coordination", {"paga"}),
        ("numeral", {"es", "cara"}),
        ("quantity", {"pagan"}),
        ("pro-drop", {"pago"}),
        ("honorific", {"pago", "pagas"}),
        ("polite plural", {"cara", "caros"}),
        ("noun as predicate", {"es"}),
    ],
)
def test_what_may_be_right_is_left_out(tmp_path: Path, trap: str, never: set[str]) -> None:
    assert not wrong(built(tmp_path, TRAPS[trap])) & never


def test_reasons_are_counted(tmp_path: Path) -> None:
    assert built(tmp_path, TRAPS["nearer noun"]).left_out["agrees with a nearer noun"] == 1
    assert built(tmp_path, TRAPS["epicene"]).left_out["the noun may have either gender"] >= 1
    assert built(tmp_path, TRAPS["quantity"]).left_out["a word of quantity"] >= 1


def test_a_treebank_without_lemmas_lends_no_forms(tmp_path: Path) -> None:
    (tmp_path / "es.conllu").write_text(conllu(SURE.replace(" ser ", " _ ").replace(" caro ", " _ ")))
    bank = Treebank("es", str(tmp_path / "es.conllu"))
    assert bank.generate("_") == [] and bank.generate("son") == ["son"]


def test_contraction_is_never_undone(tmp_path: Path) -> None:
    sentence = """El pago de la casa.
El el DET Definite=Def|Gender=Masc|Number=Sing 2 det
pago pago NOUN Gender=Masc|Number=Sing 0 root
de de ADP _ 5 case
la el DET Definite=Def|Gender=Fem|Number=Sing 5 det
casa casa NOUN Gender=Fem|Number=Sing 2 nmod
"""
    made = built(tmp_path, sentence)  # "de el casa" for "de la casa": no Spanish text has "de el"
    texts = [v.text for item in made.suite.items for v in item.variants[1:]]
    assert not any("de el" in text for text in texts)


def test_a_noun_that_may_be_singular_or_plural_decides_nothing(tmp_path: Path) -> None:
    sentence = """Las crisis son caras.
Las el DET Definite=Def|Gender=Fem|Number=Plur 2 det
crisis crisis NOUN Gender=Fem|Number=Plur 4 nsubj
son ser AUX Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 4 cop
caras caro ADJ Gender=Fem|Number=Plur 0 root
"""
    forms = FORMS + "crisis\tcrisis\tN;FEM;SG\ncrisis\tcrisis\tN;FEM;PL\n"
    assert not wrong(built(tmp_path, sentence, forms=forms)) & {"es", "cara"}


def test_relative_clause_agrees_with_its_noun(tmp_path: Path) -> None:
    sentence = """Las casas que pagan.
Las el DET Definite=Def|Gender=Fem|Number=Plur 2 det
casas casa NOUN Gender=Fem|Number=Plur 0 root
que que PRON PronType=Rel 4 nsubj
pagan pagar VERB Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 2 acl:relcl
"""
    made = built(tmp_path, sentence)
    assert made.phenomena["relative_verb"] == 1 and "paga" in wrong(made)


RELATIVE = """Las casas , cuales pagan.
Las el DET Definite=Def|Gender=Fem|Number=Plur 2 det
casas casa NOUN Gender=Fem|Number=Plur 0 root
, , PUNCT _ 5 punct
cuales cual PRON Number=Plur|PronType=Rel 5 nsubj
pagan pagar VERB Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 2 acl:relcl
"""


@pytest.mark.parametrize(
    ("pronoun", "made"),
    [
        ("cuales cual PRON Number=Plur|PronType=Rel 5 nsubj", True),
        ("cuales cual PRON Number=Plur 5 nsubj", True),  # by its place alone
        ("cuales cual DET Number=Plur|PronType=Rel 5 det", False),  # cuyo agrees with what follows
        ("cuales cual PRON Number=Plur|PronType=Int 5 nsubj", False),
    ],
)
def test_relative_pronoun_agrees_with_its_noun(tmp_path: Path, pronoun: str, made: bool) -> None:
    forms = FORMS + "cual\tcual\tPRO;SG\ncual\tcuales\tPRO;PL\ncual\tcual\tDET;SG\ncual\tcuales\tDET;PL\n"
    sentence = RELATIVE.replace("cuales cual PRON Number=Plur|PronType=Rel 5 nsubj", pronoun)
    found = built(tmp_path, sentence, forms=forms)
    assert ("cual" in wrong(found)) == made == ("relative_pronoun" in found.phenomena)


def test_tags(tmp_path: Path) -> None:
    made = built(tmp_path, SURE)
    variant = next(v for v in made.suite.items[0].variants if v.error == "predicate")
    assert variant.tags["frequency"] == 2 and variant.tags["lexicon"] == "unimorph"
    assert variant.tags["order"] == "controller first"


def test_one_file_adds_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A language is declared by one TOML file; here a made one whose word for a crowd is one of quantity."""
    sentence = """Lom pagan.
Lom lom NOUN Gender=Masc|Number=Plur 2 nsubj
pagan pagar VERB Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 0 root
"""
    assert "paga" in wrong(built(tmp_path, sentence, "xx"))
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "xx.toml").write_text('[agreement]\nquantities = ["lom"]\n')
    monkeypatch.setenv("KONTRAST_WORDS", str(tmp_path / "words"))
    declared.cache_clear()
    made = built(tmp_path, sentence, "xx")
    assert "paga" not in wrong(made) and made.left_out["a word of quantity"] == 1
    (tmp_path / "words" / "xx.toml").write_text('[agreement\nquantities = ["lom"]\n')
    declared.cache_clear()
    with pytest.raises(KontrastError, match=r"xx\.toml"):
        built(tmp_path, sentence, "xx")
    declared.cache_clear()
