"""Reporting: sections, a renderer per form, terminal tables, figures."""
