"""German through spaCy: trees of TIGER, as its official pipelines give them, must serve the errors as UD's do.

No official German pipeline is on the package index. A real pipeline is built here whose components hand out trees
written by hand in TIGER's style, so all but the statistics is spaCy's own: tokeniser, documents, loading by folder.
"""

from __future__ import annotations

import pytest

from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of, perturb
from kontrast.language.annotation import Annotator, Sentence
from kontrast.language.annotators.spacy_pipeline import SpacyPipeline

spacy = pytest.importorskip("spacy")

# word, lemma, pos, tag, features, head, relation
TREES = {
    "Der Zug ist heute pünktlich angekommen.": """\
        Der der DET ART Case=Nom|Gender=Masc|Number=Sing 1 nk
        Zug Zug NOUN NN Case=Nom|Gender=Masc|Number=Sing 2 sb
        ist sein AUX VAFIN Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 2 ROOT
        heute heute ADV ADV _ 5 mo
        pünktlich pünktlich ADV ADJD _ 5 mo
        angekommen ankommen VERB VVPP VerbForm=Part 2 oc
        . -- PUNCT $. _ 2 punct""",
    "Die Lampe und der Tisch können nicht verkauft worden sein.": """\
        Die der DET ART Case=Nom|Gender=Fem|Number=Sing 1 nk
        Lampe Lampe NOUN NN Case=Nom|Gender=Fem|Number=Sing 5 sb
        und und CCONJ KON _ 1 cd
        der der DET ART Case=Nom|Gender=Masc|Number=Sing 4 nk
        Tisch Tisch NOUN NN Case=Nom|Gender=Masc|Number=Sing 2 cj
        können können AUX VMFIN Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin 5 ROOT
        nicht nicht PART PTKNEG _ 5 ng
        verkauft verkaufen VERB VVPP VerbForm=Part 8 oc
        worden werden AUX VAPP VerbForm=Part 9 oc
        sein sein AUX VAINF VerbForm=Inf 5 oc
        . -- PUNCT $. _ 5 punct""",
    "Er kommt am Montag an.": """\
        Er er PRON PPER Case=Nom|Gender=Masc|Number=Sing|Person=3 1 sb
        kommt kommen VERB VVFIN Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 1 ROOT
        am an ADP APPRART Case=Dat|Gender=Masc|Number=Sing 1 mo
        Montag Montag NOUN NN Case=Dat|Gender=Masc|Number=Sing 2 nk
        an an ADP PTKVZ _ 1 svp
        . -- PUNCT $. _ 1 punct""",
}


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Annotator:
    from spacy.language import Language
    from spacy.tokens import Doc

    @Language.component("written_by_hand")
    def annotate(document: Doc) -> Doc:
        rows = [row.split() for row in TREES[document.text].splitlines()]
        assert [word.text for word in document] == [row[0] for row in rows]
        return Doc(
            document.vocab,
            words=[row[0] for row in rows],
            spaces=[bool(word.whitespace_) for word in document],
            lemmas=[row[1] for row in rows],
            pos=[row[2] for row in rows],
            tags=[row[3] for row in rows],
            morphs=[row[4] for row in rows],
            heads=[int(row[5]) for row in rows],
            deps=[row[6] for row in rows],
        )

    pipeline = spacy.blank("de")
    parser = pipeline.add_pipe("parser")
    for row in (line for tree in TREES.values() for line in tree.splitlines()):
        parser.add_label(row.split()[6])
    pipeline.initialize()
    pipeline.add_pipe("written_by_hand", last=True)
    folder = tmp_path_factory.mktemp("spacy") / "de_tiger"
    pipeline.to_disk(folder)
    return SpacyPipeline("de", str(folder))


def _sentence(german: Annotator, start: str) -> Sentence:
    return next(german.annotate([next(text for text in TREES if text.startswith(start))]))


def test_the_participle_governs_its_auxiliary_as_in_ud(german: Annotator) -> None:
    tokens = _sentence(german, "Der Zug").tokens
    assert [(t.text, t.head, t.relation) for t in tokens[:3]] == [
        ("Der", 1, "det"),
        ("Zug", 5, "nsubj"),
        ("ist", 5, "aux"),
    ]
    assert (tokens[5].head, tokens[5].relation) == (-1, "root")


def test_chains_of_auxiliaries_and_coordination(german: Annotator) -> None:
    tokens = _sentence(german, "Die Lampe").tokens
    assert {t.text: tokens[t.head].text for t in tokens if t.relation == "aux"} == dict.fromkeys(
        ("können", "worden", "sein"), "verkauft"
    )
    assert [(t.text, tokens[t.head].text) for t in tokens if t.relation == "conj"] == [("Tisch", "Lampe")]
    assert tokens[1].head == 7


@pytest.mark.parametrize(
    ("name", "start", "wanted"),
    [
        ("np_agreement", "Der Zug", "Das Zug ist heute pünktlich angekommen."),
        ("subj_verb_agreement", "Der Zug", "Der Zug sind heute pünktlich angekommen."),
        ("auxiliary", "Der Zug", "Der Zug hat heute pünktlich angekommen."),
        ("polarity_particle_nicht_del", "Die Lampe", "Die Lampe und der Tisch können verkauft worden sein."),
        ("subj_verb_agreement", "Er kommt", "Er kommen am Montag an."),
        ("verb_particle", "Er kommt", None),
    ],
)
def test_errors_stand_on_these_trees(german: Annotator, name: str, start: str, wanted: str | None) -> None:
    found = [c.text for c in candidates_of(get("de", name), _sentence(german, start))]
    assert wanted in found if wanted else found


def test_perturb_takes_the_pipeline_by_its_folder(german: Annotator) -> None:
    found = list(perturb(TREES, "de", ["subj_verb_agreement"], every=True, annotator=german.name))
    assert [line for line, _ in found] == [0, 1, 2]
