"""kontrast count."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.cluster_options import cluster_options
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
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(corpus: str, out: str, as_json: bool, **options: Any) -> None:
    """Count the atoms and compounds of every sentence of CORPUS.

    CORPUS is CoNLL-U (.conllu, packed or not), text with a sentence per line, lemma/head/label triples (.tsv) or
    counts as JSON lines (.jsonl); or a folder of documents with --lang. Nothing is filtered unless asked for.
    Annotation of text goes on where it stopped when a run that was killed is called again.
    """
    from kontrast.flows.counting import count
    from kontrast.reporting.terminal import print_json, print_table

    counts = count(corpus, out, **options)
    if mismatch := counts.about.get("mismatch"):
        echo(
            f"kontrast: {mismatch.lines} lines have different numbers of lemmas, heads and labels (line "
            f"{mismatch.first_line} is the first); cut to the shortest, which leaves {mismatch.heads} heads "
            "outside",
            err=True,
        )
    summary = {"out": out, **counts.to_dict()}
    if as_json:
        print_json(summary)
    else:
        print_table(list(summary), [list(summary.values())])
