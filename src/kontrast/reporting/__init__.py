"""Reporting: terminal tables, HTML, LaTeX. Uses every room but `language`, `building`."""
