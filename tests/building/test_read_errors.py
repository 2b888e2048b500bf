"""What reading candidates taught: what may be chosen of each error, what is only among all."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from kontrast.building.perturb.run import perturb, perturb_sentences
from kontrast.language.annotators.conllu import read_conllu

NICHT_DEL = "polarity_particle_nicht_del"
KEIN_DEL = "polarity_particle_kein_del"
AFFIX_DEL = "polarity_affix_del"
NICHT_INS = "polarity_particle_nicht_ins"
KEIN_INS = "polarity_particle_kein_ins"
AFFIX_INS = "polarity_affix_ins"
OMISSION = "clause_omission"


def made(text: str, name: str) -> tuple[set[str], set[str]]:
    """The candidates that may be chosen, and the weak ones."""
    found = [c for _, c in perturb([text], "de", [name], every=True)]
    return {c.text for c in found if not c.weak}, {c.text for c in found if c.weak}


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (NICHT_DEL, "Die Spuren waren nicht mehr zu sehen.", "Die Spuren waren zu sehen."),
        (NICHT_DEL, "Er hat immer noch nicht geantwortet.", "Er hat geantwortet."),
        (NICHT_DEL, "Gar nicht alle kamen.", "Alle kamen."),
        (NICHT_DEL, "Nicht mehr als zehn kamen.", "Mehr als zehn kamen."),
        (NICHT_DEL, "Warum kommst du nicht?", "Warum kommst du?"),
        (KEIN_DEL, "Er macht keine großen Fehler mehr.", "Er macht große Fehler."),
        (KEIN_DEL, "Wir haben überhaupt kein Geld.", "Wir haben Geld."),
        (KEIN_DEL, "Das Amt fand noch keinen Fahrer.", "Das Amt fand einen Fahrer."),
        (KEIN_DEL, "Es gibt keine Handelnden.", "Es gibt Handelnde."),
        (KEIN_DEL, "Keiner kannte mehr den Grund.", "Einer kannte den Grund."),
        (KEIN_DEL, "Keine Tiere waren da.", "Tiere waren da."),
        (AFFIX_DEL, "Der Ausgang ist ungewiss.", "Der Ausgang ist gewiss."),
        (NICHT_INS, "Er wies darauf hin.", "Er wies nicht darauf hin."),
        (NICHT_INS, "Das Essen ist sehr gut.", "Das Essen ist nicht sehr gut."),
        (KEIN_INS, "Das führt zu einer Krise.", "Das führt zu keiner Krise."),
        (AFFIX_INS, "Du bist sicher.", "Du bist unsicher."),
        (OMISSION, "Sie kam; er ging.", "Sie kam."),
        (OMISSION, "Sie kam; er ging.", "Er ging."),
        (OMISSION, "Das Spiel war aus. Alle gingen heim.", "Das Spiel war aus."),
        (OMISSION, "„Es ist spät.“ Er ging heim.", "Er ging heim."),
        ("subj_adequacy", "Die Lage sei gut, sagte sie.", "Die Lage sei gut, sagten sie."),
        ("subj_adequacy", "Als er kam, lachte sie.", "Als er kam, lachten sie."),
    ],
)
def test_what_may_be_chosen(name: str, text: str, wanted: str) -> None:
    assert wanted in made(text, name)[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (NICHT_DEL, "Er kam nicht heute, sondern gestern."),
        (NICHT_DEL, "Ist das nicht schön?"),
        (NICHT_DEL, "Sag mir, ob er kommt oder nicht."),
        (NICHT_DEL, "Du brauchst nicht zu kommen."),
        (NICHT_DEL, "Er geht nicht, bevor sie nicht kommt, oder nicht wahr?"),
        (NICHT_DEL, "Wohl nicht."),
        (NICHT_DEL, "Das lag nicht zuletzt am Wetter."),
        (KEIN_DEL, "Er macht daraus keinen Hehl."),
        (KEIN_DEL, "Keine Sorge, er kommt."),
        (KEIN_DEL, "Das geht auf keinen Fall."),
        (KEIN_DEL, "Es gab fast keinen Widerspruch."),
        (AFFIX_DEL, "Wir müssen unbedingt gehen."),
        (AFFIX_DEL, "Sie standen unmittelbar davor."),
        (AFFIX_DEL, "Das kann angenehm oder unangenehm sein."),
    ],
)
def test_what_is_only_among_all(name: str, text: str) -> None:
    chosen = {c.text for _, c in perturb([text], "de", [name])}
    _, weak = made(text, name)
    assert weak
    assert not chosen & weak


def test_omission_as_published_sets_make_it_is_never_chosen() -> None:
    strong, weak = made("Sie kam; er ging.", OMISSION)
    assert weak == {"Sie kam;", "er ging."}
    assert strong == {"Sie kam.", "Er ging."}


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        (AFFIX_DEL, "Es kam zu Unfällen.", "Es kam zu Fällen."),
        (AFFIX_DEL, "Er half den Ungarn.", "Er half den Garn."),
        (NICHT_INS, "Er fragt, ob sie kommt.", "Er fragt, ob sie nicht kommt."),
        (NICHT_INS, "Kennst du den Mann?", "Kennst du den Mann nicht?"),
        (NICHT_INS, "Ich schätze, es ist ein Lebewohl.", "Ich schätze nicht, es ist ein Lebewohl."),
        (NICHT_INS, "Er wies darauf hin.", "Er wies darauf nicht hin."),
        (NICHT_INS, "Ich glaube, dass sie die Richtige ist.", "Ich glaube, dass sie die Richtige nicht ist."),
        (NICHT_INS, "Das Haus war recht groß.", "Das Haus war recht nicht groß."),
        (KEIN_INS, "Die Schaffung eines Staates gelang.", "Die Schaffung keines Staates gelang."),
        (KEIN_INS, "Er kam während einer Sitzung.", "Er kam während keiner Sitzung."),
        (KEIN_INS, "Kennst du einen Arzt?", "Kennst du keinen Arzt?"),
        (KEIN_INS, "Es gibt ein gewisses Risiko.", "Es gibt kein gewisses Risiko."),
        (AFFIX_INS, "Rund zehn Leute kamen.", "Unrund zehn Leute kamen."),
        (AFFIX_INS, "Du kommst sicher bald.", "Du kommst unsicher bald."),
        (AFFIX_INS, "Es ist so bald wie möglich fertig.", "Es ist so bald wie unmöglich fertig."),
        (AFFIX_INS, "Sie haben das Recht dazu.", "Sie haben das Unrecht dazu."),
        (AFFIX_INS, "Er ist vollkommen blind.", "Er ist unvollkommen blind."),
        (OMISSION, "Die Stadt wurde 300 v. Chr. gegründet.", "Die Stadt wurde 300 v."),
        (OMISSION, "Das Zimmer (mit Balkon!) war schön.", "war schön."),
        ("auxiliary", "Ich habe versucht, zu schlafen.", "Ich bin versucht, zu schlafen."),
        ("auxiliary", "Wir haben auf das Jahr gesehen einen Anstieg zu melden.", "Wir sind"),
        ("subj_adequacy", "Er holt die Creme und streicht sie aufs Brot.", "streichen sie"),
        ("subj_adequacy", "Nimm die Spalte - ersetze sie mit Text.", "ersetzen sie"),
        ("subj_adequacy", "Man weiß, dass sie und ihr Mann kamen.", "Mann kam."),
    ],
)
def test_what_is_never_chosen(name: str, text: str, never: str) -> None:
    assert not [text for text in made(text, name)[0] if never in text]


def test_nicht_is_inserted_in_trees_without_german_tags(data: Path) -> None:
    sentences = islice(read_conllu(data / "ud" / "de_pud-ud-test.conllu"), 40)
    assert len(list(perturb_sentences(sentences, "de", [NICHT_INS]))) > 3
