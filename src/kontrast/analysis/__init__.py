"""Analysis: what systems use. Context, cues, artefacts, items, memory. Uses `io`, `suites`, `testsets`, `judging`."""
