"""German errors on texts that no reading had before: what was found wrong there must not be chosen, and what must."""

from __future__ import annotations

import pytest
from tests.building.test_german_errors_issue import chosen


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        ("polarity_particle_kein_ins", "Es heißt, dass einem Dritten (dem Server) vertraut wird.", "keinem Dritten"),
        ("polarity_particle_kein_ins", "Er starb, als er versuchte, eine Karawane auszurauben.", "keine Karawane"),
        ("polarity_particle_kein_ins", "Das muss ja ein dolles Lager gewesen sein!", "kein dolles"),
        (
            "polarity_particle_kein_ins",
            "Kile ist ein schneller LaTeX Quelltexteditor und eine TeX-Shell.",
            "kein schneller",
        ),
        ("polarity_particle_kein_ins", "Ich hörte, dass hier bald ein Arzt vorbeikommen könnte.", "kein Arzt"),
        ("polarity_particle_kein_ins", "Sie sehen die «Quelle» zu einem Wertpapier.", "keinem"),
        ("polarity_particle_kein_ins", "Früher wäre es ein kleines Vermögen wert gewesen.", "kein kleines"),
        ("polarity_particle_kein_ins", "Sie lernen etwas über ein Tier.", "kein Tier"),
        ("np_agreement", "Er sagt, wie es dem Spieler mitgeteilt wird.", "der Spieler"),
        ("np_agreement", "Dein Traum über das Leben ängstigt dich.", "den Leben"),
        ("np_agreement", "Er redet mit dem Prozess.", "der Prozess"),
        ("np_agreement", "Das ist für Benutzer der alten Schule gedacht.", "dem alten"),
        ("polarity_affix_ins", "Wähle, welche Spalten in der Ansicht sichtbar sind.", "unsichtbar"),
        ("polarity_affix_ins", "Es enthält eine Auswahl der am häufigsten genutzten Anwendungen.", "ungenutzten"),
        ("polarity_affix_ins", "Das Ziel ist es, die Sicherheit zu verbessern.", "Unsicherheit"),
        ("pronoun_gender", "Entferne zuerst den Ort, den er enthält.", "den sie"),
        (
            "pronoun_gender",
            "Falls Sie XEmacs benutzen, benötigen Sie das Paket nicht; es enthält alles.",
            "er enthält",
        ),
        ("pronoun_gender", "Beim Schuhwerk hast du, so weit ich es beurteilen kann, zwei Möglichkeiten.", "ihn"),
        ("pronoun_gender", "Du brauchst ein Feuerzeug oder Streichhölzer, um es anzuzünden.", "um ihn"),
        ("pronoun_gender", "Wenn es kein Problem mit der Datei gibt, lösche sie.", "lösche er"),
        ("formality", "Wenn du drinnen mit einem gebrochenen Bein festsitzt, lies einfach Bücher.", "Sie drinnen"),
        ("formality", "BRECHEN SIE AB, wenn Sie nicht GENAU wissen, was Sie tun!", "wenn du"),
        ("formality", "Es spürt die Datei auf - verfolge den Link, wenn Sie so möchten.", "wenn du"),
        ("formality", "Es hilft Ihnen, dass diese nicht stören, sondern Sie in der Arbeit unterstützen.", "du in"),
        ("polarity_particle_nicht_ins", "Dann wird stattdessen das eigene Thema verwendet.", "nicht"),
        ("polarity_particle_nicht_ins", "Dein Verstand fühlt sich mangels guten Schlafs benebelt an.", "nicht"),
        ("polarity_particle_nicht_ins", "Das Modul fügt zu Objekten Methoden hinzu.", "nicht"),
        ("polarity_particle_nicht_ins", "Das Experiment nähert sich dem Ende.", "nicht"),
        ("reflexive", "Erholte sich von einer Bisswunde.", "uns"),
        ("subj_verb_agreement", "Es bietet eine gut dokumentierte Userspace-API, die alle nutzen.", "dokumentierten"),
        ("subj_verb_agreement", "Gib eine Quellen-ID ein, wähle eine aus oder lasse sie leer.", "wählen"),
        ("subj_verb_agreement", "Eine Maske, welche das Gesicht und die Augen bedeckt.", "bedecken"),
        ("subj_verb_agreement", "Dieses Paket enthält die Entwicklungs-Header und Dokumentation.", "enthalten"),
        ("subj_verb_agreement", "Dies löst einige der Probleme von Systemen.", "lösen"),
        ("subj_verb_agreement", "Symfony bietet grundlegende Dienstprogramme für die Arbeit.", "bieten"),
        ("verb_particle", "Er starrt dich mit großen Augen an, während er wartet.", "nieder"),
        ("polarity_particle_kein_ins", "Man kann nirgendwo einen Sitzgurt anbringen.", "keinen Sitzgurt"),
        ("polarity_particle_kein_ins", "Es enthält das Buch, Tipps zur Arbeit, und einen Bericht.", "keinen Bericht"),
        ("polarity_particle_kein_ins", "Dein Körper ist mehr oder weniger ein ganzer Baum.", "kein ganzer"),
        ("polarity_particle_kein_ins", "Es bietet eine Liste von Namen, mehrere Muster und mehr.", "keine Liste"),
        ("polarity_particle_kein_ins", "Klick hier, um dem ein Konto zuzuordnen oder wähle ein Bild.", "kein Konto"),
        ("polarity_particle_kein_ins", "Eine Tür, die offen steht, damit alle Leute durchgehen können.", "Keine Tür"),
        ("polarity_particle_kein_ins", "Sie müssen einen Betrag angeben oder das Feld freilassen.", "keinen Betrag"),
        ("np_agreement", "Wenn du nicht willst, das Gramps weiter lädt, warte.", "die Gramps"),
        ("subj_verb_agreement", "Es erzeugt Bilder aus Dateien, wie es sie von TeX erhält.", "erhalten"),
        ("subj_verb_agreement", "Keine der Modifikationen kann entfernt werden.", "können"),
        ("subj_verb_agreement", "Steuertabellen zu eingegebenen Werten aktualisieren?", "aktualisiert"),
        ("tense", "Eigenschaften dieser Datei anzeigen und bearbeiten.", "anzeigten"),
        ("pronoun_gender", "Die Bauweise bedeutet, dass du nichts siehst, wenn sie geschlossen ist.", "wenn er"),
        ("polarity_particle_nicht_ins", "Dieses Paket beinhaltet das Python-3.x-Modul.", "nicht.x"),
        ("polarity_particle_nicht_ins", "Du könntest sie vor dem Trinken kochen oder essen wollen.", "nicht"),
        ("polarity_particle_nicht_ins", "Nachdem der Assistent beendet ist, können Sie gehen.", "Assistent nicht"),
        ("polarity_particle_nicht_ins", "Es erlaubt Benutzern, sich mit einem Server zu verbinden.", "sich nicht"),
        ("polarity_affix_ins", "Manche Pakete können die Sicherheit Ihres Systems gefährden.", "Unsicherheit"),
        ("polarity_affix_del", "Das ist ein unnatürlich großes Loch.", "ein natürlich"),
        ("polarity_particle_nicht_del", "Es gibt schmale und nicht schmale Schriften.", "und schmale"),
        ("polarity_particle_nicht_del", "Sie sind nicht so treffsicher auf weite Entfernung.", "sind so"),
        ("polarity_particle_kein_del", "Es besitzt keine Abhängigkeiten außer zu sich selbst.", "besitzt Abh"),
        ("auxiliary", "Sie ist so, indem sie Dateien überprüft und einen Speicher hat.", "Speicher ist"),
        ("formality", "Dann geh, du hast zwei Füße.", "Sie"),
        ("verb_particle", "Du klappst das Rad auf.", "nieder"),
    ],
)
def test_what_readers_refused_is_not_chosen(name: str, text: str, never: str) -> None:
    assert not [found for found in chosen(name, text) if never in found]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("polarity_particle_kein_ins", "Ich hörte, dass hier ein Arzt war.", "kein Arzt war."),
        ("polarity_particle_kein_ins", "Kile ist ein schneller Editor.", "kein schneller Editor."),
        ("np_agreement", "Er redet mit der Frau.", "mit dem Frau."),
        ("np_agreement", "Er steht auf dem ersten Eintrag.", "auf der ersten Eintrag."),
        ("polarity_affix_ins", "Die Spalten sind sichtbar.", "Die Spalten sind unsichtbar."),
        ("pronoun_gender", "Die Bibliothek Foo ist alt, aber sie läuft.", "aber er läuft."),
        ("formality", "Kommen Sie her, wenn Sie möchten.", "Komm her, wenn du möchtest."),
        ("polarity_particle_nicht_ins", "Dann wird das eigene Thema verwendet.", "das eigene Thema nicht verwendet."),
        ("subj_verb_agreement", "Dieses Paket enthält die Bibliothek.", "Dieses Paket enthalten die Bibliothek."),
        (
            "subj_verb_agreement",
            "Symfony bietet ein Programm für die Arbeit.",
            "Symfony bieten ein Programm für die Arbeit.",
        ),
        ("verb_particle", "Er zeigt das Bild an.", "Er zeigt das Bild nieder."),
    ],
)
def test_what_is_still_chosen(name: str, text: str, expected: str) -> None:
    assert [found for found in chosen(name, text) if found.endswith(expected)]
