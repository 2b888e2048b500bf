"""Verb position: the finite verb stands last in a main clause, or second or third where it must not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.errors.de.grammar import LISTS, finite_verbs, subject_of
from kontrast.building.errors.spec import Candidate, candidate
from kontrast.building.errors.text import Edit
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import word_set

_SUBJECTS = word_set("de", "verb_position_subjects")
_FINAL, _BEFORE_MAIN, _ALONE = LISTS["verb_last"], LISTS["before_main"], LISTS["before_subject"]
_NOT_FIRST = ("PW", "KO", "PDS", "PREL", "PTKANT", "ITJ")


def verb_position(sentence: Sentence) -> Iterator[Candidate]:
    verbs = list(finite_verbs(sentence))
    for verb in verbs:
        edits = (
            _second_for_last(sentence, verb, verbs)
            or _third_for_second(sentence, verb)
            or _last_for_second(sentence, verb, verbs)
        )
        if edits:
            yield candidate("verb_position", sentence, edits, words=(sentence.tokens[verb].text,))


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
