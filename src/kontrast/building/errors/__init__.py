"""Contrastive errors from any text: one file per error and language."""
