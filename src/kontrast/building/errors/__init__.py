"""Contrastive errors from any text: a folder per language, a function per error."""
