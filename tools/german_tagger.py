"""Train the German tagger's weights from Universal Dependencies German GSD (dev and test; CC BY-SA 4.0).

python tools/german_tagger.py ../shared/data/ud [--folds 5]   # with --folds only measure, by cross-validation
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from pathlib import Path

import msgspec

from kontrast.language.annotators.conllu import read_conllu
from kontrast.language.german.tagger import WEIGHTS, Model, State, Tagger, advance, candidates, features, outlook
from kontrast.language.lexicons.german_words import CLOSED

EPOCHS, SEED, SCALE = 8, 13, 100
Sentences = list[tuple[list[str], list[str]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ud", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    args = parser.parse_args()
    sentences: Sentences = []
    for part in ("dev", "test"):
        for sentence in read_conllu(args.ud / f"de_gsd-ud-{part}.conllu"):
            tags = [{"PROAV": "PAV"}.get(t.tag, t.tag) for t in sentence.tokens]
            sentences.append(([t.text for t in sentence.tokens], tags))
    if args.folds:
        random.Random(SEED).shuffle(sentences)
        right: Counter[str] = Counter()
        total: Counter[str] = Counter()
        confused: Counter[tuple[str, str, str]] = Counter()
        for fold in range(args.folds):
            tagger = Tagger(train([s for i, s in enumerate(sentences) if i % args.folds != fold]))
            for words, gold in sentences[fold :: args.folds]:
                for word, want, got in zip(words, gold, tagger.tag(words), strict=True):
                    total[want] += 1
                    right[want] += want == got
                    if want != got:
                        confused[want, got, ""] += 1
                        confused[want, got, word] += 1
        print(f"accuracy {sum(right.values()) / sum(total.values()):.4f}")
        for tag, n in total.most_common(30):
            print(tag, n, f"{right[tag] / n:.3f}")
        print(confused.most_common(80))
        return
    model = train(sentences)
    WEIGHTS.parent.mkdir(parents=True, exist_ok=True)
    WEIGHTS.write_bytes(msgspec.msgpack.encode(model, order="deterministic"))
    print(len(model.weights), "features,", WEIGHTS.stat().st_size, "bytes")


def train(sentences: Sentences) -> Model:
    """Averaged perceptron; a weight that stays small is dropped."""
    tags = sorted({tag for _, gold in sentences for tag in gold} | {t for found in CLOSED.values() for t in found})
    seen = unlisted(sentences)
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    totals: dict[tuple[str, str], float] = defaultdict(float)
    stamps: dict[tuple[str, str], int] = defaultdict(int)
    step = 0
    tagger = Tagger(Model(tags, {}, seen))

    def update(feature: str, tag: str, change: float) -> None:
        key = (feature, tag)
        totals[key] += (step - stamps[key]) * weights[feature][tag]
        stamps[key] = step
        weights[feature][tag] += change

    order = list(range(len(sentences)))
    for epoch in range(EPOCHS):
        random.Random(SEED + epoch).shuffle(order)
        for n in order:
            words, gold = sentences[n]
            made: list[str] = []
            state = State()
            ahead = outlook(words)
            for i, want in enumerate(gold):
                allowed = tuple(sorted({*tagger.allowed(words, i), want}))
                guess = allowed[0]
                if len(allowed) > 1:
                    step += 1
                    found = features(words, i, made, state, ahead)
                    scores: dict[str, float] = dict.fromkeys(allowed, 0.0)
                    for feature in found:
                        row = weights.get(feature)
                        if row:
                            for tag in allowed:
                                if tag in row:
                                    scores[tag] += row[tag]
                    guess = max(allowed, key=lambda tag: (scores[tag], tag))
                    if guess != want:
                        for feature in found:
                            update(feature, want, 1.0)
                            update(feature, guess, -1.0)
                made.append(guess)
                state = advance(state, guess, words[i])
    number = {tag: i for i, tag in enumerate(tags)}
    packed: dict[str, list[int]] = {}
    for feature, row in weights.items():
        values: list[int] = []
        for tag, value in sorted(row.items()):
            total = totals[feature, tag] + (step - stamps[feature, tag]) * value
            rounded = round(SCALE * total / step)
            if abs(rounded) > 4:
                values += number[tag], rounded
        if values:
            packed[feature] = values
    return Model(tags, dict(sorted(packed.items())), seen)


def unlisted(sentences: Sentences) -> dict[str, list[str]]:
    """Tags of words that lexicon and closed classes do not allow though they occur twice or the word is unknown."""
    counts: Counter[tuple[str, str]] = Counter()
    for words, gold in sentences:
        for i, (word, tag) in enumerate(zip(words, gold, strict=True)):
            if tag not in candidates(word, i == 0, {}) and any(c.isalpha() for c in word):
                counts[word, tag] += 1
    found: dict[str, list[str]] = defaultdict(list)
    for (word, tag), n in sorted(counts.items()):
        if n > (4 if word.lower() in CLOSED else 1):
            found[word].append(tag)
    return dict(found)


if __name__ == "__main__":
    main()
