"""Phrases in which German *es* stands for nothing, as patterns over the small letters of its clause."""

from __future__ import annotations

import re

__all__ = ["GOVERNED", "IDIOM", "IMPERSONAL", "THERE"]

IMPERSONAL = re.compile(
    r"handel\w+ (es )?sich|sich .*handel|es sich um|g(eht|ing|inge|ehe|ehen|egangen) .*\bum\b|um .*g(eh|ing|egang)"
    r"|\b(heißt|hieß) es\b|\b(geht|ging) es\b(?!.*\b(unter|auf|aus|los|kaputt|verloren|zurück|vorbei|ein)$)"
    r"|k(ommt|am|omme|äme) (es )?.*\bzu[mr]? (?!mir|dir|uns|euch|ih)|regnet|schneit|mangelt|an der zeit|\buhr\b"
    r"|(dreh|handel|rank)\w* .*sich .*\bum\b|sich .*\bum\b .*(dreh|handel|rank)\w*|\bsich um\b"
    r"|wie (spät|geht)|sieht so aus|stell\w+ sich .*heraus|erg(eht|ing)|gel(ingt|ang)\b"
    r"|verschl(ug|ägt)|juckt|schlägt es|(erste|zweite|dritte|letzte|nächste)s? mal\b|gut geht|um .*bestellt"
    r"|ist (es )?lieber|\bfehl\w* .*\ban\b"
    r"|\blieg(t|e|en)? (es )?(auch |wohl |nur |daran|vor allem )?an\b|\bes an\b.* liegen$"
    r"|schaff(en|t|st|te|ten)\b|geschafft|mach\w+ es so|darum|darauf an|daran|dabei bleib|dazu (kommt|kam|gekommen)"
    r"|\bes (nun|doch|ja)? ?(so(?! (lange|oft|viel|sehr|gut|schnell|weit|hoch|stark))"
    r"|soweit|umgekehrt|anders)\b|so ist es|ist es (nun|eben|halt|wohl|auch)? ?(auch )?so\b"
    r"|es (ist|war) (nun |eben |halt |wohl |auch |nicht )?so$"
    r"|soll(te)? (wohl |einfach )?nicht (so )?sein|\b(wert|satt|müde|los|gewohnt|leid)\b"
)
IDIOM = re.compile(
    r"\b(hab|hat|hast|hatt|hätt)\w* .*\b(eilig|leicht|schwer|nötig|abgesehen|verdient|satt|gut|schlecht)$"
    r"|\beilig (hab|hat)\w*|\b(halt|hält|hiel?t)\w* .*\baus$|aus(zu|ge)?halten"
    r"|\b(ernst|gut|böse|ehrlich) (mein|gemein)\w*|mein\w* es .*\b(ernst|gut|böse|ehrlich)$|\bmit .* zu tun\b"
    r"|überleg\w* .*\banders$|anders überlegt|\bes (ist|war|sind|waren) alles\b|kann (doch |ja )?nicht (wahr )?sein$"
    r"|\b(bequem|gemütlich|einfach|leicht) (zu )?mach\w*$|mach\w* .*\bsich .*\b(bequem|gemütlich|leicht|einfach)$"
)
"""Said of nothing whoever does it: *ich habe es eilig*, *er meint es ernst*."""
THERE = re.compile(
    r"(existier|besteh|bestand|entst|herrsch|folg|fehl|kam|kommt|gescha|erschein|erschien|bedarf|braucht|bedurfte)\w*"
    r" (?:(?:aber|jedoch|also|auch|derzeit|somit) )?"
    r"(ein|eine|einer|eines|kein|keine|keiner|viele|mehrere|einige|der|noch|nur|zwei|drei|auch)\b"
    r"|^es (brach|bricht) (erst |dann |bald |auch |sofort |plötzlich )?(ein|eine|kein|keine)\b"
)
GOVERNED = re.compile(
    r"\b(?:vor .*gewarnt|über .*(?:berichtet|gesprochen|diskutiert|verhandelt|abgestimmt|spekuliert)"
    r"|mit .*gerechnet|auf .*(?:hingewiesen|gewartet)|nach .*(?:gesucht|gefahndet)|gegen .*ermittelt"
    r"|an .*gearbeitet)\b"
)
"""Passives with a preposition, which have no subject: *es wurde vor Betrügern gewarnt*."""
