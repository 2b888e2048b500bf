"""DEMETR."""
