"""Polarity: *kein* becomes *ein* in the same form, or nothing before a plural or a mass."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.negation import asks_yes_or_no, companions, corrected, part_around
from kontrast.building.perturb.de.verb_uses import between_signs
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import deletion, opens_sentence, replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import compound_head, noun_readings, readings
from kontrast.language.lexicons.german_words import word_lists

_FORMS = frozenset(("kein", "keine", "keinen", "keinem", "keiner", "keines"))
_LISTS = word_lists("de.lists.txt")
_MASS = frozenset(_LISTS["mass"])
_ONLY_NEGATED = frozenset(_LISTS["only_negated"])
_ALMOST = frozenset(("fast", "praktisch", "quasi", "nahezu", "beinahe", "so", "wie", "kaum"))
_PHRASES = frozenset((("auf", "Fall"), ("in", "Weise"), ("in", "Fall"), ("unter", "Umständen"), ("zu", "Zeit")))
_RIGHTS = frozenset(("rechte", "mittel", "teile", "dienste", "zeichen"))
"""Compounds of these are read as other nouns too."""
_QUOTES = frozenset('"„“”»«')
_COMFORT = frozenset(("Sorge", "Sorgen", "Angst", "Panik", "Bange", "Ursache", "Ahnung", "Zeit", "Scheu"))
"""*Keine Sorge*: without a verb these say something else than their opposite."""


_STRANDED = frozenset(
    "je jemals allzu irgendwelche sonderlich geringste geringsten mindeste mindesten leiseste leisesten "
    "blassen".split()
)
"""Words that go with a negation."""
_SPACE = ("platz", "raum", "speicher", "strom", "sinn", "lust", "bedarf", "verkehr", "schutz")
"""What compounds with these are of is not counted."""

_COUNTED = tuple(
    "legenheit öglichkeit wierigkeit ankheit inheit ehrheit inderheit igkeit ähigkeit rsönlichkeit sonderheit "
    "eigenheit lüssigkeit indigkeit ahrheit ottheit".split()
)
"""Ends of such nouns that are counted."""


def _affirmed(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text.lower() not in _FORMS:
            continue
        edit = replaced_word(token, token.text[1:].lower())
        head = token.head if token.relation.startswith("det") and token.head > i else None
        clear = not _keeps_or_breaks(sentence, i, head)
        better = _better(sentence, i, head, edit) if clear else None
        yield candidate("polarity_particle_kein_del", sentence, [edit], weak=not clear or better is not None)
        if better:
            yield candidate("polarity_particle_kein_del", sentence, better)


def _keeps_or_breaks(sentence: Sentence, i: int, head: int | None) -> bool:
    """Does the sentence keep its meaning with ein, or break?"""
    tokens = sentence.tokens
    first, _ = companions(sentence, i)
    before = tokens[first - 1] if first else None
    if head is not None:
        after = tokens[head + 1] if head + 1 < len(tokens) else None
        alone = (before is None or before.pos in ("PUNCT", "CCONJ", "INTJ")) and (
            after is None or after.pos in ("PUNCT", "ADP")
        )
        fixed = before is not None and (before.text.lower(), tokens[head].text) in _PHRASES
        if fixed or tokens[head].text in _ONLY_NEGATED or (alone and tokens[head].text in _COMFORT):
            return True
        noun, low = tokens[head], tokens[i].text.lower()
        behind = [t.text.lower() for t in tokens[head + 1 : head + 3]]
        if (
            behind[:1] in (["("], ["außer"])
            or behind == ["zu", "verlieren"]
            or tokens[i + 1].text.lower()[:6] in ("solche", "einzig")
        ):
            return True
        if behind[:1] == ["zu"] and any(
            r.lemma == "brauchen" for t in tokens for r in readings(t.text.lower()) if r.pos == "V"
        ):
            return True  # braucht sich keine Sorgen zu machen
        single = noun.morph.get("Number") != "Plur"
        wrong = low == "keine" and single and noun.morph.get("Gender") in ("Masc", "Neut")
        wrong = wrong or (low == "keine" and single and any(t.text.endswith("en") for t in tokens[i + 1 : head]))
        if tokens[i + 1].text.endswith("-") or _is_state(noun.text) or _is_mass_compound(noun.text):
            return True  # keine Wasser- und Fischressourcen; keine Unzufriedenheit
        if wrong or noun.text == "Wert" or (low == "keine" and single and _is_plural_too(noun.text)):
            return True  # keine komplizierten Link; keine Akte: of Akt
        other = any(t.text.lower().startswith("ander") for t in tokens[i + 1 : head])
        reach = len(tokens) if other else head + 5
        if any(t.text.lower() == "als" for t in tokens[head + 1 : reach]):
            return True
        if _is_one_of_several(sentence, i) or _is_verbless(sentence, i) or tokens[head].text.lower().endswith(_SPACE):
            return True
        if tokens[head].pos == "PROPN" or _is_unlisted_mass(tokens[head]) or _strands_je(sentence, i):
            return True
    words = [tokens[k].text.lower() for k in part_around(sentence, i)]
    if words[-2:] == ["oder", "?"] or (
        "mehr" in words and _mehr_after(sentence, i if head is None else head) is None
    ):
        return True  # du hast keine, oder?; keine Diebe oder Knechte mehr
    if any(a == "auch" and b == "nur" for a, b in pairwise(words)):
        return True  # keiner wollte auch nur einen Fuß
    if _stands_apart(sentence, i):
        return True
    return (
        _is_label(sentence, i)
        or (head is None and sentence.tokens[i].pos == "DET")
        or words[:1] == ["noch"]
        or any(a == "auch" and b == "nicht" for a, b in pairwise(words))
        or (head is not None and _may_be_plural(tokens[head]))
        or (before is not None and before.text.lower() in _ALMOST)
        or corrected(sentence, i)
        or asks_yes_or_no(sentence, i)
    )


def _stands_apart(sentence: Sentence, i: int) -> bool:
    """*Kein Problem, …*, *ein Prozess, kein Produkt*, *kein Haus, keine Häfen*: no verb of its own, or several."""
    tokens = sentence.tokens
    verbs = [k for k in between_signs(sentence, i) if k in set(finite_verbs(sentence))]
    joined = bool(i) and tokens[i - 1].pos == "CCONJ" and not any(k > i for k in verbs)
    several = any(t.text.lower() in _FORMS for t in (*tokens[max(i - 5, 0) : i], *tokens[i + 1 : i + 6]))
    return not verbs or joined or several


def _is_state(noun: str) -> bool:
    """*eine Unzufriedenheit*: a state, of which there is not one."""
    return noun.endswith(("heit", "keit")) and not noun.endswith(_COUNTED)


def _is_mass_compound(noun: str) -> bool:
    """*Maismehl*."""
    return noun not in _MASS and any(len(mass) > 3 and noun.endswith(mass.lower()) for mass in _MASS)


def _is_plural_too(noun: str) -> bool:
    """*Akte*: one, or several of another noun."""
    found = noun_readings(noun)
    return any("np" in code for r in found for code in r.codes) and len({r.lemma for r in found}) > 1


def _is_unlisted_mass(noun: Token) -> bool:
    """A noun without a plural that is not known to stand bare: *eine Butter*, *ein Verständnis*."""
    readings = noun_readings(noun.text)
    known = [r for r in readings if not r.rare]
    return (
        bool(known)
        and noun.morph.get("Number") != "Plur"
        and noun.text not in _MASS
        and not any(_has_plural(r.lemma) for r in known)
    )


@lru_cache(maxsize=5_000)
def _has_plural(lemma: str) -> bool:
    """Does the lexicon have a plural of this noun: with an ending, an umlaut, or without?"""
    stems = {lemma}
    for plain, changed in (("a", "ä"), ("o", "ö"), ("u", "ü")):
        at = lemma.lower().rfind(plain)
        if at > 0:
            stems.add(lemma[:at] + changed + lemma[at + 1 :])
    if "au" in lemma:
        stems.add(lemma.replace("au", "äu"))
    forms = {stem + ending for stem in stems for ending in ("", "e", "en", "n", "s", "er", "nen", "se")}
    forms |= {lemma[:-2] + "en", lemma[:-1] + "en", lemma[:-2] + "a"}
    return any(
        r.lemma == lemma and any(code.startswith("np") for code in r.codes)
        for form in forms
        for r in noun_readings(form)
    )


def _is_label(sentence: Sentence, i: int) -> bool:
    """*die Liste Kein Zeilenbeginn*, *(kein Rot)*: with a capital that the sentence does not explain, in brackets."""
    before = sentence.tokens[i - 1].text if i else ""
    return before == "(" or (sentence.tokens[i].text[0].isupper() and not opens_sentence(sentence, i))


def _is_one_of_several(sentence: Sentence, i: int) -> bool:
    """*Keine Poesie, keine Wirklichkeit*: without a verb each needs the other."""
    part = part_around(sentence, i)
    forms = [k for k in part if sentence.tokens[k].text.lower() in _FORMS]
    return len(forms) > 1 and not any(k in part for k in finite_verbs(sentence))


def _is_verbless(sentence: Sentence, i: int) -> bool:
    """*Ich biete tausend, doch keinen Taler mehr*: what follows the comma is no clause, and *mehr* no time."""
    tokens = sentence.tokens
    first = last = i
    while first and tokens[first - 1].text not in ",.;:!?":
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].text not in ",.;:!?":
        last += 1
    chunk = range(first, last + 1)
    return any(tokens[k].text == "mehr" for k in chunk) and not any(k in chunk for k in finite_verbs(sentence))


def _strands_je(sentence: Sentence, i: int) -> bool:
    """*Kein Mensch hat je …*: without the negation *je* stands alone."""
    part = part_around(sentence, i)
    return any(sentence.tokens[k].text.lower() in _STRANDED for k in part)


def _better(
    sentence: Sentence, i: int, head: int | None, edit: tuple[int, int, str]
) -> list[tuple[int, int, str]] | None:
    """The edits where k- alone is not enough: no article before plurals and masses, no *noch*, *gar*, *mehr* left."""
    first, _ = companions(sentence, i)
    more = _mehr_after(sentence, i if head is None else head)
    bare = head is not None and _goes_bare(sentence, head)
    if first == i and more is None and not bare:
        return None
    edits = deletion(sentence, more) if more is not None else []
    if not bare:
        return [*edits, edit, *([(sentence.tokens[first].start, sentence.tokens[i].start, "")] if first < i else [])]
    assert head is not None
    for k in range(i + 1, head):
        adjective = sentence.tokens[k]
        if adjective.pos == "ADJ" and adjective.text.endswith("en") and sentence.tokens[i].text.lower() == "keine":
            edits.append((adjective.end - 1, adjective.end, ""))  # keine guten Leute: gute Leute
        elif adjective.pos == "ADJ" and sentence.tokens[i].text.lower() in ("keinem", "keiner"):
            return None
    noun = sentence.tokens[head]
    codes = {code for r in noun_readings(noun.text) for code in r.codes if code[:2] in ("np", "ap")}
    if sentence.tokens[i].text.lower() == "keine" and codes and all(code.endswith("2") for code in codes):
        edits.append((noun.end - 1, noun.end, ""))  # keine Handelnden: Handelnde
    return [*edits, *deletion(sentence, first, i)]


def _may_be_plural(noun: Token) -> bool:
    """A noun of which nothing is known, with the ending of a plural; one in capitals."""
    text = noun.text
    if noun.morph.get("Number") != "Plur" and compound_head(text) in _RIGHTS:
        return True
    return (
        noun.morph.get("Number") != "Plur" and (text.isupper() or not noun_readings(text)) and text[-1] in "nserNSE"
    )


def _mehr_after(sentence: Sentence, head: int) -> int | None:
    """The *mehr* of *kein Geld mehr*, in the same clause."""
    tokens = sentence.tokens
    verbs, finite = 0, set(finite_verbs(sentence))
    for k in range(head + 1, min(head + 6, len(tokens))):
        verbs += k in finite
        if (tokens[k].pos in ("PUNCT", "CCONJ", "SCONJ") and tokens[k].text not in _QUOTES) or verbs > 1:
            return None
        if tokens[k].text == "mehr":
            return None if k + 1 < len(tokens) and tokens[k + 1].text == "als" else k
    return None


def _goes_bare(sentence: Sentence, head: int) -> bool:
    """A plural, or a noun that is no thing to be counted."""
    noun = sentence.tokens[head]
    return noun.morph.get("Number") == "Plur" or noun.text in _MASS


perturbation = Perturbation(
    name="polarity_particle_kein_del",
    language="de",
    summary="the negative determiner kein becomes ein",
    conditions=(
        "Every form of kein loses its k, one at a time; its ending and its capital stay.",
        "Before a plural or a mass kein goes altogether: keine guten Leute, gute Leute; keine Zeit, Zeit.",
        "What makes one negation with it goes too: gar kein, noch kein, kein … mehr.",
        "Weak, so never chosen: eine before a plural or a mass, a companion left behind, fast kein, kein … sondern, "
        "keinen Hehl, auf keinen Fall, Keine Sorge!, je in the sentence, names, nouns without a plural, questions "
        "with the verb first.",
        "keinerlei and keineswegs are left alone.",
    ),
    examples=(
        Example("Allerdings bedeutet dies noch keinen Sieg.", "Allerdings bedeutet dies einen Sieg."),
        Example("Keine andere Partei gewann.", "Eine andere Partei gewann."),
        Example("Er macht keine großen Fehler mehr.", "Er macht große Fehler."),
        Example("Das ist keineswegs sicher.", None),
    ),
    function=_affirmed,
)
