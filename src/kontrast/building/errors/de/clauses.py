"""Clauses: the finite verb stands where it must not; one of several sentences or clauses is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kontrast.building.errors.de.grammar import LISTS, finite_verbs, subject_of
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import Edit
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import word_set

_SUBJECTS = word_set("de", "verb_position_subjects")
_FINAL, _BEFORE_MAIN, _ALONE = LISTS["verb_last"], LISTS["before_main"], LISTS["before_subject"]
_NOT_FIRST = ("PW", "KO", "PDS", "PREL", "PTKANT", "ITJ")


@error("grammar")
def verb_position(sentence: Sentence) -> Iterator[Candidate]:
    """The finite verb is in an impossible position.

    Second instead of last: the clause begins with dass, ob, wenn and others (not weil, obwohl) and a pronoun as
    subject. At least two words are between subject and verb, and one of them cannot follow the verb as a
    prepositional phrase can. Third instead of second: an adverb, a prepositional phrase or a clause begins the
    sentence, and the subject is a pronoun. Questions and adverbs that belong to the subject (nur er, doch er) are
    left out. Last instead of second: the sentence is one clause without commas, begins with its subject, and has no
    verb particle.

    - Er weiß, dass sie das Buch gelesen hat. → Er weiß, dass sie hat das Buch gelesen.
    - Gestern kam er nach Hause. → Gestern er kam nach Hause.
    - Wenn es regnet, bleibe ich zu Hause. → Wenn es regnet, ich bleibe zu Hause.
    - Nur er kam, weil sie das Buch liest. → (nothing)
    """
    verbs = list(finite_verbs(sentence))
    for verb in verbs:
        edits = (
            _second_for_last(sentence, verb, verbs)
            or _third_for_second(sentence, verb)
            or _last_for_second(sentence, verb, verbs)
        )
        if edits:
            yield candidate(sentence, edits, words=(sentence.tokens[verb].text,))


def _second_for_last(sentence: Sentence, verb: int, verbs: Sequence[int]) -> list[Edit] | None:
    """*dass er das Buch liest* → *dass er liest das Buch*."""
    tokens = sentence.tokens
    if verb + 1 >= len(tokens) or tokens[verb + 1].pos != "PUNCT":
        return None
    opener = next((i for i in range(verb - 1, -1, -1) if tokens[i].pos == "PUNCT" or tokens[i].tag == "KOUS"), -1)
    if opener < 0 or tokens[opener].text.lower() not in _FINAL or any(opener < v < verb for v in verbs):
        return None
    subject, between = opener + 1, tokens[opener + 2 : verb]
    if tokens[subject].text not in _SUBJECTS or subject_of(sentence, verb) != subject or len(between) < 2:
        return None
    tags = [token.tag for token in between]
    if "KON" in tags or "PTKZU" in tags:
        return None
    return _moved(sentence, verb, subject) if _must_precede(between) else None


def _must_precede(words: Sequence[Token]) -> bool:
    """Whether some of these cannot stand behind the verb, as prepositional phrases can: *dass er wohnt in Berlin*."""
    if any(w.tag in ("VVPP", "VVINF", "VAPP", "VAINF", "PTKNEG", "PRF", "ADJD") for w in words):
        return True
    return any(w.pos in ("NOUN", "PRON") for w in words) and not any(w.pos == "ADP" for w in words)


def _third_for_second(sentence: Sentence, verb: int) -> list[Edit] | None:
    """*Gestern kam er* → *Gestern er kam*; *Wenn er kommt, gehe ich* → *Wenn er kommt, ich gehe*."""
    tokens = sentence.tokens
    if not 0 < verb < len(tokens) - 2 or tokens[verb + 1].text not in _SUBJECTS - {"sie", "es"}:
        return None
    if tokens[-1].text == "?" or not _is_prefield(tokens[:verb]):
        return None
    one, other = tokens[verb], tokens[verb + 1]
    return [(one.start, one.end, other.text), (other.start, other.end, one.text)]


def _is_prefield(words: Sequence[Token]) -> bool:
    """An adverb, a prepositional phrase or a subordinate clause, with which the sentence begins."""
    first = words[0]
    low = first.text.lower()
    commas = sum(w.pos == "PUNCT" for w in words)
    if words[-1].text == ",":
        return commas == 1 and low in _BEFORE_MAIN and not any(w.tag == "KON" for w in words)
    if commas or low in _ALONE:
        return False
    if len(words) == 1:
        return first.tag in ("ADV", "ADJD", "PROAV", "PAV")
    return first.pos == "ADP" and words[-1].pos in ("NOUN", "PROPN") and not any(w.pos == "VERB" for w in words)


def _last_for_second(sentence: Sentence, verb: int, verbs: Sequence[int]) -> list[Edit] | None:
    """*Der Mann liest ein Buch.* → *Der Mann ein Buch liest.*"""
    tokens = sentence.tokens
    if len(verbs) != 1 or tokens[-1].text != "." or any(t.pos == "PUNCT" for t in tokens[:-1]):
        return None
    if not 0 < verb < len(tokens) - 4 or subject_of(sentence, verb) != verb - 1:
        return None
    if tokens[0].tag.startswith(_NOT_FIRST) or tokens[0].pos == "ADV":
        return None
    rest = tokens[verb + 1 : -1]
    if any(t.tag in ("PTKVZ", "KON", "PTKZU", "VVIZU", "KOKOM") for t in rest):
        return None
    return _moved(sentence, verb, len(tokens) - 2)


def _moved(sentence: Sentence, verb: int, behind: int) -> list[Edit]:
    token, place = sentence.tokens[verb], sentence.tokens[behind].end
    out = (sentence.tokens[verb - 1].end, token.end, "")
    into = (place, place, f" {token.text}")
    return sorted([out, into])


_OPENING = '"„“»«‚'
_CLOSING = "\"“”»«'’)"
_END = re.compile(rf"[.!?:;…][{_CLOSING}]*$")
_ALWAYS = re.compile(rf"[!?;…][{_CLOSING}]*$")
_SHORT = re.compile(
    r"\b(?:[^\W\d_]|[^\W\d_aeiouyäöü]+|Sra|Tel|Ing|Sal|Mill|Mass|Calif|Inc|Co|Ltd|Rev|Gen)\.$", re.IGNORECASE
)
"""Abbreviations that the tokeniser parts from their stop: v. Chr., z. B., d. h., Tsch."""


class Part(NamedTuple):
    """A sentence, or a clause that a colon or semicolon ends; ``mark`` is its last mark."""

    start: int
    end: int
    mark: str


@error("omission")
def clause_omission(sentence: Sentence) -> Iterator[Candidate]:
    """One of several sentences or clauses is left out.

    The segment has two or more parts that end in a full stop, question mark, exclamation mark, colon or semicolon.
    Each part is left out in turn, with its blank. A full stop replaces a colon or semicolon at the end, and the first
    word gets a capital letter. Full stops of abbreviations (z.B., ca., v. Chr.) and ordinals (am 18. Dezember) do not
    separate parts.

    - Es war spät. Wir gingen. → Es war spät.
    - Sie hat gewonnen; er hat verloren. → Sie hat gewonnen.
    - Am 18. Dezember kam sie. → (nothing)
    """
    clean = _parts(sentence, clean=True)
    for k in range(len(clean)):
        if k and clean[k - 1].mark == ":" and sentence.text[clean[k].start] in _OPENING:
            continue  # Er sagte: „Komm!“: the verb needs it
        edit = _repaired(sentence.text, clean, k)
        yield candidate(sentence, [edit], features=_part_features(sentence, clean, k))
    plain = _parts(sentence, clean=False)
    for k, part in enumerate(plain):
        edit = (plain[k - 1].end, part.end, "") if k == len(plain) - 1 else (part.start, plain[k + 1].start, "")
        yield candidate(sentence, [edit], features=("not_repaired",))


def _part_features(sentence: Sentence, parts: list[Part], k: int) -> tuple[str, ...]:
    before, behind = parts[max(0, k - 1) : k], parts[k + 1 : k + 2]
    said = flags(neighbour_has_no_verb=not all(_has_verb(sentence, p) for p in before + behind))
    label = parts[k].mark == ":" and not _has_verb(sentence, parts[k])
    return said + doubts(label=label, led_in=any(_leads_in(sentence, part) for part in before))


def _leads_in(sentence: Sentence, part: Part) -> bool:
    """*Das Ergebnis war:*, *die folgenden:*: does it end with a verb or a word that needs what comes?"""
    inside = [i for i, t in enumerate(sentence.tokens) if part.start <= t.start < part.end and t.text.isalpha()]
    last = sentence.tokens[inside[-1]] if inside else None
    needs = last is not None and (inside[-1] in finite_verbs(sentence) or last.text.lower() in LISTS["leading_in"])
    return part.mark == ":" and needs


def _has_verb(sentence: Sentence, part: Part) -> bool:
    return any(part.start <= sentence.tokens[i].start < part.end for i in finite_verbs(sentence))


def _repaired(text: str, parts: list[Part], k: int) -> tuple[int, int, str]:
    """The edit that leaves a well-formed text: a full stop for a last colon or semicolon, a capital at the start."""
    part = parts[k]
    if k == len(parts) - 1:
        before = parts[k - 1]
        if before.mark in ":;":
            return before.end - 1, part.end, "." if part.mark in ".!?…" else ""
        return before.end, part.end, ""
    after = parts[k + 1]
    if text[after.start].islower() and (k == 0 or parts[k - 1].mark not in ":;"):
        return part.start, after.start + 1, text[after.start].upper()
    return part.start, after.start, ""


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
        # After a full stop or colon a capital, a figure or a quote begins something new.
        if follower.islower() and (not _ALWAYS.search(text[start:end]) or (clean and stripped[-1] != ";")):
            continue
        if clean and _SHORT.search(stripped):
            continue
        if clean and stripped[-2:-1].isdigit() and follower.isdigit():
            continue
        parts.append(Part(start, end, "…" if stripped.endswith("..") else stripped[-1]))
        start = match.end()
    end = len(text.rstrip())
    parts.append(Part(start, end, text[:end].rstrip(_CLOSING)[-1:] or "."))
    has_words = all(any(c.isalpha() for c in text[part.start : part.end]) for part in parts)
    return parts if len(parts) > 1 and has_words else []
