"""Learn between which parts of speech *nicht* stands, from Universal Dependencies German GSD (CC BY-SA 4.0).

python tools/german_negation.py ../shared/data/ud
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from kontrast.building.errors.de.negation import PATTERNS, coarse
from kontrast.language.annotators.conllu import read_conllu


def main() -> None:
    pairs: Counter[tuple[str, str]] = Counter()
    for part in ("dev", "test"):
        for sentence in read_conllu(Path(sys.argv[1]) / f"de_gsd-ud-{part}.conllu"):
            tokens = sentence.tokens
            for i in range(1, len(tokens) - 1):
                if tokens[i].text.lower() == "nicht":
                    pairs[coarse(tokens[i - 1].tag), coarse(tokens[i + 1].tag)] += 1
    lines = ["# Tags left and right of nicht in UD German GSD (CC BY-SA 4.0), with counts; tools/german_negation.py"]
    lines += [f"{left} {right} {count}" for (left, right), count in sorted(pairs.items())]
    PATTERNS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(pairs), "patterns")


if __name__ == "__main__":
    main()
