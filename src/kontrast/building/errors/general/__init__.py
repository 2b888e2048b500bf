"""Errors for any language that has an annotator and a lexicon: one file each, with a function from a lexicon to the
error's declaration."""
