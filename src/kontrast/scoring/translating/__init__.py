"""Translating: what to ask for (sentence, rollout, window), what to keep of the answer, and where it is kept."""
