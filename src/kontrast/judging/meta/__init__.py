"""Meta-evaluation: what a metric's scores on a suite say about the metric, beyond accuracy."""
