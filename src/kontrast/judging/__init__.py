"""Judging: verdicts, ties, intervals, paired tests, generation checks. Knows nothing of how scores came about."""
