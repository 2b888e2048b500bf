"""Who should annotate German by default? Rules, HanTa and a spaCy pipeline against gold trees, and their errors.

python benchmarks/german_pipeline.py --out FOLDER            # once, ten minutes: the spaCy pipeline
python benchmarks/german_annotators.py --pipeline FOLDER/model-best [--json] [--data ../shared/data]

Any other pipeline (`--pipeline de_core_news_lg`) is measured the same way. PUD was in no training. The rules'
tagger as it ships has learnt from GSD test, so for that column it is trained anew from GSD dev; PUD has no STTS.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kontrast.building.errors.de.grammar import finite_verbs, subject_of
from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.language.annotation import Annotator, Sentence, Token
from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.annotators.german import _UPOS, German, german_spans
from kontrast.language.annotators.spacy_pipeline import SpacyPipeline
from kontrast.language.german.tagger import Tagger
from kontrast.reporting.terminal import print_json, print_table
from perturb import np_is_error, verb_is_error

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
ERRORS = {"np_agreement": np_is_error, "subj_verb_agreement": verb_is_error}
Figures = dict[str, float | None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pipeline", help="a spaCy pipeline: its name or folder (default: leave it out)")
    parser.add_argument("--without", nargs="*", default=(), choices=("rules", "hanta"))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    treebanks = args.data / "ud"
    columns: dict[str, Figures] = {}
    for treebank in ("pud", "gsd"):
        gold = list(read_conllu(treebanks / f"de_{treebank}-ud-test.conllu"))
        for name, annotator in annotators(args.pipeline, treebanks if treebank == "gsd" else None):
            if name not in args.without:
                columns[f"{name}, {treebank.upper()}"] = figures(gold, annotator, tags=treebank == "gsd")
    if args.json:
        print_json(columns)
        return
    names = list(dict.fromkeys(key for found in columns.values() for key in found))
    rows = [(name, *(_shown(found.get(name)) for found in columns.values())) for name in names]
    print_table(("figure", *columns), rows, title="German annotation")


def annotators(pipeline: str | None, retrained_from: Path | None) -> Iterator[tuple[str, Annotator]]:
    rules = German()
    if retrained_from is not None:
        sys.path.insert(0, str(ROOT / "tools"))
        from german_tagger import train

        dev = list(read_conllu(retrained_from / "de_gsd-ud-dev.conllu"))
        sentences = [([t.text for t in s.tokens], [_stts(t.tag) for t in s.tokens]) for s in dev]
        rules._tagger = Tagger(train(sentences))
    yield "rules", rules
    yield "hanta", HanTa()
    if pipeline:
        yield "spacy", SpacyPipeline("de", pipeline)


class HanTa:
    """HanTa 1.2: STTS tags and lemmas, no morphology, no tree; words as our tokeniser cuts them."""

    name, language = "hanta", "de"
    supplies = frozenset({"lemma", "pos", "tag"})

    def __init__(self) -> None:
        from HanTa import HanoverTagger

        self._tagger: Any = HanoverTagger.HanoverTagger("morphmodel_ger.pgz")

    def annotate(self, texts: Iterable[str]) -> Iterator[Sentence]:
        for text in texts:
            spans = german_spans(text)
            found = self._tagger.tag_sent([text[a:b] for a, b in spans], taglevel=1)
            yield Sentence(
                text,
                tuple(
                    Token(word, a, b, lemma, _upos(tag), _stts(tag))
                    for (a, b), (word, lemma, tag) in zip(spans, found, strict=True)
                ),
            )


def _stts(tag: str) -> str:
    """One name for what treebanks and HanTa (VV(FIN), ADJ(A)) write in several ways."""
    tag = tag.replace("(", "").replace(")", "") if tag[:1].isalpha() else tag
    return {"PROAV": "PAV", "PROPAV": "PAV", "PIDAT": "PIAT"}.get(tag, tag)


def _upos(tag: str) -> str:
    tag = _stts(tag)
    return _UPOS.get(tag, "VERB" if tag.startswith("V") else "X")


def figures(gold: list[Sentence], annotator: Annotator, tags: bool) -> Figures:
    """What the back end supplies, measured; None where it supplies nothing of the kind."""
    started = time.process_time()
    ours = list(annotator.annotate(g.text for g in gold))
    seconds = time.process_time() - started
    right: Counter[str] = Counter()
    given: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for g, o in zip(gold, ours, strict=True):
        by_place = {(t.start, t.end): t for t in o.tokens}
        for token in g.tokens:
            for what, wanted, found in _compared(token, by_place.get((token.start, token.end))):
                total[what] += 1
                given[what] += found != "" and "," not in found
                right[what] += found == wanted
        for what, wanted_pairs, found_pairs in _pairs(g, o):
            total[what] += len(wanted_pairs)
            given[what] += len(found_pairs)
            right[what] += len(wanted_pairs & found_pairs)
    result: Figures = {}
    if tags:
        result["STTS tag"] = right["STTS tag"] / total["STTS tag"]
    for what in ("UD tag", "lemma of nouns, verbs, adjectives"):
        result[what] = right[what] / total[what]
    for name in ("Case", "Number", "Gender"):
        what = f"{name.lower()} of nouns and determiners"
        result[what] = right[what] / total[what] if given[what] else None
        result[f"  of those where it names one {name.lower()}"] = right[what] / given[what] if given[what] else None
    for what in ("determiner and its noun", "finite verb and its subject"):
        result[f"{what}: found"] = right[what] / total[what] if given[what] else None
        result[f"{what}: right of those"] = right[what] / given[what] if given[what] else None
    for name, check in ERRORS.items():
        made = [
            (not c.is_sure, check(g, c.edits[0].start, c.edits[0].end, c.edits[0].new))
            for g, o in zip(gold, ours, strict=True)
            for c in candidates_of(get("de", name), o)
        ]
        for which, verdicts in (("all", [v for _, v in made]), ("not weak", [v for weak, v in made if not weak])):
            result[f"{name}, {which}: candidates"] = len(verdicts) or None
            result[f"{name}, {which}: strictly right"] = verdicts.count("right") / len(verdicts) if verdicts else None
    result["sentences a second"] = round(len(gold) / seconds, 1)
    return result


def _compared(gold: Token, ours: Token | None) -> Iterator[tuple[str, str, str]]:
    """(what, gold value, value given); a token that was cut otherwise counts as wrong."""
    yield "STTS tag", _stts(gold.tag), _stts(ours.tag) if ours else ""
    yield "UD tag", gold.pos, ours.pos if ours else ""
    if gold.pos in ("NOUN", "VERB", "ADJ", "AUX"):
        yield "lemma of nouns, verbs, adjectives", gold.lemma.lower(), ours.lemma.lower() if ours else ""
    if gold.pos in ("NOUN", "DET"):
        for name in ("Case", "Number", "Gender"):
            if name in gold.morph and "," not in gold.morph[name]:
                yield (
                    f"{name.lower()} of nouns and determiners",
                    gold.morph[name],
                    ours.morph.get(name, "") if ours else "",
                )


Pairs = set[tuple[int, int]]


def _pairs(gold: Sentence, ours: Sentence) -> Iterator[tuple[str, Pairs, Pairs]]:
    """Places of the two words of each relation that the errors stand on."""
    yield "determiner and its noun", _determiners(gold), _determiners(ours)
    yield "finite verb and its subject", _subjects(gold), _subjects(ours)


def _determiners(sentence: Sentence) -> Pairs:
    words = sentence.tokens
    return {(t.start, words[t.head].start) for t in words if t.relation.startswith("det") and t.head >= 0}


def _subjects(sentence: Sentence) -> Pairs:
    words = sentence.tokens
    found = ((verb, subject_of(sentence, verb)) for verb in finite_verbs(sentence))
    return {(words[verb].start, words[subject].start) for verb, subject in found if subject is not None}


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value > 1 else f"{100 * value:.1f}%"


if __name__ == "__main__":
    main()
