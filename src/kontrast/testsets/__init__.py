"""The published test sets, one folder each: how it is read and written, its layout, what its own script prints."""
