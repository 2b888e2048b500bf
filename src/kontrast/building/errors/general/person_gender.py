"""The gender of a person: a noun for a woman becomes the noun for a man (*la directrice* → *le directeur*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.checks.english import has, names_woman
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared, declared_sets


@error("person_gender", of="words", needs="persons", source=True)
def person_gender(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A noun for a woman becomes the noun for a man, with its determiner.

    The language declares the noun and the word before it. No word after the noun may agree with it. The English
    source mentions a woman and no man (she, her, Mrs …).
    """
    if not has(sentence.source, "told_women") or has(sentence.source, "men"):
        return
    words = declared(language).get("persons", {})
    nouns, determiners = dict(words.get("nouns", ())), dict(words.get("determiners", ()))
    follows = frozenset().union(*declared_sets(language, "phrases", "prepositions", "of", "as"))
    contracting, contracted = declared_sets(language, "agreement", "contracting", "contracted_articles")
    tokens = sentence.tokens
    for i in range(1, len(tokens)):
        man = nouns.get(tokens[i].text.lower())
        before = tokens[i - 1].text.lower()
        behind = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if i > 1 and tokens[i - 2].pos == "ADP" and before in determiners and not names_woman(sentence.source):
            continue  # elle partit avec une amie: she is not the friend
        if man is None or (behind.isalpha() and behind.islower() and behind not in follows):
            continue  # an adjective behind it would have to change too
        edits = [replaced_word(tokens[i], man)]
        if before in determiners:
            new = determiners[before]
            melts = i > 1 and tokens[i - 2].text.lower() in contracting and new in contracted  # de le, a el
            if melts or man.startswith(tuple(words.get("clashing", ()))):
                continue
            edits.append(replaced_word(tokens[i - 1], new))
        elif before not in words.get("bare", ()):
            continue
        yield candidate(sentence, edits, words=(tokens[i].text,))
