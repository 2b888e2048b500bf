"""German pronoun items that a second reader refused, by class: each gives a doubt, and its harmless twin none."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.parallel import Document, parallel_documents
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.contrast import contrastives
from kontrast.building.pronouns.items import surest
from kontrast.building.pronouns.pipeline import Tools, find_in_documents
from kontrast.errors import KontrastError
from kontrast.language.aligners.fast_align import train
from kontrast.language.german.es import may_be_event, use_of_es
from kontrast.language.german.plain import split

NO_ITEM = [
    (
        "event",
        [
            (
                "A mile over the speed limit, and it could ruin us.",
                "Eine Meile über dem Tempolimit, und es könnte uns ruinieren.",
            )
        ],
    ),
    (
        "event",
        [
            ("I like the present.", "Ich mag das Geschenk."),
            ("I can not afford it.", "Ich kann es mir nicht leisten."),
        ],
    ),
    (
        "event",
        [("There is a monster in the water!", "Da ist ein Ungeheuer im Wasser!"), ("Got it.", "Wir haben es.")],
    ),
    (
        "goes on",
        [
            ("It contains a small lagoon.", "Darin befindet sich eine kleine Lagune."),
            ("It was closed in 1975.", "Sie wurde 1975 geschlossen."),
        ],
    ),
    (
        "meant",
        [
            (
                "The state of the river got worse until it was closed.",
                "Der Zustand des Flusses wurde schlimmer, bis er gesperrt wurde.",
            )
        ],
    ),
    (
        "counterparts",
        [
            ("This new warlord has come.", "Dieser neue Kriegsherr ist gekommen."),
            ("Look at the army, it is huge!", "Seht, was für ein Heer er anführt!"),
        ],
    ),
    (
        "behind it",
        [
            ("I have a letter.", "Ich habe eine Karte."),
            ("When I saw it, the door opened.", "Als ich sie sah, ging die Tür auf."),
        ],
    ),
    ("event", [("Is this the system?", "Ist das das System?"), ("Can you check it?", "Kannst du es überprüfen?")]),
    ("event", [("I saw the file.", "Ich sah das Konto."), ("It is a reward.", "Es ist eine Belohnung.")]),
    ("someone", [("The town is old.", "Die Stadt ist alt."), ("She sees it.", "Sie schaut nach ihr.")]),
    (
        "Nummer may be meant",
        [
            ("I have neither address nor number.", "Ich habe weder Adresse noch Nummer."),
            ("Bring it!", "Bring sie mit!"),
        ],
    ),
    (
        "said again",
        [
            (
                "The blades hurt the skin, and you press it against your skin.",
                "Die Klingen reizen die Haut, und du drückst sie gegen deine Haut.",
            )
        ],
    ),
    ("person", [("The therapist wrote that you drop it.", "Ein Therapeut schrieb, dass du ihn ins Meer wirfst.")]),
    (
        "counterparts",
        [
            (
                "The plan helps the firm by giving it the right.",
                "Das Projekt hilft der Firma, indem es ihr das Recht gibt.",
            )
        ],
    ),
    (
        "counterparts",
        [
            ("That unit has taken our village!", "Diese Einheit hat unser Dorf eingenommen!"),
            ("Get him out, it heals him each turn.", "Vertreib sie, es heilt sie in jedem Zug."),
        ],
    ),
    (
        "counterparts",
        [
            (
                "The agency said that this is allowed after it is understood that the terms are good.",
                "Die Behörde sagte, dass sie dies erlaubt, nachdem die Bedingungen gut sind.",
            )
        ],
    ),
    (
        "counterparts",
        [
            (
                "Well, then take a program and pass it on.",
                "Ich bin seit einem Monat wieder da. Nun, dann nimm ein Programm und gib es heute weiter.",
            )
        ],
    ),
    (
        "event",
        [
            (
                "The new law gives money, but it will be less than before.",
                "Das neue Gesetz gibt Geld, aber es wird weniger sein als vorher.",
            )
        ],
    ),
    (
        "Norway may be meant",
        [
            (
                "France has warned people while Norway said it will open the border.",
                "Frankreich hat die Menschen gewarnt und Norwegen sagte, es werde die Grenze öffnen.",
            )
        ],
    ),
    (
        "key may be meant",
        [
            (
                "The key has a special function if you press it.",
                "Die Taste hat eine besondere Funktion, wenn du sie drückst.",
            )
        ],
    ),
    (
        "money may be meant",
        [
            (
                "He risked his life to bring back the money that people need when they keep it.",
                "Er riskierte sein Leben, um das Geld zu bringen, das Menschen brauchen, wenn sie es behalten.",
            )
        ],
    ),
    (
        "darkness may be meant",
        [
            ("You serve the power.", "Du dienst der Kraft."),
            ("You have not seen the darkness, it has seen you.", "Nicht du hast sie gesehen, sie hat dich gesehen."),
        ],
    ),
    (
        "part of another",
        [
            ("He says he has a thirst for knowledge.", "Er sagt, er habe einen Wissensdurst."),
            ("He wants to quench it in our pool.", "Er will ihn in unserem Becken stillen."),
        ],
    ),
]

NO_FOIL = [
    (
        "es",
        "situation",
        [
            ("The battle was hard.", "Die Schlacht war hart."),
            ("Why can we not finish it?", "Warum können wir sie nicht beenden?"),
        ],
    ),
    (
        "es",
        "event",
        [("There is a secret passage.", "Da ist ein geheimer Gang."), ("Where does it lead?", "Wohin führt er?")],
    ),
    (
        "es",
        "situation",
        [
            ("We want to make a film.", "Wir wollen einen Film drehen."),
            ("We want to call it Rosebud.", "Wir wollen ihn Rosebud nennen."),
        ],
    ),
    (
        "es",
        "Bösen",
        [
            (
                "A cloud of evil lies over the palace, and it grows.",
                "Eine Wolke des Bösen liegt über dem Palast, und sie öffnet sich.",
            )
        ],
    ),
    (
        "Er",
        "Appell",
        [
            ("The rule helped.", "Die Regel half."),
            ("The office wrote an appeal.", "Das Amt schrieb einen Appell."),
            ("It was read in the court.", "Sie wurde im Gericht vorgelesen."),
        ],
    ),
    (
        "ihn",
        "Mozart",
        [
            (
                "The music of Mozart was not known, but we hear it today.",
                "Die Musik von Mozart war nicht bekannt, aber wir hören sie heute.",
            )
        ],
    ),
    (
        "es",
        "NFS",
        [
            (
                "The new version of NFS is small, so we open it.",
                "Die neue Version von NFS ist klein, also öffnen wir sie.",
            )
        ],
    ),
    (
        "sie",
        "Faust behind",
        [
            ("I was given that film.", "Ich bekam diesen Film."),
            (
                "Once I saw it, I learned all about the iron fist.",
                "Nachdem ich ihn gesehen hatte, lernte ich alles über die eiserne Faust.",
            ),
        ],
    ),
    (
        "es",
        "another es",
        [
            ("The lamp was old.", "Die Lampe war alt."),
            ("There is a man who opened it.", "Es gibt einen Mann, der sie öffnete."),
        ],
    ),
    (
        "es",
        "pointed at",
        [
            ("That must be the key to the cell!", "Das muss der Schlüssel zu der Zelle sein!"),
            ("I will put it on the table.", "Ich werde ihn auf den Tisch legen."),
        ],
    ),
    (
        "es",
        "pointed at",
        [
            ("I got some firepower.", "Jetzt habe ich etwas Feuerkraft."),
            ("I know how to use it.", "Ich weiß, wie man sie benutzt."),
        ],
    ),
    (
        "er",
        "Dienst is joined",
        [
            ("The application or the service works.", "Die Anwendung oder der Dienst funktioniert."),
            (
                "You should know how the application works and what data it opens.",
                "Sie sollten wissen, wie die Anwendung funktioniert und welche Daten sie öffnet.",
            ),
        ],
    ),
    (
        "er",
        "ihren stays",
        [("This castle is old, but it serves our purposes.", "Diese Burg ist alt, aber sie erfüllt ihren Zweck.")],
    ),
]

FINE = [
    [
        ("That unit is old!", "Diese Einheit ist alt!"),
        ("The man saw him and opened it.", "Der Mann sah ihn und öffnete sie."),
    ],
    [
        ("The agency closed.", "Die Behörde schloss."),
        ("It was opened in May.", "Sie wurde im Mai eröffnet."),
    ],
    [
        ("He says he has a sword for sale.", "Er sagt, er habe einen Speer."),
        ("We bought it for our friends.", "Wir kauften ihn für unsere Freunde."),
    ],
    [
        ("The woman has a key.", "Die Frau hat eine Taste."),
        ("You press it twice.", "Du drückst sie zweimal."),
    ],
    [
        ("That key must be lying there.", "Der Schlüssel muss dort liegen."),
        ("I will put it on the table.", "Ich werde ihn auf den Tisch legen."),
    ],
    [("The lamp was old.", "Die Lampe war alt."), ("Can you open it?", "Kannst du sie öffnen?")],
    [("She bought a house.", "Sie kaufte ein Haus."), ("It was built in 1905.", "Es wurde 1905 gebaut.")],
    [("The key is old.", "Der Schlüssel ist alt."), ("I bought it yesterday.", "Ich habe ihn gestern gekauft.")],
]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Tools:
    folder = tmp_path_factory.mktemp("alignment") / "en-de"
    corpus = parallel_documents(Path(str(kontrast.bundled_corpus())), "en", "de")
    pairs = [pair for d in corpus for pair in zip(d.source, d.target, strict=True)]
    train([*pairs, *(p for row in (*NO_ITEM, *NO_FOIL) for p in row[-1]), *(p for d in FINE for p in d)], folder)
    return Tools(load_recipe("en-de"), alignment=str(folder))


def last_items(tools: Tools, pairs: list[tuple[str, str]]) -> list[kontrast.Item]:
    source, target = zip(*pairs, strict=True)
    (found,) = find_in_documents([Document("d", source, target)], tools)
    return [item for item in found.items if item.source == source[-1]]


@pytest.mark.parametrize(("why", "pairs"), NO_ITEM, ids=lambda x: x if isinstance(x, str) else x[-1][1])
def test_the_antecedent_is_doubted(tools: Tools, why: str, pairs: list[tuple[str, str]]) -> None:
    items = last_items(tools, pairs)
    assert items
    for item in items:
        assert all(why in v.tags["doubt"] for v in item.variants[1:])
        assert surest(item, 0.01) is None


@pytest.mark.parametrize(("foil", "why", "pairs"), NO_FOIL, ids=lambda x: x if isinstance(x, str) else x[-1][1])
def test_a_foil_that_may_be_right_is_doubted(tools: Tools, foil: str, why: str, pairs: list[tuple[str, str]]) -> None:
    items = last_items(tools, pairs)
    doubts = {v.tags["replacement"]: v.tags.get("doubt", "") for item in items for v in item.variants[1:]}
    assert why in doubts[foil]


def test_what_it_owns_changes_with_it(tools: Tools) -> None:
    pairs = [
        ("This engine is a delight.", "Dieser Motor ist ein Genuss."),
        (
            "It stands out by its fine sound, by its features.",
            "Er fällt durch seinen feinen Klang auf, durch seine Leistungen.",
        ),
    ]
    (item,) = last_items(tools, pairs)
    made = {v.tags["replacement"]: v.text for v in item.variants[1:]}
    assert made["Sie"] == "Sie fällt durch ihren feinen Klang auf, durch ihre Leistungen."


@pytest.mark.parametrize("pairs", FINE, ids=lambda x: x[-1][1])
def test_what_is_fine_keeps_both_foils(tools: Tools, pairs: list[tuple[str, str]]) -> None:
    (item,) = last_items(tools, pairs)
    assert [v.tags.get("doubt", "") for v in item.variants[1:]] == ["", ""]


@pytest.mark.parametrize(
    ("text", "is_object", "event"),
    [
        ("Wir können es nicht beenden.", True, True),
        ("Wir haben es.", True, True),
        ("Wir haben es geöffnet.", True, False),
        ("Es könnte uns ruinieren.", False, True),
        ("Es wurde geöffnet.", False, False),
    ],
)
def test_verbs_whose_es_may_be_an_event(text: str, is_object: bool, event: bool) -> None:
    words = split(text)
    place = next(i for i, w in enumerate(words) if w.low == "es")
    assert may_be_event(words, place, is_object=is_object) is event


def test_strict_german_needs_the_lexicon(tmp_path: Path) -> None:
    text = Path(kontrast.__file__).parent.joinpath("data", "recipes", "en-es.toml").read_text("utf-8")
    own = tmp_path / "own.toml"
    own.write_text(text.replace('pair = "en-es"', 'pair = "en-de"'), "utf-8")
    with pytest.raises(KontrastError, match="strict = true needs evidence = 'lexicon' in German"):
        load_recipe(str(own))


def test_two_genders_of_one_form_are_one_foil(tools: Tools) -> None:
    pairs = [("The lamp was old.", "Die Lampe war alt."), ("I sat beside it.", "Ich saß neben ihr.")]
    (item,) = last_items(tools, pairs)
    assert [v.tags["replacement"] for v in item.variants[1:]] == ["ihm"]


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("die restlichen machen es einzigartig", "ihn"),
        ("es heilt sie in jedem Zug", "ihn"),
        ("weil es sie heilt", "ihn"),
        ("dort öffnet es die Tür", "er"),
        ("sie heilt jeden Tag", "er"),
    ],
)
def test_a_mention_has_its_own_case(text: str, case: str) -> None:
    """The verb's number and a subject before it tell an object; the source's role decides what is open."""
    words = split(text)
    place = max((w for w in words if w.low in ("es", "sie")), key=lambda w: w.low == "sie")
    made = contrastives(load_recipe("en-de"), text, place.start, place.end, is_subject=True)
    assert {m.gender: m.replacement for m in made}["m"] == case


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("wenn es um die Arbeit ginge", "empty"),
        ("wenn es um die Arbeit gegangen ist", "empty"),
        ("Es wird weniger sein.", "sentence"),
        ("Es ist nicht mehr da.", "open"),
        ("Es ist viel größer.", "open"),
    ],
)
def test_es_for_nothing_and_for_an_amount(text: str, kind: str) -> None:
    words = split(text)
    assert use_of_es(words, next(i for i, w in enumerate(words) if w.low == "es"), is_object=False).kind == kind


@pytest.mark.parametrize(
    ("foil", "pairs"),
    [
        ("Sie", [("The robot is new.", "Der Roboter ist neu."), ("It has its own oil.", "Er hat sein eigenes Öl.")]),
        ("Er", [("The pump is new.", "Die Pumpe ist neu."), ("It is the best.", "Sie ist die beste.")]),
        (
            "Er",
            [
                ("The letter is new.", "Die Zeitung ist neu."),
                ("It, which all read, is sold.", "Sie, die jeder liest, wird verkauft."),
            ],
        ),
        (
            "es",
            [
                ("The key is new.", "Der Schlüssel ist neu."),
                ("If it is not there, I can buy it.", "Falls dieser noch nicht da ist, kann ich ihn kaufen."),
            ],
        ),
        (
            "ihn",
            [
                ("The pair is new.", "Die Brille ist neu."),
                ("Use it to turn them on.", "Benutze sie, um sie einzuschalten."),
            ],
        ),
        (
            "sie",
            [
                ("The slurry is thin.", "Der Brei ist dünn."),
                ("While good for you, it is not nice.", "Obwohl es sehr nahrhaft ist, ist er nicht lecker."),
            ],
        ),
    ],
    ids=lambda x: x if isinstance(x, str) else x[-1][1],
)
def test_words_that_stay_in_the_old_gender(tools: Tools, foil: str, pairs: list[tuple[str, str]]) -> None:
    doubts = {
        v.tags["replacement"]: v.tags.get("doubt", "") for i in last_items(tools, pairs) for v in i.variants[1:]
    }
    assert "stays" in doubts[foil] or not doubts


def test_a_dative_is_no_possessive(tools: Tools) -> None:
    pairs = [
        ("The pump is new.", "Die Pumpe ist neu."),
        ("We saw it and gave it water.", "Wir sahen sie und gaben ihr Wasser."),
    ]
    made = [v.text for item in last_items(tools, pairs) for v in item.variants[1:]]
    assert made and not any("sein Wasser" in text for text in made)


def test_an_object_may_come_first() -> None:
    text = "Sie kaufte der Bauer."
    assert {c.text for c in contrastives(load_recipe("en-de"), text, 0, 3, True)} == {
        "Ihn kaufte der Bauer.",
        "Es kaufte der Bauer.",
    }
