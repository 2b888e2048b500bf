"""Pronoun suites from documents, as ContraPro and the large EN-FR set were made, for any corpus and pair."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kontrast.building.parallel import parallel_documents
from kontrast.building.pronouns.items import DEFAULT_CONFIDENCE, surest
from kontrast.building.pronouns.pipeline import Tools, find_pronouns
from kontrast.building.pronouns.recipe import Recipe, load_recipe, recipe_names
from kontrast.building.pronouns.select import select
from kontrast.errors import KontrastError
from kontrast.io.json_input import read_json
from kontrast.language.aligners.fast_align import FEW, Card, train
from kontrast.record import Record
from kontrast.suites.formats import save
from kontrast.suites.model import Suite

__all__ = ["Built", "Recipe", "build_pronouns", "load_recipe", "recipe_names"]


class Built(Record, frozen=True):
    """What came out: ``found`` pronouns with an antecedent, ``sure`` enough of them, ``items`` of these selected.

    ``left_out`` counts the pronouns that gave nothing, by reason.
    """

    out: str
    found: int
    items: int
    documents: int
    few_pairs: int | None = None
    """How many sentence pairs the alignment was trained on, where that is few."""
    sure: int = 0
    left_out: dict[str, int] = {}


def build_pronouns(
    pair: str,
    documents: str | Path,
    out: str | Path,
    *,
    format: str = "contrapro",
    aligner: str = "fast-align",
    alignment: str | Path | None = None,
    resolver: str = "salience",
    resolver_model: str | Path | None = None,
    per_pronoun: int | None = None,
    per_cell: int | None = None,
    seed: int = 1,
    leave_out: Iterable[str] = (),
    min_confidence: float = DEFAULT_CONFIDENCE,
    context_needed: bool | None = None,
    together: bool = True,
    jobs: int | None = None,
) -> Built:
    """Build a suite from the documents below a folder (``YEAR/NAME.LANGUAGE``).

    ``pair`` names a recipe of the package or a TOML file. Without an ``alignment`` one is trained on the documents
    themselves. Items less sure than ``min_confidence`` and foils that may be right are left out (0 keeps all, with
    the doubts as tags); ``context_needed`` keeps only items whose antecedent is in another sentence (True) or in the
    same (False). All mentions of one thing in a sentence change ``together``, or one alone. Work in progress is kept
    beside ``out`` until it is done, so that a run that was killed goes on.
    """
    recipe = load_recipe(pair)
    next(
        parallel_documents(documents, recipe.source_language, recipe.target_language)
    )  # or an error, before any work
    work = Path(f"{out}.work")
    work.mkdir(parents=True, exist_ok=True)
    few = None
    if alignment is None and aligner == "fast-align":
        alignment = work / "alignment"
        few = _train(recipe, documents, alignment)
    model = str(alignment) if alignment is not None else None
    if not 0 <= min_confidence <= 1:
        raise KontrastError(f"min_confidence is {min_confidence}: expected a number from 0 to 1")
    tools = Tools(recipe, aligner, model, resolver, str(resolver_model) if resolver_model else None, together)
    results = list(find_pronouns(documents, tools, work / "journal", jobs or os.cpu_count() or 1))
    found = [item for result in results for item in result.items]
    sure = [kept for item in found if (kept := surest(item, min_confidence)) is not None]
    wanted = [item for item in sure if context_needed in (None, item.tags["needs_context"])]
    left_out = Counter({"not sure enough": len(found) - len(sure)})
    for result in results:
        left_out.update(result.left_out)
    chosen = select(wanted, per_pronoun=per_pronoun, per_cell=per_cell, seed=seed, leave_out=leave_out)
    suite = Suite(
        name=Path(out).name.split(".")[0],
        items=tuple(chosen),
        source_language=recipe.source_language,
        target_language=recipe.target_language,
        style="contrapro",
        segment_base=recipe.segment_base,
    )
    save(suite, out, format)
    shutil.rmtree(work, ignore_errors=True)
    return Built(
        str(out), len(found), len(chosen), len({item.document for item in chosen}), few, len(sure), dict(left_out)
    )


def _train(recipe: Recipe, documents: str | Path, folder: Path) -> int | None:
    """Train on the documents themselves, unless an earlier run has; how many pairs there were, if few."""
    if (folder / "model.json").exists():
        card = read_json(folder / "model.json", Card, expected="an alignment model")
    else:
        corpus = parallel_documents(documents, recipe.source_language, recipe.target_language)
        card = train((pair for d in corpus for pair in zip(d.source, d.target, strict=True)), folder)
    return card.pairs if card.pairs < FEW else None
