"""Pronouns that do not agree: a reflexive with its subject, a relative with its noun."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import clause_around
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import noun_readings
from kontrast.language.words import lists_of

_OWN = {"ich": ("mich", "mir"), "du": ("dich", "dir"), "wir": ("uns",), "ihr": ("euch",)}
_ALWAYS = frozenset(lists_of("de")["always_reflexive"])


@error("pronoun")
def reflexive(sentence: Sentence) -> Iterator[Candidate]:
    """A reflexive pronoun gets another person than the subject.

    mich, mir, dich, dir, uns, euch within two words of ich, du, wir, ihr become sich. sich becomes uns if the verb is
    always reflexive (befinden …), in the third person, and the only verb of its clause. Pronouns after a preposition
    do not change.

    - Ich freue mich sehr. → Ich freue sich sehr.
    - Das Haus befindet sich in Berlin. → Das Haus befindet uns in Berlin.
    """
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if i and tokens[i - 1].pos == "ADP":
            continue
        subject = next((who for who, forms in _OWN.items() if token.text in forms), None)
        if subject is not None:
            place, new = _subject(sentence, i, subject), "sich"
        elif token.text == "sich":
            place, new = _verb(sentence, i), "uns"
        else:
            continue
        if place is not None:
            edits = [replaced_word(token, new)]
            yield candidate(sentence, edits, distance=abs(i - place))


def _subject(sentence: Sentence, i: int, subject: str) -> int | None:
    """The pronoun in the same clause, two words away at most, with its finite verb beside it."""
    tokens = sentence.tokens
    for k in (i - 1, i - 2, i + 1, i + 2):
        if not 0 <= k < len(tokens) or tokens[k].text.lower() != subject:
            continue
        between = tokens[min(i, k) + 1 : max(i, k)]
        if all(t.pos in ("VERB", "AUX", "ADV", "PART") for t in between):
            return k
    return None


def _verb(sentence: Sentence, i: int) -> int | None:
    """The only verb of the clause, if it is finite, always reflexive, and in the third person."""
    tokens = sentence.tokens
    verbs = [k for k in clause_around(sentence, i) if tokens[k].pos in ("VERB", "AUX")]
    if len(verbs) != 1 or tokens[verbs[0]].tag != "VVFIN" or tokens[verbs[0]].morph.get("Person") != "3":
        return None
    return verbs[0] if tokens[verbs[0]].lemma in _ALWAYS else None


_OTHER = {(kind, old): new for kind, old, new in map(str.split, lists_of("de")["other_relatives"])}
"""For gender (x: plural) and pronoun one of the same case and another gender."""
_FITS = {"denen": "x", "das": "n", "dem": "mn", "dessen": "mn", "der": "f", "die": "fx", "deren": "fx"}
_GENDERS = {"Masc": "m", "Fem": "f", "Neut": "n"}


@error("grammar")
def relative_pronoun(sentence: Sentence) -> Iterator[Candidate]:
    """A relative pronoun gets another gender or number than its noun.

    The relative pronoun follows a noun and a comma, possibly with a preposition before it. The gender and number of
    the noun are known. The new pronoun has the same case. A plural pronoun becomes singular. The error is not made if
    the pronoun can refer to another noun or name before it: der Hund des Kindes, das.

    - Der Mann, der dort steht, lacht. → Der Mann, das dort steht, lacht.
    - Er kennt die Frau, mit der sie spricht. → Er kennt die Frau, mit dem sie spricht.
    - Der Hund des Kindes, der dort steht, bellt. → (nothing)
    """
    tokens = sentence.tokens
    for i in range(2, len(tokens) - 1):
        pronoun = tokens[i]
        relative = pronoun.tag in ("PRELS", "PRELAT") or pronoun.morph.get("PronType") == "Rel"
        comma = i - 2 if tokens[i - 1].pos == "ADP" else i - 1
        if not relative or comma < 1 or tokens[comma].text != "," or tokens[comma - 1].pos != "NOUN":
            continue
        kind = _kind(tokens[comma - 1])
        new = _OTHER.get((kind, pronoun.text)) if kind else None
        if new is None or any(_may_be(other, _FITS[new]) for other in tokens[:comma]):
            continue
        noun = tokens[comma - 1].text
        edits = [replaced_word(pronoun, new)]
        yield candidate(sentence, edits, distance=i - comma, words=(noun,))


def _kind(noun: Token) -> str | None:
    """The noun's gender, or x for a plural, where annotation and lexicon agree on one."""
    if noun.morph.get("Number") == "Plur":
        return "x"
    gender = _GENDERS.get(noun.morph.get("Gender", ""))
    same = {r.feature for r in noun_readings(noun.text)} == {gender}
    return gender if noun.morph.get("Number") == "Sing" and same else None


def _may_be(token: Token, kinds: str) -> bool:
    """Whether the new pronoun could belong to this word."""
    if token.pos == "PROPN":
        return bool(set(kinds) - {"x"})
    if token.pos == "PRON":
        return "n" in kinds and token.text.lower() in ("das", "es", "etwas", "nichts", "alles", "eines", "was")
    if token.pos != "NOUN" and not (token.pos == "ADJ" and token.text[:1].isupper()):
        return False
    readings = noun_readings(token.text)
    number = token.morph.get("Number", "")
    plural = "x" in kinds and number != "Sing" and any(code[1] == "p" for r in readings for code in r.codes)
    return not readings or plural or (number != "Plur" and any(r.feature in kinds for r in readings))
