"""The gender of a German third-person pronoun changed: er, sie, es in any case, possessives with them in a chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.checks.nouns_before import is_decided
from kontrast.building.errors.de.pronoun_mentions import FORMS, GENDERS, Gender, Mention, changed, mentions_in
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.language.annotation import Sentence
from kontrast.language.german.plain import split

_WRONG_CASE = {"er": "ihn", "ihn": "er"}


def pronoun_gender(sentence: Sentence) -> Iterator[Candidate]:
    mentions = mentions_in(split(sentence.text))
    for mention in mentions:
        if mention.case == "poss":
            continue
        for gender in GENDERS:
            if gender not in mention.genders and (edit := changed(mention, gender)):
                said = _reference_features(sentence, [mention], gender)
                yield (good := candidate("pronoun_gender", sentence, [edit], features=said))
                # As published sets do it: er where ihn belongs, and no capital at the start.
                for form in sorted({edit[2].lower(), _WRONG_CASE.get(edit[2].lower(), "")} - {edit[2], ""}):
                    yield candidate("pronoun_gender", sentence, [(*edit[:2], form)], repaired=good.text)
    yield from _chains(sentence, mentions)


def _reference_features(
    sentence: Sentence,
    chosen: Sequence[Mention],
    gender: Gender,
) -> tuple[str, ...]:
    """Does the sentence or its source tell the gender, and are the pronouns what they seem?"""
    first = min(chosen, key=lambda m: m.word.start)
    forms = FORMS.get(first.case, {})
    alike = [other for other in GENDERS if other == gender or (forms and forms[other] == forms[gender])]
    before = (t for t in sentence.tokens if t.end <= first.word.start)
    told = sentence.source.strip() or any(t.pos in ("NOUN", "PROPN") for t in before)
    return doubts(nothing_tells=not told) + flags(
        sure=all(m.sure for m in chosen),
        decided=is_decided(sentence, first.word.start, first.genders, alike, "de"),
        neuter=gender == "n",
    )


def _chains(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Candidate]:
    """All mentions of one gender together: with possessives, and pronouns alone."""
    for now in GENDERS:
        pronouns = [m for m in mentions if now in m.genders and m.case != "poss"]
        owners = [m for m in mentions if now in m.genders and m.case == "poss"]
        for gender in GENDERS:
            if gender == now or not pronouns:
                continue
            for chosen in ([*pronouns, *owners], pronouns):
                readings: dict[int, list[tuple[int, int, str]]] = {}
                for mention in chosen:
                    if edit := changed(mention, gender):
                        readings.setdefault(mention.word.start, []).append(edit)
                if len(readings) < 2:
                    continue
                said = _reference_features(sentence, chosen, gender)
                # Where the case is open the first reading is taken for all, then the last.
                for pick in (0, -1):
                    edits = [several[pick] for several in readings.values()]
                    if _at_odds(chosen):
                        single = candidate("pronoun_gender", sentence, edits[:1])
                        yield candidate("pronoun_gender", sentence, edits, chain=True, repaired=single.text)
                        continue
                    yield (good := candidate("pronoun_gender", sentence, edits, chain=True, features=said))
                    lowered = [(start, end, new.lower()) for start, end, new in edits]
                    for plain in (lowered, [edits[0], *lowered[1:]]):
                        yield candidate("pronoun_gender", sentence, plain, chain=True, repaired=good.text)


def _at_odds(mentions: Sequence[Mention]) -> bool:
    """Two pronouns of one clause (er sieht ihn) do not mean the same: no chain but as published sets made them."""
    seen: dict[tuple[int, int], int] = {}
    pronouns = [m for m in mentions if m.case != "poss"]
    return any(seen.setdefault(m.clause, m.word.start) != m.word.start for m in pronouns)
