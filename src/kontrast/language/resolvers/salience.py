"""Our own resolver of English it and they: nouns weighed by recency, role, number, animacy and parallelism.

The weights follow a conditional logit fitted on half of ContraPro's shared items, rounded by hand; people were ruled
out afterwards. ``benchmarks/pronoun_suites.py`` measures on all these items, that half included.
"""

from collections.abc import Sequence

from kontrast.language.annotation import Sentence, Token
from kontrast.language.coreference import Antecedent
from kontrast.language.words import word_set

_ROLES = {
    "nsubj": "subject",
    "nsubjpass": "subject",
    "dobj": "object",
    "obj": "object",
    "dative": "object",
    "pobj": "oblique",
    "attr": "attribute",
    "root": "root",
    "poss": "owner",
}
_ROLE_WEIGHT = {"subject": 1.3, "object": 0.4, "oblique": -0.7, "attribute": -0.5, "root": -0.7, "owner": -0.5}
_DETERMINER_WEIGHT = {"definite": 2.0, "owned": 0.7, "indefinite": 0.9, "none": -2.0}
_PEOPLE = word_set("en", "salience_people")
"""*it* refers to none of these; a child, a baby or an animal may be meant."""
_OF_PEOPLE = ("woman", "person", "ician", "ologist", "ographer")
_NO_THING = frozenset(("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "NORP", "LANGUAGE"))
_NO_NOUN = word_set("en", "salience_no_noun")
"""Words that stand in fixed phrases or are taken for nouns by mistake."""
_UNNAMED = word_set("en", "salience_unnamed")
_TIMES_AND_WAYS = word_set("en", "salience_times_and_ways")
"""*it* refers to these so seldom that they are passed over."""
_VAGUE = word_set("en", "salience_vague")


class Salience:
    """Looks back over at most ``reach`` sentences."""

    name = "salience"

    def __init__(self, reach: int = 5) -> None:
        self.reach = reach

    def antecedents(
        self, document: str, sentences: Sequence[Sentence], sentence: int, token: int
    ) -> list[Antecedent]:
        pronoun = sentences[sentence].tokens[token]
        plural = pronoun.text.lower() in ("they", "them", "their", "theirs", "themselves")
        found = []
        for number in range(max(sentence - self.reach, 0), sentence + 1):
            words = sentences[number].tokens
            end = token if number == sentence else len(words)
            nouns = [i for i in range(end) if _is_head(words[i]) and _may_be_meant(words[i], plural)]
            for i in nouns:
                score = self._score(words, i, pronoun, plural)
                score += 1.2 if number == sentence else -1.0 * (sentence - number - 1)
                away = token - i if number == sentence else token + len(words) - i
                score -= 0.09 * min(away, 60)
                score += 0.45 * (i == nouns[-1]) + 0.45 * (i == nouns[0])
                found.append(Antecedent(number, i, round(score, 4)))
        return sorted(found, key=lambda a: -a.score)

    def _score(self, words: Sequence[Token], i: int, pronoun: Token, plural: bool) -> float:
        noun = words[i]
        role = role_of(noun)
        score = _ROLE_WEIGHT.get(role, 0.0)
        score += 0.9 * (role == role_of(pronoun))
        determiner = determiner_of(words, i)
        if noun.pos not in ("NOUN", "PROPN"):
            determiner = "indefinite"
        # A name needs no article.
        score += 0.5 if noun.pos == "PROPN" and determiner == "none" else _DETERMINER_WEIGHT[determiner]
        score -= 0.5 * (noun.pos == "PROPN")
        is_plural = noun.tag in ("NNS", "NNPS") or noun.morph.get("Number") == "Plur"
        score -= 2.2 * (is_plural != plural)
        score -= 1.5 * (noun.lemma.lower() in _VAGUE)
        return score


def role_of(token: Token) -> str:
    """subject, object, oblique, attribute, root, owner or other."""
    return _ROLES.get(token.relation, "other")


def is_person(noun: Token) -> bool:
    low = noun.lemma.lower()
    return low in _PEOPLE or noun.entity == "PERSON" or low.endswith(_OF_PEOPLE)


def _may_be_meant(noun: Token, plural: bool) -> bool:
    """*it* is no person and no time; *they* may be people."""
    if noun.lemma.lower() in _TIMES_AND_WAYS and not _is_way(noun):
        return False
    people = plural and noun.entity == "NORP"  # the Indians
    if (noun.entity in _NO_THING and not people) or noun.lemma.lower() in _NO_NOUN or len(noun.text) < 2:
        return False
    return plural or not is_person(noun)


def _is_way(noun: Token) -> bool:
    """*If I could see a way …, would you grant it?*; not *in a way*, *that way*."""
    return noun.lemma.lower() == "way" and noun.relation in ("dobj", "obj")


def _is_head(token: Token) -> bool:
    if token.pos in ("NOUN", "PROPN"):
        return token.relation not in ("compound", "flat", "npadvmod")
    # Something that is no noun may be meant: it has no gender here, and makes the nouns less sure.
    return token.text.lower() in _UNNAMED and token.relation in _ROLES


def determiner_of(words: Sequence[Token], i: int) -> str:
    for word in words:
        if word.head == i and word.relation in ("det", "poss", "nmod:poss"):
            if word.relation != "det":
                return "owned"
            low = word.text.lower()
            if low in ("the", "this", "that", "these", "those"):
                return "definite"
            return "indefinite" if low in ("a", "an", "some", "any", "another") else "none"
    return "none"
