"""CoNLL-U as annotated sentences: gold trees, or what any parser wrote."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io.conllu import Block, parse_blocks
from kontrast.io.files import open_lines
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import features_of

_Words = Mapping[str, tuple[int, list[str]]]
"""Line and columns of each syntactic word, by its number."""


def read_conllu(path: str | Path, *, syntactic: bool = False) -> Iterator[Sentence]:
    """The sentences of a file, one at a time."""
    return parse_conllu(open_lines(path), path, syntactic=syntactic)


def parse_conllu(lines: Iterable[str], path: str | Path = "-", *, syntactic: bool = False) -> Iterator[Sentence]:
    r"""The sentences in lines of CoNLL-U."""
    for block in parse_blocks(lines, path):
        if any("." not in row[0] for row in block.rows):
            yield sentence_of(block, path, syntactic=syntactic)


def sentence_of(block: Block, path: str | Path = "-", *, syntactic: bool = False) -> Sentence:
    """The sentence of a block. Empty nodes are left out; a field that is ``_`` is empty.

    The words of a multi-word token (``am`` = an + dem) are one token, which takes the annotation of its first word
    and the tag ``APPRART`` where it is a preposition with an article; heads that pointed into it point to it. With
    ``syntactic`` each of the words is a token: at its own letters where they make up the whole (do + n't), else at
    the place of the whole.
    """
    words = {row[0]: (line, row) for line, row in block.words}
    text, cursor = block.full_text, 0
    places: dict[str, int] = {}
    found: list[tuple[str, str, tuple[int, int], bool]] = []
    for line, form, numbers in _surface(block, words, path):
        start = text.find(form, cursor)
        if start < 0:
            raise InputError(path, f"the word {form!r} is not in the sentence's text", line=line)
        cursor = start + len(form)
        if syntactic:
            inner = [words[number][1][1] for number in numbers]
            lettered, at = "".join(inner) == form, start
            for number, part in zip(numbers, inner, strict=True):
                places[number] = len(found)
                found.append((number, part, (at, at + len(part)) if lettered else (start, cursor), False))
                at += len(part)
        else:
            places |= dict.fromkeys(numbers, len(found))
            found.append((numbers[0], form, (start, cursor), len(numbers) > 1))
    tokens = []
    for number, form, (start, end), merged in found:
        own, lemma, *rest = words[number][1][1:9]
        pos, tag, features, _, relation, _ = ("" if field == "_" else field for field in rest)
        lemma = "" if lemma == "_" and own != "_" else lemma
        tag = "APPRART" if merged and pos == "ADP" else tag
        head = _head(number, words, places, path)
        tokens.append(Token(form, start, end, lemma, pos, tag, features_of(features), head, relation))
    return Sentence(text, tuple(tokens))


def _surface(block: Block, words: _Words, path: str | Path) -> Iterator[tuple[int, str, list[str]]]:
    """Line, form and numbers of the words of each stretch of text."""
    covered: set[str] = set()
    for line, row in zip(block.numbers, block.rows, strict=True):
        if "." in row[0] or row[0] in covered:
            continue
        numbers = [row[0]]
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            numbers = [str(n) for n in range(first, min(last, first + len(words)) + 1)]
            if not numbers or not all(number in words for number in numbers):
                raise InputError(path, f"the words {row[0]} of {row[1][:40]!r} are not in the sentence", line=line)
        covered.update(numbers)
        yield line, row[1], numbers


def _head(number: str, words: _Words, places: Mapping[str, int], path: str | Path) -> int:
    """The place of a word's head, -1 without one; between the words of one token no relation is left."""
    index, seen = places[number], {number}
    while True:
        line, row = words[number]
        head = row[6]
        if head in ("0", "_"):
            return -1
        if places.get(head, index) != index:
            return places[head]
        if head not in places or head in seen:
            why = "part of a cycle" if head in seen else "not a word of the sentence"
            raise InputError(path, f"the head {head[:40]!r} of {row[1][:40]!r} is {why}", line=line)
        seen.add(head)
        number = head
