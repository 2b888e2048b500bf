"""Names: two neighbouring letters of a rare name change places (*Ropid* → *Rpoid*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import adjective_lemma, compound_head, readings


def _misspelt(sentence: Sentence) -> Iterator[Candidate]:
    for token in sentence.tokens:
        if not _is_rare_name(token):
            continue
        name = token.text
        for k in range(1, len(name) - 1):
            if name[k] != name[k + 1]:
                new = name[:k] + name[k + 1] + name[k] + name[k + 2 :]
                yield candidate(
                    "transliteration", sentence, [(token.start, token.end, new)], words=(name,), unseen=(name,)
                )


def _is_rare_name(token: Token) -> bool:
    name = token.text
    if not (token.tag in ("NE", "NNP") or token.pos == "PROPN") or len(name) < 5 or not name.isalpha():
        return False
    if not name[0].isupper() or not name[1:].islower() or name.endswith(("sche", "schen", "scher", "sches")):
        return False
    common = bool(readings(name)) or bool(readings(name.lower()))
    return not common and compound_head(name) is None and adjective_lemma(name.lower()) is None


perturbation = Perturbation(
    name="transliteration",
    language="de",
    summary="two adjacent characters of a name are swapped",
    conditions=(
        "A name of five letters or more, with a capital and small letters, that the lexicon does not have.",
        "With --train only names that the training text does not have; the first letter stays.",
        "The frequency is the name's.",
    ),
    examples=(
        Example("Das erklärte Filip Drápal gestern.", "Das erklärte Filip Dárpal gestern."),
        Example("Die Frau lacht.", None),
    ),
    function=_misspelt,
)
