"""The gender of a German third-person pronoun changed: er, sie, es in any case, possessives with them in a chain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kontrast.building.perturb.de.antecedent_doubts import (
    has_plural,
    is_asked,
    is_of_either,
    is_of_the_whole,
    is_owned_before,
    is_said_already,
    may_be_name,
    may_be_unknown,
    means_another,
    names_its_gender,
    reads_as_owner,
)
from kontrast.building.perturb.de.grammar import finite_verbs, subject_of
from kontrast.building.perturb.de.pronoun_mentions import FORMS, GENDERS, Gender, Mention, changed, mentions_in
from kontrast.building.perturb.de.told_elsewhere import is_told_elsewhere
from kontrast.building.perturb.nouns_before import fits_another, has_article, is_decided
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.german.plain import PlainWord, lemmas, split
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import JOINING

__all__ = ["GENDERS", "Gender", "Mention", "changed", "mentions_in", "perturbation"]

_WRONG_CASE = {"er": "ihn", "ihn": "er"}
_MEANING = frozenset(("bedeuten", "heißen", "besagen"))


def _regendered(sentence: Sentence) -> Iterator[Candidate]:
    words = split(sentence.text)
    mentions = mentions_in(words)
    for mention in mentions:
        if mention.case == "poss":
            continue
        for gender in GENDERS:
            if gender not in mention.genders and (edit := changed(mention, gender)):
                weak = not mention.sure or not _parsed_alike(sentence, mention)
                weak = weak or _fits_another(sentence, words, mention, gender)
                weak = weak or gender == "n" or not _is_decided(sentence, words, mention, gender)
                weak = (
                    weak
                    or is_said_already(words, mention.word, edit[2])
                    or _leaves_owner(sentence.text, mentions, mention)
                )
                elsewhere = is_told_elsewhere(sentence, words, mentions, mention)
                yield (good := candidate("pronoun_gender", sentence, [edit], weak=weak, needs_context=elsewhere))
                # As published sets do it: er where ihn belongs, and no capital at the start.
                for form in {edit[2].lower(), _WRONG_CASE.get(edit[2].lower(), "")} - {edit[2], ""}:
                    yield candidate("pronoun_gender", sentence, [(*edit[:2], form)], repaired=good.text)
    yield from _chains(sentence, words, mentions)


def _parsed_alike(sentence: Sentence, mention: Mention) -> bool:
    """Does the annotation agree: a subject with a verb in the singular, or an object?

    *bevor sie geleitet werden*: geleitet may be a finite verb by its form, but the annotation knows better.
    """
    place = next((k for k, t in enumerate(sentence.tokens) if t.start == mention.word.start), None)
    if place is not None and mention.word.text[0].isupper() and not opens_sentence(sentence, place):
        return False  # laden Sie Ihn: with Sie it would be the polite address
    if place is None or not any(t.relation for t in sentence.tokens):
        return True
    verbs = [sentence.tokens[v] for v in finite_verbs(sentence) if subject_of(sentence, v) == place]
    if mention.case == "nom":
        told = bool(verbs) or mention.word.low == "er"  # wo Ihr Server sie benötigt
        return told and all(v.morph.get("Number") != "Plur" for v in verbs)
    return not verbs


def _is_decided(sentence: Sentence, words: Sequence[PlainWord], mention: Mention, gender: Gender) -> bool:
    """Does the sentence or its source tell the pronoun's gender?

    Not the noun in *Ein positiver Winkel bedeutet, dass er steigt*: what it means is said of something else.
    """
    for k in range(3, mention.clause[0] + 1):
        if words[k].low == "dass" and lemmas(words[k - 2].low) & _MEANING and words[k - 3].text[0].isupper():
            return False
    return is_decided(sentence, mention.word.start, mention.genders, _alike(mention, gender), "de")


def _alike(mention: Mention, gender: Gender) -> list[Gender]:
    """The genders that have the form: ihm is m and n."""
    forms = FORMS.get(mention.case, {})
    return [other for other in GENDERS if other == gender or (forms and forms[other] == forms[gender])]


def _fits_another(sentence: Sentence, words: Sequence[PlainWord], mention: Mention, gender: Gender) -> bool:
    """*ein Verfahren, so dass er mit ihr*: would the foil stand for a noun of a clause before? ihm is m and n."""
    end = words[mention.clause[0]].start
    first, place = mention.clause[0], words.index(mention.word)
    if may_be_name(sentence, end) or means_another(sentence, words, first, mention.genders):
        return True
    if is_of_the_whole(words, first) or is_asked(words, first, place) or is_of_either(sentence.source, words, place):
        return True
    if "f" in (gender, *mention.genders) and mention.case == "acc" and has_plural(sentence, end):
        return True  # sie may be they
    if mention.case == "nom" and names_its_gender(words, place):
        return True
    if is_owned_before(words, place, gender) or reads_as_owner(words, place, _new_form(mention, gender)):
        return True
    if any(fits_another(sentence, end, other, "de") for other in _alike(mention, gender)):
        return True
    return any(may_be_unknown(sentence, end, other) for other in _alike(mention, gender))


def _new_form(mention: Mention, gender: Gender) -> str:
    return FORMS[mention.case][gender] if mention.case != "poss" else ""


def _leaves_owner(text: str, mentions: Sequence[Mention], mention: Mention) -> bool:
    """*Er sucht seinen Hund*: alone, *er* leaves *seinen* behind, which the chain takes along."""
    owners = [m for m in mentions if m.case == "poss" and set(m.genders) & set(mention.genders)]
    later = [m.word.start for m in mentions if m.case == "nom" and m.word.start > mention.word.start]
    end = min(later, default=len(text))
    apart = text.find(",", mention.word.start)
    end = min(end, apart if apart >= 0 else end)
    return mention.case == "nom" and any(
        m.clause == mention.clause or mention.word.start < m.word.start < end for m in owners
    )


def _are_several(sentence: Sentence, mentions: Sequence[Mention], gender: Gender) -> bool:
    """*Wenn der Roboter zum Server kommt, kann er lesen, was er enthält*: each may mean another noun."""
    end = max(m.word.start for m in mentions)
    before = [t for t in sentence.tokens if t.end <= end]
    nouns = {t.text for i, t in enumerate(before) if t.pos == "NOUN" and has_article(before, i)}
    return sum(any(r.feature == gender for r in usual_readings(noun)) for noun in nouns) > 1


def _chains(sentence: Sentence, words: Sequence[PlainWord], mentions: Sequence[Mention]) -> Iterator[Candidate]:
    """All mentions of one gender together: with possessives, and pronouns alone."""
    for now in GENDERS:
        pronouns = [m for m in mentions if now in m.genders and m.case != "poss"]
        owners = [m for m in mentions if now in m.genders and m.case == "poss"]
        places = {m.clause for m in pronouns}
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
                # Where the case is open the first reading is taken for all, then the last.
                for pick in (0, -1):
                    edits = [several[pick] for several in readings.values()]
                    sure = all(m.sure and (m.case != "poss" or m.clause in places) for m in chosen)
                    sure = sure and all(m.case == "poss" or _parsed_alike(sentence, m) for m in chosen)
                    first = min(chosen, key=lambda m: m.word.start)
                    weak = not sure or _fits_another(sentence, words, first, gender)
                    weak = weak or gender == "n" or not _is_decided(sentence, words, pronouns[0], gender)
                    weak = weak or (len(pronouns) > 1 and _are_several(sentence, pronouns, now))
                    weak = weak or _are_two(sentence, words, pronouns) or _is_done_by(words, pronouns, chosen)
                    elsewhere = is_told_elsewhere(sentence, words, mentions, pronouns[0])
                    good = candidate(
                        "pronoun_gender", sentence, edits, chain=True, weak=weak, needs_context=elsewhere
                    )
                    if _at_odds(chosen):
                        single = candidate("pronoun_gender", sentence, edits[:1])
                        yield candidate("pronoun_gender", sentence, edits, chain=True, repaired=single.text)
                        continue
                    yield good
                    lowered = [(start, end, new.lower()) for start, end, new in edits]
                    for plain in (lowered, [edits[0], *lowered[1:]]):
                        yield candidate("pronoun_gender", sentence, plain, chain=True, repaired=good.text)


def _at_odds(mentions: Sequence[Mention]) -> bool:
    """Two pronouns of one clause (er sieht ihn) do not mean the same: no chain but as published sets made them."""
    seen: dict[tuple[int, int], int] = {}
    pronouns = [m for m in mentions if m.case != "poss"]
    return any(seen.setdefault(m.clause, m.word.start) != m.word.start for m in pronouns)


def _are_two(sentence: Sentence, words: Sequence[PlainWord], pronouns: Sequence[Mention]) -> bool:
    """*Er sagte, dass er lüge, aber mit ihm sprechen wolle*: an object in a joined clause that has the subject of the
    one before it."""
    if not any(m.case == "nom" for m in pronouns):
        return False
    subjects = [t.start for t in sentence.tokens if t.relation.startswith("nsubj")]
    objects = (m for m in pronouns if m.case in ("acc", "dat") and words[m.clause[0]].low in JOINING)
    spans = [(words[m.clause[0]].start, m.word.start, words[m.clause[1]].end) for m in objects]
    joined = ((start, end) for start, place, end in spans if "(" not in sentence.text[start:place])
    return any(not any(start <= subject < end for subject in subjects) for start, end in joined)


def _is_done_by(words: Sequence[PlainWord], pronouns: Sequence[Mention], chosen: Sequence[Mention]) -> bool:
    """*Er wird von einem Bauern um seinen Hof angebaut*: whose it is may be who does it."""
    first = min(m.word.start for m in pronouns)
    owners = [m.word.start for m in chosen if m.case == "poss"]
    lows = [w.low for w in words if first < w.start < max(owners, default=first)]
    return any(a in ("von", "durch") and b in ("einem", "dem", "einer", "der") for a, b in pairwise(lows))


perturbation = Perturbation(
    name="pronoun_gender",
    language="de",
    summary="the gender of a third-person pronoun is changed",
    conditions=(
        "er, sie, es; ihn, sie, es; ihm, ihr, ihm: each becomes the two others of its case, one mention at a time.",
        "Chains change all mentions of one gender together, with the possessives sein, ihr and without them.",
        "The polite Sie and the plural sie stay as they are, and all pronouns of a sentence in capitals.",
        "Where a clause does not tell the case of sie or es, both readings are given; these, and es that may stand "
        "for nothing or a sentence (es gibt, ich weiß es), are weak: not chosen.",
        "Weak too: a foil of the gender of a noun with an article in the clauses before, or behind a name, which it "
        "might stand for; er oder sie, or he or she in the source; "
        "a pronoun that rather means another thing than the noun before it (Du brauchst ein Messer, "
        "um es zu öffnen; den Ort, den er enthält; soweit ich es sehe); "
        "a pronoun that the annotation takes for a plural or for another case; es in place of another, which may "
        "stand for what was said before, or for a child or an animal; a capital within a sentence (laden Sie Ihn); "
        "two pronouns in a chain behind two nouns of their gender, each of which may mean another.",
        "Weak too: a single change where a possessive of the same subject stays (Er sucht seinen Hund: the chain "
        "changes both), a foil of the gender of an owner before it (Seine Haut …, dass er), ihr before a noun, a "
        "plural before an object sie, and who is called something of one gender (Er war ein Gesandter).",
        "Weak as well: a chain with an object of a joined clause without a subject (er log, wollte aber mit ihm "
        "sprechen), who is another.",
        "Chosen only where the gender is told: by he or she in the source, or by a noun of a clause before, with no "
        "noun of the foil's gender before the pronoun.",
        "Tagged needs_context: an infinitive that says which noun is meant (ein Weg, ihn zu öffnen), and one of two "
        "pronouns (entfernt er ihn) where two nouns are not there and the source has no he or him for it.",
    ),
    examples=(
        Example("Sie schallt mir aus Höhen.", "Er schallt mir aus Höhen."),
        Example("Ich habe ihn gesehen.", "Ich habe es gesehen."),
        Example("Er hat seinen Schlüssel, aber er ist alt.", "Sie hat ihren Schlüssel, aber sie ist alt."),
        Example("Können Sie mir helfen?", None),
    ),
    function=_regendered,
)
