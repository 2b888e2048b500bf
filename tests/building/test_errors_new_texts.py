"""German and French errors that blind readers refused on games, a Quran, laws and help: not chosen, and what stands
beside each class still is."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from kontrast.building.against_source import weighed
from kontrast.building.perturb import get
from kontrast.building.perturb.run import candidates_of
from kontrast.language import annotators


def chosen(language: str, name: str, text: str, source: str = "") -> list[str]:
    """The texts of the candidates that may be chosen."""
    [sentence] = annotators.get(language).annotate([text])
    sentence = msgspec.structs.replace(sentence, source=source)
    made = weighed(candidates_of(get(language, name), sentence), sentence, language, Counter())
    return [c.text for c in made if not c.weak and not c.plain]


@pytest.mark.parametrize(
    ("name", "text", "kept"),
    [
        ("tense", "Versorgt sie davon und kleidet sie und sprecht zu ihnen mit Worten.", "Versorgt"),
        ("tense", "Das Papier wird gelesen, das Profil erstellt und Sie erhalten eine E-Mail.", "Profil erstellt "),
        ("tense", "Das gibt der Pistole gewissermaßen mehr Munition als jeder anderen Waffe.", "gibt"),
        ("pronoun_gender", "Das Gerät ist verbunden, es besteht aber keine Verbindung.", "es besteht"),
        ("pronoun_gender", "Das Militär ist gut ausgebildet und es fehlt nicht an Soldaten.", "es fehlt"),
        ("comparison", "Ein Panzer wird nicht mehr als sicher angesehen.", "als sicher"),
        ("comparison", "Sie sollen so stark wie möglich werden.", "wie möglich"),
        ("subj_verb_agreement", "Ein Dutzend Eier lag in dem Korb.", "lag"),
        ("subj_verb_agreement", "Eine Handvoll Soldaten bewachte das Tor.", "bewachte"),
        ("subj_verb_agreement", "Können Sie mir sagen, Herr Doktor, ob das stimmt?", "sagen"),
        ("number", "Sie sollen sich in acht nehmen.", "acht"),
        ("number", "Es geht um ein oder zwei Papiertypen.", "zwei"),
        ("polarity_particle_nicht_del", "Es ziemt sich nicht für die Bürger, noch für die Gäste.", "nicht"),
        ("verb_particle", "Der Planet wurde als Daahrax bekannt.", "bekannt"),
        ("date", "August ist eine ziemlich kalte Welt.", "August"),
        ("clause_omission", "Sie können entweder darauf klicken; oder Sie drücken eine Taste.", "entweder"),
        ("polarity_affix_del", "Treibt nicht euer Spiel, indem ihr Unheil anrichtet.", "Unheil"),
        ("polarity_particle_kein_ins", "Die Kneipe ist fast ausschließlich ein Importprodukt.", "ein Import"),
        ("formality", "Versuche es nochmal, bis du das Ziel erreichst.", "du"),
        ("tense", "Kommt ein Mann mit einem Frosch auf dem Kopf zum Arzt.", "Kommt"),
        ("tense", "Eure Frauen sind ein Feld: darum bestellt euer Feld, wie ihr wollt.", "bestellt"),
        ("tense", "Er war Geograph und sie kannte auch keine Grenzen.", "Er war"),
        ("tense", "Darum sind ihre Werke nichtig, und morgen werden wir sie wägen.", "sind"),
        ("tense", "Wir haben ihn (den Text) in deiner Sprache leicht gemacht, damit sie ihn lesen.", "lesen"),
        ("tense", "Die Kirche sagt, du sollst deinen Nachbarn lieben.", "sagt"),
        ("pronoun_gender", "Und jene, deren Trotz ihr befürchtet: ermahnt sie, meidet sie.", "ermahnt sie"),
        ("tense", "Tritt ein Problem auf, wird ein Fehler angezeigt.", "Tritt"),
        ("transliteration", "Andererseits steht die Munition dem Magazin gegenüber.", "Andererseits"),
        ("transliteration", "Sie hören auf Allahs Rufer und glauben.", "Rufer"),
        ("transliteration", "Allah ist Allverzeihend und gut.", "Allverzeihend"),
        ("transliteration", "Jedwede Nummer steht auf dem Gerät.", "Jedwede"),
        ("transliteration", "Besser ist es, denn der Gegner sieht nichts.", "Besser"),
    ],
)
def test_a_german_class_that_was_refused_stays_as_it_is(name: str, text: str, kept: str) -> None:
    assert all(kept in made for made in chosen("de", name, text))


@pytest.mark.parametrize(
    ("name", "text", "source"),
    [
        ("pronoun_gender", "Er war wahrlich ein Gesandter.", "He was an apostle."),
        ("subj_adequacy", "Sie sind in der Regel wichtige Programme.", ""),
        ("subj_adequacy", "So waren sie es, die siegten.", ""),
        (
            "subj_adequacy",
            "Sie müssen dann auch die Rekt- und Dekl-Koordinaten des Objektes eingeben und drücken den Knopf.",
            "",
        ),
        ("subj_adequacy", "Und sie tranken davon bis auf wenige von ihnen.", ""),
        ("subj_adequacy", "Sie erhöht die Produktion und ermöglicht es, Siedler zu berufen.", ""),
    ],
)
def test_a_german_sentence_that_gives_none(name: str, text: str, source: str) -> None:
    assert not chosen("de", name, text, source)


@pytest.mark.parametrize(
    ("name", "text", "source", "wanted"),
    [
        ("tense", "Er versorgt sie und kleidet sie.", "", "versorgte"),
        ("tense", "Sie zeichnet die Daten auf und erstellt ein Profil.", "", "zeichnete"),
        ("pronoun_gender", "Er lebte hier und kam später zurück.", "He lived here, returning later.", "Sie lebte"),
        (
            "pronoun_gender",
            "Er lebte bis zu seinem Tod hier.",
            "He lived here until death.",
            "Sie lebte bis zu ihrem",
        ),
        ("pronoun_gender", "Er war wahrlich krank.", "He was truly ill.", "Sie war"),
        ("comparison", "Er ist größer als sein Bruder.", "", "wie sein Bruder"),
        ("number", "Er hat acht Schiffe.", "", "sieben"),
        ("date", "Er kam im August.", "", "im Juli"),
        ("verb_particle", "Er bereitet den Plan heute vor.", "", "heute bei"),
        ("np_agreement", "Es kann aufgrund der Verschmutzung nicht benutzt werden.", "", "aufgrund des"),
        ("subj_adequacy", "Sie sind in der Regel wichtig.", "", "Sie ist"),
        ("subj_adequacy", "Sie erhöht die Produktion.", "", "erhöhen"),
        ("subj_adequacy", "Auf der anderen Seite fragmentiert sie nicht.", "", "fragmentieren sie"),
        ("formality", "In Kapitel 4 steht, wie Sie sich die nötigen Dateien beschaffen.", "", "du dir die nötigen"),
        ("transliteration", "Das erklärte Filip Drápal gestern.", "", "Dárpal"),
        ("relative_pronoun", "Er züchtet starke Rentiere, die beim Transport der Waren helfen.", "", "das beim"),
    ],
)
def test_what_stands_beside_a_german_class_is_chosen(name: str, text: str, source: str, wanted: str) -> None:
    assert any(wanted in made for made in chosen("de", name, text, source))


@pytest.mark.parametrize(
    ("name", "text", "source"),
    [
        ("subj_verb_agreement", "Une foule de curieux s'était rassemblée.", ""),
        ("subj_verb_agreement", "Un groupe d'enfants traversait la place.", ""),
        ("np_agreement", "Visite de reine dure deux jours.", ""),
        ("hallucinated_copy", "Il a eu une jouissance temporaire.", "They had it to tempt them."),
        ("hallucinated_copy", "Ce qu'ils avaient inventé.", "It will avail them not."),
        ("negation", "Mais ce ne sera pas facile du tout.", "But this will not be easy at all."),
        ("polarity_affix", "Ils donnent lieu en temps utile aux opérations de maintenance.", ""),
        ("polarity_affix", "Les autres donnent des égaux à leur Seigneur.", ""),
        ("clitic_order", "Ni somnolence ni sommeil ne Le saisissent.", ""),
        ("preposition_article", "Il perd la vie du le projet.", ""),
        ("omission", "Le maître fourreur est spécialisé dans la fabrication de pelisses.", ""),
        ("omission", "Pour les autres nous pouvons dire, si ils fonctionnent correctement.", ""),
        ("omission", "Par exemple, si l'auteur des propos utilise un pseudonyme.", ""),
        ("omission", "La synchronisation se contrôle grâce à cet élément.", ""),
        ("omission", "Allah connaît ce qu'il y a dans les cœurs.", ""),
        ("formality", "Voilà un signe pour vous, si vous êtes croyants.", ""),
        ("pronoun_gender", "Les questions sont posées tard pour qu'elles puissent être préconfigurées.", ""),
        ("pronoun_gender", "On classe les galaxies, jusqu'à celles qui semblent aplaties, qui sont notées E7.", ""),
        ("pronoun_gender", "Si un environnement de bureau a été choisi, il installera les paquets.", ""),
        ("pronoun_gender", "Cet exil sera un nouveau foyer pour chacun de nous.", ""),
        ("omission", "Cliquez ou envoyez le pointeur dans le coin supérieur gauche.", ""),
    ],
)
def test_a_french_class_that_was_refused_is_not_chosen(name: str, text: str, source: str) -> None:
    assert not chosen("fr", name, text, source)


@pytest.mark.parametrize(
    ("name", "text", "source", "wanted"),
    [
        ("hallucinated_copy", "Le décret a été publié.", "The decree was published.", "decree"),
        ("pronoun_gender", "Si un environnement a été choisi, il sera installé.", "", "elle sera installée"),
        ("pronoun_gender", "Les questions sont posées tard, car elles sont longues.", "", "ils sont longs"),
        ("negation", "Mais ce ne sera pas facile.", "But this will not be easy.", "ce sera facile"),
        ("polarity_affix", "Cette visite est utile.", "", "inutile"),
        ("clitic_order", "Ils ne le saisissent pas.", "", "le ne saisissent"),
        ("preposition_article", "Il perd la vie du projet.", "", "de le projet"),
    ],
)
def test_what_stands_beside_a_french_class_is_chosen(name: str, text: str, source: str, wanted: str) -> None:
    assert any(wanted in made for made in chosen("fr", name, text, source))


@pytest.mark.parametrize(
    ("language", "text", "source", "needs"),
    [
        ("fr", "Si vous avez le temps, vous pourrez refuser.", "", True),
        ("fr", "Si vous avez le temps, vous pourrez refuser.", "Sir, if you have time, you can refuse.", False),
        ("fr", "Si tu as le temps, tu pourras refuser.", "Honey, if you have time, you can refuse.", False),
        ("de", "Heute kommen Sie mit Ihrem Hund.", "", True),
        ("de", "Heute kommen Sie mit Ihrem Hund.", "Sir, today you come with your dog.", False),
    ],
)
def test_the_address_needs_the_context_unless_the_source_tells_it(
    language: str, text: str, source: str, needs: bool
) -> None:
    [sentence] = annotators.get(language).annotate([text])
    sentence = msgspec.structs.replace(sentence, source=source)
    made = weighed(candidates_of(get(language, "formality"), sentence), sentence, language, Counter())
    assert [c.needs_context for c in made] == [needs]
