"""Analysis: what systems use. Context, cues, artefacts, items, memory.

Uses `io`, `language`, `suites`, `testsets`, `judging`.
"""
