"""Makes ``data/mix.toml``: how often each kind of error occurs in outputs that people marked.

    python tools/error_mix.py en-de=RATINGS.tsv.gz zh-en=RATINGS.tsv.gz …

Counts critical and major errors of systems by kind (`kontrast.building.marked.kinds`): by the words of the best pair,
whatever its confidence, else by the rater's category. Style, punctuation and errors of the source are not counted.
Every file counts the same. The part ``[types]`` is written by hand and kept.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from kontrast.building.marked.choosing import MarkedOptions, marked_items
from kontrast.building.marked.kinds import KINDS, kind_of
from kontrast.building.marked.reading import read_ratings

PLACE = Path(__file__).resolve().parents[1] / "src" / "kontrast" / "data" / "mix.toml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ratings", nargs="+", metavar="PAIR=FILE")
    asked = parser.parse_args()
    shares: Counter[str] = Counter()
    sources = []
    for pair, _, path in (each.partition("=") for each in asked.ratings):
        counts = _counted(Path(path), pair.partition("-")[2])
        sources.append(f"{Path(path).name} ({pair}, {counts.total()} errors)")
        for kind, count in counts.items():
            shares[kind] += 1000 * count / counts.total() / len(asked.ratings)  # type: ignore[assignment]
    _, _, types = PLACE.read_text("utf-8").partition("[types]") if PLACE.exists() else ("", "", "\n")
    lines = [f"{kind} = {shares[kind]:.0f}" for kind in KINDS if kind != "other"]
    head = "# Per thousand marked errors, by kind. Made by tools/error_mix.py; sources:\n# " + "\n# ".join(sources)
    PLACE.write_text(f"{head}\n[kinds]\n" + "\n".join(lines) + f"\n\n[types]{types}", "utf-8")


def _counted(path: Path, language: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for segment, error, best, why in marked_items(read_ratings([path]).segments, MarkedOptions(min_confidence=0)):
        if why in ("another severity", "another category", "an error of the source") or error.output.is_human:
            continue
        old, new = (best.old, best.new) if best else (("",), ("",))
        kind = kind_of(error.mark.category, segment.source, [w for w in old if w], [w for w in new if w], language)
        counts[kind] += 1
    return counts


if __name__ == "__main__":
    main()
