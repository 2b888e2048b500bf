"""DistilLingEval."""
