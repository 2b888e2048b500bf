"""How many decisions turn round when the same texts are cut into other tokens: suites by models, as a table.

    python benchmarks/tokenisations.py [--models tiny,hf:FOLDER] [--suites demo:de,demo:fr] [--limit 100] [--cuts 4]

The last columns have how many decisions are others where a log-probability is divided by the bytes or the tokens of
its variant (`evaluate --normalise`): bytes do not depend on the cut.
"""

from __future__ import annotations

import argparse

import kontrast
from kontrast.judging.normalise import normalise
from kontrast.judging.verdicts import judge

HOW = ("byte", "token")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="tiny")
    parser.add_argument("--suites", default="demo:de,demo:fr")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--cuts", type=int, default=4)
    args = parser.parse_args()
    print("| model | suite | decisions | turned round in any cut | other with `byte` | with `token` |")
    print("|---|---|---|---|---|---|")
    for model in args.models.split(","):
        for name in args.suites.split(","):
            suite = kontrast.load(f"{name}{'&' if '?' in name else '?'}limit={args.limit}")
            made = kontrast.score(suite, model, tokenisations=args.cuts)
            assert made.signature is not None
            turned, _, decisions = made.signature.details["flips"].partition("x")[0].partition("/")
            usual = judge(suite, made).credit
            other = [(abs(judge(suite, normalise(suite, made, how)).credit - usual) > 0).sum() for how in HOW]
            print(f"| {model} | {name} | {decisions} | {turned} | {other[0]} | {other[1]} |", flush=True)


if __name__ == "__main__":
    main()
