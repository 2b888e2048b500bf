"""What a reader of a split must know: targets and sizes that were missed and why, and how test differs from train."""

from __future__ import annotations

import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting.measuring import Divergence
from kontrast.splitting.problem import TO_TEST, Problem
from kontrast.splitting.searching import Aim, Windows
from kontrast.splitting.tallying import components
from kontrast.splitting.validity import warnings_of

__all__ = ["CLOSE", "check_reachable", "split_notes", "window_text"]

CLOSE = 0.0005
"""A target counts as reached when three decimals are right."""


def check_reachable(problem: Problem, windows: Windows) -> None:
    """Refuse sizes that no split can have, before the search, and say which wish is in the way."""
    able = (problem.allowed & TO_TEST) > 0
    whole = int(problem.weight.sum())
    most = int(problem.weight[able].sum())
    if windows.test_size is not None:
        least, wish = float(windows.test_size[0]), f"a test side of {windows.test_size[0]} sentences"
    else:
        kept = 1.0 if problem.against else 1 - windows.discard
        least = windows.test_share[0] * kept * whole
        wish = f"a test share of at least {windows.test_share[0]:g}"
    if most < least:
        raise KontrastError(
            f"{wish} is not possible: sentences that may go to test have {most} of {whole} {windows.measure};"
            " the others are fixed in train, or have an atom that no other sentence has (--no-unseen-atoms)"
        )
    if windows.length_ratio is not None:
        length = problem.tokens / np.maximum(1, problem.sentences)
        longest, shortest = float(length[able].max(initial=0)), float(length[able].min(initial=0))
        if problem.against:
            low = high = problem.other_tokens / problem.other_sentences
        else:
            low, high = float(length.min()), float(length.max())
        if longest < windows.length_ratio[0] * low or shortest > windows.length_ratio[1] * high:
            raise KontrastError(
                f"a length ratio of {window_text(windows.length_ratio)} is not possible: test sentences have "
                f"{shortest:g} to {longest:g} tokens, and train's mean is between {low:g} and {high:g}"
            )


def split_notes(
    problem: Problem, aim: Aim, windows: Windows, measured: Divergence, test: float, together: str = ""
) -> list[str]:
    """One sentence for each thing to know; ``test`` is its share or size in what the window measures."""
    notes = []
    if abs(measured.compound_divergence - aim.compound) >= CLOSE:
        notes.append(_missed(problem, aim, measured))
    if aim.atom_cap is not None and measured.atom_divergence > aim.atom_cap + CLOSE:
        notes.append(f"the cap of {aim.atom_cap:g} on atom divergence is exceeded: {measured.atom_divergence:.4f}")
    if windows.test_size is not None:
        low, high = windows.test_size
        if not low <= test <= high:
            notes.append(f"test has {test:.0f} sentences, not {low if low == high else f'{low} to {high}'}")
    elif not windows.test_share[0] - 1e-9 <= test <= windows.test_share[1] + 1e-9:
        notes.append(
            f"the share of test in {windows.share_of} is {test:.4f}, outside of {window_text(windows.test_share)}"
        )
    ratio = measured.test_length / max(1e-9, measured.train_length)
    if windows.length_ratio is not None and not windows.length_ratio[0] <= ratio <= windows.length_ratio[1]:
        notes.append(
            f"test sentences are {ratio:.2f} times as long as train's, outside of {window_text(windows.length_ratio)}"
        )
    if measured.difference is not None:
        notes.extend(
            warnings_of(measured.difference, measured.random_difference, whole_documents=together == "documents")
        )
    return notes


def _missed(problem: Problem, aim: Aim, measured: Divergence) -> str:
    got = measured.compound_divergence
    why = f"compound divergence {aim.compound:g} was not reached; the best found is {got:.4f}"
    if got > aim.compound and measured.compound_floor is not None:
        alone = 1 - problem.compounds.totals.sum() / max(1, problem.compounds.mass.sum())
        why += (
            f" (at these sizes no split of these counts is below {measured.compound_floor:.4f}:"
            f" {alone:.0%} of the occurrences are of compounds that one unit alone has)"
        )
    elif got < aim.compound and not problem.against:
        parts = components(problem.compounds.indptr, problem.compounds.indices, len(problem.compounds.totals))
        largest = np.bincount(parts, problem.sentences).max() / problem.sentences.sum()
        why += (
            f" ({largest:.0%} of the sentences hang together by shared compounds, directly or through others;"
            " more to discard, a smaller test share or a wider length window helps)"
        )
    return why


def window_text(window: tuple[float, float]) -> str:
    return f"{window[0]:g}:{window[1]:g}"
