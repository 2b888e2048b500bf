"""Reporting: sections, a renderer per form, terminal tables, figures. Uses every room but `language`, `building`."""
