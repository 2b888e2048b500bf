"""Language: annotation, lexicons, alignment, coreference. Knows nothing of suites."""
