"""Building: perturbations and pipelines from corpora to suites. Uses `io`, `suites`, `testsets`, `language`."""
