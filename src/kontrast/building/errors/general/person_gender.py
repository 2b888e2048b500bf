"""The gender of a person: a noun for a woman becomes the noun for a man (*la directrice* → *le directeur*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.checks.english import has, names_woman
from kontrast.building.errors.spec import Candidate, Maker, candidate, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

_JOINED = ("contracting", "contracted_articles")


@error("person_gender", of="words", needs="persons")
def person_gender(language: str) -> Maker:
    """A noun for a woman becomes the noun for a man, with its determiner.

    The language declares the noun and the word before it. No word after the noun may agree with it. The English
    source mentions a woman and no man (she, her, Mrs …).
    """
    words, phrases = declared(language).get("persons", {}), declared(language).get("phrases", {})
    nouns, determiners = dict(words.get("nouns", ())), dict(words.get("determiners", ()))
    bare, clashing = frozenset(words.get("bare", ())), tuple(words.get("clashing", ()))
    joined = {name: frozenset(declared(language).get("agreement", {}).get(name, ())) for name in _JOINED}
    follows = {word for name in ("prepositions", "of", "as") for word in phrases.get(name, ())}

    def changed(sentence: Sentence) -> Iterator[Candidate]:
        if not sentence.source or not has(sentence.source, "told_women") or has(sentence.source, "men"):
            return
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
                if man.startswith(clashing) or (
                    _contracts(tokens[i - 2].text.lower(), new, joined) if i > 1 else False
                ):
                    continue
                edits.append(replaced_word(tokens[i - 1], new))
            elif before not in bare:
                continue
            yield candidate(sentence, edits, words=(tokens[i].text,))

    return changed


def _contracts(before: str, article: str, joined: dict[str, frozenset[str]]) -> bool:
    """Would the article melt with the word before it: *de le*, *a el*?"""
    return before in joined["contracting"] and article in joined["contracted_articles"]
