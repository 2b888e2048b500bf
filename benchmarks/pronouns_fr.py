"""How often the contrastives of published French sets are among ours, and how many candidates that takes.

    .venv/bin/python benchmarks/pronouns_fr.py [--items 2000] [--show 20] [--json]

"repaired" counts only candidates with every agreeing word changed and elision right; "with plain" also those marked
``plain``, which leave a second error as the published sets often do.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from pathlib import Path

from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.language import annotators

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=2000, help="sample of the large EN-FR set (0: all)")
    parser.add_argument("--show", type=int, default=0, help="print this many disagreements to read")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    lines = (DATA / "large-contrastive-en-fr" / "OpenSubs.current.trg").read_text(encoding="utf-8").split("\n")[:-1]
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    if args.items:
        pairs = random.Random(7).sample(pairs, args.items)
    blocks = json.loads((DATA / "discevalmt-en-fr" / "anaphora.json").read_text(encoding="utf-8"))
    made_by_hand = [
        ((e.get("correct") or e["semi-correct"])[1], e["incorrect"][1]) for b in blocks.values() for e in b["trg"]
    ]
    disagreements: list[tuple[str, str, list[str]]] = []
    result = {
        "large EN-FR, all": measure(pairs, disagreements),
        "large EN-FR, another word changes": measure([p for p in pairs if differing(*p) > 1], []),
        "DiscEvalMT anaphora": measure(made_by_hand, []),
    }
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        print(f"{'set':36}{'items':>7}{'repaired':>10}{'with plain':>12}{'singles per mention':>21}")
        for name, r in result.items():
            print(f"{name:36}{r['items']:7}{r['repaired']:10.3f}{r['with_plain']:12.3f}{r['singles']:21.2f}")
    for source, theirs, ours in random.Random(1).sample(disagreements, min(args.show, len(disagreements))):
        print(f"\n      {source}\nthey  {theirs}\n" + "\n".join(f"we    {text}" for text in ours))


def differing(a: str, b: str) -> int:
    words = [re.findall(r"\w+|[^\w\s]", text) for text in (a, b)]
    return sum(x != y for x, y in zip(*words, strict=False))


def measure(pairs: list[tuple[str, str]], disagreements: list[tuple[str, str, list[str]]]) -> dict[str, float]:
    perturbation = get("fr", "pronoun_gender")
    repaired = plain = singles = mentions = 0
    for (correct, wrong), sentence in zip(pairs, annotators.get("fr").annotate(a for a, _ in pairs), strict=True):
        found = candidates_of(perturbation, sentence)
        good = [c.text for c in found if not c.plain]
        repaired += wrong in good
        plain += any(c.text == wrong for c in found)
        singles += sum(not c.chain for c in found)
        mentions += sum(not c.chain and not c.plain for c in found)
        if wrong not in good:
            disagreements.append((correct, wrong, good))
    n = len(pairs)
    return {"items": n, "repaired": repaired / n, "with_plain": plain / n, "singles": singles / max(mentions, 1)}


if __name__ == "__main__":
    main()
