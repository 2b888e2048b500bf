"""Judging: verdicts, ties, intervals, paired tests, generation checks."""
