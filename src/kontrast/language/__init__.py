"""Language: annotation, lexicons, alignment, coreference. Uses `io`."""
