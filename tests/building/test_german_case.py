"""German foils: the case of es and sie by the clause, what changes with them, and what is doubted."""

from __future__ import annotations

import pytest

from kontrast.building.parallel import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.clues import stays_subject
from kontrast.building.pronouns.places import PronounPlace, has_people
from kontrast.building.pronouns.same import mean_the_same
from kontrast.building.pronouns.target import Contrastive, Noun, target_side
from kontrast.building.pronouns.weigh import Choice
from kontrast.language import annotators
from kontrast.language.alignment import spans
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import clause, split

RECIPE = load_recipe("en-de")


def foils(text: str, *, subject: bool, **together: bool | None) -> dict[str, Contrastive]:
    """The foils of the pronoun in brackets, by gender; ``together`` are other words that may mean the same."""
    start = text.index("[")
    end = text.index("]") - 1
    text = text.replace("[", "").replace("]", "")
    others = {w.start: together[w.text] for w in spans(text) if w.text in together and w.start != start}
    made = target_side(RECIPE).contrast(text, start, end, is_subject=subject, together=others)
    return {c.gender: c for c in made}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Seit dem Krieg hütet [sie] sich vor Einsätzen.", "er"),
        ("Da es alt sei, könne [es] durchaus daran beteiligt sein.", "er"),
        ("Ungeheuerlich sei [es], sagte der Mann.", "er"),
        ("Nur muss [es] dann innerhalb eines Tages verkauft werden.", "er"),
        ("Sie warten, weil [es] noch von den Release-Betreuern geprüft werden muss.", "er"),
        ("Für Kämpfe sollte [es] jedoch erst einmal hilfreich sein.", "er"),
        ("Spannender wird [es] mit den Aromen.", "er"),
        ("Zugleich wurde [es] zum Ziel vieler Angriffe.", "er"),
        ("Sie wollten nicht wählen, wodurch [es] ungültig werden würde.", "er"),
        ("Bisher hat [es] immer ohne Probleme geklappt.", "er"),
        ("Dabei könnte [es] um das Geschäft gehen.", "er"),
        ("Das Projekt hilft der Firma, indem [es] ihr das Recht gibt.", "er"),
        ("Wir reden, weil [es] sie in der Nähe hält.", "er"),
        ("Werden die Behörden, unter deren Befehl [sie] stehen wird, gewählt?", "er"),
        ("Er sagt, weil Sie [es] sich wert sind.", "ihn"),
        ("Das Buch, wie man [es] heute kennt ist neu.", "ihn"),
        ("Wir geraten in eine Lage, wie [sie] Appian beschreibt.", "ihn"),
        ("Sie wollen versuchen, es zu kaufen und [es] als Beute zu beanspruchen.", "ihn"),
        ("Das soll die Datei lesen, [sie] aber nicht löschen.", "ihn"),
        ("Nachdem der Roboter Steine gefunden hat, legt [es] sie an Sammelstellen ab.", "er"),
        ("Ein großer Teil versucht, [es] auf die eine oder andere Weise besser zu machen.", "ihn"),
    ],
)
def test_the_clause_decides_whatever_the_source_says(text: str, form: str) -> None:
    for subject in (True, False) if "aber nicht" not in text else (False,):
        made = foils(text, subject=subject)
        assert made["m"].replacement == form
        assert not made["m"].doubt


@pytest.mark.parametrize(
    "text",
    [
        "Der Mann holt die Creme aus der Theke, streicht [sie] in die Waffel.",
        "Beim Wenden rammte er ein Fahrzeug, schob [es] mit zwei Autos zusammen.",
        "Ich will, dass ihr seine Kraft eindämmt und [sie] beherrschbar macht.",
        "Das ist ein Wesen, das [es] benutzt.",
        "Das Einzige, was [sie] retten kann, sind wir.",
        "Die Stadt erhält Anteile, die ihr nützen, und die [es] wieder verkaufen kann.",
        "Es zeigt, dass [es] die Welt zu empfangen weiss.",
    ],
)
def test_the_source_decides_where_the_clause_leaves_it_open(text: str) -> None:
    assert foils(text, subject=True)["m"].replacement == "er"
    assert foils(text, subject=False)["m"].replacement == "ihn"


def test_a_clause_in_the_first_place_has_its_subject_behind_the_verb() -> None:
    assert foils("Wenn der Regen kommt, wächst [sie] schnell.", subject=False)["m"].replacement == "er"


@pytest.mark.parametrize(
    ("text", "subject", "doubt"),
    [
        ("Die Gruppe zahlt viel, heiß [es] recht unbestimmt.", True, "the case of es is not known"),
        ("Prüfen Sie, ob [es] das Buch öffnen kann.", False, "the case of es is not known"),
        ("Er merkt, dass [es] keine typischen Bilder sind.", True, "its verb is plural"),
        ("In den Jahren sollen [es] 5,2 Milliarden sein.", True, "its verb is plural"),
    ],
)
def test_a_case_that_is_guessed_is_doubted(text: str, subject: bool, doubt: str) -> None:
    made = foils(text, subject=subject)
    assert made["m"].doubt == doubt
    assert not made["f"].doubt


def test_several_who_do_something_to_themselves_are_no_thing() -> None:
    assert not foils("Sie wollten wählen, wann [sie] sich dieser unterziehen.", subject=False)


def test_another_mention_that_may_mean_a_subject_between_is_doubted() -> None:
    text = "[Es] sagte, dass jedes Unternehmen für die Einlagen zahle, die es halten würde."
    assert foils(text, subject=True, es=True)["f"].doubt == "another es may mean Unternehmen"
    text = "Er sieht die Akte, wenn [sie] denkt, dass die Firma ihre Arbeit macht."
    assert foils(text, subject=True, ihre=False)["m"].doubt == "another ihre may mean Firma"
    text = "Ich bringe [ihn] zu Theganli und bespreche mit ihm alles."
    assert foils(text, subject=False, ihm=None)["f"].doubt == "another ihm may mean Theganli"
    assert not foils(text, subject=False, ihm=None)["n"].doubt
    text = "Ein Wesen, das [es] benutzt, um seine Opfer zu töten."
    assert foils(text, subject=False, seine=False)["f"].doubt == "another seine may mean das"
    text = "[Sie] ist so groß wie eine Tür, aber ich mag sie."
    assert not foils(text, subject=True, sie=False)["m"].doubt


def test_a_dative_before_a_clause_without_a_comma_changes_with_it() -> None:
    made = foils("Sag ihm [er] soll verschwinden.", subject=True, ihm=False)
    assert made["f"].text == "Sag ihr sie soll verschwinden."


def test_a_dative_is_rather_someone_in_the_source() -> None:
    source = spans("He told me he liked it.")
    assert has_people(source, "ihm", frozenset(("it",)))
    assert not has_people(source, "ihn", frozenset(("it",)))


def test_the_object_of_a_relative_clause_is_no_subject_of_what_follows() -> None:
    for text, subject in (
        ("The ice that defines it is melting fast.", False),
        ("The man who says it is melting left.", True),
    ):
        sentence = next(annotators.get("en").annotate([text]))
        it = next(i for i, t in enumerate(sentence.tokens) if t.text == "it")
        assert stays_subject(sentence, it) == subject


def test_signs_and_particles_within_a_clause_do_not_end_it() -> None:
    for text, word in (
        ("weil es neben DNS-Servern besteht", "besteht"),
        ("dass es 5,2 Meter misst", "misst"),
        ("wobei es doch erstaunlich ist", "ist"),
    ):
        words = split(text)
        assert words[clause(words, 1)[1]].low == word
    words = split("es ist alt, aber es bleibt - es muss")
    assert clause(words, 0) == (0, 2)
    assert clause(words, 5) == (4, 6)


def test_es_announces_a_clause_behind_a_date() -> None:
    words = split("Da wäre es angebrachter, von einem zweiten 11. September zu sprechen.")
    assert use_of_es(words, 2, is_object=False).kind == "empty"


@pytest.mark.parametrize(
    "text",
    [
        "Zu keiner Zeit erlangt [es] wirklich Rechte.",
        "Das heißt, dass [es] Schaden anrichten und Stoffe zerreißen kann.",
        "Das ist eine Linie, deren Übertritt [es] nicht erlauben wird.",
    ],
)
def test_the_source_decides_what_the_clause_leaves_open(text: str) -> None:
    made = foils(text, subject=True)["m"]
    assert (made.replacement, made.doubt) == ("er", "")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Es brach erst eine Panik aus.", "empty"),
        ("Es brach in der Mitte.", "thing"),
        ("Es klappt, weshalb es am Montag aufklart.", "empty"),
        ("Die Art des Verkaufs (sei es über das Netz oder nicht) bleibt.", "empty"),
        ("Seine Natur ist es, ohne Grund gegen alle zu kämpfen.", "empty"),
        ("Es ist möglich (wenn auch nicht üblich), Pakete so zu behandeln.", "empty"),
        ("Sie tragen ihn, aber es wird keine Wirkung haben.", "thing"),
    ],
)
def test_es_of_nothing_is_no_thing(text: str, kind: str) -> None:
    words = split(text)
    i = max(k for k, w in enumerate(words) if w.low == "es")
    assert use_of_es(words, i, is_object=False).kind == kind


def test_who_it_is_has_no_noun() -> None:
    side = target_side(RECIPE)
    cleft, plain = "Er sagte, dass er es war, der ging.", "Er ist klarer, als er es war."
    assert side.use(cleft, cleft.index("er es"), is_subject=True).kind == "empty"
    assert side.use(plain, plain.index("er es"), is_subject=True).kind == "thing"


@pytest.mark.parametrize(
    ("text", "together", "made"),
    [
        (
            "[Sie] wurde geprüft, somit ist ihr Verzehr sicher.",
            {"ihr": None},
            "Er wurde geprüft, somit ist sein Verzehr",
        ),
        ("Ihr Merkmal ist, dass [sie] gilt.", {"Ihr": False}, "Sein Merkmal ist, dass er gilt."),
        (
            "Laut Namen sind deren Inhalte neu, aber [sie] hilft.",
            {"deren": False},
            "sind dessen Inhalte neu, aber er hilft",
        ),
        (
            "Du kannst [sie] tragen, aber sie wird keine Wirkung haben.",
            {"sie": True},
            "ihn tragen, aber er wird keine",
        ),
    ],
)
def test_what_means_the_same_changes_with_it(text: str, together: dict[str, bool | None], made: str) -> None:
    foil = foils(text, subject=text.startswith("[") or "dass" in text or "hilft" in text, **together)["m"]
    assert made in foil.text
    assert not foil.doubt


@pytest.mark.parametrize(
    ("text", "together", "why"),
    [
        ("Da [sie] aktiv ist, fügt das Filter eine Ebene ein und füllt sie mit Farbe.", {"sie": None}, "Ebene"),
        ("Man sah, dass [sie] verlor“, schrieb die Zeitung in einem ihrer Artikel.", {"ihrer": False}, "Zeitung"),
    ],
)
def test_what_may_mean_another_noun_is_doubted(text: str, together: dict[str, bool | None], why: str) -> None:
    assert why in foils(text, subject=True, **together)["n"].doubt


@pytest.mark.parametrize(
    ("source", "target", "pairs", "same"),
    [
        (
            "when it comes out, it is quick, or we go with it",
            "wenn er kommt, ist es schnell, oder wir gehen mit ihm",
            {1: "er", 5: "es", 13: "ihm"},
            {"er": True, "es": None},  # es is no dog
        ),
        (
            "it shows the rifle's use and its design .",
            "er zeigt den Gebrauch des Gewehrs und seine Bauart .",
            {0: "er", 8: "seine"},
            {"seine": None},
        ),
        ("Its aim is that it lasts", "Sein Ziel ist, dass er hält", {4: "er"}, {"Sein": False}),
    ],
)
def test_what_is_aligned_to_another_it(
    source: str, target: str, pairs: dict[int, str], same: dict[str, bool | None]
) -> None:
    side, words, others = target_side(RECIPE), spans(source), spans(target)
    texts = [w.text for w in others]
    links = frozenset((i, texts.index(word)) for i, word in pairs.items())
    its = [i for i in pairs if words[i].text == "it"][-1]
    at = texts.index(pairs[its])
    form = side.form(target, others, at)
    assert form is not None
    place = PronounPlace(0, words[its], form, at)
    (sentence,) = annotators.get("en").annotate([source])
    choice = Choice(-1, Noun("Hund", 0, "Hund", frozenset("m")), None, 1.0, (), ())
    found = mean_the_same(RECIPE, side, Document("d", (source,), (target,)), place, sentence, links, choice)
    for word, subject in same.items():
        assert found.get(others[texts.index(word)].start) == subject
