"""How many files of kontrast.building and kontrast.language a sentence passes on its way to its errors.

python benchmarks/passage.py [--language de] [--types all] ["A sentence."]

A file is passed where a function of it is entered; the body of a module and its comprehensions are none.
"""

import argparse
import inspect
import sys
from pathlib import Path
from types import FrameType

from kontrast.building.errors.run import perturb

ROOT = Path(__file__).resolve().parents[1] / "src" / "kontrast"
ROOMS = (f"{ROOT}/building/", f"{ROOT}/language/")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sentence", nargs="?", default="Der alte Mann liest heute das neue Buch nicht.")
    parser.add_argument("--language", default="de")
    parser.add_argument("--types", default="all", help="[%(default)s]")
    args = parser.parse_args()
    entered: set[Path] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
        if event == "call" and is_function and code.co_filename.startswith(ROOMS):
            entered.add(Path(code.co_filename).relative_to(ROOT))

    sys.setprofile(note)
    made = sum(1 for _ in perturb([args.sentence], args.language, args.types.split(","), every=True))
    sys.setprofile(None)
    print(*sorted(entered), f"{len(entered)} files, {made} candidates", sep="\n")


if __name__ == "__main__":
    main()
