"""How long `kontrast build pronouns --items 12000` takes on subtitles, from a run on fewer pairs.

    python benchmarks/pronoun_draw.py --contrapro DIR [--pairs 20000] [--items 12000] [--of 1500000] [--work DIR]

DIR has ContraPro's rows with one sentence of context (rows.context1.en, rows.context1.de). Documents are made of
them: of 400 lines, 40 are 20 of ContraPro's pairs of neighbours and the others are lines that stood before such a
pair, drawn by a seed; so a line in twenty has a pronoun that ContraPro asks about. The alignment is trained on every
third row of DIR. The command runs with one process and one thread; of the items asked for, it draws as large a part
as the pairs are of all. It prints sentence pairs a processor second, the peak of memory, the items by the
antecedent's gender and number, and the hours that all would take. Lines repeat more than in subtitles, which helps
caches; the pairs are denser or thinner than in others' subtitles, which the hours depend on.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

LINES, ASKED = 400, 20
KONTRAST = (sys.executable, "-m", "kontrast")


def make_documents(contrapro: Path, folder: Path, pairs: int) -> None:
    """Documents below the folder, YEAR/NAME.LANGUAGE."""
    texts = [(contrapro / f"rows.context1.{code}").read_text().splitlines() for code in ("en", "de")]
    blocks: dict[str, tuple[tuple[str, str], ...]] = {}
    for english, german in zip(*texts, strict=True):  # the first row of an item is the correct one
        sides = english.split(" <SEP> "), german.split(" <SEP> ")
        if len(sides[0]) == len(sides[1]) == 2 and all(text.strip() for side in sides for text in side):
            blocks.setdefault(english, ((sides[0][0], sides[1][0]), (sides[0][1], sides[1][1])))
    draw = random.Random(1)
    asked = list(blocks.values())
    draw.shuffle(asked)
    fill = [block[0] for block in asked]
    (folder / "2000").mkdir(parents=True, exist_ok=True)
    for k in range(pairs // LINES):
        taken = [asked[(k * ASKED + n) % len(asked)] for n in range(ASKED)]
        taken += [(line,) for line in draw.choices(fill, k=LINES - 2 * ASKED)]
        draw.shuffle(taken)
        lines = [line for block in taken for line in block]
        for side, code in enumerate(("en", "de")):
            (folder / "2000" / f"d{k:05}.{code}").write_text("".join(f"{line[side]}\n" for line in lines))


def run(*command: str) -> tuple[float, float]:
    """CPU seconds and megabytes of a command and its children."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with subprocess.Popen([*KONTRAST, *command], env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contrapro", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--items", type=int, default=12_000)
    parser.add_argument("--of", type=int, default=1_500_000, help="Pairs that the items are drawn from.")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "kontrast-pronoun-draw")
    given = parser.parse_args()
    documents, alignment, out = (given.work / name for name in (f"{given.pairs}", "alignment", "items.jsonl"))
    if not documents.exists():
        make_documents(given.contrapro, documents, given.pairs)
    if not alignment.exists():
        sides = [given.work / f"all.{code}" for code in ("en", "de")]
        for side in sides:
            rows = (given.contrapro / f"rows.context1{side.suffix}").read_text().splitlines()
            side.write_text("".join(f"{line}\n" for row in rows[::3] for line in row.split(" <SEP> ")[-1:]))
        run("build", "alignment", *map(str, sides), "--out", str(alignment))
    drawn = round(given.items * given.pairs / given.of)
    used, memory = run(
        *("build", "pronouns", "--pair", "en-de", "--documents", str(documents), "--alignment", str(alignment)),
        *("--items", str(drawn), "--jobs", "1", "--out", str(out)),
    )
    from kontrast import load

    kinds = Counter(str(item.tags["ref_ante_head_morpho"]) for item in load(out))
    read = given.pairs // LINES * LINES
    print(f"{read:,} pairs, {read / used:.0f} a processor second, {memory:,.0f} MB, {kinds.total()} items of {drawn}")
    print(", ".join(f"{kind.replace('|_|', ' ')} {count}" for kind, count in kinds.most_common()))
    print(f"{given.items:,} items of {given.of:,} pairs: {used * given.of / read / 3600:.1f} processor hours")


if __name__ == "__main__":
    main()
