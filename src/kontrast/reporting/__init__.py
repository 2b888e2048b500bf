"""Reporting: sections of a report, a renderer per form, terminal tables, figures. Uses every room but `language`, `building`."""
