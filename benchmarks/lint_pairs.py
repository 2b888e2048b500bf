"""How well the check `misaligned-pair` finds pairs that slipped: exchange the targets of 5% of neighbours and look.

    python benchmarks/lint_pairs.py [--json]

Recall and precision are against the swaps; "on the set as it is" is the share named without any swap, which are free
translations and real faults as well as false alarms.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import kontrast
from kontrast.reporting.terminal import print_json, print_table
from kontrast.suites.lint.pairing import misfits

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = {
    "demo:de": "demo:de",
    "ContraPro, 2,600 items": DATA / "contrapro-en-de" / "contrapro.subset.json",
    "ContraPro, rows": DATA / "contrapro-en-de",
    "UN EN-FR": DATA / "un-en-fr" / "UN-testset-enfr.json",
    "DiscEvalMT lexical": DATA / "discevalmt-en-fr" / "lexical-choice.json",
    "deixis EN-RU": DATA / "consistency-en-ru" / "deixis_dev.json",
}


def swapped(suite: kontrast.Suite, share: float, seed: int) -> tuple[kontrast.Suite, set[int]]:
    """The suite with the targets of some neighbours exchanged, and where."""
    rng = random.Random(seed)
    items, places, i = list(suite.items), set(), 0
    while i < len(items) - 1:
        a, b = items[i], items[i + 1]
        if rng.random() < share and a.source != b.source and a.best.text != b.best.text:
            items[i] = a.__replace__(variants=b.variants, correct=b.correct)
            items[i + 1] = b.__replace__(variants=a.variants, correct=a.correct)
            places |= {i, i + 1}
            i += 1
        i += 1
    return suite.__replace__(items=tuple(items)), places


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    rows = []
    for name, path in SETS.items():
        if isinstance(path, Path) and not path.exists():
            continue
        suite = kontrast.load(path)
        bad, places = swapped(suite, 0.05, seed=1)
        named = set(misfits(bad))
        hits = len(named & places)
        rows.append(
            {
                "set": name,
                "items": len(suite.items),
                "swapped": len(places),
                "recall": round(hits / len(places), 3),
                "precision": round(hits / max(1, len(named)), 3),
                "named as it is": round(len(misfits(suite)) / len(suite.items), 4),
            }
        )
    if as_json:
        print_json(rows)
    else:
        print_table(list(rows[0]), [list(row.values()) for row in rows])


if __name__ == "__main__":
    main()
