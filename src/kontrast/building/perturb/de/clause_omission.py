"""Omission: one of several sentences or clauses of a segment is left out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.de.verb_uses import is_label, verb_lemmas
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import attested
from kontrast.language.lexicons.german_words import CLOSED

_CLOSING = "\"“”»«'’)"
_END = re.compile(rf"[.!?:;…][{_CLOSING}]*$")
_ALWAYS = re.compile(rf"[!?;…][{_CLOSING}]*$")
_SHORT = re.compile(
    r"\b(?:[^\W\d_]|[^\W\d_aeiouyäöü]+|Sra|Tel|Ing|Sal|Mill|Mass|Calif|Inc|Co|Ltd|Rev|Gen)\.$", re.IGNORECASE
)
"""Abbreviations that the tokeniser parts from their stop: v. Chr., z. B., d. h., Tsch."""
_TRAILING = re.compile(rf"(?:\.\.|…)[{_CLOSING}]*\s+[{_CLOSING}„(]*[A-Z]")
_SOURCE_END = re.compile(rf"(?:[.!?:;…][{_CLOSING}]*|\s[-–]|—)\s+")
_CODE = re.compile(r"\w\((?:[^()]|\([^()]*\))*\);$")
"""*wait();*: the semicolon belongs to the code."""
_ARROWS = "→▸▶>"
"""*Kile einrichten... → Kile*: a path through menus goes on."""
_SUBORDINATES = frozenset(("KOUS", "KOUI", "PRELS", "PRELAT"))
_PAIRS = (("„", "“”"), ("‚", "‘’"), ("»", "«"), ("(", ")"), ("``", "''"), ("[", "]"))


_AGAIN = ("mit anderen worten", "das heißt", "d. h.", "d.h.", "sprich", "anders gesagt", "kurz gesagt")
_QUOTED = "„“”\"»«'‚"
_ANNOUNCING = frozenset(
    "Rat Tipp Hinweis Frage Grund Problem Beispiel Weg Wege Regel Möglichkeiten Optionen Gründe Art Arten Dinge "
    "Folgen Ziel Aufgabe Lösung eines eins zwei drei vier beiden dies Dies was Was hier Hier dazu wie Wie".split()
)


class Part(NamedTuple):
    """A sentence, or a clause that a colon or semicolon ends; ``mark`` is its last mark."""

    start: int
    end: int
    mark: str


def _shortened(sentence: Sentence) -> Iterator[Candidate]:
    verbs = [sentence.tokens[i].start for i in finite_verbs(sentence)]
    clean = _parts(sentence, clean=True)
    for k in range(len(clean)):
        edit = _repaired(sentence, clean, k, verbs)
        if edit is not None:
            weak = _adds_little(sentence.text[clean[k].start : clean[k].end])
            weak = weak or " ; " in sentence.text or "es sei denn" in sentence.text.lower()
            weak = weak or re.search(r"(?i)\bentweder\b", sentence.text) is not None
            weak = (
                weak
                or _at_a_colon(sentence, clean, k)
                or not _has_main_verb(sentence, [p for p in clean if p != clean[k]])
                or _is_listed(sentence, clean, k)
                or _at_a_gap(sentence, clean, k)
                or _is_added(sentence, clean)
            )
            yield candidate("clause_omission", sentence, [edit], weak=weak)
    plain = _parts(sentence, clean=False)
    for k, part in enumerate(plain):
        if k == len(plain) - 1:
            yield candidate("clause_omission", sentence, [(plain[k - 1].end, part.end, "")], weak=True)
        else:
            yield candidate("clause_omission", sentence, [(part.start, plain[k + 1].start, "")], weak=True)


def _at_a_gap(sentence: Sentence, parts: list[Part], k: int) -> bool:
    """*die Option Alle … Minuten*: an ellipsis ends a sentence for sure only where one does in the source."""
    marks = {parts[k].mark if k + 1 < len(parts) else "", parts[k - 1].mark if k else ""}
    return "…" in marks and not _TRAILING.search(sentence.source)


def _is_added(sentence: Sentence, parts: list[Part]) -> bool:
    """Has the source fewer sentences and clauses: is one of these the translator's own?"""
    source = sentence.source.strip()
    return bool(source) and len(_SOURCE_END.findall(source)) + 1 < len(parts)


def _adds_little(part: str) -> bool:
    """*mit anderen Worten, …*, *Na gut!*: what says the same again, or next to nothing."""
    return part.lower().startswith(_AGAIN) or (part.endswith("!") and len(part.split()) < 3)


def _at_a_colon(sentence: Sentence, parts: list[Part], k: int) -> bool:
    """Does a colon join the part to one that stays, and is one of them an announcement, a list, an infinitive or
    speech, or not a main clause of its own?"""
    pairs = [(a, b) for a, b in itertools.pairwise(parts) if a.mark == ":" and parts[k] in (a, b)]
    if pairs and any(sign in sentence.text for sign in ("→", " > ", ":-)", ";-)")):
        return True  # a path through menus
    for before, after in pairs:
        alone = _has_main_verb(sentence, [before]) and _has_main_verb(sentence, [after])
        opening = sentence.text[after.start : after.start + 1]
        if not alone or opening in _QUOTED or _completed(sentence, before) or _announces(sentence, before):
            return True
    return False


def _is_listed(sentence: Sentence, parts: list[Part], k: int) -> bool:
    """Is the part one of a list: do semicolons part it and a neighbour, and one of them is no main clause?"""
    pairs = [(a, b) for a, b in itertools.pairwise(parts) if a.mark == ";" and parts[k] in (a, b)]
    listed = any(not _has_main_verb(sentence, [part]) for pair in pairs for part in pair)
    return listed or (bool(pairs) and any(part.mark == ":" for part in parts))


def _announces(sentence: Sentence, part: Part) -> bool:
    """*Mein Rat ist einfach:*, *Es gibt zwei Wege:*: what a colon follows says what is to come."""
    words = {t.text for t in sentence.tokens if part.start <= t.start < part.end}
    return bool(words & _ANNOUNCING) or len(words) < 6


def _has_main_verb(sentence: Sentence, parts: list[Part]) -> bool:
    """Is there a finite verb in what stays whose clause nothing subordinates?"""
    finite = set(finite_verbs(sentence))
    for part in parts:
        opened, begun = False, False
        for i, token in enumerate(sentence.tokens):
            if not part.start <= token.start < part.end:
                continue
            if token.pos == "PUNCT":
                opened, begun = (False, False) if token.text in ",;:-–—" else (opened, begun)
            elif token.tag in _SUBORDINATES or (token.tag in ("PWS", "PWAV") and part.mark != "?" and not begun):
                opened = True
            elif i in finite and not opened and not is_label(sentence, i):
                return True
            begun = begun or token.pos != "PUNCT"
    return False


def _repaired(sentence: Sentence, parts: list[Part], k: int, verbs: list[int]) -> tuple[int, int, str] | None:
    """The edit that leaves a well-formed text: a full stop for a last colon or semicolon, a capital at the start."""
    text, part = sentence.text, parts[k]
    last = k == len(parts) - 1
    before = parts[k - 1] if k else None
    inner = part.mark in ":;…" or (before is not None and before.mark in ":;")
    if text[part.start] in "-–—" and not any(part.start <= v < part.end for v in verbs):
        return None  # who said it
    if not any(part.start <= v < part.end for v in verbs) and (inner or len(text[part.start : part.end].split()) < 3):
        return None  # a label, a phrase, a name
    if last:
        assert before is not None
        start, new = before.end, ""
        if before.mark in ":;":
            if _completed(sentence, before) or not any(before.start <= v < before.end for v in verbs):
                return None
            start, new = before.end - 1, "." if part.mark in ".!?…" else ""
        edit = (start, part.end, new)
    else:
        after = parts[k + 1]
        if text[after.start] in "-–—" or _says_little(text[part.start : part.end]):
            return None
        if part.mark == ":" and not _stands_alone(sentence, after):
            return None
        if inner and not any(after.start <= v < after.end for v in verbs):
            return None
        edit = (part.start, after.start, "")
        if text[after.start].islower() and (before is None or before.mark not in ":;"):
            if _begins_with_name(text[after.start : after.end]):
                return None
            edit = (part.start, after.start + 1, text[after.start].upper())
    kept = text[: edit[0]] + edit[2] + text[edit[1] :]
    return edit if _unbalanced(kept) <= _unbalanced(text) else None


def _begins_with_name(part: str) -> bool:
    """*length enthält 15*: a small word that the language does not have is a name of code, which takes no capital."""
    first = re.match(r"\w+", part)
    return first is None or not (attested(first[0]) or first[0] in CLOSED)


def _stands_alone(sentence: Sentence, part: Part) -> bool:
    """Is what follows the colon a main clause, not a list, an infinitive or *Wie man …*?"""
    words = [i for i, t in enumerate(sentence.tokens) if part.start <= t.start < part.end]
    finite = set(finite_verbs(sentence))
    first = next((i for i in words if sentence.tokens[i].pos != "PUNCT"), None)
    if first is None or (sentence.tokens[first].tag in ("PWAV", "PWS", "KOUS", "KOUI") and part.mark != "?"):
        return False
    opening = itertools.takewhile(lambda i: sentence.tokens[i].text != ",", words)
    return any(i in finite for i in opening) or sentence.tokens[first].tag in ("PWAV", "PWS")


def _says_little(part: str) -> bool:
    """*Denkt daran:*, *Was seltsam ist:*: an opening, with which nothing is lost."""
    return part.endswith(":") and (len(part.split()) < 5 or part.startswith(("Was ", "Wie ")))


def _completed(sentence: Sentence, part: Part) -> bool:
    """Does the part before a colon end in its verb, say something, or open a list: is it nothing without the rest?"""
    text = sentence.text[part.start : part.end]
    if text[-1] not in ":;" or re.search(r"\b([Ff]olgende[rnsm]?|so|nachfolgend|wie folgt)\b", text):
        return True
    words = [t for t in sentence.tokens if part.start <= t.start < part.end - 1]
    if part.mark == ":" and len(words) < 4:
        return True  # Beachten Sie:
    finite = {sentence.tokens[i].start for i in finite_verbs(sentence)}
    if part.mark == ":" and words[-1].start in finite and not any(t.text == "," for t in words):
        return True  # Negativ ist: Fest steht:
    tail = list(itertools.takewhile(lambda t: t.text != ",", reversed(words)))
    if part.mark == ":" and len(tail) < 3 and any(t.start in finite for t in tail):
        return True  # Wenn wir das lesen, erhalten wir:
    return part.mark == ":" and bool(verb_lemmas(words) & SAYING)


def _unbalanced(text: str) -> int:
    """How many quotes and brackets lack their partner."""
    odd = text.count('"') % 2
    return odd + sum(abs(text.count(a) - sum(text.count(c) for c in (b if len(a) == 1 else [b]))) for a, b in _PAIRS)


def _parts(sentence: Sentence, *, clean: bool) -> list[Part]:
    """The parts between full stops, colons and semicolons that are followed by a blank; two at least, or none.

    With ``clean`` not at abbreviations, nor where a mark within the sentence is followed by a small letter.
    """
    text = sentence.text
    parts: list[Part] = []
    start = 0
    enders = {t.end for t in sentence.tokens if t.text[-1] in ".!?:;…" and (len(t.text) == 1 or set(t.text) <= {"."})}
    for match in re.finditer(r"\s+", text):
        end = match.start()
        stripped = text[:end].rstrip(_CLOSING)
        if not _END.search(text[start:end]) or len(stripped) not in enders or len(text) == match.end():
            continue
        follower = text[match.end()]
        if follower in _ARROWS or _CODE.search(text[:end]) or (stripped.endswith("..") and follower == "("):
            continue  # a path through menus, code, a button (Speichern... (siehe unten))
        # After a full stop or colon a capital, a figure or a quote begins something new.
        if follower.islower() and (
            not _ALWAYS.search(text[start:end]) or (clean and stripped[-1] != ";") or text[end - 1] == ")"
        ):
            continue
        if clean and (follower in ",;" or text[len(stripped) - 2 : len(stripped)] == " ?"):
            continue  # auf ? , um: something is missing there
        if clean and (_SHORT.search(stripped) or (stripped[-2:-1].isdigit() and follower.isdigit())):
            continue
        parts.append(Part(start, end, "…" if stripped.endswith("..") else stripped[-1]))
        start = match.end()
    end = len(text.rstrip())
    parts.append(Part(start, end, text[:end].rstrip(_CLOSING)[-1:] or "."))
    has_words = all(any(c.isalpha() for c in text[part.start : part.end]) for part in parts)
    return parts if len(parts) > 1 and has_words else []


perturbation = Perturbation(
    name="clause_omission",
    language="de",
    summary="one of several sentences or clauses is left out",
    conditions=(
        "The segment has two or more parts that end in a full stop, question or exclamation mark, colon, semicolon.",
        "Each part is left out in turn, with the blank that parts it from its neighbour; where a colon or semicolon "
        "would be left at the end a full stop takes its place, and a capital comes to the start.",
        "What a colon or semicolon parts must have a finite verb on both sides, and quotes keep their partners.",
        "Full stops of abbreviations (z.B., ca., v. Chr.) and ordinals (am 18. Dezember) part nothing, nor do "
        "semicolons of code (wait();) and dots within a path of menus (Öffnen... → Datei).",
        "Weak, so never chosen: the part taken out and nothing repaired; at a colon a part beside an announcement, a "
        "list, an infinitive or speech; a member of a list; what would leave no main clause with a finite verb; "
        "at an ellipsis, unless a source has one at a sentence's end; where a source has fewer sentences.",
    ),
    examples=(
        Example("Es war spät. Wir gingen.", "Es war spät."),
        Example("Sie hat gewonnen; er hat verloren.", "Sie hat gewonnen."),
        Example("Am 18. Dezember kam sie.", None),
    ),
    function=_shortened,
)
