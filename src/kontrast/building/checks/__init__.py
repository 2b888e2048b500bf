"""Is a foil wrong, and in one point alone? Features of a candidate, its source, and the judge that weighs them."""
