"""How fast `kontrast build pronouns` is with its second opinion: this code and an earlier state, in turn.

    git worktree add ../before COMMIT
    .venv/bin/python benchmarks/pronoun_speed.py --documents DIR --alignment MODEL [--pair en-de] [--old ../before]
        [--pairs 2000] [--rounds 2] [--processes 2] [--json]

DIR has documents as for `build pronouns`; the first of them with so many sentence pairs are used. Both states run in
processes of their own with one thread, one after the other in each round; of each so many processes at once, with
the same documents. Prints sentence pairs a second by the clock, of all processes together, and by processor time
(which other work on the machine changes less), the largest memory of a process, and the items from the recipe's own
confidence on. Both states have their own judge, so their items may differ; that the shortcuts change no item is
tested in tests/building/test_second_opinion.py.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUN = """
import json, resource, sys, time
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.pipeline import Tools, composed_documents, find_in_documents
try:
    from kontrast.language.encoder import encoder_place
except ImportError:  # an earlier state
    from kontrast.language.pointing import encoder_place
pair, folder, alignment, most = sys.argv[1:]
recipe = load_recipe(pair)
shortcut = {"asked_from": 0.03} if "asked_from" in Tools.__struct_fields__ else {}  # as the command has it
tools = Tools(recipe, alignment=alignment, encoder=encoder_place(), **shortcut)
least = getattr(recipe, "soundness", recipe.confidence)  # of states without a judge
documents, pairs = [], 0
for document in composed_documents(folder, recipe.source_language, recipe.target_language):
    if pairs >= int(most):
        break
    documents.append(document)
    pairs += len(document.source)
list(find_in_documents(documents[:2], tools))  # models are loaded
clock, own, items = time.perf_counter(), time.process_time(), 0
bundle, lines = [], 0
for document in documents:
    bundle.append(document)
    lines += len(document.source)
    if lines >= 400 or document is documents[-1]:
        made = list(find_in_documents(bundle, tools))
        items += sum(item.tags["confidence"] >= least for each in made for item in each.items)
        bundle, lines = [], 0
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
clock, own = time.perf_counter() - clock, time.process_time() - own
told = {"pairs": pairs, "items": items, "pairs a second": pairs / clock, "a processor second": pairs / own}
print(json.dumps({**told, "memory, GB": memory}))
"""


def measured(root: Path, args: argparse.Namespace) -> dict[str, float]:
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"}
    given = [args.pair, str(args.documents.resolve()), str(args.alignment.resolve()), str(args.pairs)]
    command = [sys.executable, "-c", RUN, *given]
    started = [
        subprocess.Popen(command, env=environment, cwd=root, stdout=subprocess.PIPE, text=True)
        for _ in range(args.processes)
    ]
    told: list[dict[str, float]] = [json.loads(one.communicate()[0].splitlines()[-1]) for one in started]
    return {
        "pairs": told[0]["pairs"],
        "items": told[0]["items"],
        "pairs a second": round(sum(one["pairs a second"] for one in told), 2),
        "a processor second": round(sum(one["a processor second"] for one in told) / len(told), 2),
        "memory, GB": round(max(one["memory, GB"] for one in told), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--alignment", type=Path, required=True)
    parser.add_argument("--pair", default="en-de")
    parser.add_argument("--old", type=Path, help="a worktree of an earlier commit")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rounds = []
    for _ in range(args.rounds):
        row = {"old": measured(args.old, args)} if args.old else {}
        rounds.append({**row, "new": measured(ROOT, args)})
        if not args.json:
            for name, figures in rounds[-1].items():
                print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in figures.items()))
            if args.old:
                rates = [rounds[-1][name]["a processor second"] for name in ("new", "old")]
                print(f"ratio by processor time: {rates[0] / rates[1]:.1f}")
    if args.json:
        print(json.dumps(rounds, indent=1))


if __name__ == "__main__":
    main()
