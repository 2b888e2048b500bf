"""ACES."""
