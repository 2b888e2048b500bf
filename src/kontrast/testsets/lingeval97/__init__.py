"""LingEval97."""
