"""kontrast count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

__all__ = ["command"]

EPILOG = """\b
Examples:
  kontrast count en_ewt.conllu.gz --out ewt.counts
  kontrast count corpus.txt --lang en --out corpus.counts
  kontrast count corpus.conllu --features morphology --preset authors --out corpus.counts
  kontrast count lemmas.txt --heads heads.txt --labels labels.txt --out corpus.counts
  kontrast count corpus.conllu --features my_features.py:of_sentence --out corpus.counts
"""


@click.command(epilog=EPILOG)
@click.argument("corpus", type=click.Path())
@click.option("--out", metavar="DIR", required=True, help="Folder to write the counts to.")
@click.option("--from", "source", default="", metavar="KIND", help="conllu, text, triples, jsonl; else by name.")
@click.option("--features", default="dependency", show_default=True,
              help="dependency, morphology, ngram, or FILE.py:FUNCTION of an annotated sentence.")  # fmt: skip
@click.option("--order", default=2, show_default=True, help="Words in an n-gram.")
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
@click.option("--weight", type=float, help="Leave out (relation, dependent) pairs tied to one head.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(corpus: str, out: str, source: str, features: str, order: int, annotator: str | None, lang: str,
            heads: str | None, labels: str | None, preset: str, rank: str | None, as_json: bool,
            **given: Any) -> None:  # fmt: skip
    """Count the atoms and compounds of every sentence of CORPUS.

    CORPUS is CoNLL-U (.conllu, packed or not), text with a sentence per line, lemma/head/label triples (.tsv) or
    counts as JSON lines (.jsonl). Nothing is filtered unless asked for.
    """
    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.splitting.counting import count
    from kontrast.splitting.filters import preset_filters

    changes = {name: value for name, value in given.items() if value is not None}
    for name in ("pos", "relations"):
        if name in changes:
            changes[name] = tuple(changes[name].split(","))
    if rank is not None:
        low, _, high = rank.partition(":")
        try:
            changes["min_rank"], changes["max_rank"] = int(low or 0), int(high) if high else None
        except ValueError:
            raise click.BadParameter("expected two whole numbers, such as 200:10000", param_hint="--rank") from None
    counts = count(
        corpus,
        out,
        source=source,
        features=_function(features) if ":" in features else features,
        order=order,
        filters=preset_filters(preset, **changes),
        annotator=_annotator(lang, annotator, trees=features == "dependency") if lang else None,
        heads=heads,
        labels=labels,
    )
    summary = {
        "out": out,
        "sentences": counts.sentences,
        "tokens": int(counts.lengths.sum()),
        "atoms": counts.atoms.features,
        "compounds": counts.compounds.features,
    }
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
