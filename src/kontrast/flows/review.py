"""A review from files, as the command opens it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from kontrast.errors import KontrastError
from kontrast.review.session import Review


def open_review(
    file: str | Path,
    *,
    new: bool = False,
    pair: str | None = None,
    source: str | Path | None = None,
    reference: str | Path | None = None,
    second: str | Path | None = None,
    guidelines: str | Path | None = None,
    store: str | Path | None = None,
    format: str | None = None,
    order: Literal["random", "unsure", "file", "sample"] | str = "random",
    seed: int = 1,
    per: int = 100,
    scores: Sequence[str | Path] = (),
    translations: Sequence[str | Path] = (),
) -> Review:
    """The review of a suite, of candidates, or of a folder of them, with the decisions made so far.

    `serve_review` shows it in the browser, `export_review` writes what was accepted; ``close`` it in the end. With
    ``new`` the file is a new suite, to be written in the app. The options are those of `kontrast review`.

    >>> import tempfile
    >>> review = open_review(Path(tempfile.mkdtemp()) / "mine.jsonl", new=True, pair="en-pt")
    >>> review.store.get("ours")
    'yes'
    >>> review.close()
    """
    from kontrast.review.authoring import begin
    from kontrast.review.candidates import Texts

    if new:
        if pair is None:
            raise KontrastError("--new needs the languages: --pair en-pt")
        begin(file, pair)
    texts = Texts(*(Path(name) if name else None for name in (source, reference, second)))
    review = Review(
        file, store=store, format=format, pair=pair, texts=texts, guide=guidelines, order=order, seed=seed, per=per,
        scores=scores, translations=translations,
    )  # fmt: skip
    if new:
        review.store.put(ours="yes")
    return review
