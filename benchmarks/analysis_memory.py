"""`kontrast memory`, measured: false alarms of models that never saw a suite, and what it finds in one that did.

    python benchmarks/analysis.py --data ../shared/data --only memory

Never seen by kontrast-tiny: three sets of DistilLingEval, which are not in its training data, and the documents of
ContraPro and of the EN-FR set that its training held out. Other models are kontrast-tiny after some steps on parallel
sentences of UD (PUD), which have none of these texts.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

import kontrast
from kontrast.analysis.means import mean_of
from kontrast.analysis.memory import Memory, area
from kontrast.analysis.twins import twins
from kontrast.defaults import ALPHA, NATURAL
from kontrast.judging.clusters import clusters_of
from kontrast.suites.model import Item, Suite

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "training")]

from tests.analysis.learning import learnt  # noqa: E402

CHUNK, DOSES = 40, (1, 10, 30)


def _short(suite: Suite, items: Sequence[Item], most: int, seed: int = 1) -> Suite:
    """A sample of the items that have twins and are not long; each source once."""
    with_twins = twins(msgspec.structs.replace(suite, items=tuple(items)))
    own = list({items[i].source: items[i] for i in with_twins if len(items[i].source) < 140}.values())
    random.Random(seed).shuffle(own)
    return msgspec.structs.replace(suite, items=tuple(own[:most]))


def never_seen(data: Path, most: int) -> Iterator[Suite]:
    from corpora import held_out, held_out_block  # type: ignore[import-not-found]

    for name in ("np_agreement.mt", "clause_omission.human", "polarity_particle_nicht_del.human"):
        suite = kontrast.load(data / "distil-lingeval-en-de" / name)
        yield _short(suite, suite.items, most)
    french = kontrast.load(data / "large-contrastive-en-fr")
    held = [item for i, item in enumerate(french.items) if held_out_block("large-contrastive-en-fr", i)]
    yield _short(french, held, most)
    german = kontrast.load(data / "contrapro-en-de" / "contrapro.subset.json")
    yield _short(german, [i for i in german.items if held_out((i.document or "").removesuffix(".de"))], most)


def _other_text(data: Path, count: int, seed: int) -> list[tuple[str, str, str]]:
    from corpora import _conllu_texts

    texts = {code: _conllu_texts(data / "ud" / f"{code}_pud-ud-test.conllu") for code in ("en", "de", "fr")}
    chosen = random.Random(seed).sample([n for n, text in texts["en"].items() if len(text) < 120], count)
    return [(code, texts["en"][name], texts[code][name]) for name in chosen for code in ("de", "fr")]


def _ahead(found: Memory) -> str:
    assert found.least is not None
    interval = found.least.interval
    ends = f"[{interval.low:+.2f}, {interval.high:+.2f}]" if interval else ""
    return f"{found.least.value:+.3f} bits {ends}, p {found.p:.3f}, {found.verdict}" if found.p is not None else "–"


def _chunks(found: Memory) -> Iterator[list[int]]:
    """Places among the items that were compared, in random order, forty at a time."""
    order = list(range(len(found.ahead)))
    random.Random(1).shuffle(order)
    for start in range(0, len(order) - CHUNK + 1, CHUNK):
        yield order[start : start + CHUNK]


def _is_flagged(suite: Suite, found: Memory, chosen: list[int], natural: float) -> bool:
    """The verdict's test on some of the items."""
    place = {item.id: i for i, item in enumerate(suite)}
    clusters = clusters_of(suite, np.array([place[found.ahead[n][0]] for n in chosen], dtype=np.int64))
    beyond = mean_of([found.ahead[n][1] - natural for n in chosen], clusters)
    assert beyond is not None
    return beyond.undecided is None and beyond.value > 0 and beyond.p / 2 <= ALPHA


def false_alarms(data: Path, most: int = 120, seeds: int = 2) -> None:
    """Means of whole suites, then the share of chunks of 40 items that are flagged."""
    suites = list(never_seen(data, most))
    flagged = dict.fromkeys((0.0, NATURAL, 0.1), 0)
    chunks = 0
    values: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        models = {"tiny": "tiny"}
        for seed in range(1, seeds + 1):
            pairs = _other_text(data, 20, seed)
            models[f"other text {seed}"] = learnt(Path(folder) / str(seed), pairs, 10, seed, 5e-4)
        for name, model in models.items():
            for suite in suites:
                found = kontrast.memory(suite, model, threads=1)
                assert found.least is not None
                values.append(found.least.value)
                print(f"never seen: {name:14} {suite.name:34} {found.twins:4} items {_ahead(found)}", flush=True)
                for chosen in _chunks(found):
                    chunks += 1
                    for limit in flagged:
                        flagged[limit] += _is_flagged(suite, found, chosen, limit)
    print(
        f"never seen: mean of {len(values)} suites and models {np.mean(values):+.3f} bits, largest {max(values):+.3f}"
    )
    for limit, count in flagged.items():
        print(f"never seen: natural {limit:g}: {count} of {chunks} chunks of {CHUNK} items flagged", flush=True)


def doses(data: Path, count: int = 80) -> None:
    """kontrast-tiny trained on half of a set that it never saw: verdicts on both halves, and the area."""
    whole = next(never_seen(data, count))
    half = len(whole) // 2
    parts = [
        msgspec.structs.replace(whole[s], name=name)
        for s, name in ((slice(half), "seen"), (slice(half, None), "not"))
    ]
    pairs = [("de", item.source, item.best.text) for item in parts[0]]
    with tempfile.TemporaryDirectory() as folder:
        for steps in DOSES:
            model = learnt(Path(folder) / str(steps), pairs, steps)
            seen, other = (
                kontrast.memory(part, model, unseen=beside, complete=steps == DOSES[-1], threads=1)
                for part, beside in (parts, parts[::-1])
            )
            by_twins = area(*(np.array([bits for _, bits in each.ahead]) for each in (seen, other)))
            assert seen.against is not None
            print(f"{steps:3} times seen: {_ahead(seen)}; the other half {_ahead(other)}")
            print(
                f"{steps:3} times seen: area, Min-20% {seen.against.auc:.2f}, ahead of twins {by_twins:.2f}",
                flush=True,
            )
            if seen.completed is not None and other.completed is not None:
                print(
                    f"{steps:3} times seen: ends written {seen.completed:.2f} (twins {seen.completed_twins:.2f}), "
                    f"of the other {other.completed:.2f} ({other.completed_twins:.2f})",
                    flush=True,
                )
