"""Errors for a language that kontrast knows nothing of: a UniMorph file and CoNLL-U are enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kontrast.building.errors.registry import general_names, get, names_of
from kontrast.building.errors.run import candidates_of, perturb, perturb_file
from kontrast.cli.perturb import command
from kontrast.errors import KontrastError
from kontrast.language import annotators

SPANISH = """\
# text = Las niñas cantan una canción bonita.
1	Las	el	DET	_	Gender=Fem|Number=Plur	2	det	_	_
2	niñas	niña	NOUN	_	Gender=Fem|Number=Plur	3	nsubj	_	_
3	cantan	cantar	VERB	_	Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin	0	root	_	_
4	una	uno	DET	_	Gender=Fem|Number=Sing	5	det	_	_
5	canción	canción	NOUN	_	Gender=Fem|Number=Sing	3	obj	_	_
6	bonita	bonito	ADJ	_	Gender=Fem|Number=Sing	5	amod	_	SpaceAfter=No
7	.	.	PUNCT	_	_	3	punct	_	_

# text = Ana y Luis cantan.
1	Ana	Ana	PROPN	_	_	4	nsubj	_	_
2	y	y	CCONJ	_	_	3	cc	_	_
3	Luis	Luis	PROPN	_	_	1	conj	_	_
4	cantan	cantar	VERB	_	Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin	0	root	_	SpaceAfter=No
5	.	.	PUNCT	_	_	4	punct	_	_

"""
UNIMORPH = """\
cantar	canta	V;IND;PRS;3;SG
cantar	cantan	V;IND;PRS;3;PL
cantar	canta	V;POS;IMP;2;SG
bonito	bonito	ADJ;MASC;SG
bonito	bonita	ADJ;FEM;SG
bonito	bonitos	ADJ;MASC;PL
canción	canción	N;FEM;SG
el	la	DET;DEF;FEM;SG
el	las	DET;DEF;FEM;PL
el	los	DET;DEF;MASC;PL
"""


@pytest.fixture
def spanish(tmp_path: Path) -> tuple[Path, str]:
    trees, words = tmp_path / "x.conllu", tmp_path / "spa.tsv"
    trees.write_text(SPANISH, encoding="utf-8")
    words.write_text(UNIMORPH, encoding="utf-8")
    return trees, f"unimorph:{words}"


def test_a_new_language_from_unimorph_and_conllu(spanish: tuple[Path, str]) -> None:
    trees, words = spanish
    found = [
        (line, c.type, c.text)
        for line, c in perturb_file(trees, "es", general_names("lexicon"), every=True, lexicon=words)
    ]
    assert found == [
        (0, "np_agreement", "Los niñas cantan una canción bonita."),
        (0, "np_agreement", "Las niñas cantan una canción bonito."),
        (0, "subj_verb_agreement", "Las niñas canta una canción bonita."),
    ]


def test_the_command_takes_a_lexicon(spanish: tuple[Path, str]) -> None:
    trees, words = spanish
    arguments = ["--lang", "es", "--lexicon", words, "--types", "subj_verb_agreement", str(trees)]
    (row,) = [json.loads(line) for line in CliRunner().invoke(command, arguments).stdout.splitlines()]
    assert row["edits"] == [{"start": 10, "end": 16, "old": "cantan", "new": "canta"}]
    assert row["distance"] == 1


def test_french_lists_its_own_and_the_general_ones() -> None:
    found = {c.type for _, c in perturb(["Elle est grande."], "fr", every=True)}
    assert {"pronoun_gender", "negation", "subj_verb_agreement"} <= found


@pytest.mark.parametrize("name", names_of("fr"))
def test_french_declarations_keep_their_examples(name: str) -> None:
    perturbation = get("fr", name)
    for before, *after in perturbation.declared.examples:
        sentence = next(annotators.get("fr").annotate([before]))
        found = [c.text for c in candidates_of(perturbation, sentence)]
        assert after[0] in found if after else found == [], (before, found)


def test_what_is_missing_is_said(spanish: tuple[Path, str]) -> None:
    trees, words = spanish
    with pytest.raises(
        KontrastError, match=r"no errors for the language 'eu' \(.*a lexicon \(--lexicon unimorph:FILE\) adds"
    ):
        list(perturb_file(trees, "eu"))
    with pytest.raises(KontrastError, match=r"no annotator for 'es' is installed: .*es_core_news_sm"):
        list(perturb(["Ana canta."], "es", lexicon=words))
    with pytest.raises(KontrastError, match=r"there is no error 'compound' for 'es'; .*np_agreement"):
        list(perturb_file(trees, "es", ["compound"], lexicon=words))
    with pytest.raises(KontrastError, match="these errors for 'de' use no lexicon"):
        list(perturb(["Die Frau lacht."], "de", lexicon="dwdsmor"))
