"""The options of a review, declared once for the command and for Python."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from kontrast.options import option, read_list


class ReviewOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a file is read and shown for review."""

    store: Annotated[Any, option("File of the review (default: FILE.review.sqlite).", metavar="FILE")] = None
    format: Annotated[str | None, option("Format of FILE, if it is not recognised.", "--from", metavar="FORMAT")] = (
        None
    )
    pair: Annotated[
        str | None, option("Languages, such as en-pt, if FILE does not name them.", metavar="SRC-TRG")
    ] = None
    guidelines: Annotated[
        Any, option("Markdown to show next to the item; a list under 'Reasons' gives the reasons.", metavar="FILE")
    ] = None
    source_text: Annotated[Any, option("For candidates: the source, one sentence per line.", metavar="FILE")] = None
    reference: Annotated[Any, option("For candidates: the reference, one sentence per line.", metavar="FILE")] = None
    second: Annotated[Any, option("For candidates: another human reference.", metavar="FILE")] = None
    documents: Annotated[
        Any, option("Show the previous sentences from the documents of the suite.", metavar="DIR")
    ] = None
    scores: Annotated[
        Any, option("Explore: a system's scores of the suite; may be repeated.", metavar="FILE", read=read_list)
    ] = ()
    translations: Annotated[
        Any, option("Explore: a system's translations; may be repeated.", metavar="FILE", read=read_list)
    ] = ()
    order: Annotated[str, option("random, unsure (lowest confidence first), file or sample.")] = "random"
    seed: Annotated[int, option("Seed of the random order and of the sample.")] = 1
    per: Annotated[int, option("Number of entries of each phenomenon in the sample.", "--sample")] = 100
