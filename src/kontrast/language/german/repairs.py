"""Repairs of the tagger's choice: articles by what agrees with them, finite verbs by their clauses."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.german.cells import meet, noun_cells, weak_ending_fits
from kontrast.language.german.clauses import FINITE, OPENERS, segment
from kontrast.language.lexicons.german import adjective_lemma, noun_readings, readings
from kontrast.language.lexicons.german_words import DEFINITE

_CONTENT = [["dass"], ["daß"], ["ob"], ["wie"], ["warum"], ["wann"], ["was"]]


def repair_articles(words: Sequence[str], tags: list[str]) -> None:
    """An article that cannot agree with what follows is a pronoun: *ist das Anlass*."""
    for i in range(len(words) - 1):
        low = words[i].lower()
        if low not in DEFINITE or tags[i] != "ART":
            continue
        _repair_adjectives(words, tags, i)
        before = tags[i - 1] if i else ""
        relative = before == "$," or (before == "APPR" and i > 1 and tags[i - 2] == "$,")
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


def _verb_ends(tags: Sequence[str], start: int) -> bool:
    """Does the first finite verb from here on stand last in its clause?"""
    for i in range(start, len(tags)):
        if tags[i] in FINITE:
            return i > start and (i + 1 == len(tags) or tags[i + 1][0] == "$" or tags[i + 1] == "KON")
        if tags[i][0] == "$":
            return False
    return False


_NONFINITE = {"VVINF": "VVFIN", "VVPP": "VVFIN", "VAINF": "VAFIN", "VMINF": "VMFIN", "VVIMP": "VVFIN"}
_MISTAKEN = frozenset(("VVPP", "VVINF", "ADJA", "ADJD", "ADV"))
_SUBJECT_STARTS = frozenset(("NN", "NE", "PPER", "ART", "PPOSAT", "PIS", "PIAT", "PDAT", "PDS"))


def repair_finite(words: Sequence[str], tags: list[str]) -> None:
    """A clause without a finite verb has one that was taken for an infinitive: *Experten befürchten, …*."""
    _before_address(words, tags)
    _before_signs(words, tags)
    _in_clauses_without(words, tags)


def _before_address(words: Sequence[str], tags: list[str]) -> None:
    """*Klicken Sie …*: a verb that the lexicon does not have, where a sentence begins."""
    for i in range(len(words) - 1):
        opens = i == 0 or words[i - 1] in (".", "!", "?", ":", "»", "„", "“")
        if opens and words[i + 1] == "Sie" and tags[i] in ("NN", "NE", "FM") and words[i].endswith("n"):
            tags[i] = "VVFIN"


def _before_signs(words: Sequence[str], tags: list[str]) -> None:
    """The last word before a comma or full stop is the finite verb, where its clause has no other."""
    opener, finite, part = -1, False, 0
    for i, tag in enumerate(tags):
        if tag in FINITE:
            finite = True
        elif tag in OPENERS:
            opener, finite = i, False
        elif tag in ("$,", "$."):
            if tags[part] == "ART" and not finite and i - part > 2 and tags[i - 1] in ("VAINF", "VMINF"):
                tags[part], opener = "PRELS", part  # die Forscher entdeckt haben
            opened = opener >= 0 and tags[opener] in ("KOUS", "PRELS")
            main = opener < 0 and i > 1 and tags[i - 2] in ("NN", "NE") and tags[i - 1] == "VVINF"
            if not finite and (opened or main) and _may_become_finite(words, tags, i - 1):
                tags[i - 1], finite = _NONFINITE[tags[i - 1]], True
            if finite or tag == "$.":
                opener, finite = -1, False
            part = i + 1


def _in_clauses_without(words: Sequence[str], tags: list[str]) -> None:
    """Clauses that still have no finite verb: the last verb of a subordinate one, the second place of a main one."""
    for clause in segment(words, tags):
        if clause.verb >= 0 or clause.infinitive:
            continue
        verbal = [i for i in clause.tokens if _may_become_finite(words, tags, i)]
        if clause.opener >= 0:
            if verbal and tags[clause.opener] != "PWAV":
                tags[verbal[-1]] = _NONFINITE[tags[verbal[-1]]]
        elif verbal and verbal[0] > clause.tokens[0] and tags[verbal[0] - 1] in ("NN", "NE", "PPER", "PIS"):
            tags[verbal[0]] = _NONFINITE[tags[verbal[0]]]
        else:
            _in_second_place(clause.tokens, words, tags)


def _may_become_finite(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    return tags[i] in _NONFINITE and not (i and tags[i - 1] == "PTKZU") and _can_be_finite(words[i])


def _in_second_place(tokens: Sequence[int], words: Sequence[str], tags: list[str]) -> None:
    """A main clause without a verb: *Um dies zu messen, entwickelten Forscher …*, *Oft geraten Deutsche …*."""
    for i in tokens:
        follower = tags[i + 1] if i + 1 < len(tags) else "$."
        if tags[i] not in _MISTAKEN or not words[i].islower() or not _can_be_finite(words[i]):
            continue
        before = tags[i - 1] if i else "$."
        alone = before == "$," and follower == "$," and tags[i] in _NONFINITE  # Der Kandidat, …, behauptet, …
        opens = before == "$," and i - 1 > 0 and follower in _SUBJECT_STARTS
        second = before in ("NN", "NE", "ADV") and follower in _SUBJECT_STARTS and tags[i] != "ADJA"
        if alone or opens or second:
            tags[i] = "VVFIN"
            return


def _can_be_finite(word: str) -> bool:
    return any(r.pos == "V" and any(len(code) == 3 for code in r.codes) for r in readings(word.lower()))
