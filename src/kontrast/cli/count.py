"""kontrast count."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import cluster_options, declared_options
from kontrast.cli.output import echo
from kontrast.splitting.options import CountOptions, Filters, SentenceFilter

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
@declared_options(CountOptions)
@declared_options(Filters, defaults=False)
@declared_options(SentenceFilter)
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(corpus: str, out: str, as_json: bool, **options: Any) -> None:
    """Count the atoms and compounds of every sentence of CORPUS.

    CORPUS is CoNLL-U (.conllu, packed or not), text with a sentence per line, lemma/head/label triples (.tsv) or
    counts as JSON lines (.jsonl); or a folder of documents with --lang. By default, nothing is filtered.
    Interrupted annotation resumes when you repeat the command.
    """
    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.splitting.count_corpus import count

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
