"""How a language model prefers, chooses, judges and writes: do the four agree on a suite?

    python benchmarks/modes.py --model openai:NAME@http://localhost:8000/v1 [--preference hf:FILE.gguf]
        [--suites demo:de,demo:fr] [--limit 60] [--option KEY=VALUE …]

*Preference* compares likelihoods (`score`), *choice* asks which is better (`--mode choose`), *judgement* is the
probability of yes (`--mode judge`), *writing* is the model's own translation, checked for the right form (`check`).
`--preference` is the same model by another engine, where the server gives no log-probabilities of a prompt.
Agreement of two is the share of the items that both decide in which they decide the same way; kappa takes off what
chance gives. A part that the server cannot answer is named with the reason. The last lines are a table.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from typing import Any

import kontrast
from kontrast.errors import KontrastError
from kontrast.judging.verdicts import judge


def decided(suite: kontrast.Suite, scores: Any) -> dict[int, bool]:
    """Which items are right or wrong; ties are left out."""
    return {v.item_index: v.outcome == "right" for v in judge(suite, scores, unit="item") if v.outcome != "tie"}


def written(suite: kontrast.Suite, model: str, options: dict[str, Any]) -> dict[int, bool]:
    lines = kontrast.translate(suite, model, max_length=60, **options).texts
    found = kontrast.check(suite, list(lines))
    assert isinstance(found, kontrast.Check)
    return {n: outcome == "right" for n, outcome in enumerate(found.outcomes) if outcome in ("right", "wrong")}


def kappa(pairs: list[tuple[bool, bool]]) -> float:
    same = sum(a == b for a, b in pairs) / len(pairs)
    a, b = (sum(pair[i] for pair in pairs) / len(pairs) for i in (0, 1))
    chance = a * b + (1 - a) * (1 - b)
    return (same - chance) / (1 - chance) if chance < 1 else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--preference")
    parser.add_argument("--suites", default="demo:de,demo:fr")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--option", action="append", default=[])
    args = parser.parse_args()
    extra = dict(each.split("=", 1) for each in args.option)
    own = {key: value for key, value in extra.items() if key in ("concurrency", "timeout", "api")}
    table: dict[str, dict[str, str]] = {}
    suites = args.suites.split(",")
    for name in suites:
        suite = kontrast.load(f"{name}?limit={args.limit}")
        found: dict[str, dict[int, bool]] = {}

        def tell(what: str, told: str, suite: str = name) -> None:
            print(f"{suite} {what}: {told}", flush=True)
            table.setdefault(what, {})[suite] = told

        for mode in ("preference", "choice", "judgement", "writing"):
            try:
                if mode == "writing":
                    found[mode] = written(suite, args.model, {"extra": own})
                    continue
                given = {"choice": {"mode": "choose", "extra": own}, "judgement": {"mode": "judge", "extra": own}}
                model = args.preference or args.model if mode == "preference" else args.model
                made = kontrast.score(suite, model, **given.get(mode, {"extra": {} if args.preference else extra}))
                details = made.signature.details if made.signature else {}
                if mode != "preference":
                    tell(f"{mode}: unread", details.get("unread", "none"))
                if "first_named" in details:
                    tell(f"{mode}: first named", details["first_named"])
                found[mode] = decided(suite, made)
            except KontrastError as error:
                tell(mode, str(error))
        for mode, verdicts in found.items():
            tell(f"{mode}: right of decided", f"{sum(verdicts.values())} of {len(verdicts)}")
        for a, b in combinations(found, 2):
            pairs = [(found[a][i], found[b][i]) for i in found[a].keys() & found[b].keys()]
            if pairs:
                same = sum(x == y for x, y in pairs)
                tell(f"{a} and {b} agree", f"{same} of {len(pairs)} (κ {kappa(pairs):.2f})")
    print("\n| " + " | ".join(["", *suites]) + " |\n|" + "---|" * (1 + len(suites)))
    for what, by in table.items():
        print("| " + " | ".join([what, *(by.get(name, "–") for name in suites)]) + " |")


if __name__ == "__main__":
    main()
