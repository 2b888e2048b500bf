"""Reflexive pronouns: one of another person than the subject's (*ich freue sich*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence

_OWN = {"ich": ("mich", "mir"), "du": ("dich", "dir"), "wir": ("uns",), "ihr": ("euch",)}
_ALWAYS = frozenset(
    "beeilen befinden ereignen erholen schämen verlieben weigern bedanken bewerben entschließen "
    "begeben erkälten verspäten auswirken eignen beschweren".split()
)
"""Verbs that have no object but sich."""
_OTHERWISE_TOO = frozenset(("bewerben", "eignen", "beschweren"))
"""… in this sense: *uns bewerben* is also to advertise us, *uns eignet* what is proper to us."""
_STOPS = frozenset(("PUNCT", "SCONJ"))


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        low = token.text
        subject = next((who for who, forms in _OWN.items() if low in forms), None)
        if subject is not None:
            place = _subject(sentence, i, subject)
            if place is not None and not (i and tokens[i - 1].pos == "ADP"):
                edits = [replaced_word(token, "sich")]
                weak = _opens_another_clause(sentence, i, place)
                yield candidate("reflexive", sentence, edits, distance=abs(i - place), weak=weak)
        elif low == "sich" and not (i and tokens[i - 1].pos == "ADP"):
            verb = _verb(sentence, i)
            if verb is not None and tokens[verb].lemma in _ALWAYS and tokens[verb].morph.get("Person") == "3":
                edits = [replaced_word(token, "uns")]
                weak = tokens[verb].lemma in _OTHERWISE_TOO or opens_sentence(sentence, verb)  # Erholte sich
                yield candidate("reflexive", sentence, edits, distance=abs(i - verb), weak=weak)


def _subject(sentence: Sentence, i: int, subject: str) -> int | None:
    """The pronoun in the same clause, two words away at most, with its finite verb beside it."""
    tokens = sentence.tokens
    for k in (i - 1, i - 2, i + 1, i + 2):
        if not 0 <= k < len(tokens) or tokens[k].text.lower() != subject or tokens[k].pos != "PRON":
            continue
        between = tokens[min(i, k) + 1 : max(i, k)]
        if all(t.pos in ("VERB", "AUX", "ADV", "PART") for t in between):
            return k
    return None


def _opens_another_clause(sentence: Sentence, i: int, subject: int) -> bool:
    """*Ich glaub mir wird schlecht*: the finite verb right behind is not the one of ich, du, wir, ihr."""
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    person = {"ich": "1", "wir": "1"}.get(sentence.tokens[subject].text.lower(), "2")
    if after is None or subject > i or not after.tag.endswith("FIN"):
        return False
    return after.morph.get("Person", person) != person


def _verb(sentence: Sentence, i: int) -> int | None:
    """The only verb of the clause, if it is finite."""
    tokens = sentence.tokens
    left, right = i, i
    while left > 0 and tokens[left - 1].pos not in _STOPS:
        left -= 1
    while right + 1 < len(tokens) and tokens[right + 1].pos not in _STOPS:
        right += 1
    verbs = [k for k in range(left, right + 1) if tokens[k].pos in ("VERB", "AUX")]
    return verbs[0] if len(verbs) == 1 and tokens[verbs[0]].tag == "VVFIN" else None


perturbation = Perturbation(
    name="reflexive",
    language="de",
    summary="a reflexive pronoun is of another person than the subject",
    conditions=(
        "mich, mir, dich, dir, uns, euch within two words of ich, du, wir, ihr become sich.",
        "sich becomes uns with a verb that is always reflexive (befinden …), the only verb of its clause, in "
        "the third person.",
        "Not behind a preposition.",
        "Weak, so never chosen: verbs that have another object in another sense (uns bewerben, uns eignet), and a "
        "pronoun before a verb of another person (ich glaub mir wird schlecht), and a verb that opens the sentence "
        "without a subject (Erholte sich von der Reise).",
        "The distance is counted in words from the pronoun to its subject or verb.",
    ),
    examples=(
        Example("Ich freue mich sehr.", "Ich freue sich sehr."),
        Example("Das Haus befindet sich in Berlin.", "Das Haus befindet uns in Berlin."),
        Example("Er sieht mich.", None),
    ),
    function=_changed,
)
