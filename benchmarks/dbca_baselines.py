"""What counting is compared with: a plain reader of CoNLL-U."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

__all__ = ["plain_reader"]


def plain_reader(path: Path) -> tuple[int, int, int]:
    """Lines split at tabs, counts in dictionaries: (tokens, atom types, compound types)."""
    atoms: Counter[str] = Counter()
    compounds: Counter[tuple[str, str, str]] = Counter()
    tokens = 0
    sentence: list[tuple[str, int, str]] = []

    def flush() -> None:
        in_compound = set()
        for i, (lemma, head, relation) in enumerate(sentence):
            if head == 0 or relation == "root" or relation.startswith("punct"):
                continue
            compounds[sentence[head - 1][0], relation, lemma] += 1
            atoms["relation:" + relation] += 1
            in_compound.update((i, head - 1))
        for i in in_compound:
            atoms["lemma:" + sentence[i][0]] += 1
        sentence.clear()

    with path.open(encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if not line:
                flush()
            elif line[0] != "#":
                columns = line.split("\t")
                if columns[0].isdigit():
                    sentence.append((columns[2].lower(), int(columns[6]), columns[7]))
                    tokens += 1
    flush()
    return tokens, len(atoms), len(compounds)
