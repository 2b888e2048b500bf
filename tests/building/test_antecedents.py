"""Which noun a pronoun refers to: candidates of the target, what bars one, the ranker's choice."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from kontrast.building.corpus import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import PronounPlace, pairs_left
from kontrast.building.pronouns.antecedents import Ranker, load_ranker
from kontrast.building.pronouns.candidates import mention_features, unnamed_before
from kontrast.building.pronouns.foils import target_side
from kontrast.building.pronouns.item import make_item, surest
from kontrast.building.pronouns.scene import prepare
from kontrast.language import annotators, resolvers
from kontrast.language.alignment import Links, spans
from kontrast.language.annotation import Sentence
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import words_of
from kontrast.suites.model import Item


def links_of(source: str, target: str, words: str) -> Links:
    """``file=Datei it=sie``: links by the words, each at its first place."""
    one, two = ([w.text for w in spans(text)] for text in (source, target))
    return frozenset((one.index(a), two.index(b)) for a, b in (pair.split("=") for pair in words.split()))


def item_of(pair: str, rows: list[tuple[str, str, str]], pronoun: str = "it") -> Item | str:
    """The item of the pronoun in the last of these rows (source, target, links)."""
    recipe = load_recipe(pair)
    document = Document("d", tuple(r[0] for r in rows), tuple(r[1] for r in rows))
    links = {i: links_of(*row) for i, row in enumerate(rows)}
    line = len(rows) - 1
    source = next(w for w in spans(rows[-1][0]) if w.text.lower() == pronoun)
    index = next(j for i, j in links[line] if spans(rows[-1][0])[i] == source)
    form = target_side(recipe).form(rows[-1][1], spans(rows[-1][1]), index)
    assert form is not None
    sentences = list(annotators.get("en", entities=True).annotate(document.source))
    place = PronounPlace(line, source, form, index)
    known = prepare(recipe, document, place, sentences, links, resolvers.get("salience"))
    if isinstance(known, str):
        return known
    made = make_item(known)
    return made if isinstance(made, str) else made[0]


def test_a_target_noun_is_found_without_a_link() -> None:
    rows = [
        ("I bought a new lamp yesterday.", "Ich habe gestern eine neue Lampe gekauft.", "I=Ich"),
        ("It was expensive.", "Sie war teuer.", "It=Sie was=war expensive=teuer"),
    ]
    item = item_of("en-de", rows)
    assert isinstance(item, Item)
    assert item.tags["ref_ante_head"] == "Lampe" and item.tags["src_ante_head"] is None


def test_the_linked_subject_is_chosen_and_surer() -> None:
    rows = [
        ("The clock hung above the door.", "Die Uhr hing über der Tür.", "clock=Uhr hung=hing door=Tür"),
        ("It was broken.", "Sie war kaputt.", "It=Sie was=war broken=kaputt"),
    ]
    item = item_of("en-de", rows)
    assert isinstance(item, Item)
    assert (item.tags["src_ante_head"], item.tags["ref_ante_head"]) == ("clock", "Uhr")
    alone = item_of("en-de", [("The clock stopped.", "Die Uhr blieb stehen.", "clock=Uhr"), rows[1]])
    assert isinstance(alone, Item)
    assert alone.tags["confidence"] > item.tags["confidence"]


@pytest.mark.parametrize(
    ("pair", "text", "word", "number", "genders"),
    [
        ("en-it", "Diamo un'occhiata alla voce.", "occhiata", "s", "f"),
        ("en-it", "Ecco un esempio.", "esempio", "s", "m"),
        ("en-it", "Il sistema parte.", "sistema", "s", "m"),
        ("en-it", "Ho scritto alle amiche.", "amiche", "p", "f"),
        ("en-es", "El programa lee archivos.", "archivos", "s", None),
        ("en-es", "El programa lee archivos.", "archivos", "p", ""),
        ("en-es", "El programa trabaja con archivos.", "archivos", "p", ""),
        ("en-es", "El programa trabaja con muchos archivos.", "archivos", "p", "m"),
        ("en-es", "Los magos sombríos ganan.", "magos", "p", "m"),
        ("en-es", "Los magos sombríos ganan.", "sombríos", "p", ""),
        ("en-es", "Los otros magos ganan.", "magos", "p", "m"),
        ("en-es", "Sistema nuevo.", "Sistema", "s", ""),
        ("en-es", "Su forma de practicarla gusta.", "practicarla", "s", None),
        ("en-es", "El virus llegó.", "virus", "s", "m"),
    ],
)
def test_genders_and_numbers_of_the_tables(pair: str, text: str, word: str, number: str, genders: str | None) -> None:
    words = spans(text)
    index = [w.text for w in words].index(word)
    found = target_side(load_recipe(pair)).noun(text, words, index, number)
    assert (None if found is None else "".join(sorted(found.genders))) == genders


@pytest.mark.parametrize(
    ("pair", "text", "blocked"),
    [
        ("en-es", "Si lo hace, avise.", True),
        ("en-es", "Los grupos a los que pertenece.", True),
        ("en-es", "No lo encontró.", False),
        ("en-it", "Se lo fa, avvisi.", True),
        ("en-it", "Non lo trova.", False),
        ("en-it", "Se non lo è, provi.", True),
        ("en-it", "La sua parte.", True),
        ("en-es", "Si no lo es, pruebe.", True),
    ],
)
def test_forms_that_stand_for_a_verb_or_relate(pair: str, text: str, blocked: bool) -> None:
    assert any(p.search(text) for p in load_recipe(pair).blocked[1]) is blocked


def test_enclitics_change_together() -> None:
    recipe = load_recipe("en-it")
    text = "Lo compra per usarlo subito."
    words = {w.start: None for w in spans(text)}
    [foil] = target_side(recipe).contrast(text, 0, 2, is_subject=False, together=words)
    assert foil.text == "La compra per usarla subito."
    [alone] = target_side(recipe).contrast(text, 0, 2, is_subject=False, together={})
    assert alone.text == "La compra per usarlo subito."


def test_words_that_are_no_mention_stay() -> None:
    side = target_side(load_recipe("en-es"))
    text = "No lo considere y, por lo tanto, siga en todos los discos."
    words = {w.start: None for w in spans(text)}
    [foil] = side.contrast(text, 3, 5, is_subject=False, together=words)
    assert foil.text == "No la considere y, por lo tanto, siga en todos los discos."


@pytest.mark.parametrize(
    ("text", "pronoun", "kind"),
    [
        ("Das ist sie nicht.", "sie", "empty"),
        ("Das war er.", "er", "empty"),
        ("Sie ist alt.", "Sie", "thing"),
        ("Das Haus ist alt, aber er ist neu.", "er", "thing"),
    ],
)
def test_a_german_predicate_has_no_gender_to_change(text: str, pronoun: str, kind: str) -> None:
    side = target_side(load_recipe("en-de"))
    assert side.use(text, text.rindex(pronoun), is_subject=True) == kind


def test_an_adverb_is_not_changed() -> None:
    [foil] = target_side(load_recipe("en-it")).contrast("Esso è quindi noto.", 0, 4, is_subject=True, together={})
    assert foil.text == "Essa è quindi nota."


@pytest.mark.parametrize(
    ("text", "impersonal"),
    [
        ("Il peut être utile de lire le manuel.", True),
        ("Il doit être clair que rien ne change.", True),
        ("Il peut être réduit.", False),
    ],
)
def test_impersonal_il_behind_a_modal(text: str, impersonal: bool) -> None:
    assert is_impersonal(words_of(Sentence(text, ())), 0) is impersonal


def test_ranker() -> None:
    assert Ranker("", {"a": 2.0}).sum({"a": 1.5, "b": 7.0}) == 3.0
    french, other = load_ranker("en-fr"), load_ranker("en-xx")
    assert french.learnt_from != other.learnt_from
    assert french.weights["0_before"] > french.weights["2_before"]
    assert not any(name.startswith("target_role") for name in other.weights)


def test_es_may_be_a_situation_and_far_nouns_are_less_sure() -> None:
    rows = [
        ("The forest is old.", "Der Wald ist alt.", "forest=Wald"),
        ("It is dangerous.", "Er ist gefährlich.", "It=Er is=ist dangerous=gefährlich"),
    ]
    near = item_of("en-de", rows)
    far = item_of("en-de", [rows[0], *[("Yes.", "Ja.", "Yes=Ja")] * 3, rows[1]])
    assert isinstance(near, Item) and isinstance(far, Item)
    sure = {v.tags["replacement"]: v.tags["confidence"] for v in near.variants[1:]}
    assert sure["Es"] < sure["Sie"] == near.tags["confidence"]
    assert "es_of_situation" in near.variants[2].tags["reasons"]
    assert far.tags["confidence"] < near.tags["confidence"]


def test_what_belongs_to_the_pronoun_or_stands_beside_it_is_doubtful() -> None:
    rows = [
        (
            "Their new masters saw the skills that they had.",
            "Leurs nouveaux maîtres voyaient les talents qu'ils avaient.",
            "Their=Leurs masters=maîtres saw=voyaient skills=talents they=ils had=avaient",
        )
    ]
    item = item_of("en-fr", rows, "they")
    assert isinstance(item, Item) and item.tags["ref_ante_head"] == "maîtres"
    assert all("owned_by_its_pronoun" in v.tags["reasons"] for v in item.variants[1:])
    assert surest(item, 1.0) is None and surest(item, 0) is item


def test_a_source_noun_in_another_number_is_doubtful() -> None:
    rows = [
        ("He lit the candle.", "Il alluma les bougies.", "lit=alluma candle=bougies"),
        ("They burned all night.", "Elles brûlèrent toute la nuit.", "They=Elles burned=brûlèrent night=nuit"),
    ]
    item = item_of("en-fr", rows, "they")
    assert isinstance(item, Item) and item.tags["ref_ante_head"] == "bougies"
    assert "source_in_another_number" in item.variants[1].tags["reasons"]


def test_an_adjective_before_the_comma_that_stays_is_doubtful() -> None:
    french = target_side(load_recipe("en-fr"))
    for text, doubt in (
        ("Dangereux et effrayants, ils suscitent la crainte.", "agreeing_word_stays"),
        ("Le soir, ils suscitent la crainte.", ""),
    ):
        start = text.index("ils ")
        made = french.contrast(text, start, start + 3, is_subject=True, together={})
        assert [c.problem for c in made] == [doubt]


@pytest.mark.parametrize(
    ("text", "noun", "number", "expected"),
    [
        ("Their leaders listened when they spoke.", "leaders", "p", {"owned_by_its_pronoun", "pronoun_before_it"}),
        ("It rolled down and hit the wall.", "wall", "s", {"pronoun_before_it"}),
        ("The hunters came home.", "hunters", "p", set()),
    ],
)
def test_what_other_mentions_tell(text: str, noun: str, number: str, expected: set[str]) -> None:
    sentence = next(iter(annotators.get("en").annotate([text])))
    token = next(i for i, t in enumerate(sentence.tokens) if t.text == noun)
    found = mention_features([sentence], 0, 0, token, number)
    assert {name for name, value in found.items() if value} == expected


def test_those_who_may_be_meant() -> None:
    said = list(annotators.get("en").annotate(["Those who fled knew the riders.", "They heard a sound."]))
    assert unnamed_before(said, 1, 0, "p") == "in_the_sentence_before"
    assert unnamed_before(said, 1, 0, "s") == ""


def test_a_subject_behind_a_preposition_differs_in_case() -> None:
    side = target_side(load_recipe("en-es"))
    assert side.case_differs("Ahora la bandera ondea en ella.", 26, is_subject=True)
    assert not side.case_differs("Ahora la bandera ondea en ella.", 26, is_subject=False)
    assert not side.case_differs("Ellos ganaron.", 0, is_subject=True)


def test_an_adjective_is_no_head() -> None:
    side = target_side(load_recipe("en-it"))
    text = "Mostratemi i vostri nemici"
    assert side.noun(text, spans(text), 2, "p") is None
    noun = side.noun(text, spans(text), 3, "p")
    assert noun is not None and noun.genders == {"m"}


@pytest.mark.parametrize(
    ("text", "impersonal"),
    [
        ("Il existe des lois.", True),
        ("Il n'existe plus.", False),
        ("Il en existe deux.", True),
        ("Il semble vous apprécier.", False),
        ("Il me semble bon.", True),
        ("Je savais quelle heure il était.", True),
    ],
)
def test_il_existe_and_il_semble(text: str, impersonal: bool) -> None:
    words = words_of(Sentence(text, ()))
    assert is_impersonal(words, next(i for i, w in enumerate(words) if w.low == "il")) is impersonal


def test_efforts_to_study_them() -> None:
    side = target_side(load_recipe("en-es"))
    words = spans("los esfuerzos por estudiarlos han fracasado")
    assert side.is_one_clause(words, 1, 3)
    assert not side.is_one_clause(spans("compró un libro para leerlo"), 2, 4)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Es fügte hinzu, dass die Zahl sinkt.", "thing"),
        ("Es wird gesagt, dass die Zahl sinkt.", "empty"),
        ("Es zeigt sich, dass die Zahl sinkt.", "empty"),
        ("Es bezieht sich auf ein umgestürztes Denkmal.", "thing"),
        ("Es handelt sich um ein Denkmal.", "empty"),
        ("Es fuhr gestern nach Rom.", "thing"),
        ("Es gelangte nach Rom.", "open"),
        ("Es gelang mir nicht.", "empty"),
    ],
)
def test_es_of_an_office_and_verbs_that_only_look_impersonal(text: str, kind: str) -> None:
    assert target_side(load_recipe("en-de")).use(text, 0, is_subject=True) == kind


def test_an_object_sie_is_one_thing_where_the_source_says_it() -> None:
    side = target_side(load_recipe("en-de"))
    text = "Wenn Kinder sie sehen, lachen alle."
    start = text.index("sie")
    assert side.use(text, start, is_subject=False) == "thing"
    assert side.use("Sie sehen gut aus.", 0, is_subject=True) == "absent"
    assert side.use("Die Kinder haben sie alle gesehen.", 17, is_subject=False) == "absent"
    foils = side.contrast(text, start, start + 3, is_subject=False, together={})
    assert {f.replacement for f in foils} == {"ihn", "es"}


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("Take it with you.", "Nimm sie mit.", "sie"),
        ("Take it with you.", "Nimm sie mit, bevor er kommt.", "sie"),
        ("Take these with you.", "Nimm sie mit.", ""),
    ],
)
def test_the_nearest_pronouns_that_are_left_are_a_pair(source: str, target: str, found: str) -> None:
    made = list(pairs_left(load_recipe("en-de"), Document("d", (source,), (target,)), 0, frozenset(), ()))
    assert [target[p.target.start : p.target.end] for p in made] == ([found] if found else [])
    assert not any(p.linked for p in made)


@pytest.mark.parametrize(
    ("text", "word", "genders"),
    [
        ("Der Morgen war kalt.", "Morgen", "m"),
        ("Die Sieben kommen.", "Sieben", None),
    ],
)
def test_numbers_are_no_german_antecedents(text: str, word: str, genders: str | None) -> None:
    words = spans(text)
    index = [w.text for w in words].index(word)
    found = target_side(load_recipe("en-de")).noun(text, words, index, "s")
    assert (None if found is None else "".join(sorted(found.genders))) == genders


def test_a_name_has_the_gender_that_it_has_beside_it_and_a_place_is_neuter() -> None:
    firm = ("The UBS bank is old.", "Die UBS ist alt.", "UBS=UBS is=ist")
    again = ("Then UBS grew.", "Dann wuchs UBS.", "UBS=UBS grew=wuchs")
    item = item_of("en-de", [firm, again, ("It paid the price.", "Sie zahlte den Preis.", "It=Sie paid=zahlte")])
    assert isinstance(item, Item) and item.tags["ref_ante_head"] == "UBS"
    place = ("Germany abstained again.", "Deutschland enthielt sich wieder.", "Germany=Deutschland")
    item = item_of("en-de", [place, ("It paid the price.", "Es zahlte den Preis.", "It=Es paid=zahlte")])
    assert isinstance(item, Item) and item.tags["ref_ante_head_gender"] == "Neut"
