"""The gender of a French third-person pronoun changed, with every word that must agree with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from kontrast.building.checks.nouns_before import (
    fits_another,
    genders,
    is_decided,
    opens_both,
    taken_up,
)
from kontrast.building.errors.fr.agreement import Change, overdone
from kontrast.building.errors.fr.pronoun_mentions import (
    CLAUSES,
    DEMONSTRATIVES,
    INDEFINITES,
    PERSONAL,
    SUBJECTS,
    Occurrence,
    is_marked,
    mentions_of,
    other_gender,
)
from kontrast.building.errors.fr.pronoun_reference import (
    does_something,
    has_determiner,
    is_bracketed,
    is_done_by,
    is_done_with,
    is_generic,
    is_label,
    is_of_person,
    is_presented,
    is_said_before,
    is_taken,
    is_told_before,
    is_told_elsewhere,
    is_unsaid,
    may_be_named,
    tells_person,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord, words_of


def _edits(
    sentence: Sentence, words: Sequence[FrenchWord], changes: Sequence[Change], elide: bool = True
) -> list[tuple[int, int, str]]:
    """Character edits, with elision set right: s'il and si elle, d'elle and de lui."""
    text = sentence.text
    edits: dict[int, tuple[int, int, str]] = {}
    for index, new in changes:
        word = words[index]
        old = text[word.start : word.end]
        start, end, becomes = word.start, word.end, like(old, new)
        before = words[index - 1] if index else None
        if elide and before is not None and new and word.low not in ("le", "la", "un", "une"):
            joined = text[before.start : before.end]
            if before.low == "s'" and new in ("elle", "elles"):
                start, becomes = before.start, like(joined[0], "si") + " " + becomes
            elif before.low == "si" and new in ("il", "ils"):
                start, becomes = before.start, joined[0] + "'" + becomes
            elif before.low in ("d'", "qu'") and new == "lui":
                start, becomes = before.start, joined[:-1] + "e " + becomes
            elif before.low in ("de", "que") and word.low == "lui":
                start, becomes = before.start, joined[:-1] + "'" + becomes
        if new == "":
            end = words[index + 1].start
        edits[index] = (start, end, becomes)
    return [edit for edit in edits.values() if text[edit[0] : edit[1]] != edit[2]]


def pronoun_gender(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    mentions = list(mentions_of(words))
    for mention in mentions:
        edits = _edits(sentence, words, mention.changes)
        told = _is_one_of(sentence, words, mention)
        opens = _opens(sentence, words, mention) and not _is_said_again(words, mentions, mention)
        decided = told or _is_decided(sentence, words, mention) or opens
        said = doubts(
            unsure=not mention.sure,
            fits_another=not told and _fits_another(sentence, words, mention),
            **_doubts_of(sentence, words, mention),
            undecided=not decided,
            counted=_is_counted(words, mention) and not _follows_indefinite(sentence, words, mention),
        )
        said += flags(decided=decided)
        elsewhere = is_told_elsewhere(sentence, words, mention.index, mention.gender) or None
        yield (good := candidate("pronoun_gender", sentence, edits, features=said, needs_context=elsewhere))
        # As published sets do it: elision as it was, and one agreeing word changed, or none.
        pronoun, *agreeing = mention.changes
        too_many = overdone(words, mention.index, other_gender(mention.gender), mention.number)
        for some in (agreeing, *([one] for one in agreeing), [], *([*agreeing, one] for one in too_many)):
            edits = _edits(sentence, words, [pronoun, *some], elide=False)
            yield candidate("pronoun_gender", sentence, edits, repaired=good.text)
    for gender, number in dict.fromkeys((m.gender, m.number) for m in mentions):
        chain = [m for m in mentions if (m.gender, m.number) == (gender, number)]
        if len(chain) > 1:
            changes = [change for mention in chain for change in mention.changes]
            sure = all(m.sure and words[m.index].low in PERSONAL for m in chain) and not _at_odds(words, chain)
            edits = _edits(sentence, words, changes)
            each = [_doubts_of(sentence, words, m) for m in chain]
            decided = _is_decided(sentence, words, chain[0])
            said = doubts(
                unsure=not sure,
                fits_another=_fits_another(sentence, words, chain[0]),
                **{name: any(own[name] for own in each) for name in each[0]},
                stays_behind=_stays_behind(words, chain),
                undecided=not decided,
            )
            said += flags(decided=decided)
            yield candidate("pronoun_gender", sentence, edits, chain=True, features=said)


def _stays_behind(words: Sequence[FrenchWord], chain: Sequence[Occurrence]) -> bool:
    """*laissez-le …, rebranchez-le*: a pronoun behind an imperative that the chain does not have."""
    own = {m.index for m in chain}
    form = "le" if chain[0].gender == "m" else "la"
    return any(w.low == form and k and words[k - 1].low == "-" and k not in own for k, w in enumerate(words))


def _doubts_of(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> dict[str, bool]:
    return {
        "parsed_otherwise": _is_parsed_otherwise(sentence, words[mention.index]),
        "leaves_modifier": _leaves_modifier(sentence, words, mention),
        "unsettled": _is_unsettled(sentence, words, mention),
    }


def _is_parsed_otherwise(sentence: Sentence, word: FrenchWord) -> bool:
    """Does the annotation take *il* for one that stands for nothing, or *le* for an article?"""
    token = next((t for t in sentence.tokens if t.start <= word.start < t.end), None)
    if token is None:
        return False
    person = {"he", "him", "his"} & set(sentence.source.lower().split())
    empty = token.relation.startswith("expl") and not person
    if word.low in ("le", "la") and sentence.text[: word.start].rstrip().lower().endswith((" où", " dont")):
        return True  # où la pousse des arbres
    return empty or (word.low in ("le", "la") and token.pos == "DET" and sentence.text[: word.start][-1:] != "-")


def _leaves_modifier(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*en donner un, toujours élégant*: does an adjective that the tree hangs on the pronoun keep its gender?"""
    changed = {words[index].start for index, _ in mention.changes}
    place = next((k for k, t in enumerate(sentence.tokens) if t.start == words[mention.index].start), None)
    hung = sentence.children(place) if place is not None else ()
    own = {t.start for t in (sentence.tokens[k] for k in hung) if t.relation in ("amod", "acl")}
    left = (word for word in words[mention.index + 1 :] if word.start in own - changed)
    if any(is_marked(word, mention.gender, mention.number) for word in left):
        return True
    return mention.number == "p" and any(
        word.pos in ("ADJ", "VERB") and _is_loose(words, k) and _agrees(word, mention)
        for k, word in enumerate(words)
        if k > mention.index and word.start not in changed
    )


def _agrees(word: FrenchWord, mention: Occurrence) -> bool:
    """By the lexicon, or by the ending of a participle that it lacks: *préconfigurées*."""
    return is_marked(word, mention.gender, mention.number) or (mention.gender == "f" and word.low.endswith("ées"))


def _is_loose(words: Sequence[FrenchWord], k: int) -> bool:
    """Does an adjective or participle stand beside no noun: *qui sont notées E7*?"""
    return not any(w.pos in ("NOUN", "PROPN") for w in (*words[max(0, k - 2) : k], *words[k + 1 : k + 2]))


def _is_unsettled(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """May the pronoun mean what the sentence does not give a gender: a person, a program, a thing said before?"""
    i, start = mention.index, words[mention.index].start
    if is_label(words, i) or is_generic(sentence, words, i) or is_bracketed(sentence, words[i].end):
        return True
    stuttered = i > 1 and words[i - 1].low == "-" and len(words[i - 2].low) == 1  # i-il
    if is_done_with(sentence, words, i) or is_presented(words, i) or stuttered:
        return True
    if words[i].low in SUBJECTS and not tells_person(sentence) and does_something(sentence, words, i):
        return True
    if _is_counted(words, mention):
        return is_of_person(sentence, start, mention.gender)
    named = words[i].low in PERSONAL or words[i].low in DEMONSTRATIVES
    if named and may_be_named(sentence, start, mention.number):
        return True
    if [word.low for word in words[i + 1 : i + 2]] == ["-"] and words[i].low in DEMONSTRATIVES:
        if i and words[i - 1].low in ("que", "qu'", "comme"):
            return True
        nouns = taken_up([t for t in sentence.tokens if t.end <= start], "fr")
        return mention.gender not in genders(nouns, "fr", None)  # le même produit que celui-ci
    if words[i].low in SUBJECTS and (is_done_by(sentence, start) or is_taken(words, i, SUBJECTS[words[i].low][2])):
        return not tells_person(sentence)
    return is_said_before(sentence, words, i) or (words[i].low in PERSONAL and is_unsaid(sentence, mention.number))


def _fits_another(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*une tâche, jusqu'à ce qu'il soit fini*: would the foil stand for a noun of a clause before?"""
    start = mention.index
    while start and words[start - 1].low not in CLAUSES and (words[start - 1].low[0].isalpha()):
        start -= 1
    number = {"s": "Sing", "p": "Plur"}[mention.number] if words[mention.index].low in PERSONAL else None
    return fits_another(sentence, words[start].start, other_gender(mention.gender), "fr", number)


def _is_decided(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """Does the sentence or its source tell the gender?"""
    start, personal = words[mention.index].start, words[mention.index].low in PERSONAL
    several = words[mention.index].low in ("ceux", "celles")  # merci à ceux qui: no noun, but people
    number = {"s": "Sing", "p": "Plur"}[mention.number] if personal or several else None
    own, other = {mention.gender}, {other_gender(mention.gender)}
    if (
        mention.number == "s"
        and not tells_person(sentence)
        and has_determiner(sentence, start, other_gender(mention.gender))
    ):
        return False
    return is_decided(sentence, start, own, other, "fr", number=number, personal=personal)


def _opens(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*Elles sont …* for *They are …*: of a noun that the line before has."""
    opens = words[mention.index].low in SUBJECTS and opens_both(sentence, words[mention.index].start)
    return opens and is_told_before(sentence, mention.gender, mention.number)


def _is_said_again(words: Sequence[FrenchWord], mentions: Sequence[Occurrence], mention: Occurrence) -> bool:
    """*Elle doit être là pour que vous puissiez la choisir*: the other one would keep the gender."""
    alike = (m for m in mentions if (m.gender, m.number) == (mention.gender, mention.number))
    return any(m.index != mention.index and words[m.index].low in PERSONAL for m in alike)


def _is_one_of(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*aucune de ces merveilles*: the noun behind it tells its gender."""
    i = mention.index
    if words[i].low not in INDEFINITES or i + 1 >= len(words) or words[i + 1].low not in ("de", "des"):
        return False
    behind = [t for t in sentence.tokens if t.start > words[i + 1].start][:3]
    noun = next((t for t in behind if t.pos == "NOUN"), None)
    return noun is not None and genders([noun], "fr", None) == {mention.gender}


def _is_counted(words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*il en contient un*; not *une des trois options*, whose noun follows."""
    behind = words[mention.index + 1].low if mention.index + 1 < len(words) else ""
    return words[mention.index].low in ("un", "une") and behind not in ("de", "des", "d'")


def _follows_indefinite(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*une partie …, s'il y en a une*: *en* takes up *une partie* or *des parties*, hardly *la partie*."""
    return False


def _at_odds(words: Sequence[FrenchWord], chain: Sequence[Occurrence]) -> bool:
    """Two pronouns of one clause (il le voit) do not mean the same."""
    for first, second in itertools.pairwise(chain):
        between = words[first.index + 1 : second.index]
        if not any(word.low in CLAUSES or not word.low[0].isalpha() for word in between if word.low != "-"):
            return True
    return False
