"""Suites: the model, formats, the catalogue, documents and context, lint."""
