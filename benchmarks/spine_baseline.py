"""The yardstick of spine.py: LingEval97's evaluation as one writes it in an afternoon, with json and dictionaries.

Usage: python spine_baseline.py SUITE.json SCORES
"""

import json
import sys
from collections import defaultdict

CATEGORIES = [
    "np_agreement",
    "subj_verb_agreement",
    "subj_adequacy",
    "polarity_particle_nicht_del",
    "polarity_particle_kein_del",
    "polarity_affix_del",
    "polarity_particle_nicht_ins",
    "polarity_particle_kein_ins",
    "polarity_affix_ins",
    "auxiliary",
    "verb_particle",
    "compound",
    "transliteration",
]
BINS = [(10_000, ">10k"), (5000, ">5k"), (2000, ">2k"), (1000, ">1k"), (500, ">500"), (200, ">200"), (100, ">100")]
BINS += [(50, ">50"), (20, ">20"), (10, ">10"), (5, ">5"), (2, ">2"), (1, "2"), (0, "1"), (-1, "0")]
DISTANCES = [str(i) for i in range(16)] + [">15"]


def main(suite_path, scores_path):
    with open(suite_path, encoding="utf-8") as f:
        references = json.load(f)
    with open(scores_path) as f:
        scores = [float(line) for line in f]

    by_category = defaultdict(lambda: [0, 0])
    by_distance = defaultdict(lambda: [0, 0])
    by_frequency = defaultdict(lambda: [0, 0])
    row = 0
    for reference in references:
        score = scores[row]
        row += 1
        for error in reference["errors"]:
            right = score < scores[row]
            row += 1
            groups = [by_category[error["type"]]]
            if error.get("distance") is not None:
                distance = error["distance"]
                groups.append(by_distance[str(distance) if distance <= 15 else ">15"])
            if error.get("frequency") is not None:
                groups.append(by_frequency[next(name for low, name in BINS if error["frequency"] > low)])
            for group in groups:
                group[0] += right
                group[1] += 1

    right = sum(group[0] for group in by_category.values())
    total = sum(group[1] for group in by_category.values())
    print(f"total : {right} {total} {right / total}\n")
    print("statistics by error category")
    show(by_category, CATEGORIES, "{} :")
    print("\nstatistics by distance")
    show(by_distance, DISTANCES, "distance {}:")
    print("\nstatistics by frequency in training data")
    show(by_frequency, [name for _, name in BINS], "{} :")
    print()


def show(groups, names, label):
    for name in names:
        if name in groups:
            right, total = groups[name]
            print(label.format(name), right, total, right / total)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
