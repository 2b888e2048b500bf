"""The large EN-FR pronoun set."""
