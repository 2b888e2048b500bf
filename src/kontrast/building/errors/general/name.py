"""Names: one gives way to another of the document, of the same kind, or two of one sentence change places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kontrast.building.errors.general.framed_names import framed_names, stands_in
from kontrast.building.errors.spec import Candidate, Perturbation, candidate, doubts
from kontrast.building.errors.text import opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

Span = tuple[int, int]
_CONTRACTED = frozenset("du des au aux del al do da no na dos das".split())


def perturbation(language: str) -> Perturbation:
    words = declared(language).get("names", {})
    inflected, genitive = bool(words.get("case", False)), bool(words.get("genitive_s", False))

    def same_form(one: str, other: str) -> bool:
        """Names in one case mostly end alike; a genitive with s never stands for a plain name."""
        if inflected:
            return one[-2:] == other[-2:]
        return not genitive or one.endswith("s") == other.endswith("s")

    def replaced(sentence: Sentence) -> Iterator[Candidate]:
        """The nearest name with the same frame that neither the sentence nor its source has."""
        for name in framed_names(sentence.text, sentence.source, language):
            for source, text in sentence.nearby:
                others = [o.text for o in framed_names(text, source, language) if o.frame == name.frame]
                new = [o for o in others if not stands_in(o, f"{sentence.source} {sentence.text}")]
                if new:
                    yield candidate(
                        "name", sentence, [(name.start, name.end, new[0])], features=doubts(no_person=not name.person)
                    )
                    break

    def made(sentence: Sentence) -> Iterator[Candidate]:
        if sentence.source:
            yield from replaced(sentence)
        yield from swapped(sentence)

    def swapped(sentence: Sentence) -> Iterator[Candidate]:
        tokens, text = sentence.tokens, sentence.text
        for (a, b), (c, d) in combinations(_names(sentence), 2):
            one, other = text[tokens[a].start : tokens[b].end], text[tokens[c].start : tokens[d].end]
            apart = [token for token in tokens[b + 1 : c] if token.text.isalpha()]
            same_kind = tokens[a].entity == tokens[c].entity and (b - a) == (d - c)
            if one in other or other in one or len(apart) < 2 or not (same_kind and same_form(one, other)):
                continue
            if not any(token.pos in ("VERB", "AUX", "") for token in tokens[b + 1 : c]):
                continue  # a list, in another order
            if not _same_place(sentence, a, c) or _touched(sentence, b) or _touched(sentence, d):
                continue
            if language == "fr" and any(_is_common(tokens[k].text) for k in (*range(a, b + 1), *range(c, d + 1))):
                continue
            yield candidate(
                "name",
                sentence,
                [(tokens[a].start, tokens[b].end, other), (tokens[c].start, tokens[d].end, one)],
                distance=c - b - 1,
                features=doubts(no_entity=not tokens[a].entity),
            )

    return Perturbation(
        name="name",
        language=language,
        summary="a name gives way to another of the document, or two of a sentence change places",
        conditions=(
            "With a source (`build errors`): another name of the lines around, behind a title of the same list, or "
            "behind the same preposition of places in sentence and source (declared); the latter is weak.",
            "Such a name stands once, in the source too; where names are inflected letter for letter, else it may be "
            "a cognate. Neither sentence nor source has the other name.",
            "Also two of the sentence change places: words with a capital inside it, as many as each other, of "
            "one kind where it is known.",
            "Where names are inflected (declared), two that change places end alike.",
            "The words before both are the same, or neither is an article; no part of a longer name.",
            "Such a change is weak where the kind of the names is not known: one of all, never chosen.",
            "At least two words lie between: Ana and Luis would say the same.",
        ),
        examples=(),
        function=made,
    )


def _same_place(sentence: Sentence, a: int, c: int) -> bool:
    """Do the words before the names, articles and elisions above all, go with either?"""
    words = [sentence.tokens[k - 1] if k else None for k in (a, c)]
    lows = [w.text.lower() if w is not None else "" for w in words]
    if lows[0] == lows[1]:
        return _vowel(sentence.tokens[a].text) == _vowel(sentence.tokens[c].text)
    if any(w is not None and w.text in ("-", "–", "(", "«", "“", '"', "”") for w in words):
        return False  # half a name, a title
    if all(w is not None and w.pos == "ADP" for w in words):
        return False  # à Paris, en France
    bound = any(w is not None and (w.pos in ("DET", "ADJ") or w.text[-1] in "'’") for w in words)
    kinds = [sentence.tokens[k].pos for k in (a, c)]
    return not bound and not _CONTRACTED & set(lows) and kinds[0] == kinds[1] and kinds[0] in ("PROPN", "")


def _touched(sentence: Sentence, last: int) -> bool:
    """Is the name a part of something longer: *Croix-Rouge*, *Alliance du Nord*?"""
    after = sentence.tokens[last + 1] if last + 1 < len(sentence.tokens) else None
    return after is not None and (after.text in ("-", "–", "/") or after.pos == "ADJ" or after.text[:1].isdigit())


def _vowel(word: str) -> bool:
    return word[:1].lower() in "aeiouyhéèêâîôûàáíóúäöü"


def _is_common(word: str) -> bool:
    """*Comité*, *Rouge*: a French word with a capital."""
    from kontrast.language.lexicons.french import lemmas, noun_genders

    low = word.lower()
    return bool(noun_genders(low)) or bool(lemmas(low, "v")) or bool(lemmas(low, "k"))


def _names(sentence: Sentence) -> list[Span]:
    found: list[Span] = []
    for i, token in enumerate(sentence.tokens):
        if not token.text[:1].isupper() or not token.text.isalpha() or len(token.text) < 3 or token.text.isupper():
            continue
        if opens_sentence(sentence, i):
            continue
        joined = found and found[-1][1] == i - 1 and sentence.tokens[i - 1].end + 1 == token.start
        if joined:
            found[-1] = (found[-1][0], i)
        else:
            found.append((i, i))
    return found
