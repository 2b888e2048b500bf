"""Before a long run: does the model write what it itself finds likely, in pieces that it reads back the same?

A few sources are translated. A tokenizer of the wrong side, a missing prefix or a wrong language token shows here:
the translation, read back, falls into other pieces, or the suite's wrong variants are likelier than it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

import msgspec

from kontrast.scoring.decoding import Decoding
from kontrast.scoring.engine import Engine, Group, Target, Translator
from kontrast.scoring.telling import label_of
from kontrast.suites.model import Suite, TokenScores

__all__ = ["LONG", "foils_of", "problems", "warn"]

LONG = 1000
"""So many rows make a run long."""
SOURCES = 4
READ_BACK = 0.6
"""The share of pieces that must come back, on average."""
_SPECIAL = re.compile(r"<[^<>\s]*>|>>\S+<<|__\w+__|[a-z]{2,3}_[A-Z]\w+")


def foils_of(suite: Suite) -> list[Group]:
    """Sources with their wrong variants, without context."""
    found = []
    for item in suite.items:
        wrong = [v.text for n, v in enumerate(item.variants) if n != item.correct and v.text.strip()]
        if wrong and item.source.strip():
            found.append(Group(item.source, tuple(map(Target, dict.fromkeys(wrong))), item.source))
    return found


def problems(engine: Engine, foils: Sequence[Group]) -> list[str]:
    """What looks wrong, in half sentences; nothing where all is well or the engine cannot be asked."""
    if not isinstance(engine, Translator) or not engine.supports.tokens or engine.name == "openai":
        return []
    ordered = sorted(foils, key=lambda group: len(group.source))
    middle = len(ordered) // 3
    sample = ordered[middle : middle + SOURCES]
    if not sample:
        return []
    asked = [msgspec.structs.replace(group, targets=(Target(""),)) for group in sample]
    search = Decoding(beams=1) if engine.name == "marian" else Decoding(beams=1, max_length=64)
    details = dict(engine.details)
    said = dict(engine.translate(asked, search))
    engine.details = details
    texts = [said[n].text.strip() for n in range(len(sample))]
    found = []
    if blank := sum(not text for text in texts):
        found.append(f"{blank} of {len(texts)} translations are blank")
    shares = (
        [] if engine.supports.prompted else _read_back(engine, [said[n].pieces for n in range(len(texts))], texts)
    )
    if shares and fmean(shares) < READ_BACK:
        found.append(
            f"only {fmean(shares):.0%} of the pieces that it writes come back when read ({texts[0][:40]!r}): "
            "is this the tokenizer of the target side?"
        )
    both = [
        msgspec.structs.replace(group, targets=(Target(text), *group.targets))
        for group, text in zip(sample, texts, strict=True)
        if text and text not in {target.text for target in group.targets}
    ]
    rows = [found_rows for _, found_rows in engine.score(both)] if both else []
    own, foil = [_mean(row[0]) for row in rows], [_mean(each) for row in rows for each in row[1:]]
    if own and fmean(own) <= fmean(foil):
        found.append(
            f"its own translations are no likelier than the suite's errors ({fmean(own):.2f} against "
            f"{fmean(foil):.2f} per token): check tokenizer, prefix and language tokens (--dry-run --tokens)"
        )
    return found


def warn(engine: Engine, suite: Suite) -> None:
    """Say what looks wrong, on standard error."""
    for problem in problems(engine, foils_of(suite)):
        print(f"kontrast: warning: {label_of(engine)}: {problem}", file=sys.stderr)


def _read_back(engine: Engine, written: Sequence[Sequence[str]], texts: Sequence[str]) -> list[float]:
    shares = []
    for pieces, text in zip(written, texts, strict=True):
        again = engine.cut(text, "target") if text and pieces else None
        if again is not None:
            one, other = (Counter(p for p in side if not _SPECIAL.fullmatch(p)) for side in (pieces, again))
            shares.append((one & other).total() / max(one.total(), other.total(), 1))
    return shares


def _mean(row: TokenScores) -> float:
    return sum(row.logprobs) / max(len(row.logprobs), 1)
