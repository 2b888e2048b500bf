"""French errors."""

from kontrast.building.checks.nouns_before import of_pronoun
from kontrast.building.errors.fr.elision import is_unelided, with_elision
from kontrast.building.errors.fr.source import finite, is_word, noun_genders
from kontrast.building.errors.spec import ErrorLanguage

LANGUAGE = ErrorLanguage(
    "French",
    is_misformed=is_unelided,
    is_word=is_word,
    noun_genders=noun_genders,
    set_in=with_elision,
    finite=finite,
    asked={"pronoun_gender": of_pronoun},
)
