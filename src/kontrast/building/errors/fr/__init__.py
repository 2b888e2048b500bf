"""French errors."""

from kontrast.building.errors.fr.elision import is_unelided
from kontrast.building.errors.fr.flaws import flaws
from kontrast.building.errors.spec import ErrorLanguage

LANGUAGE = ErrorLanguage(
    "French",
    (
        "pronoun_gender",
        "negation",
        "polarity_affix",
        "auxiliary",
        "participle_agreement",
        "tense",
        "subjunctive",
        "clitic_order",
        "preposition_article",
        "formality",
    ),
    flaws=flaws,
    is_misformed=is_unelided,
)
