"""Trees of a treebank as agreement needs them: every syntactic word and where it stands; pairs of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError
from kontrast.io.conllu import Block, read_blocks
from kontrast.language.annotation import Token
from kontrast.language.annotators.conllu import sentence_of


class Tree(NamedTuple):
    """A sentence by its syntactic words; ``joined`` has those that are written as one (del = de + el).

    Each of them has the place of the first of its word.
    """

    id: str
    text: str
    document: str
    words: tuple[Token, ...]
    children: tuple[tuple[int, ...], ...]
    joined: dict[int, int]

    def child(self, head: int, *relations: str) -> int | None:
        """The first child with one of these relations (subtypes count)."""
        for i in self.children[head]:
            if self.words[i].relation.partition(":")[0] in relations:
                return i
        return None


def parallel_trees(source: str | Path, target: str | Path, blocks: Iterable[Block]) -> Iterator[tuple[str, Tree]]:
    """A source sentence and the tree with the same id, in the target's order; by order where neither file has ids.

    ``blocks`` are those of the target. A head that is no word, or a cycle, is an error that names the line.
    """
    sources = [(block.id, block.full_text) for block in read_blocks(source)]
    by_id = dict(sources)
    targets = [_tree(block, target) for block in blocks]
    for path, ids in ((source, [name for name, _ in sources]), (target, [tree.id for tree in targets])):
        if twice := next((name for name, count in Counter(ids).items() if name and count > 1), None):
            raise InputError(path, f"expected each sentence id once, found {twice} again")
    if len(by_id) == len(sources) and all(by_id) and all(tree.id for tree in targets):
        pairs = [(by_id[tree.id], tree) for tree in targets if tree.id in by_id]
        if not pairs:
            first = targets[0].id if targets else "none"
            raise InputError(target, f"has no sentence id in common with {source} (its first is {first})")
        yield from pairs
        return
    for a, b in zip_longest((text for _, text in sources), targets):
        if a is None or b is None:
            counts = f"{len(sources)} and {len(targets)} sentences"
            raise InputError(target, f"expected as many sentences as {source}, or ids in both: {counts}")
        yield a, b


def _tree(block: Block, path: str | Path) -> Tree:
    if unparsed := next(((line, row) for line, row in block.words if row[6] == "_"), None):
        line, row = unparsed
        raise InputError(path, f"the head '_' of {row[1]!r} is no word of the sentence", line=line)
    sentence = sentence_of(block, path, syntactic=True)
    places = {row[0]: place for place, (_, row) in enumerate(block.words)}
    joined: dict[int, int] = {}
    for first, _, last in (row[0].partition("-") for row in block.rows if "-" in row[0]):
        joined |= dict.fromkeys(range(places[first], places[last] + 1), places[first])
    children: list[list[int]] = [[] for _ in sentence.tokens]
    for i, word in enumerate(sentence.tokens):
        if word.head >= 0:
            children[word.head].append(i)
    _refuse_cycle(sentence.tokens, path, block.numbers[0])
    return Tree(block.id, sentence.text, block.document, sentence.tokens, tuple(map(tuple, children)), joined)


def _refuse_cycle(words: Sequence[Token], path: str | Path, line: int) -> None:
    under_root: set[int] = {-1}
    for i in range(len(words)):
        way, at = [], i
        while at not in under_root:
            way.append(at)
            if len(way) > len(words):
                raise InputError(path, f"the tree has a cycle at {words[i].text!r}", line=line)
            at = words[at].head
        under_root.update(way)
