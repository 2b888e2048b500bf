"""Konjunktiv II: *hätte*, *wäre*, *müsste*, *könnte* become the indicative of the past."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.de.grammar import clause_around, finite_verbs
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence

_STEMS = {"hätt": "hatt", "müsst": "musst", "könnt": "konnt"}
_ENDINGS = ("e", "en", "est", "et")
_INDICATIVE = {
    **{a + e: b + e for a, b in _STEMS.items() for e in _ENDINGS},
    "wäre": "war", "wären": "waren", "wärest": "warst", "wärst": "warst", "wärt": "wart", "wäret": "wart",
}  # fmt: skip
_OPENERS = ("KOUS", "KOKOM", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT")


def _as_fact(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    verbs = [i for i in finite_verbs(sentence) if tokens[i].text.lower() in _INDICATIVE]
    subjunctives = [i for i in finite_verbs(sentence) if tokens[i].text.lower().startswith("würd")]
    for i in verbs:
        low = tokens[i].text.lower()
        clause = clause_around(sentence, i)
        opener = next((tokens[k].text.lower() for k in clause if k < i and tokens[k].tag in _OPENERS), "")
        said = flags(
            subordinate=bool(opener),
            second_subjunctive=len(verbs) + len(subjunctives) > 1,
            participle=any(tokens[k].tag in ("VVPP", "VAPP") for k in clause),
            quoted=any(mark in sentence.text for mark in '„“”"»«:'),
            could=low.startswith("könn"),
        )
        source = set(re.findall(r"\w+", sentence.source.lower()))
        said += flags(
            conditional=opener in ("wenn", "falls") or "wenn" in sentence.text.lower().split(),
            as_if=opener in ("als", "ob"),
            unreal_in_source=bool(source & {"would", "might", "may", "should", "were", "d"}),
            could_in_source="could" in source,
            in_past="Past" in {tokens[k].morph.get("Tense") for k in finite_verbs(sentence) if k not in verbs},
        )
        edits = [replaced_word(tokens[i], _INDICATIVE[low])]
        yield candidate("subjunctive", sentence, edits, words=(low,), features=said)


perturbation = Perturbation(
    name="subjunctive",
    language="de",
    summary="a subjunctive of what is not so becomes the indicative of the past",
    conditions=(
        "hätte, wäre, müsste, könnte become hatte, war, musste, konnte.",
        "Not würde: wurde is a lost umlaut, not an indicative. Not sollte, whose two moods are alike.",
    ),
    examples=(
        Example("Das wäre ein Fehler.", "Das war ein Fehler."),
        Example("Wenn er Zeit hätte, würde er kommen.", "Wenn er Zeit hatte, würde er kommen."),
        Example("Ich würde morgen kommen.", None),
        Example("Er sollte kommen.", None),
    ),
    function=_as_fact,
)
