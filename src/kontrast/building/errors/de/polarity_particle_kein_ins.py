"""Polarity: the indefinite article *ein* becomes *kein*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.polarity_particle_nicht_del import negation_features
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import opens_sentence, replaced_word
from kontrast.language.annotation import Sentence

_FORMS = frozenset(("ein", "eine", "einen", "einem", "einer", "eines"))
_ANAPHORS = {"Masc": ("er", "ihn", "ihm", "sein"), "Fem": ("sie", "ihr"), "Neut": ("es", "ihm", "sein")}


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i, token in enumerate(tokens):
        if token.text.lower() not in _FORMS or not token.relation.startswith("det") or token.head <= i:
            continue
        after = tokens[token.head + 1 : token.head + 3]
        said = flags(
            taken_up=_is_taken_up(sentence, i),
            taken_up_next=_is_taken_up(sentence, i, soon=True),
            joined=bool(after) and after[0].pos == "CCONJ",
            within_phrase=i > 0 and tokens[i - 1].pos in ("NOUN", "PROPN", "ADP"),
            adverbial=i > 0 and tokens[i - 1].pos == "ADP",
            genitive=token.text.lower() in ("eines", "einer")
            and i > 0
            and tokens[i - 1].pos in ("NOUN", "PROPN", "DET"),
            compared=i > 0 and tokens[i - 1].text.lower() in ("als", "wie"),
            numbered=any(
                t.text.lower() in ("andere", "anderer", "anderen", "anderes", "zwei") for t in tokens[i + 1 :]
            ),
            measure=tokens[token.head].text
            in ("Tages", "Mal", "Art", "Weile", "Blick", "Reihe", "Teil", "Großteil", "Paar", "Moment"),
        )
        said += negation_features(sentence, i)
        against = {"second_negation", "asks_yes_or_no", "no_finite_verb", "doubt.corrected", "fragment"}
        said += flags(clear=not (set(said) & {*against, "taken_up", "joined", "within_phrase", "adverbial"}))
        edits = [replaced_word(token, "k" + token.text.lower())]
        yield candidate("polarity_particle_kein_ins", sentence, edits, features=said)


def _is_taken_up(sentence: Sentence, i: int, *, soon: bool = False) -> bool:
    """*nimmt einen Brocken auf und legt ihn ab*: what is not there is not spoken of again; ``soon``: by a pronoun
    that opens the next clause or stands behind its verb."""
    tokens = sentence.tokens
    noun = tokens[tokens[i].head]
    forms = tuple(
        form for gender, forms in _ANAPHORS.items() if gender in noun.morph.get("Gender", "") for form in forms
    )
    for k in range(tokens[i].head + 1, len(tokens)):
        before = tokens[k - 2 : k]
        if soon and not (tokens[k].text.lower() in forms and any(t.pos in ("PUNCT", "CCONJ") for t in before)):
            continue
        small = tokens[k].text.islower() or opens_sentence(sentence, k)  # not the polite Ihr
        if small and forms and tokens[k].pos in ("PRON", "DET") and tokens[k].text.lower().startswith(forms):
            return True
        if tokens[k].text == noun.text:
            return True
    return False


perturbation = Perturbation(
    name="polarity_particle_kein_ins",
    language="de",
    summary="the indefinite article ein becomes kein",
    conditions=("A form of ein that is the article of a noun; its ending and its capital stay.",),
    examples=(
        Example("Das bedeutet einen Sieg.", "Das bedeutet keinen Sieg."),
        Example("Eine Partei gewann.", "Keine Partei gewann."),
        Example("Sie haben die Partei gewählt.", None),
    ),
    function=_negated,
)
