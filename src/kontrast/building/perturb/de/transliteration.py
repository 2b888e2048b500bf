"""Names: two neighbouring letters of a rare name change places (*Ropid* → *Rpoid*)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import letters_swapped, opens_sentence
from kontrast.language.annotation import Sentence, Token
from kontrast.language.english_words import is_ordinary
from kontrast.language.lexicons.german import adjective_lemma, compound_head, noun_readings, readings, verb_forms
from kontrast.language.lexicons.german_words import CLOSED, PARTICLES

_NO_NAME = tuple(
    "sche schen scher sches tun thum work ung ungen heit heiten keit keiten schaft schaften ismus stel stels "
    "iert hin voll lich los bar haft weise wärts iges iger niß niss nisses mnisses res iches achtet seits "
    "eidem loge log".split()
)
"""Endings of words, not of names."""
_BEFORE_NOUNS = frozenset("als ohne viel viele wenig mehr wie zu was etwas nichts alles du ihr jedes jeder (".split())
_KEYWORDS = frozenset(
    "true false empty null object second input output replace shift enter online klicken function before "
    "after".split()
)
_COMMON = frozenset(
    "plugin plugins addon addons widget widgets codec codecs frontend backend tooltip applet applets daemon hashtag "
    "framebuffer buffer shell disc discs diskless workstation workstations desktop client clients "
    "repository submodule worktree changelog checkbox dropdown username email webcam shader mipmap tileset".split()
)
"""Nouns of computing that English lists lack."""
_BEFORE_NAMES = frozenset("in mit von aus für durch".split())
_HANDLED = re.compile(
    r"(?i:(?:an|doppel)?klick|(?:aus)?w[äa]hl|(?:ge)?drück|aktivier|deaktivier|schaltfl|menü|reiter|knopf)"
)
"""Words beside which the interface is spoken of."""
_PROGRAM = tuple(
    "methode funktion anweisung wert befehl option schaltfläche feld parameter eigenschaft variable typ datei taste "
    "register menü ereignis dialog knopf schlüssel paket modul klasse".split()
)

_LONG = 13
"""Letters of a word that is rather a compound, where it begins with a noun."""
_TITLES = tuple(
    "er ent ant ist or in chef mann frau herr herrn könig fürst graf prinz lord sir onkel tante bruder schwester "
    "sohn tochter freund general oberst admiral kapitän papst bischof abt mönch gott göttin stadt dorf insel fluss "
    "berg burg provinz staat region königreich see kloster schloss kollege namens familie firma".split()
)
"""Endings of nouns behind which a name stands."""

_ENGLISH = frozenset(
    "of the and for to with by is are bug black list resource record records remote public license general release "
    "notes note network interface security server web service services stable republic tracker mail exchange array "
    "disk disks file files name names user users group team open source free software foundation project system "
    "manager control access data protocol internet standard officer document new "
    "policy installer installers enhancement unstable stable testing manual guide packages"
    " package social contract left right up down optional".split()
)
"""Words of English terms, beside or for a name."""


def _misspelt(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if not _is_rare_name(token) or _may_be_adjective(sentence, i) or _stands_as_noun(sentence, i):
            continue
        name = token.text
        if re.match(r"[./_]\w", sentence.text[token.end :]):
            continue  # Packages.xz: a file
        for new in letters_swapped(name):
            yield candidate(
                "transliteration",
                sentence,
                [(token.start, token.end, new)],
                words=(name,),
                unseen=(name,),
                # Krusaders Editor: the genitive would go too
                weak=(name.endswith("s") and not new.endswith("s")) or _may_be_common(sentence, i),
            )


def _may_be_common(sentence: Sentence, i: int) -> bool:
    """*Branch wurde kopiert*, *die Rückgabe von Audio*, *auf Submit Issue*: an English noun or a word of the
    interface. A name has its capital within an English source too, and no small letter there or around."""
    name = sentence.tokens[i].text
    forms = {name, name.removesuffix("s")}
    around = [sentence.source, *(source for source, _ in sentence.nearby)]
    small = {form.lower() for form in forms} | {f"{name.lower()}s"}
    if name.lower() in _COMMON or any(small & set(re.findall(r"\w+", text)) for text in around):
        return True
    if not any(is_ordinary(form) for form in forms):
        return False
    inside = re.findall(r"(?<![.!?:] )(?<!^)\b[^\W\d_]+", sentence.source)
    if sentence.source and not forms & set(inside):
        return True
    if any(_HANDLED.match(t.text) for t in sentence.tokens):
        return True
    beside = sentence.tokens[max(i - 1, 0) : i] + sentence.tokens[i + 1 : i + 2]
    if any(t.text[:1].isupper() and t.pos == "PROPN" and not is_ordinary(t.text) for t in beside):
        return False  # LibreOffice Writer
    return not sentence.source or i == 0 or sentence.tokens[i - 1].text.lower() not in _BEFORE_NAMES


def _is_rare_name(token: Token) -> bool:
    name = token.text
    if not (token.tag in ("NE", "NNP") or token.pos == "PROPN") or len(name) < 5 or not name.isalpha():
        return False
    if not name[0].isupper() or not name[1:].islower() or name.endswith(_NO_NAME) or name.lower() in CLOSED:
        return False
    low = name.lower()
    if low.startswith("un") and (readings(low[2:]) or adjective_lemma(low[2:]) or low.endswith(("iches", "ten"))):
        return False
    if low in _KEYWORDS or verb_forms(low + "en") or verb_forms(low[:-1] + "en"):
        return False
    if low.startswith(("wo", "da")) and low[2:].lstrip("r") in PARTICLES:
        return False  # Wovor, Darauf
    if _is_derived(low):
        return False
    if "ß" in low and noun_readings(name.replace("ß", "ss")):
        return False  # Überdruß
    if "th" in low and (noun_readings(name.replace("th", "t")) or compound_head(name.replace("th", "t"))):
        return False  # Zuthaten
    common = bool(readings(name)) or bool(readings(low))
    return not common and compound_head(name) is None and adjective_lemma(name.lower()) is None


def _is_derived(low: str) -> bool:
    """*Rufer*, *Partitionierer*, *Allverzeihend*, *Benutzerdefiniertes*, *Jedwede*, *Besser*: a word that the lexicon
    lacks, by the one that it is made of."""
    for ending in ("erinnen", "erin", "ers", "ern", "er", "end", "ende", "ender", "endes", "enden"):
        stem = low.removesuffix(ending)
        if stem != low and len(stem) > 2 and any(verb_forms(part + "en") for part in _tails(stem)):
            return True
    inflected = (low.removesuffix(e) for e in ("es", "er", "en", "em", "e") if low.endswith(e))
    if any(r.pos == "V" and "2" in r.codes for base in inflected for part in _tails(base) for r in readings(part)):
        return True
    known = low.startswith(("jedwed", "besser", "mehrer", "jeglich"))
    return known or (len(low) >= _LONG and any(noun_readings(low[:k].capitalize()) for k in range(5, len(low) - 2)))


def _tails(word: str) -> Iterator[str]:
    """The word, and what is behind another of at least three letters."""
    yield word
    for k in range(3, len(word) - 3):
        if readings(word[:k]) or readings(word[:k].capitalize()):
            yield word[k:]


def _may_be_adjective(sentence: Sentence, i: int) -> bool:
    """*Erektile Dysfunktion*: with an ending, and a capital that is due to the sentence start, before a noun."""
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    inflected = sentence.tokens[i].text.endswith(("e", "en", "er", "es"))
    return inflected and after is not None and after.pos == "NOUN" and opens_sentence(sentence, i)


def _is_quoted(sentence: Sentence, i: int) -> bool:
    """Within brackets or quotes: a title, a term."""
    before = [t.text for t in sentence.tokens[:i]]
    opened = sum(w in "([„»" for w in before) - sum(w in ")]“«" for w in before)
    return opened > 0 or before.count('"') % 2 == 1


def _is_english(sentence: Sentence, i: int) -> bool:
    """*Security Bug Tracker*, *Array of Independent Disks*: a term, not a name."""
    near = [t.text.lower() for t in sentence.tokens[max(i - 2, 0) : i + 3]]
    return any(word in _ENGLISH for word in near)


def _is_called(before: Token | None) -> bool:
    """*die Methode Replace*, *der Wert "Empty"*: what something in a program is called."""
    if before is None:
        return False
    return before.text in '"„“»' or (before.pos == "NOUN" and before.text.lower().endswith(_PROGRAM))


def _stands_as_noun(sentence: Sentence, i: int) -> bool:
    """*das Purgativ*, *viele Lasten*, *Länge und Codec*, *Klicken Sie*: after a determiner or adjective, beside a
    common noun, or before *Sie* a word that the lexicon does not have is rather a common one."""
    tokens = sentence.tokens
    before = tokens[i - 1] if i else None
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if after is not None and (after.text in ("Sie", "wir", "(", "#") or _is_called(before)):
        return True
    name = tokens[i].text
    beside = after is not None and after.pos == "PROPN" and after.text[:1].isupper() and len(after.text) > 2
    if _is_quoted(sentence, i) or _is_english(sentence, i):
        return True
    genitive = after is not None and after.pos in ("NOUN", "ADJ") and name.endswith("s")
    alone = not sentence.source.strip()
    if alone and (before is None or opens_sentence(sentence, i)):
        return not (beside or genitive)  # Zuerst, Alsdann
    if before is None or opens_sentence(sentence, i):
        # Bodwell arbeitete, Putins Rede, but not Scannt ein Bild, Carpe diem, Zuviel reden die Leute
        verb = after is not None and after.pos in ("VERB", "AUX") and after.morph.get("Number") != "Plur"
        third = tokens[i + 2].text.lower() if i + 2 < len(tokens) else ""
        fronted = after is not None and after.lemma == "sein" and third in ("der", "die", "das")
        address = after is not None and after.text in ("’", "'")
        return not ((verb and not fronted) or beside or genitive or address)
    if before.pos in ("DET", "ADJ", "NUM") or before.tag == "APPRART" or before.text.lower() in _BEFORE_NOUNS:
        return not beside
    named = before.pos == "PROPN" or (before.pos == "NOUN" and before.text.lower().endswith(_TITLES))
    joined = before.pos == "CCONJ" and i > 1 and tokens[i - 2].pos == "PROPN"
    placed = before.pos in ("ADP", "VERB", "AUX", "PRON", "SCONJ")
    if alone and before.pos == "ADP":
        placed = before.text.lower() in _BEFORE_NAMES | {"nach", "bei", "zu", "gegen"}
    return not (named or joined or placed or beside or genitive)


perturbation = Perturbation(
    name="transliteration",
    language="de",
    summary="two adjacent characters of a name are swapped",
    conditions=(
        "A name of five letters or more, with a capital and small letters, that the lexicon does not have.",
        "Not where it stands as a common noun does: after an article or adjective, or beside such a noun. A name "
        "follows a name, a title, a preposition, a verb or pronoun, or opens a sentence before its verb.",
        "Without a source not where a sentence begins, unless another name follows, and behind few prepositions.",
        "Not within quotes or brackets, nor beside words of English terms; `build errors` asks an English "
        "source for it.",
        "With --train only names that the training text does not have; the first letter stays.",
        "Weak, so never chosen: a last s that is moved, which may be the genitive's; an ordinary English word "
        "(Branch, Submit), unless it is beside a name or an English source has it with a capital inside.",
        "The frequency is the name's.",
    ),
    examples=(
        Example("Das erklärte Filip Drápal gestern.", "Das erklärte Filip Dárpal gestern."),
        Example("Die Vorwürfe und Bezichtigungen gehen weiter.", None),
    ),
    function=_misspelt,
)
