"""The German default back end: tokeniser, lexicon, a small tagger, and rules for noun phrases and clauses.

It fills the relations that the errors need (det, nsubj, aux, compound:prt) and leaves the others empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from kontrast.language.annotation import Sentence, Token
from kontrast.language.german.cells import set_cases
from kontrast.language.german.clauses import Clause, find_clauses, repair_tags
from kontrast.language.german.nominals import Nominal, find_nominals
from kontrast.language.german.tagger import Tagger
from kontrast.language.lexicon import tag_tables
from kontrast.language.lexicons.german import adjective_lemma, noun_readings, readings
from kontrast.language.words import lists_of

_UPOS = tag_tables("stts")["pos"]
_NUMBER = {"s": "Sing", "p": "Plur"}
_TOKEN = re.compile(
    r"(?:https?://|www\.)\S*[\w/]"  # addresses
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\d+(?:[.,]\d+)*(?:-\w+)+"  # 700-Milliarden-Plan
    r"|\d+(?:[.,:/]\d+)+"  # 1.000,50 12:30 3/4
    r"|\d+\.(?=\s+[^\W\d_])(?!\s+[\"»«„“]*$)"  # ordinals: 1. Oktober
    r"|(?:[A-Za-zÄÖÜäöü]\.){2,}"  # z.B. u.a. U.S.
    r"|\b(?:" + "|".join(lists_of("de")["abbreviations"]) + r")\."
    r"|\b[A-ZÄÖÜ]\.(?=\s*[A-ZÄÖÜ])"  # initials
    r"|\w+(?:[-‐‑'’´`&+]\w+)*(?:-(?=\W|$))?"  # words, compounds with hyphens, Hin- und
    r"|\.{2,}|''|``|--+"
    r"|\S"
)


def german_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every token."""
    return [match.span() for match in _TOKEN.finditer(text)]


class German:
    """German annotation that works from this package alone.

    >>> sentence = next(German().annotate(["Die Frau hat das Haus gesehen."]))
    >>> [(t.text, t.tag, t.relation) for t in sentence.tokens][:3]
    [('Die', 'ART', 'det'), ('Frau', 'NN', 'nsubj'), ('hat', 'VAFIN', 'aux')]
    """

    name = "rules"
    language = "de"
    supplies = frozenset({"lemma", "pos", "tag", "morph"})

    def __init__(self) -> None:
        self._tagger = Tagger()

    def annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        for text in texts:
            yield self._sentence(text)

    def _sentence(self, text: str) -> Sentence:
        spans = german_spans(text)
        words = [text[a:b] for a, b in spans]
        tags = self._tagger.tag(words)
        repair_tags(words, tags)
        nominals = find_nominals(words, tags)
        clauses = find_clauses(words, tags, nominals)
        morph: list[dict[str, str]] = [{} for _ in words]
        head = [-1] * len(words)
        relation = [""] * len(words)
        lemma = [_lemma(word, tag) for word, tag in zip(words, tags, strict=True)]
        for nominal in nominals:
            if nominal.determiner >= 0:
                head[nominal.determiner], relation[nominal.determiner] = nominal.head, "det"
        for clause in clauses:
            _attach(clause, words, tags, lemma, morph, head, relation)
        set_cases(nominals, clauses, tags, lemma, morph)
        tokens = tuple(
            Token(word, a, b, lemma[i], _UPOS.get(tags[i], "VERB"), tags[i], morph[i], head[i], relation[i])
            for i, (word, (a, b)) in enumerate(zip(words, spans, strict=True))
        )
        return Sentence(text, tokens)


def _attach(
    clause: Clause,
    words: list[str],
    tags: list[str],
    lemma: list[str],
    morph: list[dict[str, str]],
    head: list[int],
    relation: list[str],
) -> None:
    verb = clause.verb
    centre = verb
    if clause.lexical >= 0:
        centre = clause.lexical
        head[verb], relation[verb] = centre, "aux"
    if clause.particle >= 0:
        head[clause.particle], relation[clause.particle] = verb, "compound:prt"
        lemma[verb] = words[clause.particle].lower() + lemma[verb]
    subject = clause.subject
    wanted: set[str] = set()
    if subject is not None:
        head[subject.head], relation[subject.head] = centre, "nsubj"
        wanted = _agreeing(subject, clause)
    elif clause.shared is not None and clause.shared.subject is not None:
        subject = clause.shared.subject
        relation[centre], head[centre] = (
            "conj",
            clause.shared.lexical if clause.shared.lexical >= 0 else clause.shared.verb,
        )
        wanted = _agreeing(subject, clause)
    codes = sorted(wanted or clause.codes, key=lambda c: ("ptkc".index(c[0]), "312".index(c[1]), c[2]))
    if codes:
        code = codes[0]
        morph[verb] = {
            "Mood": "Ind" if code[0] in "pt" else "Sub",
            "Number": _NUMBER[code[2]],
            "Person": code[1],
            "Tense": "Pres" if code[0] in "pk" else "Past",
            "VerbForm": "Fin",
        }


def _agreeing(subject: Nominal, clause: Clause) -> set[str]:
    """The readings of the finite verb that agree with the subject."""
    numbers = {c[2] for c in subject.cells if c[1] == "n"}
    if subject.joined:
        numbers = numbers | {"p"} if subject.either else {"p"}
    return {code for code in clause.codes if code[1] == subject.person and code[2] in numbers}


@lru_cache(maxsize=50_000)
def _lemma(word: str, tag: str) -> str:
    if tag in ("NN", "NE"):
        found = noun_readings(word)
        return found[0].lemma if found else word
    low = word.lower()
    if tag.startswith("V"):
        verbs = [r for r in readings(low) if r.pos == "V"]
        wanted = {"VVPP": "2", "VVINF": "i", "VVIZU": "z"}.get(tag)
        exact = [r for r in verbs if (wanted in r.codes if wanted else any(len(c) == 3 for c in r.codes))]
        return (exact or verbs)[0].lemma if verbs else low
    if tag == "ADJA":
        return adjective_lemma(low) or low
    if tag == "ART":
        return "ein" if low.startswith("ein") else "der"
    return low
