"""Reporting: terminal tables, HTML, LaTeX, the originals' own text. Knows nothing of where numbers came from."""
