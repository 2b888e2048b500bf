"""Figures for the German errors: recall on DistilLingEval, candidates per place, precision on gold trees, speed.

python benchmarks/perturb.py [--json] [--misses TYPE] [--half read|unseen] [--data ../shared/data]

Errors of the rules are read on the half ``read`` alone (by a hash of the line); ``unseen`` says what that is worth.
"""

from __future__ import annotations

import argparse
import resource
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontrast.building.errors.de import LINGEVAL97
from kontrast.building.errors.de.grammar import finite_verbs
from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.building.errors.spec import Candidate
from kontrast.io.files import read_lines
from kontrast.language import annotators
from kontrast.language.annotation import Sentence, Token
from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.lexicons.german import noun_readings, readings
from kontrast.language.lexicons.german_words import DEFINITE
from kontrast.reporting.terminal import print_json, print_table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
RECALL = {
    "polarity_particle_nicht_del.human": 0.99,
    "polarity_particle_nicht_del.mt": 0.99,
    "polarity_particle_kein_del.human": 0.98,
    "polarity_particle_kein_del.mt": 0.98,
    "polarity_affix_del.human": 0.92,
    "polarity_affix_del.mt": 0.92,
    "np_agreement.mt": 0.96,
    "subj_verb_agreement.mt": 0.92,
    "clause_omission.human": 0.60,
    "clause_omission.mt": 0.60,
}
PER_PLACE = {"np_agreement": 2.2, "subj_verb_agreement": 1.2}
PRECISION = {"np_agreement": 0.97, "subj_verb_agreement": 0.96}
EXPLAINED = ("plural fits", "other noun fits", "shared subject")
"""Verdicts on weak candidates: the words may stand together, but not in this sentence."""
CASES = {"Nom": "n", "Gen": "g", "Dat": "d", "Acc": "a"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", help="print what is not found of this type, or its imprecise candidates")
    parser.add_argument("--limit", type=int, default=None, help="pairs per set")
    parser.add_argument("--half", choices=("read", "unseen"), help="only this half of the pairs and trees")
    args = parser.parse_args()
    if args.misses and args.half == "unseen":
        parser.error("--misses prints errors to be read: that is not done on the unseen half")
    rows = list(recall(args.data, args.misses, args.limit, args.half))
    rows += precision(args.data, args.misses, args.half)
    if not args.misses and not args.half:
        rows += speed(args.data)
    if args.json:
        print_json([dict(zip(("figure", "set", "value", "bar", "of"), row, strict=True)) for row in rows])
    else:
        print_table(("figure", "set", "value", "bar", "of"), rows, title="German errors")


def in_half(text: str, half: str | None) -> bool:
    return half is None or (zlib.crc32(text.encode()) % 2 == 0) == (half == "read")


def recall(data: Path, misses: str | None, limit: int | None, half: str | None) -> Iterator[tuple[Any, ...]]:
    german = annotators.get("de")
    for name, bar in RECALL.items():
        folder = data / "distil-lingeval-en-de" / name
        type_name = name.split(".")[0]
        if misses and misses != type_name:
            continue
        perturbation = get("de", type_name)
        pairs = zip(read_lines(folder / "tgt.correct.de"), read_lines(folder / "tgt.incorrect.de"), strict=True)
        right, wrong = zip(*[pair for pair in pairs if in_half(pair[0], half)][:limit], strict=True)
        found = strong = elsewhere = 0
        made = places = 0
        for line, (sentence, foil) in enumerate(zip(german.annotate(right), wrong, strict=True)):
            candidates = candidates_of(perturbation, sentence)
            hit = any(c.text == foil for c in candidates)
            found += hit
            strong += any(c.text == foil and c.is_sure for c in candidates)
            if not hit and type_name == "subj_verb_agreement":
                elsewhere += any(
                    c.text == foil for other in LINGEVAL97 for c in candidates_of(get("de", other), sentence)
                )
            made += len(candidates)
            places += len({c.edits[0].start for c in candidates})
            if misses and not hit:
                print(line, sentence.text, "→", foil, sep="\n  ")
        yield ("recall", name, found / len(right), bar, len(right))
        if strong < found:
            yield ("recall, sure candidates alone", name, strong / len(right), None, len(right))
        if elsewhere:
            yield ("recall, all types' candidates counted", name, (found + elsewhere) / len(right), bar, len(right))
        if type_name in PER_PLACE:
            what = "candidates per article changed" if type_name == "np_agreement" else "candidates per verb changed"
            yield (what, name, made / places, PER_PLACE[type_name], places)


def precision(data: Path, misses: str | None, half: str | None) -> Iterator[tuple[Any, ...]]:
    """Against gold trees: PUD was not seen in training; GSD dev and test were what the tagger learnt from."""
    german = annotators.get("de")
    for treebank in ("pud-ud-test", "gsd-ud-dev", "gsd-ud-test"):
        gold = [g for g in read_conllu(data / "ud" / f"de_{treebank}.conllu") if in_half(g.text, half)]
        ours = list(german.annotate(g.text for g in gold))
        for name, check in (("np_agreement", np_is_error), ("subj_verb_agreement", verb_is_error)):
            if misses and misses != name:
                continue
            right: Counter[str] = Counter()
            weak: Counter[str] = Counter()
            astray = 0  # right only because the article's own features are taken
            verbs = sum(sum(1 for _ in finite_verbs(g)) for g in gold)
            for g, o in zip(gold, ours, strict=True):
                for c in candidates_of(get("de", name), o):
                    verdict = check(g, c.edits[0].start, c.edits[0].end, c.edits[0].new)
                    (right if c.is_sure else weak)[verdict] += 1
                    astray += c.is_sure and verdict == "right" and name == "np_agreement" and hangs_astray(g, c)
                    if misses and verdict != "right" and c.is_sure:
                        print(treebank, name, verdict, c.edits[0].old, "→", c.edits[0].new, "\n   ", g.text)
            total, every = right.total(), (right + weak).total()
            yield ("precision", f"{name} {treebank}", right["right"] / total, PRECISION[name], total)
            both = right["right"] + weak["right"]
            yield ("precision, all candidates", f"{name} {treebank}", both / every, None, every)
            lenient = both + sum((right + weak)[v] for v in EXPLAINED)
            yield (
                "precision, plurals, homographs and shared subjects too",
                f"{name} {treebank}",
                lenient / every,
                None,
                every,
            )
            if name == "np_agreement":
                letter = (right["right"] - astray) / total
                yield ("precision, by the letter of the trees", f"{name} {treebank}", letter, None, total)
            if name == "subj_verb_agreement":
                yield ("candidates per finite verb", f"{name} {treebank}", every / verbs, PER_PLACE[name], verbs)


def np_is_error(gold: Sentence, start: int, end: int, new: str) -> str:
    token = next((t for t in gold.tokens if t.start == start and t.end == end), None)
    if token is None or token.pos != "DET" or token.head < 0:
        return "no determiner"
    noun = gold.tokens[token.head]
    if not _may_have_number(noun):
        # The tree hangs it on *Wiener*, on a verb or on half a compound: then the article's own features hold.
        noun = next((t for t in gold.tokens if t.start > start and t.pos in ("NOUN", "PROPN") and t.morph), token)
        if token.morph.get("Number") != "Sing":
            return "not singular"
    if noun.morph.get("Number") != "Sing":
        return "not singular"
    case = CASES.get(noun.morph.get("Case", token.morph.get("Case", "")))
    cells = DEFINITE[new.lower()]
    gender = {"Masc": "m", "Fem": "f", "Neut": "n"}.get(noun.morph.get("Gender", ""), "x")
    same = {(gender, f"{case}s")}
    same |= {
        (r.feature, c[:2]) for r in noun_readings(noun.text) for c in r.codes if c[0] == case and r.feature == gender
    }
    other = {(r.feature, c[:2]) for r in noun_readings(noun.text) for c in r.codes if c[0] == case}
    if any(cell in cells for cell in same):
        return "gender fits"
    if any(("x", c) in cells for _, c in same):
        return "plural fits"
    return "other noun fits" if any(cell in cells or ("x", cell[1]) in cells for cell in other) else "right"


def _may_have_number(token: Token) -> bool:
    return "Number" in token.morph and token.pos in ("NOUN", "PROPN", "ADJ", "PRON", "X")


def hangs_astray(gold: Sentence, candidate: Candidate) -> bool:
    """Does the tree hang the changed article on a word without number?"""
    token = next(t for t in gold.tokens if t.start == candidate.edits[0].start)
    return not _may_have_number(gold.tokens[token.head])


def verb_is_error(gold: Sentence, start: int, end: int, new: str) -> str:
    index = next((i for i, t in enumerate(gold.tokens) if t.start == start and t.end == end), None)
    if index is None or index not in set(finite_verbs(gold)):
        return "not finite"
    token = gold.tokens[index]
    centre = token.head if token.relation.startswith(("aux", "cop")) else index
    shared = False
    for _ in range(5):
        subjects = [t for t in gold.tokens if t.head == centre and t.relation.startswith(("nsubj", "csubj", "expl"))]
        if subjects or centre < 0 or gold.tokens[centre].relation not in ("conj", "parataxis"):
            break
        centre, shared = gold.tokens[centre].head, True
    if not subjects:
        return "no subject"
    codes = {c for r in readings(new.lower()) if r.pos == "V" for c in r.codes if len(c) == 3}
    number = {"Sing": "s", "Plur": "p"}.get(token.morph.get("Number", ""), "?")
    person = token.morph.get("Person", "3")
    if any(c[1] == person and c[2] == number for c in codes):
        return "still agrees"
    return "shared subject" if shared else "right"


def speed(data: Path) -> Iterator[tuple[Any, ...]]:
    lines = [s.text for s in read_conllu(data / "ud" / "de_pud-ud-test.conllu")]
    german = annotators.get("de")
    perturbations = [get("de", name) for name in LINGEVAL97]
    started = time.process_time()
    for sentence in german.annotate(lines):
        for perturbation in perturbations:
            candidates_of(perturbation, sentence)
    seconds = time.process_time() - started
    yield (
        "sentences per second, one core",
        f"{len(perturbations)} types, PUD",
        len(lines) / seconds,
        120,
        len(lines),
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    yield ("memory, GB", "", memory, 1.0, 1)


if __name__ == "__main__":
    main()
