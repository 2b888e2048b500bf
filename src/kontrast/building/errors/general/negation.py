"""Negation and modality by a language's declared words: *not* taken out or put in, *can* for *must*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.checks.english import has, modalities, said_in
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import deletion, opens_sentence, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared, declared_sets


@error("negation", of="words", needs="negation")
def negation(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A negation is deleted or inserted.

    The negator that the language declares is deleted, or inserted before one of its declared verbs. Sentences in
    which another word goes with the negation (nothing, never, not only) are left out.
    """
    keys = ("words", "verbs", "concord", "before", "behind", "clitics", "pronouns")
    negators, verbs, concord, stays, behind, clitics, pronouns = declared_sets(language, "negation", *keys)
    pairs = dict(declared(language).get("negation", {}).get("pairs", ()))
    swap = pairs | {b: a for a, b in pairs.items()}
    low = [token.text.lower() for token in sentence.tokens]
    if concord & set(low) or "?" in low:
        return  # another word says that the sentence is negative, or only goes with a negation
    is_positive = not negators & set(low)
    for i, token in enumerate(sentence.tokens):
        following = low[i + 1] if i + 1 < len(low) else ""
        before = low[i - 1] if i else ""
        if low[i] in negators and following.isalpha() and following not in stays and before not in behind:
            if (not verbs or following in verbs) and not opens_sentence(sentence, i):
                yield candidate(sentence, deletion(sentence, i))
        elif low[i] in pronouns and (has(sentence.source, "they") or not has(sentence.source, "is")):
            continue  # je for them, not for is
        elif low[i] in swap:
            yield candidate(sentence, [replaced_word(token, swap[low[i]])])
        elif is_positive and low[i] == token.text and low[i] in verbs and before.isalpha() and before not in clitics:
            yield candidate(sentence, [(token.start, token.start, f"{min(negators)} ")])


_OTHER = {"can": "must", "must": "can", "want": "must"}


@error("sense", of="words", needs="modality")
def modality(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A modal verb (ability, duty or wish) is replaced by another one.

    The language declares the forms. The verb occurs once and does not begin the sentence. An English source must have
    a modal verb of the same meaning, none of the new meaning, and no negation.
    """
    rows: dict[str, list[str]] = declared(language).get("modality", {})
    swaps = {
        old: (kind, new)
        for kind, other in _OTHER.items()
        for old, new in zip(rows.get(kind, ()), rows.get(other, ()), strict=False)
    }
    low = [token.text.lower() for token in sentence.tokens]
    if has(sentence.source, "not", "open_duty") or "t" in said_in(sentence.source):
        return  # what one cannot do, or can only do, one must; if he must: if he would
    said = modalities(sentence.source) if sentence.source else None
    for i, token in enumerate(sentence.tokens):
        kind, new = swaps.get(low[i], ("", ""))
        if not kind or low.count(low[i]) > 1 or token.text != low[i]:
            continue
        if kind == "want" and _has_no_infinitive(sentence):
            continue  # il veut un ballon
        if said is None or (kind in said and _OTHER[kind] not in said):
            yield candidate(sentence, [replaced_word(token, new)])


def _has_no_infinitive(sentence: Sentence) -> bool:
    """True where verbs are analysed and none is an infinitive."""
    forms = {token.morph["VerbForm"] for token in sentence.tokens if "VerbForm" in token.morph}
    return bool(forms) and "Inf" not in forms
