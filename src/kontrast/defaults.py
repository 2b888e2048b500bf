"""Defaults that several commands and functions share, so that the same question gets the same answer everywhere."""

from __future__ import annotations

SEED = 1
"""Of every random choice: resampling, splits, perturbations, controls."""

RESAMPLES = 10_000
"""Of tests that resample decisions."""

LEVEL = 0.95
"""Of confidence intervals."""

ALPHA = 0.05
"""Of tests: the share of false alarms that is accepted."""

NATURAL = 0.05
"""Bits per token that items may be ahead of their twins in a model that never saw them (`kontrast memory`)."""

ERROR_CONFIDENCE = 0.85
"""Of errors in a text: less sure ones are made only with ``--all``."""

MARKED_CONFIDENCE = 0.82
"""Of pairs from marked errors: less sure ones are left out."""

PRONOUN_CONFIDENCE = 0.75
PRONOUN_SOUNDNESS = 0.85
"""Of items of a pronoun suite: less sure ones are left out unless they are wanted."""
SPLIT_METRICS = ("chrF2++", "chrF2", "BLEU")
"""Of `generalise`; the first gives the score."""
