"""What can be said of a candidate by name: its words, its clause, its sentence. The judge weighs these features.

A feature is a short identifier, such as ``before:oder`` or ``verb:Past``. Names are stable: a learnt weight belongs
to each. Nothing here knows a language; an error adds what only it can tell (`Candidate.features`).
"""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate
from kontrast.language.annotation import Sentence, Token

__all__ = ["features"]

_SIGNS = frozenset(',;:.!?()[]–—…"„“”»«')
_OPEN_CLASSES = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM", "X"))
_LENGTHS = (4, 7, 11, 17, 26)
_AROUND = 2


def features(sentence: Sentence, candidate: Candidate) -> list[str]:
    """The features of a candidate, each once.

    >>> from kontrast.building.errors.spec import candidate
    >>> words = (Token("Sie", 0, 3, pos="PRON"), Token("lacht", 4, 9, pos="VERB"), Token("nicht", 10, 15, pos="PART"))
    >>> sentence = Sentence("Sie lacht nicht", words)
    >>> found = features(sentence, candidate("nicht_del", sentence, [(9, 15, "")]))
    >>> [name for name in found if name.startswith(("old:", "before"))]
    ['old:nicht', 'before:lacht', 'before.pos:VERB', 'before2:sie', 'before2.pos:PRON']
    """
    tokens = sentence.tokens
    places = [
        i for i, t in enumerate(tokens) if any(e.start < t.end and t.start < e.end for e in candidate.edits)
    ] or [_inserted(tokens, candidate.edits[0].start)]
    first, last = places[0], places[-1]
    found = dict.fromkeys(f"own:{name}" for name in candidate.features)
    found |= dict.fromkeys(_changed(tokens, places, candidate))
    found |= dict.fromkeys(_around(tokens, first, last))
    found |= dict.fromkeys(_clause(tokens, first, last))
    found |= dict.fromkeys(_whole(sentence, places))
    return list(found)


def _inserted(tokens: tuple[Token, ...], place: int) -> int:
    """The word before which, or within which, something is put in."""
    return next((i for i, t in enumerate(tokens) if t.end > place), max(len(tokens) - 1, 0))


def _changed(tokens: tuple[Token, ...], places: list[int], candidate: Candidate) -> Iterator[str]:
    """The words that change, what they are, and what they become."""
    yield f"edits:{min(len(candidate.edits), 4)}"
    yield f"words:{min(len(places), 6)}"
    for edit in candidate.edits[:3]:
        old, new = (" ".join(text.lower().split()) for text in (edit.old, edit.new))
        if old.count(" ") < 2:
            yield f"old:{old}"
        if new.count(" ") < 2:
            yield f"new:{new}"
        if len(old) < 8:
            yield f"old>new:{old}>{new}"
        yield f"ending:{old[-2:]}>{new[-2:]}"
    for i in (places[0], places[-1]):
        if i >= len(tokens):
            continue
        token = tokens[i]
        yield f"lemma:{token.lemma.lower()}"
        yield f"tag:{token.tag or token.pos}"
        yield f"relation:{token.relation}"
        yield from (f"morph:{key}={value}" for key, value in token.morph.items())
        yield f"capital:{token.text[:1].isupper()}"
        if token.head >= 0:
            head = tokens[token.head]
            yield f"head:{head.lemma.lower()}"
            yield f"head.tag:{head.tag or head.pos}"
            yield f"head.away:{min(max(token.head - i, -5), 5)}"
            yield f"head.ending:{head.text[-2:].lower()}"
            yield from (f"head.morph:{key}={value}" for key, value in head.morph.items())
        for child in (t for t in tokens if t.head == i and t.relation.startswith("nsubj")):
            yield f"subject.pos:{child.pos}"
            if child.pos not in _OPEN_CLASSES:
                yield f"subject:{child.text.lower()}"


def _around(tokens: tuple[Token, ...], first: int, last: int) -> Iterator[str]:
    """The words before and behind what changes."""
    for step in range(1, _AROUND + 1):
        for side, i in (("before", first - step), ("after", last + step)):
            name = side if step == 1 else f"{side}{step}"
            if not 0 <= i < len(tokens):
                yield f"{name}:-"
                continue
            yield f"{name}:{tokens[i].text.lower()}"
            yield f"{name}.pos:{tokens[i].tag or tokens[i].pos}"


def _clause(tokens: tuple[Token, ...], first: int, last: int) -> Iterator[str]:
    """The words between the signs around what changes."""
    start, end = first, last
    while start and tokens[start - 1].text not in _SIGNS:
        start -= 1
    while end + 1 < len(tokens) and tokens[end + 1].text not in _SIGNS:
        end += 1
    inside = tokens[start : end + 1]
    if not inside:
        return
    yield f"clause.first:{inside[0].text.lower()}"
    yield f"clause.first.pos:{inside[0].tag or inside[0].pos}"
    yield f"clause.last.pos:{inside[-1].tag or inside[-1].pos}"
    yield f"clause.opened:{tokens[start - 1].text if start else ''}"
    yield f"clause.closed:{tokens[end + 1].text if end + 1 < len(tokens) else ''}"
    yield f"clause.place:{'first' if first == start else 'last' if last == end else 'inner'}"
    yield f"clause.verbs:{min(sum(_is_finite(t) for t in inside), 3)}"
    yield f"clause.length:{_length(len(inside))}"
    for i, token in enumerate(inside, start):
        side = "" if first <= i <= last else "<" if i < first else ">"
        if side:
            yield f"clause{side}:{token.lemma.lower() if token.pos in ('VERB', 'AUX') else token.text.lower()}"
            yield f"clause{side}.pos:{token.tag or token.pos}"


def _whole(sentence: Sentence, places: list[int]) -> Iterator[str]:
    """The sentence: how it begins and ends, its small words, its other verbs."""
    tokens, text = sentence.tokens, sentence.text.rstrip("\"“”»«' )")
    yield f"length:{_length(len(tokens))}"
    yield f"ends:{text[-1:] if text[-1:] in '.!?:…,;' else ''}"
    yield f"begins:{'lower' if text[:1].islower() else 'upper' if text[:1].isupper() else 'sign'}"
    yield f"at:{'start' if places[0] <= 1 else 'end' if places[-1] >= len(tokens) - 2 else 'inner'}"
    for name, signs in (("quoted", '"„“”»«'), ("brackets", "()[]"), ("colon", ":"), ("digits", "0123456789")):
        if any(sign in text for sign in signs):
            yield f"has:{name}"
    for i, token in enumerate(tokens):
        if token.pos not in _OPEN_CLASSES and token.pos != "PUNCT":
            yield f"word:{token.text.lower()}"
        if i not in places and _is_finite(token):
            yield from (
                f"verb:{token.morph[key]}" for key in ("Tense", "Mood", "Number", "Person") if key in token.morph
            )


def _is_finite(token: Token) -> bool:
    return token.tag.endswith("FIN") or (token.pos in ("VERB", "AUX") and token.morph.get("VerbForm", "") == "Fin")


def _length(words: int) -> int:
    return sum(words > bound for bound in _LENGTHS)
