"""How many files of kontrast.building and kontrast.language a sentence passes on its way to its errors.

    python benchmarks/passage.py                         # a German sentence of nine words, all errors
    python benchmarks/passage.py --language fr --types tense "Elle ne vient pas."

A file is passed where a function of it is entered; the body of a module and its comprehensions are none.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

from kontrast.building.errors.run import perturb

ROOT = Path(__file__).resolve().parents[1] / "src" / "kontrast"
ROOMS = (str(ROOT / "building"), str(ROOT / "language"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentence", nargs="?", default="Der alte Mann liest heute das neue Buch nicht.")
    parser.add_argument("--language", default="de")
    parser.add_argument("--types", default="all", help="names of errors with commas between them [%(default)s]")
    args = parser.parse_args()
    entered: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
        if event == "call" and is_function and code.co_filename.startswith(ROOMS):
            entered[code.co_filename] += 1

    sys.setprofile(note)
    made = sum(1 for _ in perturb([args.sentence], args.language, args.types.split(","), every=True))
    sys.setprofile(None)
    for path, calls in sorted(entered.items()):
        print(f"{calls:8d}  {Path(path).relative_to(ROOT)}")
    print(f"{len(entered)} files, {made} candidates")


if __name__ == "__main__":
    main()
