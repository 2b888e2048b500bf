"""Counts of a corpus from what the command line takes."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kontrast.errors import KontrastError
from kontrast.flows.inputs import names
from kontrast.splitting.counting import FeatureFunction
from kontrast.splitting.matrix import CorpusCounts

if TYPE_CHECKING:
    from kontrast.language.annotation import Annotator

__all__ = ["count"]

_LISTS = ("pos", "relations", "tags", "without_tags", "without_tagged")


def count(
    corpus: str | Path,
    out: str | Path | None = None,
    *,
    source: str = "",
    features: str | FeatureFunction = "dependency",
    order: int = 2,
    bin_size: int | None = None,
    lang: str = "",
    annotator: Annotator | str | None = None,
    heads: str | Path | None = None,
    labels: str | Path | None = None,
    preset: str = "none",
    rank: str | tuple[int, int | None] | None = None,
    min_tokens: int = 0,
    max_tokens: int | None = None,
    no_duplicates: bool = False,
    parallel: str | Path = "",
    max_ratio: float | None = None,
    on: str | None = None,
    workers: int | None = None,
    **filters: int | float | str | Sequence[str] | None,
) -> CorpusCounts:
    """Count the atoms and compounds of every sentence, as `kontrast count` does; with ``out`` they are written there.

    ``features`` may be a function of an annotated sentence, or name one (``my_features.py:of_sentence``). ``filters``
    are the command's: min_frequency, max_frequency, without_characters, pos, relations, min_compound, weight, tags,
    without_tags, without_tagged; lists as such or with commas.

    >>> import tempfile
    >>> import kontrast
    >>> text = Path(tempfile.mkdtemp()) / "text.txt"
    >>> _ = text.write_text("dogs bark\\ncats sleep\\n")
    >>> kontrast.count(text, features="ngram").to_dict()["compounds"]
    2
    """
    from kontrast.splitting import counting as room
    from kontrast.splitting.filters import preset_filters
    from kontrast.splitting.sentence_filter import SentenceFilter

    changes: dict[str, Any] = {name: value for name, value in filters.items() if value is not None}
    changes |= {name: names(changes[name]) for name in _LISTS if name in changes}
    if rank is not None:
        changes["min_rank"], changes["max_rank"] = _rank(rank)
    limits = SentenceFilter(min_tokens, max_tokens, no_duplicates, str(parallel), max_ratio)
    named: Annotator | tuple[str, str | None, bool] | None
    if annotator is None or isinstance(annotator, str):
        if annotator is not None and not lang:
            raise KontrastError(f"the annotator {annotator} needs the language of the text: --lang")
        named = (lang, annotator, features == "dependency") if lang else None
    else:
        named = annotator
    return room.count(
        corpus,
        out,
        source=source,
        features=_function(features) if isinstance(features, str) and ":" in features else features,
        order=order,
        bin_size=bin_size,
        filters=preset_filters(preset, **changes),
        sentences=None if limits == SentenceFilter() else limits,
        annotator=named,
        heads=heads,
        labels=labels,
        on=on,
        workers=workers,
    )


def _rank(given: str | tuple[int, int | None]) -> tuple[int, int | None]:
    if not isinstance(given, str):
        return given
    low, _, high = given.partition(":")
    try:
        return int(low or 0), int(high) if high else None
    except ValueError:
        raise KontrastError(f"--rank: expected two whole numbers, such as 200:10000, found {given!r}") from None


def _function(where: str) -> Any:
    """The function named FILE.py:FUNCTION or package.module:FUNCTION."""
    module_name, _, name = where.rpartition(":")
    try:
        if module_name.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(module_name).stem, module_name)
            if spec is None or spec.loader is None:
                raise ImportError(module_name)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(module_name)
        return getattr(module, name)
    except (ImportError, AttributeError, OSError) as error:
        raise KontrastError(f"--features: {where}: no such function ({error})") from error
