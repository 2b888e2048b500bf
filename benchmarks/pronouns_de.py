"""How often both contrastives of ContraPro's items are among the candidates of German pronoun_gender.

.venv/bin/python benchmarks/pronouns_de.py [--show 20] [--json]
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from pathlib import Path

from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.language.annotation import Sentence

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "contrapro-en-de"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=0, help="print this many disagreements to read")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = [line.split(" <SEP> ")[-1] for line in (FOLDER / "rows.context1.de").read_text("utf-8").split("\n")]
    starts = [int(n) for n in (FOLDER / "group_starts.txt").read_text().split()]
    perturbation = get("de", "pronoun_gender")
    both = with_plain = singles_alone = candidates = 0
    disagreements = []
    for first, end in itertools.pairwise(starts):
        wanted = set(rows[first + 1 : end])
        found = candidates_of(perturbation, Sentence(rows[first], ()))
        both += wanted <= {c.text for c in found if not c.plain}
        with_plain += wanted <= {c.text for c in found}
        singles_alone += wanted <= {c.text for c in found if not c.chain and not c.plain}
        candidates += len(found)
        if missing := wanted - {c.text for c in found}:
            disagreements.append((rows[first], missing, [c.text for c in found]))
    n = len(starts) - 1
    result = {
        "items": n,
        "both": both / n,
        "with_plain": with_plain / n,
        "singles": singles_alone / n,
        "candidates_per_item": candidates / n,
    }
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        print(f"{n} items of ContraPro: both contrastives among the candidates in {both / n:.3f} (bar .93),")
        print(f"with those made the plain way of the original {with_plain / n:.3f}, ", end="")
        print(f"one mention at a time {singles_alone / n:.3f}; {candidates / n:.2f} candidates per item")
    for source, missing, ours in random.Random(1).sample(disagreements, min(args.show, len(disagreements))):
        print(f"\n      {source}\nthey  {' / '.join(missing)}\n" + "\n".join(f"we    {text}" for text in ours))


if __name__ == "__main__":
    main()
