"""kontrast count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kontrast.cli.output import echo

__all__ = ["command"]

EPILOG = """\b
Examples:
  kontrast count en_ewt.conllu.gz --out ewt.counts
  kontrast count corpus.txt --lang en --out corpus.counts
  kontrast count corpus.conllu --preset authors --out corpus.counts
  kontrast count corpus.conllu --features morphology --tags Case,Number --without-tagged Typo --out corpus.counts
  kontrast count en.conllu --min-tokens 3 --max-tokens 80 --no-duplicates --parallel de.txt --max-ratio 2 --out counts
  kontrast count lemmas.txt --heads heads.txt --labels labels.txt --out corpus.counts
  kontrast count corpus.conllu --features my_features.py:of_sentence --out corpus.counts
"""


@click.command(epilog=EPILOG)
@click.argument("corpus", type=click.Path())
@click.option("--out", metavar="DIR", required=True, help="Folder to write the counts to.")
@click.option("--from", "source", default="", metavar="KIND", help="conllu, text, triples, jsonl; else by name.")
@click.option("--features", default="dependency", show_default=True,
              help="dependency, morphology, ngram, relations, length, depth, or FILE.py:FUNCTION of an annotated "
              "sentence.")  # fmt: skip
@click.option("--order", default=2, show_default=True, help="Words in an n-gram.")
@click.option("--bin", "bin_size", type=int, help="Lengths (5) or depths (1) that count as one.")
@click.option("--lang", default="", help="Language of plain text.")
@click.option("--annotator", help="Who annotates plain text; else the language's default.")
@click.option("--heads", metavar="FILE", help="Lists of heads, if CORPUS has the lemmas.")
@click.option("--labels", metavar="FILE", help="Lists of relation labels.")
@click.option("--preset", default="none", show_default=True, help="Filters: none, or authors (Europarl splits).")
@click.option("--min-frequency", type=int, help="Leave out rarer lemmas.")
@click.option("--max-frequency", type=int, help="Leave out more frequent lemmas.")
@click.option("--rank", metavar="A:B", help="Only lemmas of these frequency ranks, counted from 0.")
@click.option("--without-characters", metavar="REGEX", help="Leave out lemmas in which this is found.")
@click.option("--pos", help="Only these parts of speech: NOUN,VERB,…")
@click.option("--relations", help="Only these relations: nsubj,obj,…")
@click.option("--min-compound", type=int, help="Leave out rarer compounds.")
@click.option(
    "--weight", type=float, help="Leave out (relation, dependent) pairs tied to one head; bundles, to a lemma."
)
@click.option("--tags", help="Morphology: only features that begin so: Case,Number=Plur,…")
@click.option("--without-tags", help="Morphology: without these features.")
@click.option("--without-tagged", help="Morphology: without tokens that have such a feature: Typo,Foreign,…")
@click.option("--min-tokens", type=int, default=0, help="Leave out shorter sentences.")
@click.option("--max-tokens", type=int, help="Leave out longer sentences.")
@click.option("--no-duplicates", is_flag=True, help="Leave out all but the first of equal sentences.")
@click.option("--parallel", metavar="FILE", default="", help="The other side of the corpus, for --max-ratio.")
@click.option("--max-ratio", type=float, help="Leave out pairs where one side has more times the words of the other.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(corpus: str, out: str, source: str, features: str, order: int, bin_size: int | None,
            annotator: str | None, lang: str, heads: str | None, labels: str | None, preset: str, rank: str | None,
            min_tokens: int, max_tokens: int | None, no_duplicates: bool, parallel: str, max_ratio: float | None,
            as_json: bool, **given: Any) -> None:  # fmt: skip
    """Count the atoms and compounds of every sentence of CORPUS.

    CORPUS is CoNLL-U (.conllu, packed or not), text with a sentence per line, lemma/head/label triples (.tsv) or
    counts as JSON lines (.jsonl). Nothing is filtered unless asked for.
    """
    import numpy as np

    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.splitting.counting import count
    from kontrast.splitting.filters import preset_filters
    from kontrast.splitting.sentence_filter import REASONS, SentenceFilter

    changes = {name: value for name, value in given.items() if value is not None}
    for name in ("pos", "relations", "tags", "without_tags", "without_tagged"):
        if name in changes:
            changes[name] = tuple(changes[name].split(","))
    if rank is not None:
        low, _, high = rank.partition(":")
        try:
            changes["min_rank"], changes["max_rank"] = int(low or 0), int(high) if high else None
        except ValueError:
            raise click.BadParameter("expected two whole numbers, such as 200:10000", param_hint="--rank") from None
    limits = SentenceFilter(min_tokens, max_tokens, no_duplicates, parallel, max_ratio)
    counts = count(
        corpus,
        out,
        source=source,
        features=_function(features) if ":" in features else features,
        order=order,
        bin_size=bin_size,
        sentences=None if limits == SentenceFilter() else limits,
        filters=preset_filters(preset, **changes),
        annotator=_annotator(lang, annotator, trees=features == "dependency") if lang else None,
        heads=heads,
        labels=labels,
    )
    summary: dict[str, Any] = {
        "out": out,
        "sentences": counts.sentences,
        "tokens": int(counts.lengths.sum()),
        "atoms": counts.atoms.features,
        "compounds": counts.compounds.features,
        "featureless": int(((np.diff(counts.compounds.indptr) == 0) & counts.kept).sum()),
    }
    if len(counts.filtered):
        for number, reason in enumerate(REASONS[1:], start=1):
            summary[f"left out: {reason}"] = int((counts.filtered == number).sum())
    if mismatch := counts.about.get("mismatch"):
        echo(
            f"kontrast: {mismatch.lines} lines have different numbers of lemmas, heads and labels (line "
            f"{mismatch.first_line} is the first); cut to the shortest, which leaves {mismatch.heads} heads "
            "outside",
            err=True,
        )
        summary["lines cut"] = mismatch.lines
    if as_json:
        print_json(summary)
    else:
        print_table(list(summary), [list(summary.values())])


def _function(where: str) -> Any:
    """The function named FILE.py:FUNCTION or package.module:FUNCTION."""
    import importlib.util

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
        raise click.BadParameter(f"{where}: no such function ({error})", param_hint="--features") from error


def _annotator(language: str, name: str | None, trees: bool) -> Any:
    from kontrast.language.annotators import get

    return get(language, name, trees=trees)
