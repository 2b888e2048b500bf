"""Building: perturbations and pipelines from corpora to suites."""
