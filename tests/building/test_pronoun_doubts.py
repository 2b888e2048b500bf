"""German pronoun items that a second reader refused, by class: each gives a doubt, and its harmless twin none."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.parallel import Document, parallel_documents
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.items import surest
from kontrast.building.pronouns.pipeline import Tools, find_in_documents
from kontrast.errors import KontrastError
from kontrast.language.aligners.fast_align import train
from kontrast.language.german.es import may_be_event
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
            ("I built this kingdom.", "Ich habe dieses Königreich gebaut."),
            ("It has all been for you!", "Es war alles für dich!"),
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
        "situation",
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
]

FINE = [
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
