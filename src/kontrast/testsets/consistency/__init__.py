"""The consistency sets (EN-RU)."""
