"""Is *der, die, das* an article, or a demonstrative or relative pronoun? What follows must agree with an article."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.german.cells import meet, noun_cells, strong_ending_fits, weak_ending_fits
from kontrast.language.german.phrases import QUOTES, phrase
from kontrast.language.german.verbs import finite_codes
from kontrast.language.lexicons.german import adjective_lemma, noun_readings, readings
from kontrast.language.lexicons.german_words import DEFINITE, DETERMINERS, PREPOSITION_CASES

_FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN"))
_ATTRIBUTIVE = frozenset(("ART", "PPOSAT", "PDAT"))
_CONTENT = [["dass"], ["daß"], ["ob"], ["wie"], ["warum"], ["wann"], ["was"]]
_PHRASE_STARTS = frozenset(("ADJA", "ADJD", "ADV", "APPR", "APPRART", "NN"))


def repair_articles(words: Sequence[str], tags: list[str]) -> None:
    """An article that cannot agree with what follows is a pronoun: *ist das Anlass*, *bei dem letzte Woche*.

    A pronoun that agrees with what follows, and opens no clause, is an article.
    """
    for i in range(len(words) - 1):
        low = words[i].lower()
        if tags[i] in _ATTRIBUTIVE:
            _repair_participle(words, tags, i)
        if low not in DEFINITE:
            continue
        if tags[i] in ("PRELS", "PDS") and _is_article(words, tags, i):
            tags[i] = "ART"
        if tags[i] != "ART":
            continue
        _repair_adjectives(words, tags, i)
        before = tags[i - 1] if i else ""
        preposition = words[i - 1].lower() if before == "APPR" else None
        relative = before == "$," or (preposition is not None and i > 1 and tags[i - 2] == "$,")
        if relative and not _can_be_article(words, tags, i, preposition):
            tags[i] = "PRELS"
        if tags[i + 1] not in ("NN", "NE"):
            continue
        met = _met(words[i + 1], low)
        if noun_readings(words[i + 1]) and not met and (relative or low == "das"):
            tags[i] = "PRELS" if relative else "PDS"
        elif relative and (
            (
                (tags[i + 1] == "NE" or not noun_readings(words[i + 1]) or {c[1] for c in met} == {"g"})
                and _verb_ends(tags, i + 2)
            )
            or (
                tags[i + 2 : i + 3] == ["VAFIN"]
                and _verb_ends(tags, i + 1)
                and list(words[i + 4 : i + 5]) not in _CONTENT
            )
        ):
            tags[i] = "PRELS"


def _can_be_article(words: Sequence[str], tags: Sequence[str], i: int, preposition: str | None) -> bool:
    """Is there a noun that agrees with it: not so in *nach der geheime Akten*, *der sein Land regierte*?"""
    found = phrase(words, tags, i)
    if found is None:
        return tags[i + 1] not in ("PPOSAT", "PPER", "PRF", "APPR", "APPRART")
    cases = PREPOSITION_CASES.get(preposition, "adg") if preposition else "nadg"
    met = {c for c in _met(words[found.head], words[i].lower()) if c[1] in cases}
    adjective = next((words[k] for k in range(found.head - 1, i, -1) if tags[k] == "ADJA"), None)
    if adjective is None or (adjective[:1].isupper() and adjective.endswith("er")):
        return bool(met) or preposition is None or not noun_readings(words[found.head])
    return any(weak_ending_fits(adjective, cell) for cell in met)


def _repair_participle(words: Sequence[str], tags: list[str], i: int) -> None:
    """*seine strengen Kontrollen*, *die als Transcity bekannte Gruppe*: after a determiner without a noun no verb."""
    k = i + 1
    mistaken = ["VVFIN"]
    if list(tags[k : k + 2]) == ["CARD", "NN"] and k + 2 < len(tags):
        k += 2  # der 1.400 Lichtjahre entfernte Nebel, die 12 Meilen lange Leitung
        mistaken = ["VVFIN", "ADV", "ADJD"]
    if tags[k] in ("APPR", "APPRART", "KOKOM") and phrase(words, tags, i) is None:
        while k < min(i + 8, len(tags) - 2) and tags[k] != "VVFIN" and not tags[k].startswith("$"):
            k += 1
    if tags[k] in mistaken and k + 1 < len(tags) and tags[k + 1] in ("ADJA", "NN") and adjective_lemma(words[k]):
        allowed = {g + c for g, c in DETERMINERS.get(words[i].lower(), ())}
        noun = k + 1 if tags[k + 1] == "NN" else k + 2
        if noun < len(tags) and tags[noun] == "NN" and meet(noun_cells(words[noun], "NN")[0], allowed):
            tags[k] = "ADJA"


def _repair_adjectives(words: Sequence[str], tags: list[str], i: int) -> None:
    """Adjectives after an article that look like other words: *auf der einen Seite*, *der Nahe Osten*."""
    before = tags[i - 1] if i else ""
    if before != "$," and words[i + 1] in ("eine", "einen") and tags[i + 2 : i + 3] in (["NN"], ["KON"], ["ADJA"]):
        tags[i + 1] = "ADJA"
    k = i + 1
    while k + 1 < len(tags) and (tags[k] == "ADJA" or _is_capital_adjective(words, tags, k, words[i].lower())):
        tags[k] = "ADJA"
        k += 1


def _is_capital_adjective(words: Sequence[str], tags: Sequence[str], k: int, article: str) -> bool:
    """*der Nahe Osten*, *die Industrielle Revolution*, *das Heilige Römische Reich*, *die Kopenhagener Börse*."""
    word = words[k]
    if tags[k] not in ("NN", "NE") or not word.endswith(("e", "en", "er")):
        return False
    noun = k + 1
    while noun + 1 < len(tags) and not _is_noun(words, tags, noun) and words[noun][:1].isupper():
        noun += 1
    if not _is_noun(words, tags, noun):
        return False
    met = _met(words[noun], article)
    if word.endswith("er"):
        place = any(r.pos == "E" for base in (word[:-2], word[:-1], word[:-2] + "en") for r in readings(base))
        return bool(met) and (place or any(r.pos == "A" for r in readings(word)) or not noun_readings(word))
    lemma = adjective_lemma(word.lower())
    person = any(r.pos == "N" for r in readings(word))  # der Angeklagte
    participle = person and lemma is not None and any(r.pos == "V" for r in readings(lemma))
    adjective = (lemma is not None and not participle) or word.endswith(("ische", "ischen"))
    return adjective and any(weak_ending_fits(word, cell) for cell in met)


def _is_noun(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    return tags[i] == "NN" or (tags[i] == "NE" and any(r.pos == "N" for r in readings(words[i])))


def _met(noun: str, article: str) -> set[str]:
    """The cells that noun and article have in common."""
    return meet(noun_cells(noun, "NN")[0], {g + c for g, c in DEFINITE[article]})


def _is_article(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """*Hopf, der junge Dirigent, …*; *beschlossen, die von ihr eingereichte Klage …*: no verb makes it a clause.

    Neither does one in second place: *mit, der vermummte Täter habe die Frau überrascht*.
    """
    start = i + 2 if words[i + 1] in QUOTES and i + 2 < len(tags) else i + 1
    if tags[start] not in _PHRASE_STARTS:
        return False
    if tags[i] == "PDS" and tags[start] == "NN" and words[i].lower() in ("das", "die"):
        # das Wichtigste: without the article it would be Wichtigstes
        small = words[start][:1].lower() + words[start][1:]
        return words[start].endswith("e") and adjective_lemma(small) is not None and bool(_met(words[start], "das"))
    tags = [*tags[:i], "ART", *tags[i + 1 :]]
    found = phrase(words, tags, i)
    if found is None:
        return False
    fitting = _met(words[found.head], words[i].lower())
    adjective = next((words[k] for k in range(found.head - 1, i, -1) if tags[k] == "ADJA"), None)
    if adjective is not None:
        if not any(weak_ending_fits(adjective, cell) for cell in fitting):
            return False
        # der gesunde Verstand: without the article it would be gesunder or gesunden.
        if not any(strong_ending_fits(adjective, c) for c in noun_cells(words[found.head], "NN")[0]):
            return True
    for k in range(found.head + 1, len(tags)):
        if tags[k] in _FINITE:
            # die Frage ist, wie …; die Regierung versuche, …: reported speech
            main = list(words[k + 2 : k + 3]) in _CONTENT or _is_reported(words[k])
            return k == found.head + 1 and bool(fitting) and (main or not _verb_ends(tags, found.head))
        if tags[k] in ("$,", "$.", "VVIZU", "PTKZU"):
            return bool(fitting)
    return bool(fitting)


def _is_reported(verb: str) -> bool:
    """A third person that only the first subjunctive has: *er habe, sie versuche*."""
    third = {code[0] for code in finite_codes(verb) if code[1:] == "3s"}
    return third == {"k"}


def _verb_ends(tags: Sequence[str], start: int) -> bool:
    """Does the first finite verb from here on stand last in its clause?"""
    for i in range(start, len(tags)):
        if tags[i] in _FINITE:
            return i > start and (i + 1 == len(tags) or tags[i + 1][0] == "$" or tags[i + 1] == "KON")
        if tags[i][0] == "$":
            return False
    return False
