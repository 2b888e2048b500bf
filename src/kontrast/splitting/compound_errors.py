"""How often a system translates a compound right: seen against unseen, for real text.

After the compound error rate of CoGnition (Li et al. 2021). A compound of a test sentence is right where the output
has the words that its head and its dependent are aligned to in the reference; with a dictionary, words that the two
lemmas are aligned to on the train side will do as well. Compounds with a part that is not aligned are counted apart.
Of CoGnition itself the set's own check decides (`judged_compounds`).
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kontrast.defaults import LEVEL, SEED
from kontrast.errors import InputError, KontrastError
from kontrast.language.aligners.pharaoh import Pharaoh
from kontrast.language.alignment import Links, partners, spans
from kontrast.language.annotation import Sentence, Token
from kontrast.language.annotators.conllu import read_conllu
from kontrast.record import Record
from kontrast.splitting.corpus_counts import CorpusCounts
from kontrast.splitting.split_files import Split
from kontrast.splitting.token_table import Array

SHARE, TIMES = 0.1, 2
"""A word is a translation of a lemma when it takes this share of the lemma's links, and so many of them."""
RESAMPLES = 1000
FEW = 5_000
"""An aligner trained on fewer pairs than this makes many mistakes."""


class CompoundRate(Record, frozen=True):
    """Compounds of one kind: how many could be decided, how many are right, and the error rate with its interval."""

    by: str
    group: str
    seen: bool
    compounds: int
    right: int
    error_rate: float
    low: float
    high: float


class CompoundSystem(Record, frozen=True):
    """One system: error rates of seen and unseen compounds, their difference, and rates by kind.

    ``unseen_types_error_rate`` counts a compound as wrong that is wrong anywhere.
    """

    name: str
    seen: CompoundRate
    unseen: CompoundRate
    difference: float
    difference_low: float
    difference_high: float
    unseen_types_error_rate: float
    rates: tuple[CompoundRate, ...]


class ErrorDifference(Record, frozen=True):
    """The unseen compounds of two systems, sentence by sentence: error rate of the first minus that of the second."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float


class CompoundErrors(Record, frozen=True):
    """Results of every system, and of each against the first."""

    systems: tuple[CompoundSystem, ...]
    comparisons: tuple[ErrorDifference, ...]
    corpus: int
    sentences: int
    compounds: int
    undecided: int
    dictionary: bool
    level: float = LEVEL


class _Compound(NamedTuple):
    sentence: int
    name: str
    relation: str
    frequency: int
    distance: int
    head: frozenset[str]
    dependent: frozenset[str]
    lemmas: tuple[str, str]


def compound_errors(
    counts: CorpusCounts,
    result: Split,
    source: str | Path,
    references: Sequence[str],
    links: Sequence[Links],
    outputs: Mapping[str, Sequence[str]],
    *,
    dictionary: bool = False,
    level: float = LEVEL,
    seed: int = SEED,
) -> CompoundErrors:
    """Judge each compound of the test side in each system's output.

    ``source`` is the CoNLL-U file that was counted; ``references`` and ``links`` have a line for each of its
    sentences, words cut by `kontrast.language.alignment.spans`; outputs have one for each test sentence.
    """
    if counts.about.get("features") != "dependency":
        raise KontrastError(
            f"the counts have {counts.about.get('features')} features, whose compounds are not pairs of words"
        )
    for what, given in (("references", references), ("alignments", links)):
        if len(given) != counts.sentences:
            raise KontrastError(f"there are {len(given)} {what} for a corpus of {counts.sentences} sentences")
    for name, lines in outputs.items():
        if len(lines) != len(result.test):
            raise InputError(name, f"has {len(lines)} lines, but the test side has {len(result.test)} sentences")
    if not outputs:
        raise KontrastError("no output of a system is given")
    sentences = list(read_conllu(source, syntactic=True))
    if len(sentences) != counts.sentences:
        raise InputError(source, f"has {len(sentences)} sentences, but the counts have {counts.sentences}")
    known = _dictionary(sentences, references, links, result.train) if dictionary else {}
    found, undecided = _test_compounds(counts, result, sentences, references, links)
    if not found:
        raise KontrastError("no compound of the test side has both of its words aligned")
    order = {sentence: i for i, sentence in enumerate(result.test.tolist())}
    verdicts: dict[str, Array] = {}
    for name, lines in outputs.items():
        words = [_words(line) for line in lines]
        verdicts[name] = np.array([_right(c, words[order[c.sentence]], known) for c in found], np.bool_)
    sides = counts.sentences, len(result.test)
    return _judged(found, verdicts, sides, undecided, dictionary, level, seed)


def judged_compounds(
    compounds: Sequence[tuple[str, str]],
    right: Mapping[str, Sequence[bool]],
    *,
    level: float = LEVEL,
    seed: int = SEED,
) -> CompoundErrors:
    """Error rates where a test set's own check decides: (compound, kind) of each sentence, none of them seen.

    ``right`` has a value per sentence for each system. The unseen rate is that of sentences, the rate of unseen types
    that of compounds, wrong where they are wrong in any sentence. Resamples draw compounds with all their sentences.
    """
    number = {name: i for i, name in enumerate(dict.fromkeys(name for name, _ in compounds))}
    none: frozenset[str] = frozenset()
    found = [_Compound(number[name], name, kind, 0, 0, none, none, ("", "")) for name, kind in compounds]
    verdicts = {name: np.array(values, np.bool_) for name, values in right.items()}
    return _judged(found, verdicts, (len(found), len(found)), 0, False, level, seed)


def _judged(
    found: Sequence[_Compound], verdicts: Mapping[str, Array], sides: tuple[int, int], undecided: int,
    dictionary: bool, level: float, seed: int,
) -> CompoundErrors:  # fmt: skip
    rates = _Rates(found, level, seed)
    systems = tuple(rates.system(name, right) for name, right in verdicts.items())
    first, *others = verdicts
    compared = tuple(rates.compared((first, name), verdicts[first], verdicts[name]) for name in others)
    return CompoundErrors(systems, compared, *sides, len(found), undecided, dictionary, level)


def _test_compounds(
    counts: CorpusCounts, result: Split, sentences: Sequence[Sentence], references: Sequence[str],
    links: Sequence[Links],
) -> tuple[list[_Compound], int]:  # fmt: skip
    place = np.full(counts.sentences, 2, np.int8)
    place[result.train] = 0
    in_train = counts.compounds.sides(place)[:, 0]
    number = {name: i for i, name in enumerate(counts.compounds.names)}
    found, undecided = [], 0
    for i in result.test.tolist():
        sentence = sentences[i]
        own, other = spans(sentence.text), spans(references[i])

        def translation(token: Token) -> frozenset[str]:
            places = partners(links[i], own, token.start, token.end)  # noqa: B023
            return frozenset(other[j].text.casefold() for j in places if j < len(other))  # noqa: B023

        for place_, token in enumerate(sentence.tokens):
            if token.head < 0:
                continue
            head = sentence.tokens[token.head]
            lemmas = head.lemma.lower(), token.lemma.lower()
            name = "\t".join(part or "_" for part in (lemmas[0], token.relation, lemmas[1]))
            if name not in number:
                continue
            parts = translation(head), translation(token)
            if not all(parts):
                undecided += 1
                continue
            frequency, distance = int(in_train[number[name]]), abs(place_ - token.head)
            found.append(_Compound(i, name, token.relation, frequency, distance, *parts, lemmas))
    return found, undecided


def _dictionary(
    sentences: Sequence[Sentence], references: Sequence[str], links: Sequence[Links], train: Array
) -> dict[str, frozenset[str]]:
    """Words that each lemma is aligned to on the train side, often enough."""
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    for i in train.tolist():
        own, other = spans(sentences[i].text), spans(references[i])
        for token in sentences[i].tokens:
            for j in partners(links[i], own, token.start, token.end):
                if j < len(other):
                    pairs[token.lemma.lower()][other[j].text.casefold()] += 1
    return {
        lemma: frozenset(w for w, n in words.items() if n >= TIMES and n >= SHARE * words.total())
        for lemma, words in pairs.items()
    }


def _words(text: str) -> frozenset[str]:
    return frozenset(span.text.casefold() for span in spans(text))


def _right(compound: _Compound, words: frozenset[str], known: Mapping[str, frozenset[str]]) -> bool:
    """Both parts are there: every word that the reference has for it, or one that the dictionary has."""
    return all(
        part <= words or bool(known.get(lemma, frozenset()) & words)
        for part, lemma in zip((compound.head, compound.dependent), compound.lemmas, strict=True)
    )


class _Rates:
    """Error rates of compounds with their intervals, from resamples of sentences with all their compounds."""

    def __init__(self, found: Sequence[_Compound], level: float, seed: int) -> None:
        self.found, self.level, self.seed = found, level, seed
        self.unseen = np.array([c.frequency == 0 for c in found])
        self.sentence = np.unique([c.sentence for c in found], return_inverse=True)[1]
        self.count = int(self.sentence.max()) + 1
        rng = np.random.default_rng(seed)
        self.draws = rng.multinomial(self.count, np.full(self.count, 1 / self.count), RESAMPLES).astype(np.float64)

    def _errors(self, right: Array, chosen: Array) -> Array:
        """The error rate of the chosen compounds in each resample; nan where it has none."""
        total, good = (
            self.draws @ np.bincount(self.sentence[each], minlength=self.count) for each in (chosen, chosen & right)
        )
        return np.asarray(1 - good / np.where(total == 0, np.nan, total))

    def _interval(self, values: Array) -> tuple[float, float]:
        if np.isnan(values).all():
            return float("nan"), float("nan")
        low, high = np.nanquantile(values, [(1 - self.level) / 2, (1 + self.level) / 2])
        return float(low), float(high)

    def _rate(self, right: Array, chosen: Array, seen: bool, by: str = "", group: str = "all") -> CompoundRate:
        chosen = chosen & (self.unseen != seen)
        total, good = int(chosen.sum()), int((chosen & right).sum())
        if not total:
            return CompoundRate(by, group, seen, 0, 0, float("nan"), float("nan"), float("nan"))
        interval = self._interval(self._errors(right, chosen))
        return CompoundRate(by, group, seen, total, good, 1 - good / total, *interval)

    def system(self, name: str, right: Array) -> CompoundSystem:
        unseen = self.unseen
        seen_rate, unseen_rate = (self._rate(right, np.ones(len(right), np.bool_), seen) for seen in (True, False))
        rates = [
            self._rate(right, chosen, seen, by, group)
            for by, group, chosen in _kinds(self.found)
            for seen in (True, False)
        ]
        samples = self._errors(right, unseen) - self._errors(right, ~unseen)
        wrong_types = {c.name for c, ok, new in zip(self.found, right, unseen, strict=True) if new and not ok}
        types = {c.name for c, new in zip(self.found, unseen, strict=True) if new}
        return CompoundSystem(
            name, seen_rate, unseen_rate, unseen_rate.error_rate - seen_rate.error_rate, *self._interval(samples),
            len(wrong_types) / len(types) if types else float("nan"), tuple(rate for rate in rates if rate.compounds),
        )  # fmt: skip

    def compared(self, names: tuple[str, str], one: Array, other: Array) -> ErrorDifference:
        """A paired, two-sided test: within each sentence the systems may be exchanged (10,000 random exchanges)."""
        unseen = self.unseen
        if not unseen.any():
            return ErrorDifference(*names, *[float("nan")] * 4)
        samples = self._errors(one, unseen) - self._errors(other, unseen)
        by_sentence = np.bincount(self.sentence, (other & unseen).astype(np.int64) - (one & unseen))
        by_sentence = by_sentence[by_sentence != 0]
        signs = np.random.default_rng(self.seed).choice(np.array([-1.0, 1.0]), (10_000, len(by_sentence)))
        reached = np.abs(signs @ by_sentence) >= abs(by_sentence.sum()) - 1e-9
        p = (1 + int(reached.sum())) / 10_001
        return ErrorDifference(*names, float(by_sentence.sum() / unseen.sum()), *self._interval(samples), p)


def _kinds(found: Sequence[_Compound]) -> Iterator[tuple[str, str, Array]]:
    """Groups of compounds: by relation, how often train has them, and how far apart the two words are.

    Compounds of a test set (distance 0) have only a kind, and are shown one by one.
    """
    relations = Counter(c.relation for c in found)
    given = not any(c.distance for c in found)
    for relation, _ in relations.most_common():
        yield "kind" if given else "relation", relation, np.array([c.relation == relation for c in found])
    if given:
        for name in dict.fromkeys(c.name for c in found):
            yield "compound", name, np.array([c.name == name for c in found])
        return
    for by, bounds in (("frequency", (0, 1, 2, 6, 21)), ("distance", (1, 2, 4, 8))):
        values = np.array([getattr(c, by) for c in found])
        for low, high in zip(bounds, (*bounds[1:], None), strict=True):
            group = f"{low}" if high == low + 1 else f"{low} or more" if high is None else f"{low}-{high - 1}"
            yield by, group, (values >= low) & (values < (high or np.inf))


def corpus_links(source: Sequence[str], target: Sequence[str], alignment: str | Path | None = None) -> list[Links]:
    """Links of each sentence pair; ``alignment`` is a file with a line for each, such as ``0-0 1-2``."""
    if len(source) != len(target):
        raise KontrastError(f"the source has {len(source)} sentences and the target {len(target)}")
    if alignment is not None:
        return list(Pharaoh(alignment).align(zip(source, target, strict=True)))
    from kontrast.language.aligners.fast_align import FastAlign, train

    with tempfile.TemporaryDirectory() as place:
        train(zip(source, target, strict=True), Path(place) / "model")
        return list(FastAlign(Path(place) / "model").align(zip(source, target, strict=True)))
