"""Pronoun suites from documents, as ContraPro and the large EN-FR set were made, for any corpus and pair.

``recipe`` says what a pair looks for; ``align`` finds pairs of pronouns; ``reference`` asks whether they refer;
``candidates`` and ``antecedents`` choose the noun; ``foils`` makes the contrastives, a file per target language;
``features`` says what is known of each, which ``checks.judge`` weighs; ``item`` joins it all, ``pipeline`` does it
for documents, ``build`` for a corpus.
"""

from __future__ import annotations

from kontrast.building.pronouns.build import BuiltPronouns, build_pronouns
from kontrast.building.pronouns.recipe import Recipe, load_recipe, recipe_names

__all__ = ["BuiltPronouns", "Recipe", "build_pronouns", "load_recipe", "recipe_names"]
