"""The set of mistranslated pronouns."""
