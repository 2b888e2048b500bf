"""DiscEvalMT."""
