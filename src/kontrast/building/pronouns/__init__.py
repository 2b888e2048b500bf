"""Pronoun suites from documents, as ContraPro and the large EN-FR set were made, for any corpus and pair."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec

from kontrast.building.parallel import parallel_documents
from kontrast.building.pronouns.pipeline import Workshop, find_pronouns
from kontrast.building.pronouns.recipe import Recipe, load_recipe, recipe_names
from kontrast.building.pronouns.select import select
from kontrast.language.aligners.fast_align import FEW, Card, train
from kontrast.record import Record
from kontrast.suites.formats import save
from kontrast.suites.model import Suite

__all__ = ["Built", "Recipe", "build_pronouns", "load_recipe", "recipe_names"]


class Built(Record, frozen=True):
    """What came out: ``found`` pronouns with an antecedent, of which ``items`` were selected."""

    out: str
    found: int
    items: int
    documents: int
    few_pairs: int | None = None
    """How many sentence pairs the alignment was trained on, where that is few."""


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
    jobs: int | None = None,
) -> Built:
    """Build a suite from the documents below a folder (``YEAR/NAME.LANGUAGE``).

    ``pair`` names a recipe of the package or a TOML file. Without an ``alignment`` one is trained on the documents
    themselves. Work in progress is kept beside ``out`` until it is done, so that a run that was killed goes on.
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
    workshop = Workshop(recipe, aligner, model, resolver, str(resolver_model) if resolver_model else None)
    found = list(find_pronouns(documents, workshop, work / "journal", jobs or os.cpu_count() or 1))
    chosen = select(found, per_pronoun=per_pronoun, per_cell=per_cell, seed=seed, leave_out=leave_out)
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
    return Built(str(out), len(found), len(chosen), len({item.document for item in chosen}), few)


def _train(recipe: Recipe, documents: str | Path, folder: Path) -> int | None:
    """Train on the documents themselves, unless an earlier run has; how many pairs there were, if few."""
    if (folder / "model.json").exists():
        card = msgspec.json.decode((folder / "model.json").read_bytes(), type=Card)
    else:
        corpus = parallel_documents(documents, recipe.source_language, recipe.target_language)
        card = train((pair for d in corpus for pair in zip(d.source, d.target, strict=True)), folder)
    return card.pairs if card.pairs < FEW else None
