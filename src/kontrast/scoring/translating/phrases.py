"""Phrases with which chat models open, explain and refuse, in larger languages: word lists of `cleaning`."""

from __future__ import annotations

import re

_TRANSLATION = (
    "translat(?:ion|ions|ed|e|es|ing)",
    "übersetz(?:ung|ungen|t|e|en)",
    "tradu(?:ction|it|ite|cción|ção|zione|zido|cido|ce|is|isez|ire|cir)",
    "vertal(?:ing|d|en)",
    "перев(?:од|ести|едено|ожу)",
)
ABOUT = re.compile(rf"\b(?:{'|'.join(_TRANSLATION)})\b|翻译|翻訳", re.IGNORECASE)
"""Speaks of a translation."""
_CHEERS = (
    r"sure(?: thing)?|certainly|of course|okay|ok|absolutely|great|gerne?|natürlich|klar|selbstverständlich|bien sûr"
    r"|certainement|avec plaisir|claro|por supuesto|certo|certamente|natuurlijk|конечно"
)
CHEER = re.compile(rf"\A\s*(?:{_CHEERS})\s?!\s*(?=\S)", re.IGNORECASE)
LEAD = re.compile(
    rf"\A\s*[#*_]{{0,4}}\s*(?P<lead>(?:(?:{_CHEERS})\b[^:\n]{{0,40}}?[!.,]?\s*)?(?:[^:：\n]{{0,160}}))[:：]"
    r"[ \t]*[*_]{0,2}\s*(?=\S)",
    re.IGNORECASE,
)
"""Up to the first colon; only where it speaks of a translation."""
LABELLED = re.compile(
    rf"^[ \t]*(?:#{{1,4}}[ \t]*|[*_]{{1,2}})?(?:(?:the|final|here is the|my|\w+)[ \t])?(?:\w+[ \t])?"
    rf"(?:{'|'.join(_TRANSLATION)})(?:[ \t]+\w+){{0,2}}[ \t]*(?:[*_]{{1,2}})?"
    r"(?:[:：][*_]{0,2}[ \t]*\n*|(?<=\w)[*_]{0,2}\n+)(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
"""A heading or label of its own line, whatever stands before it."""
ALONE = re.compile(rf"\A\s*(?:{_CHEERS})(?:[!.,]|\b)[^\n]{{0,80}}\n+(?=\S)", re.IGNORECASE)
_LANGUAGES = (
    "English|German|French|Spanish|Italian|Portuguese|Dutch|Russian|Chinese|Japanese|Czech|Polish|Ukrainian|Turkish"
    "|Arabic|Korean|Swedish|Deutsch|Französisch|Englisch|Spanisch|Français|Anglais|Allemand|Español|Inglés|Alemán"
    "|Italiano|Português|Nederlands"
)
NAMED = re.compile(rf"\b(?:{_LANGUAGES})\b", re.IGNORECASE)
"""Names a language."""
LABEL = re.compile(
    rf"\A\s*(?:#{{1,4}}\s*|\*\*|__)?(?:(?:(?:in|auf|en|in het|em)\s+)?(?:{_LANGUAGES})"
    r"|target|output|answer|voilà|voici|de|fr|en|es|it)"
    r"(?:\s*\([^)\n]{1,30}\))?"
    r"(?:,? (?:this|it|that|das|cela|ça|this sentence) (?:would be|is|means|wäre|heißt|serait|se dit))?"
    r"\s*(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?[ \t]*\n*(?=\S)",
    re.IGNORECASE,
)
CODE = re.compile(rf"\A\s*[*_]{{0,2}}(?:[A-Z]{{2}}|{_LANGUAGES})[*_]{{0,2}}\s*[:：]\s*[*_]{{0,2}}\s*", re.IGNORECASE)
NOTE = re.compile(
    r"\n\s*(?:[*_(\[]{0,3})(?:(?:notes?|explanations?|literally|literal translation|alternatively|alternatives?|this"
    r" translat\w+|in this translation|here,|breakdown|i (?:have|used|chose|translated|hope)|let me know|feel free"
    r"|the (?:word|phrase|term|pronoun)|anmerkung(?:en)?|hinweise?|erklärung(?:en)?|alternativ(?:e|en)?|wörtlich"
    r"|remarques?|explications?|littéralement|notas?|explicación|literalmente|osservazione|spiegazione|toelichting"
    r"|примечание)\b|注|-{3,}).*\Z",
    re.DOTALL | re.IGNORECASE,
)
BRACKETED = re.compile(
    r"\s*[(\[]\s*(?:note|literally|lit\.|explanation|anmerkung|wörtlich|littéralement|remarque|literalmente|nota)\b"
    r"[^()\[\]]*[)\]]\s*\Z",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    r"\A\s*(?:(?:i['’]?m|i am|we are)\s+(?:really |very |so )?(?:sorry|unable|not able|afraid)\b"
    r"|(?:sorry|apologies|unfortunately),? (?:but )?i\b|i (?:can(?:no|['’])t|cannot|can not|won['’]t|am not able)\b"
    r"[^.\n]*\b(?:translat|help|assist|provide|complete|do that)|as an? (?:ai|large language|language model)\b"
    r"|(?:could|can|would) you (?:please )?(?:provide|share|give|clarify|specify)\b"
    r"|please (?:provide|share|give me|clarify)\b"
    r"|(?:it (?:looks|seems) like|there is no|no text)\b[^.\n]*\b(?:text|sentence|message|provided)\b"
    r"|(?:i|we) (?:sincerely )?apologi[sz]e,? but\b"
    r"|leider kann ich\b[^.\n]*\bnicht (?:bearbeit|helf|beantwort|übersetz)"
    r"|es tut mir (?:sehr )?leid,? aber ich kann\b|ich kann (?:diesen|den|das|diese)\b[^.\n]*nicht übersetz"
    r"|(?:je suis )?désolée?,? (?:mais )?je ne (?:peux|suis)\b|je ne peux pas traduire|lo siento,? pero no puedo"
    r"|mi dispiace,? ma non posso|desculpe,? mas não posso|het spijt me,? maar ik kan)",
    re.IGNORECASE,
)
SORRY = re.compile(
    r"\b(?:sorry|apolog\w+|unfortunately|can(?:['’]t|not)|can not|unable|afraid|not able|won['’]t|AI|provide|share"
    r"|clarify|specify|give|translat\w+|leid|leider|entschuldig\w+|nicht übersetz\w+|désolée?|excus\w+|ne peux|siento"
    r"|lamento|perdón|no puedo|dispiace|scusa\w*|desculp\w+|spijt|there is no|no text)\b",
    re.IGNORECASE,
)
"""A source that may itself be translated by what looks like a refusal."""
