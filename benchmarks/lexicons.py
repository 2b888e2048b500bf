"""Lexicons against gold treebanks: does a lexicon know the word, generate its form, and analyse it as annotated?

python benchmarks/lexicons.py [--lexicon de=dwdsmor] [--data ../shared/data] [--misses POS] [--json]

Distinct (form, lemma, features) of PUD and GSD, open word classes. *Known*: the lexicon has any form of the gold
lemma. *Generated*: of the known, the form is among those with the gold features; *first*: it is the first of them.
*Analysed*: of the known, a reading has the gold lemma and contradicts no gold feature.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kontrast.language.annotation import Token
from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.lexicon import Lexicon
from kontrast.language.lexicons import lexicon
from kontrast.reporting.terminal import print_json, print_table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TREEBANKS = {
    "de": ("pud-ud-test", "gsd-ud-test", "gsd-ud-dev"),
    "fr": ("pud-ud-test", "gsd-ud-test", "gsd-ud-dev"),
}
FEATURES = ("Case", "Number", "Gender", "Person", "Tense", "Mood", "VerbForm", "Degree")
HEADS = ("lexicon", "words", "distinct", "known", "generated", "first", "analysed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--lexicon", action="append", default=[], metavar="LANG=NAME", help="one more to measure")
    parser.add_argument("--misses", help="print what is not generated of this part of speech")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    wanted = [(language, None) for language in TREEBANKS]
    wanted += [tuple(each.split("=", 1)) for each in args.lexicon]
    rows = []
    for language, name in wanted:
        known = lexicon(language, name)
        gold = set(words(args.data / "ud", language))
        for pos in ("NOUN", "ADJ", "VERB"):
            rows.append((f"{language} {known.name}", pos, *figures(known, pos, gold, args.misses == pos)))
    if args.json:
        print_json([dict(zip(HEADS, row, strict=True)) for row in rows])
    else:
        print_table(HEADS, rows, title="Lexicons on gold treebanks")


def words(folder: Path, language: str) -> Iterator[tuple[str, str, str, tuple[tuple[str, str], ...]]]:
    for treebank in TREEBANKS[language]:
        for sentence in read_conllu(folder / f"{language}_{treebank}.conllu"):
            for i, token in enumerate(sentence.tokens):
                pos = "VERB" if token.pos == "AUX" else token.pos
                if pos in ("NOUN", "ADJ", "VERB") and token.morph and not (i == 0 and pos != "NOUN"):
                    yield token.text, token.lemma, pos, tuple(sorted(_features(token).items()))


def _features(token: Token) -> dict[str, str]:
    return {k: v for k, v in token.morph.items() if k in FEATURES and "," not in v}


def figures(
    known: Lexicon, pos: str, gold: set[tuple[str, str, str, tuple[tuple[str, str], ...]]], misses: bool
) -> tuple[int, float, float, float, float]:
    found: Counter[str] = Counter()
    for form, lemma, kind, pairs in gold:
        if kind != pos:
            continue
        found["all"] += 1
        if not known.generate(lemma, pos):
            continue
        found["known"] += 1
        features = dict(pairs)
        made = known.generate(lemma, pos, **_named(known, lemma, pos, features))
        found["generated"] += form in made
        found["first"] += form in made[:1]
        found["analysed"] += any(
            a.lemma == lemma and all(v in a.features.get(k, v).split(",") for k, v in features.items())
            for a in known.analyse(form)
        )
        if misses and form not in made:
            print(form, lemma, pairs, made[:4])
    shares = (found[name] / found["known"] for name in ("generated", "first", "analysed"))
    return (found["all"], found["known"] / found["all"], *shares)


def _named(known: Lexicon, lemma: str, pos: str, features: dict[str, str]) -> dict[str, str]:
    """The gold features that this lexicon has of this word at all: a treebank may say more."""
    names = {name for form in known.generate(lemma, pos)[:40] for a in known.analyse(form) for name in a.features}
    return {name: value for name, value in features.items() if name in names}


if __name__ == "__main__":
    main()
