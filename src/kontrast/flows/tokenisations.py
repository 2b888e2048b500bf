"""`kontrast score --tokenisations N`: how many decisions another cut of the same texts would turn round."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.judging.decisions import decisions_of
from kontrast.judging.verdicts import larger_is_better, verdicts_of
from kontrast.progress import progress
from kontrast.scoring.context import Context, with_trained_scheme
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines import load_engine
from kontrast.scoring.messages import with_languages
from kontrast.scoring.plan import make_plan
from kontrast.scoring.trie import TokenPath, build_trie
from kontrast.suites.model import Scores, Suite

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import TransformerEngine


class Flips(msgspec.Struct, frozen=True):
    """Of ``decisions``, how many turn round in each of several cuts, and how many in any of them."""

    decisions: int
    each: tuple[int, ...]
    any: int
    accuracies: tuple[float, ...]
    items: tuple[str, ...] = ()

    def __str__(self) -> str:
        mean = sum(self.each) / len(self.each) / max(1, self.decisions)
        low, high = min(self.accuracies), max(self.accuracies)
        return (
            f"other tokenisations ({len(self.each)}): {mean:.1%} of the decisions change on average, "
            f"{self.any:,} of {self.decisions:,} in at least one; accuracy between {low:.1%} and {high:.1%}"
        )


def with_flips(
    suite: Suite, model: object, made: Scores, options: EngineOptions, context: Context, count: int, seed: int
) -> Scores:
    """The scores with ``flips`` in their signature; the result is told."""
    found = flips_of(suite, model, made, options, context, count, seed)
    print(f"kontrast: {found}", file=sys.stderr)
    for item in found.items[:5]:
        print(f"kontrast: decision changes with another tokenisation: item {item}", file=sys.stderr)
    assert made.signature is not None
    details = {**made.signature.details, "flips": f"{found.any}/{found.decisions}x{count}"}
    return msgspec.structs.replace(made, signature=msgspec.structs.replace(made.signature, details=details))


def flips_of(
    suite: Suite,
    model: object,
    scores: Scores,
    options: EngineOptions,
    context: Context,
    count: int,
    seed: int = SEED,
) -> Flips:
    """Score the same texts in ``count`` other cuts; the model is loaded once more."""
    from kontrast.scoring.engines.transformer.engine import TransformerEngine

    if not isinstance(model, str) or not (model == "tiny" or model.startswith("hf:")) or "masked" in options.extra:
        raise KontrastError("--tokenisations: only hf: models support other tokens of the same text")
    engine = load_engine(model, with_languages(options, suite))
    assert isinstance(engine, TransformerEngine)
    from kontrast.flows.tokenisations import shifts

    plan = make_plan(suite, with_trained_scheme(context, model))
    added: dict[tuple[int, int], list[float]] = {}
    with progress("other cuts", len(plan.groups)) as advance:
        for index, rows in shifts(engine, plan.groups, count, seed):
            added |= {(index, place): values for place, values in enumerate(rows)}
            advance(1)
    decisions = decisions_of(suite)
    base = larger_is_better(scores)
    usual = verdicts_of(decisions, base).credit
    credits = [
        verdicts_of(decisions, base + np.array([added[place][cut] for place in plan.places])).credit
        for cut in range(count)
    ]
    turned = np.array([np.abs(own - usual) > 1e-9 for own in credits])
    items = tuple(suite.items[int(decisions.item[i])].id for i in np.flatnonzero(turned.any(axis=0)))
    return Flips(
        len(decisions),
        tuple(int(own.sum()) for own in turned),
        int(turned.any(axis=0).sum()),
        tuple(float(own.mean()) for own in (usual, *credits)),
        items,
    )


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
    """(index of a group, for each of its targets what every other cut adds to its log-probability).

    A token is replaced by two whose texts join to its own (``Katze`` by ``Kat`` and ``ze``), each with a probability
    of a tenth, as BPE dropout does (Provilkov et al. 2020), and at least one of a group. Variants of one group are
    cut by the same rule: what they share stays the same in all of them.
    """
    engine.choose_routes(groups)
    parts = _parts(engine.tokenizer)
    tasks = []
    for index, task in enumerate(engine.read(groups)):
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
