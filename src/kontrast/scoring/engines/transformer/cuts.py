"""Other cuts of the same text into a model's tokens: does a decision hang on where the tokenizer happened to cut?

A token is replaced by two whose texts join to its own (``Katze`` by ``Kat`` and ``ze``), each with a probability of a
tenth, as BPE dropout does (Provilkov et al. 2020), and at least one of a group. Variants of one group are cut by the
same rule: what they share stays the same in all of them. Any tokenizer can be asked that whose tokens are written as
parts of the text.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.scoring.engine import Group
from kontrast.scoring.trie import TokenPath, build_trie

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import TransformerEngine

SHARE = 0.1


Pair = tuple[int, int]


def cutting_rule(paths: Sequence[TokenPath], parts: dict[int, list[Pair]], chance: random.Random) -> dict[int, Pair]:
    """Which tokens of these texts are cut, and how."""
    labels = dict.fromkeys(label for path in paths for label in path.labels if label in parts)
    chosen = [label for label in labels if chance.random() < SHARE]
    if not chosen and labels:
        chosen = [chance.choice(list(labels))]
    return {label: chance.choice(parts[label]) for label in chosen}


def other_cut(path: TokenPath, rule: dict[int, Pair]) -> TokenPath:
    """The same text in other tokens. A token that joins the opening with the target stays.

    >>> other_cut(TokenPath((0, 7), (7, 2)), {7: (5, 6)})
    TokenPath(inputs=(0, 5, 6), labels=(5, 6, 2), replaced=())
    """
    first = 1 if path.replaced else 0
    labels = list(path.labels[:first])
    for label in path.labels[first:]:
        labels += rule.get(label, (label,))
    return TokenPath((*path.inputs[: path.forced], *labels[:-1]), tuple(labels), path.replaced)


def shifts(
    engine: TransformerEngine, groups: Sequence[Group], count: int, seed: int
) -> Iterator[tuple[int, list[list[float]]]]:
    """(index of a group, for each of its targets what every other cut adds to its log-probability)."""
    engine.choose_routes(groups)
    parts = _parts(engine.tokenizer)
    tasks = []
    for index, task in enumerate(engine.kind.read(groups)):
        chance = random.Random(f"{seed} {index}")
        rules = [cutting_rule(task.paths, parts, chance) for _ in range(count)]
        paths = [each for path in task.paths for each in (path, *(other_cut(path, rule) for rule in rules))]
        tasks.append(msgspec.structs.replace(task, paths=paths, trie=build_trie(paths)))
    for i, values in engine.ran(tasks):
        sums = list(map(sum, values))
        rows = [sums[start : start + count + 1] for start in range(0, len(sums), count + 1)]
        yield i, [[value - row[0] for value in row[1:]] for row in rows]


def _parts(tokenizer: Any) -> dict[int, list[Pair]]:
    """For each token the pairs of tokens that its text is made of."""
    special = set(tokenizer.all_special_ids)
    known = {word: number for word, number in tokenizer.get_vocab().items() if number not in special}
    found = {}
    for word, number in known.items():
        cuts = [(word[:end], word[end:]) for end in range(1, len(word))]
        pairs = [(known[a], known[b]) for a, b in cuts if a in known and b in known and a.strip("\u2581\u0120")]
        if pairs:
            found[number] = pairs
    return found
