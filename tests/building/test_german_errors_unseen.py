"""German errors on texts that no reading had before: what was found wrong there must not be chosen, and what must."""

from __future__ import annotations

import msgspec
import pytest
from tests.building.test_german_errors_issue import chosen

from kontrast.building.perturb import get
from kontrast.building.perturb.run import candidates_of
from kontrast.language import annotators


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
        ("formality", "Was denken Sie sich dabei?", "dich"),
        ("formality", "Das haben Sie sich gesagt, und jetzt müssen Sie selbst entscheiden.", "dich"),
        ("formality", "Liebe Kollegen, heute zeige ich Ihnen, wie Sie Zeit sparen.", "du"),
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
        (
            "polarity_particle_kein_ins",
            "Ein postapokalyptisches Rollenspiel, bei dem du so tun kannst, als würdest du die Apokalypse überleben.",
            "Kein post",
        ),
        (
            "polarity_particle_kein_ins",
            "Ein reichhaltiger Brownie, genau wie Oma sie früher gebacken hat.",
            "Kein reich",
        ),
        ("polarity_particle_kein_ins", "Ein harter Plastikhelm, der Kopf und Ohren bedeckt.", "Kein hart"),
        (
            "polarity_particle_kein_ins",
            "Eine selbstgebaute Rakete, die aus einem Sprengkopf, der an einem Rohr angebracht ist, besteht.",
            "Keine selb",
        ),
        (
            "polarity_particle_kein_ins",
            "Dies ist ratmenu, ein einfaches Programm zum Erstellen von Menüs.",
            "kein einf",
        ),
        (
            "polarity_particle_kein_ins",
            "Sie können Konten von einem Oberkonto auf ein anderes verschieben.",
            "keinem",
        ),
        ("polarity_particle_nicht_ins", "Der Transport stellt uns jedoch vor einige Herausforderungen.", "nicht"),
        (
            "polarity_particle_nicht_ins",
            "Das sind Bibliotheken, die Bausteine bereitstellen, die im Paket verwendet werden.",
            "stellen nicht",
        ),
        ("polarity_particle_nicht_ins", "Filter wählen, um ihn auf den Bericht anzuwenden.", "nicht"),
        ("polarity_particle_nicht_ins", "Einige der Abhängigkeiten werden durch die Änderungen verletzt.", "nicht"),
        ("polarity_particle_nicht_ins", "Der Code der Währung wird anschließend überschrieben.", "nicht"),
        (
            "subj_verb_agreement",
            "Sie können hier eine Reihe von Konten auswählen, die Ihren Bedürfnissen nahe kommen.",
            "kommt",
        ),
        ("subj_verb_agreement", "Neben dem Programm bietet die Suite weitere Benchmarking-Werkzeuge.", "bieten"),
        ("subj_verb_agreement", "X11-xfs-utils bietet eine Reihe von Programmen.", "bieten"),
        ("formality", "Du ergötzt dich am Menschenfleisch und verschlingst dabei dessen Geist.", "Sie"),
        (
            "formality",
            "Er zeigt, wie Sie die Lautstärke regeln, Eingänge wählen und weitere Optionen einstellen können.",
            "du",
        ),
        ("formality", "Falls Sie dieses Paket installieren, müssen sie die Geräte anders ansprechen.", "du"),
        ("polarity_affix_ins", "Es ist schnell und die Genauigkeit ist nur durch die Größe beschränkt.", "Ungen"),
        (
            "polarity_particle_kein_ins",
            "Mit weniger Einträgen wird ein Tortendiagramm verwendet anstatt eines Balkendiagramms.",
            "kein Tor",
        ),
        (
            "polarity_particle_kein_ins",
            "Eine englische Übersetzung der Bibel, kostenlos verteilt vom Internationalen Bund.",
            "Keine eng",
        ),
        ("polarity_particle_kein_ins", "Jede Zeile enthält Informationen für genau eine Splitbuchung.", "keine"),
        (
            "polarity_particle_kein_ins",
            "Weiterhin wird ein GUI für mixvm (gmixvm) und ein Interpreter bereitgestellt.",
            "kein GUI",
        ),
        (
            "polarity_particle_nicht_ins",
            "Es könnte leichter sein, das Leder in der Stadt zu finden.",
            "nicht leichter",
        ),
        ("polarity_particle_nicht_ins", "Damit können Sie mit Kryptik lange Nachrichten verschlüsseln.", "nicht"),
        ("polarity_particle_nicht_ins", "Zwei Zeilen pro Buchung anzeigen anstatt einer.", "nicht"),
        ("polarity_particle_nicht_ins", "Aber es ist schmerzhaft, sie herumzutragen.", "sie nicht"),
        (
            "polarity_particle_nicht_ins",
            "Eine Übersetzung der Bibel, kostenlos verteilt vom Internationalen Bund.",
            "nicht",
        ),
        ("polarity_particle_nicht_ins", "Dieser Bericht zeigt Ihnen zu versteuernde Einkünfte.", "nicht"),
        ("pronoun_gender", "Mit Strahlung sterilisiert, dadurch ist sie sicher zum Essen.", "ist er"),
        ("polarity_particle_kein_ins", "Er half uns, bis wir einen Arzt fanden.", "keinen Arzt"),
        ("polarity_particle_kein_ins", "Es schmeckt gut und hält für eine lange Zeit.", "keine lange"),
        ("polarity_particle_kein_ins", "Das ist die von einem Rohr abgeschossene Rakete.", "keinem Rohr"),
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
        (
            "polarity_particle_kein_ins",
            "Ein Fenster, in dem er läuft, wird hier erscheinen.",
            "wird hier erscheinen.",
        ),
        ("polarity_particle_nicht_ins", "Er hat den Plan gesehen.", "Er hat den Plan nicht gesehen."),
        ("formality", "Du hast Zeit.", "Sie haben Zeit."),
        ("verb_particle", "Er zeigt das Bild an.", "Er zeigt das Bild nieder."),
    ],
)
def test_what_is_still_chosen(name: str, text: str, expected: str) -> None:
    assert [found for found in chosen(name, text) if found.endswith(expected)]


def chosen_beside(name: str, text: str, source: str, nearby: tuple[tuple[str, str], ...] = ()) -> set[str]:
    """What may be chosen where the source and the lines around are known."""
    [sentence] = annotators.get("de").annotate([text])
    sentence = msgspec.structs.replace(sentence, source=source, nearby=nearby)
    return {c.text for c in candidates_of(get("de", name), sentence) if not c.weak and not c.plain}


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        ("tense", "Nyquist gab ein leeres Array zurück.", "gibt"),
        ("tense", "Projekt-Überprüfung ergab Fehler während der Wiederherstellung.", "ergibt"),
        ("tense", "Die Version, die benutzt wurde, entspricht nicht der aktuellen Version.", "entsprach"),
        ("tense", "Sie haben eine Spur ausgewählt, die kein Audio enthält.", "enthielt"),
        ("tense", "Löschen Sie die Dateien, die im Ordner liegen.", "lagen"),
        ("tense", "Commander, wir erhalten gerade folgende Übertragung.", "erhielten"),
        ("tense", "Daten aus der Basis deuten auf die Anwesenheit des Programms hin.", "deuteten"),
        ("tense", "Er sagte gestern, dass er krank war.", "ist"),
        ("tense", "Die Datei ist ungültig.", "war"),
        (
            "tense",
            "Klicken Sie auf Brennen, um sie zu brennen, oder Mehrere Kopien brennen, um mehrere zu erstellen.",
            "brannten",
        ),
        ("transliteration", "Branch wurde kopiert.", "wurde"),
        ("transliteration", "Sie klicken auf Submit Issue.", "Issue"),
        (
            "clause_omission",
            "Wählen Sie die Option Automatisch sehen alle … Minuten und legen Sie das Intervall fest.",
            "",
        ),
        ("clause_omission", "Klicken Sie auf ? , um ihn zu öffnen, oder klicken Sie auf OK, um zu gehen.", ""),
        ("formality", "Stellen Sie einen Trupp zusammen und überfallen Sie das Kommando.", "überüber"),
        ("formality", "Aktivieren Sie dies, wenn sie zu oft graben oder bauen.", "Aktivier "),
        ("auxiliary", "Wir haben nur begrenzt Zeit, diese Basis zu evakuieren.", "sind"),
        ("np_agreement", "ist der Erste ein Vorgänger des Anderen?", "das Erste"),
        (
            "pronoun_gender",
            "Festlegen, ob das Schließen der Ansicht dieses Dokument schließt (yes), es verbirgt (no) oder fragt.",
            "er verbirgt",
        ),
        ("subj_adequacy", "Aktivieren Sie dies, wenn sie zu oft aus Versehen graben oder bauen.", "baut"),
        ("subj_verb_agreement", "Die Länge in Pixeln, die benötigt wird, damit es beginnt.", "werden"),
    ],
)
def test_what_blind_readers_doubted_is_not_chosen(name: str, text: str, never: str) -> None:
    assert not [found for found in chosen(name, text) if never in found]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("tense", "Gestern ging er nach Hause.", "Gestern geht er nach Hause."),
        ("tense", "Er kam nach Hause und kochte.", "Er kommt nach Hause und kochte."),
        ("tense", "SyncTeX ist eine Möglichkeit des Abgleichs.", "SyncTeX war eine Möglichkeit des Abgleichs."),
        ("tense", "Dieses Paket enthält die Bibliothek.", "Dieses Paket enthielt die Bibliothek."),
        (
            "tense",
            "Das Brett befindet sich in der Mitte und zeigt die Züge.",
            "Das Brett befand sich in der Mitte und zeigt die Züge.",
        ),
        (
            "formality",
            "Stellen Sie einen Trupp zusammen und überfallen Sie das Kommando.",
            "Stell einen Trupp zusammen und überfall das Kommando.",
        ),
        ("auxiliary", "Wir haben lange gewartet.", "Wir sind lange gewartet."),
        ("np_agreement", "Er steht auf dem ersten Eintrag.", "Er steht auf der ersten Eintrag."),
        (
            "subj_verb_agreement",
            "Die Länge, die benötigt wird, ist bekannt.",
            "Die Länge, die benötigt werden, ist bekannt.",
        ),
    ],
)
def test_what_is_certain_beside_it_is_chosen(name: str, text: str, expected: str) -> None:
    assert expected in chosen(name, text)


def test_a_name_has_its_capital_in_the_source() -> None:
    text = "Einige Effekte müssen die Rückgabe von Audio an Audacity verzögern."
    found = chosen_beside("transliteration", text, "Some Audio Unit effects must delay returning audio to Audacity.")
    assert not [foil for foil in found if " Audio " not in foil]
    text = "Ein leeres PDF mit LibreOffice Writer erstellen."
    assert chosen_beside("transliteration", text, "Create a blank PDF using LibreOffice Writer.")
    assert chosen_beside("transliteration", "Brasero ist eine Anwendung.", "Brasero is an application.")
    assert not chosen_beside("transliteration", "Stream ist aktiv.", "Stream is active.")


def test_what_is_cut_is_in_the_source() -> None:
    text = "Bedenken Sie, dass manche Änderungen fehlen. Diese sind kaum zu erkennen."
    assert not chosen_beside("clause_omission", text, "Note that some changes are not included there at all.")
    assert chosen_beside("clause_omission", text, "Note that some changes are missing. They are hard to see.")


def test_the_address_of_the_lines_around_is_no_error() -> None:
    text, source = "Du kannst die Anzeige anpassen.", "You can adjust the display."
    polite = (("Press the key.", "Bitte drücken Sie die Taste."),)
    assert chosen_beside("formality", text, source)
    assert not chosen_beside("formality", text, source, polite)
