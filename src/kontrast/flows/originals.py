"""What a suite's own script prints. Apart from other judging, so that it starts as fast as the script."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.io.json_input import decode_whole
from kontrast.suites.model import Scores, Suite
from kontrast.testsets.originals import original_options, original_texts


def evaluate_original(
    suite: Suite | str | Path,
    /,
    *scores: Scores | str | Path,
    maximize: bool = False,
    format: str | None = None,
    **options: Any,
) -> str:
    """What the suite's own script prints, as `kontrast evaluate --style original` does.

    ``options`` are the script's own by name: ``fd=True``, ``categories="compound,auxiliary"``. With several scores,
    each text has a heading.

    >>> import kontrast
    >>> from kontrast import Item, Scores, Suite, Variant
    >>> item = Item("1", "It sleeps .", (Variant("Er schläft ."), Variant("Sie schläft .")))
    >>> print(kontrast.evaluate_original(Suite("s", (item,), style="contrapro"), Scores("a", (1.0, 2.0)))[:15])
    total : 1 1 1.0
    """
    takes = {name: option.takes for name, (option, _) in original_options().items()}
    read: dict[str, Callable[[Any], Any]] = {"words": _words, "json": _files}
    chosen = {name: read.get(takes.get(name, ""), bool)(value) for name, value in options.items() if value}
    if any(isinstance(each, Scores) for each in scores) and not isinstance(suite, Suite):
        from kontrast.suites.formats import load

        suite = load(suite, format)
    texts = list(original_texts(suite, scores, format=format, maximize=maximize, **chosen))
    if len(texts) == 1:
        return texts[0]
    headings = (each.system if isinstance(each, Scores) else each for each in scores)
    return "".join(f"== {heading}\n{text}" for heading, text in zip(headings, texts, strict=True))


def _files(given: str | Mapping[str, str]) -> Mapping[str, str]:
    """Files by name, also as JSON, as the original's option takes them."""
    wanted = 'an object of test sets and files, {"newstest2014": "FILE"}'
    files = decode_whole(given.encode(), object, "--outputs", wanted) if isinstance(given, str) else given
    if not isinstance(files, Mapping) or not all(isinstance(path, str) for path in files.values()):
        raise KontrastError(f"--outputs: expected {wanted}")
    return files


def _words(given: str | Sequence[str]) -> tuple[str, ...]:
    parts = given.split(",") if isinstance(given, str) else given
    return tuple(part.strip() for part in parts if part.strip())
