"""German errors."""

from kontrast.building.errors.de.source import ASKED, is_word, noun_genders
from kontrast.building.errors.spec import ErrorLanguage

LINGEVAL97 = (
    "np_agreement",
    "subj_verb_agreement",
    "subj_adequacy",
    "polarity_particle_nicht_del",
    "polarity_particle_kein_del",
    "polarity_affix_del",
    "polarity_particle_nicht_ins",
    "polarity_particle_kein_ins",
    "polarity_affix_ins",
    "auxiliary",
    "verb_particle",
    "compound",
    "transliteration",
)
"""The thirteen errors of LingEval97, in its order."""

_GENERAL = ("number", "date", "modality", "unit", "number_format", "adjective_omission", "added_adjective", "name")
_NAMED_ONLY = ("compound",)
"""Readers can still take too many of these for right."""

LANGUAGE = ErrorLanguage(
    "German",
    named_only=_NAMED_ONLY,
    default=tuple(name for name in LINGEVAL97 if name not in _NAMED_ONLY),
    complete=True,
    general=_GENERAL,
    style="lingeval97",
    published=LINGEVAL97,
    is_word=is_word,
    noun_genders=noun_genders,
    asked=ASKED,
)
