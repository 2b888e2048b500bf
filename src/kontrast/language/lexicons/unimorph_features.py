"""Features of UniMorph (Sylak-Glassman 2016) as universal ones; what has no counterpart is kept as ``UniMorph``."""

from __future__ import annotations

import re
from functools import lru_cache

_POS = {
    "N": "NOUN", "PROPN": "PROPN", "ADJ": "ADJ", "V": "VERB", "ADV": "ADV", "PRO": "PRON", "DET": "DET", "ART": "DET",
    "AUX": "AUX", "CLF": "PART", "ADP": "ADP", "NUM": "NUM", "CONJ": "CCONJ", "PART": "PART", "INTJ": "INTJ",
    "COMP": "SCONJ",
}  # fmt: skip
_FORMS = {"V.PTCP": "Part", "V.CVB": "Conv", "V.MSDR": "Vnoun"}
_DIMENSIONS = {
    "Case": {
        "NOM": "Nom", "ACC": "Acc", "GEN": "Gen", "DAT": "Dat", "INS": "Ins", "INST": "Ins", "VOC": "Voc",
        "LOC": "Loc", "ESS": "Loc", "ABL": "Abl", "ERG": "Erg", "ABS": "Abs", "PRT": "Par", "TRANS": "Tra",
        "COM": "Com", "PRIV": "Abe", "FRML": "Ess", "IN+ESS": "Ine", "IN+ALL": "Ill", "IN+ABL": "Ela",
        "AT+ESS": "Ade", "AT+ALL": "All", "AT+ABL": "Abl", "ON+ESS": "Sup", "ON+ALL": "Sub", "ON+ABL": "Del",
        "BEN": "Ben", "COMPV": "Cmp", "EQTV": "Equ", "TERM": "Ter", "ALL": "All",
    },
    "Number": {"SG": "Sing", "PL": "Plur", "DU": "Dual", "TRI": "Tri", "PAUC": "Pauc", "GRPL": "Grpl", "INVN": "Inv"},
    "Gender": {"MASC": "Masc", "FEM": "Fem", "NEUT": "Neut", "COMMON": "Com"},
    "Animacy": {"ANIM": "Anim", "INAN": "Inan", "HUM": "Hum", "NHUM": "Nhum"},
    "Person": {"0": "0", "1": "1", "2": "2", "3": "3", "4": "4"},
    "Tense": {"PRS": "Pres", "PST": "Past", "FUT": "Fut", "PST+PRF": "Pqp", "PLPRF": "Pqp"},
    "Aspect": {"PFV": "Perf", "IPFV": "Imp", "PRF": "Perf", "PROG": "Prog", "HAB": "Hab", "ITER": "Iter",
               "PROSP": "Prosp"},
    "Mood": {"IND": "Ind", "SBJV": "Sub", "IMP": "Imp", "COND": "Cnd", "OPT": "Opt", "POT": "Pot", "PURP": "Prp",
             "ADM": "Adm", "QUOT": "Qot"},
    "Voice": {"ACT": "Act", "PASS": "Pass", "MID": "Mid", "CAUS": "Cau", "ANTIP": "Antip", "RECP": "Rcp"},
    "VerbForm": {"FIN": "Fin", "NFIN": "Inf"},
    "Degree": {"POS": "Pos", "CMPR": "Cmp", "SPRL": "Sup", "EQT": "Equ", "AB": "Abs", "RL": "Sup"},
    "Definite": {"DEF": "Def", "NDEF": "Ind", "INDF": "Ind", "SPEC": "Spec", "PSSD": "Cons"},
    "Polarity": {"NEG": "Neg"},
    "Polite": {"FORM": "Form", "INFM": "Infm", "ELEV": "Elev", "HUMB": "Humb"},
}  # fmt: skip
_KNOWN = {mark: (name, value) for name, values in _DIMENSIONS.items() for mark, value in values.items()}
_OWNER = re.compile(r"PSS([123])?([SPD])?$")
_NESTED = re.compile(r"([A-Z]+)\((.*)\)$")


@lru_cache(maxsize=20_000)
def universal(features: str) -> tuple[str, dict[str, str]]:
    """Part of speech and features of a bundle, whatever its order.

    >>> universal("V;IND;PRS;3;SG")
    ('VERB', {'Mood': 'Ind', 'Tense': 'Pres', 'Person': '3', 'Number': 'Sing', 'VerbForm': 'Fin'})
    >>> universal("N;NOM/ACC;PL")[1], universal("V.PTCP;PST;FEM")[1]["VerbForm"], universal("N;SG;LGSPEC1")[1]
    ({'Case': 'Nom,Acc', 'Number': 'Plur'}, 'Part', {'Number': 'Sing', 'UniMorph': 'LGSPEC1'})
    """
    pos = ""
    found: dict[str, str] = {}
    other: list[str] = []
    for mark in re.split(r";(?![^(]*\))", features):
        if mark in _FORMS or mark in _POS:
            pos = pos or ("VERB" if mark in _FORMS else _POS[mark])
            if mark in _FORMS:
                found["VerbForm"] = _FORMS[mark]
        else:
            known = _one(mark)
            found.update(known)
            if not known and mark:
                other.append(mark)
    if pos not in ("ADJ", "ADV") and found.get("Degree") == "Pos":
        # POS is a positive adjective, and an affirmative verb.
        found["Polarity"] = found.pop("Degree")
    if other:
        found["UniMorph"] = ";".join(other)
    if pos in ("VERB", "AUX") and "VerbForm" not in found and found.keys() & {"Mood", "Person"}:
        # Files leave FIN out where mood or person say it.
        found["VerbForm"] = "Fin"
    return pos, found


def _one(mark: str) -> dict[str, str]:
    """The features of one mark: NOM, NOM/ACC, {1/3}, PSS1S (a possessor), ACC(3,SG) (agreement with an object)."""
    nested, owner = _NESTED.match(mark), _OWNER.match(mark)
    if nested:
        layer = "" if nested[1] in ("NOM", "ERG", "ABS") else f"[{nested[1].lower()}]"
        inner = [feature for part in re.split("[,;]", nested[2]) for feature in _one(part).items()]
        return {name + layer: value for name, value in inner}
    if owner and (owner[1] or owner[2]):
        number = {"S": "Sing", "P": "Plur", "D": "Dual"}.get(owner[2] or "", "")
        return {k: v for k, v in (("Person[psor]", owner[1]), ("Number[psor]", number)) if v}
    if mark in _KNOWN:
        return dict([_KNOWN[mark]])
    parts = [_KNOWN.get(part) for part in re.split("[/+]", mark.strip("{}"))]
    names = {part[0] for part in parts if part is not None}
    if len(parts) > 1 and None not in parts and len(names) == 1:
        return {names.pop(): ",".join(part[1] for part in parts if part is not None)}
    return {}
