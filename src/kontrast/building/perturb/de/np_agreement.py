"""Agreement in the noun phrase: a singular definite article gets another gender (*Die Börse* → *Der Börse*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.perturb.de.disagreeing import disagrees
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import Reading, adjective_lemma, noun_readings, usual_readings
from kontrast.language.lexicons.german_words import DEFINITE, PREPOSITION_CASES

_CASES = {"Nom": "n", "Gen": "g", "Dat": "d", "Acc": "a"}
_RELATIVE = {"der": "m", "das": "n", "was": "n", "den": "m", "dem": "mn", "dessen": "mn", "die": "f"}
_GENDERS = {"m": "Masc", "f": "Fem", "n": "Neut"}
_NOMINATIVES = frozenset("ich du er wir man wer ihr ein dieser jeder kein der".split())
_ACCUSATIVES = frozenset("ihn mich dich den einen keinen diesen jeden seinen ihren meinen".split())
"""Words that tell the case of what stands beside them."""
_SINGULAR_PRONOUNS = frozenset(("der", "das", "den", "dem", "dessen"))
_ARTICLES = {(gender, cell[0]): form for form, cells in DEFINITE.items() for gender, cell in cells if cell[1] == "s"}


def _disagreeing(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        low = token.text.lower()
        if low not in DEFINITE or not token.relation.startswith("det") or token.head <= i:
            continue
        noun = sentence.tokens[token.head]
        if noun.morph.get("Number", token.morph.get("Number")) != "Sing":
            continue
        found = dict(_without_noun(sentence, i) if noun.pos == "ADJ" else _other_genders(sentence, i))
        for new, weak in found.items():
            yield candidate(
                "np_agreement",
                sentence,
                [replaced_word(token, new)],
                distance=token.head - i,
                words=(noun.text,),
                weak=weak
                or _suits_another_case(sentence, i, new)
                or disagrees(sentence, i)
                or _is_nominalised(noun.text),
            )


def _is_nominalised(noun: str) -> bool:
    """*der Erste*, *das Erste*, *dem Anderen*: an adjective alone has any gender."""
    low = noun.lower()
    inflected = noun[:1].isupper() and low.endswith(("e", "en"))
    return inflected and (adjective_lemma(low) is not None or low.startswith("andere"))


def _suits_another_case(sentence: Sentence, place: int, article: str) -> bool:
    """*der Lampe leuchtet*, *mit der Prozess*, *über den Leben* read as the wrong case or number, which *das Lampe*
    does not; nor does *der helle Lampe*. *Benutzer dem alten Schule*: behind a noun der is a genitive."""
    tokens, head = sentence.tokens, sentence.tokens[place].head
    before = tokens[place - 1] if place else None
    if article == "dem" and before is not None and before.pos in ("NOUN", "PROPN"):
        return True
    if tokens[place].text == "das" and tokens[head].pos == "PROPN" and before is not None and before.text == ",":
        return True  # ich will, das Gramps lädt: a misspelt dass
    adjectives = [t.text for t in tokens[place + 1 : head] if t.tag == "ADJA" and t.text.islower()]
    for reading in usual_readings(tokens[head].text):
        for cell in {code[:2] for code in reading.codes if len(code) > 1}:
            if (reading.feature, cell) in DEFINITE[article] or ("x", cell) in DEFINITE[article]:
                ending = "e" if cell == "ns" or (cell == "as" and reading.feature in "fn") else "en"
                if all(word.endswith(ending) for word in adjectives):
                    return True
    return False


def _other_genders(sentence: Sentence, place: int) -> Iterator[tuple[str, bool]]:
    """The articles that are wrong there; with each whether a plural or another noun of the same form has it."""
    token = sentence.tokens[place]
    article, noun = token.text.lower(), sentence.tokens[token.head]
    adjectives = [t for t in sentence.tokens[place + 1 : token.head] if t.tag == "ADJA" or t.relation == "amod"]
    no_plural = any(t.text.endswith("e") for t in adjectives) or _is_surely_singular(sentence, place)
    named = _named_cases(sentence, place)
    own = _cases(sentence, place, named)
    cases = named + _alike(sentence, place, named)
    same_case = set(_in_cases(article, own))
    if article in ("die", "das") and set(own) & set("na") and not _case_is_told(sentence, place):
        same_case &= set(_in_cases(article, "n")) & set(_in_cases(article, "a"))
    for new in _in_cases(article, cases):
        if not _fits(new, usual_readings(noun.text), cases, no_plural):
            yield (
                new,
                _is_strong(sentence, place)
                or new not in same_case
                or _fits(new, noun_readings(noun.text), cases, False),
            )


def _is_strong(sentence: Sentence, place: int) -> bool:
    """*dem großem Angriff*, *das altes Haus*: an adjective that does not agree with the article as it is."""
    inside = sentence.tokens[place + 1 : sentence.tokens[place].head]
    return any(t.tag == "ADJA" and t.text.islower() and t.text.endswith(("em", "es", "er")) for t in inside)


def _named_cases(sentence: Sentence, place: int) -> str:
    token = sentence.tokens[place]
    named = sentence.tokens[token.head].morph.get("Case", token.morph.get("Case", "")).split(",")
    return "".join(_CASES[c] for c in named if c in _CASES)


def _cases(sentence: Sentence, place: int, named: str) -> str:
    """Those of the cases that go with the article in the noun's gender, and with a preposition before it."""
    token, before = sentence.tokens[place], sentence.tokens[place - 1] if place else None
    gender = sentence.tokens[token.head].morph.get("Gender", "")
    genders = {letter for letter, name in _GENDERS.items() if name in gender} or set("mfn")
    governed = PREPOSITION_CASES.get(before.text.lower(), "ngda") if before and before.pos == "ADP" else "ngda"
    governed = "g" if governed == "gd" else governed  # wegen dem is said too
    forms = {case: {_ARTICLES.get((g, case)) for g in genders} for case in named}
    return "".join(case for case in named if case in governed and token.text.lower() in forms[case])


def _in_cases(article: str, cases: str) -> dict[str, str]:
    """The forms of other genders in those of the cases that the article can have, each with its gender."""
    return {
        _ARTICLES[gender, case]: gender
        for case in cases
        if any(_ARTICLES[g, case] == article for g in "mfn")
        for gender in "mfn"
        if _ARTICLES[gender, case] != article
    }


def _without_noun(sentence: Sentence, place: int) -> Iterator[tuple[str, bool]]:
    """*der einzige, der*: without a noun any gender may be meant, but the relative pronoun tells which."""
    token = sentence.tokens[place]
    after = sentence.tokens[token.head + 1 : token.head + 3]
    if len(after) < 2 or after[0].text != "," or after[1].tag not in ("PRELS", "PWS"):
        return
    genders = _RELATIVE.get(after[1].text, "mfn")
    for new, gender in _in_cases(token.text.lower(), _named_cases(sentence, place)).items():
        if gender not in genders:
            yield new, False


def _alike(sentence: Sentence, place: int, cases: str) -> str:
    """The case that article and noun could as well have: *bestätigt die Familie* is subject or object by its form."""
    before = sentence.tokens[place - 1].pos if place else ""
    if before == "ADP":
        return ""
    article = sentence.tokens[place].text.lower()
    pair = {"die": "na", "das": "na", "der": "gd"}.get(article, "")
    return "".join(case for case in pair if case not in cases) if set(pair) & set(cases) else ""


def _case_is_told(sentence: Sentence, place: int) -> bool:
    """Is it plain whether *die Familie* or *das Amt* is the subject: a preposition before it, the clause's first
    words with the verb behind them, or another word of the clause that can only be the subject?"""
    tokens = sentence.tokens
    before = tokens[place - 1] if place else None
    noun = tokens[place].head
    if before is not None and before.pos == "ADP":
        return True
    first = last = place
    while first and tokens[first - 1].pos != "PUNCT":
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].pos != "PUNCT":
        last += 1
    inside = range(first, last + 1)
    others = [tokens[k] for k in inside if not place <= k <= noun and (not k or tokens[k - 1].pos != "ADP")]
    subject = any(t.text.lower() in _NOMINATIVES for t in others)
    object_ = any(t.text.lower() in _ACCUSATIVES for t in others)
    named = tokens[noun].morph.get("Case", "")
    if subject or object_:
        return named == ("Acc" if subject else "Nom")
    after = tokens[noun + 1] if noun + 1 < len(tokens) else None
    opens = before is None or before.pos in ("PUNCT", "CCONJ") or before.tag == "KOUS"
    return opens and named == "Nom" and after is not None and (after.pos in ("VERB", "AUX") or before is None)


def _is_surely_singular(sentence: Sentence, place: int) -> bool:
    """Does something beside the article say that there is one: a verb, a name beside it, a relative pronoun?"""
    tokens = sentence.tokens
    noun = tokens[place].head
    if tokens[noun].relation.startswith("nsubj") and _verb_is_singular(sentence, tokens[noun].head):
        return True
    if tokens[place].text.lower() == "der" and tokens[noun].morph.get("Case") == "Nom" and not _has_plural(sentence):
        return True  # erklärt der Minister –: subject or predicate of some verb, and none is plural
    after = tokens[noun + 1 : noun + 3]
    if after and after[0].pos == "PROPN" and not after[0].text.endswith("s"):
        return True
    return _is_resumed(sentence, noun) or _is_apposed(sentence, noun)


def _is_resumed(sentence: Sentence, noun: int) -> bool:
    """*des Hotels, in dem …*, *des Memos der Botschaft, das …*: a singular pronoun that goes with no noun between.

    Right after the noun and a comma any singular pronoun will do.
    """
    tokens = sentence.tokens
    gender = tokens[noun].morph.get("Gender", "")
    i = noun + 1
    while i < len(tokens) and i < noun + 9 and tokens[i].pos not in ("PUNCT", "CCONJ"):
        i += 1
    pronoun = i + 2 if i + 1 < len(tokens) and tokens[i + 1].pos == "ADP" else i + 1
    if pronoun >= len(tokens) or tokens[i].text != "," or tokens[pronoun].tag != "PRELS":
        return False
    text = tokens[pronoun].text
    if text not in _SINGULAR_PRONOUNS or (pronoun > i + 1 and text == "der"):
        return False
    others = {t.morph.get("Gender", "") for t in tokens[noun + 1 : i] if t.pos in ("NOUN", "PROPN")}
    if not others and i == noun + 1:
        return True
    fitting = {_GENDERS[g] for g in _RELATIVE[text]}
    return gender in fitting and not any(not other or set(other.split(",")) & fitting for other in others)


def _is_apposed(sentence: Sentence, noun: int) -> bool:
    """*den Präsidenten des Verbands, Réjean Parent,*: one name between commas after the noun and its attributes."""
    tokens = sentence.tokens
    i = noun + 1
    while i < len(tokens) and i < noun + 8 and tokens[i].pos in ("DET", "ADJ", "NOUN", "PROPN", "ADP"):
        i += 1
    name = i + 1
    while name < len(tokens) and tokens[name].pos == "PROPN":
        name += 1
    return i < len(tokens) and tokens[i].text == "," and i + 2 < name < len(tokens) and tokens[name].text in ",."


def _has_plural(sentence: Sentence) -> bool:
    return any(t.morph.get("Number") == "Plur" for t in sentence.tokens if t.pos in ("VERB", "AUX"))


def _verb_is_singular(sentence: Sentence, verb: int) -> bool:
    """Not so in *der Lehrer und seine Frau lachen*, where several teachers would do as well."""
    tokens = sentence.tokens
    finite = [tokens[verb], *(t for t in tokens if t.head == verb and t.relation.startswith(("aux", "cop")))]
    return not any(t.morph.get("Number") == "Plur" for t in finite if t.pos in ("VERB", "AUX"))


def _fits(article: str, readings: Sequence[Reading], cases: str, no_plural: bool) -> bool:
    """Would the article suit any of the noun's readings in these cases: another gender, or a plural?

    There is no plural where something else in the sentence is singular.
    """
    cells = DEFINITE[article]
    return any(
        code[0] in cases and ((r.feature, code[:2]) in cells or (not no_plural and ("x", code[:2]) in cells))
        for r in readings
        for code in r.codes
    )


perturbation = Perturbation(
    name="np_agreement",
    language="de",
    summary="the gender of a singular definite article is changed",
    conditions=(
        "The word is a definite article (der, die, das, den, dem, des) of a singular noun; contractions (im) stay.",
        "The new article has the same case and another gender, as it would stand before a noun of that gender.",
        "Where two cases look alike (die, das; feminine der), also the other one, if it never fits the noun; weak. "
        "So is the form of one case alone where the clause does not tell whether die Familie is subject or object.",
        "No article that suits the noun after all: der See → die See, für den Lehrer → für die Lehrer.",
        "A plural does not suit where a verb, adjective, name or relative pronoun is singular: Die Lehrer lacht. "
        "Such a candidate, and one that suits a rare noun of the same form (das Ort, in a mine), is weak: "
        "one of all, never chosen.",
        "Weak as well: an article that suits the noun in another case or number (der Lampe leuchtet, mit der "
        "Prozess, über den Leben); a phrase that does not agree with itself (die digitale Signaturen); an adjective "
        "as a noun (der Erste).",
        "Without a noun (das einzige, was) only where a relative pronoun tells the gender.",
        "The distance is counted in words from the article to its noun; the frequency is the noun's.",
    ),
    examples=(
        Example("Die Prager Börse stürzt ins Minus.", "Der Prager Börse stürzt ins Minus."),
        Example("Er gibt der Frau das Buch.", "Er gibt dem Frau das Buch."),
        Example("Die Kinder lachen.", None),
    ),
    function=_disagreeing,
)
