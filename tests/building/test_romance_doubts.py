"""Foils of pronoun suites that a reader would refuse: agreement that stays, nouns that go with the foil."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

pytest.importorskip("spacy")

from kontrast.building.parallel import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.contrast import contrastives
from kontrast.building.pronouns.items import make_item, surest
from kontrast.building.pronouns.pipeline import composed_documents
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.rivals import chained, near_rival, rival_of
from kontrast.building.pronouns.target import ILL_AGREED, Contrastive, Noun, target_side
from kontrast.building.pronouns.weigh import Rival
from kontrast.language import annotators, resolvers
from kontrast.language.alignment import spans
from kontrast.suites.model import Item


def foil_of(pair: str, text: str, pronoun: str) -> Contrastive:
    start = next(w.start for w in spans(text) if w.text == pronoun)
    everywhere = {w.start: None for w in spans(text)}
    [foil] = contrastives(load_recipe(pair), text, start, start + len(pronoun), True, everywhere)
    return foil


def item_of(pair: str, rows: list[tuple[str, str, str]], pronoun: str = "it") -> Item | str:
    """The item of the last row's pronoun; rows are source, target, and links by words (``file=Datei``)."""
    recipe = load_recipe(pair)
    document = Document("d", tuple(r[0] for r in rows), tuple(r[1] for r in rows))
    links = {}
    for i, (source, target, words) in enumerate(rows):
        one, two = ([w.text for w in spans(text)] for text in (source, target))
        links[i] = frozenset((one.index(a), two.index(b)) for a, b in (x.split("=") for x in words.split()))
    line = len(rows) - 1
    own = next(w for w in spans(rows[-1][0]) if w.text.lower() == pronoun)
    index = next(j for i, j in links[line] if spans(rows[-1][0])[i] == own)
    form = target_side(recipe).form(rows[-1][1], spans(rows[-1][1]), index)
    assert form is not None
    sentences = list(annotators.get("en", entities=True).annotate(document.source))
    place = PronounPlace(line, own, form, index)
    made = make_item(recipe, document, place, sentences, links, resolvers.get("salience"))
    return made if isinstance(made, str) else made[0]


@pytest.mark.parametrize(
    ("text", "pronoun", "foil"),
    [
        (
            "Elle est fabriquée par le forgeron et utilisée au camp.",
            "Elle",
            "Il est fabriqué par le forgeron et utilisé au camp.",
        ),
        (
            "Ils sont récoltés dans les champs et transformés dans un moulin.",
            "Ils",
            "Elles sont récoltées dans les champs et transformées dans un moulin.",
        ),
        ("Ils se trouvent mariés à la reine.", "Ils", "Elles se trouvent mariées à la reine."),
        ("Il est vendu avec du bois coupé et séché.", "Il", "Elle est vendue avec du bois coupé et séché."),
        ("Il coûte cher.", "Il", "Elle coûte cher."),
        ("Il coupe du bois et produit du charbon.", "Il", "Elle coupe du bois et produit du charbon."),
    ],
)
def test_french_words_that_agree_from_afar(text: str, pronoun: str, foil: str) -> None:
    made = foil_of("en-fr", text, pronoun)
    assert (made.text, made.doubt) == (foil, "")


@pytest.mark.parametrize(
    ("text", "pronoun", "word"),
    [
        ("Elles sont sèchées au soleil.", "Elles", "sèchées"),
        ("Elle coûte vraiment chère.", "Elle", "chère"),
        ("Il fut dissout par le roi.", "Il", "dissout"),
        ("Ils sont les descendants des rois.", "Ils", "descendants"),
        ("Elle est trop lourde pour être utilisée ici.", "Elle", "utilisée"),
    ],
)
def test_french_words_that_would_stay_are_a_doubt(text: str, pronoun: str, word: str) -> None:
    assert foil_of("en-fr", text, pronoun).doubt == f"{word} may go with it"


@pytest.mark.parametrize(
    ("text", "is_ill"),
    [
        ("Elle est utilisé pour les armures.", True),
        ("Elle est produite par le tailleur et est utilisé au camp.", True),
        ("Elle est utilisée par le roi qui est venu.", False),
        ("Elle est arrivée et le roi est parti.", False),
    ],
)
def test_a_reference_that_does_not_agree(text: str, is_ill: bool) -> None:
    assert (foil_of("en-fr", text, "Elle").doubt == ILL_AGREED) is is_ill


def test_a_reference_that_does_not_agree_gives_no_item() -> None:
    rows = [
        ("The rope is long.", "La corde est longue.", "rope=corde is=est long=longue"),
        ("It is used here.", "Elle est utilisé ici.", "It=Elle is=est used=utilisé here=ici"),
    ]
    assert item_of("en-fr", rows) == ILL_AGREED
    rows[1] = (rows[1][0], "Elle est utilisée ici.", "It=Elle is=est used=utilisée here=ici")
    assert isinstance(item_of("en-fr", rows), Item)


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "foil"),
    [
        (
            "en-es",
            "Hay dos ciudades y solo tengo una de ellas.",
            "ellas",
            "Hay dos ciudades y solo tengo uno de ellos.",
        ),
        ("en-es", "No quiero publicar ninguna de ellas aquí.", "ellas", "No quiero publicar ninguno de ellos aquí."),
        ("en-it", "Le chiavi: ne ho persa una di esse.", "esse", "Le chiavi: ne ho persa uno di essi."),
    ],
)
def test_words_that_count_them_change_together(pair: str, text: str, pronoun: str, foil: str) -> None:
    assert foil_of(pair, text, pronoun).text == foil


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "is_doubtful"),
    [
        ("en-es", "Ellos son los antepasados de todos.", "Ellos", True),
        ("en-es", "Ellos son altos y delgados.", "Ellos", True),
        ("en-es", "Ellos son altos.", "Ellos", False),
        ("en-es", "Creo que una de ellas está rota.", "ellas", True),
        ("en-it", "Essi sono validi candidati.", "Essi", True),
        ("en-it", "Essi sono validi.", "Essi", False),
    ],
)
def test_predicates_that_would_stay(pair: str, text: str, pronoun: str, is_doubtful: bool) -> None:
    assert bool(foil_of(pair, text, pronoun).doubt) is is_doubtful


@pytest.mark.parametrize(
    ("word", "pronoun"),
    [("selecciónelos", "los"), ("ábrala", "la"), ("cámbialo", "lo"), ("enviárselos", "los"), ("comprarla", "la")]
    + [(word, None) for word in ("óvalo", "escándalos", "película", "regla")],
)
def test_spanish_words_that_end_in_a_pronoun(word: str, pronoun: str | None) -> None:
    form = target_side(load_recipe("en-es")).form(word, spans(word), 0)
    assert (None if form is None else word[form.start :]) == pronoun


@pytest.mark.parametrize(
    ("pair", "text"), [("en-es", "No hay límites entre ellas."), ("en-it", "Non ci sono limiti tra di esse.")]
)
def test_among_them_is_blocked(pair: str, text: str) -> None:
    assert any(pattern.search(text) for pattern in load_recipe(pair).blocked[1])


def rival(text: str, genders: frozenset[str], share: float, line: int, signs: str = "") -> Rival:
    return Rival(line, Noun(text, 0, text, genders), None, share, frozenset((signs,)))


M, F, NOT_KNOWN = frozenset("m"), frozenset("f"), frozenset[str]()


@pytest.mark.parametrize(
    ("others", "strictly", "loosely"),
    [
        ([rival("carta", F, 0.7, 4)], True, True),
        ([rival("carta", F, 0.04, 5)], True, False),
        ([rival("carta", F, 0.04, 1)], True, False),
        ([rival("carta", F, 0.02, 4)], False, False),
        ([rival("carta", F, 0.02, 4), rival("carta", F, 0.02, 2)], True, False),
        ([rival("carta", F, 0.02, 4), rival("tela", F, 0.02, 2)], False, False),
        ([rival("carta", F, 0.05, 4, signs="phrase oblique")], False, False),
        ([rival("carta", F, 0.025, 4, signs="predicate of a noun")], True, False),
        ([rival("libro", M, 0.9, 5)], False, False),
        ([rival("Debian", NOT_KNOWN, 0.3, 4)], True, False),
        ([rival("dialogo", NOT_KNOWN, 0.3, 5)], False, False),
        ([rival("Debian", NOT_KNOWN, 0.3, 5, signs="source in another number")], False, False),
    ],
)
def test_nouns_that_go_with_the_foil(others: list[Rival], strictly: bool, loosely: bool) -> None:
    assert bool(near_rival(load_recipe("en-it"), others, 5, "f")) is strictly
    assert bool(rival_of(others, "f")) is loosely


@pytest.mark.parametrize(
    ("text", "genders", "share", "found"),
    [
        ("We propose the use of a bowl.", M, 0.5, "bowl"),
        ("We propose the use of a bowl.", M, 0.05, ""),
        ("We propose the use of a bowl.", F, 0.05, "bowl"),
        ("We propose the use of bowls.", F, 0.5, ""),
        ("We propose the use with a bowl.", F, 0.5, ""),
    ],
)
def test_two_nouns_of_one_phrase(text: str, genders: frozenset[str], share: float, found: str) -> None:
    sentence = next(annotators.get("en").annotate([text]))
    words = [t.text for t in sentence.tokens]
    bowl = next(i for i, w in enumerate(words) if w.startswith("bowl"))
    other = Rival(0, Noun("recipiente", 5, "recipiente", genders), bowl, share)
    assert chained([other], sentence, 0, Noun("uso", 2, "uso", M), words.index("use")) == found


def test_a_pronoun_that_may_be_a_nearer_noun_is_a_doubt() -> None:
    rows = [
        ("The people are poor.", "Les gens sont pauvres.", "people=gens are=sont poor=pauvres"),
        (
            "They enjoy the games and die because of them.",
            "Ils aiment les jeux et meurent à cause d'eux.",
            "They=Ils enjoy=aiment games=jeux and=et die=meurent them=eux",
        ),
    ]
    item = item_of("en-fr", rows, "they")
    assert isinstance(item, Item)
    assert surest(item, 0.01) is None
    assert item.variants[1].text.endswith("d'elles.")
    assert item.variants[1].tags["doubt"] == "eux may be another noun"


def test_what_the_antecedent_is_goes_with_the_foil() -> None:
    rows = [
        ("The fish is a resource.", "Le poisson est une ressource.", "fish=poisson is=est resource=ressource"),
        ("It is caught here.", "Il est pêché ici.", "It=Il is=est caught=pêché here=ici"),
    ]
    item = item_of("en-fr", rows)
    assert isinstance(item, Item)
    assert item.variants[1].tags["doubt"] == "ressource would go with it"


def test_accents_are_composed(tmp_path: Path) -> None:
    text = "La máscara está aquí."
    (tmp_path / "d.en").write_text("The mask is here.\n", "utf-8")
    (tmp_path / "d.es").write_text(unicodedata.normalize("NFD", text) + "\n", "utf-8")
    [document] = composed_documents(tmp_path, "en", "es")
    assert document.target == (text,)


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "is_doubtful"),
    [
        ("en-it", "Per spostare una guida dopo averla creata basta un clic.", "averla", False),
        ("en-it", "Valori negativi le renderanno più scure.", "le", True),
        ("en-it", "Si apre il documento per salvarlo.", "salvarlo", False),
        ("en-es", "Los valores negativos las hacen más oscuras.", "las", True),
        ("en-es", "Abra el documento para guardarlo.", "guardarlo", False),
    ],
)
def test_what_agrees_with_the_object_is_a_doubt(pair: str, text: str, pronoun: str, is_doubtful: bool) -> None:
    assert bool(foil_of(pair, text, pronoun).doubt) == is_doubtful


def test_a_pronoun_at_another_verb_that_stays_is_a_doubt() -> None:
    text = "Si apre la guida, la si sposta e poi occorre trascinarla."
    start = text.index("la si")
    [foil] = contrastives(load_recipe("en-it"), text, start, start + 2, False, {})
    assert foil.doubt == "trascinarla may mean the same"


def doubt_of(item: Item | str) -> str:
    assert isinstance(item, Item)
    return str(item.variants[1].tags.get("doubt", ""))


@pytest.mark.parametrize(
    ("source", "target", "links", "pronoun", "doubt"),
    [
        (
            "The route with the least income is closed if it earns less.",
            "La route avec le revenu le plus faible est fermée si elle rapporte moins.",
            "route=route income=revenu closed=fermée if=si it=elle earns=rapporte less=moins",
            "it",
            "revenu would go with it",
        ),
        (
            "The route with the least speed is closed if it earns less.",
            "La route avec la vitesse la plus faible est fermée si elle rapporte moins.",
            "route=route speed=vitesse closed=fermée if=si it=elle earns=rapporte less=moins",
            "it",
            "",
        ),
        (
            "If it is closed, the road needs a bridge.",
            "Si elle est fermée, la route exige un pont.",
            "If=Si it=elle is=est closed=fermée road=route needs=exige bridge=pont",
            "it",
            None,
        ),
    ],
)
def test_every_noun_of_the_sentence_counts(
    source: str, target: str, links: str, pronoun: str, doubt: str | None
) -> None:
    item = item_of("en-fr", [(source, target, links)], pronoun)
    if doubt is None:
        assert item == "no antecedent"
    else:
        assert doubt_of(item) == doubt


def test_a_noun_behind_the_first_clause_goes_with_the_foil() -> None:
    rows = [("The road is long.", "La route est longue.", "road=route is=est long=longue")]
    last = ("If it is closed, the bridge is used.", "Si elle est fermée, le pont est utilisé.")
    rows.append((*last, "If=Si it=elle is=est closed=fermée bridge=pont used=utilisé"))
    assert doubt_of(item_of("en-fr", rows)) == "pont would go with it"


def test_one_thing_under_two_names() -> None:
    rows = [
        ("Jordan is old.", "La Jordanie est ancienne.", "Jordan=Jordanie is=est old=ancienne"),
        ("The country is small.", "Le pays est petit.", "country=pays is=est small=petit"),
        ("It became free.", "Il devint libre.", "It=Il became=devint free=libre"),
    ]
    assert doubt_of(item_of("en-fr", rows)) in ("Jordanie may be the same thing", "Jordanie would go with it")
    assert doubt_of(item_of("en-fr", rows[1:])) == ""


@pytest.mark.parametrize(
    ("source", "target", "links", "doubt"),
    [
        (
            "But in Kyoto they have a charm.",
            "Mais à Kyoto elles ont un charme.",
            "they=elles have=ont charm=charme",
            "people at large may be meant",
        ),
        ("But they shine.", "Mais elles brillent.", "they=elles shine=brillent", ""),
    ],
)
def test_people_at_large(source: str, target: str, links: str, doubt: str) -> None:
    rows = [("The streets are old.", "Les rues sont vieilles.", "streets=rues are=sont old=vieilles")]
    assert doubt_of(item_of("en-fr", [*rows, (source, target, links)], "they")) == doubt


def test_people_of_either_sex() -> None:
    last = ("But they see us.", "Mais ils nous voient.", "But=Mais they=ils see=voient us=nous")
    guards = ("The guards are near.", "Les gardes sont proches.", "guards=gardes are=sont near=proches")
    men = ("The men are near.", "Les hommes sont proches.", "men=hommes are=sont near=proches")
    assert doubt_of(item_of("en-fr", [guards, last], "they")) == "gardes may be people of the other sex"
    assert doubt_of(item_of("en-fr", [men, last], "they")) == ""


def test_something_at_hand() -> None:
    rows = [("Open the door.", "Ouvre la porte.", "Open=Ouvre door=porte")]
    here = ("I said it was here.", "Je disais qu'elle était là.", "I=Je said=disais it=elle was=était here=là")
    shut = ("I said it was shut.", "Je disais qu'elle était close.", "I=Je said=disais it=elle was=était shut=close")
    assert doubt_of(item_of("en-fr", [*rows, here])) == "something at hand may be meant"
    assert doubt_of(item_of("en-fr", [*rows, shut])) == ""


def test_a_second_mention_that_may_be_another_noun_of_its_gender() -> None:
    rows = [
        ("The goblins are small.", "Les gobelins sont petits.", "goblins=gobelins are=sont small=petits"),
        (
            "They thrive because the orcs know how much they need it.",
            "Ils vivent parce que les frères savent combien ils en ont besoin.",
            "They=Ils thrive=vivent because=parce orcs=frères know=savent they=ils need=besoin",
        ),
    ]
    assert doubt_of(item_of("en-fr", rows, "they")) == "ils may be another noun"


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "word"),
    [
        ("en-it", "Essi sono indicati qui. Sono chiamati animati.", "Essi", "chiamati"),
        ("en-it", "Una volta selezionato, si può spostarlo.", "spostarlo", "selezionato"),
        ("en-it", "Si può leggerlo prima che sia chiuso.", "leggerlo", "chiuso"),
        ("en-it", "Si può leggerlo nella finestra che è aperta.", "leggerlo", ""),
        ("en-it", "Si può leggerlo se il tasto è premuto.", "leggerlo", ""),
        ("en-es", "Una vez cerrada, puede abrirla.", "abrirla", "cerrada"),
        ("en-es", "Una vez dentro, puede abrirla.", "abrirla", ""),
    ],
)
def test_predicates_of_a_subject_that_is_left_out(pair: str, text: str, pronoun: str, word: str) -> None:
    assert foil_of(pair, text, pronoun).doubt == (f"{word} may go with it" if word else "")


@pytest.mark.parametrize(
    ("pair", "source", "target", "links", "pronoun", "word"),
    [
        (
            "en-it",
            "Open a path, add it to the list and make it last.",
            "Si apre un tracciato, lo aggiunge alla lista e lo fissa.",
            "path=tracciato add=aggiunge it=lo list=lista make=fissa",
            "it",
            "lo",
        ),
        (
            "en-es",
            "If an object is found, you use it like any other.",
            "Si encuentra un objeto, puede usarlo como cualquier otro.",
            "object=objeto found=encuentra use=usarlo it=usarlo like=como any=cualquier other=otro",
            "it",
            "otro",
        ),
        (
            "en-es",
            "If an object is found, you use it like any other object.",
            "Si encuentra un objeto, puede usarlo como cualquier otro objeto.",
            "object=objeto found=encuentra use=usarlo it=usarlo like=como any=cualquier other=otro object=objeto",
            "it",
            None,
        ),
    ],
)
def test_words_beside_the_pronoun_that_keep_the_old_gender(
    pair: str, source: str, target: str, links: str, pronoun: str, word: str | None
) -> None:
    doubt = doubt_of(item_of(pair, [(source, target, links)], pronoun))
    assert (doubt == f"{word} may go with it") is (word is not None)


def test_the_foil_agrees_within_quotes() -> None:
    foil = foil_of("en-it", "Se la apri, essa viene «(importata)» come file.", "essa")
    assert foil.text == "Se la apri, esso viene «(importato)» come file."


@pytest.mark.parametrize(("source", "doubt"), [("They eat.", "its source noun is not known"), ("Squirrels eat.", "")])
def test_an_antecedent_without_a_source_noun_is_a_doubt(source: str, doubt: str) -> None:
    rows = [(source, "Les écureuils mangent.", "eat=mangent")]
    rows.append(("They sleep.", "Ils dorment.", "They=Ils sleep=dorment"))
    assert doubt_of(item_of("en-fr", rows, "they")) == doubt


def test_what_tells_of_something_is_not_that() -> None:
    source, target = "The legend says it was a gift.", "La légende raconte qu'elle fut offerte."
    rows = [(source, target, "legend=légende says=raconte it=elle was=fut gift=offerte")]
    assert doubt_of(item_of("en-fr", rows)) == "légende tells of something else"


@pytest.mark.parametrize(
    ("source", "target", "links", "doubt"),
    [
        (
            "They are new since they arrived.",
            "Ils sont neufs dès qu'ils les ont vus.",
            "They=Ils are=sont new=neufs they=ils arrived=vus",
            "",
        ),
        ("They arrived.", "Ils les ont vus.", "They=Ils arrived=vus", "the two pronouns may not be counterparts"),
        ("They saw them.", "Ils les ont vus.", "They=Ils saw=vus them=les", ""),
        (
            "They can help each other.",
            "Ils peuvent s'aider l'un l'autre.",
            "They=Ils can=peuvent help=aider",
            "l'un may go with it",
        ),
    ],
)
def test_french_pronouns_that_are_no_counterparts(source: str, target: str, links: str, doubt: str) -> None:
    rows = [("The engines run.", "Les moteurs tournent.", "engines=moteurs run=tournent")]
    found = doubt_of(item_of("en-fr", [*rows, (source, target, links)], "they"))
    assert (found == doubt) if doubt else (found != "the two pronouns may not be counterparts")


def test_a_neuter_le_that_changes_is_a_doubt() -> None:
    rows = [("Here is a ring.", "Voici un anneau.", "Here=Voici ring=anneau")]
    target = "Vous pouvez le porter si vous le désirez mais il brille."
    rows.append(("Wear the ring if you like, but it shines.", target, "Wear=porter like=désirez it=il shines=brille"))
    assert doubt_of(item_of("en-fr", rows)) == "le may mean something else"


def test_nouns_of_the_antecedents_sentence_suit_the_foil() -> None:
    rows = [("The ship has a cabin.", "Le navire a une cabine.", "ship=navire has=a cabin=cabine")]
    rows.append(("It was seen here.", "Il fut vu ici.", "It=Il was=fut seen=vu here=ici"))
    assert doubt_of(item_of("en-fr", rows)) == "cabine would go with it"


@pytest.mark.parametrize(
    ("source", "target", "links", "needed"),
    [
        ("It was seen here.", "Elle fut vue ici.", "It=Elle was=fut seen=vue here=ici", True),
        ("On that boat it shone.", "Sur cette barque elle brillait.", "boat=barque it=elle shone=brillait", False),
    ],
)
def test_context_is_not_needed_where_the_noun_is_said_again(
    source: str, target: str, links: str, needed: bool
) -> None:
    rows = [("The boat is new.", "La barque est neuve.", "boat=barque is=est new=neuve")]
    item = item_of("en-fr", [*rows, (source, target, links)])
    assert isinstance(item, Item)
    assert item.tags["distance"] == 1
    assert item.tags["needs_context"] is needed
