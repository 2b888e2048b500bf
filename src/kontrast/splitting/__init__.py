"""Splitting: distribution-based compositionality assessment (DBCA). Knows nothing of suites and scoring."""
