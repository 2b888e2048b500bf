"""What each family of features, and each feature of one error, buys on the readings and costs in yield.

    python benchmarks/ablate.py de                       # families of features, all errors
    python benchmarks/ablate.py de --type tense          # every feature of one error
    python benchmarks/ablate.py fr --type tense --json

The judge is learnt again without them (``training/judge_errors.py``) and asked on texts that it has not seen. Printed
are the share of accepted candidates that readers took (precision), the share of what readers took that is accepted
(yield), and the change of both in points; ``loss`` is the change of the logarithmic loss, in thousandths: above zero
the feature pays. A feature that does not pay, and no principle speaks for, is to be deleted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "training"))

from judge_errors import LEAST, Row, across, read_rows

from kontrast.defaults import ERROR_CONFIDENCE
from kontrast.reporting.terminal import print_json, print_table

FAMILIES = ("own.doubt.", "own.", "change.", "clause.", "sentence.", "source.", "text.", "foil.")


def measured(rows: Sequence[Row]) -> tuple[float, float, float]:
    """Precision, yield and loss on what was read, each row judged by a model that has not seen its text."""
    said = across(rows)
    read = np.array([row.read for row in rows])
    right, said = np.array([row.right for row in rows])[read], np.clip(said[read], 1e-6, 1 - 1e-6)
    kept = said >= ERROR_CONFIDENCE
    loss = -(right * np.log(said) + (1 - right) * np.log(1 - said)).mean()
    return float(right[kept].mean()), float(kept[right == 1].mean()), float(loss)


def without(rows: Sequence[Row], beginning: str) -> list[Row]:
    """The rows without the features that begin so."""
    return [row._replace(features=tuple(f for f in row.features if not f.startswith(beginning))) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language")
    parser.add_argument("--type", help="every feature of this error [families of all errors]")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = [row for row in read_rows(args.language) if args.type in (None, row.type)]
    counts = Counter(feature for row in rows for feature in row.features)
    single = [name for name, count in sorted(counts.items()) if LEAST <= count < len(rows)]
    names = single if args.type else [f for f in FAMILIES if any(name.startswith(f) for name in counts)]
    precision, share, loss = measured(rows)
    found = [{"without": "nothing", "rows": len(rows), "precision": precision, "yield": share, "loss": 0.0}]
    for name in names:
        other = measured(without(rows, name))
        held = sum(any(f.startswith(name) for f in row.features) for row in rows)
        found.append(
            {"without": name, "rows": held, "precision": other[0] - precision, "yield": other[1] - share}
            | {"loss": 1000 * (other[2] - loss)}
        )
    if args.json:
        print_json(found)
        return
    heads = ["without", "rows", "precision", "yield", "loss"]
    cells = [[str(r["without"]), str(r["rows"]), *(f"{r[h]:+.4f}" for h in heads[2:])] for r in found]
    print_table(heads, cells, title=f"Judge of errors, {args.language}")


if __name__ == "__main__":
    main()
