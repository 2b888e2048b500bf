"""Language: annotation, lexicons, alignment, coreference."""
