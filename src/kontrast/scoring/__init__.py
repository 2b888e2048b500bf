"""Scoring: what to score, who scores, where it is kept."""
