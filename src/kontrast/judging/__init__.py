"""Judging: verdicts, ties, intervals, paired tests, generation checks. Uses `io`, `suites`, `testsets`."""
