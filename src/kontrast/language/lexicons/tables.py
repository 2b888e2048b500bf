"""German words by the tables of this package and closed classes written by hand: the default lexicon for German."""

import re
from collections.abc import Iterable
from functools import lru_cache

from kontrast.language.lexicon import Analysis, features_of, forms_with, tag_tables
from kontrast.language.lexicons.german import (
    Reading,
    adjective_lemma,
    comparative_lemma,
    compound_head,
    noun_readings,
    readings,
    verb_forms,
)
from kontrast.language.lexicons.german_adjectives import IRREGULAR, adjective_forms, adjective_places
from kontrast.language.lexicons.german_words import DEFINITE, DER_STEMS, DETERMINERS, PRONOUNS
from kontrast.language.lexicons.store import table, unpacked

_POS = tag_tables("tables")["pos"]
_GENDERS, _CASES, _NUMBERS, _DECLENSIONS, _VERBS = (
    {mark: features_of(column) for mark, column in tag_tables("tables")[name].items()}
    for name in ("genders", "cases", "numbers", "declensions", "verbs")
)
_ENDING = re.compile("e[nmrs]?$")


class Tables:
    """German nouns, adjectives, verbs, determiners and personal pronouns; compounds by their head."""

    name = "tables"
    language = "de"
    licence = "CC BY-SA 4.0"

    def analyse(self, form: str) -> list[Analysis]:
        found = list(_closed()[0].get(form, ()))
        nouns = sorted(_nouns_of(form), key=lambda r: (r.rare, r.lemma != form))
        found += [Analysis(form, r.lemma, _POS[r.pos], f) for r in nouns for f in _cells(r.feature, r.codes)]
        for lemma in _adjectives_of(form):
            found += [Analysis(form, lemma, "ADJ", f) for made, f in _adjective(lemma) if made == form]
        verbs = [r for r in readings(form) if r.pos == "V"]
        found += [Analysis(form, r.lemma, "VERB", f) for r in verbs for f in map(_verb_features, sorted(r.codes))]
        return found

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        if pos == "ADJ":
            forms = _adjective(lemma)
            places = adjective_places(tuple(features.items())) if forms else ()
            return list(dict.fromkeys(forms[i][0] for i in places))
        return forms_with(_paradigm(lemma), pos, features)


@lru_cache(maxsize=5_000)
def _paradigm(lemma: str) -> tuple[Analysis, ...]:
    """All that is known of a lemma, in the order of `Tables.analyse`."""
    found = list(_closed()[1].get(lemma, ()))
    if lemma[:1].isupper():
        found += _noun(lemma) or _compound(lemma) or _nominalised(lemma)
    found += [Analysis(form, lemma, "ADJ", f) for form, f in _adjective(lemma)]
    forms = verb_forms(lemma)
    for code, form in forms.items():
        if code == "particle":
            continue
        whole = form if len(code) == 1 else forms["particle"] + form
        found.append(Analysis(whole, lemma, "VERB", _verb_features(code)))
    if forms.get("particle"):
        infinitive = f"{forms['particle']}zu{lemma.removeprefix(forms['particle'])}"
        found.append(Analysis(infinitive, lemma, "VERB", _verb_features("z")))
    return tuple(found)


@lru_cache(maxsize=1)
def _closed() -> tuple[dict[str, list[Analysis]], dict[str, list[Analysis]]]:
    """Determiners and personal pronouns, by form and by lemma."""
    found = []
    # eure is more usual than euere, unsere than unsre
    for form in sorted(DETERMINERS, key=lambda form: form.startswith(("euere", "unsr"))):
        for gender, code in DETERMINERS[form]:
            found += [Analysis(form, _determiner(form), "DET", f) for f in _cells(gender, [code])]
    for form, cells in PRONOUNS.items():
        for cell in cells:
            own = _GENDERS.get(cell[3:], {})
            features = {**_CASES[cell[1]], **_NUMBERS[cell[2]], "Person": cell[0], **own}
            found.append(Analysis(form, _pronoun(form, cell), "PRON", features))
    by_form: dict[str, list[Analysis]] = {}
    by_lemma: dict[str, list[Analysis]] = {}
    for each in found:
        by_form.setdefault(each.form, []).append(each)
        by_lemma.setdefault(each.lemma, []).append(each)
    return by_form, by_lemma


def _determiner(form: str) -> str:
    if form in DEFINITE:
        return "der"
    stem = re.sub("(?<!eu)(?<!uns)e[rsnm]?$", "", form)
    return {"eur": "euer", "unsr": "unser"}.get(stem, stem + "er" if stem in DER_STEMS and stem != "all" else stem)


def _pronoun(form: str, cell: str) -> str:
    """The nominative of the same person, number and gender."""
    if form == "man":
        return form
    of_same = (
        f for f, cells in PRONOUNS.items() for c in cells if c[1] == "n" and c[0] + c[2:] == cell[0] + cell[2:]
    )
    return next(of_same)


def _order(code: str) -> tuple[int, int, str]:
    """Nominative singular first."""
    return "sp".index(code[1]), "ngda".index(code[0]), code[2:]


def _cells(gender: str, codes: Iterable[str]) -> list[dict[str, str]]:
    """Features of a noun's codes."""
    return [_noun_features(gender, code) for code in sorted(codes, key=_order)]


@lru_cache
def _noun_features(gender: str, code: str) -> dict[str, str]:
    return {**_GENDERS[gender], **_CASES[code[0]], **_NUMBERS[code[1]], **_DECLENSIONS.get(code[2:], {})}


def _nouns_of(form: str) -> list[Reading]:
    """Readings as a noun, compounds included; as a name whose gender is not known where there is no other."""
    if not form[:1].isupper():
        return []
    return list(noun_readings(form)) or [r for r in readings(form) if r.pos in _POS]


def _noun(lemma: str) -> list[Analysis]:
    """The forms of a noun or name that the table has, the usual gender first, the singular before the plural."""
    facts = [fact for fact in unpacked(lemma, table("de.nouns").get(lemma)) if fact[0][0] in _POS]
    # A capital gender marks a rarer word of that lemma.
    facts.sort(key=lambda fact: (fact[0][0] == "E", fact[0][1:].isupper(), _order(fact[1])))
    return [
        Analysis(form, lemma, _POS[group[0]], features)
        for group, code, form in facts
        for features in _cells(group[1:].lower(), [code])
    ]


def _compound(lemma: str) -> list[Analysis]:
    """A compound that the table lacks is inflected as its head is."""
    head = compound_head(lemma)
    if head is None:
        return []
    first = lemma[: len(lemma) - len(head)]
    # U-Bahn-Station keeps the capital of its head
    found = _noun(head) if head[:1].isupper() else _noun(head.capitalize())
    return [
        Analysis(first + (a.form if head[:1].isupper() else a.form.lower()), lemma, a.pos, a.features)
        for a in found
        if a.pos == "NOUN"
    ]


def _nominalised(lemma: str) -> list[Analysis]:
    """*das Warten*, *der Verdächtige*: an infinitive or adjective as a noun."""
    low = lemma[:1].lower() + lemma[1:]
    if verb_forms(low):
        forms = ((lemma, ["ns", "ds", "as"]), (lemma + "s", ["gs"]))
        return [Analysis(form, lemma, "NOUN", f) for form, codes in forms for f in _cells("n", codes)]
    base = adjective_lemma(low)
    return [
        Analysis(form[:1].upper() + form[1:], lemma, "NOUN", {k: v for k, v in f.items() if k != "Degree"})
        for form, f in (_adjective(base) if base else ())
        if "Case" in f and f["Degree"] == "Pos"
    ]


@lru_cache(maxsize=5_000)
def _adjective(lemma: str) -> tuple[tuple[str, dict[str, str]], ...]:
    """The forms of an adjective or participle; none of any other word."""
    known = readings(lemma)
    if not any((r.pos == "A" and "p" in r.codes) or (r.pos == "V" and r.codes & {"1", "2"}) for r in known):
        return ()
    stems = (form for group, _, form in unpacked(lemma, table("de.nouns").get(lemma)) if group == "A")
    return adjective_forms(lemma, next(stems, lemma))


def _adjectives_of(form: str) -> list[str]:
    """The adjectives and participles of which this may be a form."""
    stem = _ENDING.sub("", form)
    irregular = [lemma for lemma, degrees in IRREGULAR.items() if stem in degrees or form in degrees]
    listed = [r.lemma for word in (form, stem) for r in readings(word) if r.pos == "A"]
    return list(
        dict.fromkeys(filter(None, [*irregular, *listed, adjective_lemma(form), comparative_lemma(form), form]))
    )


@lru_cache
def _verb_features(code: str) -> dict[str, str]:
    person = {"Person": code[1], **_NUMBERS[code[2]]} if len(code) == 3 else {}
    return {**_VERBS[code[0]], **person}
