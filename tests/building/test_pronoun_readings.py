"""German pronoun items that readers refused or missed, by class: forms, claims, what is left out, what is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.parallel import Document, parallel_documents
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.contrast import Contrastive
from kontrast.building.pronouns.heads import namesake
from kontrast.building.pronouns.items import surest
from kontrast.building.pronouns.judge import FoilJudge
from kontrast.building.pronouns.people import is_german_person, is_german_thing
from kontrast.building.pronouns.phrases import holds_clause
from kontrast.building.pronouns.pipeline import Tools, find_in_documents
from kontrast.building.pronouns.stays import owner_stays
from kontrast.building.pronouns.target import target_side
from kontrast.language import annotators
from kontrast.language.aligners.fast_align import train
from kontrast.language.alignment import spans
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import split
from kontrast.language.resolvers.salience import cannot_be_meant
from kontrast.suites.model import Item, Variant

DOUBTED = [
    (
        "as likely meant",
        [("Win the node or castle and claim it.", "Erobere den Knoten oder die Burg und halte sie.")],
    ),
    (
        "what it is",
        [
            ("The liver is a filter.", "Die Leber ist ein Filter."),
            ("It is in the middle of the body.", "Sie liegt in der Mitte des Körpers."),
        ],
    ),
    (
        "what it is",
        [
            (
                "The order was booked as a task, so pick it up.",
                "Die Lieferung wurde als Auftrag gebucht, also hol sie ab.",
            )
        ],
    ),
    (
        "what it is",
        [
            ("The sun, a huge reactor, burns.", "Die Sonne, ein riesiger Reaktor, brennt."),
            ("It is hot.", "Sie ist heiß."),
        ],
    ),
    (
        "what it is",
        [
            ("The beam is a lighter, faster version.", "Der Strahl ist eine leichtere, schnellere Version."),
            ("It does little harm.", "Er richtet wenig Schaden an."),
        ],
    ),
    (
        "and it would go with it",
        [("It remembers your size and style and applies it.", "Es merkt sich Größe und Stil und wendet ihn an.")],
    ),
    (
        "stays",
        [
            ("What about the machine?", "Was ist mit der Maschine?"),
            ("It is good, but when it is dry it stops.", "Die ist gut, aber wenn sie trocken ist, hört sie auf."),
        ],
    ),
]
"""A doubt of some foil, and what it says."""
STAYS = [
    "Sie wurde zerstört und als größte ihrer Art aufgebaut.",
    "Sie stand auf dem Platz, eine stolze unter vielen.",
    "Wie jede andere braucht sie Strom.",
    "Sie war die einzige, die ich kannte.",
    "Sie wurde Siegerin des Wettbewerbs.",
    "Sie ist im Wesentlichen die gleiche wie andere.",
    "Sie ist viel schöner als die auf der Station.",
    "Ihr relativ niedriger Preis macht sie beliebt.",
    "Ihretwegen wurden Häuser abgerissen, als sie gebaut wurde.",
]
"""Of a feminine noun; a word would keep its gender."""
NONE = [
    [
        ("I built this kingdom.", "Ich habe dieses Königreich gebaut."),
        ("It has all been for you!", "Es war alles für dich!"),
    ],
    [("This is the photo.", "Hier ist das Foto."), ("It should.", "Das sollte es.")],
]
LOUDSPEAKER = [
    ("The speaker is a small system.", "Der Lautsprecher ist eine kleine Anlage."),
    ("It cost two hundred dollars.", "Er hat zweihundert Dollar gekostet."),
]
SHIRT = [
    (
        "The shirt, which was sold one piece a head, was so good that one came to get it.",
        "Das Hemd, das für einen Preis und eine Marke verkauft wurde, war so gut, dass man kam, um es zu holen.",
    )
]
DOG = [
    ("This dog barks at the fence.", "Dieser Hund bellt am Zaun."),
    ("I tried to ignore it, talk softly.", "Ich habe versucht, ihn zu ignorieren, ruhig mit ihm zu reden."),
]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    folder = tmp_path_factory.mktemp("alignment") / "en-de"
    corpus = parallel_documents(Path(str(kontrast.bundled_corpus())), "en", "de")
    pairs = [pair for d in corpus for pair in zip(d.source, d.target, strict=True)]
    own = [p for _, ps in DOUBTED for p in ps] + [p for ps in (*NONE, LOUDSPEAKER, DOG, SHIRT) for p in ps]
    train([*pairs, *own * 5], folder)
    return Tools(load_recipe("en-de"), alignment=str(folder))


def last_items(tools: Tools, pairs: list[tuple[str, str]]) -> list[Item]:
    source, target = zip(*pairs, strict=True)
    (found,) = find_in_documents([Document("d", source, target)], tools)
    return [item for item in found.items if item.source == source[-1]]


@pytest.mark.parametrize(("why", "pairs"), DOUBTED, ids=lambda x: x if isinstance(x, str) else x[-1][1])
def test_what_readers_refused_is_doubted(tools: Tools, why: str, pairs: list[tuple[str, str]]) -> None:
    doubts = [v.tags.get("doubt", "") for item in last_items(tools, pairs) for v in item.variants[1:]]
    assert any(why in doubt for doubt in doubts), doubts


@pytest.mark.parametrize("text", STAYS)
def test_words_that_keep_the_old_gender_mar_a_foil(text: str) -> None:
    made = re.sub(r"\bSie\b", "Er", re.sub(r"\bsie\b", "er", text))
    assert owner_stays(text, split(text), Contrastive(made, "er", "m"), "f")


def test_the_title_of_a_woman_mars_no_foil() -> None:
    text = "Sie kommt morgen, sagte Ministerin Weber."
    assert not owner_stays(text, split(text), Contrastive(text.replace("Sie", "Er"), "er", "m"), "f")


def test_a_mention_with_the_subject_of_the_verb_before_mars_a_foil(tools: Tools) -> None:
    source = ("The flower is blue.", "The children picked it.")
    target = ("Die Blume ist blau.", "Die Kinder pflückten sie und warfen sie weg.")
    links = (frozenset({(0, 0), (1, 1), (2, 2), (3, 3)}), frozenset({(0, 0), (1, 1), (2, 2), (3, 3)}))
    (found,) = find_in_documents([Document("d", source, target, links)], tools)
    (item,) = found.items
    assert all("stays" in v.tags["doubt"] for v in item.variants[1:] if "sie weg" in v.text)


@pytest.mark.parametrize("pairs", NONE, ids=lambda x: x[-1][1])
def test_what_stands_for_no_noun_gives_no_item(tools: Tools, pairs: list[tuple[str, str]]) -> None:
    assert not last_items(tools, pairs)


def test_a_relative_clause_is_no_apposition(tools: Tools) -> None:
    doubts = [v.tags.get("doubt", "") for item in last_items(tools, SHIRT) for v in item.variants[1:]]
    assert doubts and not any("what it is" in doubt for doubt in doubts), doubts


def test_a_loudspeaker_is_no_person(tools: Tools) -> None:
    (item,) = last_items(tools, LOUDSPEAKER)
    assert item.tags["ref_ante_head"] == "Lautsprecher"
    assert is_german_person("Regierungssprecher") and not is_german_person("Lautsprecher")
    assert is_german_thing("Druckertreiber")


def test_one_it_may_be_two_pronouns(tools: Tools) -> None:
    (item,) = last_items(tools, DOG)
    assert item.tags["ref_pronoun"] == "ihn"
    made = {v.tags["replacement"]: v.text for v in item.variants[1:]}
    assert made["sie"] == "Ich habe versucht, sie zu ignorieren, ruhig mit ihr zu reden."


def test_of_two_pronouns_es_is_the_object(tools: Tools) -> None:
    source = ("Break that door in!", "The Queen will hear of it.")
    target = ("Brich die Tür auf!", "Sie erfährt es.")
    links = (frozenset({(0, 0), (1, 1), (2, 2), (3, 3)}), frozenset({(3, 1), (5, 0)}))
    (found,) = find_in_documents([Document("d", source, target, links)], tools)
    (item,) = found.items
    assert item.tags["ref_pronoun"] == "Sie"
    assert all("counterpart" in v.tags["doubt"] for v in item.variants[1:])


def foils(text: str, form: str, nth: int, subject: bool, together: dict[str, bool | None]) -> dict[str, str]:
    """By gender; ``together`` names other words by what stands there and in which place."""
    places = [s.start for s in spans(text) if s.text == form]
    others = {[s.start for s in spans(text) if s.text == w][int(n)]: role for (w, n), role in _named(together)}
    start = places[nth]
    made = target_side(load_recipe("en-de")).contrast(
        text, start, start + len(form), is_subject=subject, together=others
    )
    return {c.gender: c.text for c in made}


def _named(together: dict[str, bool | None]) -> list[tuple[tuple[str, str], bool | None]]:
    return [((name.split(":")[0], name.split(":")[1]), role) for name, role in together.items()]


FORMS = [
    (
        "Der Fahrer holt sie ab und wird sie so schnell wie möglich liefern.",
        ("sie", 0, False, {"sie:1": None}),
        "Der Fahrer holt ihn ab und wird ihn so schnell wie möglich liefern.",
    ),
    ("Meidet sie.", ("sie", 0, False, {}), "Meidet ihn."),
    (
        "Als Familienbetrieb zahlt sie gute Löhne.",
        ("sie", 0, True, {}),
        "Als Familienbetrieb zahlt er gute Löhne.",
    ),
    (
        "Wenn einer von euch sie hat, bringt sie zurück.",
        ("sie", 0, False, {"sie:1": False}),
        "Wenn einer von euch ihn hat, bringt ihn zurück.",
    ),
    ("Sie gewährt jeder Seele Schutz.", ("Sie", 0, True, {}), "Er gewährt jeder Seele Schutz."),
    ("Dann wird sie jemand anderen finden.", ("sie", 0, True, {}), "Dann wird er jemand anderen finden."),
    (
        "Sie entnimmt ihr Disziplin und leitet sie in die Roboter um.",
        ("Sie", 0, True, {"sie:0": False}),
        "Er entnimmt ihr Disziplin und leitet sie in die Roboter um.",
    ),
]


@pytest.mark.parametrize(("text", "asked", "masculine"), FORMS, ids=[row[0] for row in FORMS])
def test_foils_in_the_right_case(
    text: str, asked: tuple[str, int, bool, dict[str, bool | None]], masculine: str
) -> None:
    assert foils(text, *asked)["m"] == masculine


@pytest.mark.parametrize(
    ("text", "place", "kind"),
    [
        ("Es ist ein verdammt langweiliges Bild.", 0, "predicate"),
        ("Es ist meine …", 0, "predicate"),
        ("Es ist etwas Böses.", 0, "predicate"),
        ("Es ist etwas größer.", 0, "open"),
        ("Ich habe es eilig.", 2, "empty"),
        ("Dann hatte ich es satt.", 3, "empty"),
        ("Wir haben es leicht gefunden.", 2, "open"),
        ("Aber es ist so.", 1, "empty"),
        ("Oder es wird einfach die Anzeige entfernt.", 1, "empty"),
        ("Und es kann nur die Sprache oder das Land angegeben werden.", 1, "empty"),
        ("Es wurde weder vor dem Verzehr gewarnt noch ein Händler genannt.", 0, "empty"),
        ("Es wurde von der Polizei gesucht.", 0, "thing"),
        ("Es wurde dem Kunden geliefert.", 0, "thing"),
    ],
)
def test_what_es_stands_for(text: str, place: int, kind: str) -> None:
    assert use_of_es(split(text), place).kind == kind


def test_a_noun_is_not_in_its_own_contents() -> None:
    reason = spans("mit der Begründung, dass sie Europa abhängig macht")
    claim = spans("der Behauptung chinesischer Medien, sie habe Beweise")
    other = spans("die Begründung war falsch, dass sie kommt")
    assert holds_clause(reason, 2, 5) and holds_clause(claim, 1, 5) and not holds_clause(other, 1, 6)


def test_an_adjective_tells_the_gender() -> None:
    side = target_side(load_recipe("en-de"))
    one, two = "Mein privater Blog.", "Ein privates Blog."
    genders = [side.noun(text, spans(text), 2, "s") for text in (one, two)]
    assert [set(noun.genders) for noun in genders if noun] == [{"m"}, {"n"}]


def test_the_english_head_is_spelt_like_the_end_of_a_compound() -> None:
    sentence = next(annotators.get("en").annotate(["I brought this chameleon rose."]))
    words = [t.text for t in sentence.tokens]
    found = namesake(sentence, [words.index("chameleon")], "Chamäleonrose")
    assert found is not None and words[found] == "rose"


def test_what_it_is_said_to_be_is_no_antecedent() -> None:
    sentence = next(annotators.get("en").annotate(["To qualify as food, it needs to be solid."]))
    words = [t.text for t in sentence.tokens]
    assert cannot_be_meant(sentence, words.index("food"), False, words.index("it"))


def test_a_second_foil_is_never_es() -> None:
    tags = {"confidence": 0.95}
    foils = [
        Variant("Er kam.", error="x", tags={"confidence": 0.95, "replacement_gender": "Masc"}),
        Variant("Es kam.", error="x", tags={"confidence": 0.93, "replacement_gender": "Neut"}),
    ]
    item = Item(id="1", source="It came.", variants=(Variant("Sie kam."), *foils), tags=tags)
    kept = surest(item, 0.6)
    assert kept is not None and [v.text for v in kept.variants] == ["Sie kam.", "Er kam."]


def test_es_as_a_foil_is_less_sure() -> None:
    judge = FoilJudge("nothing", {"always": 2.0})
    assert judge.soundness({"always": 1.0, "to n": 1.0}) < judge.soundness({"always": 1.0, "to m": 1.0})
