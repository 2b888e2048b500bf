"""German errors that readers found wrong on ordinary text: what must not come out, and what must."""

from __future__ import annotations

import pytest

from kontrast.building.perturb import get
from kontrast.building.perturb.run import candidates_of, perturb
from kontrast.language import annotators


def chosen(name: str, text: str) -> set[str]:
    """The texts that may be chosen: neither weak nor made the plain way of published sets."""
    [sentence] = annotators.get("de").annotate([text])
    return {c.text for c in candidates_of(get("de", name), sentence) if not c.weak and not c.plain}


@pytest.mark.parametrize(
    ("name", "text", "never"),
    [
        ("pronoun_gender", "Das Haus, in dem ihr wohnt, ist alt.", "in dem ihm wohnt"),
        ("pronoun_gender", "Heute ist es wolkig.", "ist sie wolkig"),
        ("pronoun_gender", "Das Rad ist teuer, aber das ist es wert.", "das ist er wert"),
        ("pronoun_gender", "Das Buch liegt hier, ihm gehört es.", "ihm gehört ihn"),
        ("subj_adequacy", "Sie kamen und gingen.", "kamen und ging."),
        ("subj_adequacy", "Sie versuchten, es herauszubekommen.", "herauszubekommt"),
        ("tense", "Sie wird morgen genug Zeit haben.", "hatten"),
        ("tense", "Er hat das Haus gesehen.", "hatte das Haus gesehen"),
        ("polarity_particle_kein_del", "Sie schenkte ihm kein Gehör.", "schenkte ihm ein Gehör"),
        ("polarity_particle_kein_del", "Sie schenkte ihm kein Gehör.", "schenkte ihm Gehör"),
        ("polarity_particle_kein_del", "Ich habe keine Ahnung.", "habe Ahnung"),
        ("polarity_particle_kein_del", "Kein Arzt hat das je behauptet.", "Ein Arzt hat das je"),
        ("polarity_particle_kein_ins", "Ein Kind denkt nicht daran.", "Kein Kind denkt nicht"),
        ("polarity_particle_kein_ins", "Er hat einen Hund und Katzen.", "keinen Hund und Katzen"),
        ("polarity_affix_ins", "Wir wollen dem Anspruch gerecht werden.", "ungerecht"),
        ("polarity_affix_ins", "Uns ist klar, dass er kommt.", "unklar, dass"),
        ("polarity_affix_ins", "Ist das sicher?", "Ist das unsicher?"),
        ("auxiliary", "Habe lange auf dich gewartet.", "Sei lange"),
        ("np_agreement", "Er sieht die Frau.", "Er sieht der Frau."),
        ("pronoun_gender", "Die Hunde bellen, und was man für sie tut, ist nicht genug.", "für es"),
        ("pronoun_gender", "Wir hoffen, dass sie Brot während der Reise kaufen und essen.", "dass es Brot"),
        ("tense", "Erhebt euch, ihr Helden!", "Erhob"),
        ("tense", "Öffnen Sie die Liste und geben Sie Ihr Passwort ein.", "gaben Sie"),
        ("tense", "Das Dorf, das nicht weit entfernt liegt, ist schön.", "entfernte liegt"),
        ("tense", "Drücken Sie auf den Knopf Mehr anzeigen in der Leiste.", "anzeigten"),
        ("tense", "Er sah Leute, die Drohungen ausstießen.", "ausstossen"),
        ("subj_adequacy", "Sie reisten nach Paris, umgeben von Soldaten.", "umgibt"),
        ("subj_adequacy", "Heiler können das lindern, können sie aber nicht heilen.", "kann sie"),
        ("subj_adequacy", "Sie sind alle tot.", "ist alle"),
        ("subj_adequacy", "Ergreift sie, bevor er kommt!", "Ergreifen sie"),
        ("polarity_affix_ins", "Er ist dafür bekannt, dass er lacht.", "unbekannt"),
        ("polarity_affix_ins", "Sie wird mit Sicherheit kommen.", "Unsicherheit"),
        ("polarity_affix_del", "Er beobachtet ihn unbemerkt dabei.", "bemerkt dabei"),
        ("polarity_particle_kein_ins", "Auf keinen Fall hilft ein Mangel daran.", "kein Mangel"),
        ("polarity_particle_kein_ins", "Ich frage, ob er ein Haus hat.", "kein Haus"),
        ("polarity_particle_kein_del", "Kein Denker nahm die geringste Notiz davon.", "Ein Denker"),
        ("polarity_particle_kein_del", "Tut euch keinen Zwang an.", "einen Zwang"),
        ("polarity_particle_nicht_del", "Der Mann kann klettern, die Frau nicht.", "die Frau."),
        ("transliteration", "Klicken Sie auf Anwenden.", "Kilcken"),
        ("transliteration", "Die Methode Replace hilft.", "Relpace"),
        ("formality", "Du bist entkommen, und ich komme, um dir zu gratulieren.", "um sich zu"),
        ("formality", "Wenn Sie dort sind, haben Sie sich vielleicht bewegt.", "hab dich"),
        ("formality", "Wenn du das tust, wundere dich nicht.", "wundere Sie"),
        ("clause_omission", "Denkt daran: Das Gold ist knapp.", "Das Gold ist knapp."),
        (
            "clause_omission",
            "Wir haben viel zu tun: Etwas Nützliches zu lernen und zu zeigen.",
            "Etwas Nützliches zu",
        ),
        ("clause_omission", "Beachten Sie: Das Gold ist knapp geworden.", "Beachten Sie."),
        ("tense", "Wenn er käme, blieben wir.", "bleiben"),
        ("tense", "Alle Einstellungen auf ihre Werte zurücksetzen.", "zurücksetzten"),
        ("polarity_particle_kein_del", "Er isst keine Butter.", "eine Butter"),
        ("polarity_particle_kein_del", "Wenn kein Maismehl da ist, warten wir.", "ein Maismehl"),
        ("polarity_particle_kein_del", "Das ist ein Prozess, kein Produkt.", "Prozess, ein Produkt"),
        ("polarity_particle_kein_del", "Kein Problem, ich komme gleich.", "Ein Problem"),
        ("polarity_particle_kein_del", "Es gibt keine Akte.", "eine Akte"),
        ("polarity_particle_kein_ins", "Dort ist bereits 2017 ein Gesetz in Kraft getreten.", "kein Gesetz"),
        ("polarity_particle_kein_ins", "Es gibt einen Unterschied, nicht nur hier, sondern auch dort.", "keinen"),
        ("polarity_particle_kein_ins", "Sie fragt, ob sie dem Gast, der wartet, einen Wein bringen soll.", "keinen"),
        ("polarity_particle_kein_ins", "Er träumt davon, eines Tages zu fliegen.", "keines"),
        ("polarity_particle_kein_ins", "Ein großer Tempel, um Priester zu weihen.", "Kein"),
        ("polarity_particle_nicht_ins", "Es ist ein epitheton ornans.", "epitheton nicht"),
        ("polarity_particle_nicht_ins", "Endlich bist du gekommen.", "nicht"),
        ("polarity_particle_nicht_ins", "Wir wissen, wohin sie verschwunden sind.", "nicht verschwunden"),
        ("polarity_particle_nicht_ins", "Sie wurde zum Präsidenten der Studierendenschaft gewählt.", "nicht gewählt"),
        ("polarity_particle_nicht_del", "Manches ist gefroren, doch nicht der Krieg.", "doch der Krieg"),
        ("polarity_particle_nicht_del", "Der Kongo, nicht zu verwechseln mit dem Nachbarn, ist groß.", "Kongo, zu"),
        ("polarity_affix_ins", "Ihr Ursprung ist nicht genau bekannt.", "unbekannt"),
        ("polarity_affix_ins", "Mehrere teilweise genutzte Platten sind da.", "ungenutzte"),
        ("polarity_affix_ins", "Er hat ein tragbares Gerät.", "untragbares"),
        ("polarity_affix_del", "Er wollte unentdeckt bleiben.", "wollte entdeckt"),
        ("polarity_affix_del", "Das können wir unmöglich ändern.", "möglich ändern"),
        ("np_agreement", "Seit Jahren schütze die Marine das Land, sagte er.", "schütze der Marine"),
        ("np_agreement", "Das sei falsch, teilte das Ministerium am Samstag mit.", "den Ministerium"),
        ("subj_verb_agreement", "Ende Mai hatte das Land Schulden.", "Enden Mai"),
        ("subj_verb_agreement", "Das Entfernen oder Verändern von Dateien kann schaden.", "können"),
        ("subj_adequacy", "Falls sie in den Wald gelangen, sind sie sicher.", "gelang,"),
        ("subj_adequacy", "Sie ist nicht langsamer, benötigt aber mehr Platz.", "sind"),
        ("subj_adequacy", "Sie waren gute Soldaten.", "war"),
        ("subj_adequacy", "Der Server, der Briefe annimmt und sie weiterleitet, läuft.", "weiterleiten"),
        ("pronoun_gender", "Er nimmt eine Banane, schält sie und isst.", "schält er"),
        ("pronoun_gender", "Fragt, was immer ihr mögt.", "ihm mögt"),
        ("pronoun_gender", "Er ist es.", "Es ist es"),
        ("auxiliary", "Als Volk betrachtet, haben sie eine Sprache.", "sind sie eine"),
        ("verb_particle", "Der Krieg geht weiter.", "geht nieder"),
        ("verb_particle", "Ich renne nur hin und her.", "nieder und her"),
        ("formality", "Wenn du es glaubst, so sei versichert, du irrst.", "sei versichert, Sie"),
        ("formality", "Wenn Sie warten, kommen Sie in den Genuss der Sonne.", "komm in"),
        ("transliteration", "Der Security Bug Tracker hilft.", "Tarcker"),
        ("transliteration", "Er trank eine Flasche Kognac.", "Koganc"),
        ("transliteration", "Die Mail Exchange Resource Records fehlen.", "Reocrds"),
        (
            "pronoun_gender",
            "Das ist ein Verfahren, die Datei zu prüfen, so dass er mit ihr arbeiten kann.",
            "mit ihm",
        ),
        ("pronoun_gender", "Er nahm die Lampe und den Hut, weil er ihn brauchte.", "er sie brauchte"),
        ("pronoun_gender", "Er nahm den Schlüssel, bevor sie die Tür schloss.", "bevor er"),
        ("clause_omission", "Das Spiel war aus: Alle gingen heim.", "Alle gingen heim."),
        (
            "clause_omission",
            "Das Land wurde von vielen regiert: Spanien, Mexiko und Frankreich.",
            "Spanien, Mexiko und",
        ),
        ("clause_omission", "Es war spät. Weil er müde war.", "Weil er müde war."),
        ("clause_omission", "Wir sahen das Meer. Was für ein Tag.", "Was für ein Tag."),
        ("clause_omission", "Bitte sei vorsichtig! - Die Alten.", "vorsichtig!"),
        ("subj_verb_agreement", "Alle Einstellungen auf ihre Werte zurücksetzen.", "zurücksetzt"),
        ("subj_verb_agreement", "Paketquellen verwalten", "verwaltet"),
        ("subj_verb_agreement", "Siehe „Prioritäten verwalten“.", "verwaltet"),
        ("subj_verb_agreement", "wirklich die Macht der Sterne besitzt.", "besitzen"),
        ("tense", "wirklich die Macht der Sterne besitzt.", "besaß"),
        ("polarity_affix_del", "Das ist etwas, was ich dir nur ungern antue.", "nur gern"),
        ("polarity_affix_del", "Das gilt unabhängig für jeden einzelnen Ort.", "gilt abhängig"),
        ("polarity_affix_ins", "Seid willkommen, wenn ihr unsere Freunde seid!", "unwillkommen"),
        ("polarity_particle_kein_del", "Sicher doch, kein Problem.", "ein Problem"),
        ("polarity_particle_kein_ins", "Ein Damm, errichtet von den Bauern.", "Kein Damm"),
        ("polarity_particle_nicht_ins", "Das ist das wirrste Wort, das ich heute gehört habe.", "nicht gehört"),
        ("polarity_particle_nicht_ins", "Das waren die ältesten Häuser, die ich gesehen habe.", "nicht gesehen"),
    ],
)
def test_what_is_not_chosen(name: str, text: str, never: str) -> None:
    assert not [found for found in chosen(name, text) if never in found]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("subj_adequacy", "Sie kamen und gingen.", "Sie kam und ging."),
        ("tense", "Die Leute warten auf den Bus.", "Die Leute warteten auf den Bus."),
        ("polarity_particle_kein_del", "Er hat keinen Hut.", "Er hat einen Hut."),
        ("polarity_particle_kein_ins", "Er hat einen Hund.", "Er hat keinen Hund."),
        ("polarity_affix_ins", "Das Ergebnis ist gerecht.", "Das Ergebnis ist ungerecht."),
        ("formality", "Bitte kommen Sie mit Ihrem Hund.", "Bitte komm mit deinem Hund."),
        ("formality", "Setzen Sie sich!", "Setz dich!"),
        ("auxiliary", "Habe lange auf dich gewartet.", "Bin lange auf dich gewartet."),
        ("np_agreement", "Er sieht die Frau.", "Er sieht den Frau."),
        ("pronoun_gender", "Der Hut ist alt, aber er ist warm.", "Der Hut ist alt, aber sie ist warm."),
        ("pronoun_gender", "Die Lampe fiel um, weil sie alt war.", "Die Lampe fiel um, weil er alt war."),
        ("clause_omission", "Wenn er kommt, gehe ich. Es ist spät.", "Wenn er kommt, gehe ich."),
        ("subj_verb_agreement", "die Frau lacht.", "die Frau lachen."),
        ("polarity_particle_nicht_ins", "Das ist der einzige Film, den ich gesehen habe.", "nicht gesehen habe."),
    ],
)
def test_what_is_chosen(name: str, text: str, expected: str) -> None:
    assert [found for found in chosen(name, text) if found.endswith(expected)]


def test_a_line_in_another_language_gives_nothing() -> None:
    lines = ["For details on the manual see page 7, „Handbuchseiten“.", "Einzelheiten stehen auf Seite 7."]
    assert {line for line, _ in perturb(lines, "de", ["number", "compound"])} == {1}
