"""Suites of marked errors from files of ratings."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.flows.inputs import names
from kontrast.suites.demo import bundled_ratings
from kontrast.suites.formats import load, save
from kontrast.suites.model import Suite

if TYPE_CHECKING:
    from kontrast.building.marked.build import BuiltMarked
    from kontrast.building.marked.evidence import Closeness

Paths = str | Path | Sequence[str | Path]
SECOND_OPINIONS = ("auto", "minilm", "none")


def build_marked(ratings: Paths, **options: Any) -> Suite:
    """A suite of the errors that people marked, as `kontrast build marked` makes it; `save` writes it.

    ``options``: pair, texts, severities, categories, min_confidence, second_opinion, judge (a model as in `score`),
    name, and ``on`` and ``workers`` of a cluster.

    >>> import kontrast
    >>> suite = kontrast.build_marked("demo:ratings", pair="en-de")
    >>> {item.tags["natural"] for item in suite}
    {True}
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "marked.jsonl"
        write_marked(place, ratings, **options)
        return load(place)


def write_marked(out: str | Path, ratings: Paths, **options: Any) -> BuiltMarked:
    """Build the suite of marked errors into a file, as `kontrast build marked` does; what was read and written.

    An interrupted run resumes (``OUT.work``). ``options`` are those of `build_marked`.

    >>> import kontrast
    >>> out = Path(tempfile.mkdtemp()) / "marked.jsonl"
    >>> kontrast.write_marked(out, kontrast.bundled_ratings(), pair="en-de").items == len(kontrast.load(out))
    True
    """
    from kontrast.building.marked.build import ENOUGH, MarkedOptions, building_marked
    from kontrast.building.marked.choosing import is_learnt

    for name in ("severities", "categories"):
        if options.get(name) is not None:
            options[name] = tuple(part.lower() for part in names(options[name]))
    given = [ratings] if isinstance(ratings, str | Path) else list(ratings)
    paths = [bundled_ratings() if str(path) == "demo:ratings" else path for path in given]
    cluster = {name: options.pop(name, None) for name in ("on", "workers")}
    judge, wanted = options.pop("judge", None), options.pop("second_opinion", SECOND_OPINIONS[0])
    asked = MarkedOptions(**options)
    closeness = _second_opinion(wanted, asked.pair)
    if judge is not None:
        _refuse_unless_loaded(judge, asked.pair)
    with building_marked(out, paths, asked, closeness=closeness, **cluster) as (suite, built):
        if judge is not None:
            suite, built = _judged(judge, suite, built, asked.min_confidence)
        save(suite, out)
    if not is_learnt(asked.pair):
        told = "was trained on other languages and may be too high: read the items before use (kontrast review)"
        print(f"kontrast: warning: the confidence {told}", file=sys.stderr)
    if built.expected < ENOUGH:
        told = f"about {built.expected:.0%} of these items are right according to their confidence"
        print(f"kontrast: warning: {told}: check them before use (kontrast review)", file=sys.stderr)
    return built


def _second_opinion(wanted: str, pair: str | None) -> Closeness | None:
    """MiniLM where the target is English: where it is installed, from wherever it is, or not at all."""
    is_english = (pair or "").endswith("-en")
    if wanted not in SECOND_OPINIONS:
        raise KontrastError(f"--second-opinion: expected {', '.join(SECOND_OPINIONS)}, found {wanted!r}")
    if wanted == "minilm" and not is_english:
        other = "has another target" if pair else "is not given: give it, as in --pair zh-en"
        raise KontrastError(f"--second-opinion minilm: the encoder reads English, and --pair {other}")
    if wanted == "none" or not is_english:
        return None
    from kontrast.flows.reference_closeness import ReferenceCloseness, is_installed

    if wanted == "minilm" or is_installed():
        return ReferenceCloseness()
    told = "fewer pairs have enough confidence; --second-opinion minilm downloads it, none hides this warning"
    print(f"kontrast: warning: MiniLM is not installed: {told}", file=sys.stderr)
    return None


def _refuse_unless_loaded(judge: str, pair: str | None) -> None:
    """A model that cannot be loaded is refused before the work."""
    from kontrast.scoring.engine import EngineOptions, SuiteEngine
    from kontrast.scoring.engines import load_engine

    source, _, target = (pair or "").partition("-")
    try:
        engine = load_engine(judge, EngineOptions(source_language=source or None, target_language=target or None))
    except KontrastError as error:
        raise KontrastError(str(error).replace("--model", "--judge")) from error
    if not isinstance(engine, SuiteEngine):
        engine.close()


def _judged(model: str, suite: Suite, built: BuiltMarked, least: float) -> tuple[Suite, BuiltMarked]:
    """The suite with what a model says of its pairs, and the counts of what is left."""
    from kontrast.building.marked.build import expected_share
    from kontrast.flows.building import asked_model

    items = []
    for item in suite.items:
        sure = {"confidence": item.tags["confidence"]}
        foils = (msgspec.structs.replace(foil, tags=sure) for foil in item.variants[1:])
        items.append(msgspec.structs.replace(item, variants=(item.variants[0], *foils)))
    kept = asked_model(model, msgspec.structs.replace(suite, items=tuple(items)), least)
    kept = msgspec.structs.replace(kept, description=f"{suite.description}; judged by {model}")
    kinds = dict(Counter(item.phenomenon or "" for item in kept.items).most_common())
    left, expected = len(kept.items), expected_share(kept.items)
    return kept, msgspec.structs.replace(built, items=left, kinds=kinds, expected=expected, unjudged=len(items))
