"""Polarity: *kein* becomes *ein* in the same form, or nothing before a plural or a mass."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import companions, finite_verbs
from kontrast.building.errors.de.polarity_particle_nicht_del import negation_features
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import deletion, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import noun_readings
from kontrast.language.words import lists_of

_FORMS = frozenset(("kein", "keine", "keinen", "keinem", "keiner", "keines"))
_LISTS = lists_of("de")
_MASS, _ONLY_NEGATED = frozenset(_LISTS["mass"]), frozenset(_LISTS["only_negated"])

Edit = tuple[int, int, str]


def _affirmed(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.text.lower() not in _FORMS:
            continue
        edit = replaced_word(token, token.text[1:].lower())
        head = token.head if token.relation.startswith("det") and token.head > i else None
        said = (*negation_features(sentence, i), *_noun_features(sentence, i, head))
        better = _better(sentence, i, head, edit)
        left = ("something_left",) if better else ()
        yield candidate("polarity_particle_kein_del", sentence, [edit], features=(*said, *left))
        if better:
            yield candidate("polarity_particle_kein_del", sentence, better, features=(*said, "more_changed"))


def _noun_features(sentence: Sentence, i: int, head: int | None) -> tuple[str, ...]:
    if head is None:
        return ("no_noun",)
    noun = sentence.tokens[head]
    found = [r for r in noun_readings(noun.text) if not r.rare]
    codes = {code[:2] for r in found for code in r.codes}
    plural = noun.morph.get("Number") == "Plur"
    return flags(
        only_negated=noun.text in _ONLY_NEGATED,
        unknown_noun=not found,
        plural=plural,
        plural_too=not plural and bool(codes & {"np", "ap"}),
        mass=any(noun.text.endswith((mass, mass.lower())) for mass in _MASS if len(mass) > 3),
        state=noun.text.endswith(("heit", "keit", "ung")),
        part_of_compound=sentence.tokens[i + 1].text.endswith("-"),
    )


def _better(sentence: Sentence, i: int, head: int | None, edit: Edit) -> list[Edit] | None:
    """The edits where k- alone is not enough: no article before plurals and masses, no *noch*, *gar*, *mehr* left."""
    tokens = sentence.tokens
    first, _ = companions(sentence, i)
    more = _mehr_after(sentence, i if head is None else head)
    noun = tokens[head] if head is not None else None
    bare = noun is not None and (noun.morph.get("Number") == "Plur" or noun.text in _MASS)
    if first == i and more is None and not bare:
        return None
    edits = deletion(sentence, more) if more is not None else []
    if not bare or noun is None or head is None:
        return [*edits, edit, *([(tokens[first].start, tokens[i].start, "")] if first < i else [])]
    low = tokens[i].text.lower()
    for adjective in (t for t in tokens[i + 1 : head] if t.pos == "ADJ"):
        if adjective.text.endswith("en") and low == "keine":
            edits.append((adjective.end - 1, adjective.end, ""))  # keine guten Leute: gute Leute
        elif low in ("keinem", "keiner"):
            return None
    codes = {code for r in noun_readings(noun.text) for code in r.codes if code[:2] in ("np", "ap")}
    if low == "keine" and codes and all(code.endswith("2") for code in codes):
        edits.append((noun.end - 1, noun.end, ""))  # keine Handelnden: Handelnde
    return [*edits, *deletion(sentence, first, i)]


def _mehr_after(sentence: Sentence, head: int) -> int | None:
    """The *mehr* of *kein Geld mehr*, in the same clause."""
    tokens = sentence.tokens
    verbs, finite = 0, set(finite_verbs(sentence))
    for k in range(head + 1, min(head + 6, len(tokens))):
        verbs += k in finite
        if tokens[k].pos in ("PUNCT", "CCONJ", "SCONJ") or verbs > 1:
            return None
        if tokens[k].text == "mehr":
            return None if k + 1 < len(tokens) and tokens[k + 1].text == "als" else k
    return None


perturbation = Perturbation(
    name="polarity_particle_kein_del",
    language="de",
    summary="the negative determiner kein becomes ein, or goes",
    conditions=(
        "Every form of kein becomes the same form of ein.",
        "Before a plural or a mass noun (Geld, Wasser) it goes, and an adjective takes its other ending.",
        "What makes one negation with it goes too: noch kein, gar kein, kein … mehr.",
    ),
    examples=(
        Example("Das ist kein Problem.", "Das ist ein Problem."),
        Example("Sie haben keine Kinder.", "Sie haben Kinder."),
        Example("Er sagt nichts.", None),
    ),
    function=_affirmed,
)
