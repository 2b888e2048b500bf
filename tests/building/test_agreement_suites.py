"""Agreement errors from trees: made sentences with known answers, and the real treebanks where they are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kontrast
from kontrast import KontrastError, Scores, Suite
from kontrast.building.agreement.build import build_agreement

SPANISH = """# sent_id = 1
# text = Las casas blancas del pueblo son caras.
1\tLas\tel\tDET\t_\tDefinite=Def|Gender=Fem|Number=Plur\t2\tdet\t_\t_
2\tcasas\tcasa\tNOUN\t_\tGender=Fem|Number=Plur\t8\tnsubj\t_\t_
3\tblancas\tblanco\tADJ\t_\tGender=Fem|Number=Plur\t2\tamod\t_\t_
4-5\tdel\t_\t_\t_\t_\t_\t_\t_\t_
4\tde\tde\tADP\t_\t_\t6\tcase\t_\t_
5\tel\tel\tDET\t_\tDefinite=Def|Gender=Masc|Number=Sing\t6\tdet\t_\t_
6\tpueblo\tpueblo\tNOUN\t_\tGender=Masc|Number=Sing\t2\tnmod\t_\t_
7\tson\tser\tAUX\t_\tMood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin\t8\tcop\t_\t_
8\tcaras\tcaro\tADJ\t_\tGender=Fem|Number=Plur\t0\troot\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t_\t_\t8\tpunct\t_\t_

# sent_id = 2
# text = Ana y Luis comen.
1\tAna\tAna\tPROPN\t_\tGender=Fem|Number=Sing\t4\tnsubj\t_\t_
2\ty\ty\tCCONJ\t_\t_\t3\tcc\t_\t_
3\tLuis\tLuis\tPROPN\t_\tGender=Masc|Number=Sing\t1\tconj\t_\t_
4\tcomen\tcomer\tVERB\t_\tMood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

"""
ENGLISH = """# sent_id = 1
# text = The white houses of the village are expensive.
1\tThe\tthe\tDET\t_\t_\t0\troot\t_\t_

# sent_id = 2
# text = Ana and Luis eat.
1\tAna\tAna\tPROPN\t_\t_\t0\troot\t_\t_

"""
FORMS = """ser\tes\tV;IND;PRS;3;SG
ser\tson\tV;IND;PRS;3;PL
comer\tcome\tV;IND;PRS;3;SG
comer\tcomen\tV;IND;PRS;3;PL
blanco\tblancas\tADJ;FEM;PL
blanco\tblancos\tADJ;MASC;PL
blanco\tblanca\tADJ;FEM;SG
blanco\tblanco\tADJ;MASC;SG
caro\tcaras\tADJ;FEM;PL
caro\tcara\tADJ;FEM;SG
caro\tcaros\tADJ;MASC;PL
caro\tcaro\tADJ;MASC;SG
"""


@pytest.fixture
def banks(tmp_path: Path) -> Path:
    (tmp_path / "es_x.conllu").write_text(SPANISH)
    (tmp_path / "en_x.conllu").write_text(ENGLISH)
    (tmp_path / "spa").write_text(FORMS)
    return tmp_path


def test_a_treebank_of_another_language_than_the_pairs_is_refused(banks: Path) -> None:
    """By its words, and by the name of a treebank."""
    (banks / "es_x.conllu").write_text(_many(SPANISH))
    (banks / "en_x.conllu").write_text(_many(ENGLISH))
    with pytest.raises(KontrastError, match=r"es_x.conllu: looks like 'es', not 'fr': check --pair en-fr"):
        build_agreement(banks / "en_x.conllu", banks / "es_x.conllu", "en-fr")
    with pytest.raises(KontrastError, match=r"en_x.conllu: looks like 'en', not 'de'"):
        build_agreement(banks / "en_x.conllu", banks / "es_x.conllu", "de-es")
    (banks / "es_pud-ud-test.conllu").write_text(SPANISH)
    with pytest.raises(KontrastError, match=r"--pair en-pt: es_pud-ud-test.conllu is a treebank of 'es'"):
        build_agreement(banks / "en_x.conllu", banks / "es_pud-ud-test.conllu", "en-pt")


def _many(text: str, times: int = 12) -> str:
    """The sentences again and again, each time with other ids."""
    return "".join(re.sub(r"(# sent_id = .*)", rf"\1-{n}", text) for n in range(times))


def test_each_agreement_is_broken_in_one_word(banks: Path) -> None:
    made = build_agreement(
        banks / "en_x.conllu", banks / "es_x.conllu", lexicons=[f"unimorph:{banks / 'spa'}"], determiners=1
    )
    [item] = made.suite.items  # coordinated subjects are left alone
    assert (made.suite.source_language, made.suite.target_language, made.suite.unit) == ("en", "es", "pair")
    assert item.source == "The white houses of the village are expensive."
    found = {(v.error, v.tags["feature"], v.tags["wrong"]) for v in item.variants[1:]}
    assert ("adj_noun", "number", "blanca") in found
    assert ("subj_verb", "number", "es") in found
    assert ("predicate", "number", "cara") in found and ("predicate", "gender", "caros") in found
    # "casas blancos del pueblo": what follows a preposition cannot have its adjective before it
    assert ("adj_noun", "gender", "blancos") in found
    verb = next(v for v in item.variants if v.error == "subj_verb")
    assert verb.text == "Las casas blancas del pueblo es caras."
    assert (verb.tags["distance"], verb.tags["attractors"]) == (4, 1)


def _known_answers(suite: Suite) -> None:
    """A model that is right by construction gets 100%, its opposite 0%, a constant one chance."""
    right = [row.variant_index == row.item.correct for row in suite.rows()]
    assert kontrast.evaluate(suite, Scores("oracle", tuple(0.0 if each else 1.0 for each in right))).accuracy == 1
    assert kontrast.evaluate(suite, Scores("opposite", tuple(1.0 if each else 0.0 for each in right))).accuracy == 0
    constant = kontrast.evaluate(suite, Scores("constant", (1.0,) * len(right)))
    assert constant.accuracy == pytest.approx(constant.chance) == 0.5


def test_known_answers(banks: Path) -> None:
    made = build_agreement(banks / "en_x.conllu", banks / "es_x.conllu", lexicons=[f"unimorph:{banks / 'spa'}"])
    _known_answers(made.suite)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda text: text.replace("\t8\tcop", "\t88\tcop"), "is not a word of the sentence"),
        (lambda text: text.replace("\t0\troot\t_\tSpaceAfter=No\n9", "\t7\tdep\t_\t_\n9"), "cycle"),
        (lambda text: text.replace("sent_id = ", "sent_id = other"), "no sentence id in common"),
        (lambda text: text.replace("# sent_id = ", "# x = ").split("\n\n")[0] + "\n", "the same number of sentences"),
        (lambda text: "\n\n".join(b for b in text.split("\n\n")[1:]), "no agreement error could be made"),
    ],
)
def test_bad_input(banks: Path, change: object, problem: str) -> None:
    (banks / "es_x.conllu").write_text(change(SPANISH))  # type: ignore[operator]
    with pytest.raises(KontrastError, match=problem) as raised:
        build_agreement(banks / "en_x.conllu", banks / "es_x.conllu")
    assert "\n" not in str(raised.value)


def test_languages_are_needed(banks: Path) -> None:
    (banks / "a.conllu").write_text(SPANISH)
    with pytest.raises(KontrastError, match="--pair en-es"):
        build_agreement(banks / "en_x.conllu", banks / "a.conllu")
    with pytest.raises(KontrastError, match="two languages"):
        build_agreement(banks / "en_x.conllu", banks / "a.conllu", "spanish")


@pytest.mark.parametrize(
    ("language", "lexicon", "least"), [("ru", "pymorphy:ru", 1000), ("pl", "morfeusz:pl", 1000), ("fr", None, 1000)]
)
def test_real_treebanks(data: Path, language: str, lexicon: str | None, least: int) -> None:
    if lexicon:
        pytest.importorskip({"pymorphy:ru": "pymorphy3", "morfeusz:pl": "morfeusz2"}[lexicon])
    english, other = (data / "ud" / f"{code}_pud-ud-test.conllu" for code in ("en", language))
    made = build_agreement(english, other, lexicons=[lexicon] if lexicon else [])
    assert sum(n for name, n in made.phenomena.items() if name != "det_noun") >= least
    assert made.phenomena["det_noun"] <= 0.26 * sum(made.phenomena.values())
    errors = [finding for finding in kontrast.lint(made.suite) if finding.level == "error"]
    assert not errors
    assert all(len({v.text for v in item.variants}) == len(item.variants) for item in made.suite.items)
    _known_answers(made.suite)


def test_a_lexicon_of_another_language_is_refused(tmp_path: Path) -> None:
    words = [f"palabra{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(60)]
    rows = [f"{i}\t{w}\t{w}\tNOUN\t_\tNumber=Sing\t{0 if i == 1 else 1}\tdep\t_\t_" for i, w in enumerate(words, 1)]
    (tmp_path / "es_x.conllu").write_text("\n".join(rows) + "\n\n")
    (tmp_path / "en_x.conllu").write_text(ENGLISH.split("\n\n")[0] + "\n\n")
    (tmp_path / "fin").write_text("talo\ttalot\tN;NOM;PL\n")
    with pytest.raises(KontrastError, match="knows 0 of 60 words: it may be for another language"):
        build_agreement(tmp_path / "en_x.conllu", tmp_path / "es_x.conllu", lexicons=[f"unimorph:{tmp_path / 'fin'}"])


def test_a_lexicon_of_a_related_language_is_refused(tmp_path: Path) -> None:
    """It knows the nouns, and five of the forty verbs."""
    letters = [f"{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(60)]
    words = [*((f"noun{x}", "NOUN") for x in letters), *((f"verb{x}", "VERB") for x in letters[:40])]
    rows = [f"{i}\t{w}\t{w}\t{pos}\t_\tNumber=Sing\t{int(i > 1)}\tdep\t_\t_" for i, (w, pos) in enumerate(words, 1)]
    (tmp_path / "es_x.conllu").write_text("\n".join(rows) + "\n\n")
    (tmp_path / "en_x.conllu").write_text(ENGLISH.split("\n\n")[0] + "\n\n")
    known = [f"{w}\t{w}\t{pos[0]};SG" for w, pos in words[:65]]
    (tmp_path / "por").write_text("\n".join(known) + "\n")
    with pytest.raises(KontrastError, match="knows 5 of the 40 commonest verbs: it may be for a related language"):
        build_agreement(tmp_path / "en_x.conllu", tmp_path / "es_x.conllu", lexicons=[f"unimorph:{tmp_path / 'por'}"])


def test_an_article_that_would_be_written_together_is_left_out(banks: Path) -> None:
    """*de la casa* never becomes *de el casa*: the treebank itself shows that de and el are written as one."""
    text = SPANISH.replace("es_x", "xx").split("\n\n")[0] + (
        "\n\n# sent_id = 2\n# text = El precio de la casa\n"
        "1\tEl\tel\tDET\t_\tGender=Masc|Number=Sing\t2\tdet\t_\t_\n"
        "2\tprecio\tprecio\tNOUN\t_\tGender=Masc|Number=Sing\t0\troot\t_\t_\n"
        "3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_\n"
        "4\tla\tel\tDET\t_\tGender=Fem|Number=Sing\t5\tdet\t_\t_\n"
        "5\tcasa\tcasa\tNOUN\t_\tGender=Fem|Number=Sing\t2\tnmod\t_\t_\n\n"
    )
    (banks / "qa.conllu").write_text(text)
    made = build_agreement(banks / "en_x.conllu", banks / "qa.conllu", "en-qa", determiners=1)
    assert not any("de el" in v.text for item in made.suite.items for v in item.variants)
    assert made.left_out.get("the form would be joined to the preposition")
