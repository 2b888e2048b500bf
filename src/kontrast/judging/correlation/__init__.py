"""Metrics against people: segment scores of metrics and human judgements of the same translations."""
