"""Other numbers from the same log-probabilities: their sum, per token, per byte, or of the differing span only.

Longer variants have more to lose in a sum; which items depend on that choice should be seen, not hidden.
"""

from collections.abc import Callable, Sequence

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.words import shared_ends
from kontrast.judging.systems import System
from kontrast.suites.model import Item, Scores, Signature, Suite, TokenScores


def normalise(suite: Suite, scores: Scores, kind: str) -> Scores:
    """The same system's scores under another normalisation, from its tokens; lower is better."""
    if kind not in NORMALISATIONS:
        raise KontrastError(f"there is no normalisation {kind!r}; known: {', '.join(NORMALISATIONS)}")
    if scores.tokens is None:
        if kind == (scores.signature.normalise if scores.signature else "sum"):
            return scores
        raise KontrastError(
            f"{scores.system}: --normalise {kind} needs the log-probabilities of tokens, and the scores have no "
            f"tokens file; `kontrast score --out FILE` writes it if the engine gives tokens"
        )
    values: list[float] = []
    start = 0
    for item in suite.items:
        rows = scores.tokens[start : start + len(item.variants)]
        values += NORMALISATIONS[kind](item, rows)
        start += len(item.variants)
    signature = scores.signature or Signature()
    return msgspec.structs.replace(
        scores,
        values=tuple(values),
        lower_is_better=True,
        signature=msgspec.structs.replace(signature, normalise=kind),
    )


def normalised_systems(suite: Suite, systems: Sequence[System], kinds: Sequence[str]) -> list[System]:
    """Every system under every normalisation, named after both, to be compared with each other."""
    views: list[System] = []
    for system in systems:
        if not isinstance(system, Scores):
            raise KontrastError("--normalise compares single score files, not systems with several runs")
        for kind in kinds:
            view = normalise(suite, system, kind)
            views.append(msgspec.structs.replace(view, system=f"{system.system}/{kind}"))
    return views


def differing(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many tokens at the beginning and at the end do not tell the variants apart; each keeps one at least.

    Where one variant merely lacks words, the token that follows them is what it says instead.
    """
    before, after = shared_ends([tuple(row) for row in rows])
    if any(len(row) == before + after for row in rows):
        if after:
            after -= 1
        else:
            before = max(0, before - 1)
    return before, after


def _span(item: Item, rows: Sequence[TokenScores]) -> list[float]:
    before, after = differing([row.tokens for row in rows])
    return [-sum(row.logprobs[before : len(row.logprobs) - after]) for row in rows]


NORMALISATIONS: dict[str, Callable[[Item, Sequence[TokenScores]], list[float]]] = {
    "sum": lambda item, rows: [-sum(row.logprobs) for row in rows],
    "token": lambda item, rows: [-sum(row.logprobs) / max(1, len(row.logprobs)) for row in rows],
    "byte": lambda item, rows: [
        -sum(r.logprobs) / max(1, len(v.text.encode())) for r, v in zip(rows, item.variants, strict=True)
    ],
    "span": _span,
}
